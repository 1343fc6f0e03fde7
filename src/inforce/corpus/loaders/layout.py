"""What each line of a statute is: title, note on adoption, contents, heading, article, annex.

Chinese statutes are printed alike: the title (often over several lines), a note on adoption in
brackets, a table of contents (目录), headings (编, 分编, 章, 节, 目), articles (第十七条之一) of
one or more 款 each on its own line, annexes (附件). Every test here is linear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inforce.corpus.loaders.dating import is_dated_note
from inforce.corpus.loaders.ordering import number_of
from inforce.errors import IdentifierError, InputError
from inforce.law.numerals import ProvisionNumber

_NUM = r"[0-9０-９〇零一二两三四五六七八九十百千]{1,9}"
_ARTICLE = re.compile(rf"(第\s*{_NUM}\s*条(?:\s*之\s*{_NUM})?)(\s*)(.*)", re.DOTALL)
_REFERENCE = re.compile(rf"第{_NUM}[款项]|规定|所列|所称|所规定|中的|[和及至]第|[、，。；：的之]")
"""What follows the number where a line speaks *of* an article instead of beginning one."""
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


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line that is not blank: its number in the file, its text without indentation."""

    number: int
    text: str
    level: int = 0
    """How deep a Markdown heading it is (## is 2); 0 for plain text."""


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of an article or a point: its number as printed, and the text after it."""

    number: str
    rest: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and how deep it lies; a smaller depth closes the larger ones."""

    depth: int
    name: str
    place: int = 0
    """Which it is among the headings of a list (二、 is 2); 0 for 编, 章, 节 and the like."""


@dataclass(frozen=True, slots=True)
class Titled:
    """A title, and the lines after it."""

    title: str
    rest: tuple[TextLine, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Lines cut in two."""

    before: tuple[TextLine, ...]
    after: tuple[TextLine, ...]


def text_lines(text: str) -> tuple[TextLine, ...]:
    """The lines that are not blank, numbered from 1 as an editor numbers them."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    stripped = ((number, _unindented(line)) for number, line in enumerate(lines, 1))
    return tuple(TextLine(number, line) for number, line in stripped if line)


def _unindented(line: str) -> str:
    return line.strip().strip("\u200b\ufeff").strip()


def split_title(lines: Sequence[TextLine], *, path: Path | str) -> Titled:
    """The title (it may be set over several lines) and what follows it.

    Raises:
        InputError: if the text does not begin with a title.
    """
    count, title = 0, ""
    while count < min(len(lines), _TITLE_LINES) and not title.endswith(_TITLE_ENDS):
        if begins_body(lines[count]) or is_dated_note(lines[count].text):
            break
        title += "".join(lines[count].text.split())
        count += 1
    if title and len(title) <= MAX_TITLE:
        return Titled(title, tuple(lines[count:]))
    reason = "no title above the first article: put the law's title on the first line"
    raise InputError(reason, path=path, line=lines[0].number if lines else 1)


def split_header(lines: Sequence[TextLine]) -> Split:
    """The note on adoption under the title (often in brackets over several lines), and the rest."""
    depth = 0
    for index, line in enumerate(lines):
        is_text = depth == 0 and not is_dated_note(line.text) and begins_body(line)
        if is_text or _is_structure(line):
            return Split(tuple(lines[:index]), tuple(lines[index:]))
        opened = line.text.count("（") + line.text.count("(")
        depth = max(0, depth + opened - line.text.count("）") - line.text.count(")"))
    return Split(tuple(lines), ())


def after_contents(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """The lines without the table of contents: its first entry comes again where the law begins."""
    start = next((i for i, line in enumerate(lines) if _CONTENTS.fullmatch(line.text)), None)
    if start is None or start + 1 >= len(lines):
        return lines
    before, after = lines[:start], lines[start + 1 :]
    entry = _entry(after[0])
    again = (i for i, line in enumerate(after) if i and _entry(line) == entry)
    article = (i for i, line in enumerate(after) if article_start(line))
    return [*before, *after[next(again, next(article, 0)) :]]


def _entry(line: TextLine) -> str:
    """What a heading or article has in common with its line in the table of contents."""
    article = _ARTICLE.match(line.text)
    return "".join((article[1] if article else _DOTS.sub("", line.text)).split())


def before_annex(lines: Sequence[TextLine]) -> Split:
    """The lines of the law itself, and those of its annexes (附件一, 附录, 附表)."""
    begun = False
    for index, line in enumerate(lines):
        begun = begun or is_numbered(line)
        if begun and _ANNEX.fullmatch(line.text):
            return Split(tuple(lines[:index]), tuple(lines[index:]))
    return Split(tuple(lines), ())


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


def point_start(line: TextLine, last: ProvisionNumber | None = None) -> Start | None:
    """The point (一、) a line begins, if it is the one that comes next after ``last``."""
    match = _POINT.match(line.text)
    return Start(match[1], match[2]) if match and _is_next(match[1], last) else None


def is_numbered(line: TextLine) -> bool:
    """Whether a line begins an article, or the first point: what makes a text a statute."""
    return bool(article_start(line) or point_start(line))


def heading(line: TextLine) -> Heading | None:
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


def listed_heading(line: TextLine) -> Heading | None:
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


def is_sentence(text: str) -> bool:
    """Whether a line ends as a sentence or an enumeration does, unlike titles and headings."""
    return text.endswith(_SENTENCE_ENDS)


def begins_body(line: TextLine) -> bool:
    """Whether a line can be the first one after the title and the note on adoption."""
    return _is_structure(line) or bool(_POINT.match(line.text)) or is_sentence(line.text)


def _is_structure(line: TextLine) -> bool:
    text = line.text
    return bool(_CONTENTS.fullmatch(text) or heading(line) or article_start(line))


def _is_next(text: str, last: ProvisionNumber | None) -> bool:
    try:
        number = number_of(_closed_up(text))
    except IdentifierError:
        return False
    if last is None or last.kind == "preamble":
        return number.main == 1 and number.branch == 0
    following = (last.main + 1, 0), (last.main, last.branch + 1)
    return (number.main, number.branch) in following
