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
from dataclasses import dataclass, field
from random import Random

from inforce.llm.chat import Message
from inforce.train.episodes import Environment, Question
from inforce.train.experiment.demonstrator import demonstrated
from inforce.train.experiment.task import Conversation
from inforce.train.temporal_search.world import TOOL

DATED = 0.3
"""Share of the demonstrations whose query names the day of the facts."""

GIVES_UP = "无法回答"

_CITATION = re.compile(r"《[^》\n]+》第[^（\n]+（\d{4}-\d{2}-\d{2}）")


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A conversation to imitate."""

    question: Question
    conversation: Conversation
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
    turns = _Turns(question, names_day=names_day, searches=len(environment.tools) > 0)
    return Demonstration(question, await demonstrated(question, turns, environment), names_day)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turns:
    """What is done for one question."""

    question: Question = field(kw_only=False)
    names_day: bool
    searches: bool

    def __call__(self, messages: Sequence[Message]) -> str:
        """The next turn; without a search, the answer is recited."""
        if not self.searches:
            return f"{plan('凭记忆')}{answer(self.question.target)}"
        if messages[-1].content == self.question.text:
            return f"{plan('检索法条')}{search(self._query())}"
        shown = _CITATION.search(messages[-1].content)
        return answer(shown[0] if shown else GIVES_UP)

    def _query(self) -> str:
        article = str(self.question.facts["article"])
        return f"{self.question.facts['day']} {article}" if self.names_day else article


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
