"""A prompt in, a text out: any model `pydantic-ai` can reach.

Ids are ``provider:model`` (``openai:gpt-4o-mini``) or ``http://host:port/v1#model`` for a server
that speaks the OpenAI form (vLLM, SGLang, Ollama, llama.cpp). Keys come from the environment only.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

from inforce.errors import MissingExtraError, ModelError

KEY_VARIABLE = "INFORCE_MODEL_KEY"
"""Bearer token for ``http://…#model``; servers of one's own often need none."""

Complete = Callable[[str], str]


def completion(model: str) -> Complete:
    """A function that sends one prompt to a model, at temperature 0, and returns its text.

    Raises:
        MissingExtraError: if the extra ``llm`` is not installed.
        ModelError: if the id names no model; the returned function raises it if the model cannot be
            reached or does not answer.
    """
    try:
        library: Any = import_module("pydantic_ai")
        failures: Any = import_module("pydantic_ai.exceptions")
    except ImportError as error:
        raise MissingExtraError("a language model", "llm") from error
    problems = (failures.AgentRunError, failures.UserError, ValueError, OSError)
    try:
        agent: Any = library.Agent(_served(model) if "#" in model else model)
    except problems as error:
        raise ModelError(f"cannot use the model {model!r}: {error}") from error

    def complete(prompt: str) -> str:
        try:
            return str(agent.run_sync(prompt, model_settings={"temperature": 0.0}).output)
        except problems as error:
            raise ModelError(f"no answer from the model {model!r}: {error}") from error

    return complete


def _served(model: str) -> Any:
    """A model behind an OpenAI-compatible address."""
    url, _, name = model.rpartition("#")
    models: Any = import_module("pydantic_ai.models.openai")
    providers: Any = import_module("pydantic_ai.providers.openai")
    key = os.environ.get(KEY_VARIABLE, "none")
    return models.OpenAIChatModel(
        name, provider=providers.OpenAIProvider(base_url=url, api_key=key)
    )
