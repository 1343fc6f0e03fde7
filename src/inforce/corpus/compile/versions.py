"""What a compilation gives: versions, what became of every article and of every clause."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import date
from typing import Literal

from inforce.law.model import VersionText
from inforce.law.numerals import ProvisionNumber

Status = Literal["applied", "confirmed", "refused", "failed", "noted"]
"""``confirmed``: an assertion of the instrument (…相应修改为) that the result agrees with.
``failed``: one that it does not agree with. ``noted``: no article changes (an annex, a name of a
crime, a repeal)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one clause."""

    instruction: str
    """The number of the point, e.g. ``十三（二）``."""
    text: str
    """The clause as printed, long quotations cut short."""
    status: Status
    reason: str = ""
    articles: tuple[str, ...] = ()
    """The articles it was applied to, or that are uncertain because it was refused."""
    unknown_text: bool = False
    """Whether it was refused only because the base text lacks the article."""


ChangeKind = Literal["unchanged", "amended", "renumbered", "inserted", "deleted", "merged"]
"""``renumbered`` with new wording as well is ``amended``; ``merged``: it became part of another."""

HOW = "how: compiled"
"""What the note of every compiled version begins with."""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one article."""

    old: ProvisionNumber | None
    new: ProvisionNumber | None
    kind: ChangeKind
    instructions: tuple[str, ...] = ()
    """The points of the instrument that did it."""

    @property
    def number(self) -> ProvisionNumber:
        """Of the article now; of a deleted one, as it was."""
        number = self.new or self.old
        assert number is not None, "a change of no article"
        return number


DifferenceKind = Literal["words", "marks", "variants", "untouched", "absent", "added"]
"""``marks``: only punctuation. ``variants``: only 帐 for 账 and the like. ``untouched``: no
instruction touched the article since the base text, so an instrument is missing, or a copy is
wrong. ``absent``: the held text lacks it. ``added``: only the held text has it. ``words``:
everything else."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An article that a held text has otherwise than the compiled one."""

    number: ProvisionNumber
    kind: DifferenceKind
    compiled: str
    held: str
    explanation: str = ""
    """Why, where it is known; an unexplained difference is a failure."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A compiled version beside one held text of the same days."""

    held: str
    """The label and source of the held text."""
    equal: int
    """Articles with the same wording."""
    differences: tuple[Difference, ...]
    not_compared: tuple[ProvisionNumber, ...] = ()
    """Articles one of the two is known to lack (holes)."""

    @property
    def unexplained(self) -> tuple[Difference, ...]:
        """The differences for which there is no explanation."""
        return tuple(difference for difference in self.differences if not difference.explanation)


@dataclass(frozen=True, slots=True)
class StaleReference:
    """A reference within the law to an article that has another number, or none, now."""

    where: ProvisionNumber
    text: str
    to: ProvisionNumber
    now: ProvisionNumber | None

    def __str__(self) -> str:
        now = f"now {self.now.chinese}" if self.now else "which was deleted"
        return f"{self.where.chinese} says {self.text}: {self.to.chinese}, {now}"


@dataclass(frozen=True, slots=True)
class CompiledVersion:
    """A consolidated version, and how every part of it came about."""

    text: VersionText
    instrument: str
    day: date
    outcomes: tuple[Outcome, ...]
    changes: tuple[Change, ...]
    _: KW_ONLY
    notes: tuple[str, ...] = ()
    annexes: tuple[tuple[str, str], ...] = ()
    """Annexes the instrument restated, which no version holds as provisions."""
    own_rules: tuple[str, ...] = ()
    """Points of the instrument that are rules of their own and change no text."""
    stale_references: tuple[StaleReference, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    is_published: bool = False
    """Whether a published text that is held whole begins on its day."""

    @property
    def refused(self) -> tuple[Outcome, ...]:
        """The clauses that were not applied, or whose assertion failed."""
        return tuple(
            outcome for outcome in self.outcomes if outcome.status in ("refused", "failed")
        )


@dataclass(frozen=True, slots=True)
class Unapplied:
    """An instrument from which no version could be made, and why."""

    instrument: str
    day: date | None
    reason: str
    outcomes: tuple[Outcome, ...] = ()
    changes_text: bool = True
    """Whether the law reads otherwise from that day on, in a way that is not known."""


@dataclass(frozen=True, slots=True)
class Repeal:
    """An instrument that repeals the law, and the first day on which it is no longer in force."""

    instrument: str
    day: date


@dataclass(frozen=True, slots=True)
class Gap:
    """A text held from a day on which no instrument that was compiled changed the law."""

    day: date
    held: str
    """The label and source of the text."""
    numbers: tuple[ProvisionNumber, ...]
    """The articles it has otherwise than the version in force until then."""
    is_last: bool
    """Whether no version was compiled after it: then the instruments may only end earlier."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """A law compiled from a base text and the instruments that amended it."""

    base: VersionText
    """The text started from; it ends where the first version begins, or the law is changed in a
    way that is not known."""
    versions: tuple[CompiledVersion, ...]
    unapplied: tuple[Unapplied, ...] = ()
    corrections: tuple[str, ...] = ()
    """Slips of the instruments that were corrected, by the reviewed list."""
    repealed: Repeal | None = None
    ended: tuple[VersionText, ...] = ()
    """Other texts held that said no end; each with the one that the compilation shows."""
    gaps: tuple[Gap, ...] = ()
    """Where an instrument is missing, as the texts held show."""
    passed_over: tuple[str, ...] = ()
    """Instruments that were not applied because they are not about this text, with the reason."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What became of every clause of every instrument."""
        made = [outcome for version in self.versions for outcome in version.outcomes]
        return (*made, *(outcome for failed in self.unapplied for outcome in failed.outcomes))
