"""The benchmark and its tasks, as they are run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from inforce.agents.runtime.trace import Event
from inforce.agents.settings import ResearchSettings
from inforce.errors import UserError
from inforce.evals.benchmark import Attempt, Record, Setup
from inforce.evals.catalogue import open_benchmark
from inforce.evals.legalsearch.benchmark import BENCHMARKS
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.scoring.tasks import TASKS

TODAY = date(2026, 11, 20)
BY_NAME = {one.name: one for one in BENCHMARKS}


class Nobody:
    """A model nobody may ask."""

    name = "nobody"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        raise AssertionError("a model was asked")


def run(setup: Setup, name: str) -> list[Record]:
    """Every item of a benchmark put to its agent, without any harness."""

    async def all_items() -> list[Record]:
        benchmark, records = BY_NAME[name], list[Record]()
        score = benchmark.scorer(setup)
        async with benchmark.open_system(setup, Nobody()) as system:
            for item in benchmark.read(setup):
                events: list[Event] = []
                answer = await system(item).research(item.question, listener=events.append)
                scored = await score(item, Attempt(answer, tuple(events)), None)
                record = Record(
                    *(item.id, item.task, item.group, item.question, item.target),
                    *(scored.answer, answer.outcome, scored.values),
                )
                records.append(record)
        return records

    return asyncio.run(all_items())


def setup_of(path: Path, **changes: object) -> Setup:
    agent = str(changes.pop("agent", "r1"))
    settings = ResearchSettings(agent=agent, network=False)
    return replace(Setup(data=path, today=TODAY, settings=settings), **changes)


def written(path: Path, **tasks: str) -> Path:
    lines = [
        {"id": name, "type": name, "question": question, "answer": "A"}
        for name, question in tasks.items()
    ]
    told = "\n".join(json.dumps(one, ensure_ascii=False) for one in lines)
    path.write_text(told, encoding="utf-8")
    return path


def test_there_is_a_benchmark_of_all_tasks_and_one_of_each() -> None:
    assert [one.name for one in BENCHMARKS] == ["legalsearch", *TASKS]
    for one in BENCHMARKS:
        assert open_benchmark(one.name) is one
        usual = "reciter" if one.name == "lar" else "r1"
        assert (one.agents[0], one.primary) == (usual, "score")


def test_articles_alone_can_be_recited_by_rules() -> None:
    assert [one.name for one in BENCHMARKS if "reciter" in one.agents] == ["lar"]


def test_a_benchmark_reads_its_own_tasks(tmp_path: Path) -> None:
    setup = setup_of(written(tmp_path / "a.jsonl", kqa="问", lar="问", cpa="问"))
    assert [one.id for one in BY_NAME["legalsearch"].read(setup)] == ["kqa", "lar", "cpa"]
    assert [one.id for one in BY_NAME["cpa"].read(setup)] == ["cpa"]
    chosen = replace(setup, options={"tasks": "lar, kqa"})
    assert [one.id for one in BY_NAME["legalsearch"].read(chosen)] == ["kqa", "lar"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"tasks": "lar,mbe"}, "no task is called mbe"),
        ({"failed_judge": "half"}, "missing .* or zero"),
    ],
)
def test_options_that_mean_nothing_are_refused(
    tmp_path: Path, options: dict[str, str], told: str
) -> None:
    setup = setup_of(written(tmp_path / "a.jsonl", kqa="问"), options=options)
    whole = BY_NAME["legalsearch"]
    with pytest.raises(UserError, match=told):
        whole.read(setup)
        whole.scorer(setup)


def test_the_reciter_answers_from_the_law_without_a_model(
    tmp_path: Path, sample_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(sample_home))
    asked = "请背诵2010年施行的《中华人民共和国刑法》第七十四条的条文。"
    path = written(tmp_path / "a.jsonl", lar=asked)
    (record,) = run(setup_of(path, agent="reciter"), "lar")
    assert "累犯" in record.answer
    assert (record.outcome, record.group) == ("answered", "2010")
    path = written(tmp_path / "b.jsonl", lar="请背诵2010年施行的《无此法》第一条。")
    (record,) = run(setup_of(path, agent="reciter"), "lar")
    assert (record.answer, record.outcome, record.values["score"]) == ("", "abstained", 0.0)


@pytest.mark.data
@pytest.mark.slow
def test_the_reciter_knows_the_released_articles(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(tmp_path))
    corpus = shared_data / "statutes" / "versions.jsonl.gz"
    records = run(setup_of(shared_data / "legalsearch_r1", agent="reciter", corpus=corpus), "lar")
    found = BY_NAME["lar"].summarise(records).values
    score, text = found["score"], found["rouge_l_text"]
    assert score and text
    assert score.value >= 0.973 and text.value >= 0.998
    assert score.n == len(records)
