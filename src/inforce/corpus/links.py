"""What cites a provision and what it cites, each reference resolved for its own time.

A reference means the article that had its number on the first day of the words that cite it. Where
a law was renumbered afterwards, the article has another number on the days asked for, and the
number that was cited is named. All of this is stored with the laws (`inforce.corpus.resolving`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from inforce.dates import ALWAYS, DateRange
from inforce.law.ids import Portion
from inforce.law.kinds import WorkKind, kind_of
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Answer, Lookup, Timeline

if TYPE_CHECKING:
    from inforce.corpus.references import Citing, Reference
    from inforce.corpus.store import Corpus
    from inforce.law.thresholds import Threshold

CRIMINAL_LAW = "中华人民共和国刑法"


@dataclass(frozen=True, slots=True)
class CitedBy:
    """A provision that cites the one asked about."""

    work: str
    number: ProvisionNumber
    kind: WorkKind
    window: DateRange
    """The days on which the words that cite it were in force."""
    portions: tuple[Portion, ...]
    """What of the provision is cited, under the number it had then."""
    checked: bool
    """Whether the text cited is held for that time; else the number alone says what is meant."""


@dataclass(frozen=True, slots=True)
class Cites:
    """A law or an article that the provision cites."""

    title: str
    held: bool
    """Whether any text of that law is held."""
    portion: Portion | None
    """As written; ``None`` for the law as a whole."""
    answer: Answer | None
    """What is known of the article when the citing words came into force; ``None`` where no article
    is cited or the law is not held."""
    now: ProvisionNumber | None
    """The number the article has on the days asked for, where it is another."""


@dataclass(frozen=True, slots=True)
class Links:
    """What belongs to a provision without being part of it."""

    known: bool = True
    """Whether the references of this corpus were read; a file of an earlier release has none until
    something is added to it, or it is indexed."""

    interpretations: tuple[CitedBy, ...] = ()
    """Judicial interpretations and replies that cite it, the latest first."""
    cited_by: tuple[CitedBy, ...] = ()
    """Other provisions that cite it, those of its own law first."""
    cites: tuple[Cites, ...] = ()
    amounts: tuple[Threshold, ...] = ()
    """The amounts interpretations give for its words, as far as this library knows them."""


def links_at(corpus: Corpus, lookup: Lookup) -> Links:
    """What belongs to a provision on the days of a look-up."""
    if not lookup.found or not corpus.has_references():
        return Links(corpus.has_references())
    work, number, days = lookup.work, lookup.number, lookup.as_of
    citing: list[Citing] = []
    cites: list[Cites] = []
    for span in lookup.found:
        day = max(span.window.start, days.start)
        citing += corpus.references_to(work, number, day=day, during=days)
        cites += [_cites(one, day) for one in corpus.references_in(work, span)]
    return _links(work, number, citing, cites, days)


def links_ever(corpus: Corpus, timeline: Timeline) -> Links:
    """What ever cited a number of a law while the law had it, and what its wordings ever cited."""
    if not corpus.has_references():
        return Links(known=False)
    work, number = timeline.work, timeline.number
    spans = [span for span in timeline.spans if span.provision]
    cites = [
        _cites(one, span.window.start) for span in spans for one in corpus.references_in(work, span)
    ]
    citing = corpus.references_ever_to(work, number) if spans else []
    return _links(work, number, citing, cites, ALWAYS)


def _cites(reference: Reference, day: date) -> Cites:
    """What is cited, with the number that the article has on a day if it is another."""
    title, held, portion, answer, numbers = reference
    now = next((number for window, number in numbers if day in window), None)
    same = portion is not None and now == portion.number
    return Cites(title, held, portion, answer, None if same else now)


def _links(
    work: str,
    number: ProvisionNumber,
    citing: Sequence[Citing],
    cites: Sequence[Cites],
    days: DateRange,
) -> Links:
    cited_by = sorted(_merged(citing), key=lambda one: (one.work, one.number, one.window.start))
    judicial = [one for one in cited_by if one.kind in ("interpretation", "reply")]
    judicial.sort(key=lambda one: one.window.start, reverse=True)
    others = [one for one in cited_by if one.kind not in _SET_ASIDE]
    others.sort(key=lambda one: one.work != work)
    amounts = _amounts(number, days) if work == CRIMINAL_LAW else ()
    return Links(True, tuple(judicial), tuple(others), tuple(dict.fromkeys(cites)), amounts)


def _amounts(number: ProvisionNumber, days: DateRange) -> tuple[Threshold, ...]:
    if number.kind != "article" or number.branch:
        return ()
    from inforce.law.thresholds import thresholds_of  # its table is read once

    return thresholds_of(number.main, days)


def _merged(citing: Iterable[Citing]) -> Iterator[CitedBy]:
    """Each citing wording once, with everything it cites of the provision."""
    portions: dict[tuple[str, ProvisionNumber, DateRange, bool], dict[Portion, None]] = {}
    for work, number, window, portion, checked in citing:
        portions.setdefault((work, number, window, checked), {})[portion] = None
    for (work, number, window, checked), cited in portions.items():
        yield CitedBy(work, number, kind_of(work), window, tuple(sorted(cited, key=str)), checked)


_SET_ASIDE: tuple[WorkKind, ...] = (
    "interpretation",
    "reply",
    "amendment",
    "crime_names",
    "material",
)
"""Not listed as citing: interpretations are apart, amending decisions are part of the history."""
