"""Wordings of a provision whose dates are beyond dispute; questions are built on them."""

from __future__ import annotations

from datetime import date

from inforce.law.model import DateEvidence
from inforce.law.timeline import SetAside, Span, Timeline

_STATED: tuple[DateEvidence, ...] = ("instrument", "register", "clause")
"""Sources of dates that are good enough for a question."""


def is_well_dated(timeline: Timeline, span: Span) -> bool:
    """True if the wording of a provision on the days of a span is beyond dispute.

    Its first and last day are stated, not presumed, and no other source of the corpus contradicts
    it.
    """
    if span.state != "in_force" or span.version is None or span.window.start == date.min:
        return False
    stated = span.version.validity.evidence in _STATED and span.date_status in ("exact", "open")
    return stated and not any(_contradicts(aside, span) for aside in timeline.set_aside)


def _contradicts(aside: SetAside, span: Span) -> bool:
    window = aside.claim.version.validity.window
    differs = aside.reason in ("text differs", "dates differ")
    return differs and (window is None or window.overlaps(span.window))


def wording_of(span: Span) -> str:
    """The text of a span in force."""
    assert span.provision is not None
    return span.provision.text
