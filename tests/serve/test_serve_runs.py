"""Runs of research over HTTP: streamed, resumed, stopped, and nobody else's."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from filelock import FileLock
from live_server import client_of

from inforce.agents.runtime.trace import Event, Replied, Spent, encode
from inforce.library import Library
from inforce.llm.chat import Usage
from inforce.serve.runs import Runs
from inforce.serve.settings import ServeSettings
from openai_server import Answer, openai_server

QUESTION = {"question": "2010年累犯能否适用缓刑？"}
STREAM = {"Accept": "text/event-stream"}


class Sent(NamedTuple):
    """One server-sent event."""

    name: str
    id: str
    data: Any


def events(response: httpx.Response) -> Iterator[Sent]:
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if not line and fields:
            yield Sent(fields["event"], fields.get("id", ""), json.loads(fields["data"]))
            fields = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


@pytest.fixture
def client(sample_library: Library, tmp_path: Path) -> Iterator[httpx.Client]:
    with client_of(sample_library, ServeSettings(home=tmp_path)) as client:
        yield client


def finished(client: httpx.Client, run: str) -> dict[str, Any]:
    for _ in range(300):
        state = client.get(f"/v1/runs/{run}").json()
        if state["status"] != "running":
            return state
        time.sleep(0.05)
    raise AssertionError("the run does not end")


def test_the_steps_of_a_run_arrive_in_order_and_end_with_its_answer(client: httpx.Client) -> None:
    with client.stream("POST", "/v1/research", json=QUESTION, headers=STREAM) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        *steps, end = events(response)
    assert [one.name for one in steps] == ["step"] * len(steps)
    assert [one.id for one in steps] == [str(number) for number in range(1, len(steps) + 1)]
    assert steps[-1].data["kind"] == "answer"
    assert (end.name, end.data["status"]) == ("end", "finished")
    assert "对于累犯，不适用缓刑。" in end.data["answer"]["text"]


def test_a_run_can_be_asked_for_later_and_goes_on_after_the_last_step_seen(
    client: httpx.Client,
) -> None:
    begun = client.post("/v1/research", json=QUESTION)
    assert begun.status_code == 202
    run = begun.json()["run"]
    assert begun.headers["location"] == f"/v1/runs/{run}"
    state = finished(client, run)
    assert state["answer"]["outcome"] == "answered"
    last = str(state["steps"] - 1)
    with client.stream(
        "GET", f"/v1/runs/{run}/events", headers={"Last-Event-ID": last}
    ) as response:
        step, end = events(response)
    assert (step.id, end.data) == (str(state["steps"]), state)
    assert [one["run"] for one in client.get("/v1/runs").json()] == [run]


def test_a_run_whose_process_died_goes_on_from_its_trace(
    client: httpx.Client, tmp_path: Path
) -> None:
    run = client.post("/v1/research", json=QUESTION).json()["run"]
    whole = finished(client, run)
    [trace] = tmp_path.glob(f"runs/*/{run}/trace.jsonl")
    lines = trace.read_bytes().splitlines(keepends=True)
    trace.write_bytes(b"".join(lines[:3]) + lines[3][:20])  # killed in the middle of a line
    assert [one["status"] for one in client.get("/v1/runs").json()] == ["interrupted"]
    assert client.get(f"/v1/runs/{run}").json()["status"] == "running"  # asked for, it goes on
    assert finished(client, run)["answer"] == whole["answer"]
    with client.stream("GET", f"/v1/runs/{run}/events") as response:
        *steps, end = events(response)
    assert [one.id for one in steps] == [str(number) for number in range(1, len(steps) + 1)]
    assert end.data["answer"] == whole["answer"]


def test_a_run_is_of_the_law_of_the_given_days(client: httpx.Client) -> None:
    asked = {"question": "累犯能否适用缓刑？", "as_of": "2012-01-01"}
    run = client.post("/v1/research", json=asked).json()["run"]
    assert "首要分子" in finished(client, run)["answer"]["text"]


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ({**QUESTION, "agent": "nobody"}, "usage"),
        ({**QUESTION, "as_of": "someday"}, "bad_date"),
        ({**QUESTION, "sources": ["nothing"]}, "usage"),
        ({**QUESTION, "sources": ["documents"]}, "usage"),
        ({**QUESTION, "documents": "/etc"}, "usage"),
        ({**QUESTION, "trace": "/tmp/x"}, "usage"),
        ({**QUESTION, "web": "searxng:http://169.254.169.254"}, "usage"),
        ({**QUESTION, "model": "http://169.254.169.254#x"}, "usage"),
        ({**QUESTION, "max_turns": 0}, "usage"),
        ({**QUESTION, "language": "fr"}, "usage"),
        ({}, "usage"),
    ],
)
def test_what_cannot_be_researched_is_refused_before_a_run_begins(
    client: httpx.Client, asked: dict[str, object], kind: str
) -> None:
    got = client.post("/v1/research", json=asked)
    assert (got.status_code, got.json()["kind"]) == (400, kind)
    assert client.get("/v1/runs").json() == []


@pytest.mark.parametrize("run", ["x", "..", "A" * 22, "%2e%2e%2f" * 3, "a/../../b"])
def test_a_run_that_is_not_there_is_not_found(client: httpx.Client, run: str) -> None:
    for address in (f"/v1/runs/{run}", f"/v1/runs/{run}/events"):
        assert client.get(address).status_code in (404, 405)


def test_a_run_belongs_to_who_began_it(sample_library: Library, tmp_path: Path) -> None:
    settings = ServeSettings(home=tmp_path, auth="header", user_header="X-User")
    with client_of(sample_library, settings) as client:
        li, wang = {"X-User": "li"}, {"X-User": "wang"}
        run = client.post("/v1/research", json=QUESTION, headers=li).json()["run"]
        assert client.get(f"/v1/runs/{run}", headers=li).status_code == 200
        for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/events"), ("POST", "/resume")):
            got = client.request(method, f"/v1/runs/{run}{path}", headers=wang)
            assert got.status_code == 404, (method, path)
        assert client.get("/v1/runs", headers=wang).json() == []


def test_a_caller_who_has_spent_the_day_waits_and_others_do_not(
    sample_library: Library, tmp_path: Path
) -> None:
    reply = "<think>想</think><answer>不适用。</answer>"
    with openai_server(lambda _: Answer(reply)) as model:
        settings = ServeSettings(
            home=tmp_path, model=model.model, auth="header", user_header="X-User", caller_tokens=1
        )
        with client_of(sample_library, settings) as client:
            li, wang = {"X-User": "li"}, {"X-User": "wang"}
            client.headers.update(li)
            run = client.post("/v1/research", json=QUESTION).json()["run"]
            assert finished(client, run)["answer"]["usage"]["calls"] > 0
            refused = client.post("/v1/research", json=QUESTION)
            assert (refused.status_code, refused.headers["retry-after"]) == (429, "3600")
            assert client.post(f"/v1/runs/{run}/resume").status_code == 429
            assert client.post("/v1/research", json=QUESTION, headers=wang).status_code == 202


def test_a_run_is_stopped_and_resumed_and_no_more_begin_than_may(
    sample_library: Library, tmp_path: Path
) -> None:
    answer = "<think>按2010年的法律回答。</think><plan>1. 查</plan>"
    with openai_server(lambda _: Answer(answer, seconds=2)) as model:
        settings = ServeSettings(home=tmp_path, model=model.model, max_runs=1)
        with client_of(sample_library, settings) as client:
            run = client.post("/v1/research", json=QUESTION).json()["run"]
            assert client.get(f"/v1/runs/{run}").json()["status"] == "running"
            refused = client.post("/v1/research", json=QUESTION)
            assert (refused.status_code, refused.json()["kind"]) == (503, "busy")
            client.delete(f"/v1/runs/{run}")
            assert finished(client, run)["status"] == "stopped"
            assert client.post(f"/v1/runs/{run}/resume").json()["status"] == "running"
            client.delete(f"/v1/runs/{run}")


def test_a_run_that_is_stopped_asks_its_model_no_more_and_can_be_resumed_at_once(
    sample_library: Library, tmp_path: Path
) -> None:
    call = '<think>查</think><tool_call>{"name": "rag_retrieve", "arguments": {"query": ["缓刑"]}}'
    asked: list[object] = []

    def reply(request: object) -> Answer:
        asked.append(request)
        return Answer(f"{call}</tool_call>", seconds=0.3)

    with openai_server(reply) as model:
        settings = ServeSettings(home=tmp_path, model=model.model)
        with client_of(sample_library, settings) as client:
            run = client.post("/v1/research", json=QUESTION).json()["run"]
            while not asked:
                time.sleep(0.01)
            client.delete(f"/v1/runs/{run}")
            assert finished(client, run)["status"] == "stopped"
            before = len(asked)
            time.sleep(1)
            assert len(asked) == before
            assert client.post(f"/v1/runs/{run}/resume").json()["status"] == "running"
            time.sleep(0.5)
            client.delete(f"/v1/runs/{run}")
            assert finished(client, run)["status"] == "stopped"


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("run.json", b""),
        ("run.json", b"{"),
        ("run.json", b'{"created": 1, "asked": {}}'),
        ("run.json", b"\xff\x00"),
        ("trace.jsonl", b'{"event": "no such"}\n{}\n'),
        ("trace.jsonl", b"\xff{\n[]\n"),
    ],
)
def test_a_damaged_run_says_so_and_hides_no_other(
    client: httpx.Client, tmp_path: Path, file: str, content: bytes
) -> None:
    damaged = client.post("/v1/research", json=QUESTION).json()["run"]
    finished(client, damaged)
    sound = client.post("/v1/research", json=QUESTION).json()["run"]
    assert finished(client, sound)["status"] == "finished"
    [folder] = tmp_path.glob(f"runs/*/{damaged}")
    (folder / file).write_bytes(content)
    state = finished(client, damaged)
    assert (state["status"], state["answer"]) == ("failed", None)
    assert "reason in its log" in state["problem"]
    assert str(tmp_path) not in client.get(f"/v1/runs/{damaged}").text
    listed = client.get("/v1/runs").json()
    assert {one["run"]: one["status"] for one in listed} == {damaged: "failed", sound: "finished"}
    for page in ("/runs", f"/runs/{damaged}"):
        assert client.get(page, headers={"Accept": "text/html"}).status_code == 200
    with client.stream("GET", f"/v1/runs/{damaged}/events") as response:
        *_, end = events(response)
    assert (end.name, end.data["status"]) == ("end", "failed")
    client.post(f"/v1/runs/{damaged}/resume", json={})
    assert finished(client, damaged)["status"] == "failed"
    assert client.post("/v1/research", json=QUESTION).status_code == 202


# --- what a caller has spent -------------------------------------------------------------------

LI = {"X-User": "li"}
DEAR = Usage(calls=1, input_tokens=900, output_tokens=100, money=Decimal("0.50"))


def stored_run(home: Path, *events: Event, days_ago: int = 0, name: str = "A") -> Path:
    """A run of Li's, as a process that is no more left it."""
    folder = home / "runs" / hashlib.sha256(b"li").hexdigest()[:32] / name.ljust(22, "0")
    folder.mkdir(parents=True)
    begun = datetime.now(UTC) - timedelta(days=days_ago)
    (folder / "run.json").write_text(
        json.dumps({"created": begun.isoformat(timespec="seconds"), "asked": QUESTION})
    )
    os.utime(folder / "run.json", (begun.timestamp(), begun.timestamp()))
    (folder / "stop").touch()
    (folder / "trace.jsonl").write_bytes(b"".join(encode(one) + b"\n" for one in events))
    return folder


def replied(hours_ago: int = 0) -> Replied:
    at = datetime.now(UTC) - timedelta(hours=hours_ago)
    return Replied("k", "agent", "想", DEAR, "stop", cached=False, seconds=1.0, at=at)


def inside_a_tool() -> Spent:
    return Spent("k", DEAR, datetime.now(UTC))


@pytest.mark.parametrize("limit", [{"caller_tokens": 1000}, {"caller_dollars": "0.50"}])
@pytest.mark.parametrize(
    ("event", "days_ago", "status"),
    [
        (replied(), 0, 429),
        (replied(), 3, 429),  # resumed today
        (inside_a_tool(), 0, 429),
        (replied(hours_ago=30), 3, 202),
    ],
)
def test_what_a_run_that_was_stopped_has_spent_counts(
    sample_library: Library,
    tmp_path: Path,
    limit: dict[str, Any],
    event: Replied | Spent,
    days_ago: int,
    status: int,
) -> None:
    stored_run(tmp_path, event, days_ago=days_ago)
    settings = ServeSettings(home=tmp_path, auth="header", user_header="X-User", **limit)
    with client_of(sample_library, settings, **LI) as client:
        assert client.post("/v1/research", json=QUESTION).status_code == status


def test_later_runs_push_out_neither_what_was_spent_nor_what_somebody_works_on(
    sample_library: Library, tmp_path: Path
) -> None:
    spent = stored_run(tmp_path, replied(), days_ago=1, name="spent")
    worked_on, free = (stored_run(tmp_path, days_ago=2, name=one) for one in ("works", "free"))
    for number in range(200):
        stored_run(tmp_path, name=f"later{number}-")
    settings = ServeSettings(
        home=tmp_path, auth="header", user_header="X-User", caller_dollars="9.00"
    )
    with (
        FileLock(worked_on / "lock"),  # another process of the server
        client_of(sample_library, settings, **LI) as client,
    ):
        assert client.post("/v1/research", json=QUESTION).status_code == 202
        assert [one.exists() for one in (spent, worked_on, free)] == [True, True, False]


def test_a_run_that_is_removed_while_runs_are_listed_is_left_out(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = client.post("/v1/research", json=QUESTION).json()["run"]
    finished(client, run)
    listed = Runs._folders  # pyright: ignore[reportPrivateUsage]

    def with_one_more(runs: Runs, caller: str) -> list[Path]:
        return [*listed(runs, caller), tmp_path / "runs" / ("B" * 22)]

    monkeypatch.setattr(Runs, "_folders", with_one_more)
    assert [one["run"] for one in client.get("/v1/runs").json()] == [run]


def test_a_defect_ends_a_run_and_is_not_tried_again_and_again(
    sample_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    async def broken(_: Library, question: str, *given: object) -> None:
        tried.append(question)
        raise ZeroDivisionError(str(tmp_path))

    monkeypatch.setattr(Library, "aresearch", broken)
    with client_of(sample_library, ServeSettings(home=tmp_path)) as client:
        with client.stream("POST", "/v1/research", json=QUESTION, headers=STREAM) as response:
            *_, end = events(response)
        assert end.data["status"] == "failed"
        assert str(tmp_path) not in end.data["problem"]
    assert len(tried) == 1
