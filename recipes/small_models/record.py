"""The results of a training run, as they are stored and compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from inforce.documents.json_records import json_value
from inforce.files import write_file
from small_models.task import Measures

FILE = "run.json"


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices that distinguish one run from another."""

    kind: str
    """The condition that the task compares: ``search``, ``no search``."""
    seed: int = 0
    steps: int = 40
    alpha: float = 0.0
    """Strength of entropy-based advantage shaping; 0: none."""

    @property
    def condition(self) -> str:
        """Name of the condition in tables, the same for runs that differ only in their seed.

        >>> Choices("search", alpha=0.1).condition
        'search, EAS 0.1'
        """
        return f"{self.kind}, EAS {self.alpha:g}" if self.alpha else self.kind

    @property
    def name(self) -> str:
        """Name of the run's folder: condition, steps and seed.

        >>> Choices("search", seed=2, alpha=0.1).name
        'search-eas-0.1-40-steps-seed-2'
        """
        return f"{slug(self.condition)}-{self.steps}-steps-seed-{self.seed}"


@dataclass(frozen=True, slots=True)
class Progress:
    """Figures of one step of training, of the policy before it learnt from the step."""

    step: int
    measures: Measures


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Choices of a run, its evaluations on held-out questions, and its progress."""

    choices: Choices
    parameters: int
    device: str
    questions: int
    """Number of held-out questions."""
    before: Measures
    """Evaluation after the warm start; episodes are drawn as in training."""
    after: Measures
    progress: tuple[Progress, ...]
    seconds: dict[str, float]
    """By part of the run, the time before an interruption included."""
    greedy: Measures = field(default_factory=dict[str, float | None])
    """Evaluation after training at temperature 0: always the most probable token."""


def slug(words: str) -> str:
    """Return words as part of a folder's name.

    >>> slug("all sources, EAS 0.1")
    'all-sources-eas-0.1'
    """
    return re.sub(r"[^\w.]+", "-", words.lower())


def write_record(record: RunRecord, folder: Path) -> None:
    """Store a record in the folder of its run."""
    write_file(folder / FILE, msgspec.json.format(msgspec.json.encode(record)), private=True)


def read_record(folder: Path) -> RunRecord | None:
    """Read the record from a run's folder; ``None`` if the run is not finished.

    Raises:
        InputError: if the file is no record.
    """
    path = folder / FILE
    if not path.exists():
        return None
    return json_value(path, RunRecord, what="the record of a run")


def read_records(folder: Path) -> Sequence[RunRecord]:
    """Read the records of all runs in a folder, by condition and seed; raises InputError."""
    found = (read_record(path.parent) for path in folder.glob(f"*/{FILE}"))
    return sorted(filter(None, found), key=lambda one: (one.choices.condition, one.choices.seed))
