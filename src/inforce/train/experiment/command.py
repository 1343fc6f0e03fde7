"""What the commands that train small models have in common."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from inforce.errors import InforceError, MissingExtraError
from inforce.train.experiment.record import Choices, RunRecord, read_record
from inforce.train.experiment.task import Task

if TYPE_CHECKING:
    from inforce.train.embedded.metrics import Listener, Step
    from inforce.train.experiment.scale import Scale

TODAY = date(2026, 11, 20)
"""The day the episodes take place; fixed, so that a seed means the same next year."""

_INTERRUPTED = 130


def command_line(told: str, *, output: Path) -> argparse.ArgumentParser:
    """The options every experiment has.

    Args:
        told: what it does, in a sentence.
        output: where runs are kept unless another folder is named.
    """
    parser = argparse.ArgumentParser(description=told)
    parser.add_argument("--output", type=Path, default=output, help="a folder for runs and report")
    parser.add_argument("--seed", type=int, nargs="+", default=[0], help="a run each")
    parser.add_argument("--steps", type=_positive, default=40, help="of GRPO")
    parser.add_argument("--alpha", type=_share, default=0.0, help="of EAS; the paper: 0.1")
    parser.add_argument("--corpus", type=Path, help="a corpus or statute files; else the starter's")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--tensorboard", action="store_true", help="curves for TensorBoard, too")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number, at least 1")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share < inf:
        raise argparse.ArgumentTypeError("a number, at least 0")
    return share


def obeyed(command: Callable[[], None]) -> int:
    """Do what a command says; gives the exit status, and tells the person what is wrong."""
    try:
        command()
    except InforceError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the last checkpoint", file=sys.stderr)
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
    from inforce.train.experiment.training import Place, claim, run

    place = Place(options.output, options.device)
    done = read_record(place.of_run(choices))
    if done:
        claim(place.of_run(choices), task, place.device)
        return done
    with _listening(options, choices, place.of_run(choices), console) as listeners:
        working = run(task, choices, place, scale=scale, listeners=listeners, say=console.print)
        return asyncio.run(working)


def told(record: RunRecord, titles: dict[str, str]) -> str:
    """A run in a line: what its examinations measured, before and after.

    Args:
        record: of the run.
        titles: of the measures to tell, by measure.
    """
    rises = (
        f"{title} {_figure(record.before[name])} → {_figure(record.after[name])}"
        for name, title in titles.items()
    )
    return f"{record.choices.name}: {', '.join(rises)}, {sum(record.seconds.values()):.0f} s"


@contextmanager
def _listening(
    options: argparse.Namespace, choices: Choices, folder: Path, console: Console
) -> Generator[Sequence[Listener]]:
    """Whoever is told of every step: a terminal, or lines of a log, and TensorBoard."""
    from inforce.train.embedded.metrics import live, tensorboard

    def say(step: Step) -> None:
        if not console.is_terminal:
            reward = _figure(step.outcome.reward)
            console.print(f"step {step.step} of {choices.steps}: reward {reward}")

    with ExitStack() as shown:
        listeners = [say, shown.enter_context(live(console, steps=choices.steps))]
        if options.tensorboard:
            listeners.append(shown.enter_context(tensorboard(folder / "tensorboard")))
        yield listeners


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
