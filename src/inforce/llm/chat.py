"""A conversation with a language model: messages in, one reply out.

Agents use plain text (tags, JSON blocks), so that any server, any recording and any training run
can have the same conversation. Every model there is, from an API to a rule of thumb, is a
`ChatModel`; see `inforce.llm.models.open_model`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol

Role = Literal["system", "user", "assistant"]

Finish = Literal["stop", "length", "content_filter", "other"]
"""Why a model stopped writing; ``length`` means the text is cut off."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of replies.

    >>> Usage(calls=1, input_tokens=10, output_tokens=5) + Usage(calls=1, output_tokens=2)
    Usage(calls=2, input_tokens=10, output_tokens=7, money=None)
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    money: Decimal | None = None
    """US dollars; ``None`` where the price of the model is not known."""

    def __add__(self, other: Usage) -> Usage:
        """Add usages; a sum with a call of unknown price in it is not known either."""
        parts = [one for one in (self, other) if one.calls or one.money is not None]
        known = [one.money for one in parts if one.money is not None]
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            sum(known, Decimal(0)) if known and len(known) == len(parts) else None,
        )

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a reply is drawn; the default is greedy, as the papers evaluate."""

    temperature: float = 0.0
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None


GREEDY = Sampling()


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a model, and what it cost."""

    text: str
    usage: Usage = Usage(calls=1)
    finish: Finish = "stop"
    cached: bool = False
    """Whether it came from a cache or a recording, so that nothing was paid now."""

    @property
    def is_cut_off(self) -> bool:
        """Whether the model wanted to write more than it did."""
        return self.finish in ("length", "content_filter")


class ChatModel(Protocol):
    """A model, or a stand-in for one, that takes the next turn of a conversation."""

    @property
    def name(self) -> str:
        """Its id, as it appears in traces; never a key."""
        ...

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """Return the next turn.

        Raises:
            ModelError: if no reply could be had, after the retries that make sense.
            BudgetError: if a budget does not allow another call.
        """
        ...


OFFLINE = "offline"
"""The id of the rule that takes the model's turns, so that agents work without one."""

Policy = Callable[[Sequence[Message]], str]
"""Gives the next turn of a conversation, always the same for the same conversation."""

FREE = Usage(calls=1, money=Decimal(0))


class PolicyModel:
    """A policy as a model: free, deterministic, and it needs no network."""

    def __init__(self, policy: Policy, *, name: str = OFFLINE) -> None:
        self._policy = policy
        self.name = name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """Return the policy's turn; how replies are sampled does not concern it."""
        return Reply(self._policy(messages), FREE)
