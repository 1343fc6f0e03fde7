"""Train a small model from scratch to predict sentences as MSR2 does, and report on it.

::

    recipes/sentencing.sh CASES                                   # one run, a few minutes
    recipes/sentencing.sh CASES --seed 0 1 2 --outcome-only       # without the process reward
    recipes/sentencing.sh CASES --seed 0 1 2 --statutes-only      # without the extra sources
    recipes/sentencing.sh CASES --judge http://host:8000/v1#model # a model judges the factors

CASES is a file of criminal cases in the form of CAIL2018 (JSON lines, gzipped or not). Every run
has its folder in ``--output``; the report there compares all of them. A run that was interrupted is
resumed when it is started again. Needs the extras ``train`` and ``eval``
(``make test-train`` makes an environment with both).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from inforce.llm.models import open_model
from inforce.scoring.cases import read_cases
from inforce.scoring.corpora import open_library_of
from inforce.scoring.factors import judge_by_rule
from inforce.scoring.judge import FactorJudge, ModelFactorJudge
from small_models.command import TODAY, command_line, exit_status, train_and_report
from small_models.estimates import Months, estimates, plain_estimates, share_right
from small_models.sentencing import (
    CARD,
    CPU,
    LONGEST,
    REPORT,
    Sides,
    examined,
    open_sources,
    sentencing,
    sides,
)
from small_models.task import Task


def main(arguments: Sequence[str] | None = None) -> int:
    """Train what is missing, then write the report."""
    options = _options(arguments)
    return exit_status(lambda: _train(options))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command_line("Train a model to predict sentences.", output=Path("build/sentencing"))
    parser.set_defaults(steps=30)
    parser.add_argument("cases", type=Path, help="criminal cases in the form of CAIL2018")
    parser.add_argument("--guidelines", type=Path, help="documents to ask as guidelines, too")
    parser.add_argument("--longest", type=int, default=LONGEST, help="characters of a fact")
    parser.add_argument("--statutes-only", action="store_true", help="without the extra sources")
    parser.add_argument("--without-estimates", action="store_true", help="without the predictor")
    process = parser.add_mutually_exclusive_group()
    process.add_argument("--outcome-only", action="store_true", help="without the process reward")
    process.add_argument("--judge", help="a model's id; else rules judge the factors")
    return parser.parse_args(arguments)


def _train(options: argparse.Namespace) -> None:
    cases = sides(read_cases(options.cases), longest=options.longest)
    with open_library_of(options.corpus, today=TODAY, folder=options.output / "law") as library:
        sources = open_sources(library, cases.known, options.guidelines, options.output / "sources")
        months: Months | None = None
        if not (options.statutes_only or options.without_estimates):
            months = estimates(cases.fitted, cases.held_out)
            print(_baselines(cases, months))

        judge = _judge(options)

        async def task(seed: int) -> Task:
            return await sentencing(
                cases,
                sources,
                today=TODAY,
                seed=seed,
                judge=judge,
                has_all=not options.statutes_only,
                months=months,
            )

        scale = CARD if options.device == "cuda" else CPU
        train_and_report(task, options, REPORT, scale=scale, kind=partial(_kind, options=options))


def _baselines(cases: Sides, months: Months) -> str:
    """Return the accuracy that predictors reach without a policy."""
    evaluated = examined(cases)
    plain = share_right(plain_estimates(cases.fitted, evaluated), evaluated)
    return (
        f"right of {len(evaluated)} cases without a policy: the predictor "
        f"{share_right(months, evaluated):.3f}, a linear machine over characters {plain:.3f}"
    )


def _kind(variant: str, *, options: argparse.Namespace) -> str:
    if options.outcome_only:
        return f"{variant}, outcome only"
    return f"{variant}, judged by {options.judge}" if options.judge else variant


def _judge(options: argparse.Namespace) -> FactorJudge | None:
    """Return the judge of the factors: none, rules, or a model."""
    if options.outcome_only:
        return None
    return ModelFactorJudge(open_model(options.judge)) if options.judge else judge_by_rule


if __name__ == "__main__":
    raise SystemExit(main())
