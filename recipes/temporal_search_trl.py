"""Train a small model on temporal search with TRL, on one card or a processor.

::

    accelerate launch --num_processes 1 recipes/temporal_search_trl.py POLICY FOLDER

POLICY is a folder with a model that knows the protocol, such as the warm start that
``temporal_search.sh`` leaves behind; the trained model is written to ``FOLDER/policy``. A run that
was interrupted resumes when it is started again. Needs the extra ``trl``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from inforce.errors import MissingExtraError
from inforce.scoring.corpora import open_library_of
from inforce.train.advantages import Shaping
from inforce.train.embedded.settings import Sampling
from inforce.train.trl_adapter.settings import LEGALSEARCH_R1
from small_models.command import TODAY, exit_status
from small_models.temporal_search import dated_articles, draw, environment, split


def main(arguments: Sequence[str] | None = None) -> int:
    """Train as the command line asks."""
    options = _options(arguments)
    return exit_status(lambda: _train(options))


def _train(options: argparse.Namespace) -> None:
    if not find_spec("trl"):
        raise MissingExtraError("training with TRL", "trl")
    import torch

    from inforce.train.trl_adapter.trainer import train

    on_card = torch.cuda.is_available()
    with open_library_of(options.corpus, today=TODAY, folder=options.folder / "law") as library:
        articles = split(tuple(dated_articles(library)), seed=options.seed)
        trained = train(
            options.policy,
            draw(articles.training, options.drawn, today=TODAY, seed=options.seed + 2000),
            environment(library),
            options.folder,
            recipe=replace(
                LEGALSEARCH_R1,
                questions=options.questions,
                shaping=Shaping(alpha=options.alpha) if options.alpha else None,
            ),
            at_once=options.at_once,
            sampling=Sampling(seed=options.seed),
            learning_rate=options.rate,
            max_steps=options.steps,
            seed=options.seed,
            bf16=on_card,
            use_cpu=not on_card,
            gradient_checkpointing=False,
            logging_steps=1,
        )
    print(trained)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train a model on temporal search with TRL.")
    parser.add_argument("policy", type=Path, help="folder of the model to begin with")
    parser.add_argument("folder", type=Path, help="where checkpoints and the result go")
    parser.add_argument("--corpus", type=Path, help="a corpus or statute files; else the starter's")
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--questions", type=int, default=16, help="a step, 8 episodes each")
    parser.add_argument("--drawn", type=int, default=2000, help="questions there are")
    parser.add_argument("--at-once", type=int, default=32, help="episodes computed at a time")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--alpha", type=float, default=0.1, help="of shaping; 0: none")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
