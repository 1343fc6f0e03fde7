"""Where words are: the provisions, of any law and time, that read as stored wordings do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from inforce.corpus.coverage import importance
from inforce.corpus.store import TextPlace
from inforce.dates import CaseDates
from inforce.law.ids import Portion
from inforce.law.kinds import kind_of
from inforce.law.timeline import Span, Timeline
from inforce.verification.citations import Cited
from inforce.verification.findings import CheckedDays, FindingKind
from inforce.verification.law import CheckedLaw
from inforce.verification.words import Words, has_portion

_ENGLISH = re.compile(r"(?i)\bart(?:icles?|s?\b\.?)|§")
NEARLY = 0.8
"""Likeness from which words are a wording with differences, not other words."""
_MOST_CITED = 100
"""Articles cited beside words that are compared with them: 第一条至第四百条 names more."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a quotation is checked against."""

    cited: Cited | None
    days: CheckedDays | None
    case: CaseDates | None
    candidates: tuple[int, ...]
    """Stored wordings that share words with it, those with most in common first."""
    lead: str = ""
    """What the document says from the citation up to the quotation."""
    former: bool = False
    """Whether the document says that the words are former ones (…已修改为…)."""
    alone: bool = True
    """Whether the words fill their paragraphs, so that they can only be recited."""
    beside: tuple[Cited, ...] = ()
    """What is cited in the same paragraph."""

    def articles_beside(self) -> tuple[TextPlace, ...]:
        """The articles that are cited beside, each once."""
        cited = (
            TextPlace(0, one.work, portion.number)
            for one in self.beside
            if one.held
            for portion in one.citation.portions
        )
        return tuple(islice(dict.fromkeys(cited), _MOST_CITED))


@dataclass(frozen=True, slots=True)
class Place:
    """A provision that has, in one of its spans, the words looked for."""

    timeline: Timeline
    span: Span
    then: bool
    """Whether it was in force on the days concerned."""
    exact: bool
    likeness: float

    @property
    def order(self) -> tuple[bool, bool, float, tuple[int, str]]:
        """The exact ones first, then those in force then, then the better known law."""
        work = importance(self.timeline.work)
        return not self.exact, not self.then, -self.likeness, work


def spans_at(
    law: CheckedLaw,
    place: TextPlace,
    folded: str,
    days: CheckedDays | None,
    *,
    exact: bool = True,
    likeness: float = 1.0,
) -> Iterator[Place]:
    """The spans of a provision that read so."""
    timeline = law.timeline(place.work, place.number)
    for span in timeline.spans:
        if span.provision and law.folded(span.provision.text) == folded:
            yield Place(timeline, span, within(span, days), exact, likeness)


def within(span: Span, days: CheckedDays | None) -> bool:
    """Whether a span reaches into all the days."""
    return days is not None and all(span.window.overlaps(one) for one in days.facts)


@dataclass(frozen=True, slots=True)
class Near:
    """A wording, and how nearly it has the words looked for."""

    span: Span
    likeness: float


def has_words(law: CheckedLaw, words: Words, span: Span) -> bool:
    """Whether a span has words, with the numbers of its items or without."""
    if span.provision is None:
        return False
    text = span.provision.text
    return words.is_in(law.folded(text)) or words.is_in(law.unnumbered(text))


def nearest(law: CheckedLaw, words: Words, spans: Iterable[Span]) -> Near | None:
    """The span that has words most nearly."""
    found = [
        Near(span, words.likeness(law.folded(span.provision.text)))
        for span in spans
        if span.provision
    ]
    return max(found, key=lambda one: one.likeness, default=None)


def places_with(law: CheckedLaw, words: Words, context: Context) -> tuple[Place, ...]:
    """The provisions with words, or nearly: exact ones first, then those in force then.

    What an amendment enacts is said by the law it amends, as long as that is so: it is a place of
    words only where it is cited itself.
    """
    named = {one.work for one in (context.cited, *context.beside) if one}
    close: dict[int, tuple[bool, float]] = {}
    for text_id in context.candidates:
        folded = law.folded(law.text(text_id))
        exact = words.is_in(folded)
        score = 1.0 if exact else words.likeness(folded)
        if score >= NEARLY:
            close[text_id] = exact, score
    found: list[Place] = []
    for text_id, where in law.places_of(close).items():
        exact, score = close[text_id]
        text = law.folded(law.text(text_id))
        for place in where:
            if kind_of(place.work) != "amendment" or place.work in named:
                found += spans_at(law, place, text, context.days, exact=exact, likeness=score)
    return tuple(sorted(found, key=lambda one: one.order))


PREFERENCE: Mapping[FindingKind, int] = {
    "right": 0,
    "amended_since": 0,
    "other_time": 1,
    "renumbered": 1,
    "unsupported_portion": 2,
    "misquoted": 3,
    "not_checked": 4,
    "wrong_source": 5,
    "not_in_force": 6,
    "no_such_provision": 7,
    "no_such_law": 7,
    "wrong_name": 7,
    "wrong_case_number": 7,
}
"""Of the provisions a quotation may be from, the one that fits it best."""


def as_meant(
    portion: Portion, cited: Cited, timeline: Timeline, days: CheckedDays | None
) -> Portion:
    """A portion in English, where Article 1165(1) is a paragraph if the article has no items."""
    english = portion.paragraph is None and _ENGLISH.search(cited.citation.text)
    if portion.item is None or not english:
        return portion
    meant = replace(portion, paragraph=portion.item, item=None)
    held = [span for span in timeline.spans if span.provision]
    texts = [
        span.provision.text
        for span in [one for one in held if within(one, days)] or held
        if span.provision
    ]
    if any(has_portion(one, portion) for one in texts):
        return portion
    return meant if any(has_portion(one, meant) for one in texts) else portion


def is_same_provision(one: Timeline, other: Timeline) -> bool:
    """Whether two timelines are those of one provision."""
    return (one.work, one.number) == (other.work, other.number)
