"""Many runs at once share a model, a toolbox and a process, and nothing of what they found."""

from __future__ import annotations

import asyncio
import json
import re
import resource
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hostile_world import answer, call, part_of, well_behaved

from inforce.agents.registry import METHODS, AgentName
from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.trace import (
    Event,
    Finished,
    Observed,
    PersonReplied,
    Replied,
    Started,
    read_trace,
)
from inforce.agents.runtime.trace_view import view
from inforce.llm.chat import ChatModel, Message
from inforce.llm.models import ModelOptions, open_model
from inforce.llm.served import CallOptions
from inforce.testing import fixed_clock
from inforce.tools.browse import BrowseWebpage
from inforce.tools.toolbox import Toolbox
from inforce.tools.web_search import WebSearch
from inforce.web.addresses import AddressRule
from inforce.web.fetch import Fetcher
from inforce.web.rate_limits import RateLimiter
from inforce.web.reader import WebReader
from inforce.web.search.opening import CachedProvider, PageCache
from inforce.web.search.services import Searxng
from json_service import Answer, Asked, JsonService
from openai_server import OpenAIServer, openai_server

pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")

RUNS = 64
MOST_MEGABYTES = 150
MOST_SECONDS = 20.0

_BADGE = re.compile(r"K\d{3}K")


def badge(number: int) -> str:
    """A word only one run knows."""
    return f"K{number:03d}K"


def sentence(word: str) -> str:
    return f"{word}号规定：对于累犯，不适用缓刑，编号为{word}。"


# --- the world: a search service with a page for each run -----------------------------------------


@contextmanager
def searching() -> Generator[JsonService]:
    """A service that knows one page for each badge, found by that badge alone."""
    service = JsonService()

    def reply(asked: Asked) -> Answer:
        words = _BADGE.findall(asked.parameters.get("q", asked.path))
        if asked.path == "/search":
            found = [
                {"title": word, "url": f"{service.url}/pages/{word}", "content": sentence(word)}
                for word in words
            ]
            return Answer({"results": found})
        text = f"<html><body>{''.join(f'<p>{sentence(word)}</p>' for word in words)}</body></html>"
        html = {"Content-Type": "text/html; charset=utf-8"}
        return Answer(body=text.encode(), status=200 if words else 404, headers=html)

    service.reply = reply
    with service.running():
        yield service


@asynccontextmanager
async def toolbox(service: JsonService) -> AsyncGenerator[Toolbox]:
    """The tools all runs share."""
    fetcher = Fetcher(rule=AddressRule(loopback="allowed"), pause=0)
    async with WebReader(fetcher) as web:
        provider = CachedProvider(Searxng(service.url, limiter=RateLimiter()), cache=PageCache())
        yield Toolbox([WebSearch(provider), BrowseWebpage(web)])


# --- the model: it plans, searches, opens its own page and its neighbour's, and answers -----------


def script(service: JsonService) -> Any:
    """What the server says to each conversation, by the badge of its question."""

    def says(request: list[dict[str, Any]]) -> str:
        messages = [Message(one["role"], one["content"]) for one in request]
        word = _BADGE.findall("".join(one.content for one in messages if one.role == "user"))[0]
        if messages[0].role == "system":
            return _r1(service, messages, word)
        return _lmars(messages, word)

    return says


def _r1(service: JsonService, messages: Sequence[Message], word: str) -> str:
    turn = sum(one.role == "assistant" for one in messages)
    other = badge((int(word[1:4]) + 1) % RUNS)
    urls = [f"{service.url}/pages/{one}" for one in (word, other)]
    turns = [
        f"<think>{word}</think><plan>{word}</plan>",
        call("r1", "web_search", json.dumps({"query": [f"{word} 缓刑"]})),
        call("r1", "browse_webpage", json.dumps({"url_list": urls})),
        answer("r1", sentence(word)),
    ]
    return turns[turn]


def _lmars(messages: Sequence[Message], word: str) -> str:
    match part_of("lmars", messages):
        case "What must they tell us":
            return json.dumps({"questions": [f"{word}: where?"]})
        case "Plan the next searches":
            return json.dumps({"queries": [{"source": "web_search", "query": f"{word} 缓刑"}]})
        case "summary":
            return f"{sentence(word)} [1]"
        case _:
            return well_behaved("lmars", messages)


# --- the runs -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Done:
    """One run after its end."""

    word: str
    answer: ResearchAnswer
    question: str
    events: tuple[Event, ...]
    trace: str


async def run(
    agent: AgentName, number: int, model: ChatModel, tools: Toolbox, folder: Path
) -> Done:
    word = badge(number)
    question = f"{word}：2010年累犯能否适用缓刑？"
    trace = folder / f"{word}.jsonl"

    async def person(questions: Sequence[str]) -> Sequence[str]:
        return [f"{question} 在{word}" for question in questions]

    method = METHODS[agent].make("zh", None)
    researcher = Researcher(method, model, tools, fixed_clock("2026-11-20"))
    found = await researcher.research(question, trace=trace, person=person)
    return Done(word, found, question, read_trace(trace), trace.read_text("utf-8"))


def megabytes() -> float:
    """The most memory this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@dataclass(frozen=True)
class All:
    """All runs after their end, and what they took."""

    runs: list[Done]
    seconds: float
    grown: float
    server: OpenAIServer
    service: JsonService


async def all_at_once(agent: AgentName, folder: Path) -> All:
    options = ModelOptions(call=CallOptions(at_once=RUNS))
    with searching() as service, openai_server(script(service)) as server:
        model = open_model(server.model, options=options)
        async with toolbox(service) as tools:
            await run(agent, RUNS, model, tools, folder)  # everything is loaded
            server.requests.clear()
            before, began = megabytes(), time.monotonic()
            numbers = range(RUNS)
            runs = await asyncio.gather(
                *(run(agent, number, model, tools, folder) for number in numbers)
            )
            seconds = time.monotonic() - began
        return All(list(runs), seconds, megabytes() - before, server, service)


AGENTS: tuple[AgentName, ...] = ("r1", "lmars", "lmars-multi")
CALLS = {"r1": 4, "lmars": 3, "lmars-multi": 5}


@pytest.mark.slow
@pytest.mark.parametrize("agent", AGENTS)
async def test_64_runs_at_once_answer_their_own_questions_from_their_own_sources(
    agent: AgentName, tmp_path: Path
) -> None:
    done = await all_at_once(agent, tmp_path)
    assert len(done.server.requests) == RUNS * CALLS[agent]
    assert done.server.most_at_once > 1
    for one in done.runs:
        _require_complete(agent, one)
        _require_its_own(agent, one)
    opened = sorted(one.path for one in done.service.asked if one.path.startswith("/pages/"))
    own = [f"/pages/{badge(number)}" for number in range(RUNS + 1)]
    assert opened == (own if agent != "lmars" else [])
    assert done.seconds < MOST_SECONDS
    assert done.grown < MOST_MEGABYTES


def _require_complete(agent: AgentName, one: Done) -> None:
    kinds = [type(event) for event in one.events]
    assert (kinds[0], kinds[-1], kinds.count(Finished)) == (Started, Finished, 1)
    assert kinds.count(Replied) == CALLS[agent]
    assert one.answer.outcome == "answered"
    assert sentence(one.word) in one.answer.text
    assert not one.answer.unsupported
    assert view(one.events).question == one.question
    if agent == "lmars-multi":
        (said,) = (event for event in one.events if isinstance(event, PersonReplied))
        assert one.word in said.replies[0]


def _require_its_own(agent: AgentName, one: Done) -> None:
    observed = [event for event in one.events if isinstance(event, Observed)]
    seen = [result.url for event in observed for result in event.seen]
    assert [url.rsplit("/", 1)[-1] for url in seen] == [one.word]
    assert {_badges(each.text + each.url) for each in one.answer.evidence} == {(one.word,)}
    foreign = set(_BADGE.findall(one.trace)) - {one.word}
    if agent != "r1":
        assert not foreign
        return
    other = badge((int(one.word[1:4]) + 1) % RUNS)
    assert foreign == {other}  # it tried to open its neighbour's page
    (opened,) = (event for event in observed if event.tool == "browse_webpage")
    assert sentence(one.word) in opened.text
    assert sentence(other) not in one.trace
    assert len(opened.evidence) == 1


def _badges(text: str) -> tuple[str, ...]:
    return tuple(sorted(set(_BADGE.findall(text))))
