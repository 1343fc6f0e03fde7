"""What models cost that a tool asks for itself: counted for the call of the tool that asked.

A reading agent or a route agent is a model inside a tool. Its replies are part of the tool's work,
so the run counts them with the tool's answer. Calls made at the same time are kept apart.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from inforce.llm.chat import GREEDY, ChatModel, Message, Reply, Sampling, Usage


@dataclass(slots=True)
class Spending:
    """What was spent so far within a block."""

    usage: Usage = Usage()
    report: Callable[[Usage], None] | None = None
    """Called with what each reply cost, as soon as it is paid for."""

    def add(self, usage: Usage) -> None:
        """A reply was paid for."""
        self.usage += usage
        if self.report:
            self.report(usage)


_SPENDING: ContextVar[Spending | None] = ContextVar("spending", default=None)


@contextmanager
def spending(report: Callable[[Usage], None] | None = None) -> Generator[Spending]:
    """Count what metered models cost within the block, in tasks and threads it starts too."""
    spent = Spending(report=report)
    token = _SPENDING.set(spent)
    try:
        yield spent
    finally:
        _SPENDING.reset(token)


class MeteredModel:
    """A model whose replies are counted for whoever asks for them."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's own."""
        return self._model.name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """The model's turn."""
        reply = await self._model.reply(messages, sampling)
        spent = _SPENDING.get()
        if spent is not None:
            spent.add(reply.usage)
        return reply
