"""A conversation that was held in text, as tokens: what a warm start imitates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from inforce.llm.chat import Message
from inforce.train.policy import ChatTokens
from inforce.train.trajectory import Span, Trajectory


class TextTokens(ChatTokens, Protocol):
    """Tokens that can also be had from a text."""

    @property
    def end(self) -> int:
        """The token that ends a turn of the policy."""
        ...

    def encoded(self, text: str) -> Sequence[int]:
        """The tokens of a text by itself."""
        ...


def spelled(question: str, conversation: Sequence[Message], tokens: TextTokens) -> Trajectory:
    """A conversation as the trajectory of a policy that wrote the assistant's turns.

    Args:
        question: its id.
        conversation: from its opening to its last turn, which is the assistant's.
        tokens: how turns become tokens.

    Raises:
        ValueError: if the assistant does not have the last word.
    """
    spans: list[Span] = []
    turns: list[str] = []
    told: list[tuple[str, str]] = []
    for message in conversation:
        if message.role != "assistant":
            told.append((message.role, message.content))
            continue
        before = tokens.reply(told, ended=True) if spans else tokens.opening(told)
        written = (*tokens.encoded(message.content), tokens.end)
        spans += [Span("observed" if spans else "given", before), Span("generated", written)]
        turns.append(message.content)
        told = []
    if not spans or told:
        raise ValueError("a conversation to imitate ends with the assistant")
    return Trajectory(question, tuple(spans), tuple(turns))
