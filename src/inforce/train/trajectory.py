"""One episode as tokens: the prompt, what the policy generated, what the environment answered.

Nothing is decoded and tokenised again: log-probabilities are computed on exactly the tokens that
were generated.
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
generated tokens are learnt from (retrieved-token masking: MSR2, section 3.5)."""


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive tokens of one origin."""

    origin: Origin
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...] = ()
    """One for each token, under the policy that generated them; empty where none were recorded."""

    def __post_init__(self) -> None:
        if self.origin != "generated" and self.logprobs:
            raise ValueError("only what the policy wrote has log-probabilities")
        if self.logprobs and len(self.logprobs) != len(self.tokens):
            raise ValueError("there must be one log-probability a token")

    @property
    def padded_logprobs(self) -> tuple[float, ...]:
        """One log-probability for each token: NaN where none was recorded, 0.0 if not generated."""
        missing = math.nan if self.origin == "generated" else 0.0
        return self.logprobs or (missing,) * len(self.tokens)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """An episode from its question to its end, in the form that all trainers take.

    The first span is the prompt; the response is everything after it.
    """

    question: str
    """The id of the question: trajectories of one question are a group."""
    spans: tuple[Span, ...]
    turns: tuple[str, ...]
    """The policy's turns as text: what rewards read."""
    reward: float | None = None
    """``None``, which is not zero, where it could not be measured (a judge failed)."""
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """How the episode went: tool calls, dated queries, how it ended; JSON types."""

    def __post_init__(self) -> None:
        if not self.spans or self.spans[0].origin != "prompt":
            raise ValueError("a trajectory begins with its prompt")

    @property
    def prompt(self) -> tuple[int, ...]:
        """Tokens of the prompt."""
        return self.spans[0].tokens

    @property
    def response(self) -> tuple[int, ...]:
        """Tokens after the prompt, the environment's included."""
        return tuple(chain.from_iterable(span.tokens for span in self.spans[1:]))

    @property
    def mask(self) -> tuple[int, ...]:
        """1 for each generated token of the response, 0 for the others."""
        return tuple(
            int(span.origin == "generated") for span in self.spans[1:] for _ in span.tokens
        )

    @property
    def logprobs(self) -> tuple[float, ...]:
        """Log-probabilities of the response (`Span.padded_logprobs`)."""
        return tuple(chain.from_iterable(span.padded_logprobs for span in self.spans[1:]))

    @property
    def generated(self) -> int:
        """Number of generated tokens."""
        return sum(self.mask)

    @property
    def length(self) -> int:
        """Number of tokens, the prompt's included."""
        return sum(len(span.tokens) for span in self.spans)


@dataclass(frozen=True, slots=True)
class RolloutStats:
    """Means over trajectories."""

    trajectories: int
    """Number of trajectories."""
    measured: int
    """Number of trajectories that have a reward."""
    reward: float | None
    """``None`` where no trajectory has one."""
    flat: float | None
    """Share of the questions whose trajectories all have the same reward, so that nothing is learnt
    from them. ``None`` where no question has two trajectories with a reward."""
    generated: float
    """Tokens the policy generated."""
    response: float
    """Tokens after the prompt, the environment's included."""
    turns: float
    facts: dict[str, float]
    """Each fact that is a finite number or a truth value, over the trajectories that have it."""

    @classmethod
    def of(cls, trajectories: Sequence[Trajectory]) -> RolloutStats:
        """Compute the means."""
        groups: dict[str, list[float]] = defaultdict(list)
        facts: dict[str, list[float]] = defaultdict(list)
        for trajectory in trajectories:
            if trajectory.reward is not None:
                groups[trajectory.question].append(trajectory.reward)
            for name, value in trajectory.facts.items():
                if isinstance(value, int | float) and math.isfinite(value):
                    facts[name].append(float(value))
        rewards = [one.reward for one in trajectories if one.reward is not None]
        compared = [group for group in groups.values() if len(group) > 1]
        return cls(
            trajectories=len(trajectories),
            measured=len(rewards),
            reward=fmean(rewards) if rewards else None,
            flat=fmean(min(one) == max(one) for one in compared) if compared else None,
            generated=_mean([one.generated for one in trajectories]),
            response=_mean([len(one.response) for one in trajectories]),
            turns=_mean([len(one.turns) for one in trajectories]),
            facts={name: fmean(facts[name]) for name in sorted(facts)},
        )


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
