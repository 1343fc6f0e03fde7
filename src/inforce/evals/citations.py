"""How many citations of stored answers were right for the day: a measure of any run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from inforce.dates import DateRange, read_case_dates
from inforce.evals.benchmark import Record
from inforce.library import Library
from inforce.verification.findings import FindingKind


@dataclass(frozen=True, slots=True)
class CitationsOfRun:
    """What the citations and quotations of a run's answers come to."""

    answers: int
    findings: int
    right: int
    wrong: int
    counts: dict[FindingKind, int]

    @property
    def share_right(self) -> float | None:
        """Of those that could be checked; ``None`` where none could be."""
        checked = self.right + self.wrong
        return self.right / checked if checked else None


def days_asked_about(library: Library, question: str) -> DateRange:
    """The days a question is about: those it names, else today."""
    dates = read_case_dates(question, clock=library.clock)
    return dates.hull


def verify_run(library: Library, records: Sequence[Record]) -> CitationsOfRun:
    """Check the answers of a run, each under the law of the days its question is about."""
    counts: Counter[FindingKind] = Counter()
    right = wrong = 0
    answered = [one for one in records if one.answer.strip()]
    for record in answered:
        days = days_asked_about(library, record.question)
        for finding in library.verify(record.answer, on=days).findings:
            counts[finding.kind] += 1
            right += finding.is_right
            wrong += finding.is_wrong
    return CitationsOfRun(len(answered), counts.total(), right, wrong, dict(sorted(counts.items())))
