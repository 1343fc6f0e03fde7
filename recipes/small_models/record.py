"""What a run of training came to, as it is stored and compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from inforce.documents.json_records import json_value
from inforce.files import write_file
from small_models.task import Measures

FILE = "run.json"


@dataclass(frozen=True, slots=True)
class Choices:
    """What distinguishes one run from another."""

    kind: str
    """What the task compares: ``search``, ``no search``."""
    seed: int = 0
    steps: int = 40
    alpha: float = 0.0
    """Of entropy-based advantage shaping; 0: none."""

    @property
    def condition(self) -> str:
        """Its name in tables; runs that differ in their seed alone share it.

        >>> Choices("search", alpha=0.1).condition
        'search, EAS 0.1'
        """
        return f"{self.kind}, EAS {self.alpha:g}" if self.alpha else self.kind

    @property
    def name(self) -> str:
        """A folder's name: condition, steps and seed.

        >>> Choices("search", seed=2, alpha=0.1).name
        'search-eas-0.1-40-steps-seed-2'
        """
        return f"{slug(self.condition)}-{self.steps}-steps-seed-{self.seed}"


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of training, of the policy before it learnt from the step."""

    step: int
    measures: Measures


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run: what was chosen, how the policy did on held-out questions, and how it got there."""

    choices: Choices
    parameters: int
    device: str
    questions: int
    """Held out."""
    before: Measures
    """After the warm start."""
    after: Measures
    progress: tuple[Progress, ...]
    seconds: dict[str, float]
    """By part of the run; what was computed before an interruption is counted."""


def slug(words: str) -> str:
    """Words as part of a folder's name.

    >>> slug("all sources, EAS 0.1")
    'all-sources-eas-0.1'
    """
    return re.sub(r"[^\w.]+", "-", words.lower())


def write_record(record: RunRecord, folder: Path) -> None:
    """Store a record in the folder of its run; it appears whole or not at all."""
    write_file(folder / FILE, msgspec.json.format(msgspec.json.encode(record)), private=True)


def read_record(folder: Path) -> RunRecord | None:
    """The record of a run that is done, from its folder.

    Raises:
        InputError: naming the file, if it is no record.
    """
    path = folder / FILE
    if not path.exists():
        return None
    return json_value(path, RunRecord, what="the record of a run")


def read_records(folder: Path) -> Sequence[RunRecord]:
    """The records of all runs in a folder, by condition and seed; raises InputError."""
    found = (read_record(path.parent) for path in folder.glob(f"*/{FILE}"))
    known = (one for one in found if one)
    return sorted(known, key=lambda one: (one.choices.condition, one.choices.seed))
