"""Train a small model from nothing to ask about the law of the right day, and report it.

::

    recipes/temporal_search.sh                                  # one run, a few minutes
    recipes/temporal_search.sh --seed 0 1 2                     # three
    recipes/temporal_search.sh --seed 0 1 2 --alpha 0.1         # with entropy-based shaping
    recipes/temporal_search.sh --seed 0 1 2 --without-search    # answering from memory
    recipes/temporal_search.sh --seed 0 1 2 --hold-out laws     # examined on laws never seen
    recipes/temporal_search.sh --dated 0.02 --alpha 0.4         # few demonstrations name a day

Every run has its folder in ``--output``; the report there compares all of them. What was
interrupted is resumed when it is started again. Needs the extras ``train`` and
``eval`` (``make test-train`` makes an environment with both).
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from inforce.library import Library
from inforce.scoring.corpora import open_library_of
from small_models.command import (
    TODAY,
    command_line,
    exit_status,
    share,
    summary,
    trained,
)
from small_models.record import Choices, RunRecord, read_records
from small_models.report import write_report
from small_models.task import CARD
from small_models.temporal_search import DATED, REPORT, SCALE, temporal_search

_TITLES = {
    "reward": "reward",
    "exact_day": "queries that name the day",
    "exact_article": "the article",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Train what is missing, then write the report."""
    options = _options(arguments)
    return exit_status(lambda: _trained_and_reported(options))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command_line(
        "Train a model to ask about the right day.", output=Path("build/temporal-search")
    )
    parser.add_argument("--without-search", action="store_true", help="answer from memory")
    parser.add_argument(
        "--hold-out",
        choices=("articles", "laws"),
        default="articles",
        help="what no training question is about",
    )
    parser.add_argument(
        "--dated", type=share, default=DATED, help="of the demonstrations; the others name no day"
    )
    return parser.parse_args(arguments)


def _trained_and_reported(options: argparse.Namespace) -> None:
    console = Console(highlight=False, soft_wrap=True)
    with open_library_of(options.corpus, today=TODAY, folder=options.output / "law") as library:
        for seed in options.seed:
            record = _trained(library, seed, options, console)
            console.print(summary(record, _TITLES))
    console.print(str(write_report(read_records(options.output), REPORT, options.output)))


def _trained(
    library: Library, seed: int, options: argparse.Namespace, console: Console
) -> RunRecord:
    has_search = not options.without_search
    making = temporal_search(
        library, seed=seed, has_search=has_search, hold_out=options.hold_out, dated=options.dated
    )
    task = asyncio.run(making)
    choices = Choices(task.variant, seed, options.steps, options.alpha)
    scale = CARD if options.device == "cuda" else SCALE
    return trained(task, choices, options, scale=scale, console=console)


if __name__ == "__main__":
    raise SystemExit(main())
