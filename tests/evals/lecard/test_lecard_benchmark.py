"""LeCaRDv2 as a benchmark: rankings are run as agents are, and the perfect one is perfect."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.trace import Event
from inforce.agents.settings import ResearchSettings
from inforce.errors import InputError, UserError
from inforce.evals.benchmark import Attempt, Item, ItemScore, Record, Setup
from inforce.evals.lecard.benchmark import BENCHMARK, MEASURES
from inforce.evals.lecard.files import read_judgements
from inforce.evals.systems import NoModel
from inforce.scoring.estimate import Estimate


def lines(path: Path, *values: Any) -> Path:
    path.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two queries, four candidates, a ranking of one query, and a pool for each."""
    lines(
        tmp_path / "test_query.json",
        {"id": 1, "query": "被告人盗窃手机", "fact": "手机"},
        {"id": 2, "query": "被告人抢劫现金", "fact": "现金"},
    )
    judged = "1 0 10 3\n1 0 11 2\n1 0 12 1\n2 0 12 3\n2 0 13 0\n"
    (tmp_path / "relevence.trec").write_text(judged, encoding="utf-8")
    lines(
        tmp_path / "candidates.jsonl",
        {"pid": 10, "qw": "盗窃手机"},
        {"pid": 11, "qw": "盗窃自行车一辆"},
        {"pid": 12, "qw": "抢劫现金"},
        {"pid": 13, "qw": "诈骗"},
    )
    (tmp_path / "run.trec").write_text("1 Q0 12 1 9 x\n1 Q0 10 2 8 x\n", encoding="utf-8")
    lines(
        tmp_path / "pool.json",
        {"qid": 1, "rank_doc_id": [10, 13]},
        {"qid": 2, "rank_doc_id": [12, 13]},
    )
    return tmp_path


def setup(data: Path, agent: str, **options: str) -> Setup:
    named = {
        name: str(data / of) if name not in ("text", "level") else of
        for name, of in options.items()
    }
    settings = ResearchSettings(agent=agent)
    return Setup(data=data, today=date(2026, 11, 20), settings=settings, options=named)


async def ran(order: Setup) -> list[Record]:
    """Each query through the system and the scorer, as a harness puts it."""
    score = BENCHMARK.scorer(order)
    async with BENCHMARK.open_system(order, NoModel()) as system:
        done: list[Record] = []
        for item in BENCHMARK.read(order):
            events: list[Event] = []
            given = await system(item).research(item.question, listener=events.append)
            attempt = Attempt(given, tuple(events))
            scored = await score(item, attempt, None) if attempt.is_scored else ItemScore({})
            done.append(record(item, given, scored))
    return done


def record(item: Item, given: ResearchAnswer, scored: ItemScore) -> Record:
    return Record(
        item.id, item.task, "", item.question, "", scored.answer, given.outcome, scored.values
    )


def ranked(records: Sequence[Record]) -> dict[str, list[str]]:
    return {one.id: one.answer.splitlines() for one in records}


async def test_bm25_ranks_the_candidates_it_is_given(data: Path) -> None:
    first, second = await ran(setup(data, "bm25", candidates="candidates.jsonl"))
    assert ranked([first, second]) == {"1": ["10", "11"], "2": ["12"]}
    assert (first.task, first.outcome) == ("test", "answered")
    assert (first.values["map"], first.values["p@5"]) == (1.0, 0.4)
    assert second.values["ndcg@10"] == 1.0


async def test_a_pool_restricts_what_is_ranked_for_a_query(data: Path) -> None:
    order = setup(data, "bm25", candidates="candidates.jsonl", pool="pool.json")
    assert ranked(await ran(order)) == {"1": ["10"], "2": ["12"]}
    done = await ran(setup(data, "run", run="run.trec", pool="pool.json"))
    assert done[0].answer == "10"


async def test_a_query_a_run_does_not_rank_is_no_score(data: Path) -> None:
    first, second = await ran(setup(data, "run", run="run.trec"))
    assert first.answer.splitlines() == ["12", "10"]
    assert first.values["map"] == pytest.approx(1 / 2 / 2)
    assert (second.outcome, second.values) == ("failed", {})
    summary = BENCHMARK.summarise([first, second]).values
    assert summary["map"] == Estimate(0.25, None, None, 1)


async def test_the_level_that_is_relevant_and_the_text_asked_with_are_options(data: Path) -> None:
    first, _ = await ran(setup(data, "run", run="run.trec", level="1"))
    assert first.values["map"] == pytest.approx(2 / 3)
    facts = BENCHMARK.read(setup(data, "run", text="fact"))
    assert [one.question for one in facts] == ["手机", "现金"]


def test_an_item_holds_its_judgements_as_json(data: Path) -> None:
    item = BENCHMARK.read(setup(data, "run"))[0]
    assert item.facts == {"levels": {"10": 3, "11": 2, "12": 1}, "pool": None}
    assert json.loads(json.dumps(item.facts)) == item.facts


@pytest.mark.parametrize(
    ("agent", "options", "why"),
    [
        ("bm25", {}, "--option candidates=PATH"),
        ("run", {}, "--option run=PATH"),
        ("dense", {}, "no agent 'dense': use bm25, run"),
        ("run", {"run": "none.trec"}, "none.trec: cannot be read"),
    ],
)
async def test_what_cannot_be_opened_is_said(
    data: Path, agent: str, options: dict[str, str], why: str
) -> None:
    with pytest.raises(UserError, match=why):
        async with BENCHMARK.open_system(setup(data, agent, **options), NoModel()):
            pass


def test_options_that_do_not_fit_are_refused(data: Path) -> None:
    with pytest.raises(UserError, match="text cannot be 'all': .* query .* or fact"):
        BENCHMARK.read(setup(data, "run", text="all"))
    with pytest.raises(UserError, match="level cannot be '0'"):
        BENCHMARK.scorer(setup(data, "run", level="0"))
    (data / "other.trec").write_text("1 0 10 3\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.trec: says nothing of query 2"):
        BENCHMARK.read(setup(data, "run", qrels="other.trec"))


def test_our_row_has_every_measure(data: Path) -> None:
    one = Record("1", "test", "", "", "", "", "answered", dict.fromkeys(MEASURES, 0.5))
    failed = replace(one, id="2", outcome="failed", values={})
    (table,) = BENCHMARK.tables([one, failed], "bm25")
    assert [isinstance(cell, Estimate) and cell.value for cell in table.rows[0].cells] == [0.5] * 6


@pytest.mark.data
async def test_the_judgements_themselves_as_a_run_are_perfect(
    shared_data: Path, tmp_path: Path
) -> None:
    folder = shared_data / "lecardv2"
    judged = read_judgements(folder / "test_relevence.trec")
    run = [
        f"{query} Q0 {document} 0 {level} judged"
        for query, levels in judged.items()
        for document, level in levels.items()
    ]
    (tmp_path / "run.trec").write_text("\n".join(run), encoding="utf-8")
    options = {"run": str(tmp_path / "run.trec"), "pool": str(folder / "ranking_pool.json")}
    done = await ran(replace(setup(folder, "run"), options=options))
    assert len(done) == 160
    assert all(one.values[f"ndcg@{k}"] == pytest.approx(1.0) for one in done for k in (10, 20, 30))
    relevant = {id: sum(level >= 2 for level in of.values()) for id, of in judged.items()}
    bearing = [one for one in done if relevant[one.id]]
    assert [one.values["map"] for one in bearing] == pytest.approx([1.0] * 159)
    assert all(one.values["p@10"] == min(relevant[one.id], 10) / 10 for one in bearing)
    assert [one.values["map"] for one in done if not relevant[one.id]] == [None]


@pytest.mark.data
def test_every_query_file_is_judged_within_its_pools(shared_data: Path) -> None:
    folder = shared_data / "lecardv2"
    pool = str(folder / "ranking_pool.json")
    for name, n in (("test", 160), ("controversial", 100), ("procedural", 100)):
        file = folder / f"{name}_query.json"
        order = replace(setup(file, "run"), options={"pool": pool})
        items = BENCHMARK.read(order)
        assert (len(items), {one.task for one in items}) == (n, {name})
        assert all(set(one.facts["levels"]) <= set(one.facts["pool"]) for one in items)
