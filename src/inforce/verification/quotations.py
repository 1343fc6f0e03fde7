"""What a document quotes: words in quotation marks, block quotations, and unmarked recitals.

A quotation belongs to the citation it follows in its sentence (第七十四条规定：“…”) or that stands
in brackets behind it (“…”（刑法第七十四条）). Words without marks are a recital if they are in a
statute nearly word for word.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from inforce.documents.document import Document
from inforce.law.citation import Citation
from inforce.retrieval.wordings import Folded, Passage, fold
from inforce.verification.days import Stretch

SHORTEST = 8
"""Letters; what is shorter is a term or a name, not a quotation."""
SHORTEST_RECITAL = 20
_SHORTEST_STATED = 12
"""Letters of words without marks; any sentence shares a few with some statute."""
_LONGEST = 6_000
_MOST_TRIED = 1_000
"""Passages looked at in one piece of a document, the longest first."""
_LONGEST_CLAUSE = 400

Attachment = Literal["stated", "near", "none"]
"""``stated``: the document says that the law reads so. ``near``: a citation is beside it, and it
may be another's words. ``none``: no citation stands beside it."""

_OPENING = {"“": "”", "「": "」", "『": "』", "‘": "’", '"': '"', "〝": "〞"}
_NESTED = {"‘", "『"}
"""Marks within a quotation; outside of one they open none."""
_SAYS = re.compile(r"规定|载明|明确|写明|指出|条文|原文|内容|称|[：:]|provid|stat|read|says", re.I)
_STOP = re.compile(r"[。！？!?；;]")
_NEAR_BRACKET = 8
_BETWEEN = 60
"""Characters between a citation and its quotation, at most."""
_BEHIND = re.compile(
    r"[”」』\"’]?[\s。，,；;]{0,2}[（(〔\[—-]{1,2}\s?(?:参见|参照|详见|见|依据|根据)?\s?$"
)
_JOINED = re.compile(r"[”」』\"]?[\s、，,和及与以]{0,4}[“「『\"]?")
_DIRECT = re.compile(
    r"(?:之|的|中)?(?:明确|也|还|均|已|同时)?(?:规定|载明|指出)?(?:了|的是|如下)?[\s：:，,”》）)】\]*#>-]{0,6}"
    r"(?:【[^】\n]{1,40}】|[（(](?![一二三四五六七八九十]+[）)])[^（）()\n]{1,30}[）)])?\s{0,3}"
)
"""Between an article's number and its words: 第七十四条规定：, or nothing but a caption."""
_CLAUSE = re.compile(r"[。；;：:！？!?\n]")
_CAPTION = re.compile(r"^\s*(?:【[^】\n]{1,40}】|\[[^\]\n]{1,40}\])\s*")
_ELLIPSIS = re.compile(
    r"…+|\.{3,}|·{3,}|[〔\[（(](?:略|中略|下略|前略|…+|\.{3,})[〕\])）]|[〔\[][^〔〕\[\]\n]{1,30}[〕\]]"
)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of a document that are, or may be, those of a law."""

    start: int
    end: int
    """Without the quotation marks."""
    marked: bool
    attachment: Attachment = "none"
    citation: int | None = None
    """Which of the document's citations it belongs to, from 0."""


def segments(text: str) -> tuple[Stretch, ...]:
    """The parts of a quotation between its ellipses, a leading caption (【盗窃罪】) left out.

    >>> [(one.start, one.end) for one in segments("甲甲……乙乙")]
    [(0, 2), (4, 6)]
    """
    caption = _CAPTION.match(text)
    start = caption.end() if caption else 0
    found: list[Stretch] = []
    for gap in _ELLIPSIS.finditer(text, start):
        found.append(Stretch(start, gap.start()))
        start = gap.end()
    found.append(Stretch(start, len(text)))
    return tuple(one for one in found if one.start < one.end)


def marked_quotations(
    document: Document, folded: Folded, citations: Sequence[Citation]
) -> Iterator[Quoted]:
    """What stands in quotation marks, and block quotations, longer than a term.

    A citation at the head or the end of a block quotation is not part of what is quoted.
    """
    marked = list(_in_marks(document.text))
    starts = [one.start for one in marked]
    for block in document.blocks:
        if block.kind == "quote":
            inside = bisect_left(starts, block.start) < bisect_left(starts, block.end)
            if not inside:
                marked.append(_without_citation(block.start, block.end, citations, document.text))
    for one in sorted(marked, key=lambda stretch: stretch.start):
        first, last = folded.between(one.start, one.end)
        if SHORTEST <= last - first <= _LONGEST:
            yield Quoted(one.start, one.end, marked=True)


def _without_citation(start: int, end: int, citations: Sequence[Citation], text: str) -> Stretch:
    """A block quotation without the citation it begins or ends with."""
    inside = [one for one in citations if start <= one.start and one.end <= end]
    if inside and not fold(text[start : inside[0].start]).text:
        start = inside[0].end
        inside = inside[1:]
    if inside:
        bracket = max(text.rfind(mark, start, inside[-1].start) for mark in "（(—")
        behind = text[inside[-1].end : end]
        if bracket >= 0 and inside[-1].start - bracket <= _NEAR_BRACKET and len(behind) <= 20:
            end = bracket
    return Stretch(start, end)


def _in_marks(text: str) -> Iterator[Stretch]:
    """What stands between outer quotation marks; a mark that is never closed opens nothing."""
    pattern = re.compile('[“”「」『』‘’"〝〞]')
    opened: list[tuple[str, int]] = []
    for match in pattern.finditer(text):
        mark, at = match[0], match.start()
        if opened and at - opened[0][1] > _LONGEST:
            opened.clear()
        if opened and mark == opened[-1][0]:
            _, start = opened.pop()
            if not opened:
                yield Stretch(start, at)
        elif mark in _OPENING and (opened or mark not in _NESTED):
            if opened and mark in "“「" and mark == _opener(opened[0][0]):
                opened.clear()  # the one before was never closed
            opened.append((_OPENING[mark], match.end()))
        elif opened and mark == opened[0][0]:
            start = opened[0][1]
            opened.clear()
            yield Stretch(start, at)


def _opener(closing: str) -> str:
    return next(mark for mark, end in _OPENING.items() if end == closing)


def attributed(
    quoted: Sequence[Quoted], citations: Sequence[Citation], text: str
) -> tuple[Quoted, ...]:
    """Each marked quotation with the citation it belongs to."""
    ends = [one.end for one in citations]
    starts = [one.start for one in citations]
    found: list[Quoted] = []
    for one in quoted:
        behind = _citation_behind(one, citations, starts, text)
        if behind is not None:
            found.append(Quoted(one.start, one.end, True, "stated", behind))
            continue
        at = bisect_right(ends, one.start) - 1
        attachment = _attachment(citations[at].end, one, text) if at >= 0 else "none"
        previous = found[-1] if found else None
        if attachment == "none" and previous and previous.citation is not None:
            joined = text[previous.end : one.start]
            if len(joined) <= 6 and _JOINED.fullmatch(joined):
                at, attachment = previous.citation, previous.attachment
        citation = at if attachment != "none" else None
        found.append(Quoted(one.start, one.end, True, attachment, citation))
    return tuple(found)


def _citation_behind(
    quoted: Quoted, citations: Sequence[Citation], starts: Sequence[int], text: str
) -> int | None:
    """The citation in brackets directly behind a quotation."""
    at = bisect_left(starts, quoted.end)
    if at == len(citations) or starts[at] - quoted.end > 12:
        return None
    return at if _BEHIND.search(text[quoted.end : starts[at]]) else None


def _attachment(end: int, quoted: Quoted, text: str) -> Attachment:
    """How a quotation hangs on the citation that ends before it."""
    between = text[end : quoted.start]
    if len(between) > _BETWEEN or _STOP.search(between):
        return "none"
    if "\n" in between.strip('\n >*-“「"') and not _SAYS.search(between):
        return "none"
    return "stated" if _SAYS.search(between) else "near"


def stated_recitals(
    document: Document, citations: Sequence[Citation], taken: Sequence[Stretch]
) -> Iterator[Quoted]:
    """What directly follows an article that is said to provide it, up to the first stop.

    Whether these are the article's words or somebody's summary, only a comparison can tell.
    """
    text = document.text
    for at, citation in enumerate(citations):
        direct = _DIRECT.match(text, citation.end) if citation.portions else None
        if direct is None or not (_SAYS.search(direct[0]) or "】" in direct[0]):
            continue
        stop = _CLAUSE.search(text, direct.end(), direct.end() + _LONGEST_CLAUSE)
        end = stop.start() if stop else min(len(text), direct.end() + _LONGEST_CLAUSE)
        letters = len(fold(text[direct.end() : end]).text)
        if letters >= _SHORTEST_STATED and not _overlaps(direct.end(), end, taken):
            yield Quoted(direct.end(), end, False, "stated", at)


def _may_say(citation: Citation) -> bool:
    """Whether what follows a citation may be its words; a law spoken of within words says none."""
    return bool(citation.portions) and citation.kind != "reference" or citation.text[0] == "《"


def _overlaps(start: int, end: int, taken: Sequence[Stretch]) -> bool:
    """Whether one of some stretches, in order, has a character of this one."""
    at = bisect_left(taken, end, key=lambda one: one.start) - 1
    return at >= 0 and taken[at].end > start


class Recitals:
    """Finds the words without marks that a wording has, in one document.

    Args:
        document: the document.
        folded: its text as it is compared.
        citations: all its citations, in order.
        taken: what stands in quotation marks, in order.
    """

    def __init__(
        self,
        document: Document,
        folded: Folded,
        citations: Sequence[Citation],
        taken: Sequence[Stretch],
    ) -> None:
        self._document = document
        self._folded = folded
        self._citations = citations
        self._starts = [one.start for one in citations]
        self._ends = [one.end for one in citations]
        self._taken = sorted(taken, key=lambda one: one.start)

    def of(self, passages: Iterable[Passage]) -> Iterator[Quoted]:
        """Stretches to the ends of their clauses, for what wordings share with the text.

        Args:
            passages: those with most in common first.
        """
        tried = 0
        for passage in passages:
            if passage.end - passage.start < SHORTEST_RECITAL - SHORTEST or tried > _MOST_TRIED:
                continue
            tried += 1
            for start, end in self._in_blocks(*self._folded.span(passage.start, passage.end)):
                found = self._whole_clauses(start, end)
                first, last = self._folded.between(found.start, found.end)
                free = not _overlaps(found.start, found.end, self._taken)
                if free and last - first >= SHORTEST_RECITAL:
                    insort(self._taken, Stretch(found.start, found.end), key=lambda one: one.start)
                    yield found

    def _in_blocks(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of a stretch in the paragraphs it goes through."""
        blocks = self._document.blocks
        at = max(bisect_right(blocks, start, key=lambda one: one.start) - 1, 0)
        while at < len(blocks) and blocks[at].start < end:
            first, last = max(start, blocks[at].start), min(end, blocks[at].end)
            for begin, stop in self._between_citations(first, last):
                if stop - begin >= SHORTEST:
                    yield begin, stop
            at += 1

    def _between_citations(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of a stretch behind citations that are said to provide what follows.

        A law's full title and an article's number are in other laws' wordings, too.
        """
        text = self._document.text
        at = bisect_right(self._ends, start)
        while at < len(self._citations) and self._starts[at] < end:
            one = self._citations[at]
            direct = _DIRECT.match(text, one.end)
            if _may_say(one) and direct and _SAYS.search(direct[0]):
                yield start, min(one.start, end)
                start = direct.end()
            at += 1
        yield start, end

    def _whole_clauses(self, start: int, end: int) -> Quoted:
        """A stretch from where its clause (or what it is said to say) begins to its stop."""
        text = self._document.text
        at = bisect_right(self._ends, start) - 1
        while at >= 0 and not _may_say(self._citations[at]):
            at -= 1
        begin = max(
            (match.end() for match in _CLAUSE.finditer(text, max(0, start - 80), start)),
            default=max(0, start - 80),
        )
        attachment: Attachment = "none"
        citation = None
        if at >= 0 and start - self._ends[at] <= _BETWEEN:
            direct = _DIRECT.match(text, self._ends[at])
            after = direct.end() if direct else self._ends[at]
            if start <= after + 30 and not _STOP.search(text[after:start]):
                begin, citation, attachment = after, at, "stated"
        stop = _CLAUSE.search(text, max(start, end - 1), min(len(text), end + 60))
        finish = stop.start() if stop else end
        following = bisect_left(self._starts, start)
        while following < len(self._citations) and self._starts[following] < end:
            following += 1
        if following < len(self._citations):
            finish = min(finish, self._starts[following])
        return Quoted(begin, finish, False, attachment, citation)
