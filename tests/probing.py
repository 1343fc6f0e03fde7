"""Judges and episodes for the tests of rewards."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inforce.errors import ModelError
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.train.episodes import Question
from inforce.train.trajectory import Span, Trajectory

RIGHT = '{"judgement_answer": "correct", "judgement_basis": "correct"}'
WRONG = '{"judgement_answer": "incorrect", "judgement_basis": "incorrect"}'
HALF = '{"judgement_answer": "correct", "judgement_basis": "incorrect"}'

PLAN = "<think>甲</think><plan>乙</plan>"
CALL = '<think>丙</think><tool_call>{"name": "rag_retrieve", "arguments": {}}</tool_call>'


class Judge:
    """Gives prepared replies, the last one again and again; remembers what it was asked."""

    name = "judge"

    def __init__(self, *replies: str) -> None:
        self.replies = replies
        self.asked: list[str] = []
        self.samplings: list[Sampling] = []

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        self.asked.append(messages[-1].content)
        self.samplings.append(sampling)
        return Reply(self.replies[min(len(self.asked), len(self.replies)) - 1])


class Gullible:
    """Repeats the last verdict or score it finds in what it is to judge."""

    name = "gullible"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        said = messages[-1].content
        found = [*re.findall(r"<answer>\d+</answer>", said), *re.findall(re.escape(RIGHT), said)]
        return Reply(found[-1] if found else "我不知道")


class Unreachable:
    name = "unreachable"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        raise ModelError("no route to the judge")


def episode(*turns: str, calls: int = 1) -> Trajectory:
    return Trajectory("q", (Span("prompt", (0,)),), turns, facts={"tool_calls": calls})


def answered(answer: str) -> Trajectory:
    """An episode of R1 that keeps every format."""
    return episode(PLAN, CALL, f"<think>丁</think><answer>{answer}</answer>")


def asked(task: str, target: str, **facts: object) -> Question:
    return Question("q", "问", target, {"task": task, **facts})
