"""A policy that follows a script, with characters as tokens, to test and to time environments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inforce.train.episodes import Completion, Request

Script = Callable[[str], str]
"""Returns the next turn after a context, both as text."""

_END = 0x10FFFF
"""Ends a turn of the policy; no text has this character."""


class CharacterTokens:
    """A chat format in which every character is a token and turns are framed as in ChatML."""

    end = _END

    def encode(self, text: str) -> list[int]:
        """Return the characters of a text as tokens."""
        return list(map(ord, text))

    def decode(self, tokens: Sequence[int]) -> str:
        """Return the characters, without the end of the turn."""
        return "".join(map(chr, tokens[:-1] if tokens and tokens[-1] == _END else tokens))

    def prompt(self, turns: Sequence[tuple[str, str]]) -> tuple[int, ...]:
        """Tokenize the first turns, and the beginning of the policy's own."""
        framed = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns)
        return tuple(map(ord, f"{framed}<|im_start|>assistant\n"))

    def observation(self, turns: Sequence[tuple[str, str]], *, ended: bool) -> tuple[int, ...]:
        """Tokenize what is between two turns of the policy."""
        return (*(() if ended else (_END,)), ord("\n"), *self.prompt(turns))


class ScriptedPolicy:
    """A policy in the tokens of `CharacterTokens` that generates what a script says.

    A turn longer than allowed is cut off, as any policy's is.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self._tokens = CharacterTokens()

    def generate(self, requests: Sequence[Request]) -> list[Completion]:
        """Generate the next turn after each context."""
        return list(map(self._turn, requests))

    async def next_turn(self, request: Request) -> Completion:
        """Generate the next turn of a single episode."""
        return self._turn(request)

    def _turn(self, request: Request) -> Completion:
        turn = (*map(ord, self._script(self._tokens.decode(request.context))), _END)
        tokens = turn[: request.max_tokens]
        return Completion(tokens, (0.0,) * len(tokens), ended=len(tokens) == len(turn))
