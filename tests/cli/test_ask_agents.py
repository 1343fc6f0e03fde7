"""``inforce ask --agent``: as a person runs it, breaks it off, and runs it again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from commands import InProcess, Ran, command_line, environment, run_process

from inforce.agents.runtime.trace import Finished, Replied, Started, read_trace
from openai_server import Answer, OpenAIServer, openai_server

QUESTION = "2010年累犯能否适用缓刑？"
SAYS = "对于累犯，不适用缓刑。"
FACTS = "2015年5月，被告人甲骗取被害人乙人民币50000元。甲归案后如实供述，取得谅解。"
TURNS = (
    "<think>甲</think><plan>查刑法第七十四条</plan>",
    '<think>甲</think><tool_call>{"name": "law_at", "arguments": '
    '{"law": "刑法", "article": "74", "date": "2010-06-01"}}</tool_call>',
    f"<think>甲</think><answer>《刑法》第七十四条：{SAYS}</answer>",
)


def says(request: list[dict[str, Any]]) -> str:
    """A model that plans, looks the article up, and answers."""
    return TURNS[sum(one["role"] == "assistant" for one in request)]


@pytest.fixture
def server() -> Generator[OpenAIServer]:
    pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")
    with openai_server(says) as running:
        yield running


def ask(model: OpenAIServer | str, *more: str, question: str = QUESTION) -> list[str]:
    named = model if isinstance(model, str) else model.model
    sources = [] if "--sources" in more else ["--sources", "statutes"]
    return ["ask", question, "--agent", "r1", "--model", named, *sources, *more]


# --- without a model --------------------------------------------------------------------------


def test_r1_answers_by_rule_with_its_sources_dates_and_status(inforce: InProcess) -> None:
    ran = inforce("ask", QUESTION, "--agent", "r1")
    assert ran.status == 0, ran.err
    assert f"{SAYS} [1]" in ran.out
    assert (
        "[1] 中华人民共和国刑法 第七十四条 · in force since at least 1997-10-01, to 2011-04-30"
        in ran.out
    )
    assert "自 2011-05-01 起已修改" in ran.out


def test_json_is_the_whole_answer_and_nothing_else(inforce: InProcess) -> None:
    ran = inforce("ask", QUESTION, "--agent", "r1", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert (ran.json["agent"], ran.json["model"], ran.json["outcome"]) == (
        "r1",
        "offline",
        "answered",
    )
    cited = {one for sentence in ran.json["sentences"] for one in sentence["support"]}
    assert cited <= {one["id"] for one in ran.json["evidence"]}
    assert cited


def test_a_day_given_beside_the_question_is_the_day_of_the_law(inforce: InProcess) -> None:
    asked = ("ask", "累犯能否适用缓刑？", "--agent", "r1")
    then = inforce(*asked, "--as-of", "2010-06-01")
    now = inforce(*asked, "--as-of", "2015-06-01")
    assert "和犯罪集团的首要分子" not in then.out.partition("sources:")[0]
    assert "和犯罪集团的首要分子" in now.out.partition("sources:")[0]


def test_msr2_gives_a_term_or_says_that_it_cannot(inforce: InProcess) -> None:
    ran = inforce("ask", FACTS, "--agent", "msr2", "--json")
    assert (ran.status, ran.json["outcome"]) in ((0, "answered"), (4, "abstained"))
    if ran.status == 0:
        assert "个月" in ran.json["text"]
    nothing = inforce("ask", "月亮多大？", "--agent", "msr2", "--json")
    assert (nothing.status, nothing.json["outcome"], nothing.json["text"]) == (4, "abstained", "")


@pytest.mark.parametrize("agent", ["lmars", "lmars-multi"])
def test_lmars_quotes_the_persons_own_documents(
    inforce: InProcess, agent: str, tmp_path: Path
) -> None:
    (tmp_path / "note.md").write_text(f"# 缓刑\n\n2010年：{SAYS}", encoding="utf-8")
    ran = inforce("ask", QUESTION, "--agent", agent, "--documents", str(tmp_path))
    assert ran.status == 0, ran.out + ran.err
    assert f"{SAYS} [1]" in ran.out
    assert "note.md" in ran.out or "缓刑" in ran.out.partition("sources:")[2]


def test_what_nothing_speaks_to_is_an_abstention(inforce: InProcess) -> None:
    ran = inforce("ask", "怎么做红烧肉？", "--agent", "r1")
    assert ran.status == 4
    assert ran.out.startswith("abstained")


# --- traces ---------------------------------------------------------------------------------------


def test_a_trace_is_written_shown_and_made_a_page(inforce: InProcess, tmp_path: Path) -> None:
    trace, html = tmp_path / "runs" / "one.jsonl", tmp_path / "one.html"
    first = inforce("ask", QUESTION, "--agent", "r1", "--trace", str(trace))
    shown = inforce("trace", "show", str(trace))
    assert shown.status == 0
    assert shown.out.startswith(f"{QUESTION}\nr1 · offline · research day 2026-11-20\n")
    assert first.out.strip().splitlines()[0] in shown.out
    assert inforce("trace", "show", str(trace), "--html", str(html)).status == 0
    page = html.read_text(encoding="utf-8")
    assert QUESTION in page
    assert SAYS in page
    assert "<script" not in page
    assert inforce("trace", "show", str(trace), "--json").json["question"] == QUESTION


def test_a_finished_trace_gives_its_answer_again_without_a_model(
    inforce: InProcess, server: OpenAIServer, tmp_path: Path
) -> None:
    arguments = ask(server, "--json", "--trace", str(tmp_path / "t.jsonl"))
    first = inforce(*arguments)
    asked = len(server.requests)
    assert (first.status, asked) == (0, 3)
    assert inforce(*arguments).json == first.json
    assert len(server.requests) == asked


@contextmanager
def stalling(at: int) -> Generator[tuple[OpenAIServer, threading.Event, threading.Event]]:
    """A server that does not answer a certain call before it is told to."""
    reached, released = threading.Event(), threading.Event()

    def stalls(request: list[dict[str, Any]]) -> str:
        if sum(one["role"] == "assistant" for one in request) == at and not released.is_set():
            reached.set()
            released.wait(60)
        return says(request)

    with openai_server(stalls) as running:
        try:
            yield running, reached, released
        finally:
            released.set()


@pytest.mark.slow
@pytest.mark.parametrize("at", [1, 2])
def test_a_run_that_was_killed_goes_on_where_it_was(
    sample_home: Path, tmp_path: Path, at: int
) -> None:
    pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")
    trace = tmp_path / "t.jsonl"
    with stalling(at) as (server, reached, released):
        arguments = ask(server, "--json", "--trace", str(trace))
        with subprocess.Popen(
            command_line(*arguments), env=environment(sample_home), stdout=subprocess.DEVNULL
        ) as process:
            assert reached.wait(60)
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        cut = read_trace(trace)
        assert sum(isinstance(one, Replied) for one in cut) == at
        with trace.open("ab") as file:
            file.write(b'{"event":"replied","key":"')  # a line the crash cut off
        assert "not finished" in run_process("trace", "show", str(trace), home=sample_home).out
        released.set()
        server.requests.clear()
        ran = run_process(*arguments, home=sample_home)
    assert (ran.status, ran.json["outcome"]) == (0, "answered"), ran.err
    assert len(server.requests) == len(TURNS) - at
    events = read_trace(trace)
    assert [type(one) for one in events].count(Started) == 1
    assert isinstance(events[-1], Finished)
    assert sum(isinstance(one, Replied) for one in events) == len(TURNS)


@pytest.mark.slow
def test_an_interrupt_leaves_a_trace_that_can_be_shown_and_gone_on_with(
    sample_home: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")
    trace = tmp_path / "t.jsonl"
    with stalling(1) as (server, reached, released):
        arguments = ask(server, "--trace", str(trace))
        with subprocess.Popen(
            command_line(*arguments),
            env=environment(sample_home),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert reached.wait(60)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in err
        released.set()
        assert run_process(*arguments, home=sample_home).status == 0


def test_another_question_agent_or_model_does_not_write_into_a_trace(
    inforce: InProcess, tmp_path: Path
) -> None:
    trace = tmp_path / "t.jsonl"
    inforce("ask", QUESTION, "--agent", "r1", "--trace", str(trace))
    before = trace.read_bytes()
    for arguments in (
        ("ask", "别的问题？", "--agent", "r1"),
        ("ask", QUESTION, "--agent", "msr2"),
        ("ask", QUESTION, "--agent", "r1", "--max-turns", "3"),
    ):
        ran = inforce(*arguments, "--trace", str(trace), "--json")
        assert (ran.status, ran.json["error"]) == (2, "usage")
        assert "name another file" in ran.json["message"]
    assert trace.read_bytes() == before


@pytest.mark.parametrize("content", ["my notes", "my notes\n", '{"a": 1}', "\x00\x01", "[]\n[]\n"])
def test_a_file_that_is_no_trace_is_left_as_it_is(
    inforce: InProcess, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(content, encoding="utf-8")
    ran = inforce("ask", QUESTION, "--agent", "r1", "--trace", str(file), "--json")
    assert (ran.status, ran.json["error"]) == (6, "bad_input")
    assert "notes.txt:1" in ran.json["message"]
    assert file.read_text(encoding="utf-8") == content
    assert inforce("trace", "show", str(file)).status == 6


# --- budgets, cache, replay -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "calls", "told"),
    [
        (("--max-calls", "0"), 0, "0 calls"),
        (("--max-calls", "1"), 1, "1 calls"),
        (("--max-tokens", "20"), 2, "20 tokens"),
        (("--max-seconds", "0"), 0, "0 seconds"),
    ],
)
def test_a_spent_budget_ends_the_run_with_what_it_has(
    inforce: InProcess, server: OpenAIServer, limit: tuple[str, str], calls: int, told: str
) -> None:
    ran = inforce(*ask(server, *limit))
    assert ran.status == 9
    assert told in ran.out
    assert len(server.requests) == calls


def test_a_run_out_of_budget_goes_on_with_a_larger_one(
    inforce: InProcess, server: OpenAIServer, tmp_path: Path
) -> None:
    trace = ("--trace", str(tmp_path / "t.jsonl"), "--json")
    first = inforce(*ask(server, "--max-calls", "2", *trace))
    assert (first.status, first.json["outcome"]) == (9, "budget")
    assert SAYS in first.json["text"]  # what was found by then
    same = inforce(*ask(server, "--max-calls", "2", *trace))
    assert (same.status, len(server.requests)) == (9, 2)  # what was spent stays spent
    again = inforce(*ask(server, "--max-calls", "3", *trace))
    assert (again.status, again.json["outcome"]) == (0, "answered")
    assert len(server.requests) == len(TURNS)


def test_a_limit_of_rounds_is_told_as_such(inforce: InProcess, server: OpenAIServer) -> None:
    ran = inforce(*ask(server, "--max-turns", "2", "--json"))
    assert (ran.status, ran.json["outcome"]) == (9, "turn_limit")


@pytest.mark.slow
def test_kept_replies_are_replayed_with_the_network_off(
    sample_home: Path, server: OpenAIServer, tmp_path: Path
) -> None:
    cache = ("--cache", str(tmp_path / "replies.db"), "--json")
    first = run_process(*ask(server, *cache), home=sample_home)
    asked = len(server.requests)
    replayed = run_process(
        *ask(server, *cache, "--replay"), home=sample_home, INFORCE_NETWORK="off"
    )
    assert (first.status, replayed.status) == (0, 0), first.err + replayed.err
    assert replayed.json["text"] == first.json["text"]
    assert len(server.requests) == asked
    other = ask(server, *cache, "--replay", question="2015年累犯能否适用缓刑？")
    missing = run_process(*other, home=sample_home, INFORCE_NETWORK="off")
    assert (missing.status, missing.json["outcome"]) == (8, "failed")
    assert "not recorded" in missing.json["note"]


@pytest.mark.slow
def test_with_the_network_off_no_model_is_asked(sample_home: Path, server: OpenAIServer) -> None:
    ran = run_process(*ask(server, "--json"), home=sample_home, INFORCE_NETWORK="off")
    assert ran.status in (8, 10)
    assert "the network is off" in ran.out
    assert server.requests == []
    assert "Traceback" not in ran.err


def test_a_server_that_does_not_answer_is_a_failed_run(inforce: InProcess) -> None:
    pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")
    with openai_server(lambda request: Answer(status=400, body=b'{"error": "no"}')) as broken:
        ran = inforce(*ask(broken, "--json"))
    assert (ran.status, ran.json["outcome"]) == (8, "failed")
    assert "status 400" in ran.json["note"]


@pytest.mark.slow
def test_a_key_is_shown_nowhere(sample_home: Path, tmp_path: Path) -> None:
    pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")
    key, trace = "sk-never-to-be-seen-again", tmp_path / "t.jsonl"

    def leaks(request: list[dict[str, Any]]) -> Answer:
        return Answer(status=401, body=json.dumps({"error": f"bad key {key}"}).encode())

    with openai_server(leaks) as running:
        ran = run_process(
            *ask(running, "--trace", str(trace)), home=sample_home, INFORCE_MODEL_KEY=key
        )
    assert ran.status == 8
    assert key not in ran.out + ran.err + trace.read_text(encoding="utf-8")


# --- mistakes ---------------------------------------------------------------------------------


def mistaken(inforce: InProcess, *arguments: str) -> tuple[Ran, str]:
    ran = inforce(*arguments, "--json")
    assert set(ran.json) == {"error", "message"}
    assert ran.err == ""
    return ran, ran.json["message"]


@pytest.mark.parametrize(
    ("status", "told", "arguments"),
    [
        (2, "no agent is called 'r2': use extractive, r1,", ["--agent", "r2"]),
        (2, "no source is called moon", ["--agent", "r1", "--sources", "moon"]),
        (2, "no source is called", ["--agent", "r1", "--sources", ""]),
        (2, "--documents FOLDER", ["--agent", "r1", "--sources", "documents"]),
        (2, "--world FOLDER", ["--agent", "r1", "--sources", "tables"]),
        (2, "inforce sources add", ["--agent", "msr2", "--sources", "precedents"]),
        (2, "--cache FILE", ["--agent", "r1", "--replay"]),
        (2, "no amount of dollars", ["--agent", "r1", "--max-dollars", "ten"]),
        (2, "negative", ["--agent", "r1", "--max-dollars", "-1"]),
        (2, "Invalid value for '--max-turns'", ["--agent", "r1", "--max-turns", "0"]),
        (2, "no search service", ["--agent", "r1", "--web", "gopher"]),
        (8, "no model is called", ["--agent", "r1", "--model", "gpt"]),
        (8, "this needs a model", ["--agent", "react"]),
        (8, "holds a user name", ["--agent", "r1", "--model", "http://me:pw@127.0.0.1:1/v1#m"]),
        (2, "cannot read", ["--agent", "r1", "--as-of", "2010-02-30"]),
    ],
)
def test_a_mistake_says_what_to_change(
    inforce: InProcess, status: int, told: str, arguments: list[str]
) -> None:
    ran, message = mistaken(inforce, "ask", QUESTION, *arguments)
    assert ran.status == status
    assert told in message
    assert "pw" not in message


def test_files_that_are_not_there_are_named(inforce: InProcess, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    for arguments in (
        ["--sources", "documents", "--documents", gone],
        ["--tools", gone],
        ["--web", f"recorded:{gone}"],
        ["--model", f"recorded:{gone}"],
        ["--sources", "tables", "--world", gone],
    ):
        ran, message = mistaken(inforce, "ask", QUESTION, "--agent", "r1", *arguments)
        assert ran.status in (2, 6), arguments
        assert gone in message


def test_an_empty_question_is_refused(inforce: InProcess) -> None:
    ran, message = mistaken(inforce, "ask", " ", "--agent", "r1")
    assert ran.status == 2
    assert "the question is empty" in message


def test_a_trace_that_cannot_be_written_is_told(inforce: InProcess, tmp_path: Path) -> None:
    folder, file = tmp_path / "folder", tmp_path / "file"
    folder.mkdir()
    file.touch()
    for trace in (folder, file / "below" / "t.jsonl"):
        ran, message = mistaken(inforce, "ask", QUESTION, "--agent", "r1", "--trace", str(trace))
        assert ran.status in (2, 6, 7)
        assert os.fspath(trace.parent if trace is not folder else folder) in message
