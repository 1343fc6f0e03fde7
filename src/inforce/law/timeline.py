"""The timeline of one provision: what it said when, and where nobody can know.

Every version of a law that refers to a provision makes a *claim*: from this day to that day it read
so, or it did not exist. Claims may overlap, contradict each other, or lack dates. `build_timeline`
turns them into *spans* that cover the whole calendar without overlap and without a silent gap: each
day is in force (with a text), absent (the law had no such provision) or uncovered (this corpus
cannot know).

An open end means "until something later begins": the next text of the law ends the one before it,
whatever the evidence for either. Where two texts claim the same days the better-dated one wins, and
the other is listed in `Timeline.set_aside`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import reduce

from inforce.dates import ALWAYS, DateRange
from inforce.law.model import DateStatus, Provision, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.spans import (
    Answer,
    Begin,
    Claim,
    Lookup,
    SetAside,
    Span,
    SpanState,
    Timeline,
    Unheld,
    grade,
    says,
    text_of,
    usable_window,
)

__all__ = [
    "Answer",
    "Begin",
    "Claim",
    "Lookup",
    "SetAside",
    "Span",
    "SpanState",
    "Timeline",
    "TimelineBuilder",
    "Unheld",
    "build_timeline",
]


def build_timeline(
    work: str,
    number: ProvisionNumber,
    claims: Iterable[Claim],
    *,
    commenced: date | None = None,
    last_known_end: date | None = None,
    passed: date | None = None,
    unheld: Sequence[Unheld] = (),
) -> Timeline:
    """Turn claims about one provision into a partition of the calendar.

    Args:
        work: the work's title.
        number: the provision.
        claims: what each version held says of it; versions that do not refer to it make none.
        commenced: the first day the work was ever in force, where known; days before are absent.
        last_known_end: the day the whole work ceased to be in force, where that is known.
        passed: the day the work was first made, where known; it was not in force before.
        unheld: the days of texts that are not held, for the reasons of uncovered days.
    """
    life = _Life(commenced, passed, last_known_end, tuple(unheld))
    return _built(work, number, claims, life)


class TimelineBuilder:
    """Builds the timelines of the provisions of one law, of which most texts are one text.

    Where a single version says something of a provision, its days are those of the version: they
    are worked out once. The arguments are those of `build_timeline`.
    """

    def __init__(
        self,
        work: str,
        *,
        commenced: date | None = None,
        last_known_end: date | None = None,
        passed: date | None = None,
        unheld: Sequence[Unheld] = (),
    ) -> None:
        self._work = work
        self._life = _Life(commenced, passed, last_known_end, tuple(unheld))
        self._single: dict[int, tuple[Version, Timeline]] = {}
        """The timeline of the first provision of which one version alone says something, by the
        identity of the version, which is kept alive with it."""

    def build(self, number: ProvisionNumber, claims: Iterable[Claim]) -> Timeline:
        """The timeline of one provision, from what each version held says of it."""
        claims = tuple(claims)
        if len(claims) != 1 or claims[0].provision is None:
            return _built(self._work, number, claims, self._life)
        [claim] = claims
        known = self._single.get(id(claim.version))
        if known is None:
            timeline = _built(self._work, number, claims, self._life)
            self._single[id(claim.version)] = (claim.version, timeline)
            return timeline
        return _of_another(known[1], number, claim)


def _of_another(timeline: Timeline, number: ProvisionNumber, claim: Claim) -> Timeline:
    """The timeline of a single claim for another provision of the same version."""
    return Timeline(
        timeline.work,
        number,
        tuple(
            span if span.provision is None else replace(span, provision=claim.provision)
            for span in timeline.spans
        ),
        tuple(replace(aside, claim=claim) for aside in timeline.set_aside),
    )


def _built(work: str, number: ProvisionNumber, claims: Iterable[Claim], life: _Life) -> Timeline:
    ranked = sorted(claims, key=_rank)
    resolver = _Resolver(ranked)
    for claim in ranked:
        resolver.add(claim)
    resolver.name_still_shown()
    found = (piece.witnessed() for piece in resolver.pieces)
    pieces = _coalesce(sorted(found, key=lambda span: span.window.start))
    spans = _begun(_bridged(_fill(pieces, life)), life)
    return Timeline(work, number, tuple(spans), tuple(resolver.set_aside))


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
        _days_before(version.source.as_of),
        _days_before(version.promulgated),
        version.key,
    )


def _days_before(day: date | None) -> int:
    """Orders later days first, those not known last."""
    return 0 if day is None else -day.toordinal()


@dataclass(slots=True, eq=False)
class _Piece:
    """A span while its witnesses are gathered."""

    span: Span
    further: list[Version] = field(default_factory=list[Version])

    def witnessed(self) -> Span:
        span, further = self.span, self.further
        if not further:
            return span
        days = [span.as_of]
        if span.window.end is None:
            days += [version.validity.as_of for version in further]
        as_of = max((day for day in days if day is not None), default=None)
        return replace(span, witnesses=(*span.witnesses, *further), as_of=as_of)


class _Resolver:
    """Takes claims best-dated first and keeps, for each day, the first that refers to it."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.pieces: list[_Piece] = []
        self.set_aside: list[SetAside] = []
        begun = [(_begun_on(claim.version), claim.version.promulgated) for claim in claims]
        self._ended: list[tuple[Claim, date]] = []
        """Claims with the first day on which they no longer hold."""
        self._begun = sorted({(day, made) for day, made in begun if day is not None}, key=_first)

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
        overlapped = [piece for piece in self.pieces if piece.span.window.overlaps(window)]
        agreeing = [piece for piece in overlapped if says(piece.span, claim.text)]
        if len(agreeing) < len(overlapped):
            winner = next(piece.span for piece in overlapped if piece not in agreeing)
            self._set_aside_contradicted(claim, winner, agrees_elsewhere=bool(agreeing))
            status = "presumed"
        for piece in agreeing:
            piece.further.append(claim.version)
        for days in _remainder(window, [piece.span.window for piece in overlapped]):
            self.pieces.append(_Piece(_span(claim, days, status)))

    def name_still_shown(self) -> None:
        """Set aside what a source showed in force after a later text with other words had begun."""
        for claim, end in self._ended:
            version = claim.version
            stated = version.stated or version.validity
            as_of = version.source.as_of or version.validity.as_of
            if stated.status != "open" or as_of is None or as_of < end:
                continue
            spans = (piece.span for piece in self.pieces)
            span = next((one for one in spans if end in one.window), None)
            if span is not None and span.version is not None and not says(span, claim.text):
                winner = Claim(span.version, span.provision)
                days = DateRange(end, as_of + timedelta(days=1))
                self.set_aside.append(SetAside(claim, "still shown", winner, days))

    def _next_start(self, version: Version) -> date | None:
        """The day the next text began: one made by the same act is the same text elsewhere."""
        begun = version.validity.start or version.promulgated
        assert begun is not None
        for day, made in self._begun:
            if day > begun and (made is None or made != version.promulgated):
                return day
        return None

    def _set_aside_undated(self, claim: Claim) -> None:
        unknown_end = claim.version.validity.status == "unknown"
        same = (piece for piece in self.pieces if claim.text and text_of(piece.span) == claim.text)
        if (piece := next(same, None)) is not None:
            piece.further.append(claim.version)
        self.set_aside.append(SetAside(claim, "end unknown" if unknown_end else "start unknown"))

    def _set_aside_contradicted(
        self, claim: Claim, winner: Span, *, agrees_elsewhere: bool
    ) -> None:
        assert winner.version is not None
        self.set_aside.append(
            SetAside(
                claim,
                "dates differ" if agrees_elsewhere else "text differs",
                Claim(winner.version, winner.provision),
            )
        )


def _begun_on(version: Version) -> date | None:
    """The day from which a text ended any that was open before it.

    A later text whose own end is unknown never answers, yet it ended the one before it.
    """
    validity = version.validity
    return validity.start or (version.promulgated if validity.status == "open" else None)


def _first(begun: tuple[date, date | None]) -> date:
    return begun[0]


def _span(claim: Claim, window: DateRange, status: DateStatus) -> Span:
    version, validity = claim.version, claim.version.validity
    absent = claim.provision is None
    presumed = validity.start_presumed or validity.start is None
    return Span(
        window,
        "absent" if absent else "in_force",
        claim.provision,
        version,
        status,
        (version,),
        f"{version.work}（{version.label}）has no such provision" if absent else "",
        begins="presumed" if presumed and window.start == validity_start(version) else "changed",
        end_presumed=status == "presumed",
        as_of=validity.as_of if window.end is None else None,
        begins_by=validity.begins_by,
        ends_by=validity.ends_by if window.end == validity.end else "the next text held",
    )


def validity_start(version: Version) -> date | None:
    """The first day a version claims: of one without a known commencement, its promulgation."""
    return version.validity.start or version.promulgated


_HALF_WIDTH = re.compile("[,:;()?!]")


def _better_set(left: Provision | None, right: Provision | None) -> Provision | None:
    """Of two copies of one wording the one in official print, of equals the later one."""
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
    return left.state == right.state and says(left, text_of(right))


def _joined(run: Sequence[Span]) -> Span:
    first, last = run[0], run[-1]
    return replace(
        first,
        provision=reduce(_better_set, (span.provision for span in run)),
        window=DateRange(first.window.start, last.window.end),
        date_status=last.date_status,
        witnesses=tuple(dict.fromkeys(one for span in run for one in span.witnesses)),
        end_presumed=last.end_presumed,
        as_of=last.as_of,
        ends_by=last.ends_by,
        bridged=tuple(days for span in run for days in span.bridged),
    )


@dataclass(frozen=True, slots=True)
class _Life:
    """What is known of the law apart from its texts."""

    commenced: date | None
    passed: date | None
    ended: date | None
    unheld: tuple[Unheld, ...]


def _fill(pieces: Sequence[Span], life: _Life) -> list[Span]:
    """Declare every day no piece refers to: before commencement, after the end, or not covered."""
    blanks = _remainder(ALWAYS, [piece.window for piece in pieces])
    declared = [span for blank in blanks for span in _declare(blank, life)]
    return sorted([*pieces, *declared], key=lambda span: span.window.start)


def _declare(blank: DateRange, life: _Life) -> list[Span]:
    spans: list[Span] = []
    rest: DateRange | None = blank
    first = life.commenced or life.passed
    if first and rest and rest.start < first:
        before = rest.intersection(DateRange(date.min, first))
        if before:
            reason = f"the law first came into force on {first.isoformat()}"
            if life.commenced is None:
                reason = f"the law was first made on {first.isoformat()}"
            spans.append(Span(before, "absent", reason=reason))
        rest = rest.intersection(DateRange(first, None))
    if life.ended and rest:
        after = rest.intersection(DateRange(life.ended, None))
        if after:
            reason = f"the law ceased to be in force on {life.ended.isoformat()}"
            spans.append(Span(after, "absent", reason=reason))
        rest = rest.intersection(DateRange(date.min, life.ended)) if life.ended > date.min else None
    if rest:
        spans.append(Span(rest, "uncovered", reason=_why_uncovered(rest, life.unheld)))
    return spans


_NAMED_REASONS = 2


def _why_uncovered(blank: DateRange, unheld: Sequence[Unheld]) -> str:
    """Which acts made the texts that are missing for these days, as far as that is known."""
    whys = list(dict.fromkeys(one.why for one in unheld if one.window.overlaps(blank)))
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


def _begun(spans: Sequence[Span], life: _Life) -> list[Span]:
    """Say of each span what its first day is."""
    said: list[Span] = []
    for place, span in enumerate(spans):
        before = spans[place - 1] if place else None
        if span.version is None or before is None:
            said.append(span)
        elif span.begins == "presumed":
            status = "presumed" if span.date_status in ("exact", "open") else span.date_status
            said.append(replace(span, date_status=status))
        elif before.state == "uncovered":
            since = life.commenced or life.passed
            since = since if since is not None and since < span.window.start else None
            said.append(replace(span, begins="held", law_since=since))
        elif before.version is None and span.window.start == life.commenced:
            said.append(replace(span, begins="commenced"))
        else:
            said.append(span)
    return said
