"""The text of one statute: its lines, what each of them is, and the articles they make.

Chinese statutes are printed alike: the title (often over several lines), a note on adoption in
brackets, a table of contents (目录), headings (编, 分编, 章, 节, 目), articles (第十七条之一) of
one or more 款 each on its own line, annexes (附件). Every test here is linear.

A text with articles (第一条) is read by articles, a decision without them by its points (一、二、),
and anything else as one whole. Words are stored as they are; only the indentation goes. A heading
that an editor put in 【】 is no part of the law and stored apart. Annexes are left out, and noted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from inforce.corpus.loaders.checks import Order, number_of
from inforce.errors import IdentifierError, InputError
from inforce.law.numerals import ProvisionNumber

DAY = r"[0-9]{4}\s*年\s*[0-9]{1,2}\s*月\s*[0-9]{1,2}\s*日"
_NOTE = re.compile(
    rf"[（(]|(?:根据)?\s*{DAY}|本\S{{1,12}}自\s*{DAY}|\S{{2,20}}(?:令|公告)?[第〔\[]\S{{0,12}}号"
)
"""A line above a text that is part of its history rather than of the law."""
_NUM = r"[0-9０-９〇零一二两三四五六七八九十百千]{1,9}"
_ARTICLE = re.compile(rf"(第\s*{_NUM}\s*条(?:\s*之\s*{_NUM})?)(\s*)(.*)", re.DOTALL)
_REFERENCE = re.compile(rf"第{_NUM}[款项]|规定|所列|所称|所规定|中的|[和及至]第|[、，。；：的之]")
"""The words after the number where a line speaks *of* an article instead of beginning one."""
_POINT = re.compile(r"([一二三四五六七八九十百]{1,5}、)\s*(.*)", re.DOTALL)
_HEADING = re.compile(
    rf"(第\s*{_NUM}\s*(分编|编|章|节|目))(?:\s+([^。；：]{{0,60}})|([^。；：，]{{0,60}}))。?"
)
_UNNUMBERED = re.compile(r"[总分附]\s*则|序\s*言|[\u4e00-\u9fff]{2,4}编")
_LISTED = re.compile(
    r"(?:([一二三四五六七八九十]{1,3})、|[（(]([一二三四五六七八九十]{1,3})[）)])\s*([^。；：，]{1,40})"
)
_CONTENTS = re.compile(r"目\s*[录次]")
_ANNEX = re.compile(
    rf"附\s*[件录表](?:\s*{_NUM})?\s*(?:[:：].{{0,60}}|\s.{{0,60}})?|附\s*[:：].{{0,60}}"
)
_DOTS = re.compile(r"[\s.…·．0-9０-９]+\Z")
_DEPTHS = {"编": 0, "分编": 1, "章": 2, "节": 3, "目": 4}
_LISTED_DEPTHS = (5, 6)
_SENTENCE_ENDS = ("。", "；", "：", ":", "”")
_TITLE_ENDS = tuple("法典例定则释案议复知程纲见要答函令）)")

MAX_TITLE = 200
"""Characters a title may have; the longest in force has about 120."""
_TITLE_LINES = 4
_EDITORIAL = re.compile(r"((?:【[^】]{1,60}】\s*)+)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line that is not blank: its number in the file, its text without indentation."""

    number: int
    text: str
    level: int = 0
    """The depth of a Markdown heading (## is 2); 0 for plain text."""


class Start(NamedTuple):
    """The beginning of an article or a point: its number as printed, and the text after it."""

    number: str
    rest: str


class Heading(NamedTuple):
    """A heading and its depth; one of a smaller depth closes those of larger ones."""

    depth: int
    name: str
    place: int = 0
    """The place in a list of headings (二、 is 2); 0 for 编, 章, 节 and the like."""


class Titled(NamedTuple):
    """A title, and the lines after it."""

    title: str
    rest: Sequence[TextLine]


class Split(NamedTuple):
    """Lines cut in two."""

    before: Sequence[TextLine]
    after: Sequence[TextLine]


# -- lines, and what each of them is ---------------------------------------------------------------


def text_lines(text: str) -> tuple[TextLine, ...]:
    """The lines that are not blank, numbered from 1 as an editor numbers them."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    bare = (line.strip().strip("\u200b\ufeff").strip() for line in lines)
    return tuple(TextLine(number, line) for number, line in enumerate(bare, 1) if line)


def article_start(line: TextLine, last: ProvisionNumber | None = None) -> Start | None:
    """The article a line begins, unless it only refers to one (第三条第二款, 第三条规定的 …).

    Where a space follows the number, as official texts set it, and the article is the one that
    comes next after ``last``, it begins there whatever its first words are.
    """
    match = _ARTICLE.match(line.text)
    if match is None:
        return None
    number, gap, rest = match.groups()
    begins = not _REFERENCE.match(rest) or (gap and _is_next(number, last))
    return Start(_closed_up(number), rest) if begins else None


def _point_start(line: TextLine, last: ProvisionNumber | None = None) -> Start | None:
    """The point (一、) a line begins, if it is the one that comes next after ``last``."""
    match = _POINT.match(line.text)
    return Start(match[1], match[2]) if match and _is_next(match[1], last) else None


def _is_next(text: str, last: ProvisionNumber | None) -> bool:
    try:
        number = number_of(_closed_up(text))
    except IdentifierError:
        return False
    if last is None or last.kind == "preamble":
        return number.main == 1 and number.branch == 0
    following = (last.main + 1, 0), (last.main, last.branch + 1)
    return (number.main, number.branch) in following


def is_numbered(line: TextLine) -> bool:
    """Whether a line begins an article, or the first point: what makes a text a statute."""
    return bool(article_start(line) or _point_start(line))


def _heading(line: TextLine) -> Heading | None:
    """The heading a line is, if it is one; a Markdown heading is as deep as its level."""
    match = _HEADING.fullmatch(line.text)
    if match:
        number, unit, name = match[1], match[2], match[3] or match[4] or ""
        return Heading(
            line.level or _DEPTHS[unit], f"{_closed_up(number)} {_closed_up(name)}".strip()
        )
    if line.level or _UNNUMBERED.fullmatch(line.text):
        return Heading(line.level, _closed_up(line.text))
    return None


def _listed_heading(line: TextLine) -> Heading | None:
    """A line that may be a heading like 一、管辖 or （一）动产质押.

    Judicial interpretations set them between their articles; by itself such a line could as well be
    an item of an enumeration without a stop.
    """
    match = _LISTED.fullmatch(line.text)
    if match is None:
        return None
    depth = _LISTED_DEPTHS[0 if match[1] else 1]
    place = number_of(f"{match[1] or match[2]}、").main
    return Heading(depth, _closed_up(line.text), place)


def _closed_up(text: str) -> str:
    """Without the spaces that only spread a short heading over the line (总　则)."""
    return "".join(text.split())


def _is_sentence(text: str) -> bool:
    """Whether a line ends as a sentence or an enumeration does, unlike titles and headings."""
    return text.endswith(_SENTENCE_ENDS)


def _is_structure(line: TextLine) -> bool:
    return bool(_CONTENTS.fullmatch(line.text) or _heading(line) or article_start(line))


def _begins_body(line: TextLine) -> bool:
    """Whether a line can be the first one after the title and the note on adoption."""
    return _is_structure(line) or bool(_POINT.match(line.text)) or _is_sentence(line.text)


# -- title, note on adoption, table of contents, annexes -------------------------------------------


def split_title(lines: Sequence[TextLine], *, path: Path | str) -> Titled:
    """The title (it may be set over several lines) and what follows it.

    Raises:
        InputError: if the text does not begin with a title.
    """
    count, title = 0, ""
    while count < min(len(lines), _TITLE_LINES) and not title.endswith(_TITLE_ENDS):
        if _begins_body(lines[count]) or _NOTE.match(lines[count].text):
            break
        title += "".join(lines[count].text.split())
        count += 1
    if title and len(title) <= MAX_TITLE:
        return Titled(title, lines[count:])
    reason = "no title above the first article: put the law's title on the first line"
    raise InputError(reason, path=path, line=lines[0].number if lines else 1)


def split_header(lines: Sequence[TextLine]) -> Split:
    """The note on adoption under the title (often in brackets over several lines), and the rest."""
    depth = 0
    for index, line in enumerate(lines):
        is_text = depth == 0 and not _NOTE.match(line.text) and _begins_body(line)
        if is_text or _is_structure(line):
            return Split(lines[:index], lines[index:])
        opened = line.text.count("（") + line.text.count("(")
        depth = max(0, depth + opened - line.text.count("）") - line.text.count(")"))
    return Split(lines, ())


def _after_contents(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """The lines without the table of contents: its first entry comes again where the law begins."""
    start = next((i for i, line in enumerate(lines) if _CONTENTS.fullmatch(line.text)), None)
    if start is None or start + 1 >= len(lines):
        return lines
    before, after = lines[:start], lines[start + 1 :]
    entry = _contents_entry(after[0])
    again = (i for i, line in enumerate(after) if i and _contents_entry(line) == entry)
    article = (i for i, line in enumerate(after) if article_start(line))
    return [*before, *after[next(again, next(article, 0)) :]]


def _contents_entry(line: TextLine) -> str:
    """The words that a heading or article shares with its line in the table of contents."""
    article = _ARTICLE.match(line.text)
    return _closed_up(article[1] if article else _DOTS.sub("", line.text))


def _before_annex(lines: Sequence[TextLine]) -> Split:
    """The lines of the law itself, and those of its annexes (附件一, 附录, 附表)."""
    begun = False
    for index, line in enumerate(lines):
        begun = begun or is_numbered(line)
        if begun and _ANNEX.fullmatch(line.text):
            return Split(lines[:index], lines[index:])
    return Split(lines, ())


# -- articles --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Article:
    """One provision as found: its number, the line it begins on, and the headings above it."""

    number: ProvisionNumber
    line: int
    path: str
    paragraphs: list[str] = field(default_factory=list[str])
    """Its 款."""
    editorials: list[str] = field(default_factory=list[str])
    """Headings an editor put in 【】 before the text."""

    @property
    def text(self) -> str:
        """The 款, one a line."""
        return "\n".join(self.paragraphs)

    def add(self, line: str) -> None:
        """Add a line of its text."""
        editorial, text = split_editorial(line)
        if editorial:
            self.editorials.append(editorial)
        if text:
            self.paragraphs.append(text)


@dataclass(frozen=True, slots=True)
class Body:
    """The articles of a statute, and the line its annexes begin on, if it has any."""

    articles: Sequence[Article]
    annex_line: int | None = None


def parse_body(lines: Sequence[TextLine], *, path: Path | str) -> Body:
    """The provisions in the lines below the note on adoption.

    Raises:
        InputError: if an article comes twice or out of order, or text belongs to none.
    """
    law = _before_annex(_after_contents(lines))
    annex_line = law.after[0].number if law.after else None
    if any(article_start(line) for line in law.before):
        articles = _Reader(article_start, path, has_listed_headings=True).read(law.before)
    elif any(_point_start(line) for line in law.before):
        articles = _Reader(_point_start, path, has_listed_headings=False).read(law.before)
    else:
        articles = _whole(law.before)
    return Body(articles, annex_line)


def _whole(lines: Sequence[TextLine]) -> Sequence[Article]:
    if not lines:
        return ()
    article = Article(ProvisionNumber("whole"), lines[0].number, "")
    for line in lines:
        article.add(line.text)
    return [article]


def split_editorial(text: str) -> tuple[str, str]:
    """A line's editorial headings (【盗窃罪】), and its text without them."""
    match = _EDITORIAL.fullmatch(text)
    return (_closed_up(match[1]), match[2]) if match else ("", text)


@dataclass(slots=True)
class _Reader:
    """Reads the lines of a body once, from the first to the last."""

    starts: Callable[[TextLine, ProvisionNumber | None], Start | None]
    """The article or point that a line begins, after the last one."""
    path: Path | str
    has_listed_headings: bool
    """Whether 一、 may number a heading rather than a point."""
    order: Order = field(default_factory=Order)
    headings: list[Heading] = field(default_factory=list[Heading])
    articles: list[Article] = field(default_factory=list[Article])
    open: Article | None = None

    def read(self, lines: Sequence[TextLine]) -> Sequence[Article]:
        for line in lines:
            if start := self.starts(line, self.order.last):
                try:
                    number = number_of(start.number)
                except IdentifierError as error:
                    raise self._problem(str(error), line) from error
                self._begin(number, line, start.rest)
            elif found := _heading(line) or self._listed_heading(line):
                while self.headings and self.headings[-1].depth >= found.depth:
                    self.headings.pop()
                self.headings.append(found)
                self.open = None
            else:
                self._continue(line)
        return self.articles

    def _begin(self, number: ProvisionNumber, line: TextLine, text: str) -> None:
        if reason := self.order.refuse(number):
            raise self._problem(reason, line)
        path = " / ".join(each.name for each in self.headings)
        self.open = Article(number, line.number, path)
        self.articles.append(self.open)
        if text:
            self.open.add(text)

    def _listed_heading(self, line: TextLine) -> Heading | None:
        """A heading of a list: the first right below another heading, or next after its sibling."""
        found = _listed_heading(line) if self.has_listed_headings else None
        if found is None:
            return None
        last = next((each for each in self.headings if each.depth == found.depth), None)
        expected = last.place + 1 if last else 1
        between_articles = self.open is None or last is not None
        return found if found.place == expected and between_articles else None

    def _continue(self, line: TextLine) -> None:
        if self.open is not None:
            self.open.add(line.text)
        elif _is_sentence(line.text) and not self.articles:
            self._begin(ProvisionNumber("preamble"), line, line.text)
        elif _is_sentence(line.text):
            raise self._problem("text under a heading that belongs to no article", line)
        elif self.headings:  # a heading set over two lines
            above = self.headings[-1]
            self.headings[-1] = above._replace(name=above.name + _closed_up(line.text))
        # what remains is a line of the title page, such as the issuer or a document number

    def _problem(self, reason: str, line: TextLine) -> InputError:
        return InputError(reason, path=self.path, line=line.number)
