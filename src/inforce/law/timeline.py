"""The timeline of one provision: what it said when, and where nobody can know.

Every version of a law that speaks of a provision makes a *claim*: from this day to that day it read
so, or it did not exist. Claims may overlap, contradict each other, or lack dates. `build_timeline`
turns them into *spans* that cover the whole calendar without overlap and without a silent gap: each
day is in force (with a text), absent (the law had no such provision) or uncovered (this corpus
cannot know). The better-dated claim wins; what lost is kept in `Timeline.set_aside`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from inforce.dates import ALWAYS, DateRange
from inforce.law.model import DateEvidence, DateStatus, Provision, Version, same_wording
from inforce.law.numerals import ProvisionNumber

Answer = Literal["found", "not_in_force", "not_found", "not_covered"]
"""The four answers to "what did this provision say then?"."""

SpanState = Literal["in_force", "absent", "uncovered"]

_STATUS_RANK: dict[DateStatus, int] = {"exact": 0, "open": 0, "presumed": 1, "unknown": 2}
_EVIDENCE_RANK: dict[DateEvidence, int] = {
    "instrument": 0,
    "register": 1,
    "clause": 2,
    "header": 3,
    "unstated": 4,
}


@dataclass(frozen=True, slots=True)
class Claim:
    """One version's statement about one provision: its text, or ``None`` if the law had none."""

    version: Version
    provision: Provision | None

    @property
    def text(self) -> str | None:
        """The wording claimed, or ``None`` for absence."""
        return self.provision.text if self.provision else None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of days on which a provision read one way, did not exist, or cannot be known."""

    window: DateRange
    state: SpanState
    provision: Provision | None = None
    version: Version | None = None
    """The version that began this wording (or this absence), as far as this corpus goes back."""
    date_status: DateStatus = "exact"
    """How well the span's end is known; ``presumed`` also where the start is only presumed."""
    witnesses: tuple[Version, ...] = ()
    """Every version record that carries this wording within the window, best dated first."""
    reason: str = ""
    """For absent and uncovered spans: why, in a sentence."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A claim that did not decide, and why."""

    claim: Claim
    reason: Literal["start unknown", "end unknown", "dates differ", "text differs"]
    winner: Claim | None = None


@dataclass(frozen=True, slots=True)
class Lookup:
    """The answer to a question about a provision at a date or over a range.

    ``spans`` are the pieces of the timeline inside ``as_of``, clipped to it only by relation (their
    windows are whole), in order of time. ``answer`` is ``found`` if any of them is in force.
    """

    answer: Answer
    work: str
    number: ProvisionNumber
    as_of: DateRange
    spans: tuple[Span, ...] = ()
    reason: str = ""
    candidates: tuple[Claim, ...] = ()
    """Texts held whose dates do not allow an answer: for a person to judge, never quoted as law."""

    @property
    def found(self) -> tuple[Span, ...]:
        """The spans in force within ``as_of``: more than one if the text changed inside it."""
        return tuple(span for span in self.spans if span.state == "in_force")

    @property
    def changes(self) -> tuple[date, ...]:
        """The days inside ``as_of`` on which the state or wording changed."""
        return tuple(span.window.start for span in self.spans[1:])


@dataclass(frozen=True, slots=True)
class Timeline:
    """What one provision said on every day there is."""

    work: str
    number: ProvisionNumber
    spans: tuple[Span, ...]
    set_aside: tuple[SetAside, ...] = ()

    def version_at(self, day: date) -> Lookup:
        """What the provision said on a day."""
        return self.versions_in(DateRange.day(day))

    def versions_in(self, as_of: DateRange) -> Lookup:
        """What the provision said during a range; all wordings if it changed inside."""
        spans = tuple(span for span in self.spans if span.window.overlaps(as_of))
        answer = self._answer(spans)
        reason = "" if answer == "found" else _first_reason(spans, answer)
        candidates = () if answer == "found" else self._candidates(as_of)
        return Lookup(answer, self.work, self.number, as_of, spans, reason, candidates)

    def _answer(self, spans: Sequence[Span]) -> Answer:
        states = {span.state for span in spans}
        if "in_force" in states:
            return "found"
        if "uncovered" in states:
            return "not_covered"
        return "not_in_force" if self._ever_existed else "not_found"

    @property
    def _ever_existed(self) -> bool:
        held = any(span.state == "in_force" for span in self.spans)
        return held or any(aside.claim.provision for aside in self.set_aside)

    def _candidates(self, as_of: DateRange) -> tuple[Claim, ...]:
        return tuple(
            aside.claim
            for aside in self.set_aside
            if aside.reason in ("start unknown", "end unknown")
            and aside.claim.provision
            and _may_overlap(aside.claim.version, as_of)
        )


def build_timeline(
    work: str,
    number: ProvisionNumber,
    claims: Iterable[Claim],
    *,
    commenced: date | None = None,
    last_known_end: date | None = None,
) -> Timeline:
    """Turn claims about one provision into a partition of the calendar.

    Args:
        work: the work's title.
        number: the provision.
        claims: what each version held says of it; versions that do not speak of it make none.
        commenced: the first day the work was ever in force, where known; days before are absent.
        last_known_end: the day the whole work ceased to be in force, where that is known.
    """
    resolver = _Resolver()
    for claim in sorted(claims, key=_rank):
        resolver.add(claim)
    pieces = _coalesce(sorted(resolver.pieces, key=lambda span: span.window.start))
    spans = _fill(pieces, commenced=commenced, ended=last_known_end)
    return Timeline(work, number, tuple(spans), tuple(resolver.set_aside))


def _rank(claim: Claim) -> tuple[int, int, bool, bool, int, str]:
    """Better-dated claims first; a whole text before an extract; then by key, so order is fixed.

    Of two equally well dated records the closed one is the later news.
    """
    version = claim.version
    validity = version.validity
    return (
        _STATUS_RANK[validity.status],
        _EVIDENCE_RANK[validity.evidence],
        validity.status == "open",
        validity.start is None,
        len(version.holes) + (version.scope is not None),
        version.key,
    )


class _Resolver:
    """Takes claims best-dated first and keeps, for each day, the first that speaks of it."""

    def __init__(self) -> None:
        self.pieces: list[Span] = []
        self.set_aside: list[SetAside] = []

    def add(self, claim: Claim) -> None:
        window, presumed = _usable_window(claim.version)
        if window is None:
            self._set_aside_undated(claim)
            return
        overlapped = [span for span in self.pieces if span.window.overlaps(window)]
        contradicted = [span for span in overlapped if not _says(span, claim.text)]
        if contradicted:
            self._set_aside_contradicted(claim, overlapped, contradicted)
        for span in overlapped:
            if _says(span, claim.text):
                self._witness(span, claim.version)
        status = "presumed" if presumed or contradicted else claim.version.validity.status
        for piece in _remainder(window, [span.window for span in overlapped]):
            self.pieces.append(_span(claim, piece, status))

    def _set_aside_undated(self, claim: Claim) -> None:
        unknown_end = claim.version.validity.status == "unknown"
        same = next(
            (span for span in self.pieces if claim.text and _text(span) == claim.text), None
        )
        if same is not None:
            self._witness(same, claim.version)
        self.set_aside.append(SetAside(claim, "end unknown" if unknown_end else "start unknown"))

    def _set_aside_contradicted(
        self, claim: Claim, overlapped: Sequence[Span], contradicted: Sequence[Span]
    ) -> None:
        agrees_elsewhere = len(contradicted) < len(overlapped)
        winner = contradicted[0]
        assert winner.version is not None
        self.set_aside.append(
            SetAside(
                claim,
                "dates differ" if agrees_elsewhere else "text differs",
                Claim(winner.version, winner.provision),
            )
        )

    def _witness(self, span: Span, version: Version) -> None:
        index = self.pieces.index(span)
        self.pieces[index] = replace(span, witnesses=(*span.witnesses, version))


def _usable_window(version: Version) -> tuple[DateRange | None, bool]:
    """The days a version may answer for, and whether its start is only presumed.

    A text still in force whose commencement nobody states is counted from its promulgation: it
    cannot have begun earlier, and the span says ``presumed``.
    """
    validity = version.validity
    if validity.start is None and validity.status == "open" and version.promulgated:
        return DateRange(version.promulgated, None), True
    return validity.window, False


def _span(claim: Claim, window: DateRange, status: DateStatus) -> Span:
    version = claim.version
    if claim.provision is None:
        reason = f"{version.work}（{version.label}）has no such provision"
        return Span(window, "absent", None, version, status, (version,), reason)
    return Span(window, "in_force", claim.provision, version, status, (version,))


def _text(span: Span) -> str | None:
    return span.provision.text if span.provision else None


_HALF_WIDTH = frozenset(",:;()?!")


def _better_set(left: Provision | None, right: Provision | None) -> Provision | None:
    """Of two copies of one wording the one in official print, of equals the later one."""
    if left is None or right is None:
        return right
    slips = [sum(char in _HALF_WIDTH for char in copy.text) for copy in (left, right)]
    return left if slips[0] < slips[1] else right


def _says(span: Span, text: str | None) -> bool:
    """Whether a span has this wording (``None``: no text at all)."""
    said = _text(span)
    return said == text or (said is not None and text is not None and same_wording(said, text))


def _remainder(window: DateRange, taken: Iterable[DateRange]) -> list[DateRange]:
    left = [window]
    for other in taken:
        left = [piece for part in left for piece in part.minus(other)]
    return left


def _coalesce(pieces: Sequence[Span]) -> list[Span]:
    """Join neighbours whose wording did not change; the earlier one's version began it."""
    joined: list[Span] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and last.window.end == piece.window.start and _same(last, piece):
            joined[-1] = _join(last, piece)
        else:
            joined.append(piece)
    return joined


def _same(left: Span, right: Span) -> bool:
    return left.state == right.state and _says(left, _text(right))


def _join(left: Span, right: Span) -> Span:
    status = "presumed" if left.date_status == "presumed" else right.date_status
    return replace(
        left,
        provision=_better_set(left.provision, right.provision),
        window=DateRange(left.window.start, right.window.end),
        date_status=status,
        witnesses=tuple(dict.fromkeys((*left.witnesses, *right.witnesses))),
    )


def _fill(pieces: Sequence[Span], *, commenced: date | None, ended: date | None) -> list[Span]:
    """Declare every day no piece speaks of: before commencement, after the end, or not covered."""
    known = [(piece.window, piece) for piece in pieces]
    blanks = _remainder(ALWAYS, [window for window, _ in known])
    filled = [piece for _, piece in known]
    for blank in blanks:
        filled.extend(_declare(blank, commenced=commenced, ended=ended))
    return sorted(filled, key=lambda span: span.window.start)


def _declare(blank: DateRange, *, commenced: date | None, ended: date | None) -> list[Span]:
    spans: list[Span] = []
    rest: DateRange | None = blank
    if commenced and rest and rest.start < commenced:
        before = rest.intersection(DateRange(date.min, commenced))
        if before:
            reason = f"the law first came into force on {commenced.isoformat()}"
            spans.append(Span(before, "absent", reason=reason))
        rest = rest.intersection(DateRange(commenced, None))
    if ended and rest:
        after = rest.intersection(DateRange(ended, None))
        if after:
            reason = f"the law ceased to be in force on {ended.isoformat()}"
            spans.append(Span(after, "absent", reason=reason))
        rest = rest.intersection(DateRange(date.min, ended)) if ended > date.min else None
    if rest:
        spans.append(
            Span(rest, "uncovered", reason="no text of the provision is held for these days")
        )
    return spans


def _first_reason(spans: Sequence[Span], answer: Answer) -> str:
    wanted = "uncovered" if answer == "not_covered" else "absent"
    return next((span.reason for span in spans if span.state == wanted), "")


def _may_overlap(version: Version, as_of: DateRange) -> bool:
    """Whether a version whose dates are incomplete could have been in force within ``as_of``."""
    validity = version.validity
    start = validity.start or version.promulgated
    began = start is None or as_of.end is None or start < as_of.end
    over = validity.end is not None and validity.end <= as_of.start
    return began and not over
