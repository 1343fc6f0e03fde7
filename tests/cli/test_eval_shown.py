"""What is seen of a run while it goes on, and what is said of items that have no score."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import InProcess, command_line, environment

from inforce.cli.run_progress import shown_progress
from inforce.evals.progress import FinishedItem, Progress
from inforce.llm.chat import Usage
from openai_server import Answer, OpenAIServer, openai_server

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")

KINDS = {"kqa": "选项", "lcs": "咨询"}


def items(path: Path, kind: str, count: int = 4) -> Path:
    lines = [
        {"id": f"{kind}_{n}", "type": kind, "question": f"{KINDS[kind]} {n}", "answer": "A"}
        for n in range(count)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with openai_server(lambda messages: "<answer>A</answer>") as running:
        yield running


def asked(data: Path, server: OpenAIServer, *more: str, kind: str = "kqa") -> tuple[str, ...]:
    folder = str(data.parent / "out")
    direct = ("--agent", "direct", "--model", server.model, "--output", folder)
    return ("eval", kind, "--data", str(data), *direct, *more)


def last(out: str) -> dict[str, Any]:
    return json.loads(out.splitlines()[-1])


# --- while it runs ------------------------------------------------------------------------------


def test_a_line_says_how_far_what_score_what_it_cost_and_how_long() -> None:
    moments = iter([0.0, 30.0])
    progress = Progress(now=moments.__next__)
    progress.begin(64, [FinishedItem(1.0, Usage(1, 10, 5))] * 2)
    progress.end(FinishedItem(0.0, Usage(1, 900, 85)))
    progress.end(FinishedItem(None, Usage(), is_failed=True))
    assert progress.line() == (
        "4 of 64 · 1 failed · score 0.667 [0.208, 0.939] · 15:00 left · 4.0 a minute · 1,015 tokens"
    )


def test_without_a_terminal_there_is_a_line_now_and_then() -> None:
    stream = io.StringIO()
    progress = Progress()
    with shown_progress(progress, stream=stream, every=0.02):
        progress.begin(3)
        progress.end(FinishedItem(1.0))
        until = time.monotonic() + 10
        while "1 of 3" not in stream.getvalue() and time.monotonic() < until:
            time.sleep(0.01)
    assert "inforce: 1 of 3 · score 1.000" in stream.getvalue()


@pytest.mark.slow
def test_on_a_terminal_the_bar_is_seen(tmp_path: Path, server: OpenAIServer) -> None:
    """The harness redirects standard error while it runs."""
    server.script = lambda messages: Answer("<answer>A</answer>", seconds=0.4)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command_line(*asked(items(tmp_path / "a.jsonl", "kqa", 8), server, "--at-once", "1")),
        env={**environment(tmp_path / "home"), "TERM": "xterm", "COLUMNS": "120"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += (read := os.read(ours, 65536))
        except OSError:
            break
        if not read:
            break
    assert process.wait(60) == 0
    said = shown.decode()
    assert "0 of 8" in said
    assert " of 8 · score 1.000" in said and " left" in said and "tokens" in said


def test_an_interrupt_says_how_far_and_how_to_go_on(tmp_path: Path, server: OpenAIServer) -> None:
    server.script = lambda messages: Answer("<answer>A</answer>", seconds=0.05)
    data = items(tmp_path / "a.jsonl", "kqa", 60)
    process = subprocess.Popen(
        command_line(*asked(data, server, "--at-once", "2")),
        env=environment(tmp_path / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while len(server.requests) < 6 and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    folder = data.parent / "out"
    assert said.startswith("inforce: interrupted after ") and " of 60 items" in said
    assert said.endswith(f"the same command with --output {folder} goes on\n")


# --- what has no score --------------------------------------------------------------------------


def test_without_a_judge_nothing_is_scored_and_that_is_an_error(
    inforce: InProcess, tmp_path: Path, server: OpenAIServer
) -> None:
    ran = inforce(*asked(items(tmp_path / "a.jsonl", "lcs"), server, kind="lcs"))
    assert ran.status == 8
    assert last(ran.out)["not_scored"] == [
        {"task": "lcs", "reason": "no judge was named", "items": 4}
    ]
    table = ran.out.partition("\n\n")[0]
    assert "–" in next(line for line in table.splitlines() if "direct · " in line)
    assert "Not scored: 4 of 4 of lcs: no judge was named." in table
    assert "inforce: nothing was scored" in ran.err


def test_a_judge_a_benchmark_never_asks_is_refused(
    inforce: InProcess, tmp_path: Path, server: OpenAIServer
) -> None:
    ran = inforce(*asked(items(tmp_path / "a.jsonl", "kqa"), server, "--judge", server.model))
    assert ran.status == 2 and "eval kqa asks no judge" in ran.err


def test_a_task_the_rules_of_an_agent_never_answer_has_a_dash_and_no_zero(
    inforce: InProcess, tmp_path: Path
) -> None:
    data = items(tmp_path / "a.jsonl", "kqa")
    ran = inforce("eval", "kqa", "--data", str(data), "--agent", "r1")
    assert ran.status == 8
    assert last(ran.out)["score"] is None
    assert last(ran.out)["outcomes"] == {"abstained": 4}
    reason = "the rules of the agent answer no question of this task"
    assert f"4 of 4 of kqa: {reason}" in ran.out.replace("Not scored: ", "")


def test_failed_items_are_named_and_are_zeros_where_a_table_counts_them_so(
    inforce: InProcess, tmp_path: Path, server: OpenAIServer
) -> None:
    def fails_once(messages: list[dict[str, Any]]) -> Answer | str:
        is_it = messages[-1]["content"].endswith("3")
        return Answer(status=400, body=b"{}") if is_it else "<answer>A</answer>"

    server.script = fails_once
    data = items(tmp_path / "a.jsonl", "kqa")
    ran = inforce(*asked(data, server))
    assert ran.status == 0
    assert (last(ran.out)["score"], last(ran.out)["n"]) == (1.0, 3)
    assert last(ran.out)["not_scored"] == [{"task": "kqa", "reason": "the run failed", "items": 1}]
    assert "Not scored: 1 of 4 of kqa: the run failed." in ran.out
    as_zero = inforce(*asked(data, server, "--failed", "zero"))
    assert (last(as_zero.out)["score"], last(as_zero.out)["n"]) == (0.75, 4)
    assert last(as_zero.out)["not_scored"] == []


def test_tokens_of_items_stopped_by_a_limit_are_counted(
    inforce: InProcess, tmp_path: Path, server: OpenAIServer
) -> None:
    """A second reply that never comes does not undo the first."""
    replies = iter(["<think>甲</think><plan>查</plan>"] * 2)
    server.script = lambda messages: Answer(next(replies, "<answer>A</answer>"))
    data = items(tmp_path / "a.jsonl", "kqa", 1)
    folder = str(tmp_path / "out")
    limits = ("--token-limit", "20", "--output", folder)
    asked_r1 = ("eval", "kqa", "--data", str(data), "--agent", "r1", "--model", server.model)
    ran = inforce(*asked_r1, *limits)
    assert last(ran.out)["outcomes"] == {"budget": 1}
    assert last(ran.out)["usage"]["calls"] >= 1
    assert last(ran.out)["usage"]["input_tokens"] > 0


def test_a_folder_that_is_no_world_is_refused_before_it_is_read(
    inforce: InProcess, tmp_path: Path
) -> None:
    world = tmp_path / "world"
    world.mkdir()
    (world / "large.bin").symlink_to("/dev/zero")
    task = {"id": 1, "question": "甲公司？", "answer": "乙", "key": ["乙"], "key_middle": [],
            "type": "1", "way": "get_company_info"}  # fmt: skip
    data = tmp_path / "dataset.json"
    data.write_text(json.dumps([task]), encoding="utf-8")
    for given, said in ((world, "no world of tables"), ("/dev/zero", "not a regular file")):
        tools = ("--world", str(given), "--agent", "oracle")
        ran = inforce("eval", "legalagentbench", "--data", str(data), *tools)
        assert ran.status == 6 and said in ran.err


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("ljp", "most-frequent"),
        ("legalsearchqa", "always-b"),
        ("legalagentbench", "oracle"),
        ("lecard", "bm25"),
    ],
)
def test_an_agent_that_asks_no_model_takes_none(
    inforce: InProcess, tmp_path: Path, name: str, agent: str
) -> None:
    asked = ("eval", name, "--data", str(tmp_path), "--agent", agent)
    ran = inforce(*asked, "--model", "openai:gpt-4o", "--epochs", "2")
    assert ran.status == 2
    assert f"{agent}, which asks no model, does not use --model, --epochs" in ran.err
