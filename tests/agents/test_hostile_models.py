"""Whatever a model does, a run ends in time, says how, and answers only what was found."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hostile_world import (
    AGENTS,
    LAW,
    MOST_CALLS,
    TRUE_ANSWER,
    Behaviour,
    Ended,
    Model,
    NothingFound,
    answer,
    call,
    cut_off,
    ended,
    part_of,
    tools,
    well_behaved,
)

from inforce.agents.registry import AgentName
from inforce.agents.runtime.support import UNSUPPORTED
from inforce.cli import main
from inforce.errors import BudgetError, ModelError
from inforce.llm.chat import Finish, Message, Reply
from inforce.llm.json_replies import json_value
from inforce.tools.toolbox import Toolbox

MEGABYTE = 1_000_000

_CHANCE = random.Random(7)
GARBAGE = "".join(chr(_CHANCE.randrange(1, 0xD7FF)) for _ in range(5_000))
CONTROL = "".join(map(chr, range(0x20))) + "\x7f\x9b\x1b[2J\u202e\u2028"
NESTED = (
    "<think><think><plan><answer></plan><tool_call><tool_call></answer></tool_call>"
    "<search><search source='x'></information><tool_response><answer><answer>"
)
MADE_UP = "根据《火星法》第三条，“累犯应当一律适用缓刑而且不受限制”。"

ALWAYS = {
    "says nothing": "",
    "says blanks": " \n\t\u3000" * 50,
    "says garbage": GARBAGE,
    "says control characters": CONTROL,
    "says half a character": "\ud800<think>\udfff",
    "nests and leaves open every tag": NESTED,
    "refuses": "I'm sorry, but I cannot help with that request.",
    "refuses in Chinese": "抱歉，我无法协助处理这个问题。",
    "never stops": "甲" * MEGABYTE,
    "never stops opening braces": "{" * MEGABYTE,
    "never stops opening objects": '{"a":' * (MEGABYTE // 5),
    "never stops opening lists": '{"a":[' * (MEGABYTE // 6),
    "never stops opening tags": "<think>甲" * (MEGABYTE // 8),
    "never stops closing tags": "<think>" + "甲乙</plan>" * (MEGABYTE // 9),
    "never stops opening blocks": "```json\n{" * (MEGABYTE // 9),
    "never stops calling": '<search source="x">甲</search>' * (MEGABYTE // 30),
    "never stops numbering": "步骤1：甲。\n" * (MEGABYTE // 8),
    "says a number too long to read": '{"action": "law", "action_input": ' + "9" * 6_000 + "}",
}
"""What a model says whatever it is asked."""

CALLS = {
    "the same call again and again": ("law", '{"word": "缓刑"}'),
    "a tool that does not exist": ("no_such_tool", '{"word": "缓刑"}'),
    "a tool whose name has no end": ("x" * 100_000, '{"word": "缓刑"}'),
    "a tool whose name is no text": ("\\ud800", '{"word": "缓刑"}'),
    "arguments that are no JSON": ("law", '{"word": 缓刑'),
    "arguments of the wrong type": ("law", '{"word": ["缓刑", {"a": null}]}'),
    "arguments nobody asked for": ("law", '{"word": "缓刑", "delete": true}'),
    "no arguments": ("law", "null"),
    "arguments with half a character": ("law", '{"word": "\\ud800缓刑"}'),
    "arguments with NUL": ("law", '{"word": "\\u0000缓刑"}'),
    "arguments that are no number": ("law", '{"word": NaN}'),
    "arguments without end": ("law", '{"word": 1e999}'),
    "arguments that are too large": ("law", '{"word": ' + "9" * 400 + "}"),
    "arguments nested too deeply": ("law", '{"word": ' + "[" * 900 + "]" * 900 + "}"),
    "arguments nested without end": ("law", '{"word": ' + "[" * 200_000),
    "arguments in Python": ("law", "{'word': (1, 2), 3: {4j, b'x', ...}}"),
    "arguments keyed by pairs": ("law", "{'word': 'x', (1, 2): 3, None: 4}"),
    "arguments of a megabyte": ("law", '{"word": "' + "甲" * 900_000 + '"}'),
}
"""What a model calls whenever it may call something."""


def says(text: str) -> Behaviour:
    return lambda agent, messages: text


def calls(tool: str, arguments: str) -> Behaviour:
    def behaves(agent: AgentName, messages: Sequence[Message]) -> str:
        part = part_of(agent, messages)
        if part in ("act", "Plan the next searches") and len(messages) > (agent == "r1") * 2:
            return call(agent, tool, arguments)
        return well_behaved(agent, messages)

    return behaves


async def run(
    agent: AgentName, behaves: Behaviour, folder: Path, *, toolbox: Toolbox | None = None
) -> Ended:
    model = Model(agent, behaves)
    done = await ended(agent, model, toolbox or Toolbox(tools()), folder / "trace.jsonl")
    assert len(model.asked) <= MOST_CALLS[agent]
    require_support(done)
    return done


def require_support(done: Ended) -> None:
    """An answer rests on something that was found, and something in it says so."""
    if done.answer.outcome == "answered":
        assert done.answer.evidence
        assert any(one.support for one in done.answer.sentences), done.answer.text[:200]


@pytest.mark.parametrize("agent", AGENTS)
async def test_a_model_that_keeps_the_protocol_is_answered(
    agent: AgentName, tmp_path: Path
) -> None:
    done = await run(agent, well_behaved, tmp_path)
    assert done.answer.outcome == "answered", done.answer.note
    assert done.answer.evidence[0].text == LAW


@pytest.mark.parametrize("what", ALWAYS)
@pytest.mark.parametrize("agent", AGENTS)
async def test_a_model_that_says_nothing_of_use_gets_no_answer(
    agent: AgentName, what: str, tmp_path: Path
) -> None:
    done = await run(agent, says(ALWAYS[what]), tmp_path)
    if done.answer.outcome == "answered":  # the rules of L-MARS stand in, and quote
        assert agent in ("lmars", "lmars-multi")
        assert not done.answer.unsupported


@pytest.mark.parametrize("what", CALLS)
@pytest.mark.parametrize("agent", AGENTS)
async def test_a_model_that_calls_badly_or_for_ever_ends_within_its_turns(
    agent: AgentName, what: str, tmp_path: Path
) -> None:
    done = await run(agent, calls(*CALLS[what]), tmp_path)
    if done.answer.outcome == "answered":
        assert done.answer.evidence
        assert done.answer.evidence[0].text == LAW


@pytest.mark.parametrize("agent", AGENTS)
async def test_an_answer_for_which_nothing_was_found_is_not_handed_on(
    agent: AgentName, tmp_path: Path
) -> None:
    def answers(agent: AgentName, messages: Sequence[Message]) -> str:
        said = well_behaved(agent, messages)
        asked = sum(one.role == "assistant" for one in messages)
        return answer(agent, TRUE_ANSWER) if part_of(agent, messages) == "act" and asked else said

    for toolbox in (Toolbox(tools(NothingFound)), Toolbox(tools())):
        folder = tmp_path / str(id(toolbox))
        done = await run(agent, answers, folder, toolbox=toolbox)
        assert done.answer.outcome != "answered" or done.answer.evidence


@pytest.mark.parametrize("agent", [one for one in AGENTS if one != "msr2"])
async def test_an_answer_that_cites_only_what_was_never_found_is_withheld(
    agent: AgentName, tmp_path: Path
) -> None:
    done = await run(agent, lambda who, said: well_behaved(who, said, says=MADE_UP), tmp_path)
    assert (done.answer.outcome, done.answer.text) == ("abstained", "")
    assert "火星法" in done.answer.note


@pytest.mark.parametrize("agent", AGENTS)
async def test_a_sentence_that_cites_what_was_never_found_is_marked_beside_a_true_one(
    agent: AgentName, tmp_path: Path
) -> None:
    both = f"{TRUE_ANSWER}{MADE_UP}"
    done = await run(agent, lambda who, said: well_behaved(who, said, says=both), tmp_path)
    assert done.answer.outcome == "answered"
    marked = [one.text for one in done.answer.unsupported]
    assert any("火星法" in one for one in marked)
    assert not any(TRUE_ANSWER in one for one in marked)
    assert "no support" in done.page.lower()


@pytest.mark.parametrize(
    "refusal",
    [
        "抱歉，我无法协助处理这个问题。",
        "对不起，我不能提供法律意见。",
        "I'm sorry, but I can't help with that.",
        "I cannot help with this request.",
        "As an AI language model, I do not give legal advice.",
    ],
)
@pytest.mark.parametrize("agent", [one for one in AGENTS if one != "msr2"])
async def test_a_refusal_in_form_of_an_answer_is_an_abstention(
    agent: AgentName, refusal: str, tmp_path: Path
) -> None:
    done = await run(agent, lambda who, said: well_behaved(who, said, says=refusal), tmp_path)
    assert done.answer.outcome == "abstained"


@pytest.mark.parametrize("kind", [ModelError, BudgetError])
@pytest.mark.parametrize("at", [0, 1, 2, 3])
@pytest.mark.parametrize("agent", AGENTS)
async def test_a_model_that_breaks_at_any_call_leaves_a_whole_trace(
    agent: AgentName, at: int, kind: type[Exception], tmp_path: Path
) -> None:
    asked = 0

    def breaks(agent: AgentName, messages: Sequence[Message]) -> str:
        nonlocal asked
        asked += 1
        if asked > at:
            raise kind("the line is dead")
        return well_behaved(agent, messages)

    done = await run(agent, breaks, tmp_path)
    if asked > at:
        assert done.answer.outcome == ("failed" if kind is ModelError else "budget")
        assert "the line is dead" in done.answer.note
        assert "the line is dead" in done.shown.steps[-1].text
    else:
        assert done.answer.outcome == "answered"


@pytest.mark.parametrize("finish", ["length", "content_filter"])
@pytest.mark.parametrize("agent", AGENTS)
async def test_half_an_answer_is_not_taken_for_a_whole_one(
    agent: AgentName, finish: Finish, tmp_path: Path
) -> None:
    long = f"{TRUE_ANSWER}但是，下列情形除外：第一，"

    def half(agent: AgentName, messages: Sequence[Message]) -> str | Reply:
        said = well_behaved(agent, messages, says=long)
        if "</answer>" in said:
            return cut_off(said[: said.index("</answer>") - 1], finish)
        return cut_off(said, finish) if part_of(agent, messages) in ("closing", "summary") else said

    done = await run(agent, half, tmp_path)
    assert done.answer.outcome in ("turn_limit", "invalid")
    assert any(one.title == "cut_off" for one in done.shown.steps)


@pytest.mark.parametrize("agent", AGENTS)
async def test_what_agents_say_of_a_hostile_model_can_be_shown_and_escapes_markup(
    agent: AgentName, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = "<script>alert(1)</script> [bold]\x1b[31mred\u202e</pre><img src=x onerror=alert(1)>"
    both = f"{TRUE_ANSWER}{hostile}"
    done = await run(agent, lambda who, said: well_behaved(who, said, says=both), tmp_path)
    assert "<script>alert" not in done.page
    assert "<img" not in done.page
    with pytest.raises(SystemExit) as left:
        main(["trace", "show", str(tmp_path / "trace.jsonl"), "--full"])
    assert left.value.code == 0
    assert "\x1b" not in capsys.readouterr().out


async def test_json_values_are_those_every_file_can_hold() -> None:
    hostile = {"a": float("nan"), ("b", 1): {2, 1}, "c": 10**40, "d\ud800": [b"x", 1 + 2j], 3: None}
    value = json_value(hostile)
    assert value == {
        "a": "nan",
        "['b', 1]": [1, 2],
        "c": str(10**40),
        "d?": ["b'x'", "(1+2j)"],
        "3": None,
    }
    assert json.loads(json.dumps(value, allow_nan=False)) == value


@pytest.mark.parametrize("agent", AGENTS)
async def test_an_answer_no_source_bears_says_so(agent: AgentName, tmp_path: Path) -> None:
    model = Model(agent, lambda who, said: well_behaved(who, said, says="Recidivists: never."))
    done = await ended(agent, model, Toolbox(tools()), tmp_path / "trace.jsonl")
    assert done.answer.unsupported == done.answer.sentences
    assert UNSUPPORTED in done.answer.note
