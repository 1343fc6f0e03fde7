"""The quotations of a document: words in quotation marks, block quotations, and unmarked recitals.

A quotation belongs to the citation it follows in its sentence (第七十四条规定：“…”) or that is
in brackets behind it (“…”（刑法第七十四条）). Words without marks are a recital if they are in a
statute nearly word for word.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from inforce.documents.document import Document
from inforce.law.citation import Citation
from inforce.retrieval.text_reuse import Folded, Passage, fold
from inforce.verification.findings import TextRange

SHORTEST = 8
"""Letters; what is shorter is a term or a name, not a quotation."""
SHORTEST_RECITAL = 20
_SHORTEST_STATED = 12
"""Letters of words without marks; any sentence shares a few with some statute."""
SHORTEST_UNMARKED, _SHORTEST_TRACED, _SHORTEST_SAME_LAW = 20, 16, 12
"""Letters of words without marks from which they are attributed to another provision than the cited
one: anywhere, where the document states that they are the law's, and within the same law."""
_LONGEST = 6_000
_MOST_TRIED = 1_000
"""Passages examined in one part of a document, the longest first."""
_LONGEST_CLAUSE = 400

Attachment = Literal["stated", "near", "none"]
"""``stated``: the document says that the law reads so. ``near``: a citation is close by, but the
words may be somebody else's. ``none``: no citation is close by."""

_OPENING = {"“": "”", "「": "」", "『": "』", "‘": "’", '"': '"', "〝": "〞"}
_NESTED = {"‘", "『"}
"""Marks within a quotation, which open none outside of one."""
_SAYS = re.compile(
    r"规定|载明|明确|写明|指出|条文|原文|内容|称|[：:][\s（(“「『\"【\[*>]*$|provid|stat|read|says",
    re.I,
)
_CHANGED = re.compile(
    r"[”」』\"’]?[\s，,]{0,2}(?:的?(?:规定|表述|内容|字样)?(?:已经?|均|被|全部)?){1,3}"
    r"(?:修改|修订|修正|更改|变更|调整|改)(?:为|成)|[”」』\"’]?[\s，,]{0,2}(?:已经?)?(?:被)?(?:删除|删去|废止)"
)
"""Follows words that, the document says, have been changed."""
_FORMERLY = re.compile(
    r"(?:原(?:来的?)?(?:规定|条文|表述|文)?(?:为|是|系)?|旧法(?:规定)?|修改前(?:的)?(?:规定|条文)?(?:为|是)?)[：:]?[“「『\"]?$"
)
_MARK = re.compile('[“”「」『』‘’"〝〞]')
_ARTICLE = re.compile(r"第[^，。；\n]{1,10}条")
_STOP = re.compile(r"[。！？!?；;]")
_NEAR_BRACKET = 8
_BETWEEN = 60
"""Characters between a citation and its quotation, at most."""
_RIGHT_BEFORE = 8
"""Characters before a quotation in which a word says that it is the law's."""
_BEHIND = re.compile(
    r"[”」』\"’]?[\s。，,；;]{0,2}[（(〔\[—-]{1,2}\s?(?:参见|参照|详见|见|依据|根据)?\s?$"
)
_JOINED = re.compile(r"[”」』\"]?[\s、，,和及与以]{0,4}[“「『\"]?")
_CAPTIONED = (
    r"(?:【[^】\n]{1,40}】|[（(](?![一二三四五六七八九十]+[）)])[^（）()\n]{1,30}[）)])?\s{0,3}"
)
_STATES = re.compile(
    r"[》”）)\]*]{0,3}(?:之|中|的|也|还|均|已|同时|明确|明文){0,3}(?:规定|载明|指出|写明)(?:了|的是|如下|为)?"
    rf"\s?(?P<mark>[：:，,])[\s*#>-]{{0,6}}{_CAPTIONED}"
)
"""Follows an article: 规定：, 明确规定， and other announcements of its words."""
_PROVIDES = re.compile(
    r"[》”）)\]*]{0,3}(?:也|还|均|已|亦|另|则|即|又|同样|同时|进一步|明确|明文){0,3}"
    r"(?:规定|载明|指出|写明|明确)(?:了|的是|如下|为)?(?=[一-鿿“「])"
)
"""Follows an article, without a stop: 另规定自书遗嘱不得…; what comes next may be its words."""
_ACCORDING = re.compile(r"(?:根据|依照|依据|按照|依|按)[我国原《“]{0,4}$")
_OF_A_RULE = re.compile(r"[》”）)\]*]{0,3}[之的]规定[，,]")
_COMMA = re.compile(r"[》”）)\]]{0,2}[，,]\s?")
"""Around an article: 根据…第七十四条，…; what comes next may be its words or a summary."""
_FOLLOWS = re.compile(
    rf"[》”）)\]*]{{0,3}}[\s：:*#>-]{{0,6}}{_CAPTIONED}"
    r"(?![，,。；;、和及与或至到之的中第款项条规定明载指写列系属亦也均则另曾仅一-]|等|所|项下|以及|并|为|是|有关)"
)
"""Follows an article whose words come directly after its number or a caption."""
_CLAUSE = re.compile(r"[。；;：:！？!?\n]")
_CAPTION = re.compile(r"^\s*(?:【[^】\n]{1,40}】|\[[^\]\n]{1,40}\])\s*")
_ELLIPSIS = re.compile(
    r"…+|\.{3,}|·{3,}|[〔\[（(](?:略|中略|下略|前略|…+|\.{3,})[〕\])）]|[〔\[][^〔〕\[\]\n]{1,30}[〕\]]"
)


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a document that are, or may be, those of a law."""

    start: int
    end: int
    """Without the quotation marks."""
    marked: bool
    """Whether they are in quotation marks or in a block quotation."""
    attachment: Attachment = "none"
    citation: int | None = None
    """Index of the citation it belongs to, among those of the document."""


def is_former(quotation: Quotation, text: str) -> bool:
    """Whether a document says that words were the law's before it was changed.

    >>> text = "将“处拘役”修改为“处管制”"
    >>> is_former(Quotation(2, 5, True), text), is_former(Quotation(10, 13, True), text)
    (True, False)
    """
    before = text[max(0, quotation.start - 16) : quotation.start]
    return quotation.marked and bool(
        _CHANGED.match(text, quotation.end) or _FORMERLY.search(before)
    )


def fewest_to_attribute(quotation: Quotation, same_law: bool) -> int:
    """Letters from which words can be attributed to another provision than the one cited."""
    if quotation.marked:
        return 0
    if quotation.attachment != "stated":
        return SHORTEST_UNMARKED
    return _SHORTEST_SAME_LAW if same_law else _SHORTEST_TRACED


def parts_between_ellipses(text: str) -> tuple[TextRange, ...]:
    """The parts of a quotation between its ellipses, a leading caption (【盗窃罪】) left out.

    >>> [(one.start, one.end) for one in parts_between_ellipses("甲甲……乙乙")]
    [(0, 2), (4, 6)]
    """
    caption = _CAPTION.match(text)
    start = caption.end() if caption else 0
    found: list[TextRange] = []
    for gap in _ELLIPSIS.finditer(text, start):
        found.append(TextRange(start, gap.start()))
        start = gap.end()
    found.append(TextRange(start, len(text)))
    return tuple(one for one in found if one.start < one.end)


def marked_quotations(
    document: Document, folded: Folded, citations: Sequence[Citation]
) -> Iterator[Quotation]:
    """The texts in quotation marks and the block quotations that are longer than a term.

    A citation at the head or the end of a block quotation is not part of what is quoted.
    """
    marked = list(_in_marks(document.text))
    starts = [one.start for one in marked]
    for block in document.blocks:
        if block.kind == "quote":
            inside = bisect_left(starts, block.start) < bisect_left(starts, block.end)
            if not inside:
                marked.append(_without_citation(block.start, block.end, citations, document.text))
    for one in sorted(marked, key=lambda one: one.start):
        first, last = folded.between(one.start, one.end)
        if SHORTEST <= last - first <= _LONGEST:
            yield Quotation(one.start, one.end, marked=True)


def _without_citation(start: int, end: int, citations: Sequence[Citation], text: str) -> TextRange:
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
    return TextRange(start, end)


def _in_marks(text: str) -> Iterator[TextRange]:
    """The texts between outer quotation marks; a mark without its counterpart is ignored."""
    pairs: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for match in _MARK.finditer(text):
        mark, at = match[0], match.start()
        while opened and at - opened[0][1] > _LONGEST:
            del opened[0]
        if opened and mark == opened[-1][0]:
            pairs.append((opened.pop()[1], at))
        elif mark in _OPENING:
            opened.append((_OPENING[mark], match.end()))
        else:
            place = next((n for n in reversed(range(len(opened))) if opened[n][0] == mark), None)
            if place is not None:
                pairs.append((opened[place][1], at))
                del opened[place:]
    furthest = -1
    for start, end in sorted(pairs):
        if start > furthest and text[start - 1] not in _NESTED:
            furthest = end
            yield TextRange(start, end)


def attributed(
    quotations: Sequence[Quotation], citations: Sequence[Citation], text: str
) -> tuple[Quotation, ...]:
    """Each marked quotation with the citation it belongs to."""
    ends = [one.end for one in citations]
    starts = [one.start for one in citations]
    found: list[Quotation] = []
    for one in quotations:
        behind = bisect_left(starts, one.end)
        bracketed = behind < len(citations) and starts[behind] - one.end <= 12
        if bracketed and _BEHIND.search(text[one.end : starts[behind]]):
            found.append(replace(one, attachment="stated", citation=behind))
            continue
        at = bisect_right(ends, one.start) - 1
        attachment = _attachment(citations[at].end, one, text) if at >= 0 else "none"
        previous = found[-1] if found else None
        if attachment == "none" and previous and previous.citation is not None:
            joined = text[previous.end : one.start]
            if len(joined) <= 6 and _JOINED.fullmatch(joined):
                at, attachment = previous.citation, previous.attachment
        citation = at if attachment != "none" else None
        found.append(replace(one, attachment=attachment, citation=citation))
    return tuple(found)


def _attachment(end: int, quotation: Quotation, text: str) -> Attachment:
    """How a quotation is connected with the citation that ends before it."""
    between = text[end : quotation.start]
    if len(between) > _BETWEEN or _STOP.search(between):
        return "none"
    if "\n" in between.strip('\n >*-“「"') and not _SAYS.search(between):
        return "none"
    return "stated" if _SAYS.search(between[-_RIGHT_BEFORE:]) else "near"


@dataclass(frozen=True, slots=True)
class _Beginning:
    """Where the words begin that an article is said to have."""

    at: int
    attachment: Attachment
    """``stated`` where the document says so plainly, else ``near``."""


def _begins(citation: Citation, text: str) -> _Beginning | None:
    """Where the words of a cited article begin, if they may follow the citation.

    第七十四条规定： announces its words; 第七十四条规定， and 根据…第七十四条， perhaps a summary.
    What comes directly after its number (at the head of a sentence, or behind 《…》) is its words.
    """
    if not citation.portions and citation.text[0] != "《":
        return None
    says = _STATES.match(text, citation.end)
    according = _ACCORDING.search(text, max(0, citation.start - 6), citation.start)
    if says and _OF_A_RULE.match(text, citation.end) and not according:
        return None  # behind 违反…第二十八条的规定， the sentence goes on in its own words
    if says:
        plainly = says["mark"] in "：:" or "【" in says[0]
        return _Beginning(says.end(), "stated" if plainly else "near")
    if not citation.portions:
        return None
    provides = _PROVIDES.match(text, citation.end)
    if provides:
        return _Beginning(provides.end(), "near")
    if citation.kind == "reference" and not _ARTICLE.search(citation.text):
        return None
    comma = _COMMA.match(text, citation.end)
    if comma and according:
        return _Beginning(comma.end(), "near")
    follows = _FOLLOWS.match(text, citation.end)
    headed = citation.kind == "bare" and text[max(0, citation.start - 1)] in "。；;：:\n 　》>"
    if follows and (headed or citation.kind != "bare"):
        return _Beginning(follows.end(), "stated")
    return None


def stated_recitals(
    document: Document, citations: Sequence[Citation], taken: Sequence[TextRange]
) -> Iterator[Quotation]:
    """The words directly after an article that is said to provide them, up to the first stop.

    Whether these are the article's words or somebody's summary, only a comparison can tell.
    """
    text = document.text
    for at, citation in enumerate(citations):
        begins = _begins(citation, text)
        if begins is None:
            continue
        stop = _CLAUSE.search(text, begins.at, begins.at + _LONGEST_CLAUSE)
        end = stop.start() if stop else min(len(text), begins.at + _LONGEST_CLAUSE)
        letters = len(fold(text[begins.at : end]).text)
        if letters >= _SHORTEST_STATED and not _overlaps(begins.at, end, taken):
            yield Quotation(begins.at, end, False, begins.attachment, at)


def _overlaps(start: int, end: int, taken: Sequence[TextRange]) -> bool:
    """Whether one of some ranges, which are in order, has a character of this one."""
    at = bisect_left(taken, end, key=lambda one: one.start) - 1
    return at >= 0 and taken[at].end > start


class Recitals:
    """Finds words without marks that a stored wording has, in one document.

    Its citations are in order; ranges that are quotations already are ``taken``.
    """

    def __init__(
        self,
        document: Document,
        folded: Folded,
        citations: Sequence[Citation],
        taken: Sequence[TextRange],
    ) -> None:
        self._document = document
        self._folded = folded
        self._citations = citations
        self._starts = [one.start for one in citations]
        self._ends = [one.end for one in citations]
        self._taken = sorted(taken, key=lambda one: one.start)

    def find(self, passages: Iterable[Passage]) -> Iterator[Quotation]:
        """The clauses that contain passages wordings share with the text, the longest first."""
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
                    range_taken = TextRange(found.start, found.end)
                    insort(self._taken, range_taken, key=lambda one: one.start)
                    yield found

    def _in_blocks(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of a range in the paragraphs it goes through."""
        blocks = self._document.blocks
        at = max(bisect_right(blocks, start, key=lambda one: one.start) - 1, 0)
        while at < len(blocks) and blocks[at].start < end:
            first, last = max(start, blocks[at].start), min(end, blocks[at].end)
            for begin, stop in self._between_citations(first, last):
                if stop - begin >= SHORTEST:
                    yield begin, stop
            at += 1

    def _between_citations(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of a range between citations whose words follow them.

        A law's full title and an article's number are in other laws' wordings, too.
        """
        at = bisect_right(self._ends, start)
        while at < len(self._citations) and self._starts[at] < end:
            begins = _begins(self._citations[at], self._document.text)
            if begins and (begins.attachment == "stated" or not self._is_recited(at)):
                yield start, min(self._starts[at], end)
                start = begins.at
            at += 1
        yield start, end

    def _is_recited(self, at: int) -> bool:
        """Whether a citation is among the words that an earlier one introduces.

        甲法第七十条规定，依照乙法第三条的规定，…: all that follows 规定 may be words of 甲法.
        """
        text, start = self._document.text, self._starts[at]
        for before in range(at - 1, max(at - 4, -1), -1):
            if start - self._ends[before] > _LONGEST_CLAUSE:
                break
            begins = _begins(self._citations[before], text)
            if begins and begins.at <= start and not _STOP.search(text, begins.at, start):
                return True
        return self._bracketed_behind(start) is not None

    def _bracketed_behind(self, start: int) -> int | None:
        """The citation in brackets at the end of the sentence that goes on at a place."""
        text = self._document.text
        for at in range(bisect_left(self._starts, start), len(self._citations)):
            cited = self._starts[at]
            if cited - start > _LONGEST_CLAUSE or _STOP.search(text, start, cited):
                return None
            if text[cited - 1] in "（(〔":
                return at
        return None

    def _whole_clauses(self, start: int, end: int) -> Quotation:
        """A range extended to where its clause, or the announced words, begin and end."""
        text = self._document.text
        begin = max(
            (match.end() for match in _CLAUSE.finditer(text, max(0, start - 80), start)),
            default=max(0, start - 80),
        )
        attachment: Attachment = "none"
        citation = None
        at = bisect_right(self._ends, start) - 1
        while at >= 0 and start - self._ends[at] <= _BETWEEN:
            begins = _begins(self._citations[at], text)
            if begins and start <= begins.at + 30 and not _STOP.search(text[begins.at : start]):
                begin, citation, attachment = begins.at, at, begins.attachment
                break
            at -= 1
        stop = _CLAUSE.search(text, max(start, end - 1), min(len(text), end + 60))
        finish = stop.start() if stop else end
        following = bisect_left(self._starts, end)
        while following < len(self._citations) and self._starts[following] < finish:
            if _begins(self._citations[following], text):
                finish = self._starts[following]
                break
            following += 1
        behind = self._bracketed_behind(end)
        if citation is None and behind is not None and self._starts[behind] - 1 <= finish:
            citation, attachment, finish = behind, "near", self._starts[behind] - 1
        return Quotation(begin, finish, False, attachment, citation)
