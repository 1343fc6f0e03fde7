"""What a training run of temporal search came to, as it is kept and compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import msgspec

from inforce.errors import InputError
from inforce.train.episodes import Question
from inforce.train.trajectory import Trajectory

FILE = "run.json"


@dataclass(frozen=True, slots=True)
class Choices:
    """What distinguishes one run from another."""

    seed: int = 0
    steps: int = 40
    alpha: float = 0.0
    """Of entropy-based advantage shaping; 0: none."""
    has_search: bool = True
    """Without the statute search, the policy answers from memory."""

    @property
    def condition(self) -> str:
        """Its name in tables; runs that differ in their seed alone share it."""
        search = "search" if self.has_search else "no search"
        return f"{search}, EAS {self.alpha:g}" if self.alpha else search

    @property
    def name(self) -> str:
        """A folder's name: condition, steps and seed.

        >>> Choices(seed=2, alpha=0.1).name
        'search-eas-0.1-40-steps-seed-2'
        """
        condition = self.condition.replace(", EAS ", "-eas-").replace(" ", "-")
        return f"{condition}-{self.steps}-steps-seed-{self.seed}"


@dataclass(frozen=True, slots=True)
class Examined:
    """How a policy did on questions; shares from 0 to 1."""

    questions: int
    reward: float
    past: float | None
    """Reward where a version governs that is no longer in force; ``None`` without such questions.
    Who leaves the day out of the query cannot answer these."""
    present: float | None
    """Reward where today's version governs."""
    tool_calls: float
    """An episode."""
    dated: float | None
    """Share of the queries that name a time; ``None`` without queries."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of training, of the policy before it learnt from the step."""

    step: int
    reward: float | None
    tool_calls: float
    dated: float | None
    entropy: float | None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run: what was chosen, how the policy did on held-out articles, and how it got there."""

    choices: Choices
    parameters: int
    device: str
    before: Examined
    """After the warm start."""
    after: Examined
    progress: tuple[Progress, ...]
    seconds: dict[str, float]
    """Warm start, training, examinations."""


def examined(trajectories: Sequence[Trajectory], questions: Sequence[Question]) -> Examined:
    """How episodes went, one a question, in the order of the questions.

    Raises:
        ValueError: if they do not belong together, or none was rewarded.
    """
    pairs = list(zip(trajectories, questions, strict=True))
    past = [one.reward for one, asked in pairs if asked.facts["is_past"]]
    present = [one.reward for one, asked in pairs if not asked.facts["is_past"]]
    reward = _mean([*past, *present])
    if reward is None:
        raise ValueError("no episode has a reward")
    calls = sum(one.facts["tool_calls"] for one in trajectories)
    return Examined(
        len(pairs),
        reward,
        _mean(past),
        _mean(present),
        calls / len(pairs),
        dated_share(calls, sum(one.facts["dated_queries"] for one in trajectories)),
    )


def dated_share(calls: float, dated: float) -> float | None:
    """Share of queries that name a time; ``None`` without queries."""
    return dated / calls if calls else None


def write_record(record: RunRecord, folder: Path) -> None:
    """Keep a record in the folder of its run; it appears whole or not at all."""
    draft = folder / f"{FILE}.tmp"
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(record)))
    draft.replace(folder / FILE)


def read_records(folder: Path) -> tuple[RunRecord, ...]:
    """The records of all runs in a folder, by condition and seed.

    Raises:
        InputError: naming the file that is no record.
    """
    found = [_read(path) for path in folder.glob(f"*/{FILE}")]
    return tuple(sorted(found, key=lambda one: (one.choices.condition, one.choices.seed)))


def _read(path: Path) -> RunRecord:
    try:
        return msgspec.json.decode(path.read_bytes(), type=RunRecord)
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"no record of a run: {error}", path=path) from error


def _mean(rewards: Iterable[float | None]) -> float | None:
    measured = [one for one in rewards if one is not None]
    return fmean(measured) if measured else None
