"""From a model's id to a model.

====================================  ========================================================
``openai:gpt-4o-mini``                a provider `pydantic-ai` knows; its key from the environment
``http://host:port/v1#name``          a server that speaks OpenAI's form (vLLM, SGLang, Ollama, …)
``recorded:FILE``                     completions of an earlier run, replayed
``offline``                           the agent's own rule; no model, no network
====================================  ========================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inforce.errors import ModelError
from inforce.llm.cache import CachedModel, CacheMode
from inforce.llm.chat import GREEDY, ChatModel, Message, Reply, Sampling
from inforce.llm.policy import OFFLINE, Policy, PolicyModel
from inforce.llm.served import CallOptions, ServedModel, pydantic_served
from inforce.llm.settings import Settings, read_settings

_FORMS = "openai:NAME, http://host:port/v1#NAME, recorded:FILE or offline"


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is opened."""

    call: CallOptions = field(default_factory=CallOptions)
    cache: Path | None = None
    """A file in which replies are kept."""
    cache_mode: CacheMode = "read_write"
    settings: Settings | None = None
    """Keys and prices; those of the data folder unless given."""


def open_model(
    model: str, *, options: ModelOptions | None = None, policy: Policy | None = None
) -> ChatModel:
    """The model of an id.

    Args:
        model: its id.
        options: how it is called, and where its replies are kept.
        policy: the rule that stands behind ``offline``.

    Raises:
        ModelError: if the id names none, or the agent has no rule to work offline.
        InputError: if a recording, a cache or the settings cannot be read.
        MissingExtraError: if the extra ``llm`` is not installed and the id needs it.
    """
    options = options or ModelOptions()
    opened = _opened(model, options, policy)
    if options.cache is None:
        return opened
    return CachedModel(opened, options.cache, mode=options.cache_mode)


def pydantic_model(model: str, *, policy: Policy | None = None) -> Any:
    """The same model as a `pydantic_ai.models.Model`, for whoever builds on that library.

    Raises:
        MissingExtraError, ModelError, InputError: as `open_model`.
    """
    from inforce.llm.as_pydantic import as_pydantic

    opened = open_model(model, policy=policy)
    return opened.served if isinstance(opened, ServedModel) else as_pydantic(opened)


def _opened(model: str, options: ModelOptions, policy: Policy | None) -> ChatModel:
    if model == OFFLINE:
        if policy is None:
            raise ModelError(f"this needs a model: {_FORMS} (offline works with r1, msr2, lmars)")
        return PolicyModel(policy)
    if model.startswith("recorded:"):
        from inforce.llm.recorded import RecordedModel

        return RecordedModel.read(Path(model.removeprefix("recorded:")))
    if options.cache_mode == "replay" and options.cache is not None:
        return _Unasked(model)
    if not _names_a_server(model):
        raise ModelError(f"no model is called {model!r}: use {_FORMS}")
    settings = options.settings or read_settings()
    return ServedModel(pydantic_served(model, settings), model, options.call, settings)


def _names_a_server(model: str) -> bool:
    provider, colon, name = model.partition(":")
    if provider in ("http", "https"):
        url, _, served = model.rpartition("#")
        return bool(url.partition("//")[2] and served)
    return bool(provider and colon and name)


class _Unasked:
    """The model behind a replay: its replies are all in the cache."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        raise ModelError(f"{self.name} is replayed and cannot be asked")
