"""A policy that reads from a script, and characters as tokens: to test and to time with.

Neither needs a model, so that what is measured is the environment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from inforce.train.policy import Written

Script = Callable[[str], str]
"""The next turn after a context, both as text."""

_END = 0x10FFFF
"""Ends a turn of the policy; no text has it."""


class CharacterTokens:
    """Every character is a token; turns stand between marks as ChatML has them."""

    end = _END

    def encoded(self, text: str) -> list[int]:
        """The tokens of a text."""
        return list(map(ord, text))

    def opening(self, turns: Sequence[tuple[str, str]]) -> tuple[int, ...]:
        """The first turns, and the beginning of the policy's own."""
        told = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns)
        return tuple(map(ord, f"{told}<|im_start|>assistant\n"))

    def reply(self, turns: Sequence[tuple[str, str]], *, ended: bool) -> tuple[int, ...]:
        """What stands between two turns of the policy."""
        return (*(() if ended else (_END,)), ord("\n"), *self.opening(turns))

    def text(self, tokens: Sequence[int]) -> str:
        """The characters, without the end of the turn."""
        written = tokens[:-1] if tokens and tokens[-1] == _END else tokens
        return "".join(map(chr, written))


class ScriptedPolicy:
    """A policy in the tokens of `CharacterTokens` that writes what a script says.

    A turn longer than it may be is cut off, as any policy's is.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self._tokens = CharacterTokens()

    async def write(self, context: Sequence[int], *, max_tokens: int) -> Written:
        """The next turn; others get theirs meanwhile, as from any policy."""
        await asyncio.sleep(0)
        whole = (*map(ord, self._script(self._tokens.text(context))), _END)
        kept = whole[:max_tokens]
        return Written(kept, (0.0,) * len(kept), ended=len(kept) == len(whole))
