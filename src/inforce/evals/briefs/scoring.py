"""How many of the known errors of documents are found, and how often what is right is accused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inforce.evals.briefs.generator import EXPECTED, Brief, Item, SeededError
from inforce.verification.findings import Finding, Verified

_SHOWN = 200
"""Examples of mistakes stored."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """An error that was not found, or something right that was accused."""

    text: str
    error: SeededError | None
    found: tuple[str, ...]
    """What was found there: kind, subject and reason."""


@dataclass(slots=True)
class Scores:
    """Counts over documents; `share` and the like are of them."""

    errors: Counter[SeededError] = field(default_factory=Counter[SeededError])
    found: Counter[SeededError] = field(default_factory=Counter[SeededError])
    """Errors in whose paragraph something is said to be wrong."""
    named: Counter[SeededError] = field(default_factory=Counter[SeededError])
    """Errors that are named for what they are."""
    unchecked: Counter[SeededError] = field(default_factory=Counter[SeededError])
    """Errors that were not found, and not passed: not checked."""
    right: int = 0
    accused: int = 0
    """Right citations of which something is said to be wrong."""
    right_unchecked: int = 0
    mistakes: list[Mistake] = field(default_factory=list[Mistake])

    @property
    def recall(self) -> float:
        """The share of errors that were found."""
        return self.found.total() / self.errors.total() if self.errors else 0.0

    @property
    def precision(self) -> float:
        """The share of accused paragraphs in which something is wrong."""
        accused = self.found.total() + self.accused
        return self.found.total() / accused if accused else 0.0

    @property
    def false_alarms(self) -> float:
        """The share of right paragraphs that were accused."""
        return self.accused / self.right if self.right else 0.0

    def add(self, brief: Brief, verified: Verified) -> None:
        """Count one document."""
        for item in brief.items:
            findings = tuple(_about(item, verified.findings))
            wrong = [one for one in findings if one.is_wrong]
            unchecked = any(one.kind == "not_checked" for one in findings)
            if item.error is None:
                self.right += 1
                self.accused += bool(wrong)
                self.right_unchecked += bool(not wrong and (unchecked or not findings))
                missed = bool(wrong)
            else:
                self.errors[item.error] += 1
                self.found[item.error] += bool(wrong)
                self.named[item.error] += any(one.kind in EXPECTED[item.error] for one in wrong)
                self.unchecked[item.error] += bool(not wrong and unchecked)
                missed = not wrong
            if missed and len(self.mistakes) < _SHOWN:
                said = tuple(f"{one.kind} {one.subject} {one.reason}".strip() for one in findings)
                self.mistakes.append(Mistake(brief.text[item.start : item.end], item.error, said))


def _about(item: Item, findings: Iterable[Finding]) -> Iterator[Finding]:
    for one in findings:
        if one.start < item.end and item.start < one.end:
            yield one
