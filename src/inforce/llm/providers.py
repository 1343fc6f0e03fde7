"""Opens the model of an id in `pydantic-ai`: its provider, its key, its form of request.

Keys come from the environment or the settings, and are handed to the client only. The retries a
client would make on its own are switched off: see `inforce.llm.served`.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from functools import partial
from importlib import import_module
from typing import Any

from inforce import network
from inforce.errors import MissingExtraError, ModelError
from inforce.llm.failures import MAX_REPLY, ReplyTooLarge
from inforce.llm.settings import Settings

KEY_VARIABLE = "INFORCE_MODEL_KEY"
"""Bearer token for ``http://…#model``; servers of one's own often need none."""

_OWN_NAMES = {
    "azure": "AZURE_OPENAI_API_KEY",
    "github": "GITHUB_API_KEY",
    "heroku": "HEROKU_INFERENCE_KEY",
    "snowflake": "SNOWFLAKE_TOKEN",
    "vercel": "VERCEL_AI_GATEWAY_API_KEY",
}
"""Variables that do not follow from the name of their provider."""


def key_variable(model: str) -> str:
    """Return the variable of the key of a model: ``DEEPSEEK_API_KEY`` for ``deepseek:…``."""
    if "#" in model:
        return KEY_VARIABLE
    return _variable(model.partition(":")[0])


def _variable(provider: str) -> str:
    family = "openai" if provider.startswith("openai-") else provider
    return _OWN_NAMES.get(family) or f"{family.upper().replace('-', '_')}_API_KEY"


def pydantic_served(model: str, settings: Settings) -> Any:
    """Open the `pydantic_ai` model of ``provider:name`` or ``http://host:port/v1#name``.

    ``openai:`` is OpenAI's chat completions: the one form that takes stop words and seeds, and that
    other servers speak too. Its newer form is ``openai-responses:``.

    Raises:
        MissingExtraError: if the extra ``llm`` is not installed.
        ModelError: if there is no such provider, or its key is missing.
        NetworkForbiddenError: if the network is switched off.
    """
    try:
        models: Any = import_module("pydantic_ai.models")
        failures: Any = import_module("pydantic_ai.exceptions")
        import_module("tenacity")
    except ImportError as error:
        raise MissingExtraError("a language model", "llm") from error
    if "#" in model:
        network.check(model)
    provider, _, name = model.partition(":")
    named = f"openai-chat:{name}" if provider == "openai" else model
    try:
        served = (
            _own_server(model, settings)
            if "#" in model
            else models.infer_model(named, partial(_provider, settings))
        )
    except (failures.UserError, ValueError, ImportError, OSError) as error:
        raise ModelError(f"cannot use the model {model!r}: {error}") from error
    client: Any = getattr(served, "client", None)
    if hasattr(client, "max_retries"):
        client.max_retries = 0  # one place counts and bounds attempts: `inforce.llm.served`
    _bound_replies(getattr(client, "_client", None))
    return served


def _own_server(model: str, settings: Settings) -> Any:
    """Servers of one's own know ``max_tokens``; few know the name OpenAI gave it since."""
    url, _, name = model.rpartition("#")
    models: Any = import_module("pydantic_ai.models.openai")
    key = settings.key(KEY_VARIABLE) or "none"
    return models.OpenAIChatModel(
        name,
        provider=_openai(base_url=url, api_key=key),
        profile={"openai_chat_supports_max_completion_tokens": False},
    )


def _provider(settings: Settings, name: str) -> Any:
    """Open a provider with its key from the environment or the settings."""
    providers: Any = import_module("pydantic_ai.providers")
    variable = _variable(name)
    key = settings.key(variable)
    if name == "openai" or name.startswith("openai-"):
        if not key:
            raise ValueError(f"set {variable} in the environment or in settings.toml")
        return _openai(api_key=key, base_url=os.environ.get("OPENAI_BASE_URL"))
    made = providers.infer_provider_class(name)
    return made(api_key=key) if key else made()


def _openai(*, api_key: str, base_url: str | None) -> Any:
    providers: Any = import_module("pydantic_ai.providers.openai")
    return providers.OpenAIProvider(api_key=api_key, base_url=base_url)


def _bound_replies(http: Any) -> None:
    """Let a client (of httpx, or of httpx2) give up a reply as soon as it is too large."""
    hooks: dict[str, list[Any]] | None = getattr(http, "event_hooks", None)
    if hooks is not None and _bound_reply not in hooks.get("response", []):
        http.headers["Accept-Encoding"] = "identity"
        http.event_hooks = {**hooks, "response": [*hooks.get("response", []), _bound_reply]}


async def _bound_reply(response: Any) -> None:
    """Called with each response before its body is read."""
    packed = response.headers.get("content-encoding", "identity")
    if packed != "identity":
        raise ReplyTooLarge(f"its reply is packed ({packed[:40]!r}), which was not asked for")
    library: Any = import_module(type(response).__module__.partition(".")[0])
    stream = response.stream

    class _Bounded(library.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in stream:
                size += len(part)
                if size > MAX_REPLY:
                    raise ReplyTooLarge(f"its reply is larger than {MAX_REPLY:,} bytes")
                yield part

        async def aclose(self) -> None:
            await stream.aclose()

    response.stream = _Bounded()
