"""The real cases: how many each rule leaves, and what predictors make of them."""

import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from inforce.agents.settings import ResearchSettings
from inforce.evals.benchmark import Attempt, Record, Setup
from inforce.evals.judgment.benchmark import BENCHMARK
from inforce.evals.judgment.dataset import filtered
from inforce.llm.chat import Message, PolicyModel
from inforce.scoring.cases import read_cases
from inforce.scoring.split import EVALUATIONS, split
from inforce.scoring.term_classes import ten

pytestmark = pytest.mark.data

TODAY = date(2026, 11, 20)


def _silent(messages: Sequence[Message]) -> str:
    raise AssertionError("a predictor asks no model")


def test_every_case_is_read_and_counted(shared_data: Path) -> None:
    cases = read_cases(shared_data / "ljp" / "cases.jsonl.gz")
    kept = filtered(cases, "msr2")
    assert len(cases) == 7_583
    assert len(kept.cases) == 4_178
    assert kept.removed == {
        "the same fact again": 0,
        "article, charge or term not stated": 1_941,
        "death penalty": 37,
        "life imprisonment": 47,
        "no term": 306,
        "several charges": 562,
        "several articles": 512,
    }


def test_the_split_leaks_nothing(shared_data: Path) -> None:
    cases = filtered(read_cases(shared_data / "ljp" / "cases.jsonl.gz"), "msr2").cases
    sides = split(cases)
    learned = {one.fingerprint for one in (*sides.train, *sides.valid)}
    assert learned.isdisjoint(one.fingerprint for one in sides.test)
    assert all(EVALUATIONS.isdisjoint(one.sources) for one in (*sides.train, *sides.valid))
    assert (len(sides.train), len(sides.valid), len(sides.test)) == (3_289, 393, 406)
    assert {ten(one.months or 0) for one in sides.test} == set(range(1, 10))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "term", "charge"),
    [("most-frequent", 0.2, 0.05), ("nearest", 0.3, 0.7), ("tfidf-svm", 0.3, 0.8)],
)
async def test_predictors_learn_and_are_scored_in_time(
    shared_data: Path, name: str, term: float, charge: float
) -> None:
    cases, settings = shared_data / "ljp" / "cases.jsonl.gz", ResearchSettings(agent=name)
    setup = Setup(data=cases, today=TODAY, settings=settings)
    model, began = PolicyModel(_silent), time.monotonic()
    records: list[Record] = []
    score = BENCHMARK.scorer(setup)
    async with BENCHMARK.open_system(setup, model) as system:
        for item in BENCHMARK.read(setup):
            answer = await system(item).research(item.question)
            scored = await score(item, Attempt(answer, ()), None)
            told = (item.id, item.task, item.group, item.question, item.target, scored.answer)
            records.append(Record(*told, answer.outcome, scored.values, scored.labels))
    figures = BENCHMARK.summarise(records).values
    found = figures["term_correct"], figures["charge_correct"]
    assert all(one is not None and one.n == 406 for one in found)
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].value > term
    assert found[1].value > charge
    assert time.monotonic() - began < 120
