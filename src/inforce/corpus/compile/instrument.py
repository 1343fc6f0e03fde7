"""An amending instrument as it is printed: its title, its dates, its numbered points.

Nothing is interpreted here but the layout. What a point says is read by
`inforce.corpus.compile.instructions`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import date

from inforce.corpus.compile.corrections import Correction, corrected
from inforce.corpus.compile.quotations import Masker, Quotation, index_of, is_sign
from inforce.corpus.compile.wording import DAY, NUMERAL, days_of
from inforce.corpus.loaders.statute_text import TextLine
from inforce.law.numerals import parse_numeral

_NUM = r"[一二三四五六七八九十百零〇]{1,7}"
_LABELS = (
    ("chinese", re.compile(rf"({_NUM})、\s*")),
    ("bracketed", re.compile(rf"[（(]({_NUM})[）)]\s*")),
    ("arabic", re.compile(r"([0-9０-９]{1,3})\s*[.．、](?![0-9０-９])\s*")),
    ("bracketed arabic", re.compile(r"[（(]([0-9０-９]{1,3})[）)]\s*")),
)
_ARTICLE_LABEL = re.compile(rf"第({_NUM})条[ \u3000\t]+")
_ANNEX = re.compile(r"附\s*件?\s*[一二三四五六七八九十0-9０-９]{0,3}\s*[:：]?")
TITLE = re.compile(
    r"[^。；：]{0,120}关于[^。；：]{2,300}的?决定(?:[（(][^（）()]{1,20}[）)])?"
    r"|[^。；：，]{2,60}修正案(?:\s*[（(][^（）()]{1,20}[）)])?"
    r"|[^。；：]{2,120}补充规定(?:[（(][^（）()]{1,20}[）)])?"
)
"""What the title of an amending instrument looks like."""

_BODY = re.compile(
    r"(?:[\u4e00-\u9fff、 \u3000]{0,40})(?:委员会|大会|法院|检察院|国务院|政府|部|总局|局|厅)\s*$"
)
"""A line that only says who made it."""

_PROMULGATES = re.compile("公布|发布|已由|已于|已经|印发")
"""Words of the order or notice above an instrument."""

_REPUBLISHED = re.compile(r"重新公布|重新发布|重新印发")
_CLOSING = re.compile(
    r"本(?:决定|修正案|规定|解释)[^。]{0,60}(?:施行|生效|实施)|重新公布|重新发布|重新印发|(?:条文|条款|条目|章节|序)[^。]{0,12}(?:顺序|序号|条序|调整)"
)
_CLOSES = re.compile(
    "本(?:决定|修正案)自[^。“”]{0,40}起(?:施行|生效)。$|《[^“”]*》根据本(?:决定|修正案)"
)
"""The last sentences of an instrument: no quotation runs on into them."""

_INSTRUCTS = re.compile(r"修改|改为|删去|删除|增加|增写|作为|合并|废止")
_NO_OTHER_DAY = r"(?:(?![0-9０-９]{4}\s*年)"
_ADOPTED = re.compile(rf"({DAY}){_NO_OTHER_DAY}[^。；]){{0,60}}?(?:通过|批准|修订|会议)")
_PUBLISHED = re.compile(rf"({DAY}){_NO_OTHER_DAY}[^。；，]){{0,40}}?(?:公布|发布|印发|公告)")
_IN_FORCE = re.compile(rf"自?\s*({DAY})\s*起?\s*(?:施行|实施|生效)")
_ALONE = re.compile(rf"\s*({DAY})\s*")
_LEGISLATURE = re.compile("全国人民代表大会")


@dataclass(frozen=True, slots=True)
class Point:
    """One numbered point, its quotations taken out of its text."""

    labels: tuple[str, ...]
    """The numbers above it and its own, as printed: ``("二、", "（一）", "6.")``."""
    text: str
    """What it says, a line for each paragraph; quotations are single characters."""
    quotations: tuple[Quotation, ...]
    line: int

    @property
    def name(self) -> str:
        """``二（一）6``; empty for text without a number."""
        return "".join(label.rstrip("、.．") for label in self.labels)

    def quoted(self, text: str) -> str:
        """A piece of this point's text with its quotations put back, long ones cut short."""
        shown = list(text)
        for place, char in enumerate(text):
            if is_sign(char):
                words = self.quotations[index_of(char)].text.replace("\n", " ")
                shown[place] = f"“{words if len(words) <= 24 else words[:24] + '…'}”"
        return "".join(shown)


@dataclass(frozen=True, slots=True)
class Instrument:
    """A decision that amends laws, or an amendment (修正案), as printed."""

    title: str
    points: tuple[Point, ...]
    _: KW_ONLY
    name: str = ""
    """The file or record it was read from."""
    introduction: str = ""
    """The header and what stands before the first point, without quotations."""
    adopted: date | None = None
    published: date | None = None
    in_force: date | None = None
    """The day its header states for its commencement; its own clause is read later."""
    attached: tuple[TextLine, ...] = ()
    """What is printed after it: usually the laws as amended."""
    corrections: tuple[Correction, ...] = ()
    """Slips of this copy that were corrected."""

    def incomplete(self) -> str:
        """Why this copy is not whole, where the numbers of its points skip one; else empty."""
        last: dict[tuple[str, ...], tuple[int, str]] = {}
        for labels in (point.labels[:end] for point in self.points for end in _lengths(point)):
            number, printed = _number(labels[-1]), labels[-1].rstrip("、.．")
            before, label = last.get(labels[:-1], (number, ""))
            if number > before + 1:
                return f"the points of this copy go from {label} to {printed}: one is missing"
            last[labels[:-1]] = number, printed
        return ""


def _lengths(point: Point) -> range:
    return range(1, len(point.labels) + 1)


def _number(label: str) -> int:
    """The number of a label as printed; 0 for one without, such as 附件."""
    match = re.search(NUMERAL, unicodedata.normalize("NFKC", label))
    return parse_numeral(match[0]) if match else 0


def read_instruments(lines: Sequence[TextLine], *, name: str) -> tuple[Instrument, ...]:
    """The instruments in the lines of a text: one, or several one after the other.

    Instruments after the first are recognised by their title standing alone on a line and the note
    on adoption below it.
    """
    starts = [i for i in range(len(lines)) if _begins(lines, i)] or [0]
    starts[0] = 0
    bounds = zip(starts, [*starts[1:], len(lines)], strict=True)
    found = (read_instrument(lines[start:end], name=name) for start, end in bounds)
    return tuple(instrument for instrument in found if instrument.points)


def read_instrument(lines: Sequence[TextLine], *, name: str) -> Instrument:
    """The one instrument in the lines of a text."""
    lines = _with_quotation_marks(_fences_as_quotations(lines))
    start, end, title = _title(lines)
    fixed = corrected(title or name, lines[end:])
    reader = _Reader(articles=_numbered_by_articles(fixed.lines))
    reader.read(fixed.lines)
    header = [line.text for line in (*lines[:start], *reader.header)]
    adopted, published, in_force = _dates(header, title)
    return Instrument(
        title or name,
        tuple(reader.points),
        name=name,
        introduction="\n".join(header),
        adopted=adopted,
        published=published,
        in_force=in_force,
        attached=tuple(reader.attached),
        corrections=fixed.done,
    )


def _numbered_by_articles(lines: Sequence[TextLine]) -> bool:
    """Whether the points are called 第一条, as in amendments of the constitution."""
    for line in lines:
        if _ARTICLE_LABEL.match(line.text):
            return True
        if any(pattern.match(line.text) for _, pattern in _LABELS):
            return False
    return False


def _begins(lines: Sequence[TextLine], index: int) -> bool:
    text = lines[index].text
    if len(text) > 300 or not TITLE.fullmatch(_plain(text)) or text.startswith("《"):
        return False
    return any(_ADOPTED.search(line.text) for line in lines[index + 1 : index + 3])


def _plain(text: str) -> str:
    return "".join(text.split())


def _title(lines: Sequence[TextLine]) -> tuple[int, int, str]:
    """Where the title is, and the title: on one line, or set over several."""
    head = lines[:40]
    for start in range(len(head)):
        if _is_title(_plain(head[start].text)):
            title = _plain(head[start].text)
            above = _plain(head[start - 1].text) if start else ""
            named = title.startswith("关于") and _BODY.fullmatch(above) is not None
            return start, start + 1, above + title if named else title
        text = head[start].text
        said = _ADOPTED.search(text) or _PROMULGATES.search(text)
        if text.endswith(("。", "：", "；")) and not said:
            break
    for start in range(len(head)):
        if not (_BODY.search(head[start].text) or "关于" in head[start].text):
            continue
        for count in (2, 3, 4):
            lines_of_title = [_plain(line.text) for line in head[start : start + count]]
            broken = any(text.endswith(("。", "：", "；")) for text in lines_of_title)
            if not broken and _is_title("".join(lines_of_title)):
                return start, start + count, "".join(lines_of_title)
    return 0, 0, ""


def _is_title(text: str) -> bool:
    said = text.startswith("《") or "已由" in text or "已于" in text or "已经" in text
    return TITLE.fullmatch(text) is not None and not said


def _dates(header: Sequence[str], title: str) -> tuple[date | None, date | None, date | None]:
    """Passed, published and (as the header states) in force."""
    text = "\n".join(header)
    adopted = max(days_of(_ADOPTED.findall(text)), default=None)
    published = max(days_of(_PUBLISHED.findall(text)), default=None)
    alone = days_of(match[1] for line in header if (match := _ALONE.fullmatch(line)))
    if published is None and alone:
        published = max(alone)
    if published is None and _LEGISLATURE.search(text + title):
        published = (
            adopted  # the congress and its standing committee publish what they pass at once
        )
    in_force = max(days_of(_IN_FORCE.findall(text)), default=None)
    return adopted, published, in_force


@dataclass(slots=True)
class _Draft:
    labels: tuple[str, ...]
    line: int
    mask: Masker = field(default_factory=Masker)
    lines: list[str] = field(default_factory=list[str])

    def point(self) -> Point:
        text = "\n".join(line for line in self.lines if line.strip())
        return Point(self.labels, text, tuple(self.mask.quotations), self.line)


class _Reader:
    """Reads the lines below the title once, from the first to the last."""

    def __init__(self, *, articles: bool) -> None:
        self.points: list[Point] = []
        self.header: list[TextLine] = []
        self.attached: list[TextLine] = []
        self._articles = articles
        self._stack: list[tuple[str, str]] = []
        self._draft: _Draft | None = None
        self._republished = False
        self._bare: list[str] | None = None
        """Lines of new wording printed without quotation marks, while they last."""

    def read(self, lines: Sequence[TextLine]) -> None:
        for index, line in enumerate(lines):
            closes = _CLOSING.search(line.text) and line.text.endswith("。")
            if self._republished and not closes:
                self.attached.extend(lines[index:])
                break
            self._take(line)
        self._finish()

    def _take(self, line: TextLine) -> None:
        text = line.text
        draft = self._draft
        if draft is not None and draft.mask.is_open:
            if not self._restarts(text):
                draft.lines[-1] += draft.mask.feed(text)
                return
            draft.lines.append(draft.mask.abandon())
        label = self._label(text)
        if label is not None:
            kind, printed, rest = label
            self._open(kind, printed, line.number)
            self._feed(rest)
        elif _ANNEX.fullmatch(text):
            self._open("annex", _plain(text), line.number)
        elif self._draft is None and not self._begins_text(text):
            self.header.append(line)
        else:
            if self._draft is None:
                self._draft = _Draft((), line.number)
            self._feed(text)

    def _begins_text(self, text: str) -> bool:
        """Whether an unnumbered line above the first point is already part of what is ordered."""
        dated = _ADOPTED.search(text) or _PUBLISHED.search(text) or _IN_FORCE.search(text)
        return text.endswith(("。", "：", ":", "”", "；")) and not (
            dated and not _INSTRUCTS.search(text)
        )

    def _feed(self, text: str) -> None:
        draft = self._draft
        assert draft is not None
        if self._bare is not None and not (_CLOSING.search(text) and text.endswith("。")):
            self._bare.append(text)
            return
        self._end_bare(draft)
        masked = draft.mask.feed(text)
        opens = _OPENS.search(masked)
        if opens and _ODD_MARK.match(opens[1]):
            draft.lines.append(masked[: opens.start(1)] + draft.mask.abandon())
            return
        if opens and not draft.mask.is_open and (opens[1] or _OPENS_TABLE.search(masked)):
            self._bare = [opens[1]] if opens[1] else []
            masked = masked[: opens.start(1)]
        draft.lines.append(masked)
        if _REPUBLISHED.search(masked):
            self._republished = True

    def _restarts(self, text: str) -> bool:
        """Whether a line inside a quotation is plainly the next point: a mark is missing."""
        if _CLOSES.match(text):
            return True
        label = self._label(text, inside=True)
        return (
            label is not None
            and re.match(
                r"(?:将|在|删|对|原|增加|第|《|修改).{0,60}(?:修改|改为|增加|删|作为|合并)",
                label[2],
            )
            is not None
        )

    def _label(self, text: str, *, inside: bool = False) -> tuple[str, str, str] | None:
        """The kind of a line's number, the number as printed, and the rest of the line."""
        if self._articles and (match := _ARTICLE_LABEL.match(text)):
            return "article", match[0].strip(), text[match.end() :]
        for kind, pattern in _LABELS:
            match = pattern.match(text)
            if match is None:
                continue
            known = any(kind == each for each, _ in self._stack)
            if self._bare is not None and not known:
                return None
            if inside and not (self._stack and self._stack[-1][0] == kind):
                return None
            return kind, match[0].strip(), text[match.end() :]
        return None

    def _open(self, kind: str, printed: str, line: int) -> None:
        self._finish()
        kinds = [each for each, _ in self._stack]
        if kind == "annex":
            self._stack = []
        elif kind in kinds:
            del self._stack[kinds.index(kind) :]
        self._stack.append((kind, printed))
        self._draft = _Draft(tuple(label for _, label in self._stack), line)

    def _finish(self) -> None:
        draft = self._draft
        if draft is None:
            return
        if draft.mask.is_open:
            draft.lines.append(draft.mask.abandon())
        self._end_bare(draft)
        if draft.lines:
            self.points.append(draft.point())
        self._draft = None

    def _end_bare(self, draft: _Draft) -> None:
        if self._bare is not None:
            draft.lines[-1:] = [(draft.lines or [""])[-1] + draft.mask.add(self._bare)]
            self._bare = None


_OPENS = re.compile(
    r"(?:修改为|规定|作为第[^，。；：:]{1,12}[条款项](?:之[一二三四五六七八九十]+)?)[:：]\s*([^\ue000-\uf8ff“]*)$"
)
"""After this comes new wording, if there are no quotation marks."""

_OPENS_TABLE = re.compile(r"表[^，。；：]{0,40}修改为[:：]\s*$")
_ODD_MARK = re.compile('[”’"＂「『〝]')
"""A mark before new wording that opens no quotation: which words are meant is not certain."""

_CORNERS = str.maketrans("「」『』〝〞", "“”‘’“”")


def _with_quotation_marks(lines: Sequence[TextLine]) -> list[TextLine]:
    """Copies without “ and ” have 「 and 」, or straight marks that open and close by turns."""
    if any("“" in line.text for line in lines):
        return list(lines)
    found: list[TextLine] = []
    for line in lines:
        pieces = re.split('["＂]', line.text.translate(_CORNERS))
        text = pieces[0]
        for index, piece in enumerate(pieces[1:]):
            text += ("”" if index % 2 else "“") + piece
        found.append(replace(line, text=text))
    return found


_FENCE = re.compile(r":{3,}\s*(?:\w+\s+)?(.*)")


def _fences_as_quotations(lines: Sequence[TextLine]) -> list[TextLine]:
    """Markdown containers (``::: tip 第七节 …`` to ``:::``) hold what the instrument quotes."""
    found: list[TextLine] = []
    inside = False
    for line in lines:
        match = _FENCE.fullmatch(line.text)
        if match is None:
            found.append(line)
        elif not inside:
            inside = True
            found.append(replace(line, text=f"“{match[1]}"))
        else:
            inside = False
            found[-1] = replace(found[-1], text=f"{found[-1].text}”")
    return found


def unmarked(lines: Iterable[TextLine]) -> list[TextLine]:
    """The lines without the signs of Markdown: headings, emphasis, comments, front matter."""
    found: list[TextLine] = []
    for line in lines:
        text = re.sub(r"^(?:>\s*)*(?:#{1,6}\s*)?", "", line.text)
        text = re.sub(r"^\*([^*].*[^*])\*$", r"\1", text)
        text = re.sub(r"\*\*([^*]+)\*\*", r"\1", text).strip()
        is_note = text.startswith("<!--") and text.endswith("-->")
        if text and text != "---" and not is_note:
            found.append(replace(line, text=text))
    return found
