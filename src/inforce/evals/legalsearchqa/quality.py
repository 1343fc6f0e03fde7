"""The quality of an answer as a model judges it: low, moderate or high (L-MARS, section 4.2).

The judge rates four aspects (accuracy, grounding, clarity, calibration) and the whole, in several
votes; a vote that cannot be read is missing. The answer gets the median rating, of two in the
middle the lower. The judge sees the right choice, since no model knows by itself what the law is
today; the paper does not say whether its judge did.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Final, Literal, TypedDict, get_args

from inforce.documents.untrusted import as_data
from inforce.errors import ModelError
from inforce.evals.benchmark import Attempt, Item
from inforce.llm.chat import GREEDY, ChatModel, Message, Sampling
from inforce.llm.json_replies import read_as
from inforce.tools.evidence import Evidence

Quality = Literal["low", "moderate", "high"]

QUALITIES: Final[tuple[Quality, ...]] = get_args(Quality)

VALUES: Final[dict[Quality, float]] = {"low": 0.0, "moderate": 0.5, "high": 1.0}
"""Ratings as numbers, for means."""

_TEMPERATURE = 0.7
"""Of several votes: at 0 they would all be the same vote."""

_SOURCES_SHOWN = 5
_SOURCE_LENGTH = 500
"""Sources shown to the judge, and characters of each."""


class Vote(TypedDict):
    """One rating by the judge."""

    accuracy: Quality
    grounding: Quality
    clarity: Quality
    calibration: Quality
    overall: Quality
    why: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The votes of a judge on one answer."""

    votes: tuple[Vote, ...]
    """The readable ones."""
    problem: str = ""
    """Why the last of the others could not be read."""

    @property
    def quality(self) -> Quality | None:
        """The median rating; ``None`` without votes."""
        return middle([vote["overall"] for vote in self.votes])

    @property
    def why(self) -> str:
        """The reason of a vote with that rating."""
        reasons = (vote["why"] for vote in self.votes if vote["overall"] == self.quality)
        return next(reasons, self.problem)


async def judge(item: Item, attempt: Attempt, model: ChatModel, *, votes: int) -> Verdict:
    """Ask a judge for its votes on an answer.

    Raises:
        BudgetError: if the judge has no budget left.
    """
    prompt = [Message("user", _prompt(item, attempt))]
    samplings = [
        GREEDY if votes == 1 else Sampling(temperature=_TEMPERATURE, seed=number)
        for number in range(votes)
    ]
    replies = await asyncio.gather(*(_vote(prompt, model, sampling) for sampling in samplings))
    problems = [one for one in replies if isinstance(one, str)]
    readable = tuple(one for one in replies if not isinstance(one, str))
    return Verdict(readable, "".join(problems[-1:]))


async def _vote(prompt: Sequence[Message], model: ChatModel, sampling: Sampling) -> Vote | str:
    """Return a vote, or the reason why it cannot be read."""
    try:
        reply = await model.reply(prompt, sampling)
        return read_as(Vote, reply.text)
    except (ModelError, ValueError) as error:
        return f"the judge gave no rating: {error}"


def middle(ratings: Iterable[Quality]) -> Quality | None:
    """The median rating; of two in the middle the lower.

    >>> middle(["high", "low", "high"]), middle(["high", "low"]), middle([])
    ('high', 'low', None)
    """
    ranked = sorted(ratings, key=QUALITIES.index)
    return ranked[(len(ranked) - 1) // 2] if ranked else None


def commonest(ratings: Iterable[str]) -> Quality | None:
    """The most frequent rating, as the paper reports a system; of equals the lower."""
    counted = Counter(ratings)
    best = max(QUALITIES, key=lambda one: (counted[one], -QUALITIES.index(one)))
    return best if counted[best] else None


def _prompt(item: Item, attempt: Attempt) -> str:
    sources = [
        f"- {one.title} ({one.url or one.id}): {' '.join(one.text.split())[:_SOURCE_LENGTH]}"
        for one in supporting_evidence(attempt)[:_SOURCES_SHOWN]
    ]
    text = files("inforce.evals.legalsearchqa").joinpath("quality.md").read_text(encoding="utf-8")
    return Template(text.strip()).substitute(
        question=item.facts["plain_question"],
        gold=f"{item.target}. {item.facts['gold']}",
        sources=as_data("\n".join(sources)) or "(nothing it names)",
        answer=as_data(attempt.text) or "(no answer)",
    )


def supporting_evidence(attempt: Attempt) -> list[Evidence]:
    """The findings that support a sentence of the answer."""
    cited = {id for sentence in attempt.answer.sentences for id in sentence.support}
    return [one for one in attempt.answer.evidence if one.id in cited]
