"""Predictors as agents: they learn before the first item, and answer each with its prediction."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Agent, Run
from inforce.errors import InputError, UserError
from inforce.evals.benchmark import Item, Setup
from inforce.evals.judgment.baselines import BASELINES, Prediction, Predictor
from inforce.evals.judgment.cases import Case
from inforce.evals.judgment.dataset import Dataset, chosen, dataset
from inforce.evals.judgment.neural import NAMES as NEURAL

PREDICTORS = (*BASELINES, *NEURAL)
"""Who learns from cases instead of asking a model."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """An agent that says what was predicted for its item."""

    name: str
    settings: dict[str, str]
    text: str

    async def __call__(self, run: Run) -> Draft:
        """Say it."""
        return Draft(self.text)


def form(article: int, charge: str, term: str) -> str:
    """A prediction in words.

    >>> form(264, "盗窃", "8个月")
    '法条：第264条；罪名：盗窃；刑期：8个月'
    """
    return f"法条：第{article}条；罪名：{charge}；刑期：{term}"


def open_forecasts(setup: Setup) -> Callable[[Item], Agent]:
    """Let a predictor learn, and predict everything that is asked: an agent an item.

    Raises:
        UserError: if no predictor has that name.
        InputError: if the file holds nothing to learn from.
        MissingExtraError: if it is a network and torch is not installed.
    """
    choice = chosen(setup)
    data = dataset(choice)
    predictor = _predictor(setup, choice.seed)
    began = time.monotonic()
    _learn(predictor, data, setup.data)
    predictions = predictor.predict([case.fact for case in data.asked])
    _tell(f"{predictor.name}: {len(data.sides.train)} cases, {time.monotonic() - began:.1f} s")
    texts = _texts(data.asked, predictions)
    settings = {"train": str(len(data.sides.train)), "seed": str(choice.seed)}
    return lambda item: Forecast(predictor.name, settings, texts[item.id])


def _learn(predictor: Predictor, data: Dataset, path: Path) -> None:
    train = _complete(data.sides.train)
    if not train:
        raise InputError("no complete case is left to learn from", path=path)
    predictor.fit(train, _complete(data.sides.valid))


def _complete(cases: Sequence[Case]) -> tuple[Case, ...]:
    return tuple(case for case in cases if case.is_complete)


def _texts(cases: Sequence[Case], predictions: Sequence[Prediction]) -> dict[str, str]:
    return {
        case.id: form(one.article, one.charge, f"{one.months}个月")
        for case, one in zip(cases, predictions, strict=True)
    }


def _predictor(setup: Setup, seed: int) -> Predictor:
    if setup.agent in BASELINES:
        return BASELINES[setup.agent](seed)
    if setup.agent not in NEURAL:
        raise UserError(f"no predictor is called {setup.agent!r}")
    from inforce.evals.judgment.neural import predictor

    given = setup.options
    weights = Path(given["weights"]) if given.get("weights") else None
    device = given.get("device") or "cpu"
    return predictor(setup.agent, seed=seed, device=device, weights=weights)


def _tell(line: str) -> None:
    print(line, file=sys.stderr)
