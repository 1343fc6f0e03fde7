"""Dated questions from a corpus: both sides of an amendment, the days around it, many dates.

Questions are only asked about days whose text is beyond dispute: with stated dates, not
contradicted by another source (`inforce.scoring.dating.is_well_dated`), and not after today. The
same corpus, plan and day give the same questions.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from operator import itemgetter
from random import Random
from typing import Final

from inforce.dates import DateRange
from inforce.evals.dated.questions import (
    FORMS,
    NUMBER_FORM,
    Dated,
    DatedQuestion,
    Kind,
    OtherWording,
    day_in_words,
)
from inforce.evals.dated.revisions import (
    LEAST_SHARED,
    Change,
    ChangesMeaning,
    Revision,
    Side,
    revisions,
)
from inforce.law.alignment import similarity
from inforce.law.model import same_wording
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import provision_id
from inforce.library import Library
from inforce.scoring.dating import is_well_dated, wording_of

OFFSETS: Final = (-2, -1, 0, 1, 2)
"""Days from a change that get a question."""

_RARE: Final[tuple[Change, ...]] = ("threshold", "renamed")

_LEAST_WORDINGS = 3
"""Wordings of a series: two are covered by the months on both sides of a change."""

_LONGEST_RULE = 300
"""Characters of a rule in a question for its number: the question quotes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The questions to make."""

    laws: tuple[str, ...] = ()
    """Only of these laws, by any of their names; empty: all laws of the corpus."""
    count: int | None = None
    """The most questions. A set (two sides of a change, five days, a series) is made whole or not
    at all."""
    dates: int = 5
    """Dates of a series."""
    rare: int = 1
    """Changed thresholds and renamed crimes of a law in each turn; of other changes one."""
    seed: int = 1


def generate(
    library: Library,
    plan: Plan = Plan(),
    *,
    changes_meaning: ChangesMeaning | None = None,
    progress: Callable[[int], None] = lambda laws: None,
) -> tuple[DatedQuestion, ...]:
    """Make the dated questions of a corpus, sorted by law, article and date.

    Raises:
        UnknownWorkError: if the plan names a law the corpus has never heard of.
    """
    changes = _changes(library, plan, changes_meaning, progress)
    chosen: dict[str, DatedQuestion] = {}
    for questions in _sets(changes, plan, library.clock()):
        more = chosen | {one.id: one for one in questions}
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
    library: Library,
    plan: Plan,
    changes_meaning: ChangesMeaning | None,
    progress: Callable[[int], None],
) -> list[Revision]:
    """Every significant revision, in a random order that the seed fixes."""
    corpus, today = library.corpus, library.clock()
    works = sorted({corpus.resolve(name) for name in plan.laws} or corpus.titles())
    found: list[Revision] = []
    for work in works:
        found += revisions(
            (one for one in corpus.timelines(work) if one.number.kind == "article"),
            until=today,
            changes_meaning=changes_meaning,
            names=corpus.captions(work),
        )
        progress(1)
    Random(plan.seed).shuffle(found)
    return _in_turn(found, plan.rare)


def _in_turn(changes: Sequence[Revision], rare: int) -> list[Revision]:
    """One change of each kind of each law, then a second: a small number spans many laws.

    Of the rare kinds as many in each turn as the plan says.
    """
    seen: Counter[tuple[str, Change]] = Counter()
    turns: list[tuple[int, Revision]] = []
    for change in changes:
        of = (change.law, change.change)
        turns.append((seen[of] // (rare if change.change in _RARE else 1), change))
        seen[of] += 1
    return [change for _, change in sorted(turns, key=itemgetter(0))]


def _sets(
    changes: Sequence[Revision], plan: Plan, today: date
) -> Iterator[tuple[DatedQuestion, ...]]:
    """The sets of questions, change by change; one series for each provision."""
    drawn: set[tuple[str, str]] = set()
    for change in changes:
        maker = _Maker(change, plan, today)
        if change.change == "moved":
            yield maker.numbers()
            continue
        yield maker.both_sides()
        if change.keeps_number:
            yield maker.days_around()
        provision = change.law, change.after.timeline.number.iri
        if provision not in drawn:
            drawn.add(provision)
            yield maker.series()


@dataclass(frozen=True, slots=True)
class _Set:
    """A set of questions that belong together."""

    kind: Kind
    group: str = ""
    size: int = 1


class _Maker:
    """Makes the questions of one change."""

    def __init__(self, change: Revision, plan: Plan, today: date) -> None:
        self._change = change
        self._timeline = change.after.timeline
        self._plan = plan
        self._known = DateRange(date.min, DateRange.day(today).end)

    def both_sides(self) -> tuple[DatedQuestion, ...]:
        """A month of the old wording, and one of the new, each under its number then."""
        chance = self._chance("plain")
        alone = _Set("plain")
        return tuple(
            self._question(
                alone,
                self._month_in(side.span.window, chance),
                chance.choice(FORMS),
                timeline=side.timeline,
            )
            for side in (self._change.before, self._change.after)
        )

    def numbers(self) -> tuple[DatedQuestion, ...]:
        """The number of a rule on a day before it moved, and on one after; short rules only."""
        chance, change = self._chance("number"), self._change
        if len(change.after.text) > _LONGEST_RULE:
            return ()
        both = _Set("number", self._group("number", change.first_day.isoformat()), 2)
        sides = (change.before, change.after)
        days = [self._month_in(side.span.window, chance) for side in sides]
        return tuple(self._number(both, side, day) for side, day in zip(sides, days, strict=True))

    def _number(self, both: _Set, side: Side, days: DateRange) -> DatedQuestion:
        others = tuple(
            replace(one, text=other.timeline.number.chinese)
            for other, one in self._elsewhere(side.timeline)
        )
        dated = self._dated(both, side.timeline, side.span, days, others)
        words = NUMBER_FORM.format(
            time=day_in_words(days), law=side.timeline.work, text=side.text.strip()
        )
        return DatedQuestion(words, side.timeline.number.chinese, dated)

    def days_around(self) -> tuple[DatedQuestion, ...]:
        """Five days around the change; none if one of them is not well dated."""
        chance, first = self._chance("boundary"), self._change.first_day
        if (first - date.min).days < -min(OFFSETS):
            return ()
        days = [DateRange.day(first + timedelta(offset)) for offset in OFFSETS]
        for day in days:
            found = self._timeline.versions_in(day).found
            well_dated = bool(found) and is_well_dated(self._timeline, found[0])
            if not (well_dated and day.overlaps(self._known)):
                return ()
        around = _Set("boundary", self._group("boundary", first.isoformat()), len(days))
        form = chance.choice(FORMS)
        return tuple(
            self._question(around, day, form, offset=offset)
            for day, offset in zip(days, OFFSETS, strict=True)
        )

    def series(self) -> tuple[DatedQuestion, ...]:
        """The same question at several dates, spread over the wordings there were."""
        chance = self._chance("series")
        days = sorted(self._spread(chance))
        if len(days) < _LEAST_WORDINGS:
            return ()
        form = chance.choice(FORMS)
        same = _Set("series", self._group("series", str(self._plan.seed)), len(days))
        return tuple(self._question(same, day, form) for day in days)

    def _spread(self, chance: Random) -> set[DateRange]:
        """Days of different wordings in turn, so that each has one before any has many."""
        spans = [one for one in self._timeline.spans if self._is_of_the_rule(one)]
        windows = [shared for one in spans if (shared := one.window.intersection(self._known))]
        if len(windows) < _LEAST_WORDINGS:
            return set()
        chance.shuffle(windows)
        days: set[DateRange] = set()
        for turn in range(self._plan.dates * 4):
            if len(days) == self._plan.dates:
                break
            days.add(_day_in(windows[turn % len(windows)], chance))
        return days

    def _is_of_the_rule(self, span: Span) -> bool:
        """True if the number was that of this rule then; in a renumbered law it was another's."""
        if not is_well_dated(self._timeline, span):
            return False
        return similarity(wording_of(span), self._change.after.text) >= LEAST_SHARED

    def _month_in(self, window: DateRange, chance: Random) -> DateRange:
        """A whole month of a window, or a day of it if the month is not wholly inside."""
        shared = window.intersection(self._known)
        assert shared is not None  # a revision has taken effect
        day = _day_in(shared, chance)
        first = day.start.replace(day=1)
        month = DateRange(first, (first + timedelta(31)).replace(day=1))
        return month if month.intersection(shared) == month else day

    def _question(
        self,
        of: _Set,
        days: DateRange,
        form: str,
        *,
        offset: int | None = None,
        timeline: Timeline | None = None,
    ) -> DatedQuestion:
        timeline = timeline or self._timeline
        span = timeline.versions_in(days).found[0]
        elsewhere = (one for _, one in self._elsewhere(timeline))
        others = (*_others(timeline, span), *elsewhere)
        dated = self._dated(of, timeline, span, days, others, offset=offset)
        number, time = timeline.number, day_in_words(days)
        words = form.format(time=time, law=timeline.work, article=number.chinese)
        return DatedQuestion(words, wording_of(span), dated)

    def _elsewhere(self, timeline: Timeline) -> Iterator[tuple[Side, OtherWording]]:
        """The rule on the other side of the change, if it had another number there."""
        for side in (self._change.before, self._change.after):
            if side.timeline.number != timeline.number:
                yield side, _wording(side.timeline, side.span)

    def _dated(
        self,
        of: _Set,
        timeline: Timeline,
        span: Span,
        days: DateRange,
        others: tuple[OtherWording, ...],
        *,
        offset: int | None = None,
    ) -> Dated:
        return Dated(
            kind=of.kind,
            law=timeline.work,
            number=timeline.number.short,
            as_of=days,
            version=provision_id(timeline, span),
            valid_from=span.window.start,
            valid_to=span.window.end,
            others=others,
            group=of.group,
            size=of.size,
            offset=offset,
            reasons=self._change.reasons,
            change=self._change.change,
            changed=round(self._change.changed, 4),
        )

    def _chance(self, kind: Kind) -> Random:
        """Random numbers of each set, so that a further law changes no other question."""
        return Random(f"{self._plan.seed}/{self._group(kind, self._change.first_day.isoformat())}")

    def _group(self, kind: Kind, which: str) -> str:
        named = f"{self._timeline.work}\x1f{self._timeline.number.iri}\x1f{which}"
        return f"{kind}_{hashlib.sha256(named.encode()).hexdigest()[:12]}"


def _others(timeline: Timeline, right: Span) -> Iterator[OtherWording]:
    """Every wording of the provision but the right one, also those with uncertain dates."""
    for span in timeline.spans:
        if span.state == "in_force" and not same_wording(wording_of(span), wording_of(right)):
            yield _wording(timeline, span)


def _wording(timeline: Timeline, span: Span) -> OtherWording:
    return OtherWording(
        id=provision_id(timeline, span),
        valid_from=span.window.start,
        valid_to=span.window.end,
        text=wording_of(span),
    )


def _day_in(window: DateRange, chance: Random) -> DateRange:
    last = window.last
    assert last is not None  # today bounds it
    return DateRange.day(window.start + timedelta(chance.randint(0, (last - window.start).days)))
