"""What the commands that train small models have in common: options, progress, exit status."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from datetime import date
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.live import Live
from rich.table import Table

from inforce.errors import InforceError, MissingExtraError, UserError
from small_models.record import Choices, RunRecord, read_record
from small_models.task import Scale, Task

if TYPE_CHECKING:
    from inforce.train.embedded.trainer import Listener, Step

TODAY = date(2026, 11, 20)
"""The day the episodes take place; fixed, so that a seed means the same next year."""

_INTERRUPTED = 130


def command_line(description: str, *, output: Path) -> argparse.ArgumentParser:
    """The options every experiment has; runs go to ``output`` unless another folder is named."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--output", type=Path, default=output, help="a folder for runs and report")
    parser.add_argument("--seed", type=int, nargs="+", default=[0], help="a run each")
    parser.add_argument("--steps", type=_positive, default=40, help="of GRPO")
    parser.add_argument("--alpha", type=share, default=0.0, help="of EAS; the paper: 0.1")
    parser.add_argument("--corpus", type=Path, help="a corpus or statute files; else the starter's")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--tensorboard", action="store_true", help="curves for TensorBoard, too")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number, at least 1")
    return int(text)


def share(text: str) -> float:
    """A number of at least 0 on a command line."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < inf:
        raise argparse.ArgumentTypeError("a number, at least 0")
    return number


def exit_status(command: Callable[[], None]) -> int:
    """Run a command; tells the person on standard error what is wrong."""
    try:
        command()
    except InforceError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("stopped; the same command resumes from the last checkpoint", file=sys.stderr)
        return _INTERRUPTED
    return 0


def trained(
    task: Task, choices: Choices, options: argparse.Namespace, *, scale: Scale, console: Console
) -> RunRecord:
    """A run; one that is done already is not done again.

    Raises:
        MissingExtraError: if torch is not installed.
        UserError: if its folder holds another task's, or there is no card to compute on.
    """
    if not find_spec("torch"):
        raise MissingExtraError("training", "train")
    from small_models.runner import claim, run

    folder = options.output / choices.name
    if done := read_record(folder):
        claim(folder, task, options.device)
        return done
    with _listening(options, choices, folder, console) as listeners:
        working = run(
            task,
            choices,
            options.output,
            device=options.device,
            scale=scale,
            listeners=listeners,
            say=console.print,
        )
        return asyncio.run(working)


def summary(record: RunRecord, titles: Mapping[str, str]) -> str:
    """A run in a line: what its evaluations measured, before and after, by titled measure."""
    rises = (
        f"{title} {_share_text(record.before[name])} → {_share_text(record.after[name])}"
        for name, title in titles.items()
    )
    return f"{record.choices.name}: {', '.join(rises)}, {sum(record.seconds.values()):.0f} s"


def _share_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


@contextmanager
def _listening(
    options: argparse.Namespace, choices: Choices, folder: Path, console: Console
) -> Generator[Sequence[Listener]]:
    """Who is called with every step: a terminal, or lines of a log, and TensorBoard."""

    def log(step: Step) -> None:
        if not console.is_terminal:
            reward = _share_text(step.rollout.reward)
            console.print(f"step {step.step} of {choices.steps}: reward {reward}")

    with ExitStack() as stack:
        listeners = [log, stack.enter_context(live(console, steps=choices.steps))]
        if options.tensorboard:
            listeners.append(stack.enter_context(tensorboard(folder / "tensorboard")))
        yield listeners


@contextmanager
def live(console: Console, *, steps: int) -> Generator[Listener]:
    """A table on a terminal that grows with every step; nothing where there is no terminal."""
    if not console.is_terminal:
        yield lambda _: None
        return
    shown: deque[Step] = deque(maxlen=12)
    with Live(console=console, refresh_per_second=4) as display:

        def listen(step: Step) -> None:
            shown.append(step)
            display.update(table(list(shown), steps=steps))

        yield listen


def table(shown: Sequence[Step], *, steps: int) -> Table:
    """Steps as a table: what is rewarded, written and learnt, and how long it takes."""
    facts = sorted(shown[-1].rollout.facts) if shown else []
    columns = ["step", "reward", "flat", "tokens", "entropy", "gradient", "seconds", *facts]
    drawn = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in columns:
        # A narrow terminal shows fewer facts: nobody can read figures that are folded.
        drawn.add_column(name.replace("_", " "), justify="right", overflow="fold", min_width=8)
    for one in shown:
        values = [
            *(one.rollout.reward, one.rollout.flat, one.rollout.generated),
            *(one.update and one.update.entropy, one.update and one.update.grad_norm),
            one.rollout_seconds + one.update_seconds,
            *(one.rollout.facts.get(name) for name in facts),
        ]
        drawn.add_row(f"{one.step}/{steps}", *map(_figure, values))
    return drawn


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


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
    """Every number of a step that was measured, by its path (``rollout/reward``)."""

    def paths(path: str, values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
        for name, value in values.items():
            if isinstance(value, Mapping):
                yield from paths(f"{path}{name}/", cast("Mapping[str, Any]", value))
            elif value is not None:
                yield f"{path}{name}", float(value)

    return dict(paths("", asdict(step)))
