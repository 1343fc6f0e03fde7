"""``inforce eval NAME``: any benchmark, any model; killed and gone on with; refused in words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import InProcess, command_line, environment

from openai_server import Answer, OpenAIServer, openai_server

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")

ITEMS = 30


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Questions whose right answer is A, every third time B."""
    path = tmp_path / "kqa.jsonl"
    lines = [
        {
            "id": f"kqa_{number}",
            "type": "kqa",
            "task_prompt": "写出正确选项的字母。",
            "deepresearch_task_prompt": "写出正确选项的字母。",
            "question": f"问题: 第{number}题？\n选项:\nA: 是\nB: 否",
            "answer": "B" if number % 3 == 0 else "A",
        }
        for number in range(ITEMS)
    ]
    path.write_text("\n".join(json.dumps(one) for one in lines), encoding="utf-8")
    return path


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    """A model that always says A, and takes a moment."""
    with openai_server(lambda messages: Answer("<answer>A</answer>", seconds=0.05)) as running:
        yield running


def arguments(items: Path, server: OpenAIServer, output: Path, *more: str) -> tuple[str, ...]:
    asked = ("--agent", "direct", "--model", server.model, "--output", str(output))
    return ("eval", "kqa", "--data", str(items), *asked, *more)


def said(out: str) -> dict[str, Any]:
    return json.loads(out.splitlines()[-1])


def questions(server: OpenAIServer) -> Counter[str]:
    return Counter(request["messages"][-1]["content"] for request in server.requests)


def test_the_last_line_is_one_object_with_n_and_intervals(
    inforce: InProcess, items: Path, server: OpenAIServer, tmp_path: Path
) -> None:
    ran = inforce(*arguments(items, server, tmp_path / "out"), "--json")
    assert ran.status == 0, ran
    line = ran.json  # nothing else stands on standard output
    assert (line["benchmark"], line["agent"], line["n"]) == ("kqa", "direct", ITEMS)
    assert line["score"] == pytest.approx(2 / 3, abs=1e-6)
    low, high, n = line["intervals"]["score"]
    assert (round(low, 4), round(high, 4), n) == (0.4878, 0.8077, 30)  # Wilson, 20 of 30
    assert line["usage"]["calls"] == ITEMS


def test_without_json_the_papers_table_stands_above_the_object(
    inforce: InProcess, items: Path, server: OpenAIServer, tmp_path: Path
) -> None:
    ran = inforce(*arguments(items, server, tmp_path / "out", "--limit", "3"))
    assert ran.status == 0
    assert "LegalSearch-R1" in ran.out and "DeepPlanner" in ran.out
    assert said(ran.out)["n"] == 3


@pytest.mark.slow
def test_a_run_killed_in_the_middle_goes_on_without_asking_twice(
    sample_home: Path, items: Path, server: OpenAIServer, tmp_path: Path
) -> None:
    command = command_line(*arguments(items, server, tmp_path / "out", "--at-once", "1", "--json"))
    with subprocess.Popen(
        command, env=environment(sample_home), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        deadline = time.monotonic() + 60
        while len(server.requests) < ITEMS // 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    before = questions(server)
    assert ITEMS // 2 <= len(before) < ITEMS
    done = subprocess.run(
        command, env=environment(sample_home), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert said(done.stdout)["n"] == ITEMS
    twice = [question for question, times in questions(server).items() if times > 1]
    assert len(twice) <= 1  # at most the one that was under way
    assert len(questions(server)) == ITEMS


@pytest.mark.slow
def test_inspects_own_command_line_finds_the_benchmarks(
    sample_home: Path, items: Path, server: OpenAIServer, tmp_path: Path
) -> None:
    done = subprocess.run(
        [
            *(str(Path(sys.executable).with_name("inspect")), "eval", "inforce/kqa"),
            *("--model", f"inforce/{server.model}", "-T", f"data={items}", "-T", "agent=direct"),
            *("--limit", "4", "--display", "plain", "--log-dir", str(tmp_path / "logs")),
        ],
        env=environment(sample_home, HOME=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0.500" in done.stdout  # B, A, A, B
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 1


@pytest.mark.parametrize(
    ("more", "status", "told"),
    [
        (("--agent", "nobody"), 2, "is run by"),
        (("--option", "nothing"), 2, "KEY=VALUE"),
        (("--option", "colour=red"), 2, "the options of kqa are"),
        (("--agent", "direct"), 8, "recorded:FILE"),
        (("--agent", "direct", "--model", "recorded:none.jsonl"), 6, "none.jsonl"),
        (("--agent", "direct", "--model", "nonsense"), 8, "no model is called"),
        (("--agent", "r1", "--corpus", "none.db"), 6, "no such corpus"),
    ],
)
def test_what_cannot_be_run_is_said_before_anybody_is_asked(
    inforce: InProcess, items: Path, more: tuple[str, ...], status: int, told: str, tmp_path: Path
) -> None:
    ran = inforce("eval", "kqa", "--data", str(items), "--output", str(tmp_path / "o"), *more)
    assert (ran.status, ran.out) == (status, "")
    assert told in ran.err


def test_a_file_that_is_no_benchmark_is_bad_input(inforce: InProcess, tmp_path: Path) -> None:
    path = tmp_path / "no.jsonl"
    path.write_text("{", encoding="utf-8")
    ran = inforce("eval", "kqa", "--data", str(path), "--agent", "r1", "--json")
    assert (ran.status, ran.json["error"]) == (6, "bad_input")
