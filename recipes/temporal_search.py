"""Train a small model from nothing to ask about the law of the right day, and report it.

::

    recipes/temporal_search.sh                                  # one run, a few minutes
    recipes/temporal_search.sh --seed 0 1 2                     # three
    recipes/temporal_search.sh --seed 0 1 2 --alpha 0.1         # with entropy-based shaping
    recipes/temporal_search.sh --seed 0 1 2 --without-search    # answering from memory

Every run has its folder in ``--output``; the report there compares all of them. What was
interrupted goes on where it stopped when it is started again. Needs the extras ``train`` and
``eval`` (``make test-train`` makes an environment with both).
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from inforce.library import Library
from inforce.train.temporal_search.record import Choices, RunRecord, read_records
from inforce.train.temporal_search.report import write_report
from inforce.train.temporal_search.world import open_law

if TYPE_CHECKING:
    from inforce.train.embedded.metrics import Step

TODAY = date(2026, 11, 20)
"""The day the episodes take place; fixed, so that a seed means the same next year."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Train what is missing, then write the report."""
    options = _options(arguments)
    console = Console()
    with open_law(options.corpus, options.output / "law", today=TODAY) as library:
        assert library.statutes  # its index is made first
        for seed in options.seed:
            chosen = Choices(seed, options.steps, options.alpha, not options.without_search)
            record = _trained(library, chosen, options, console)
            console.print(f"{chosen.name}: {_told(record)}")
    console.print(str(write_report(read_records(options.output), options.output)))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train a model to ask about the right day.")
    parser.add_argument("--output", type=Path, default=Path("build/temporal-search"))
    parser.add_argument("--seed", type=int, nargs="+", default=[0], help="a run each")
    parser.add_argument("--steps", type=int, default=40, help="of GRPO")
    parser.add_argument("--alpha", type=float, default=0.0, help="of EAS; the paper: 0.1")
    parser.add_argument("--without-search", action="store_true", help="answer from memory")
    parser.add_argument("--corpus", type=Path, help="a corpus or statute files; else the starter's")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    return parser.parse_args(arguments)


def _trained(
    library: Library, chosen: Choices, options: argparse.Namespace, console: Console
) -> RunRecord:
    """A run; one that is done already is not done again."""
    from inforce.train.embedded.metrics import live
    from inforce.train.temporal_search.training import CARD, CPU, run

    folder = options.output / chosen.name
    folder.mkdir(parents=True, exist_ok=True)
    done = [one for one in read_records(options.output) if one.choices == chosen]
    if done:
        return done[0]
    scale = CARD if options.device == "cuda" else CPU

    def say(step: Step) -> None:
        if not console.is_terminal:
            console.print(f"step {step.step}: reward {step.outcome.reward}", highlight=False)

    with live(console, steps=chosen.steps) as shown:
        working = run(
            library, chosen, folder, scale=scale, device=options.device, listeners=(shown, say)
        )
        return asyncio.run(working)


def _told(record: RunRecord) -> str:
    before, after = record.before, record.after
    rewards = f"reward {before.reward:.3f} → {after.reward:.3f}"
    dated = f"queries that name a time {_share(before.dated)} → {_share(after.dated)}"
    return f"{rewards}, {dated}, {sum(record.seconds.values()):.0f} s"


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
