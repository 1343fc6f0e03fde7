"""The text of a web page: its main part without menus, and every article that stands on it.

Trafilatura finds the main part; where it finds next to nothing, or leaves out articles of a law
that the page shows, everything the page shows is taken: too much is better than a clause lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from typing import Any

from inforce.errors import MissingExtraError
from inforce.web.html_date import published

LEAST_MAIN = 200
"""Characters a main part must have to be believed, where the page shows more."""

_HIDDEN = ("script", "style", "noscript", "template", "iframe", "svg", "object")
_UNSEEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLOCKS = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tbody",
    "td",
    "th",
    "tr",
    "ul",
]
_ARTICLE_HEAD = re.compile(r"^[\s\u3000]*第[零〇一二三四五六七八九十百千0-9]{1,9}条", re.MULTILINE)
_SPACES = re.compile(r"[ \t\r\f\v\xa0\u2000-\u200a]+")
_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class HtmlText:
    """What a page says."""

    title: str
    text: str
    published: date | None
    """As the page says of itself."""


def read_html(page: str) -> HtmlText:
    """The title, main text and date of a page.

    Raises:
        MissingExtraError: if the libraries that read pages are not installed.
    """
    soup = _parsed(page)
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    day = published(soup)
    _drop(soup, _HIDDEN)
    main = _main_part(str(soup))
    shown = _shown(soup)
    text = main.text if _is_enough(main.text, shown) else shown
    return HtmlText(normalised(main.title or title), text, day)


def normalised(text: str) -> str:
    """Text with one blank between words and one empty line at most between paragraphs."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.replace("\r\n", "\n").split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def _is_enough(main: str, shown: str) -> bool:
    if len(main) < LEAST_MAIN and len(shown) > len(main):
        return False
    return len(_ARTICLE_HEAD.findall(main)) >= len(_ARTICLE_HEAD.findall(shown))


def _parsed(page: str) -> Any:
    try:
        return import_module("bs4").BeautifulSoup(page, "lxml")
    except ImportError as error:
        raise MissingExtraError("reading web pages", "web") from error


def _drop(soup: Any, names: Sequence[str]) -> None:
    """Take out what a person who opens the page does not see."""
    unseen = [*soup(list(names)), *soup(style=_UNSEEN_STYLE), *soup(hidden=True)]
    for element in unseen:
        if not element.decomposed:
            element.decompose()


def _shown(soup: Any) -> str:
    """All that a page shows."""
    _drop(soup, ("head",))
    for block in soup(_BLOCKS):
        block.insert(0, "\n")
        block.append("\n")
    return normalised(soup.get_text(""))


@dataclass(frozen=True, slots=True)
class _Main:
    title: str = ""
    text: str = ""


def _main_part(page: str) -> _Main:
    try:
        trafilatura: Any = import_module("trafilatura")
    except ImportError as error:
        raise MissingExtraError("reading web pages", "web") from error
    found: Any = None
    with suppress(Exception):  # it stumbles on odd pages in many ways; what is shown serves then
        found = trafilatura.bare_extraction(
            page,
            include_comments=False,
            include_tables=True,
            favor_recall=True,
            with_metadata=True,
            date_extraction_params={"extensive_search": False},
        )
    if found is None:
        return _Main()
    return _Main(found.title or "", normalised(found.text or ""))
