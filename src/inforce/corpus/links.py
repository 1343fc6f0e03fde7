"""What cites a provision and what it cites, each reference resolved for its own time.

A reference means the article that had its number on the first day of the words that cite it. Where
a law was renumbered afterwards, the article is followed to the number it has on the days asked for
(`inforce.law.lineage.follow`), and the number that was cited is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from cachetools import LRUCache

from inforce.dates import DateRange
from inforce.law.ids import Portion
from inforce.law.kinds import WorkKind, kind_of
from inforce.law.lineage import follow
from inforce.law.numerals import ProvisionNumber
from inforce.law.thresholds import Threshold, thresholds_of
from inforce.law.timeline import Answer, Lookup, Span, Timeline

if TYPE_CHECKING:
    from inforce.corpus.references import Citing
    from inforce.corpus.store import Corpus

CRIMINAL_LAW = "中华人民共和国刑法"

_MOST_FOLLOWED = 8192
"""Articles of an edition whose other numbers a corpus remembers: following one takes longer than
everything else an answer needs."""
_FOLLOWED: WeakKeyDictionary[
    Corpus,
    LRUCache[tuple[str, str, ProvisionNumber, int], Mapping[DateRange, ProvisionNumber]],
] = WeakKeyDictionary()
_ONE_AT_A_TIME = Lock()

_YEAR = re.compile(r"(?:19|20)\d\d")


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
    found = [(span, max(span.window.start, lookup.as_of.start)) for span in lookup.found]
    if not found or not corpus.has_references():
        return Links(corpus.has_references())
    finder = _Finder(corpus, lookup.work, lookup.number)
    cited_by = [one for _, day in found for one in finder.incoming(day, lookup.as_of)]
    cites = [one for span, day in found for one in finder.outgoing(span, day)]
    return _links(lookup.work, lookup.number, cited_by, cites, lookup.as_of)


def links_ever(corpus: Corpus, timeline: Timeline) -> Links:
    """What ever cited a number of a law while the law had it, and what its wordings ever cited."""
    if not corpus.has_references():
        return Links(known=False)
    finder = _Finder(corpus, timeline.work, timeline.number)
    spans = [span for span in timeline.spans if span.provision]
    cites = [one for span in spans for one in finder.outgoing(span, span.window.start)]
    whole = DateRange(date.min, None)
    incoming = list(finder.incoming_ever(whole)) if spans else []
    return _links(timeline.work, timeline.number, incoming, cites, whole)


def _links(
    work: str,
    number: ProvisionNumber,
    cited_by: Sequence[CitedBy],
    cites: Sequence[Cites],
    days: DateRange,
) -> Links:
    unique = sorted(_merged(cited_by), key=lambda one: (one.work, one.number, one.window.start))
    judicial = [one for one in unique if one.kind in ("interpretation", "reply")]
    judicial.sort(key=lambda one: one.window.start, reverse=True)
    others = [one for one in unique if one.kind not in _SET_ASIDE]
    others.sort(key=lambda one: one.work != work)
    article = number.main if number.kind == "article" and not number.branch else None
    has_amounts = work == CRIMINAL_LAW and article is not None
    return Links(
        True,
        tuple(judicial),
        tuple(others),
        tuple(dict.fromkeys(cites)),
        tuple(thresholds_of(article, days)) if has_amounts and article else (),
    )


def _merged(cited_by: Iterable[CitedBy]) -> Iterator[CitedBy]:
    """Each citing wording once, with everything it cites of the provision."""
    portions: dict[CitedBy, dict[Portion, None]] = {}
    for one in cited_by:
        portions.setdefault(replace(one, portions=()), {}).update(dict.fromkeys(one.portions))
    return (replace(one, portions=tuple(cited)) for one, cited in portions.items())


_SET_ASIDE: tuple[WorkKind, ...] = (
    "interpretation",
    "reply",
    "amendment",
    "crime_names",
    "material",
)
"""Not listed as citing: interpretations are apart, amending decisions are part of the history."""


class _Finder:
    """The references to one provision, and from it."""

    def __init__(self, corpus: Corpus, work: str, number: ProvisionNumber) -> None:
        self._corpus = corpus
        self._work = work
        self._number = number
        self._numbers_on = lru_cache(64)(partial(numbers_by_edition, corpus))

    def incoming(self, day: date, days: DateRange) -> Iterator[CitedBy]:
        """The provisions in force on some of the days that cite what the number means on one."""
        editions = self._numbers_on(self._work, self._number, day)
        timeline = self._corpus.timeline(self._work, self._number)
        for number in dict.fromkeys([self._number, *editions.values()]):
            for span, citing in self._citing(number, days):
                made = _made(span, citing.hint)
                then = next((one for window, one in editions.items() if made in window), None)
                if then == number:
                    yield _cited_by(citing, span, checked=True)
                elif then is None and number == self._number:
                    answer = timeline.version_at(made).answer
                    if answer in ("found", "not_covered"):
                        yield _cited_by(citing, span, checked=answer == "found")

    def incoming_ever(self, days: DateRange) -> Iterator[CitedBy]:
        """The provisions that cited the number while the law had it."""
        timeline = self._corpus.timeline(self._work, self._number)
        for span, citing in self._citing(self._number, days):
            answer = timeline.version_at(_made(span, citing.hint)).answer
            if answer in ("found", "not_covered"):
                yield _cited_by(citing, span, checked=answer == "found")

    def outgoing(self, span: Span, day: date) -> Iterator[Cites]:
        """What a wording cites."""
        if span.provision is None:
            return
        for cited in self._corpus.references_in(self._work, span.provision):
            work = self._corpus.title_of_key(cited.key)
            if work is None or cited.portion is None:
                yield Cites(work or cited.title, work is not None, cited.portion, None, None)
                continue
            number, made = cited.portion.number, _made(span, cited.hint)
            answer = self._corpus.timeline(work, number).version_at(made).answer
            now = self._now(work, number, made, day) if answer == "found" else None
            yield Cites(work, True, cited.portion, answer, now if now != number else None)

    def _citing(self, number: ProvisionNumber, days: DateRange) -> Iterator[tuple[Span, Citing]]:
        """The spans, of some of the days, of the wordings that cite a number of the law."""
        for citing in self._corpus.references_to(self._work, number):
            for span in self._corpus.timeline(citing.work, citing.number).spans:
                same = span.provision is not None and span.provision.text == citing.text
                if same and span.window.overlaps(days):
                    yield span, citing

    def _now(
        self, work: str, number: ProvisionNumber, made: date, day: date
    ) -> ProvisionNumber | None:
        """The number an article of one day has on another; ``None`` where it cannot be followed."""
        editions = self._numbers_on(work, number, made).items()
        return next((one for window, one in editions if day in window), None)


def numbers_by_edition(
    corpus: Corpus, work: str, number: ProvisionNumber, day: date
) -> Mapping[DateRange, ProvisionNumber]:
    """The number an article of one day has in each edition of its law that it is found in."""
    editions = corpus.editions(work)
    place = next((i for i, span in enumerate(editions) if day in span.window), None)
    if place is None:
        return {}
    remembered = _FOLLOWED.setdefault(corpus, LRUCache(_MOST_FOLLOWED))
    key = (corpus.snapshot(), work, number, place)
    with _ONE_AT_A_TIME:
        known = remembered.get(key)
    if known is None:
        known = _followed(corpus, number, editions, place)
        with _ONE_AT_A_TIME:
            remembered[key] = known
    return known


def _followed(
    corpus: Corpus, number: ProvisionNumber, editions: Sequence[Span], place: int
) -> Mapping[DateRange, ProvisionNumber]:
    texts = [corpus.provisions(span.version) for span in editions if span.version]
    found = {editions[place].window: number}
    for order in (range(place, -1, -1), range(place, len(editions))):
        followed = follow(number, [texts[i] for i in order])
        reached = zip(list(order)[1:], followed.numbers[1:], strict=False)
        found.update({editions[i].window: one for i, one in reached})
    return found


def _made(span: Span, hint: str) -> date:
    """The day whose law the words mean: their first, or the end of the year they name."""
    year = _YEAR.match(hint)
    first = span.window.start
    return date(int(year[0]), 12, 31) if year and int(year[0]) < first.year else first


def _cited_by(citing: Citing, span: Span, *, checked: bool) -> CitedBy:
    return CitedBy(
        citing.work,
        citing.number,
        kind_of(citing.work),
        span.window,
        (citing.portion,),
        checked,
    )
