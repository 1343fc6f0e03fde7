"""Runs that are cut off, doubled, moved, or given data and models that do them harm."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import Event
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.agents.runtime.trace import Finished, read_trace
from inforce.errors import InputError, ModelError, UserError
from inforce.evals.baselines import Prompt
from inforce.evals.benchmark import Record
from inforce.evals.catalogue import open_benchmark
from inforce.evals.harness.run import run
from inforce.evals.results import read_results
from inforce.evals.run_config import RunConfig, parse_setup
from inforce.scoring.run_folder import locked
from openai_server import Answer, OpenAIServer, openai_server

RIGHT = "<answer>A</answer>"


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with openai_server(lambda messages: RIGHT) as running:
        yield running


def write(path: Path, ids: Sequence[str], question: str = "question") -> Path:
    lines = (
        {"id": id, "type": "kqa", "question": f"{question} {number}", "answer": "A"}
        for number, id in enumerate(ids)
    )
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.fixture
def config(tmp_path: Path, server: OpenAIServer) -> RunConfig:
    data = write(tmp_path / "items.jsonl", ["1", "2", "3"])
    setup = parse_setup(open_benchmark("kqa"), data=str(data), agent="direct", today="2026-11-20")
    return RunConfig(benchmark="kqa", setup=setup, model=server.model, output=tmp_path / "out")


def with_data(config: RunConfig, data: Path) -> RunConfig:
    return replace(config, setup=replace(config.setup, data=data))


def fails_on(number: int) -> Any:
    def script(messages: list[dict[str, Any]]) -> Answer | str:
        is_it = messages[-1]["content"].endswith(f" {number}")
        return Answer(status=400, body=b"{}") if is_it else RIGHT

    return script


ALIKE = ("a/b", "a_b", "a:b", "A/B", "A_B", "../a", "..", "长" * 120, "长" * 119 + "短", "x" * 300,
         "a_epoch_1", "x.2", "x", "~", "con")  # fmt: skip
"""Ids that are one file name, or none, where characters are only left out."""


async def test_every_id_has_a_trace_of_its_own(config: RunConfig, tmp_path: Path) -> None:
    """Shared, a run would be given the answer of another item."""
    data = tmp_path / "alike.jsonl"
    same = {"type": "kqa", "question": "the same", "answer": "A"}
    data.write_text("\n".join(json.dumps({**same, "id": id}) for id in ALIKE), encoding="utf-8")
    results = await run(replace(with_data(config, data), epochs=2, at_once=1))
    asked = [(one.id, one.epoch) for one in results.records]
    assert asked == [(id, epoch) for id in ALIKE for epoch in (1, 2)]
    assert {one.outcome for one in results.records} == {"answered"}
    names = {Path(one.trace).name.lower() for one in results.records}
    assert len(names) == len(asked) == len(list((config.output / "traces").iterdir()))
    assert all(len(name.encode()) < 256 for name in names)


@pytest.mark.parametrize("id", ["", "\0", "a\0b", "a\x1b[31m", "a\nb", "a\u202eb"])
async def test_an_id_that_cannot_be_shown_is_refused(
    config: RunConfig, tmp_path: Path, id: str
) -> None:
    with pytest.raises(InputError, match=r"odd.jsonl: the id .* cannot be used"):
        await run(with_data(config, write(tmp_path / "odd.jsonl", ["1", id])))


async def test_an_id_that_two_files_have_is_refused(config: RunConfig, tmp_path: Path) -> None:
    for name in ("legalsearch_evaluation.jsonl", "legalsearch_ood_evaluation.jsonl"):
        write(tmp_path / name, ["1"], name)
    with pytest.raises(InputError, match="the id '1' occurs twice"):
        await run(replace(with_data(config, tmp_path), benchmark="legalsearch"))


async def test_items_of_a_changed_file_are_not_mixed_with_those_asked_before(
    config: RunConfig, server: OpenAIServer
) -> None:
    server.script = fails_on(1)
    await run(config)
    write(config.setup.data, ["1", "2", "3"], "another")
    server.script = lambda messages: RIGHT
    with pytest.raises(UserError, match="data has changed"):
        await run(config)


async def test_a_run_whose_data_is_gone_says_so(config: RunConfig) -> None:
    await run(config)
    config.setup.data.unlink()
    with pytest.raises(InputError, match=r"items.jsonl: no such file"):
        await run(config)


async def test_other_limits_are_another_run(config: RunConfig) -> None:
    """Else results would name limits under which nothing was run."""
    await run(replace(config, token_limit=5))
    with pytest.raises(UserError, match="another run"):
        await run(replace(config, token_limit=5_000))


async def test_a_run_that_goes_on_stays_on_its_day_and_says_so(
    config: RunConfig, server: OpenAIServer
) -> None:
    server.script = fails_on(1)
    await run(config)
    server.script = lambda messages: RIGHT
    later = replace(config, setup=replace(config.setup, today=date(2026, 12, 24)))
    results = await run(later)
    assert {one.outcome for one in results.records} == {"answered"}
    assert results.info.options["today"] == "2026-11-20"


async def test_a_folder_that_was_moved_goes_on_where_it_lies(
    config: RunConfig, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = fails_on(1)
    await run(config)
    moved = replace(config, output=tmp_path / "elsewhere")
    shutil.move(config.output, moved.output)
    server.script = lambda messages: RIGHT
    results = await run(moved)
    assert not config.output.exists()
    for one in results.records:
        assert isinstance(read_trace(moved.output / one.trace)[-1], Finished)


async def test_a_folder_is_used_by_one_run_at_a_time(
    config: RunConfig, server: OpenAIServer
) -> None:
    with locked(config.output), pytest.raises(UserError, match="another run is working in"):
        await run(config)
    assert server.requests == []
    await run(config)


@pytest.mark.parametrize("where", ["file", "file/in/it"])
async def test_a_folder_that_cannot_be_written_is_named(
    config: RunConfig, tmp_path: Path, where: str
) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(UserError, match="cannot write to .*file"):
        await run(replace(config, output=tmp_path / where))


async def test_a_damaged_log_is_named(config: RunConfig) -> None:
    await run(config)
    (log,) = (config.output / "logs").iterdir()
    log.write_bytes(log.read_bytes()[:100])
    with pytest.raises(InputError, match=r"the log is damaged"):
        await run(config)
    log.unlink()
    assert len((await run(config)).records) == 3


async def test_what_was_answered_is_not_asked_again_when_the_log_is_gone(
    config: RunConfig, server: OpenAIServer
) -> None:
    first = await run(config)
    shutil.rmtree(config.output / "logs")
    again = await run(config)
    assert [one.values for one in again.records] == [one.values for one in first.records]
    assert len(server.requests) == 3


async def test_replies_of_control_characters_and_lone_surrogates_are_scored(
    config: RunConfig, server: OpenAIServer
) -> None:
    said = iter([r"\u0000\u001b[2J<answer>A</answer>", r"\ud800<answer>A</answer>", r"\u202e A"])

    def script(messages: list[dict[str, Any]]) -> Answer:
        choice = '{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"%s"}}'
        told = '{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[%s]}'
        return Answer(body=(told % (choice % next(said))).encode())

    server.script = script
    results = await run(replace(config, at_once=1))
    assert [one.values["score"] for one in results.records] == [1.0, 1.0, 0.0]
    assert read_results(config.output) == results


async def test_a_storm_of_errors_is_no_score_and_leaves_the_rest(
    config: RunConfig, server: OpenAIServer, tmp_path: Path
) -> None:
    ids = [str(number) for number in range(60)]
    data = write(tmp_path / "many.jsonl", ids)

    def script(messages: list[dict[str, Any]]) -> Answer | str:
        number = int(messages[-1]["content"].rsplit(" ", 1)[1])
        return RIGHT if number % 3 == 0 else Answer(status=400, body=b"\xff\x00 not JSON")

    server.script = script
    results = await run(replace(with_data(config, data), at_once=256))
    assert [one.id for one in results.records] == ids
    lost = [one.note for one in results.records[::3] if one.outcome != "answered"]
    assert lost == []
    counted = Counter(one.outcome for one in results.records)
    assert counted == {"answered": 20, "failed": 40}
    assert all(one.values == {} for one in results.records if one.outcome == "failed")


async def test_a_defect_in_an_agent_is_told_as_one_and_is_no_score(
    config: RunConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: Prompt, run: Run) -> Draft:
        if run.question.endswith(" 1"):
            raise KeyError("what nobody thought of")
        return Draft(RIGHT)

    monkeypatch.setattr(Prompt, "ask", broken)
    results = await run(config)
    assert [one.outcome for one in results.records] == ["answered", "failed", "answered"]
    lost = results.records[1]
    assert lost.values == {} and lost.note.startswith("a defect of inforce")
    assert "what nobody thought of" in lost.note


async def test_a_defect_in_scoring_is_told_as_one_and_is_no_score(
    config: RunConfig, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(task: str, answer: str, *rest: object, **more: object) -> dict[str, float | None]:
        if answer == "B":
            raise ZeroDivisionError("division by zero")
        return {"score": 1.0}

    monkeypatch.setattr("inforce.evals.legalsearch.scoring.evaluate", broken)
    results = await run(config)
    assert [one.values for one in results.records] == [{"score": 1.0}] * 3
    server.script = lambda messages: "<answer>B</answer>"
    with pytest.raises(ModelError, match="a defect of inforce.*division by zero"):
        await run(replace(config, output=config.output.with_name("other")))


@pytest.mark.parametrize(
    ("option", "score"),
    [({}, None), ({"failed_judge": "missing"}, None), ({"failed_judge": "zero"}, 0.0)],
)
async def test_a_judge_that_fails_leaves_no_score_unless_zero_is_asked_for(
    config: RunConfig,
    server: OpenAIServer,
    tmp_path: Path,
    option: Mapping[str, str],
    score: float | None,
) -> None:
    data = tmp_path / "lcs.jsonl"
    item = {"id": "1", "type": "lcs", "question": "q", "answer": "A"}
    data.write_text(json.dumps(item), encoding="utf-8")
    given = replace(config.setup, data=data, options=option)
    results = await run(replace(config, benchmark="lcs", setup=given, judge=server.model))
    (one,) = results.records
    assert (one.outcome, one.values["score"]) == ("answered", score)
    assert "no verdict in 20 tries" in one.note


async def test_a_judge_that_spends_the_tokens_of_an_item_makes_it_no_zero(
    config: RunConfig, server: OpenAIServer, tmp_path: Path
) -> None:
    data = tmp_path / "lcs.jsonl"
    lines = ({"id": f"{n}", "type": "lcs", "question": f"q{n}", "answer": "A"} for n in range(2))
    data.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    ordered = replace(with_data(config, data), benchmark="lcs", judge=server.model, token_limit=40)
    results = await run(ordered)
    assert [one.id for one in results.records] == ["0", "1"]
    for one in results.records:
        assert one.values.get("score") is None


MANY = [str(number) for number in range(30)]


def started(config: RunConfig, home: Path) -> subprocess.Popen[str]:
    """The run as a process of its own."""
    environment: Mapping[str, str] = {
        **os.environ, "INFORCE_HOME": str(home), "INFORCE_TODAY": "2026-11-20",
    }  # fmt: skip
    told = ["eval", "kqa", "--data", str(config.setup.data), "--agent", "direct", "--model",
            config.model, "--output", str(config.output), "--at-once", "2"]  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "-m", "inforce.cli", *told],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(server: OpenAIServer, requests: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while len(server.requests) < requests and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.01)


def essence(records: Sequence[Record]) -> list[Any]:
    """What must not depend on how often a run was cut off."""
    return [(one.id, one.epoch, one.outcome, one.values, one.answer) for one in records]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "requests"),
    [(signal.SIGINT, 1), (signal.SIGINT, 14), (signal.SIGKILL, 3), (signal.SIGKILL, 17)],
)
async def test_a_run_that_was_cut_off_goes_on_and_loses_and_doubles_nothing(
    config: RunConfig, server: OpenAIServer, tmp_path: Path, kind: signal.Signals, requests: int
) -> None:
    config = with_data(config, write(tmp_path / "many.jsonl", MANY))
    server.script = lambda messages: Answer(RIGHT, seconds=0.05)
    process = started(config, tmp_path / "home")
    wait_for(server, requests, process)
    process.send_signal(kind)
    out, told = process.communicate(timeout=60)
    assert out == ""
    assert not (config.output / "results.json").exists()
    if kind == signal.SIGINT:
        assert process.returncode == 130
        assert told.startswith("inforce: interrupted") and told.count("\n") == 1
    server.script = lambda messages: RIGHT
    whole = await run(config)
    assert len(server.requests) <= len(MANY) + 2  # those under way when it was cut off
    fresh = await run(replace(config, output=tmp_path / "fresh"))
    assert essence(whole.records) == essence(fresh.records)


@pytest.mark.slow
def test_of_two_processes_in_one_folder_one_is_told_to_wait(
    config: RunConfig, server: OpenAIServer, tmp_path: Path
) -> None:
    refused = Event()

    def once_the_second_is_refused(messages: Sequence[Mapping[str, Any]]) -> str:
        refused.wait(60)
        return RIGHT

    server.script = once_the_second_is_refused
    config = with_data(config, write(tmp_path / "many.jsonl", MANY))
    first = started(config, tmp_path / "home")
    wait_for(server, 1, first)
    second = started(config, tmp_path / "home")
    out, told = second.communicate(timeout=60)
    refused.set()
    assert (second.returncode, out) == (2, "")
    assert "another run is working in" in told and "Traceback" not in told
    out, told = first.communicate(timeout=60)
    assert first.returncode == 0 and "results in" in told
    assert len(server.requests) == len(MANY)
