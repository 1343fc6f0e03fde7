"""One episode as tokens: what was given, what the policy wrote, what the world answered.

Tokens go in and come out: nothing is decoded and tokenised again, so that the log-probabilities of
what was written can be computed on exactly what was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

Origin = Literal["given", "generated", "observed"]
"""Who wrote a span: the question and its instructions, the policy, or the world. Only what the
policy wrote is learnt from (retrieved-token masking: MSR2, section 3.5)."""


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens in a row by the same author."""

    origin: Origin
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...] = ()
    """Of the policy that wrote them, one a token; empty for what it did not write."""

    def __post_init__(self) -> None:
        if self.origin != "generated" and self.logprobs:
            raise ValueError("only what the policy wrote has log-probabilities")
        if self.logprobs and len(self.logprobs) != len(self.tokens):
            raise ValueError("there must be one log-probability a token")


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
        if not self.spans or self.spans[0].origin != "given":
            raise ValueError("a trajectory begins with what was given")

    @property
    def prompt(self) -> tuple[int, ...]:
        """Tokens of the prompt."""
        return self.spans[0].tokens

    @property
    def response(self) -> tuple[int, ...]:
        """Tokens after the prompt, the world's among them."""
        return tuple(chain.from_iterable(span.tokens for span in self.spans[1:]))

    @property
    def mask(self) -> tuple[int, ...]:
        """1 for each token of the response the policy wrote, 0 for the others."""
        marks = ((span.origin == "generated", len(span.tokens)) for span in self.spans[1:])
        return tuple(chain.from_iterable((int(written),) * length for written, length in marks))

    @property
    def logprobs(self) -> tuple[float, ...]:
        """Log-probabilities of the response, 0.0 where the policy did not write."""
        return tuple(chain.from_iterable(_logprobs(span) for span in self.spans[1:]))

    @property
    def generated(self) -> int:
        """How many tokens the policy wrote."""
        return sum(self.mask)


def _logprobs(span: Span) -> tuple[float, ...]:
    return span.logprobs or (0.0,) * len(span.tokens)
