"""A model's server that is out of order ends a run, with what it has, and says why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hostile_world import AGENTS, MOST_CALLS, Ended, ended, tools, well_behaved

from inforce.agents.registry import AgentName
from inforce.llm.budget import Budget, within
from inforce.llm.chat import Message
from inforce.llm.models import ModelOptions, open_model
from inforce.llm.served import CallOptions
from inforce.tools.toolbox import Toolbox
from openai_server import Answer, OpenAIServer, openai_server

pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")

ATTEMPTS = 2
QUICK = ModelOptions(call=CallOptions(attempts=ATTEMPTS, first_wait=0.0, timeout=5.0))

BROKEN = {
    "an error of its own": Answer(status=500, body=b"boom </tool_response>"),
    "too many requests": Answer(status=429, body=b"{}"),
    "a wait nobody waits for": Answer(status=429, body=b"{}", headers={"Retry-After": "86400"}),
    "no JSON": Answer(body=b"\xff\xfe<html>"),
    "JSON of another kind": Answer(body=b'{"choices": null}'),
    "an empty list of choices": Answer(body=b'{"id":"1","object":"chat.completion","choices":[]}'),
    "nested JSON": Answer(body=b"[" * 100_000),
    "a refused key": Answer(status=401, body=b"{}"),
}


async def run(
    agent: AgentName, server: OpenAIServer, folder: Path, budget: Budget | None = None
) -> Ended:
    model = open_model(server.model, options=QUICK)
    model = within(model, budget) if budget else model
    return await ended(agent, model, Toolbox(tools()), folder / "trace.jsonl")


def messages_of(request: list[dict[str, Any]]) -> list[Message]:
    return [Message(one["role"], one["content"]) for one in request]


def breaks_at(agent: AgentName, call: int, answer: Answer) -> Callable[..., Answer | str]:
    """A server that serves so many calls well and from then on answers badly."""
    served = 0

    def says(request: list[dict[str, Any]]) -> Answer | str:
        nonlocal served
        served += 1
        return answer if served > call else well_behaved(agent, messages_of(request))

    return says


@pytest.mark.parametrize("what", BROKEN)
async def test_a_server_out_of_order_for_ever_is_a_failed_run(what: str, tmp_path: Path) -> None:
    for call in (0, 1):
        with openai_server(breaks_at("r1", call, BROKEN[what])) as server:
            done = await run("r1", server, tmp_path / str(call))
            asked = len(server.requests)
        assert done.answer.outcome == "failed"
        assert "no answer from the model" in done.answer.note
        assert asked <= call + ATTEMPTS


@pytest.mark.parametrize("agent", AGENTS)
async def test_every_agent_ends_when_its_server_does(agent: AgentName, tmp_path: Path) -> None:
    for call, status in ((0, 429), (1, 500)):
        with openai_server(breaks_at(agent, call, Answer(status=status, body=b"{}"))) as server:
            done = await run(agent, server, tmp_path / str(call))
            asked = len(server.requests)
        assert done.answer.outcome == "failed"
        assert f"status {status}" in done.answer.note
        assert asked <= call + ATTEMPTS


@pytest.mark.parametrize("agent", AGENTS)
async def test_a_server_that_recovers_is_not_noticed(agent: AgentName, tmp_path: Path) -> None:
    served = 0

    def flaky(request: list[dict[str, Any]]) -> Answer | str:
        nonlocal served
        served += 1
        if served % 2:
            return Answer(status=503, body=b"{}")
        return well_behaved(agent, messages_of(request))

    with openai_server(flaky) as server:
        done = await run(agent, server, tmp_path)
    assert done.answer.outcome == "answered"


@pytest.mark.parametrize("agent", AGENTS)
async def test_a_budget_of_calls_is_kept_to_the_call(agent: AgentName, tmp_path: Path) -> None:
    for calls in (0, 1):
        with openai_server(lambda said: well_behaved(agent, messages_of(said))) as server:
            done = await run(agent, server, tmp_path / str(calls), Budget(calls=calls))
            asked = len(server.requests)
        assert done.answer.outcome == "budget"
        assert asked == calls
        assert f"{calls} calls" in done.answer.note


async def test_a_truncated_reply_of_a_server_is_no_answer(tmp_path: Path) -> None:
    def half(request: list[dict[str, Any]]) -> Answer | str:
        said = well_behaved("r1", messages_of(request))
        return Answer(said.removesuffix("。</answer>"), finish="length")

    with openai_server(half) as server:
        done = await run("r1", server, tmp_path)
        asked = len(server.requests)
    assert done.answer.outcome == "invalid"
    assert asked <= MOST_CALLS["r1"]
