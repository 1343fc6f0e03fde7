"""A prompt in, a text out: for what asks a model one thing at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from inforce.llm.chat import Message
from inforce.llm.models import open_model
from inforce.llm.providers import KEY_VARIABLE

__all__ = ["KEY_VARIABLE", "Complete", "completion"]

Complete = Callable[[str], str]


def completion(model: str) -> Complete:
    """A function that sends one prompt to a model, at temperature 0, and returns its text.

    Raises:
        MissingExtraError: if the extra ``llm`` is not installed.
        ModelError: if the id names no model; the returned function raises it if the model cannot be
            reached or does not answer.
    """
    answering = open_model(model)

    async def ask(prompt: str) -> str:
        return (await answering.reply([Message("user", prompt)])).text

    def complete(prompt: str) -> str:
        return _run(lambda: asyncio.run(ask(prompt)))

    return complete


def _run(work: Callable[[], str]) -> str:
    """Do it here, or beside the event loop where one is running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(work).result()
