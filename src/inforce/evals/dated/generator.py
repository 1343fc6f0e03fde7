"""Dated questions from a corpus: both sides of a change, the days around it, one question at many.

Questions are only asked about days whose text nobody can quarrel about: windows with stated dates,
not contradicted by another source (`inforce.scoring.dating.is_well_dated`), and not after
today. The same corpus, plan and day give the same questions.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from operator import itemgetter
from random import Random
from typing import Final

from inforce.dates import DateRange
from inforce.evals.dated.meaning import ChangesMeaning
from inforce.evals.dated.questions import FORMS, Dated, DatedQuestion, Kind, OtherWording, put
from inforce.evals.dated.revisions import Revision, revisions
from inforce.law.model import same_wording
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import provision_id
from inforce.library import Library
from inforce.scoring.dating import is_well_dated, wording_of

OFFSETS: Final = (-2, -1, 0, 1, 2)
"""Days from a change that are asked about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which questions to make."""

    laws: tuple[str, ...] = ()
    """Only of these laws, by any name they go by; all that are held where none is named."""
    count: int | None = None
    """At most so many questions. What belongs together (two sides of a change, five days, a
    series) is made whole or not at all."""
    dates: int = 5
    """Dates of a series."""
    seed: int = 1


def generate(
    library: Library, plan: Plan = Plan(), *, changes_meaning: ChangesMeaning | None = None
) -> tuple[DatedQuestion, ...]:
    """The dated questions of a corpus, sorted by law, article and date.

    Args:
        library: the laws, and what day it is.
        plan: which questions to make.
        changes_meaning: asked about revisions the rules find insignificant.

    Raises:
        UnknownWorkError: if the plan names a law the corpus has never heard of.
    """
    changes = _changes(library, plan, changes_meaning)
    chosen: dict[str, DatedQuestion] = {}
    for together in _sets(changes, plan, library.clock()):
        more = chosen | {one.id: one for one in together}
        if plan.count is None or len(more) <= plan.count:
            chosen = more
        if len(chosen) == plan.count:
            break
    return tuple(sorted(chosen.values(), key=_place))


def _place(one: DatedQuestion) -> tuple[str, ProvisionNumber, date, str, str]:
    dated = one.dated
    number = ProvisionNumber.parse(dated.number)
    return dated.law, number, dated.as_of.start, dated.kind, one.id


def _changes(
    library: Library, plan: Plan, changes_meaning: ChangesMeaning | None
) -> list[Revision]:
    """Every significant revision, in an order of chance that the seed fixes."""
    corpus, today = library.corpus, library.clock()
    works = sorted({corpus.resolve(name) for name in plan.laws} or corpus.titles())
    found = [
        revision
        for work in works
        for timeline in corpus.timelines(work)
        if timeline.number.kind == "article"
        for revision in revisions(timeline, until=today, changes_meaning=changes_meaning)
    ]
    Random(plan.seed).shuffle(found)
    return _laws_in_turn(found)


def _laws_in_turn(changes: Sequence[Revision]) -> list[Revision]:
    """One change of each law, then a second of each: a small number is not all of one law."""
    seen: Counter[str] = Counter()
    turns: list[tuple[int, Revision]] = []
    for change in changes:
        seen[change.timeline.work] += 1
        turns.append((seen[change.timeline.work], change))
    return [change for _, change in sorted(turns, key=itemgetter(0))]


def _sets(
    changes: Sequence[Revision], plan: Plan, today: date
) -> Iterator[tuple[DatedQuestion, ...]]:
    """What belongs together, change by change; a series once a provision."""
    asked: set[tuple[str, str]] = set()
    for change in changes:
        made = _Maker(change, plan, today)
        yield made.both_sides()
        yield made.days_around()
        provision = change.timeline.work, change.timeline.number.iri
        if provision not in asked:
            asked.add(provision)
            yield made.series()


@dataclass(frozen=True, slots=True)
class _Together:
    """What makes questions one set."""

    kind: Kind
    group: str = ""
    size: int = 1


class _Maker:
    """Makes the questions of one change."""

    def __init__(self, change: Revision, plan: Plan, today: date) -> None:
        self._change = change
        self._timeline = change.timeline
        self._plan = plan
        self._known = DateRange(date.min, DateRange.day(today).end)

    def both_sides(self) -> tuple[DatedQuestion, ...]:
        """A month of the old wording, and one of the new."""
        chance = self._chance("plain")
        sides = (self._change.before, self._change.after)
        days = [self._month_in(span.window, chance) for span in sides]
        alone = _Together("plain")
        return tuple(self._question(alone, one, chance.choice(FORMS)) for one in days)

    def days_around(self) -> tuple[DatedQuestion, ...]:
        """Five days around the change; none where one of them is not well known."""
        chance, first = self._chance("boundary"), self._change.first_day
        if (first - date.min).days < -min(OFFSETS):
            return ()
        days = [DateRange.day(first + timedelta(offset)) for offset in OFFSETS]
        if not all(self._is_known(day) for day in days):
            return ()
        around = _Together("boundary", self._group("boundary", first.isoformat()), len(days))
        form = chance.choice(FORMS)
        return tuple(
            self._question(around, day, form, offset=offset)
            for day, offset in zip(days, OFFSETS, strict=True)
        )

    def series(self) -> tuple[DatedQuestion, ...]:
        """The same question at several dates, spread over the wordings there were."""
        chance = self._chance("series")
        days = sorted(self._spread(chance))
        if len(days) < 2:
            return ()
        form = chance.choice(FORMS)
        same = _Together("series", self._group("series", str(self._plan.seed)), len(days))
        return tuple(self._question(same, day, form) for day in days)

    def _spread(self, chance: Random) -> set[DateRange]:
        """Days of different wordings in turn, so that none has many before each has one."""
        spans = [one for one in self._timeline.spans if is_well_dated(self._timeline, one)]
        windows = [shared for one in spans if (shared := one.window.intersection(self._known))]
        chance.shuffle(windows)
        days: set[DateRange] = set()
        for turn in range(self._plan.dates * 4):
            if len(days) == self._plan.dates:
                break
            days.add(_day_in(windows[turn % len(windows)], chance))
        return days

    def _month_in(self, window: DateRange, chance: Random) -> DateRange:
        """A whole month of a window, or a day of it where the month is not wholly inside."""
        shared = window.intersection(self._known)
        assert shared is not None  # a revision has taken effect
        day = _day_in(shared, chance)
        month = _month_of(day.start)
        return month if month.intersection(shared) == month else day

    def _is_known(self, day: DateRange) -> bool:
        found = self._timeline.versions_in(day).found
        well_dated = bool(found) and is_well_dated(self._timeline, found[0])
        return well_dated and day.overlaps(self._known)

    def _question(
        self, together: _Together, days: DateRange, form: str, *, offset: int | None = None
    ) -> DatedQuestion:
        timeline = self._timeline
        span = timeline.versions_in(days).found[0]
        dated = Dated(
            kind=together.kind,
            law=timeline.work,
            number=timeline.number.short,
            as_of=days,
            version=provision_id(timeline, span),
            valid_from=span.window.start,
            valid_to=span.window.end,
            others=tuple(_others(timeline, span)),
            group=together.group,
            size=together.size,
            offset=offset,
            reasons=self._change.reasons,
        )
        words = put(form, timeline.work, timeline.number.chinese, days)
        return DatedQuestion(words, wording_of(span), dated)

    def _chance(self, kind: Kind) -> Random:
        """Chance of its own for each set, so that one more law changes no other question."""
        return Random(f"{self._plan.seed}/{self._group(kind, self._change.first_day.isoformat())}")

    def _group(self, kind: Kind, which: str) -> str:
        named = f"{self._timeline.work}\x1f{self._timeline.number.iri}\x1f{which}"
        return f"{kind}_{hashlib.sha256(named.encode()).hexdigest()[:12]}"


def _others(timeline: Timeline, right: Span) -> Iterator[OtherWording]:
    """Every wording of the provision that is not the right one, however its days are known."""
    for span in timeline.spans:
        if span.state == "in_force" and not same_wording(wording_of(span), wording_of(right)):
            yield OtherWording(
                id=provision_id(timeline, span),
                valid_from=span.window.start,
                valid_to=span.window.end,
                text=wording_of(span),
            )


def _day_in(window: DateRange, chance: Random) -> DateRange:
    last = window.last
    assert last is not None  # today bounds it
    return DateRange.day(window.start + timedelta(chance.randint(0, (last - window.start).days)))


def _month_of(day: date) -> DateRange:
    first = day.replace(day=1)
    following = (first + timedelta(31)).replace(day=1)
    return DateRange(first, following)
