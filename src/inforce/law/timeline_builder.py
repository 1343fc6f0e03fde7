"""Building the timeline of a provision from what each version of its law says of it.

Every version of a law that refers to a provision makes a *claim*: from this day to that day it read
so, or it did not exist. Claims may overlap, contradict each other, or lack dates.
`TimelineBuilder.build` turns them into *spans* that cover the whole calendar without overlap and
without a silent gap: each day is in force (with a text), absent (the law had no such provision) or
uncovered (this corpus cannot know).

An open end means "until something later begins": the next text of the law ends the one before it,
whatever the evidence for either. Where two texts claim the same days the better-dated one wins, and
the other is listed in `Timeline.set_aside`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import reduce
from itertools import pairwise

from inforce.dates import ALWAYS, DateRange
from inforce.law.model import DateStatus, Provision, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import (
    Claim,
    SetAside,
    SetAsideReason,
    Span,
    Timeline,
    Unheld,
    grade,
    usable_window,
)


@dataclass(frozen=True)
class TimelineBuilder:
    """Builds the timelines of the provisions of one law.

    Most provisions occur in a single version of their law: their days are those of the version and
    are worked out once.
    """

    work: str
    """The title of the law."""
    commenced: date | None = None
    """The first day the law was ever in force, where known; it is absent on the days before."""
    passed: date | None = None
    """The day the law was first made, where known; it was not in force before."""
    ended: date | None = None
    """The first day the whole law was no longer in force, where known."""
    unheld: Sequence[Unheld] = ()
    """The days of texts that are not held, for the reasons of uncovered days."""
    _of_version: dict[int, tuple[Version, Timeline]] = field(
        default_factory=dict[int, tuple[Version, Timeline]], init=False, repr=False, compare=False
    )
    """The timeline of the first provision that one version alone has, by the identity of the
    version, which is kept alive with it."""

    def build(self, number: ProvisionNumber, claims: Iterable[Claim]) -> Timeline:
        """The timeline of one provision, from what each version that refers to it says of it."""
        claims = tuple(claims)
        if len(claims) != 1 or claims[0].provision is None:
            return self._build(number, claims)
        [claim] = claims
        if id(claim.version) not in self._of_version:
            timeline = self._build(number, claims)
            self._of_version[id(claim.version)] = claim.version, timeline
            return timeline
        _, same_days = self._of_version[id(claim.version)]
        spans = (
            span if span.provision is None else replace(span, provision=claim.provision)
            for span in same_days.spans
        )
        set_aside = (replace(aside, claim=claim) for aside in same_days.set_aside)
        return Timeline(self.work, number, tuple(spans), tuple(set_aside))

    def _build(self, number: ProvisionNumber, claims: Iterable[Claim]) -> Timeline:
        ranked = sorted(claims, key=_rank)
        resolver = _Resolver(ranked)
        for claim in ranked:
            resolver.add(claim)
        resolver.name_still_shown()
        claimed = _coalesce(sorted(resolver.spans, key=_start))
        spans = self._with_first_days(_bridged(self._filled(claimed)))
        return Timeline(self.work, number, tuple(spans), tuple(resolver.set_aside))

    def _filled(self, claimed: Sequence[Span]) -> list[Span]:
        """The spans with every other day declared absent or uncovered."""
        blanks = _remainder(ALWAYS, [span.window for span in claimed])
        declared = (span for blank in blanks for span in self._declared(blank))
        return sorted([*claimed, *declared], key=_start)

    def _declared(self, blank: DateRange) -> Iterator[Span]:
        """Days that no claim refers to: before the law, after its end, or not covered."""
        rest: DateRange | None = blank
        first = self.commenced or self.passed
        if first and blank.start < first:
            if before := blank.intersection(DateRange(date.min, first)):
                reason = f"the law first came into force on {first.isoformat()}"
                if self.commenced is None:
                    reason = f"the law was first made on {first.isoformat()}"
                yield Span(before, "absent", reason=reason)
            rest = blank.intersection(DateRange(first, None))
        if self.ended and rest:
            if after := rest.intersection(DateRange(self.ended, None)):
                reason = f"the law ceased to be in force on {self.ended.isoformat()}"
                yield Span(after, "absent", reason=reason)
            rest = next(iter(rest.minus(DateRange(self.ended, None))), None)
        if rest:
            yield Span(rest, "uncovered", reason=_why_uncovered(rest, self.unheld))

    def _with_first_days(self, spans: Sequence[Span]) -> Iterator[Span]:
        """The spans with what the first day of each is (`Span.begins`)."""
        yield from spans[:1]
        for before, span in pairwise(spans):
            if span.version is None:
                yield span
            elif span.begins == "presumed":
                status = "presumed" if span.date_status in ("exact", "open") else span.date_status
                yield replace(span, date_status=status)
            elif before.state == "uncovered":
                since = self.commenced or self.passed
                older = since if since is not None and since < span.window.start else None
                yield replace(span, begins="held", law_since=older)
            elif before.version is None and span.window.start == self.commenced:
                yield replace(span, begins="commenced")
            else:
                yield span


def _start(span: Span) -> date:
    return span.window.start


def _rank(claim: Claim) -> tuple[object, ...]:
    """Better-dated claims first; a whole text before an extract; then what is known later.

    Of two equally well dated records the closed one is the later news. The key fixes the order of
    what differs in nothing else.
    """
    version = claim.version
    validity, stated = version.validity, version.stated or version.validity
    return (
        grade(version),
        validity.status == "open",
        stated.start is None,
        len(version.holes) + (version.scope is not None),
        _later_first(version.source.as_of),
        _later_first(version.promulgated),
        version.key,
    )


def _later_first(day: date | None) -> int:
    """A sorting key: later days first, an unknown day last."""
    return 0 if day is None else -day.toordinal()


class _Resolver:
    """Takes claims best-dated first and keeps, for each day, the first that refers to it."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.spans: list[Span] = []
        self.set_aside: list[SetAside] = []
        self._ended: list[tuple[Claim, date]] = []
        """Claims with the first day on which they no longer hold."""
        begun = {(_begun_on(claim.version), claim.version.promulgated) for claim in claims}
        known = [(day, promulgated) for day, promulgated in begun if day is not None]
        self._begun = sorted(known, key=lambda begun: begun[0])
        """The first days of all texts, each with the day the text was promulgated."""

    def add(self, claim: Claim) -> None:
        window = usable_window(claim.version)
        if window is None:
            self._set_aside_undated(claim)
            return
        status = claim.version.validity.status
        later = self._next_start(claim.version) if status == "open" else None
        if later is not None:
            window, status = DateRange(window.start, later), "presumed"
        if window.end is not None:
            self._ended.append((claim, window.end))
        taken: list[DateRange] = []
        contradicting: Span | None = None
        agrees = False
        for at, span in enumerate(self.spans):
            if span.window.overlaps(window):
                taken.append(span.window)
                if span.says(claim.text):
                    self.spans[at], agrees = _witnessed(span, claim.version), True
                else:
                    contradicting = contradicting or span
        if contradicting is not None:
            reason = "dates differ" if agrees else "text differs"
            self._set_aside(claim, reason, contradicting)
            status = "presumed"
        self.spans += [_span(claim, days, status) for days in _remainder(window, taken)]

    def name_still_shown(self) -> None:
        """Set aside what a source showed in force after a later text with other words had begun."""
        for claim, end in self._ended:
            version = claim.version
            stated = version.stated or version.validity
            as_of = version.source.as_of or version.validity.as_of
            if stated.status != "open" or as_of is None or as_of < end:
                continue
            span = next((span for span in self.spans if end in span.window), None)
            if span is not None and span.version is not None and not span.says(claim.text):
                days = DateRange(end, as_of + timedelta(days=1))
                self._set_aside(claim, "still shown", span, days)

    def _next_start(self, version: Version) -> date | None:
        """The day the next text began: one made by the same act is the same text elsewhere."""
        begun = version.validity.start or version.promulgated
        assert begun is not None
        for day, promulgated in self._begun:
            if day > begun and (promulgated is None or promulgated != version.promulgated):
                return day
        return None

    def _set_aside_undated(self, claim: Claim) -> None:
        for at, span in enumerate(self.spans):
            if claim.text and span.text == claim.text:
                self.spans[at] = _witnessed(span, claim.version)
                break
        unknown_end = claim.version.validity.status == "unknown"
        reason = "end unknown" if unknown_end else "start unknown"
        self.set_aside.append(SetAside(claim, reason))

    def _set_aside(
        self, claim: Claim, reason: SetAsideReason, shown: Span, days: DateRange | None = None
    ) -> None:
        assert shown.version is not None
        winner = Claim(shown.version, shown.provision)
        self.set_aside.append(SetAside(claim, reason, winner, days))


def _begun_on(version: Version) -> date | None:
    """The day from which a text ended any that was open before it.

    A later text whose own end is unknown never answers, yet it ended the one before it.
    """
    validity = version.validity
    return validity.start or (version.promulgated if validity.status == "open" else None)


def _span(claim: Claim, window: DateRange, status: DateStatus) -> Span:
    version, validity = claim.version, claim.version.validity
    absent = claim.provision is None
    presumed = validity.start_presumed or validity.start is None
    claimed_from = validity.start or version.promulgated
    return Span(
        window,
        "absent" if absent else "in_force",
        claim.provision,
        version,
        status,
        (version,),
        f"{version.work}（{version.label}）has no such provision" if absent else "",
        begins="presumed" if presumed and window.start == claimed_from else "changed",
        end_presumed=status == "presumed",
        as_of=validity.as_of if window.end is None else None,
        begins_by=validity.begins_by,
        ends_by=validity.ends_by if window.end == validity.end else "the next text held",
    )


def _witnessed(span: Span, further: Version) -> Span:
    """The span with a further record that carries its wording."""
    days = [span.as_of]
    if span.window.end is None:
        days.append(further.validity.as_of)
    as_of = max((day for day in days if day is not None), default=None)
    return replace(span, witnesses=(*span.witnesses, further), as_of=as_of)


_HALF_WIDTH = re.compile("[,:;()?!]")


def _better_set(left: Provision | None, right: Provision | None) -> Provision | None:
    """The copy of a wording that is set as in official print; of equals the later."""
    if left is None or right is None or left.text == right.text:
        return right
    slips = [len(_HALF_WIDTH.findall(copy.text)) for copy in (left, right)]
    return left if slips[0] < slips[1] else right


def _remainder(window: DateRange, taken: Iterable[DateRange]) -> list[DateRange]:
    left = [window]
    for other in taken:
        left = [piece for part in left for piece in part.minus(other)]
    return left


def _coalesce(pieces: Sequence[Span]) -> list[Span]:
    """Join neighbours whose wording did not change; the earlier one's version began it."""
    runs: list[list[Span]] = []
    for piece in pieces:
        last = runs[-1][-1] if runs else None
        if last and last.window.end == piece.window.start and _same(last, piece):
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return [_joined(run) if len(run) > 1 else run[0] for run in runs]


def _same(left: Span, right: Span) -> bool:
    return left.state == right.state and left.says(right.text)


def _joined(run: Sequence[Span]) -> Span:
    first, last = run[0], run[-1]
    return replace(
        first,
        provision=reduce(_better_set, (span.provision for span in run)),
        window=DateRange(first.window.start, last.window.end),
        date_status=last.date_status,
        witnesses=tuple(dict.fromkeys(version for span in run for version in span.witnesses)),
        end_presumed=last.end_presumed,
        as_of=last.as_of,
        ends_by=last.ends_by,
        bridged=tuple(days for span in run for days in span.bridged),
    )


_NAMED_REASONS = 2


def _why_uncovered(blank: DateRange, unheld: Sequence[Unheld]) -> str:
    """The acts that made the texts missing for these days, as far as they are known."""
    whys = list(dict.fromkeys(missing.why for missing in unheld if missing.window.overlaps(blank)))
    if not whys:
        return "no text of the provision is held for these days"
    more = len(whys) - _NAMED_REASONS
    return "; ".join(whys[:_NAMED_REASONS]) + (f"; and {more} more" if more > 0 else "")


def _bridged(spans: Sequence[Span]) -> list[Span]:
    """Join spans with the same words over days of which no text is held."""
    joined: list[Span] = []
    for span in spans:
        left = joined[-2] if len(joined) > 1 else None
        between = joined[-1] if joined else None
        if (
            left is not None
            and between is not None
            and between.state == "uncovered"
            and left.version is not None
            and span.version is not None
            and _same(left, span)
        ):
            bridges = (*left.bridged, between.window, *span.bridged)
            joined[-2:] = [replace(_joined((left, span)), bridged=bridges)]
        else:
            joined.append(span)
    return joined
