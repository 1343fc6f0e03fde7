"""Whoever writes tokens: the seam between episodes and models.

An episode asks for the next tokens of a context; a sampler answers many such requests in a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Written:
    """What a policy wrote after a context."""

    tokens: tuple[int, ...]
    """With the end-of-turn token, if it wrote one."""
    logprobs: tuple[float, ...]
    """One a token, under the distribution they were drawn from."""
    ended: bool
    """Whether it ended its turn; else it was cut off."""


class Sampler(Protocol):
    """A policy that writes."""

    async def write(self, context: Sequence[int], *, max_tokens: int) -> Written:
        """The next turn after a context; requests made at the same time may be batched."""
        ...


class ChatTokens(Protocol):
    """How turns of a conversation become tokens, and back.

    Prefix-preserving by construction: the tokens of a longer conversation begin with those of the
    shorter one, whatever the policy wrote in between.
    """

    def opening(self, turns: Sequence[tuple[str, str]]) -> tuple[int, ...]:
        """The first turns (role, text), and the beginning of the policy's own turn."""
        ...

    def reply(self, turns: Sequence[tuple[str, str]], *, ended: bool) -> tuple[int, ...]:
        """What stands between two turns of the policy.

        That is the rest of its first one, the world's turns, and the beginning of its next.
        ``ended``: whether the policy ended its turn itself.
        """
        ...

    def text(self, tokens: Sequence[int]) -> str:
        """What the policy wrote, without the end of its turn."""
        ...
