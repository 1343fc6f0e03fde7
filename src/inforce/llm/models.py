"""Opens models by their ids.

====================================  ========================================================
``openai:gpt-4o-mini``                a provider `pydantic-ai` knows; its key from the environment
``http://host:port/v1#name``          a server that speaks OpenAI's form (vLLM, SGLang, Ollama, …)
``recorded:FILE``                     completions of an earlier run, replayed
``offline``                           the agent's own rule; no model, no network
====================================  ========================================================
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from inforce.errors import ModelError
from inforce.llm.cache import CachedModel, CacheMode
from inforce.llm.chat import (
    GREEDY,
    OFFLINE,
    ChatModel,
    Message,
    Policy,
    PolicyModel,
    Reply,
    Sampling,
)
from inforce.llm.providers import KEY_VARIABLE, pydantic_served
from inforce.llm.served import CallOptions, ServedModel
from inforce.llm.settings import Settings, read_settings

T = TypeVar("T")

_FORMS = "openai:NAME, http://host:port/v1#NAME, recorded:FILE or offline"
_RECORDED = "recorded:"

Complete = Callable[[str], str]
"""Sends a prompt and returns the reply."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Options of opening a model."""

    call: CallOptions = field(default_factory=CallOptions)
    cache: Path | None = None
    """A file in which replies of served models are stored."""
    cache_mode: CacheMode = "read_write"
    settings: Settings | None = None
    """Keys and prices; those of the data folder unless given."""


LONGEST_ID = 2_000
"""Characters of the id of a model, an address included."""


def open_model(
    model: str, *, options: ModelOptions | None = None, policy: Policy | None = None
) -> ChatModel:
    """Open the model of an id.

    Args:
        model: its id.
        options: how it is called, and where its replies are stored.
        policy: the rule behind ``offline``.

    Raises:
        ModelError: if the id names none, or the agent has no rule to work offline.
        InputError: if a recording, a cache or the settings cannot be read.
        MissingExtraError: if the extra ``llm`` is not installed and the id needs it.
    """
    options = options or ModelOptions()
    match _kind(model):
        case "offline":
            if policy is None:
                raise ModelError(
                    f"this needs a model: {_FORMS} (offline works with r1, msr2, lmars)"
                )
            return PolicyModel(policy)
        case "recorded":
            from inforce.llm.recorded import RecordedModel

            return RecordedModel.read(Path(model.removeprefix(_RECORDED)))
        case "served":
            if options.cache is None:
                return _served(model, options)
            is_replay = options.cache_mode == "replay"
            inner = _Replayed(model) if is_replay else _served(model, options)
            return CachedModel(inner, options.cache, mode=options.cache_mode)


def pydantic_model(
    model: str, *, options: ModelOptions | None = None, policy: Policy | None = None
) -> Any:
    """Open the same model as a `pydantic_ai.models.Model`, for agents of that library.

    A served model without a cache is the library's own and can call tools; time-outs and further
    attempts are then the caller's. The others take turns of text.

    Raises:
        MissingExtraError, ModelError, InputError: as `open_model`.
    """
    from inforce.llm.as_pydantic import as_pydantic

    options = options or ModelOptions()
    if _kind(model) == "served" and options.cache is None:
        return pydantic_served(model, options.settings or read_settings())
    return as_pydantic(open_model(model, options=options, policy=policy))


def completion(model: str) -> Complete:
    """Return a function that sends one prompt to a model, at temperature 0, and returns its text.

    Raises:
        MissingExtraError: if the extra ``llm`` is not installed.
        ModelError: if the id names no model; the returned function raises it if the model cannot be
            reached or does not answer.
    """
    answering = open_model(model)

    async def ask(prompt: str) -> str:
        return (await answering.reply([Message("user", prompt)])).text

    return lambda prompt: completed(ask(prompt))


def completed(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine; in a thread of its own where an event loop runs in this one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, work).result()


def _served(model: str, options: ModelOptions) -> ServedModel:
    settings = options.settings or read_settings()
    return ServedModel(pydantic_served(model, settings), model, options.call, settings)


def _kind(model: str) -> Literal["offline", "recorded", "served"]:
    if model == OFFLINE:
        return "offline"
    if model.startswith(_RECORDED) and model != _RECORDED:
        return "recorded"
    if len(model) > LONGEST_ID or not model.isprintable():
        raise ModelError(f"no model is called {model[:80]!r}: use {_FORMS}")
    if model.startswith(("http://", "https://")):
        return _own_server(model)
    provider, _, name = model.partition(":")
    if provider in ("http", "https", "recorded") or not (provider.strip() and name.strip()):
        raise ModelError(f"no model is called {model!r}: use {_FORMS}")
    return "served"


def _own_server(model: str) -> Literal["served"]:
    """Check an address: it is written into traces, so nothing in it may be a secret."""
    url, _, name = model.rpartition("#")
    try:
        parts = urlsplit(url)
        is_address = bool(parts.hostname and name.strip()) and parts.port != 0
        is_address = is_address and url.isprintable() and not any(map(str.isspace, url))
    except ValueError:  # a port that is no number, brackets that do not close
        parts, is_address = None, False
    if parts is None or not is_address:
        raise ModelError(f"no model is called {model!r}: use {_FORMS}")
    if parts.username or parts.password or parts.query:
        raise ModelError(
            f"the address of a model at {parts.hostname} holds a user name, a password or a query: "
            f"leave them out, and put its key into {KEY_VARIABLE}"
        )
    return "served"


class _Replayed:
    """The model behind a replay, whose replies are all in the cache."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        raise ModelError(f"{self.name} is replayed and cannot be asked")
