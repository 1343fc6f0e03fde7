"""L-MARS: one pass or a judged loop, on what was really found."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest

from inforce.agents.lmars.rules import Case, RuleRoles, Verdict, usable
from inforce.agents.lmars.workflow import LMars
from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.run import nobody
from inforce.agents.runtime.trace import Event, Noted, Observed, Replied
from inforce.dates import DateRange
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.testing import fixed_clock
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, ToolResult, ToolSpec, ToolStatus
from inforce.tools.toolbox import Toolbox

QUESTION = "How soon must OSTP issue guidance under the 2025 Gold Standard Science order?"
RULE = (
    "The Gold Standard Science order of May 23, 2025 says OSTP must issue guidance "
    "within 30 days of the date of the order."
)


def web(url: str, text: str, title: str = "Gold Standard Science") -> Evidence:
    return Evidence(url, "web", title, text, url=url, date="2025-05-23")


OFFICIAL = web("https://www.whitehouse.gov/order", RULE)
FORUM = web("https://www.reddit.com/r/law/1", RULE)
BLOCKED = web("https://www.example.gov/blocked", "HTTP Error: 403 Client Error for OSTP guidance")


@dataclass
class Web:
    """A search that answers by query, and remembers what it was asked."""

    answers: Callable[[str], Sequence[Evidence]]
    asked: list[str] = field(default_factory=list[str])
    spec: ToolSpec = field(
        default_factory=lambda: ToolSpec("web_search", "search", {"query": {"type": "array"}})
    )

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        self.asked += arguments["query"]
        found = tuple(one for query in arguments["query"] for one in self.answers(query))
        return ToolResult("results", "found" if found else "not_found", found)


@dataclass
class Pages:
    """Opens pages: the text of a page is longer than its snippet."""

    opened: list[str] = field(default_factory=list[str])
    spec: ToolSpec = field(
        default_factory=lambda: ToolSpec("browse_webpage", "read", {"url_list": {"type": "array"}})
    )

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        self.opened += arguments["url_list"]
        pages = tuple(web(url, f"{RULE} Full text.") for url in arguments["url_list"])
        return ToolResult("pages", "found", pages)


@dataclass
class Model:
    """A model that replies by what it is asked for; the prompts are kept."""

    replies: Callable[[str], str]
    prompts: list[str] = field(default_factory=list[str])
    samplings: list[Sampling] = field(default_factory=list[Sampling])
    name: str = "scripted"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        self.prompts.append(messages[-1].content)
        self.samplings.append(sampling)
        return Reply(self.replies(messages[-1].content))


OFFLINE = Model(lambda _: pytest.fail("offline asks no model"), name="offline")


def verdict(*, sufficient: bool, refinements: Sequence[str] = ()) -> Verdict:
    return Verdict(reasoning="r", checks=[], sufficient=sufficient, refinements=list(refinements))


async def run(
    agent: LMars, model: Model, *tools: Any, person: Any = None, question: str = QUESTION
) -> tuple[ResearchAnswer, list[Event]]:
    events: list[Event] = []
    researcher = Researcher(agent, model, Toolbox(tools), fixed_clock("2026-01-01"))
    answer = await researcher.research(question, listener=events.append, person=person or nobody)
    return answer, events


async def test_simple_mode_searches_once_and_quotes_with_numbers() -> None:
    search = Web(lambda _: [FORUM, OFFICIAL])
    answer, events = await run(LMars("simple"), OFFLINE, search)
    assert answer.outcome == "answered"
    assert "within 30 days" in answer.text
    assert "[2]" in answer.text.splitlines()[0]
    assert search.asked == [QUESTION]
    assert not [event for event in events if isinstance(event, Noted)]


async def test_a_forum_alone_sends_the_search_back_until_an_official_source_speaks() -> None:
    search = Web(lambda query: [OFFICIAL] if ".gov" in query else [FORUM])
    answer, events = await run(LMars("multi_turn"), OFFLINE, search, Pages())
    judged = [event.text for event in events if isinstance(event, Noted) and event.kind == "judge"]
    assert ["insufficient" in one for one in judged] == [True, False]
    assert len(search.asked) == 2
    assert answer.outcome == "answered"
    assert answer.note == ""


async def test_only_the_three_best_pages_are_opened_and_their_text_replaces_the_snippet() -> None:
    many = [web(f"https://agency{n}.gov/", RULE) for n in range(5)]
    pages = Pages()
    answer, _ = await run(LMars("multi_turn"), OFFLINE, Web(lambda _: [FORUM, *many]), pages)
    assert pages.opened == [one.url for one in many[:3]]
    texts = {one.id: one.text for one in answer.evidence}
    assert texts["https://agency0.gov/"].endswith("Full text.")


@pytest.mark.parametrize(
    "found",
    [[], [BLOCKED], [web("https://x.gov/", "short")], [web("https://x.gov/", "")]],
    ids=["nothing", "blocked", "too short", "empty"],
)
@pytest.mark.parametrize("mode", ["simple", "multi_turn"])
async def test_without_anything_usable_there_is_no_answer(mode: Any, found: list[Evidence]) -> None:
    answer, _ = await run(LMars(mode, max_rounds=2), OFFLINE, Web(lambda _: found))
    assert (answer.outcome, answer.text) == ("abstained", "")
    assert answer.note


@dataclass
class Silent:
    """A search that gives no answer, and says why."""

    status: ToolStatus
    why: str = "the network is off"
    spec: ToolSpec = field(
        default_factory=lambda: ToolSpec("web_search", "search", {"query": {"type": "array"}})
    )

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        return ToolResult(self.why, self.status)


@pytest.mark.parametrize("mode", ["simple", "multi_turn"])
@pytest.mark.parametrize(
    ("status", "outcome"),
    [("failed", "failed"), ("not_checked", "failed"), ("unknown", "abstained")],
)
async def test_a_search_without_an_answer_is_told_and_is_not_nothing_found(
    mode: Any, status: ToolStatus, outcome: str
) -> None:
    answer, _ = await run(LMars(mode), OFFLINE, Silent(status))
    assert answer.outcome == outcome
    assert "web_search gave no answer" in answer.note
    assert "the network is off" in answer.note


async def test_what_was_blocked_never_reaches_the_summary() -> None:
    model = Model(_scripted(sufficient_at=1))
    await run(LMars("multi_turn"), model, Web(lambda _: [BLOCKED, OFFICIAL]))
    assert not any("403 Client Error" in prompt for prompt in model.prompts)


def _scripted(*, sufficient_at: int) -> Callable[[str], str]:
    """A model that plays every role and is satisfied in a given round."""
    rounds = 0

    def reply(prompt: str) -> str:
        nonlocal rounds
        if prompt.startswith("You read legal questions"):
            return json.dumps(
                {"issue": "i", "entities": [], "jurisdiction": "", "time_window": "2025"}
            )
        if prompt.startswith("A person asks"):
            return '{"questions": ["Which agency?"]}'
        if prompt.startswith("Plan the next"):
            return json.dumps({"queries": [{"source": "web_search", "query": f"q{rounds}"}]})
        if prompt.startswith("You decide"):
            rounds += 1
            return "Let me think. " + json.dumps(verdict(sufficient=rounds >= sufficient_at))
        return "Within 30 days of the date of the order [1]."

    return reply


@pytest.mark.parametrize(("sufficient_at", "rounds"), [(1, 1), (2, 2), (3, 3), (9, 3)])
async def test_the_judge_ends_the_loop_at_the_latest_after_m_rounds(
    sufficient_at: int, rounds: int
) -> None:
    search = Web(lambda _: [OFFICIAL])
    answer, events = await run(
        LMars("multi_turn"), Model(_scripted(sufficient_at=sufficient_at)), search
    )
    assert len(search.asked) == rounds
    assert sum(isinstance(one, Noted) and one.kind == "judge" for one in events) == rounds
    assert (answer.note == "") == (sufficient_at <= 3)
    assert answer.text == "Within 30 days of the date of the order [1]."


async def test_the_judge_is_asked_at_temperature_zero() -> None:
    model = Model(_scripted(sufficient_at=1))
    await run(LMars("multi_turn"), model, Web(lambda _: [OFFICIAL]))
    assert {one.temperature for one in model.samplings} == {0.0}


async def test_the_person_is_asked_and_the_reply_reaches_every_later_prompt() -> None:
    async def person(questions: Sequence[str]) -> Sequence[str]:
        assert list(questions) == ["Which agency?"]
        return ["The Office of Science"]

    model = Model(_scripted(sufficient_at=1))
    await run(LMars("multi_turn"), model, Web(lambda _: [OFFICIAL]), person=person)
    later = model.prompts[2:]
    assert later
    assert all("The Office of Science" in prompt for prompt in later)


async def test_a_model_that_writes_garbage_is_replaced_by_the_rules_and_it_is_noted() -> None:
    model = Model(lambda _: "as an AI")
    search = Web(lambda _: [OFFICIAL])
    answer, events = await run(LMars("multi_turn"), model, search)
    assert answer.outcome == "answered"
    assert search.asked == [QUESTION]
    assert sum(isinstance(one, Noted) and one.kind == "invalid_reply" for one in events) >= 4


async def test_a_model_cannot_find_no_evidence_sufficient() -> None:
    model = Model(_scripted(sufficient_at=1))
    answer, events = await run(LMars("multi_turn"), model, Web(lambda _: []))
    assert answer.outcome == "abstained"
    assert not any("You decide" in prompt for prompt in model.prompts)
    assert not [one for one in events if isinstance(one, Replied) and one.role == "summary"]


async def test_a_search_that_was_made_is_not_made_again() -> None:
    model = Model(
        lambda prompt: (
            '{"queries": [{"source": "web_search", "query": "same"}]}'
            if prompt.startswith("Plan")
            else _scripted(sufficient_at=9)(prompt)
        )
    )
    search = Web(lambda _: [OFFICIAL])
    await run(LMars("multi_turn"), model, search)
    assert search.asked == ["same"]


async def test_every_source_of_the_run_is_searched_and_no_other() -> None:
    @dataclass
    class Cases:
        spec: ToolSpec = field(
            default_factory=lambda: ToolSpec(
                "case_law_search", "cases", {"query": {"type": "string"}}
            )
        )

        async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
            found = Evidence("case-1", "case_law", "A v. B", f"OSTP guidance: {arguments['query']}")
            return ToolResult("cases", "found", (found,))

    _, events = await run(LMars("simple"), OFFLINE, Web(lambda _: [OFFICIAL]), Cases())
    called = [event.tool for event in events if isinstance(event, Observed)]
    assert sorted(called) == ["case_law_search", "web_search"]


CASE = Case(RunContext(QUESTION, date(2026, 1, 1)))


@pytest.mark.parametrize(
    ("evidence", "number", "failed"),
    [
        ([OFFICIAL], 1, set[str]()),
        ([FORUM], 1, {"source_quality"}),
        ([FORUM], 3, {"source_quality"}),
        ([web("https://www.nolo.com/x", RULE)], 1, {"source_quality"}),
        ([web("https://www.nolo.com/x", RULE)], 2, set[str]()),
        ([web("https://www.justice.gov/", "Lasagne needs pasta, ragù and patience.")], 1,
         {"support", "source_quality"}),
        ([], 1, {"support", "source_quality"}),
        ([], 9, {"support", "source_quality"}),
    ],
)  # fmt: skip
async def test_the_checklist_by_rule(
    evidence: list[Evidence], number: int, failed: set[str]
) -> None:
    judged = await RuleRoles().judge(CASE, evidence, number)
    assert {one["check"] for one in judged["checks"] if one["result"] == "fail"} == failed
    assert judged["sufficient"] == (not failed)
    assert bool(judged["refinements"]) == bool(failed)


async def test_a_source_from_another_year_fails_the_date_until_later_rounds() -> None:
    old = Evidence("u", "web", "t", RULE.replace("2025", "2027"), url="https://x.gov/")
    results = {
        number: {
            one["check"]: one["result"]
            for one in (await RuleRoles().judge(CASE, [old], number))["checks"]
        }
        for number in (1, 2)
    }
    assert (results[1]["date"], results[2]["date"]) == ("fail", "pass")


async def test_figures_that_differ_between_official_sources_are_told() -> None:
    other = web("https://www.justice.gov/x", RULE.replace("30 days", "90 days"))
    judged = await RuleRoles().judge(CASE, [OFFICIAL, other], 1)
    told = next(one for one in judged["checks"] if one["check"] == "contradiction")
    assert told["result"] == "not_checked"
    assert "30" in told["why"]
    assert "90" in told["why"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RULE, True),
        ("HTTP error 500 while reading the page of the order", False),
        (" " * 40, False),
    ],
)
def test_a_page_is_usable_if_something_was_read(text: str, expected: bool) -> None:
    assert usable(web("https://x.gov/", text)) is expected


async def test_days_given_beside_the_question_are_searched_for_and_not_asked_back() -> None:
    days = DateRange(date(2019, 3, 1), date(2019, 4, 1))
    given = Case(RunContext("Is notice due?", date(2026, 1, 1), days), sources=("web_search",))
    rules = RuleRoles()
    assert await rules.follow_ups(given) == ["Which country or state is this about?"]
    [intent] = await rules.intents(given, [])
    assert intent["query"] == "Is notice due? 2019"
    assert "2019-03-01 to 2019-03-31" in given.context
