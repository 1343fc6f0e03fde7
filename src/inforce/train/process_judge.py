"""The judge of MSR2's process reward: do the sentencing factors follow from the facts?

A model reads the facts of a case and the factors a run listed, and gives 0 to 10 by a rubric
(MSR2, section 4.3.3 and figure 3; the paper asks Qwen3-32B). What it reads was written by the very
policy that is rewarded, so the factors cannot speak to it: tags lose their brackets, both texts
stand between marks they cannot contain, and a reply that is more than the one answer is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Protocol

from inforce.errors import BudgetError, ModelError
from inforce.llm.chat import ChatModel, Message, Sampling
from inforce.tools.untrusted import as_data, seal_of

HIGHEST = 10
MOST_TRIES = 5
MOST_CHARACTERS = 8_000
"""Of the factors that are read: a list that goes on for ever is no better for it."""

_ANSWER = re.compile(r"<answer>\s*(\d{1,2})\s*</answer>")
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ProcessScore:
    """How credible the factors of a run are, or why nobody can tell."""

    points: int | None
    """0 to 10; ``None`` where the judge failed."""
    why: str = ""

    @property
    def share(self) -> float | None:
        """Between 0 and 1."""
        return None if self.points is None else self.points / HIGHEST


class FactorJudge(Protocol):
    """Whoever says how far the facts of a case bear out the factors a run listed."""

    async def __call__(self, fact: str, factors: str) -> ProcessScore:
        """0 to 10, or why nobody can tell."""
        ...


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """A model that judges by the rubric of MSR2."""

    model: ChatModel
    """An endpoint, a cache or a recording."""
    tries: int = MOST_TRIES

    async def __call__(self, fact: str, factors: str) -> ProcessScore:
        """What the model says."""
        return await judge_factors(self.model, fact, factors, tries=self.tries)


async def judge_factors(
    model: ChatModel, fact: str, factors: str, *, tries: int = MOST_TRIES
) -> ProcessScore:
    """Ask a model how far the facts of a case bear out the factors a run listed.

    Args:
        model: the judge; an endpoint, a cache or a recording.
        fact: what happened.
        factors: what the run wrote; where it wrote none, the score is 0 and nobody is asked.
        tries: how often to ask at most.
    """
    if not factors.strip():
        return ProcessScore(0, "no factors were listed")
    asked = [Message("user", judge_prompt(fact, factors))]
    for number in range(tries):
        # Greedy first; then with a seed of its own, so that no cache repeats a useless reply.
        sampling = Sampling(temperature=0.0 if number == 0 else 0.6, seed=number)
        try:
            reply = await model.reply(asked, sampling)
        except (ModelError, BudgetError) as error:
            return ProcessScore(None, f"the judge could not be asked: {error}")
        points = read_points(reply.text)
        if points is not None:
            return ProcessScore(points)
    return ProcessScore(None, f"the judge gave no score in {tries} tries")


def judge_prompt(fact: str, factors: str) -> str:
    """What the judge is told and asked."""
    fact, factors = as_data(fact), as_data(factors[:MOST_CHARACTERS])
    seal = f"[{seal_of(fact + factors)}]"
    return _template().substitute(fact=fact, factors=factors, seal=seal)


def read_points(reply: str) -> int | None:
    """The points of a reply that ends with them and gives them once; a thought may come first.

    A judge that quotes what it was told to judge may quote an answer in it: two answers are none.

    >>> read_points("<think>well founded</think><answer>7</answer>")
    7
    >>> [read_points(one) for one in ("7", "<answer>11</answer>", "<answer>9</answer>" * 2)]
    [None, None, None]
    """
    said = _THOUGHT.sub("", reply).strip()
    found = _ANSWER.fullmatch(said)
    points = int(found[1]) if found else None
    return points if points is not None and points <= HIGHEST else None


@cache
def _template() -> Template:
    text = files("inforce.train").joinpath("process_judge.md").read_text(encoding="utf-8")
    return Template(text.strip())
