"""The correctness of the citations in the answers of a run, for the days of their questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from inforce.dates import read_case_dates
from inforce.evals.benchmark import Record
from inforce.library import Library
from inforce.verification.findings import FindingKind


@dataclass(frozen=True, slots=True)
class CitationsOfRun:
    """Counts over the citations and quotations in a run's answers."""

    answers: int
    findings: int
    right: int
    wrong: int
    counts: dict[FindingKind, int]

    @property
    def share_right(self) -> float | None:
        """The share of right ones among those that could be checked; ``None`` if none could."""
        checked = self.right + self.wrong
        return self.right / checked if checked else None


def verify_run(library: Library, records: Sequence[Record]) -> CitationsOfRun:
    """Check the answers of a run, each under the law of the days its question mentions.

    An answer to a question without days is checked under today's law.
    """
    counts: Counter[FindingKind] = Counter()
    right = wrong = 0
    answered = [one for one in records if one.answer.strip()]
    for record in answered:
        days = read_case_dates(record.question, clock=library.clock).hull
        for finding in library.verify(record.answer, on=days).findings:
            counts[finding.kind] += 1
            right += finding.is_right
            wrong += finding.is_wrong
    return CitationsOfRun(len(answered), counts.total(), right, wrong, dict(sorted(counts.items())))
