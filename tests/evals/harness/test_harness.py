"""Benchmarks on inspect-ai: what is asked, scored, stored, judged, gone on with and refused."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")

import tiny_benchmark
from inspect_ai.log import list_eval_logs_async, read_eval_log_async

from inforce.agents.runtime.trace import Finished, read_trace
from inforce.errors import ModelError, UserError
from inforce.evals.benchmark import Benchmark
from inforce.evals.harness import registry
from inforce.evals.harness.run import run
from inforce.evals.progress import Progress
from inforce.evals.results import read_results, result_line
from inforce.evals.run_config import RunConfig, fingerprint, parse_setup, setup_arguments
from openai_server import Answer, OpenAIServer, openai_server

LETTERS = "ABAAB"


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_benchmark(name: str) -> Benchmark:
        return tiny_benchmark.BENCHMARK

    monkeypatch.setattr(registry, "open_benchmark", open_benchmark)


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    """A model that echoes the letter it is asked about, and calls every answer good."""
    with openai_server(says) as running:
        yield running


def says(messages: list[dict[str, Any]]) -> str:
    asked = messages[-1]["content"]
    return "good" if tiny_benchmark.JUDGEMENT in asked else asked[0]


@pytest.fixture
def config(tmp_path: Path, server: OpenAIServer) -> RunConfig:
    data = tmp_path / "letters.txt"
    data.write_text("\n".join(LETTERS), encoding="utf-8")
    setup = parse_setup(tiny_benchmark.BENCHMARK, data=str(data), today="2026-11-20")
    return RunConfig(benchmark="kqa", setup=setup, model=server.model, output=tmp_path / "out")


def asked(server: OpenAIServer) -> Counter[str]:
    return Counter(request["messages"][-1]["content"] for request in server.requests)


async def test_every_item_is_asked_once_and_becomes_a_record(
    config: RunConfig, server: OpenAIServer
) -> None:
    seen = Progress("accuracy")
    results = await run(config, progress=seen)
    assert [one.id for one in results.records] == ["q0", "q1", "q2", "q3", "q4"]
    assert [one.target for one in results.records] == list(LETTERS)
    assert {one.values["accuracy"] for one in results.records} == {1.0}
    assert {one.values["judged"] for one in results.records} == {None}
    assert results.records[0].usage.tokens == 15
    assert results.records[0].facts == {"n": 1}
    assert len(seen.items) == seen.total == len(server.requests) == len(LETTERS)
    assert seen.line().startswith("5 of 5 · accuracy 1.000 [0.566, 1.000] · 0:00 left · ")
    assert tiny_benchmark.OPENED == []


async def test_what_is_stored_can_be_read_without_the_harness(config: RunConfig) -> None:
    results = await run(config)
    stored = read_results(config.output)
    assert stored == results
    assert stored.info.data.startswith("letters.txt sha256:")
    events = read_trace(config.output / stored.records[0].trace)
    assert isinstance(events[-1], Finished)


async def test_the_result_line_has_every_measure_with_its_interval(config: RunConfig) -> None:
    line = result_line(await run(config), tiny_benchmark.BENCHMARK)
    assert (line["n"], line["accuracy"], line["judged"]) == (5, 1.0, None)
    low, high, n = line["intervals"]["accuracy"]
    assert (round(low, 4), high, n) == (0.5655, 1.0, 5)  # Wilson: 1 / (1 + 1.96² / 5)
    assert line["groups"]["even"]["n"] == 3 and line["groups"]["odd"]["n"] == 2
    assert line["usage"]["input_tokens"] == 50
    assert json.loads(json.dumps(line)) == line


async def test_a_finished_run_is_not_asked_again(config: RunConfig, server: OpenAIServer) -> None:
    first = await run(config)
    again = await run(config)
    assert again.records == first.records
    assert len(server.requests) == len(LETTERS)


async def test_a_folder_of_another_run_is_refused(config: RunConfig) -> None:
    await run(config)
    for other in (replace(config, limit=2), replace(config, token_limit=9)):
        with pytest.raises(UserError, match="holds another run"):
            await run(other)
    tomorrow = replace(config, setup=replace(config.setup, today=date(2026, 11, 21)), at_once=1)
    assert len((await run(tomorrow)).records) == len(LETTERS)
    config.setup.data.write_text("A", encoding="utf-8")
    with pytest.raises(UserError, match="holds another run"):
        await run(config)


async def test_a_judge_scores_and_one_that_makes_no_sense_leaves_the_measure_missing(
    config: RunConfig, server: OpenAIServer
) -> None:
    words = iter(["good", "bad", "what?", "good", "good"])
    server.script = lambda messages: next(words) if says(messages) == "good" else says(messages)
    results = await run(replace(config, judge=server.model, at_once=1))
    judged = [one.values["judged"] for one in results.records]
    assert sorted(judged, key=str) == [0.0, 1.0, 1.0, 1.0, None]
    line = result_line(results, tiny_benchmark.BENCHMARK)
    assert (line["judged"], line["intervals"]["judged"][2]) == (0.75, 4)
    assert (line["n"], line["accuracy"]) == (5, 1.0)


async def test_items_whose_model_failed_are_no_zeros_and_are_asked_again(
    config: RunConfig, server: OpenAIServer
) -> None:
    server.script = lambda messages: (
        Answer(status=400, body=b'{"error": {"message": "no"}}')
        if messages[-1]["content"] == "B?"
        else says(messages)
    )
    results = await run(config)
    assert [one.outcome for one in results.records] == [
        "answered",
        "failed",
        "answered",
        "answered",
        "failed",
    ]
    line = result_line(results, tiny_benchmark.BENCHMARK)
    assert (line["n"], line["accuracy"], line["outcomes"]) == (3, 1.0, {"answered": 3, "failed": 2})
    before = asked(server)["A?"]
    server.script = says
    mended = await run(config)
    assert {one.outcome for one in mended.records} == {"answered"}
    assert asked(server)["A?"] == before == 3


async def test_a_run_in_which_nothing_could_be_asked_has_no_result(
    config: RunConfig, server: OpenAIServer
) -> None:
    server.script = lambda messages: Answer(status=401, body=b"{}")
    with pytest.raises(ModelError, match="no item could be run"):
        await run(config)
    assert not (config.output / "results.json").exists()


async def test_an_item_stopped_by_its_limit_is_not_scored(config: RunConfig) -> None:
    results = await run(replace(config, token_limit=5))
    assert {one.outcome for one in results.records} == {"budget"}
    line = result_line(results, tiny_benchmark.BENCHMARK)
    assert (line["n"], line["accuracy"]) == (0, None)


async def test_epochs_ask_each_item_again(config: RunConfig, server: OpenAIServer) -> None:
    results = await run(replace(config, epochs=2))
    assert [(one.id, one.epoch) for one in results.records[:3]] == [("q0", 1), ("q0", 2), ("q1", 1)]
    assert len(server.requests) == 2 * len(LETTERS)
    assert len({one.trace for one in results.records}) == 2 * len(LETTERS)


async def test_a_limit_takes_the_first_items(config: RunConfig) -> None:
    results = await run(replace(config, limit=2))
    assert [one.id for one in results.records] == ["q0", "q1"]


async def test_inspects_own_log_holds_the_scores_with_missing_ones_as_not_a_number(
    config: RunConfig,
) -> None:
    await run(config)
    found = await list_eval_logs_async(str(config.output / "logs"))
    log = await read_eval_log_async(found[0].name)
    assert log.status == "success" and log.samples and log.results
    value = (log.samples[0].scores or {})["measures"].value
    assert isinstance(value, dict)
    assert value["accuracy"] == 1.0 and math.isnan(float(str(value["judged"])))
    means = {one.name: one.metrics["inforce/mean"].value for one in log.results.scores}
    assert means["accuracy"] == 1.0 and math.isnan(means["judged"])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"agent": "nobody"}, "is run by direct, not 'nobody'"),
        ({"options": {"k": "v"}}, "the options of kqa are none, not 'k'"),
        ({"today": "soon"}, "a day like 2026-11-20"),
        ({"sources": "moon"}, "no source is called moon"),
    ],
)
def test_what_a_benchmark_does_not_know_is_named(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(UserError, match=why):
        parse_setup(tiny_benchmark.BENCHMARK, data="x", **arguments)


def test_a_setup_is_read_back_from_its_text() -> None:
    given: dict[str, Any] = {
        **{"data": "x", "agent": "direct", "corpus": "c.db", "world": "w", "documents": "d"},
        **{"sources": "statutes,web", "web": "ddgs", "max_turns": 3, "today": "2026-11-20"},
        "options": {},
    }
    setup = parse_setup(tiny_benchmark.BENCHMARK, **given)
    assert setup_arguments(setup) == given
    assert parse_setup(tiny_benchmark.BENCHMARK, **setup_arguments(setup)) == setup


async def test_replies_that_were_kept_are_not_asked_for_again(
    config: RunConfig, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    kept = replace(config, cache="replies")
    first = await run(kept)
    before = len(server.requests)
    again = await run(replace(kept, output=tmp_path / "other"))
    assert [one.values for one in again.records] == [one.values for one in first.records]
    assert len(server.requests) == before
    await run(replace(config, output=tmp_path / "third"))
    assert len(server.requests) == before + len(LETTERS)


@pytest.mark.parametrize("name", ["data", "corpus", "world"])
def test_what_a_run_works_with_counts_by_what_it_holds(
    config: RunConfig, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "held.jsonl"
    settings = replace(config.setup.settings, world=path if name == "world" else None)
    changed = {"settings": settings} if name == "world" else {name: path}
    given = replace(config, setup=replace(config.setup, **changed))
    seen = {"a": set[str](), "b": set[str]()}
    for text in ("a", "b", "a"):
        path.write_text(text, encoding="utf-8")
        seen[text].add(fingerprint(given))
    assert len(seen["a"]) == len(seen["b"]) == 1
    assert seen["a"] != seen["b"]
