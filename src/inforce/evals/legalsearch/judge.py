"""The judge of consultations: is the conclusion right, and is its legal basis (section 6.2)?

The paper asks qwen3-235b-a22b-2507, at temperature 0.7 for evaluation and 0.6 in training, up to
twenty times until it answers in the form it was asked for. A judge that never does has said
nothing: that is no verdict, and no zero.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, Literal, get_args

from inforce.errors import BudgetError, ModelError
from inforce.llm.chat import ChatModel, Message, Sampling
from inforce.tools.untrusted import as_data

MOST_TRIES = 20

Purpose = Literal["evaluation", "training"]

FailedJudge = Literal["missing", "zero"]
"""What a consultation scores whose judge failed: nothing, or 0 as in the released code."""

FAILED_JUDGE: tuple[FailedJudge, ...] = get_args(FailedJudge)

_TEMPERATURES: dict[Purpose, float] = {"evaluation": 0.7, "training": 0.6}
_CORRECT = "correct"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of an answer."""

    answer_correct: bool
    basis_correct: bool

    @property
    def score(self) -> float:
        """Half for the conclusion, half for its basis."""
        return (self.answer_correct + self.basis_correct) / 2


WRONG = Verdict(answer_correct=False, basis_correct=False)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, or why there is none."""

    verdict: Verdict | None
    why: str = ""


async def judge(
    model: ChatModel,
    question: str,
    answer: str,
    target: str,
    *,
    purpose: Purpose = "evaluation",
    tries: int = MOST_TRIES,
) -> Judgement:
    """Ask a model whether an answer to a consultation and its legal basis are right.

    Args:
        model: the judge.
        question: what was asked, without instructions to the one who answered.
        answer: what is judged.
        target: the gold answer.
        purpose: what the verdict is for; it decides the temperature.
        tries: how often to ask at most.
    """
    asked = [Message("user", judge_prompt(question, answer, target))]
    for number in range(tries):
        # A seed of its own: a cache must not give the same useless reply again.
        sampling = Sampling(temperature=_TEMPERATURES[purpose], seed=number)
        try:
            reply = await model.reply(asked, sampling)
        except (ModelError, BudgetError) as error:
            return Judgement(None, f"the judge could not be asked: {error}")
        if verdict := read_verdict(reply.text):
            return Judgement(verdict)
    return Judgement(None, f"the judge gave no verdict in {tries} tries")


def judge_prompt(question: str, answer: str, target: str) -> str:
    """What the judge is told and asked."""
    return _template().substitute(question=question, answer=as_data(answer), target=target)


def read_verdict(reply: str) -> Verdict | None:
    """The verdict of a reply: JSON with both keys, whatever stands around it.

    >>> read_verdict('```{"judgement_answer": "correct", "judgement_basis": "incorrect"}```')
    Verdict(answer_correct=True, basis_correct=False)
    >>> read_verdict("correct") is None
    True
    """
    found = reply[max(reply.find("{"), 0) : reply.rfind("}") + 1]
    try:
        told: dict[str, Any] = json.loads(found) if found.startswith("{") else {}
    except (ValueError, RecursionError):
        return None
    if not {"judgement_answer", "judgement_basis"} <= set(told):
        return None
    return Verdict(told["judgement_answer"] == _CORRECT, told["judgement_basis"] == _CORRECT)


@cache
def _template() -> Template:
    text = files("inforce.evals.legalsearch").joinpath("judge.md").read_text(encoding="utf-8")
    return Template(text.strip())
