"""The case of one provision, and the decision which of its wordings governs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inforce.dates import CaseDates, Conduct, DateRange
from inforce.law import rules
from inforce.law.applicability.days import RelevantDays
from inforce.law.penalties.amounts import CaseFacts
from inforce.law.rules import Reference, Rule
from inforce.law.timeline import Span, Timeline

Verdict = Literal["decided", "cannot_decide"]

ReachedCases = Literal["pending", "filed", "facts", "unstated"]
"""The cases a judicial interpretation says it is applied in: those not finally decided when it
commences (``pending``), those filed since, those of facts since, or it does not say."""


@dataclass(frozen=True, slots=True)
class Applicability:
    """Which wording of a provision governs, with the rule and what is left to judge."""

    verdict: Verdict
    rule: Rule
    """The rule that decided; where nothing could be decided, the rule that asks the question."""
    governing: DateRange | None
    """The days to look the law up at; ``None`` where it cannot be decided."""
    span: Span | None
    """What the provision said then; its state says if it was absent or is not covered."""
    reasons: tuple[str, ...]
    """Why, in sentences; what would have to be known where it cannot be decided."""
    alternatives: tuple[Span, ...] = ()
    """Every wording that comes into question where it cannot be decided, in order of time."""
    caveats: tuple[Rule, ...] = ()
    """Rules that may still displace the result and need a person's judgement."""
    steps: tuple[str, ...] = ()
    """How a penalty was compared: amounts, thresholds with their sources, what was assumed."""
    establish: tuple[str, ...] = ()
    """What a person has to establish where it cannot be decided."""
    authority: tuple[Reference, ...] = ()
    """Provisions on the reach of laws that decide here and are to be read themselves."""
    counted: RelevantDays | None = None
    """The days of the case that counted, and the event they are the days of."""

    @property
    def governs(self) -> bool:
        """Whether this provision, in some known wording, was found to govern."""
        return self.span is not None and self.span.state == "in_force"

    @property
    def wordings(self) -> tuple[Span, ...]:
        """The wording that governs, or all that come into question."""
        chosen = (self.span,) if self.span else self.alternatives
        return tuple(span for span in chosen if span.state == "in_force")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One provision, the days of the facts that count for it, and what else is known."""

    timeline: Timeline
    facts: DateRange
    trial: DateRange | None
    conduct: Conduct
    dates: CaseDates | None = None
    """All dates of the case; ``None`` where only the facts and the trial are known."""
    about: CaseFacts = CaseFacts()
    reached_cases: ReachedCases = "unstated"
    counterpart: Span | None = None
    """What the rule reads at the trial, where the law was renumbered since the facts."""
    former_offences: tuple[Timeline, ...] = ()
    """What punished the conduct before, where the provision is a new crime."""

    @property
    def wordings(self) -> tuple[Span, ...]:
        """What the provision said during the facts: more than one if it changed meanwhile."""
        return self.timeline.versions_in(self.facts).spans

    @property
    def at_trial(self) -> tuple[Span, ...]:
        """What the rule says at the trial: more than one if it changed within its days."""
        if self.trial is None:
            return ()
        if self.counterpart:
            return (self.counterpart,)
        return self.timeline.versions_in(self.trial).spans

    @property
    def last_step(self) -> DateRange | None:
        """The last day on which the case is known to have been pending."""
        steps = self.dates.of("investigation", "filing", "decision") if self.dates else ()
        return max(steps, key=lambda days: days.start, default=None)

    @property
    def changed_later(self) -> bool:
        """Whether the provision is known to have changed after the facts."""
        begun = self.wordings[-1].window.start
        return any(span.window.start > begun for span in self.timeline.spans)

    @property
    def lasted(self) -> bool:
        """Whether the facts lasted, or were repeated, over their days."""
        return self.conduct != "unknown"


def decided(
    rule: Rule, days: DateRange, span: Span, *reasons: str, caveats: tuple[Rule, ...] = ()
) -> Applicability:
    """Return a decision; the reason of an absent or uncovered span is added."""
    why = (*reasons, *([span.reason] if span.reason else []))
    return Applicability("decided", rule, days, span, why, caveats=caveats)


def undecided(
    rule: Rule, *reasons: str, between: tuple[Span, ...], caveats: tuple[Rule, ...] = ()
) -> Applicability:
    """Return that nothing can be decided, with the wordings that come into question."""
    return Applicability("cannot_decide", rule, None, None, reasons, between, caveats)


def changed_meanwhile(spans: Sequence[Span], of: str) -> str:
    """The reason why nothing can be decided where the provision changed within some days."""
    days = ", ".join(span.window.start.isoformat() for span in spans[1:])
    return (
        f"the provision changed within the days of the {of} ({days}); establish on which side of "
        f"the change the {of} lies, or that it lasted across it"
    )


def alike(span: Span, other: Span) -> bool:
    """Whether two spans are known to say the same, or to say nothing."""
    return "uncovered" not in (span.state, other.state) and span.text == other.text


def by_time_of_facts(case: Case, rule: Rule) -> Applicability:
    """立法法 art. 104: laws do not reach back, save to protect rights better."""
    favourable = (rules.MORE_FAVOURABLE,) if case.changed_later else ()
    first, *others = case.wordings
    if others:
        reason = changed_meanwhile(case.wordings, "facts")
        return undecided(rule, reason, between=case.wordings, caveats=favourable)
    return decided(rule, case.facts, first, caveats=favourable)
