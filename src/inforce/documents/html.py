"""Reads a web page: all its text, or its main part without menus, and the day it states.

Trafilatura finds the main part; where it finds next to nothing, or leaves out articles of a law
that the page shows, everything the page shows is taken: too much is better than a clause lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from importlib import import_module
from typing import Any

from inforce.documents.charset import decode
from inforce.documents.document import (
    Block,
    BlockKind,
    Document,
    TextBuilder,
    UnreadableDocumentError,
)

_META_NAMES = (
    "article:published_time citation_date citation_publication_date date datepublished dc.date "
    "dc.date.issued dcterms.created dcterms.date dcterms.issued og:published_time parsely-pub-date "
    "pubdate publication_date publish_date publishdate publishtime pubtime sailthru.date"
)
_META = frozenset(_META_NAMES.split())
_JSON_LD = re.compile(r'"datePublished"\s{0,9}:\s{0,9}"([^"]{8,40})"')
_STATED = re.compile(
    r"(?:发布|公布|发文|成文|印发|刊发)(?:日期|时间)\s{0,9}[：:]\s{0,9}"
    r"(\d{4})\s{0,9}[-年/.]\s{0,9}(\d{1,2})\s{0,9}[-月/.]\s{0,9}(\d{1,2})"
)
_DAY = re.compile(r"(\d{4})[-/年.](\d{1,2})[-/月.](\d{1,2})(?!\d)|(\d{4})(\d\d)(\d\d)(?!\d)")
_LOOKED_AT = 3_000
"""Characters of the text in which a line may say when it was published."""
_SCRIPT = 200_000
_EARLIEST = 1900


def published(root: Any) -> date | None:
    """Return the day a page (a tree of `lxml.html`) states it was published; ``None`` if none.

    Its metadata says so, or a line in words; a date in the address or in a footer is no statement.
    """
    for text in _stated(root):
        match = _DAY.match(text.strip())
        day = _day(*(group for group in match.groups() if group)) if match else None
        if day is not None:
            return day
    stated = _STATED.search(_beginning(root))
    return _day(*stated.groups()) if stated else None


def _stated(root: Any) -> Iterator[str]:
    for meta in root.iter("meta"):
        names = (meta.get("property"), meta.get("name"), meta.get("itemprop"))
        if any(name.lower() in _META for name in names if name):
            yield meta.get("content") or ""
    for script in root.iter("script"):
        if script.get("type") == "application/ld+json":
            yield from _JSON_LD.findall((script.text or "")[:_SCRIPT])
    for time in root.iter("time"):
        if time.get("pubdate") is not None or time.get("itemprop") == "datePublished":
            yield time.get("datetime") or time.text_content()


def _beginning(root: Any) -> str:
    words, size = list[str](), 0
    for text in root.itertext():
        words.append(text)
        size += len(text) + 1
        if size > _LOOKED_AT:
            break
    return " ".join(words)[:_LOOKED_AT]


def _day(year: str, month: str, day: str) -> date | None:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found if found.year >= _EARLIEST else None


LEAST_MAIN = 200
"""Characters a main part must have to be believed, where the page shows more."""

_HIDDEN = frozenset(
    ("head", "script", "style", "noscript", "template", "iframe", "svg", "object", "select")
)
_HIDDEN_STYLE = re.compile(r"(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)", re.I)
_INLINE_NAMES = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font graphic hi i img ins kbd label "
    "mark nobr q ref ruby rb rt rp s samp small span strike strong sub sup time tt u var wbr"
)
_INLINE = frozenset(_INLINE_NAMES.split())
"""Elements of HTML, and of trafilatura's trees, that do not end a line; all others do."""
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_CELLS = frozenset(("td", "th", "cell"))
_ROWS = frozenset(("tr", "row"))
_QUOTES = frozenset(("blockquote", "quote"))
_ARTICLE_HEAD = re.compile(r"^[^\S\n]*第[零〇一二三四五六七八九十百千0-9]{1,9}条", re.MULTILINE)
_SPACES = re.compile(r"[ \t\r\f\v\xa0\u2000-\u200a]+")


def read_html(data: bytes, *, name: str, declared: str = "", main_part: bool = False) -> Document:
    """Read the text of a page.

    Args:
        data: the page as it was sent or saved.
        name: what it is called.
        declared: the encoding a server named.
        main_part: leave out menus and the like, if trafilatura is installed.

    Raises:
        UnreadableDocumentError: if its elements are nested beyond all reason.
    """
    found = decode(data, declared=declared)
    root = _parsed(found.text, name)
    if root is None:
        return Document(name, "html", "", "", (), encoding=found.encoding)
    stated = root.findtext(".//title") or ""
    day = published(root)
    for element in list(root.iter()):
        if _is_hidden(element):
            element.drop_tree()
    page = _Layout(root)
    main = _main_part(root) if main_part else None
    if main is not None:
        stated = main.title or stated
        is_short = len(main.text) < LEAST_MAIN and len(page.text) > len(main.text)
        articles = [len(_ARTICLE_HEAD.findall(one.text)) for one in (main, page)]
        if not is_short and articles[0] >= articles[1]:
            page, stated = main, main.heading or stated
    title = " ".join(stated.split())
    return Document(name, "html", title, page.text, page.blocks, (), (), day, found.encoding)


def _is_hidden(element: Any) -> bool:
    """Return whether a person who opens the page does not see an element."""
    if not isinstance(element.tag, str):
        return False
    style = element.get("style")
    return (
        (element.tag in _HIDDEN and element.getparent() is not None)
        or element.get("hidden") is not None
        or (style is not None and _HIDDEN_STYLE.search(style) is not None)
    )


def _parsed(page: str, name: str) -> Any:
    """Return the tree of a page; ``None`` for one without any element or text."""
    html: Any = import_module("lxml.html")
    etree: Any = import_module("lxml.etree")
    parser = html.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        root = html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:  # an empty page
        return None
    if any("Excessive depth" in one.message for one in parser.error_log):
        raise UnreadableDocumentError("damaged", "nested too deeply to read", path=name)
    return root


class _Layout:
    """The text of a tree: inline elements join words, any other element begins a line."""

    def __init__(self, root: Any, title: str = "") -> None:
        """Lay out a tree of HTML, or of trafilatura's elements."""
        self.title = title
        self._builder = TextBuilder()
        self._words: list[str] = []
        self._open: list[str] = []
        etree: Any = import_module("lxml.etree")
        for event, element in etree.iterwalk(root, events=("start", "end")):
            tag = element.tag if element.tag != "head" else element.get("rend", "h6")
            if tag not in _INLINE:
                self._break(tag, begins=event == "start")
            self._add((element.text if event == "start" else element.tail) or "")
        self._end_line()
        self.text, self.blocks = self._builder.text, tuple(self._builder.blocks)

    @property
    def heading(self) -> str:
        """The first heading of the first level; empty if there is none."""
        first = next((one for one in self.blocks if one.level == 1), None)
        return self.text[first.start : first.end] if first else ""

    def _break(self, tag: str, *, begins: bool) -> None:
        self._end_line()
        if begins:
            self._open.append(tag)
            self._builder.row += tag in _ROWS
            self._builder.cell += tag in _CELLS
        elif self._open:
            self._open.pop()

    def _add(self, text: str) -> None:
        lines = text.split("\n") if "pre" in self._open else [text.replace("\n", " ")]
        for number, line in enumerate(lines):
            if number:
                self._end_line()
            self._words.append(line)

    def _end_line(self) -> None:
        words = _SPACES.sub(" ", "".join(self._words)).strip()
        self._words.clear()
        if words:
            kind, level = self._kind()
            start = self._builder.append(words, kind)
            self._builder.blocks.append(Block(kind, start, self._builder.size, level))

    def _kind(self) -> tuple[BlockKind, int]:
        for tag in reversed(self._open):
            if tag in _HEADINGS:
                return "heading", int(tag[1])
            if tag in _CELLS:
                return "table_cell", 0
            if tag in _QUOTES:
                return "quote", 0
        return "paragraph", 0


def _main_part(root: Any) -> _Layout | None:
    try:
        trafilatura: Any = import_module("trafilatura")
    except ImportError:
        return None
    found: Any = None
    with suppress(Exception):  # it stumbles on odd pages in many ways; what is shown serves then
        found = trafilatura.bare_extraction(
            root,
            include_comments=False,
            include_tables=True,
            favor_recall=True,
            with_metadata=True,
            date_extraction_params={"extensive_search": False},
        )
    if found is None or found.body is None:
        return None
    return _Layout(found.body, found.title or "")
