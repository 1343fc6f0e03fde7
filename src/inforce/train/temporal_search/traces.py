"""Demonstrations of R1's protocol, in which only some of the queries say for which day they ask.

A demonstrator walks the protocol in the real environment and answers with what it was shown, right
or wrong. So a warm start teaches to search and to copy; that the day matters is left to be learnt
from rewards.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from inforce.agents.run import Run
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.tools.context import RunContext
from inforce.train.episodes import Environment, Question
from inforce.train.temporal_search.world import TOOL

DATED = 0.3
"""Share of the demonstrations whose query names the day of the facts."""

GIVES_UP = "无法回答"

_CITATION = re.compile(r"《[^》\n]+》第[^（\n]+（\d{4}-\d{2}-\d{2}）")


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A conversation to imitate."""

    question: Question
    conversation: tuple[Message, ...]
    """It ends with the assistant's answer."""
    names_day: bool
    """Whether its query says for which day it asks."""


async def demonstrations(
    questions: Sequence[Question], environment: Environment, *, seed: int, dated: float = DATED
) -> tuple[Demonstration, ...]:
    """A demonstration for each question, in its order.

    Args:
        questions: to which.
        environment: where; without tools, the answer is recited.
        seed: says which demonstrations name the day.
        dated: share of those that do.
    """
    chance = Random(seed)
    naming = [chance.random() < dated for _ in questions]
    shown = [_demonstration(*one, environment) for one in zip(questions, naming, strict=True)]
    return tuple(await asyncio.gather(*shown))


async def _demonstration(
    question: Question, names_day: bool, environment: Environment
) -> Demonstration:
    model = Demonstrator(question, names_day=names_day, searches=len(environment.tools) > 0)
    context = RunContext(question.text, environment.today)
    await environment.agent(Run(model, environment.tools, context))
    return Demonstration(question, model.conversation, names_day)


class Demonstrator:
    """Who walks R1's protocol for one question, and remembers the conversation.

    Args:
        question: of this task.
        names_day: whether its query says for which day it asks.
        searches: whether it searches; it recites the answer if not.
    """

    name = "demonstrator"

    def __init__(self, question: Question, *, names_day: bool, searches: bool = True) -> None:
        self._question = question
        self._names_day = names_day
        self._searches = searches
        self.conversation: tuple[Message, ...] = ()

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """The next turn."""
        text = self._turn(messages)
        self.conversation = (*messages, Message("assistant", text))
        return Reply(text)

    def _turn(self, messages: Sequence[Message]) -> str:
        if not self._searches:
            return f"{plan('凭记忆')}{answer(self._question.target)}"
        if not self.conversation:
            return f"{plan('检索法条')}{search(self._query())}"
        shown = _CITATION.search(messages[-1].content)
        return answer(shown[0] if shown else GIVES_UP)

    def _query(self) -> str:
        article = str(self._question.facts["article"])
        return f"{self._question.facts['day']} {article}" if self._names_day else article


def plan(how: str) -> str:
    """The beginning of the first round."""
    return f"<think>先找条文</think><plan>{how}</plan>"


def search(query: str) -> str:
    """A round, or the rest of one, that searches."""
    call = {"name": TOOL, "arguments": {"query": [query]}}
    return f"<think>检索</think><tool_call>{json.dumps(call, ensure_ascii=False)}</tool_call>"


def answer(text: str) -> str:
    """The last round, or the rest of one."""
    return f"<think>作答</think><answer>{text}</answer>"
