"""Train a small model from scratch to ask about the law of the right day, and report on it.

::

    recipes/temporal_search.sh                                  # one run, a few minutes
    recipes/temporal_search.sh --seed 0 1 2                     # three
    recipes/temporal_search.sh --seed 0 1 2 --alpha 0.1         # with entropy-based shaping
    recipes/temporal_search.sh --seed 0 1 2 --without-search    # answering from memory
    recipes/temporal_search.sh --seed 0 1 2 --hold-out laws     # evaluated on laws never seen
    recipes/temporal_search.sh --dated 0.02 --alpha 0.4         # few demonstrations name a day

Every run has its folder in ``--output``; the report there compares all of them. A run that was
interrupted is resumed when it is started again. Needs the extras ``train`` and
``eval`` (``make test-train`` makes an environment with both).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from inforce.scoring.corpora import open_library_of
from small_models.command import TODAY, command_line, exit_status, share, train_and_report
from small_models.task import CARD, Task
from small_models.temporal_search import DATED, REPORT, SCALE, temporal_search


def main(arguments: Sequence[str] | None = None) -> int:
    """Train what is missing, then write the report."""
    options = _options(arguments)
    return exit_status(lambda: _train(options))


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


def _train(options: argparse.Namespace) -> None:
    with open_library_of(options.corpus, today=TODAY, folder=options.output / "law") as library:

        async def task(seed: int) -> Task:
            return await temporal_search(
                library,
                seed=seed,
                has_search=not options.without_search,
                hold_out=options.hold_out,
                dated=options.dated,
            )

        scale = CARD if options.device == "cuda" else SCALE
        train_and_report(task, options, REPORT, scale=scale)


if __name__ == "__main__":
    raise SystemExit(main())
