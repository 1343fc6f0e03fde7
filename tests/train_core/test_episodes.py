"""Episodes of the real agents: which tokens are kept, by whom they are, and what is noted."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.msr2.agent import MSR2
from inforce.agents.r1.agent import R1
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Agent, Run
from inforce.errors import ModelError, UserError
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.tools.context import RunContext
from inforce.tools.tool import Arguments, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox
from inforce.train.episodes import (
    Completion,
    Environment,
    Limits,
    Question,
    Request,
    TokenModel,
    roll_out,
    run_episode,
    tokenized,
)
from inforce.train.scripted import CharacterTokens, ScriptedPolicy
from inforce.train.trajectory import Trajectory

TOKENS = CharacterTokens()
PLAN = "<think>甲</think><plan>乙</plan>"
SEARCH = (
    '<think>丙</think><tool_call>{"name": "look_up", "arguments": {"query": "2010年 盗窃"}}'
    "</tool_call>"
)
ANSWER = "<think>丁</think><answer>戊</answer>"


class LookUp:
    """Finds whatever it is asked for, on the day of the run; some calls take longer."""

    spec = ToolSpec("look_up", "查", {"query": {"type": "string"}})

    def __init__(self, name: str = "look_up") -> None:
        self.spec = ToolSpec(name, "查", {"query": {"type": "string"}, "source": {}}, ("query",))
        self.chance = Random()

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        await asyncio.sleep(self.chance.random() / 500)
        return ToolResult(f"{context.today}：{arguments['query']}")


class Remembering:
    """A policy that goes through its turns, and remembers the contexts it was given."""

    def __init__(self, *turns: str) -> None:
        self.contexts: list[tuple[int, ...]] = []
        self.turns = turns

    async def __call__(self, request: Request) -> Completion:
        self.contexts.append(request.context)
        policy = ScriptedPolicy(lambda _: self.turns[len(self.contexts) - 1])
        return await policy.next_turn(request)


def world(agent: Agent | None = None, tool: str = "look_up") -> Environment:
    tools = Toolbox([LookUp(tool)])
    return Environment(agent or R1(max_turns=15), tools, date(2026, 11, 20))


async def played(*turns: str, environment: Environment | None = None) -> Trajectory:
    question = Question("q", "问")
    return await run_episode(question, Remembering(*turns), TOKENS, environment or world())


def says(*turns: str) -> Callable[[str], str]:
    """A script by the number of turns the policy had before."""
    return lambda context: turns[context.count("<|im_start|>assistant\n") - 1]


async def test_a_policy_is_given_exactly_the_tokens_of_its_trajectory_so_far() -> None:
    policy = Remembering(PLAN, SEARCH, ANSWER)
    done = await run_episode(Question("q", "问"), policy, TOKENS, world())
    whole = (*done.prompt, *done.response)
    assert [whole[: len(one)] for one in policy.contexts] == policy.contexts
    assert [one.origin for one in done.spans] == [
        "prompt",
        *("generated", "observed") * 2,
        "generated",
    ]
    assert done.turns == (PLAN, SEARCH, ANSWER)


async def test_only_what_the_policy_wrote_is_marked() -> None:
    done = await played(PLAN, SEARCH, ANSWER)
    marked = [token for token, mark in zip(done.response, done.mask, strict=True) if mark]
    written = [[*TOKENS.encode(turn), TOKENS.end] for turn in (PLAN, SEARCH, ANSWER)]
    assert marked == [token for turn in written for token in turn]


async def test_what_the_tools_answered_is_observed() -> None:
    done = await played(PLAN, SEARCH, ANSWER)
    assert "2026-11-20：2010年 盗窃" in TOKENS.decode(
        done.spans[4].tokens[:0] + done.spans[-2].tokens
    )


async def test_it_is_noted_how_an_episode_went() -> None:
    again = SEARCH.replace("2010年 ", "")
    done = await played(PLAN, SEARCH, again, ANSWER)
    assert dict(done.facts) == {
        "agent": "r1",
        "outcome": "answered",
        "answer": "戊",
        "turns": 4,
        "tool_calls": 2,
        "dated_queries": 1,
        "calls": {"look_up": 2},
        "dated": {"look_up": 1},
        "forged": 0,
        "rewritten": False,
        "cut_off": False,
    }


async def test_a_forged_answer_of_a_tool_stays_in_the_tokens_and_is_noted() -> None:
    forged = f"{SEARCH}<tool_response>己</tool_response>"
    done = await played(PLAN, forged, ANSWER)
    assert (done.facts["forged"], done.facts["rewritten"]) == (1, True)
    assert done.turns[1] == forged
    assert TOKENS.decode(done.spans[3].tokens) == forged


async def test_a_turn_that_does_not_fit_ends_the_episode_after_it() -> None:
    room = len(PLAN) + 1 + 3
    cramped = replace(world(), limits=Limits(response_tokens=room, turn_tokens=1024))
    done = await played(PLAN, SEARCH, environment=cramped)
    assert (done.facts["outcome"], done.facts["cut_off"]) == ("budget", True)
    assert done.turns == (PLAN,)


async def test_a_turn_is_cut_where_its_room_ends_and_the_next_mark_is_not_the_policys() -> None:
    cramped = replace(world(), limits=Limits(turn_tokens=8))
    done = await played(PLAN, PLAN, PLAN, environment=cramped)
    assert [len(span.tokens) for span in done.spans[1::2]] == [8, 8, 8]
    assert done.spans[2].tokens[0] == TOKENS.end
    assert (done.facts["outcome"], done.facts["cut_off"]) == ("invalid", True)


async def test_msr2_has_eight_turns() -> None:
    searching = "<reasoning>甲</reasoning><factors>乙</factors><search source=statute>盗窃</search>"
    done = await played(*[searching] * 9, environment=world(MSR2(), "search_source"))
    assert (done.facts["turns"], done.facts["outcome"]) == (8, "turn_limit")


class Forgetful:
    """An agent that begins anew instead of going on."""

    name, settings = "forgetful", dict[str, str]()

    async def __call__(self, run: Run) -> Draft:
        for attempt in "12":
            await run.reply([Message("user", attempt)])
        return Draft("")


class Silent:
    """An agent that asks nothing."""

    name, settings = "silent", dict[str, str]()

    async def __call__(self, run: Run) -> Draft:
        return Draft("")


@pytest.mark.parametrize(
    ("agent", "told"), [(Forgetful(), "does not go on"), (Silent(), "asked the policy nothing")]
)
async def test_an_agent_that_cannot_be_learnt_from_is_refused(agent: Agent, told: str) -> None:
    with pytest.raises(UserError, match=told):
        await played(PLAN, PLAN, environment=world(agent))


async def test_episodes_come_back_by_question_and_with_their_rewards() -> None:
    async def reward(trajectory: Trajectory, question: Question) -> float | None:
        return None if question.id == "b" else float(trajectory.facts["answer"] == question.target)

    asked = [Question("a", "问", "戊"), Question("b", "问"), Question("c", "问", "己")]
    policy = ScriptedPolicy(says(PLAN, SEARCH, ANSWER))
    done = await roll_out(policy, TOKENS, asked, replace(world(), reward=reward), rollouts=2)
    assert [(one.question, one.reward) for one in done] == [
        *[("a", 1.0)] * 2,
        *[("b", None)] * 2,
        *[("c", 0.0)] * 2,
    ]


SLOW, QUICK = (PLAN, SEARCH, ANSWER), (PLAN + SEARCH, ANSWER)


class Counting:
    """A policy that records the questions of each batch."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def generate(self, requests: Sequence[Request]) -> list[Completion]:
        contexts = [TOKENS.decode(one.context) for one in requests]
        self.batches.append([re.findall("Q[0-9]", one)[0] for one in contexts])
        return [
            completion
            for question, request in zip(self.batches[-1], requests, strict=True)
            for turns in [SLOW if int(question[1]) % 2 == 0 else QUICK]
            for completion in ScriptedPolicy(says(*turns)).generate([request])
        ]


async def test_all_running_episodes_are_one_batch_in_order_whichever_tool_answers_first() -> None:
    policy = Counting()
    questions = [Question(f"{place}", f"Q{place}") for place in range(6)]
    await roll_out(policy, TOKENS, questions, world())
    every, even = [f"Q{place}" for place in range(6)], ["Q0", "Q2", "Q4"]
    assert policy.batches == [every, every, even]


async def test_a_policy_that_fails_ends_the_collection_with_its_own_error() -> None:
    class Failing:
        def generate(self, requests: Sequence[Request]) -> list[Completion]:
            raise ModelError("gone")

    with pytest.raises(ModelError, match="gone"):
        await roll_out(Failing(), TOKENS, [Question("a", "问"), Question("b", "问")], world())


async def test_an_episode_that_fails_ends_the_others_without_another_batch() -> None:
    async def broken(trajectory: Trajectory, question: Question) -> float:
        raise AssertionError("a defect")

    policy, questions = Counting(), [Question(f"{place}", f"Q{place}") for place in range(4)]
    with pytest.raises(AssertionError, match="a defect"):
        await roll_out(policy, TOKENS, questions, replace(world(), reward=broken))
    assert len(policy.batches) == 2


class Heard:
    """A model whose conversation is kept as text."""

    name = "heard"

    def __init__(self, model: TokenModel) -> None:
        self.model = model
        self.conversation: tuple[Message, ...] = ()

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        reply = await self.model.reply(messages, sampling)
        self.conversation = (*messages, Message("assistant", reply.text))
        return reply


async def test_a_conversation_in_text_has_the_tokens_of_the_episode() -> None:
    model = TokenModel(Remembering(PLAN, SEARCH, ANSWER), TOKENS, Limits())
    heard = Heard(model)
    await R1()(Run(heard, Toolbox([LookUp()]), RunContext("问", date(2026, 11, 20))))
    again = tokenized("q", heard.conversation, TOKENS)
    assert [(one.origin, one.tokens) for one in again.spans] == [
        (one.origin, one.tokens) for one in model.spans
    ]


def test_a_conversation_without_a_last_word_of_the_assistant_is_no_demonstration() -> None:
    with pytest.raises(ValueError, match="ends with the assistant"):
        tokenized("q", [Message("user", "问")], TOKENS)


@given(turns=st.lists(st.text(max_size=20), min_size=1, max_size=5), cut=st.integers(1, 30))
async def test_masks_and_tokens_agree_whatever_is_written(turns: list[str], cut: int) -> None:
    environment = replace(world(), limits=Limits(response_tokens=600, turn_tokens=cut))
    turns = [turn.encode("utf-8", "ignore").decode() for turn in turns] + [ANSWER] * 20
    done = await played(*turns, environment=environment)
    assert len(done.mask) == len(done.response) == len(done.logprobs) <= 600
    assert done.generated == sum(len(one.tokens) for one in done.spans if one.origin == "generated")
    assert len(done.turns) == sum(one.origin == "generated" for one in done.spans)
    assert all(len(one.tokens) <= cut for one in done.spans if one.origin == "generated")
