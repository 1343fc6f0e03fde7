"""Demonstrations of MSR2's protocol, by somebody who asks any source and leaves factors out.

So a warm start teaches to ask, to read and to answer; which source is worth asking, and that no
factor is to be left out, is to be learnt from rewards.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from inforce.llm.chat import Message
from inforce.retrieval.sources.source import SourceName
from inforce.scoring.cases import Case
from inforce.scoring.factors import NONE, stated
from inforce.train.data.cases import sentencing_questions
from inforce.train.episodes import Environment
from inforce.train.experiment.demonstrator import demonstrated
from inforce.train.experiment.task import Conversation

LISTED = 0.5
"""Chance that a factor a case states is listed."""

AT_A_LOSS = 12
"""Months that are answered where a source says nothing."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}年")
_RANGE = re.compile(r"(?m)^(\d+)-(\d+)")
_TERM = re.compile(r"(?m)^(\d+)个月")


async def demonstrations(
    cases: Sequence[Case],
    environment: Environment,
    offered: Sequence[SourceName],
    *,
    seed: int,
    listed: float = LISTED,
) -> tuple[Conversation, ...]:
    """A demonstration for each case with a fixed term, in their order.

    Args:
        cases: to which.
        environment: where.
        offered: the sources that are asked, each as often as any other.
        seed: says which source is asked and which factors are listed.
        listed: the chance of each factor.
    """
    chance = Random(seed)
    asked = sentencing_questions(cases)
    turns = [_turns(case, offered, listed, chance) for case in cases]
    return tuple(
        await asyncio.gather(
            *(demonstrated(*one, environment) for one in zip(asked, turns, strict=True))
        )
    )


def drill(case: Case) -> Conversation:
    """A lesson in reading: what a case is about, and what it states."""
    said = f"{case.charge}罪：{_joined(stated(case.fact))}"
    return Message("user", case.fact), Message("assistant", said)


def first_turn(charge: str, factors: Sequence[str], source: SourceName, query: str) -> str:
    """The turn that lists factors and asks a source."""
    return (
        f"<reasoning>{charge}罪</reasoning><factors>{_joined(factors)}</factors>"
        f'<search source="{source}">{query}</search>'
    )


def last_turn(months: int) -> str:
    """The turn that gives the term."""
    return f"<reasoning>量刑</reasoning><answer>{months}个月</answer>"


def query_for(source: SourceName, case: Case, factors: Sequence[str]) -> str:
    """What a source is asked: statutes by the year of the facts, others by the factors."""
    crime = f"{case.charge}罪"
    if source == "statute":
        return " ".join([*_YEAR.findall(case.fact)[:1], "刑法", crime])
    return " ".join([crime, *factors])


@dataclass(frozen=True, slots=True)
class _Turns:
    """What is done for one case."""

    first: str

    def __call__(self, messages: Sequence[Message]) -> str:
        """The next turn."""
        return self.first if len(messages) == 1 else last_turn(_read(messages[-1].content))


def _turns(case: Case, offered: Sequence[SourceName], listed: float, chance: Random) -> _Turns:
    source = chance.choice(offered)
    factors = [one for one in stated(case.fact) if chance.random() < listed]
    return _Turns(first_turn(case.charge, factors, source, query_for(source, case, factors)))


def _read(shown: str) -> int:
    """The first precedent's term, or a third into the first range."""
    if term := _TERM.search(shown):
        return int(term[1])
    if bounds := _RANGE.search(shown):
        low, high = int(bounds[1]), int(bounds[2])
        return low + (high - low) // 3
    return AT_A_LOSS


def _joined(factors: Sequence[str]) -> str:
    return "、".join(factors) or NONE
