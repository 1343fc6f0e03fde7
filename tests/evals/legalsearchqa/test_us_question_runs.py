"""Whole runs over recorded searches: agents, conditions, and what is searched for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from us_questions import LAMPS, lamps, legalsearchqa_file, recording, setup_for

from inforce.agents.runtime.trace import Event, Observed
from inforce.errors import UserError
from inforce.evals.benchmark import Attempt, ItemScore, Setup
from inforce.evals.legalsearchqa.benchmark import (
    AGENTS,
    BAREXAM,
    LEGALSEARCHQA,
    open_system,
    searching_for,
)
from inforce.evals.legalsearchqa.items import read_legalsearchqa
from inforce.llm.chat import GREEDY, Message, PolicyModel, Reply, Sampling
from inforce.tools.context import RunContext
from inforce.tools.toolbox import Toolbox
from inforce.tools.web_search import WebSearch
from inforce.web.search.recorded import Recorded


@dataclass
class Reader:
    """Finds the choice whose words stand in the sources it is shown; it writes no JSON."""

    prompts: list[str] = field(default_factory=list[str])
    name: str = "scripted"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        prompt = messages[-1].content
        self.prompts.append(prompt)
        choices = re.findall(r"^([A-D])\. At (\w+)$", prompt, re.MULTILINE)
        found = (letter for letter, word in choices if f"at {word} in" in prompt)
        return Reply(f"Lamps must be lit at dusk in Examplia [1].\nANSWER: {next(found, 'A')}")


async def run(setup: Setup, model: Reader | PolicyModel) -> tuple[ItemScore, list[Event], Attempt]:
    """The first item of a benchmark, asked and scored."""
    item = LEGALSEARCHQA.read(setup)[0]
    events: list[Event] = []
    async with LEGALSEARCHQA.open_system(setup, model) as system:
        answer = await system(item).research(item.question, listener=events.append)
    attempt = Attempt(answer, tuple(events))
    return await LEGALSEARCHQA.scorer(setup)(item, attempt, None), events, attempt


def recorded_setup(folder: Path, agent: str, **options: str) -> Setup:
    web = f"recorded:{recording(folder, str(LAMPS['question']))}"
    return setup_for(legalsearchqa_file(folder), agent=agent, web=web, **options)


@pytest.mark.parametrize("agent", ["lmars", "lmars-multi", "naive-rag"])
async def test_who_searches_the_recording_reads_the_answer_in_it(
    tmp_path: Path, agent: str
) -> None:
    scored, events, attempt = await run(recorded_setup(tmp_path, agent), Reader())
    assert attempt.answer.outcome == "answered"
    assert (scored.answer, scored.values["accuracy"]) == ("B", 1.0)
    searches = [one for one in events if isinstance(one, Observed) and one.tool == "web_search"]
    assert {one.status for one in searches} == {"found"}
    assert attempt.answer.evidence[0].url == "https://lamps.example.gov/act"


@pytest.mark.parametrize("agent", ["direct", "direct-cot"])
async def test_who_searches_nothing_sees_nothing(tmp_path: Path, agent: str) -> None:
    setup = setup_for(legalsearchqa_file(tmp_path), agent=agent)
    scored, events, _ = await run(setup, Reader())
    assert scored.values["accuracy"] == 0.0
    assert not [one for one in events if isinstance(one, Observed)]


@pytest.mark.parametrize("agent", ["direct", "direct-cot", "always-b"])
async def test_who_searches_nothing_is_given_no_search(tmp_path: Path, agent: str) -> None:
    with pytest.raises(UserError, match=f"the agent {agent} does not use --web"):
        await run(recorded_setup(tmp_path, agent), Reader())


async def test_a_constant_answers_without_a_model(tmp_path: Path) -> None:
    asks_nobody = PolicyModel(lambda messages: pytest.fail("nobody is asked"))
    setup = setup_for(legalsearchqa_file(tmp_path), agent="always-b")
    scored, _, _ = await run(setup, asks_nobody)
    assert scored.values["accuracy"] == 1.0


async def test_rules_quote_and_name_no_letter(tmp_path: Path) -> None:
    offline = PolicyModel(lambda messages: "")
    scored, _, attempt = await run(recorded_setup(tmp_path, "lmars"), offline)
    assert "lamps must be lit at dusk" in attempt.text
    assert scored.values["parse_error"] == 1.0


async def test_queries_of_the_agents_own_find_no_recording(tmp_path: Path) -> None:
    setup = recorded_setup(tmp_path, "lmars", queries="agent")
    _, _, attempt = await run(setup, Reader())
    assert attempt.answer.outcome == "abstained"
    assert "not covered" in attempt.answer.note


@pytest.mark.parametrize("agent", ["lmars", "lmars-multi", "naive-rag"])
async def test_a_question_whose_search_was_not_recorded_is_no_wrong_answer(
    tmp_path: Path, agent: str
) -> None:
    setup = recorded_setup(tmp_path, agent)
    recording(tmp_path, "Another question?")
    _, _, attempt = await run(setup, Reader())
    assert not attempt.is_scored


async def test_every_search_becomes_the_search_for_the_question(tmp_path: Path) -> None:
    path = recording(tmp_path, str(LAMPS["question"]))
    box = Toolbox([WebSearch(Recorded(path), language="en")], language="en")
    replaced = searching_for(f"US law: {LAMPS['question']}", box)
    context = RunContext("q", setup_for(path).today)
    result = await replaced.call("web_search", {"query": ["lamps?", "dusk?"]}, context)
    assert result.status == "found"
    assert [one.query for one in context.results.values()] == [f"US law: {LAMPS['question']}"]
    assert replaced.names == box.names
    whole_case = await replaced.call("web_search", {"query": ["word " * 2_000]}, context)
    assert whole_case.status == "found"
    refused = await replaced.call("web_search", {"query": "lamps?"}, context)
    assert refused.status == "invalid"


def test_tools_without_a_search_stay_as_they_are() -> None:
    box = Toolbox([])
    assert searching_for("q", box) is box


async def test_a_system_keeps_the_questions_of_its_items_apart(tmp_path: Path) -> None:
    setup = recorded_setup(tmp_path, "lmars")
    first, second = read_legalsearchqa(setup)
    async with open_system(setup, Reader()) as system:
        for item, status in ((first, "found"), (second, "not_checked")):
            context = RunContext(item.question, setup.today)
            result = await system(item).tools.call("web_search", {"query": ["?"]}, context)
            assert result.status == status


async def test_a_name_nobody_has_is_refused(tmp_path: Path) -> None:
    setup = recorded_setup(tmp_path, "always-right")
    with pytest.raises(UserError, match="always-right"):
        async with open_system(setup, Reader()) as system:
            system(lamps(tmp_path))
    assert "always-right" not in AGENTS


def test_both_benchmarks_tell_the_same_options() -> None:
    assert LEGALSEARCHQA.options == BAREXAM.options
    assert set(LEGALSEARCHQA.options) >= {"votes", "queries", "sources", "jurisdiction"}


@pytest.mark.data
async def test_every_given_question_finds_its_recorded_search(shared_data: Path) -> None:
    folder = shared_data / "lmars"
    recorded = Recorded(folder / "serper_cache.jsonl")
    for item in read_legalsearchqa(setup_for(folder)):
        assert (await recorded.search(item.facts["search_query"], k=5)).usable
