"""The quality of an answer as a model judges it: low, moderate or high (L-MARS, section 4.2).

The judge rates four things (accuracy, grounding, clarity, calibration) and the whole, some times
over; a vote that cannot be read is missing. The answer gets the rating in the middle: that of the
majority where there is one, and of two in the middle the lower. The judge is told the right choice,
as no model knows of itself what the law is today; the paper does not say whether its judge was.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Final, Literal, TypedDict, get_args

from inforce.agents.runtime.structured import read_as
from inforce.documents.untrusted import as_data
from inforce.errors import ModelError
from inforce.evals.benchmark import Attempt, Item
from inforce.llm.chat import GREEDY, ChatModel, Message, Sampling
from inforce.tools.evidence import Evidence

Quality = Literal["low", "moderate", "high"]

QUALITIES: Final[tuple[Quality, ...]] = get_args(Quality)

VALUES: Final[dict[Quality, float]] = {"low": 0.0, "moderate": 0.5, "high": 1.0}
"""Ratings as numbers, for means."""

_TEMPERATURE = 0.7
"""Of several votes: at 0 they would be one vote counted often."""

_SOURCES_SHOWN = 5
_SOURCE_LENGTH = 500
"""Sources shown to the judge, and characters of each."""


class Vote(TypedDict):
    """What the judge says once."""

    accuracy: Quality
    grounding: Quality
    clarity: Quality
    calibration: Quality
    overall: Quality
    why: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the votes come to."""

    votes: tuple[Vote, ...]
    """Those that could be read."""
    problem: str = ""
    """Why the last of the others could not."""

    @property
    def quality(self) -> Quality | None:
        """The rating in the middle; ``None`` without any vote."""
        return middle([vote["overall"] for vote in self.votes])

    @property
    def why(self) -> str:
        """What a vote for that rating gives as its reason."""
        reasons = (vote["why"] for vote in self.votes if vote["overall"] == self.quality)
        return next(reasons, self.problem)


async def judge(item: Item, attempt: Attempt, model: ChatModel, *, votes: int) -> Verdict:
    """Ask a judge for its votes on an answer.

    Raises:
        BudgetError: if the judge may not be asked any more.
    """
    asked = [Message("user", _prompt(item, attempt))]
    drawn = [_sampling(number, votes) for number in range(votes)]
    cast = await asyncio.gather(*(_vote(asked, model, sampling) for sampling in drawn))
    problems = [one for one in cast if isinstance(one, str)]
    return Verdict(tuple(one for one in cast if not isinstance(one, str)), "".join(problems[-1:]))


def middle(ratings: Iterable[Quality]) -> Quality | None:
    """The rating in the middle; of two the lower.

    >>> middle(["high", "low", "high"]), middle(["high", "low"]), middle([])
    ('high', 'low', None)
    """
    ranked = sorted(ratings, key=QUALITIES.index)
    return ranked[(len(ranked) - 1) // 2] if ranked else None


def commonest(ratings: Iterable[str]) -> Quality | None:
    """The rating most answers have, as the paper reports a system; of equals the lower."""
    counted = Counter(ratings)
    best = max(QUALITIES, key=lambda one: (counted[one], -QUALITIES.index(one)))
    return best if counted[best] else None


def _sampling(number: int, votes: int) -> Sampling:
    return GREEDY if votes == 1 else Sampling(temperature=_TEMPERATURE, seed=number)


async def _vote(asked: Sequence[Message], model: ChatModel, sampling: Sampling) -> Vote | str:
    """A vote, or what is wrong with it."""
    try:
        reply = await model.reply(asked, sampling)
        return read_as(Vote, reply.text)
    except (ModelError, ValueError) as error:
        return f"the judge gave no rating: {error}"


def _prompt(item: Item, attempt: Attempt) -> str:
    shown = [_source(one) for one in borne_by(attempt)[:_SOURCES_SHOWN]]
    return _template().substitute(
        question=item.facts["plain_question"],
        gold=f"{item.target}. {item.facts['gold']}",
        sources=as_data("\n".join(shown)) or "(nothing it names)",
        answer=as_data(attempt.text) or "(no answer)",
    )


def borne_by(attempt: Attempt) -> list[Evidence]:
    """What was found and bears a sentence of the answer."""
    cited = {id for sentence in attempt.answer.sentences for id in sentence.support}
    return [one for one in attempt.answer.evidence if one.id in cited]


def _source(one: Evidence) -> str:
    text = " ".join(one.text.split())[:_SOURCE_LENGTH]
    return f"- {one.title} ({one.url or one.id}): {text}"


def _template() -> Template:
    return Template(
        files("inforce.evals.legalsearchqa")
        .joinpath("quality.md")
        .read_text(encoding="utf-8")
        .strip()
    )
