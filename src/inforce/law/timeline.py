"""The timeline of one provision: what it said on every day, and on which days nobody can know.

`inforce.law.timeline_builder` makes timelines from what the versions of a law say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from inforce.dates import DateRange
from inforce.law.model import EVIDENCE_RANK, DateStatus, Provision, Version, same_wording
from inforce.law.numerals import ProvisionNumber

Answer = Literal["found", "not_in_force", "not_found", "not_covered"]
"""The four answers to "what did this provision say then?"."""

SpanState = Literal["in_force", "absent", "uncovered"]

Begin = Literal["changed", "commenced", "held", "presumed"]
"""What the first day of a span is.

``changed``: the words, or the law, were others the day before. ``commenced``: the law itself came
into force. ``held``: the texts held begin there; the words may be older. ``presumed``: the text was
made then, and when it came into force is not known.
"""


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
class Unheld:
    """Days of a text of the law that is known to have existed and is not held."""

    window: DateRange
    why: str
    """A sentence that names the act."""


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
    begins: Begin = "changed"
    law_since: date | None = None
    """Where the texts held begin: the first day the law is known to have existed, if older."""
    as_of: date | None = None
    """Without an end: the last day on which a source is known to have shown it in force."""
    begins_by: str = ""
    """The evidence for the first day, in a phrase."""
    ends_by: str = ""
    """The evidence for the last day, in a phrase."""
    end_presumed: bool = False
    """Whether the last day is presumed: a text in between that is not held cannot be excluded."""
    bridged: tuple[DateRange, ...] = ()
    """Days inside the window for which no text is held; the words before and after are the same."""

    @property
    def text(self) -> str | None:
        """The wording; ``None`` where the provision did not exist or is not covered."""
        return self.provision.text if self.provision else None

    def says(self, text: str | None) -> bool:
        """Whether the span has this wording (``None``: no text at all)."""
        if self.text is None or text is None:
            return self.text is text
        return same_wording(self.text, text)


SetAsideReason = Literal[
    "start unknown", "end unknown", "dates differ", "text differs", "still shown"
]
"""``still shown``: a later text ended it, but its source shows it still in force after that."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A claim that did not decide, and why."""

    claim: Claim
    reason: SetAsideReason
    winner: Claim | None = None
    days: DateRange | None = None
    """On which it was still shown."""

    @property
    def is_as_well_dated(self) -> bool:
        """Whether the text that is shown instead is no better dated."""
        winner = self.winner
        return winner is not None and grade(winner.version) >= grade(self.claim.version)


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
    contradicted: tuple[SetAside, ...] = ()
    """Other texts of the same days, which the better-dated one that is shown contradicts."""

    @property
    def found(self) -> tuple[Span, ...]:
        """The spans in force within ``as_of``: more than one if the text changed inside it."""
        return tuple(span for span in self.spans if span.state == "in_force")

    @property
    def changes(self) -> tuple[date, ...]:
        """The days inside ``as_of`` on which the state or wording changed."""
        return tuple(span.window.start for span in self.spans[1:])

    @property
    def as_far_as_known(self) -> date | None:
        """The last day anything is known of, where the days asked for go beyond it."""
        last = self.spans[-1] if self.spans else None
        if last is None or last.state != "in_force" or last.as_of is None:
            return None
        beyond = self.as_of.last is None or self.as_of.last > last.as_of
        return last.as_of if beyond else None


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
        reason, candidates = "", ()
        if answer != "found":
            state = "uncovered" if answer == "not_covered" else "absent"
            reason = next((span.reason for span in spans if span.state == state), "")
            candidates = self._candidates(as_of)
        return Lookup(
            answer,
            self.work,
            self.number,
            as_of,
            spans,
            reason,
            candidates,
            self._contradicted(as_of, spans),
        )

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

    def _contradicted(self, as_of: DateRange, shown: Sequence[Span]) -> tuple[SetAside, ...]:
        held = [span for span in shown if span.version is not None]
        return tuple(
            aside
            for aside in self.set_aside
            if aside.winner is not None
            and (window := aside.days or usable_window(aside.claim.version)) is not None
            and any(
                (days := span.window.intersection(window)) is not None
                and days.overlaps(as_of)
                and not span.says(aside.claim.text)
                for span in held
            )
        )


_STATUS_RANK: dict[DateStatus, int] = {
    "exact": 0,
    "open": 0,
    "at_least": 0,
    "presumed": 1,
    "unknown": 2,
}


def grade(version: Version) -> tuple[int, int]:
    """How well a record is dated: the lower the better."""
    validity, stated = version.validity, version.stated or version.validity
    evidence = min(EVIDENCE_RANK[validity.evidence], EVIDENCE_RANK[stated.evidence])
    return _STATUS_RANK[validity.status], evidence


def usable_window(version: Version) -> DateRange | None:
    """The days a version may answer for, an open end not yet ended by what came later.

    A text still in force whose commencement nobody states is counted from its promulgation: it
    cannot have begun earlier, and the span says ``presumed``.
    """
    validity = version.validity
    if validity.start is None and validity.status == "open" and version.promulgated:
        return DateRange(version.promulgated, None)
    return validity.window


def _may_overlap(version: Version, as_of: DateRange) -> bool:
    """Whether a version whose dates are incomplete could have been in force within ``as_of``."""
    validity = version.validity
    start = validity.start or version.promulgated
    began = start is None or as_of.end is None or start < as_of.end
    over = validity.end is not None and validity.end <= as_of.start
    return began and not over
