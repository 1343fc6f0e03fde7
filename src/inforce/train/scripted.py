"""A policy that follows a script, with characters as tokens: to test and to time environments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from inforce.train.episodes import Completion

Script = Callable[[str], str]
"""The next turn after a context, both as text."""

_END = 0x10FFFF
"""Ends a turn of the policy; no text has it."""


class CharacterTokens:
    """Every character is a token; turns are framed as in ChatML."""

    end = _END

    def encode(self, text: str) -> list[int]:
        """The tokens of a text."""
        return list(map(ord, text))

    def decode(self, tokens: Sequence[int]) -> str:
        """The characters, without the end of the turn."""
        return "".join(map(chr, tokens[:-1] if tokens and tokens[-1] == _END else tokens))

    def prompt(self, turns: Sequence[tuple[str, str]]) -> tuple[int, ...]:
        """The first turns, and the beginning of the policy's own."""
        framed = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns)
        return tuple(map(ord, f"{framed}<|im_start|>assistant\n"))

    def observation(self, turns: Sequence[tuple[str, str]], *, ended: bool) -> tuple[int, ...]:
        """What is between two turns of the policy."""
        return (*(() if ended else (_END,)), ord("\n"), *self.prompt(turns))


class ScriptedPolicy:
    """A policy in the tokens of `CharacterTokens` that writes what a script says.

    A turn longer than it may be is cut off, as any policy's is.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self._tokens = CharacterTokens()

    async def generate(self, context: Sequence[int], *, max_tokens: int) -> Completion:
        """The next turn; others get theirs meanwhile, as from any policy."""
        await asyncio.sleep(0)
        whole = (*map(ord, self._script(self._tokens.decode(context))), _END)
        written = whole[:max_tokens]
        return Completion(written, (0.0,) * len(written), ended=len(written) == len(whole))
