"""A saved web page as text: its main part, with its headings (trafilatura, or else BeautifulSoup).

Trafilatura leaves out menus and footers. Where it finds no main part, or only a sliver of what the
page shows, everything the page shows is taken: too much is better than a clause lost.
"""

from __future__ import annotations

import contextlib
import re
from importlib import import_module
from typing import Any

from inforce.errors import MissingExtraError
from inforce.retrieval.local_documents.outline import markdown_outline
from inforce.retrieval.local_documents.plain import declared_encoding, decode, titled
from inforce.retrieval.local_documents.texts import DocumentText

LEAST_SHARE = 0.5
"""Share of a page's visible characters the main part must have to be believed."""

_UNSEEN = ("script", "style", "noscript", "template", "head", "iframe", "svg")
_BLANK_LINES = re.compile(r"\n\s*\n\s*")
_SPACES = re.compile(r"[ \t\r\f\v\xa0]+")


def read_html(data: bytes, *, name: str) -> DocumentText:
    """The text of a page, headings written as in Markdown.

    Raises:
        InputError: if there is no text in it.
        MissingExtraError: if the libraries that read pages are not installed.
    """
    page = decode(data, name=name, declared=declared_encoding(data))
    soup = _parse(page)
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    everything = _visible(soup)
    main = _main_part(page)
    text = main if len(main) >= LEAST_SHARE * len(everything) and main else everything
    outline = markdown_outline(text)
    return titled(text, outline, name=name, title=outline.title or title)


def _parse(page: str) -> Any:
    try:
        soup: Any = import_module("bs4").BeautifulSoup(page, "lxml")
    except ImportError as error:
        raise MissingExtraError("reading saved web pages", "web") from error
    return soup


def _main_part(page: str) -> str:
    try:
        trafilatura: Any = import_module("trafilatura")
    except ImportError:
        return ""
    with contextlib.suppress(Exception):  # it stumbles on odd pages in many ways; see the fall-back
        found = trafilatura.extract(
            page, output_format="markdown", include_comments=False, include_tables=True
        )
        return str(found or "").strip()
    return ""


def _visible(soup: Any) -> str:
    for unseen in soup(list(_UNSEEN)):
        unseen.decompose()
    for level in range(1, 7):
        for heading in soup(f"h{level}"):
            words = heading.get_text(" ", strip=True)
            heading.string = f"\n\n{'#' * level} {words}\n\n" if words else ""
    lines = _SPACES.sub(" ", soup.get_text("\n")).split("\n")
    return _BLANK_LINES.sub("\n\n", "\n".join(line.strip() for line in lines)).strip()
