"""Quoted words compared with the law: which provisions have them, how nearly, and what differs.

Compared are letters and digits: blanks, punctuation and the width of characters change no law.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rapidfuzz import fuzz

from inforce.corpus.store import TextPlace
from inforce.corpus.titles import importance
from inforce.dates import CaseDates
from inforce.law.diff import Piece, diff
from inforce.law.ids import Portion
from inforce.law.numerals import ProvisionNumber, parse_numeral
from inforce.law.portions import Paragraph, paragraphs
from inforce.law.timeline import Span, Timeline
from inforce.law.work_kinds import kind_of
from inforce.retrieval.text_reuse import fold
from inforce.verification.citations import ResolvedCitation
from inforce.verification.findings import CheckedDays
from inforce.verification.law_lookup import LawLookup
from inforce.verification.quotations import Quotation, parts_between_ellipses
from inforce.verification.substitutions import plain_numbers, tokens

NEARLY = 0.8
"""Likeness from which words are a wording with differences, not other words."""
_MOST_CITED = 100
"""Articles cited in a paragraph that its words are compared with: 第一条至第四百条 names more."""
_ENDS = " \n。，；：、,;:.“”「」"
"""What may be at the ends of a quotation and is not compared."""
_TAG = re.compile(r"</?[a-z]{1,8}[^<>]{0,40}>")
"""Marks of web pages that are in many collections of answers."""
_PARAGRAPH = re.compile(r"(?<=[。：；])[ \u3000]+(?=\S)")
_ITEM_NUMBER = re.compile(r"[（(][一二三四五六七八九十]{1,3}[）)]")
_ITEM_HEAD = re.compile(r"(?:^|[：:；;。，\n])[^\S\n]*+[（(]([一二三四五六七八九十]{1,3})[）)]")
_ITEMS = re.compile(r"(?=[（(][一二三四五六七八九十]{1,3}[）)])")
_AND_SO_ON = re.compile(r"等+[。；]?$")
"""At the end of a quotation, that it goes on in the law."""
_FIRST_WORDS, _LONGEST_HEADING = 8, 16
"""Letters an article is known by at its head, and of a heading before them."""
_HEADING = re.compile(r"【[^】\n]{1,40}】")
"""An editor's heading of an article or a paragraph, which is no word of the law."""
_ENGLISH = re.compile(r"(?i)\bart(?:icles?|s?\b\.?)|§")


@dataclass(frozen=True, slots=True)
class QuotedWords:
    """The words of a quotation in the form in which they are compared."""

    parts: tuple[str, ...]
    """Folded, one between every two ellipses."""
    whole: str
    """The parts in one string."""
    written: str

    @classmethod
    def of(cls, text: str, *, by_item: bool = False) -> QuotedWords:
        """Fold the words of a quotation, in which items may be left out without a sign of it."""
        text = _AND_SO_ON.sub("", _HEADING.sub("", text))
        pieces = [_TAG.sub("", text[one.start : one.end]) for one in parts_between_ellipses(text)]
        if by_item:
            pieces = [part for piece in pieces for part in _ITEM_NUMBER.split(piece)]
        parts = tuple(part for piece in pieces if (part := plain_numbers(fold(piece).text)))
        return cls(parts, "".join(parts), " … ".join(pieces))

    def without_heading(self, wordings: Iterable[str]) -> QuotedWords:
        """Leave out what editors put between an article's number and its words (第五条 解除合同 …).

        The article is known by its wordings, folded.
        """
        for folded in wordings:
            at = self.whole.find(folded[:_FIRST_WORDS])
            if 0 < at <= _LONGEST_HEADING and len(folded) >= _FIRST_WORDS:
                return self._without_first(at)
        return self

    def _without_first(self, letters: int) -> QuotedWords:
        parts = list(self.parts)
        while parts and letters >= len(parts[0]):
            letters -= len(parts.pop(0))
        if parts:
            parts[0] = parts[0][letters:]
        return QuotedWords(tuple(parts), "".join(parts), self.written)

    def is_in(self, folded: str) -> bool:
        """Whether a folded wording has all the parts, in their order."""
        at = 0
        for part in self.parts:
            found = folded.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return bool(self.parts)

    def likeness(self, folded: str) -> float:
        """How nearly a folded wording has these words, 0 to 1, by its most similar part."""
        if not self.whole or not folded or len(self.whole) > 2 * len(folded):
            return 0.0
        short = len(self.whole) <= len(folded)
        score = fuzz.partial_ratio(self.whole, folded) if short else fuzz.ratio(self.whole, folded)
        return score / 100


@dataclass(frozen=True, slots=True)
class QuotationContext:
    """A quotation with all that it is checked against."""

    quotation: Quotation
    text: str
    """The quoted words as the document writes them."""
    cited: ResolvedCitation | None
    """The citation the quotation belongs to."""
    days: CheckedDays | None
    case: CaseDates | None
    candidates: tuple[int, ...]
    """Ids of stored wordings that share words with it, those with most in common first."""
    lead: str = ""
    """What the document says from the citation up to the quotation."""
    former: bool = False
    """Whether the document says that the words are former ones (…已修改为…)."""
    alone: bool = True
    """Whether the words fill their paragraphs, so that they can only be recited."""
    nearby: tuple[ResolvedCitation, ...] = ()
    """What is cited in the same paragraph."""

    def nearby_articles(self) -> tuple[TextPlace, ...]:
        """The articles that are cited in the same paragraph, each once."""
        articles = (
            TextPlace(0, one.work, portion.number)
            for one in self.nearby
            if one.held
            for portion in one.citation.portions
        )
        return tuple(islice(dict.fromkeys(articles), _MOST_CITED))


@dataclass(frozen=True, slots=True)
class Match:
    """A provision that has the quoted words, or has them nearly, in one of its spans."""

    timeline: Timeline
    span: Span
    in_force: bool
    """Whether the span reaches into all the days concerned."""
    exact: bool
    likeness: float

    @property
    def rank(self) -> tuple[bool, bool, float, tuple[int, str]]:
        """Sort key: exact matches, then those in force on the days, then the better-known law."""
        work = importance(self.timeline.work)
        return not self.exact, not self.in_force, -self.likeness, work

    @property
    def text(self) -> str:
        """The wording."""
        assert self.span.provision
        return self.span.provision.text


def is_in_force(span: Span, days: CheckedDays | None) -> bool:
    """Whether a span reaches into all the days of the facts."""
    return days is not None and all(span.window.overlaps(one) for one in days.facts)


def has_words(law: LawLookup, words: QuotedWords, span: Span) -> bool:
    """Whether a span has words, with the numbers of its items or without."""
    if span.provision is None:
        return False
    text = span.provision.text
    return words.is_in(law.folded(text)) or words.is_in(law.unnumbered(text))


def closest_match(
    law: LawLookup,
    words: QuotedWords,
    timeline: Timeline,
    spans: Iterable[Span],
    days: CheckedDays | None,
) -> Match | None:
    """The one of a provision's spans that has words most nearly."""
    found = [
        Match(
            timeline,
            span,
            is_in_force(span, days),
            exact=False,
            likeness=words.likeness(law.folded(span.provision.text)),
        )
        for span in spans
        if span.provision
    ]
    return max(found, key=lambda one: one.likeness, default=None)


def matches_of_wording(
    law: LawLookup,
    place: TextPlace,
    folded: str,
    days: CheckedDays | None,
    *,
    exact: bool = True,
    likeness: float = 1.0,
) -> Iterator[Match]:
    """The spans of a provision whose folded wording is the given one."""
    timeline = law.timeline(place.work, place.number)
    for span in timeline.spans:
        if span.provision and law.folded(span.provision.text) == folded:
            yield Match(timeline, span, is_in_force(span, days), exact, likeness)


def find_matches(
    law: LawLookup, words: QuotedWords, context: QuotationContext
) -> tuple[Match, ...]:
    """The provisions of any law and time that have words, or nearly, the best first.

    What an amendment enacts is said by the law it amends, as long as that is so: the amendment is a
    match only where it is cited itself.
    """
    named = {one.work for one in (context.cited, *context.nearby) if one}
    close: dict[int, tuple[bool, float]] = {}
    for text_id in context.candidates:
        folded = law.folded(law.text(text_id))
        exact = words.is_in(folded)
        score = 1.0 if exact else words.likeness(folded)
        if score >= NEARLY:
            close[text_id] = exact, score
    found: list[Match] = []
    for text_id, places in law.places_of(close).items():
        exact, score = close[text_id]
        folded = law.folded(law.text(text_id))
        for place in places:
            if kind_of(place.work) != "amendment" or place.work in named:
                found += matches_of_wording(
                    law, place, folded, context.days, exact=exact, likeness=score
                )
    return tuple(sorted(found, key=lambda one: one.rank))


def difference(words: QuotedWords, span: Span) -> tuple[Piece, ...]:
    """How the quotation differs from the most similar part of a wording."""
    assert span.provision is not None
    folded = fold(span.provision.text)
    if not words.whole:
        return ()
    aligned = fuzz.partial_ratio_alignment(words.whole, folded.text)
    if aligned is None or aligned.dest_end <= aligned.dest_start:
        return ()
    if len(words.whole) > len(folded.text):
        return diff(span.provision.text, words.written, words=tokens)
    start, end = folded.span(aligned.dest_start, aligned.dest_end)
    return diff(span.provision.text[start:end], words.written.strip(_ENDS), words=tokens)


# Paragraphs and items


def paragraphs_of(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a provision; in a text without lines, a blank behind a stop begins one.

    >>> len(paragraphs_of("对于累犯，不适用缓刑。 有前款行为的，从重处罚。"))
    2
    """
    return tuple(paragraphs(text if "\n" in text else _PARAGRAPH.sub("\n", text)))


def item_numbers(text: str) -> set[int]:
    r"""The numbers of the items of a provision, also of a list with paragraphs between its items.

    >>> item_numbers("下列情形：\n（一）甲。\n甲之外，另有规定。\n（二）乙。")
    {1, 2}
    """
    return {parse_numeral(match[1]) for match in _ITEM_HEAD.finditer(text)}


def portions_of(number: ProvisionNumber, text: str) -> Iterator[tuple[Portion, str]]:
    """The paragraphs and items of a provision with their words; a paragraph before its items."""
    for at, paragraph in enumerate(paragraphs_of(text), 1):
        yield Portion(number, at), paragraph.excerpt.text
        for item in paragraph.items:
            yield Portion(number, at, item.number), item.excerpt.text


def text_of_portion(text: str, portion: Portion) -> str:
    """The words of a paragraph or item of a provision; empty if it has none such."""
    for one, piece in portions_of(portion.number, text):
        if one.item == portion.item and portion.paragraph in (None, one.paragraph):
            return piece
    return ""


def cited_parts(pieces: Sequence[tuple[Portion, str]], cited: Portion) -> Iterator[str]:
    """The words of the parts that are cited; an item's with those that introduce its list."""
    lead = ""
    for one, piece in pieces:
        if one.item is None:
            lead = next(iter(_ITEMS.split(piece)), "")
        if one.item == cited.item and cited.paragraph in (None, one.paragraph):
            yield f"{lead}{piece}" if one.item else piece


def has_portion(text: str, portion: Portion) -> bool:
    """Whether a provision has a paragraph or item."""
    if portion.paragraph is None:
        return portion.item is None or portion.item in item_numbers(text)
    found = paragraphs_of(text)
    if portion.paragraph > len(found):
        return False
    items = found[portion.paragraph - 1].items
    return portion.item is None or portion.item in {item.number for item in items}


def resolve_english_portion(
    portion: Portion, cited: ResolvedCitation, timeline: Timeline, days: CheckedDays | None
) -> Portion:
    """Read Article 1165(1) as a paragraph if the article has no items; other portions stay."""
    english = portion.paragraph is None and _ENGLISH.search(cited.citation.text)
    if portion.item is None or not english:
        return portion
    spans = [span for span in timeline.spans if span.provision]
    texts = [
        span.provision.text
        for span in [one for one in spans if is_in_force(one, days)] or spans
        if span.provision
    ]
    as_paragraph = replace(portion, paragraph=portion.item, item=None)
    if any(has_portion(one, portion) for one in texts):
        return portion
    return as_paragraph if any(has_portion(one, as_paragraph) for one in texts) else portion
