"""The common part of the commands that train small models: options, progress, exit status."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping, Sequence
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
from small_models.record import Choices, RunRecord, read_record, read_records
from small_models.report import Layout, write_report
from small_models.task import Scale, Task

if TYPE_CHECKING:
    from inforce.train.embedded.trainer import Listener, Step

TODAY = date(2026, 11, 20)
"""The day the episodes take place, fixed so that a seed gives the same next year."""

_INTERRUPTED = 130


def command_line(description: str, *, output: Path) -> argparse.ArgumentParser:
    """Make a parser with the common options; ``output`` is the default folder for runs."""
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
    """Parse a number of at least 0."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < inf:
        raise argparse.ArgumentTypeError("a number, at least 0")
    return number


def exit_status(command: Callable[[], None]) -> int:
    """Run a command, print its error if it fails, and return the exit status."""
    try:
        command()
    except InforceError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("stopped; the same command resumes from the last checkpoint", file=sys.stderr)
        return _INTERRUPTED
    return 0


def train_and_report(
    make_task: Callable[[int], Coroutine[Any, Any, Task]],
    options: argparse.Namespace,
    layout: Layout,
    *,
    scale: Scale,
    kind: Callable[[str], str] = str,
) -> None:
    """Train a model for each seed of the command line, then write the report of all runs.

    Args:
        make_task: makes the task of a seed.
        options: of the command line.
        layout: of the report.
        scale: size of the model and of its steps.
        kind: gives the name of the condition, from the variant of the task.
    """
    console = Console(highlight=False, soft_wrap=True)
    for seed in options.seed:
        task = asyncio.run(make_task(seed))
        choices = Choices(kind(task.variant), seed, options.steps, options.alpha)
        record = train(task, choices, options, scale=scale, console=console)
        console.print(_summary(record, layout))
    console.print(str(write_report(read_records(options.output), layout, options.output)))


def train(
    task: Task, choices: Choices, options: argparse.Namespace, *, scale: Scale, console: Console
) -> RunRecord:
    """Make a run, unless it is already finished.

    Raises:
        MissingExtraError: if torch is not installed.
        UserError: if its folder has a run of another task, or there is no GPU.
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


def _summary(record: RunRecord, layout: Layout) -> str:
    """Return figures of a run's evaluations, before and after, in one line."""
    rises = (
        f"{title} {_share_text(record.before[name])} → {_share_text(record.after[name])} "
        f"(greedy {_share_text(record.greedy.get(name))})"
        for name, title in layout.summary.items()
    )
    return f"{record.choices.name}: {', '.join(rises)}, {sum(record.seconds.values()):.0f} s"


def _share_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


@contextmanager
def _listening(
    options: argparse.Namespace, choices: Choices, folder: Path, console: Console
) -> Generator[Sequence[Listener]]:
    """Return listeners that show every step: on a terminal or as a log, and in TensorBoard."""

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
    """Show a table of the last steps on a terminal; nothing where there is no terminal."""
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
    """Return a table of steps: rewards, tokens, training, time and facts."""
    facts = sorted(shown[-1].rollout.facts) if shown else []
    columns = ["step", "reward", "flat", "tokens", "entropy", "gradient", "seconds", *facts]
    drawn = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in columns:
        # A narrow terminal shows fewer facts rather than folded figures.
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
    """Write the figures of every step for TensorBoard.

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
    """Return the measured numbers of a step by their paths (``rollout/reward``)."""

    def paths(path: str, values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
        for name, value in values.items():
            if isinstance(value, Mapping):
                yield from paths(f"{path}{name}/", cast("Mapping[str, Any]", value))
            elif value is not None:
                yield f"{path}{name}", float(value)

    return dict(paths("", asdict(step)))
