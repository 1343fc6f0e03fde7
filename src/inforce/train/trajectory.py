"""One episode as tokens: the prompt, what the policy wrote, what the environment answered.

Tokens go in and come out: nothing is decoded and tokenised again, so that the log-probabilities of
what was written can be computed on exactly what was written.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from statistics import fmean
from typing import Any, Literal

Origin = Literal["prompt", "generated", "observed"]
"""Where a span comes from: the question with its instructions, the policy, or the environment. Only
what the policy wrote is learnt from (retrieved-token masking: MSR2, section 3.5)."""


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive tokens of one origin."""

    origin: Origin
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...] = ()
    """Of the policy that wrote them, one a token; empty where none were noted."""

    def __post_init__(self) -> None:
        if self.origin != "generated" and self.logprobs:
            raise ValueError("only what the policy wrote has log-probabilities")
        if self.logprobs and len(self.logprobs) != len(self.tokens):
            raise ValueError("there must be one log-probability a token")

    @property
    def noted(self) -> tuple[float, ...]:
        """One log-probability a token: NaN where none was noted, 0.0 for what was not generated."""
        none = math.nan if self.origin == "generated" else 0.0
        return self.logprobs or (none,) * len(self.tokens)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """An episode from its question to its end; the single form trainers exchange.

    The first span is the prompt; the response is everything after it.
    """

    question: str
    """The id of the question: trajectories of one question are a group."""
    spans: tuple[Span, ...]
    turns: tuple[str, ...]
    """What the policy wrote, turn by turn, as text: what rewards read."""
    reward: float | None = None
    """``None`` where it could not be measured (a judge failed): no zero."""
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """How it went: tool calls, dated queries, how it ended; JSON types."""

    def __post_init__(self) -> None:
        if not self.spans or self.spans[0].origin != "prompt":
            raise ValueError("a trajectory begins with its prompt")

    @property
    def prompt(self) -> tuple[int, ...]:
        """Tokens of the prompt."""
        return self.spans[0].tokens

    @property
    def response(self) -> tuple[int, ...]:
        """Tokens after the prompt, the environment's among them."""
        return tuple(chain.from_iterable(span.tokens for span in self.spans[1:]))

    @property
    def mask(self) -> tuple[int, ...]:
        """1 for each token of the response the policy wrote, 0 for the others."""
        marks = ((span.origin == "generated", len(span.tokens)) for span in self.spans[1:])
        return tuple(chain.from_iterable((int(written),) * length for written, length in marks))

    @property
    def logprobs(self) -> tuple[float, ...]:
        """Log-probabilities of the response; see `Span.noted`."""
        return tuple(chain.from_iterable(span.noted for span in self.spans[1:]))

    @property
    def generated(self) -> int:
        """How many tokens the policy wrote."""
        return sum(self.mask)

    @property
    def length(self) -> int:
        """How many tokens there are in all."""
        return sum(len(span.tokens) for span in self.spans)


@dataclass(frozen=True, slots=True)
class RolloutStats:
    """What trajectories came to; means are over trajectories."""

    trajectories: int
    measured: int
    """Those that have a reward."""
    reward: float | None
    """``None`` where none was measured."""
    flat: float | None
    """Share of the questions whose trajectories were all worth the same: nothing is learnt from
    them. ``None`` where no question has two measured trajectories."""
    generated: float
    """Tokens by the policy."""
    response: float
    """Tokens after the prompt, the environment's among them."""
    turns: float
    facts: dict[str, float]
    """Of every fact that is a finite number or a yes or no: its mean where it is given."""

    @classmethod
    def of(cls, trajectories: Sequence[Trajectory]) -> RolloutStats:
        """What these came to."""
        rewards = [one.reward for one in trajectories if one.reward is not None]
        return cls(
            trajectories=len(trajectories),
            measured=len(rewards),
            reward=fmean(rewards) if rewards else None,
            flat=_flat(trajectories),
            generated=_mean([one.generated for one in trajectories]),
            response=_mean([len(one.response) for one in trajectories]),
            turns=_mean([len(one.turns) for one in trajectories]),
            facts=_facts(trajectories),
        )


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def _flat(trajectories: Sequence[Trajectory]) -> float | None:
    groups: dict[str, list[float]] = defaultdict(list)
    for one in trajectories:
        if one.reward is not None:
            groups[one.question].append(one.reward)
    compared = [rewards for rewards in groups.values() if len(rewards) > 1]
    return _mean([min(one) == max(one) for one in compared]) if compared else None


def _facts(trajectories: Sequence[Trajectory]) -> dict[str, float]:
    given: dict[str, list[float]] = defaultdict(list)
    for one in trajectories:
        for name, value in one.facts.items():
            if isinstance(value, int | float) and math.isfinite(value):
                given[name].append(float(value))
    return {name: fmean(given[name]) for name in sorted(given)}
