"""Train a small model from nothing to predict sentences as MSR2 does, and report it.

::

    recipes/sentencing.sh CASES                                   # one run, a few minutes
    recipes/sentencing.sh CASES --seed 0 1 2 --outcome-only       # without the process reward
    recipes/sentencing.sh CASES --seed 0 1 2 --statutes-only      # without the extra sources
    recipes/sentencing.sh CASES --judge http://host:8000/v1#model # a model judges the factors

CASES is a file of criminal cases in the form of CAIL2018 (JSON lines, gzipped or not). Every run
has its folder in ``--output``; the report there compares all of them. What was interrupted is
resumed when it is started again. Needs the extras ``train`` and ``eval``
(``make test-train`` makes an environment with both).
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from inforce.retrieval.sources.source import Source, SourceName
from inforce.scoring.cases import read_cases
from inforce.scoring.corpora import open_library_of
from inforce.scoring.factors import judge_by_rule
from inforce.scoring.judge import FactorJudge, ModelFactorJudge
from small_models.command import TODAY, command_line, exit_status, summary, trained
from small_models.estimates import Months, estimates, plain_estimates, share_right
from small_models.record import Choices, RunRecord, read_records
from small_models.report import write_report
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

_TITLES = {
    "right": "right",
    "factors": "factors",
    "precedents": "asks for precedents",
    "estimates": "for estimates",
}


@dataclass(frozen=True, slots=True)
class _Material:
    """What every run of a command works with."""

    cases: Sides
    sources: Mapping[SourceName, Source]
    months: Months | None
    judge: FactorJudge | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Train what is missing, then write the report."""
    options = _options(arguments)
    return exit_status(lambda: _trained_and_reported(options))


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


def _trained_and_reported(options: argparse.Namespace) -> None:
    console = Console(highlight=False, soft_wrap=True)
    cases = sides(read_cases(options.cases), longest=options.longest)
    with open_library_of(options.corpus, today=TODAY, folder=options.output / "law") as library:
        folder = options.output / "sources"
        sources = open_sources(library, cases.known, options.guidelines, folder)
        months = None
        if not (options.statutes_only or options.without_estimates):
            months = estimates(cases.fitted, cases.held_out)
            console.print(_compared(cases, months))
        material = _Material(cases, sources, months, _judge(options))
        for seed in options.seed:
            console.print(summary(_trained(material, seed, options, console), _TITLES))
    console.print(str(write_report(read_records(options.output), REPORT, options.output)))


def _compared(cases: Sides, months: Months) -> str:
    """What the examination's cases give without a policy."""
    evaluated = examined(cases)
    plain = share_right(plain_estimates(cases.fitted, evaluated), evaluated)
    return (
        f"right of {len(evaluated)} cases without a policy: the predictor "
        f"{share_right(months, evaluated):.3f}, a linear machine over characters {plain:.3f}"
    )


def _trained(
    material: _Material, seed: int, options: argparse.Namespace, console: Console
) -> RunRecord:
    working = sentencing(
        material.cases,
        material.sources,
        today=TODAY,
        seed=seed,
        judge=material.judge,
        has_all=not options.statutes_only,
        months=material.months,
    )
    task = asyncio.run(working)
    choices = Choices(_kind(task.variant, options), seed, options.steps, options.alpha)
    scale = CARD if options.device == "cuda" else CPU
    return trained(task, choices, options, scale=scale, console=console)


def _kind(variant: str, options: argparse.Namespace) -> str:
    if options.outcome_only:
        return f"{variant}, outcome only"
    return f"{variant}, judged by {options.judge}" if options.judge else variant


def _judge(options: argparse.Namespace) -> FactorJudge | None:
    """Nobody, rules, or a model."""
    if options.outcome_only:
        return None
    if not options.judge:
        return judge_by_rule
    from inforce.llm.models import open_model

    return ModelFactorJudge(open_model(options.judge))


if __name__ == "__main__":
    raise SystemExit(main())
