"""How a step of training went: as a row of a file, on a terminal, in TensorBoard."""

from __future__ import annotations

import json
import math
import os
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, cast

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.live import Live
from rich.table import Table

from inforce.errors import InputError, UserError
from inforce.train.embedded.grpo import Learnt
from inforce.train.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Outcome:
    """What trajectories came to; means are over trajectories."""

    trajectories: int
    measured: int
    """Those that have a reward."""
    reward: float | None
    """``None`` where none was measured."""
    flat: float | None
    """Share of the questions whose trajectories were all worth the same: nothing is learnt from
    them. ``None`` where no question has two measured trajectories."""
    written: float
    """Tokens by the policy."""
    response: float
    """Tokens after the prompt, the world's among them."""
    turns: float
    facts: dict[str, float]
    """Of every fact that is a finite number or a yes or no: its mean where it is given."""

    @classmethod
    def of(cls, trajectories: Sequence[Trajectory]) -> Outcome:
        """What these came to."""
        rewards = [one.reward for one in trajectories if one.reward is not None]
        return cls(
            trajectories=len(trajectories),
            measured=len(rewards),
            reward=fmean(rewards) if rewards else None,
            flat=_flat(trajectories),
            written=_mean(one.generated for one in trajectories),
            response=_mean(len(one.response) for one in trajectories),
            turns=_mean(len(one.turns) for one in trajectories),
            facts=_facts(trajectories),
        )


@dataclass(frozen=True, slots=True)
class Seconds:
    """How long a step took; the only part of a row that differs from run to run."""

    rollout: float
    update: float


@dataclass(frozen=True, slots=True)
class Step:
    """One step of training."""

    step: int
    """From 1."""
    outcome: Outcome
    """Of the policy before the step learnt from it."""
    learnt: Learnt | None
    """``None`` if there was nothing to learn from."""
    seconds: Seconds


Listener = Callable[[Step], None]
"""Is told of every step."""


class MetricsFile:
    """Steps as rows of JSON."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, step: Step) -> None:
        """Write one more row."""
        with self.path.open("a", encoding="utf-8") as rows:
            rows.write(json.dumps(asdict(step), ensure_ascii=False, allow_nan=False) + "\n")
            rows.flush()
            # A checkpoint that outlives a power failure must find the rows before it.
            os.fsync(rows.fileno())

    def steps(self) -> list[Step]:
        """The rows written so far.

        Raises:
            InputError: naming the line that is no step.
        """
        return [self._step(line, number) for number, line in enumerate(self._lines(), 1)]

    def cut(self, step: int) -> list[Step]:
        """Take back rows of steps that are going to be done again; gives those that stay.

        Raises:
            InputError: if a row that should stay is missing, or is no step.
        """
        lines = self._lines()
        if len(lines) < step:
            raise InputError(
                f"has rows of {len(lines)} steps, but training was kept after step {step}: put the "
                "missing rows back, or delete the checkpoints after them",
                path=self.path,
            )
        # What comes after may have been cut off in mid-row when training was interrupted.
        kept = [self._step(line, number) for number, line in enumerate(lines[:step], 1)]
        unfinished = self.path.with_suffix(".unfinished")
        unfinished.write_bytes(b"".join(line + b"\n" for line in lines[:step]))
        unfinished.replace(self.path)
        return kept

    def _lines(self) -> list[bytes]:
        return self.path.read_bytes().splitlines() if self.path.exists() else []

    def _step(self, line: bytes, number: int) -> Step:
        try:
            return msgspec.json.decode(line, type=Step)
        except msgspec.MsgspecError as error:
            raise InputError(f"not a step: {error}", path=self.path, line=number) from error


@contextmanager
def live(console: Console, *, steps: int) -> Generator[Listener]:
    """A table on a terminal that grows with every step; nothing where there is no terminal."""
    if not console.is_terminal:
        yield lambda _: None
        return
    seen: deque[Step] = deque(maxlen=12)
    with Live(console=console, refresh_per_second=4) as display:

        def listen(step: Step) -> None:
            seen.append(step)
            display.update(table(list(seen), steps=steps))

        yield listen


def table(shown: Sequence[Step], *, steps: int) -> Table:
    """Steps as a table: what is rewarded, written and learnt, and how long it takes."""
    facts = sorted(shown[-1].outcome.facts) if shown else []
    columns = ["step", "reward", "flat", "tokens", "entropy", "gradient", "seconds", *facts]
    drawn = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in columns:
        # A narrow terminal shows fewer facts: nobody can read figures that are folded.
        drawn.add_column(name.replace("_", " "), justify="right", overflow="fold", min_width=8)
    for one in shown:
        drawn.add_row(f"{one.step}/{steps}", *map(_figure, _cells(one, facts)))
    return drawn


@contextmanager
def tensorboard(folder: Path) -> Generator[Listener]:
    """Steps as curves for TensorBoard.

    Raises:
        UserError: if TensorBoard is not installed.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise UserError("curves need TensorBoard: pip install tensorboard") from error
    with SummaryWriter(str(folder)) as writer:

        def listen(step: Step) -> None:
            for name, value in figures(step).items():
                writer.add_scalar(name, value, step.step)

        yield listen


def figures(step: Step) -> dict[str, float]:
    """Every number of a step that was measured, by its path (``outcome/reward``)."""
    return dict(_figures("", asdict(step)))


def _figures(path: str, values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _figures(f"{path}{name}/", cast("Mapping[str, Any]", value))
        elif value is not None:
            yield f"{path}{name}", float(value)


def _cells(step: Step, facts: Sequence[str]) -> list[float | None]:
    outcome, learnt = step.outcome, step.learnt
    return [
        outcome.reward,
        outcome.flat,
        outcome.written,
        learnt and learnt.entropy,
        learnt and learnt.gradient,
        step.seconds.rollout + step.seconds.update,
        *(outcome.facts.get(name) for name in facts),
    ]


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0


def _flat(trajectories: Sequence[Trajectory]) -> float | None:
    groups: dict[str, list[float]] = defaultdict(list)
    for one in trajectories:
        if one.reward is not None:
            groups[one.question].append(one.reward)
    compared = [rewards for rewards in groups.values() if len(rewards) > 1]
    return _mean(min(one) == max(one) for one in compared) if compared else None


def _facts(trajectories: Sequence[Trajectory]) -> dict[str, float]:
    given: dict[str, list[float]] = defaultdict(list)
    for one in trajectories:
        for name, value in one.facts.items():
            if isinstance(value, int | float) and math.isfinite(value):
                given[name].append(float(value))
    return {name: fmean(given[name]) for name in sorted(given)}
