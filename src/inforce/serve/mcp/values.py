"""The results of tools: flat values, with the days in the words of a lawyer.

A shortened text states the number of characters left out; a shortened list that of its entries.
The resource of a wording has the whole text.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from inforce.answering.today import Since
from inforce.law.applicability import Verdict
from inforce.law.timeline import Answer, SpanState
from inforce.verification.findings import FindingKind


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool returns."""


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """What a provision said, and when."""

    resource: str
    """Has the whole text."""
    in_force: str
    """The days, and how sure they are."""
    first_day: date | None
    last_day: date | None
    """`None`: no end is known."""
    version: str
    instrument: str
    """What made it so."""
    text: str
    omitted_characters: int
    caveats: tuple[str, ...]
    """To be mentioned with it."""


class OfProvision(Result, frozen=True, kw_only=True):
    """What is known of a provision: one of the four answers."""

    answer: Answer
    meaning: str
    law: str
    provision: str
    reason: str = ""
    suggestions: tuple[str, ...] = ()
    """Titles of laws that may have been meant."""


class LawAtDate(OfProvision, frozen=True, kw_only=True):
    """What a provision said at a date."""

    as_of: str = ""
    wordings: tuple[Wording, ...] = ()
    """More than one where it changed within the days asked for."""
    called: tuple[str, ...] = ()
    """Names in official use then; no part of the law."""
    afterwards: str = ""
    """What follows these days; empty: nothing that is known."""
    caveats: tuple[str, ...] = ()


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Days on which a provision read one way, did not exist, or cannot be known."""

    state: SpanState
    days: str
    wording: Wording | None
    reason: str


class ProvisionHistory(OfProvision, frozen=True, kw_only=True):
    """Every wording a provision ever had."""

    stretches: tuple[Stretch, ...] = ()
    omitted_stretches: int = 0
    other_numbers: tuple[str, ...] = ()
    """Where the same rule is under other numbers: computed from the texts, not stated by law."""


class Compared(OfProvision, frozen=True, kw_only=True):
    """A provision at two dates; the answer is that of the earlier unless it is `found`."""

    earlier: LawAtDate | None = None
    later: LawAtDate | None = None
    changed_share: float | None = None
    """Of the characters; `None`: the two dates do not have one wording each."""
    difference: str = ""
    """The words deleted as [-…-], inserted as {+…+}."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A provision that a search found."""

    law: str
    provision: str
    chance: float
    """That it is one of the provisions that answer, 0 to 1."""
    wording: Wording


class SearchedLaw(Result, frozen=True, kw_only=True):
    """The provisions that answer a question, under the law of a date."""

    days: str
    days_from: Literal["as_of", "question", "today", "any"]
    conflict: str
    hits: tuple[Found, ...]
    omitted_hits: int
    answerable: float
    """The chance that law held here answers the question, 0 to 1."""
    not_held: tuple[str, ...]
    """Laws the question names and this corpus does not hold: nothing is known of them here."""
    searched: str
    caveats: tuple[str, ...]


class Governing(msgspec.Struct, frozen=True, kw_only=True):
    """A provision that governed, by which rule, and what became of it."""

    law: str
    provision: str
    verdict: Verdict
    wordings: tuple[Wording, ...]
    """Several where the rules cannot decide between them."""
    rule: str
    reasons: tuple[str, ...]
    to_establish: tuple[str, ...]
    """What a person has to find out."""
    see_also: tuple[str, ...]
    limitation: tuple[str, ...]
    today: Since
    today_provision: str
    today_difference: str


class NotQuoted(msgspec.Struct, frozen=True, kw_only=True):
    """A provision that did not apply then."""

    answer: Answer
    law: str
    provision: str
    reason: str
    rule: str
    later: str


class Asked(Result, frozen=True, kw_only=True):
    """What governed, and why; no conclusion is drawn."""

    days: str
    days_from: Literal["as_of", "question", "today", "any"]
    conflict: str
    governing: tuple[Governing, ...]
    """Empty: nothing held here speaks to the question."""
    not_quoted: tuple[NotQuoted, ...]
    limitation: tuple[str, ...]
    not_held: tuple[str, ...]
    searched: str
    caveats: tuple[str, ...]


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What is so, or not so, of a citation or quotation."""

    kind: FindingKind
    meaning: str
    where: str
    text: str
    cites: str
    explained: tuple[str, ...]


class VerifiedText(Result, frozen=True, kw_only=True):
    """What was found in a text, worst first."""

    outcome: Literal["right", "wrong", "not_checked"]
    counts: dict[str, int]
    findings: tuple[Checked, ...]
    omitted_findings: int
    not_read: tuple[str, ...]
    checked_against: str
