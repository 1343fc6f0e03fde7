"""Models behind an API, through `pydantic-ai`: time-outs, retries, and what replies cost.

Retries are ours, so that they are counted and bounded in one place: those of the client libraries
are switched off. What a server says about a failure is passed on only as far as it holds no key.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from importlib import import_module
from typing import Any, cast

from inforce import network
from inforce.errors import MissingExtraError, ModelError, NetworkForbiddenError
from inforce.llm.chat import GREEDY, Finish, Message, Reply, Sampling, Usage
from inforce.llm.settings import Price, Settings

KEY_VARIABLE = "INFORCE_MODEL_KEY"
"""Bearer token for ``http://…#model``; servers of one's own often need none."""

_PROVIDER_KEYS = {
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "azure": "AZURE_OPENAI_API_KEY",
    "together": "TOGETHER_API_KEY",
    "fireworks": "FIREWORKS_API_KEY",
    "moonshotai": "MOONSHOTAI_API_KEY",
    "grok": "GROK_API_KEY",
}
"""Variables a provider's key is read from; those of other providers are theirs to read."""

_TRANSIENT = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_LONGEST_WAIT = 60.0
"""Seconds: a server that asks for more is told off instead of waited for."""

_SHOWN = 200
"""Characters of a failure that are shown."""


@dataclass(frozen=True, slots=True)
class CallOptions:
    """How a served model is called."""

    timeout: float = 120.0
    """Seconds for one attempt."""
    attempts: int = 5
    """Attempts at a call, the first included."""
    first_wait: float = 1.0
    """Seconds before the second attempt; doubled, with jitter, for each further one."""
    at_once: int = 16
    """Calls under way at the same time."""


class ServedModel:
    """A model of `pydantic-ai` as a `ChatModel`.

    Args:
        served: a `pydantic_ai.models.Model`.
        name: its id.
        options: how it is called.
        settings: where prices of one's own stand, and keys that must never be shown.
    """

    def __init__(self, served: Any, name: str, options: CallOptions, settings: Settings) -> None:
        self.served = served
        self.name = name
        self._options = options
        self._settings = settings
        self._under_way = asyncio.Semaphore(options.at_once)
        self._messages: Any = import_module("pydantic_ai.messages")
        self._models: Any = import_module("pydantic_ai.models")
        self._failures: Any = import_module("pydantic_ai.exceptions")

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """The model's turn, after retries that make sense.

        Raises:
            ModelError: if there is none.
            NetworkForbiddenError: if the network is switched off.
        """
        network.check(str(getattr(self.served, "base_url", None) or self.name))
        asked = self._request(messages)
        wanted = _settings(sampling, self._options)
        async with self._under_way:
            response = await self._response(asked, wanted)
        return self._read(response)

    async def _response(self, asked: list[Any], settings: dict[str, Any]) -> Any:
        tenacity: Any = import_module("tenacity")
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(_is_transient),
            stop=tenacity.stop_after_attempt(self._options.attempts),
            wait=_Wait(tenacity.wait_random_exponential(self._options.first_wait, max=30)),
            reraise=True,
        )
        parameters = self._models.ModelRequestParameters()
        try:
            async for attempt in retrying:
                with attempt:
                    async with asyncio.timeout(self._options.timeout):
                        return await self.served.request(asked, settings, parameters)
        except NetworkForbiddenError:
            raise
        except (*self._known_failures(), TimeoutError, OSError, ValueError) as error:
            raise self._error(error) from _forbidden(error)
        raise ModelError(f"no answer from the model {self.name!r}")

    def _known_failures(self) -> tuple[type[Exception], ...]:
        return (self._failures.AgentRunError, self._failures.UserError)

    def _request(self, messages: Sequence[Message]) -> list[Any]:
        """The conversation in the library's terms; neighbours of one side are one request."""
        library = self._messages
        turns: list[Any] = []
        for message in messages:
            if message.role == "assistant":
                turns.append(library.ModelResponse(parts=[library.TextPart(message.content)]))
                continue
            kind = library.SystemPromptPart if message.role == "system" else library.UserPromptPart
            if turns and isinstance(turns[-1], library.ModelRequest):
                turns[-1] = library.ModelRequest([*turns[-1].parts, kind(message.content)])
            else:
                turns.append(library.ModelRequest([kind(message.content)]))
        return turns

    def _read(self, response: Any) -> Reply:
        """The reply; thinking a server reports apart is put back where the model wrote it."""
        thoughts = [one.content for one in response.parts if one.part_kind == "thinking"]
        texts = [one.content for one in response.parts if one.part_kind == "text"]
        thought = "".join(f"<think>{one}</think>\n" for one in thoughts if one)
        tokens = response.usage
        money = self._money(response)
        usage = Usage(1, tokens.input_tokens or 0, tokens.output_tokens or 0, money)
        return Reply(thought + "".join(texts), usage, _finish(response.finish_reason))

    def _money(self, response: Any) -> Decimal | None:
        """What a reply cost, if its price is known; an unknown price is never nothing."""
        own = self._settings.prices.get(self.name) or self._settings.prices.get(
            self.name.rpartition("#")[2].rpartition(":")[2]
        )
        if own:
            return _cost(own, response.usage.input_tokens or 0, response.usage.output_tokens or 0)
        if "#" in self.name:
            return None  # a server of one's own has no list price, whatever its model is called
        try:
            return Decimal(response.cost().total_price)
        except (LookupError, AssertionError, ValueError, TypeError):
            return None

    def _error(self, error: Exception) -> ModelError:
        status = getattr(error, "status_code", None)
        if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
            why = f"no reply within {self._options.timeout:g} seconds"
        elif status in (401, 403):
            why = f"the server refuses the key (status {status}); {self._key_hint()}"
        elif status == 404:
            why = "the server has no such model or address (status 404)"
        else:
            why = self._shown(error, status)
        return ModelError(f"no answer from the model {self.name!r}: {why}")

    def _shown(self, error: Exception, status: int | None) -> str:
        """What went wrong, in the server's words, less anything that is a key."""
        words = " ".join(str(getattr(error, "body", None) or error).split())[:_SHOWN]
        told = f"status {status}: {words}" if status else words
        for key in (*self._settings.keys.values(), *_keys_of_environment()):
            told = told.replace(key, "…")
        return told

    def _key_hint(self) -> str:
        provider = self.name.partition(":")[0]
        variable = KEY_VARIABLE if "#" in self.name else _PROVIDER_KEYS.get(provider, "its key")
        return f"check {variable} in the environment or in settings.toml"


def pydantic_served(model: str, settings: Settings) -> Any:
    """The `pydantic_ai` model of ``provider:name`` or ``http://host:port/v1#name``.

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
    try:
        if "#" in model:
            network.check(model)
            return _own_server(model, settings)
        return models.infer_model(model, partial(_provider, settings))
    except (failures.UserError, ValueError, ImportError, OSError) as error:
        raise ModelError(f"cannot use the model {model!r}: {error}") from error


def _own_server(model: str, settings: Settings) -> Any:
    url, _, name = model.rpartition("#")
    models: Any = import_module("pydantic_ai.models.openai")
    key = settings.key(KEY_VARIABLE) or "none"
    return models.OpenAIChatModel(name, provider=_openai(base_url=url, api_key=key))


def _provider(settings: Settings, name: str) -> Any:
    """A provider with its key from the environment or the settings."""
    providers: Any = import_module("pydantic_ai.providers")
    kind = name.partition("-")[0] if name.startswith("openai") else name
    if kind == "openai":
        key = settings.key(_PROVIDER_KEYS["openai"])
        if not key:
            raise ValueError(f"set {_PROVIDER_KEYS['openai']}")
        return _openai(api_key=key, base_url=os.environ.get("OPENAI_BASE_URL"))
    key = settings.key(_PROVIDER_KEYS[name]) if name in _PROVIDER_KEYS else ""
    if key:
        return providers.infer_provider_class(name)(api_key=key)
    return providers.infer_provider(name)


def _openai(*, api_key: str, base_url: str | None) -> Any:
    """OpenAI's form of server, without the retries its client would make on its own."""
    openai: Any = import_module("openai")
    providers: Any = import_module("pydantic_ai.providers.openai")
    client = openai.AsyncOpenAI(api_key=api_key, base_url=base_url, max_retries=0)
    return providers.OpenAIProvider(openai_client=client)


class _Wait:
    """How long to wait: what the server asks for, else exponentially longer with jitter."""

    def __init__(self, otherwise: Any) -> None:
        self._otherwise = otherwise

    def __call__(self, state: Any) -> float:
        asked = _retry_after(state.outcome.exception())
        waits: float = self._otherwise(state)
        return waits if asked is None else asked


def _is_transient(error: BaseException) -> bool:
    """Whether another attempt may succeed: not after a refusal, nor if the wait is too long."""
    if _forbidden(error) is not None or (_retry_after(error) or 0.0) > _LONGEST_WAIT:
        return False
    status = getattr(error, "status_code", None)
    if status is not None:
        return status in _TRANSIENT
    return isinstance(error, OSError) or "Connection" in type(error).__name__


def _retry_after(error: BaseException) -> float | None:
    """Seconds the server asks to wait, if it says so in a form the library could read."""
    asked = getattr(error, "retry_after", None)
    return float(asked) if isinstance(asked, int | float) else None


def _forbidden(error: BaseException | None) -> BaseException | None:
    """The switched-off network behind a failure, if that is what it is."""
    seen = error
    while seen is not None:
        if isinstance(seen, NetworkForbiddenError):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None


def _keys_of_environment() -> list[str]:
    return [
        value
        for name, value in os.environ.items()
        if value and len(value) > 5 and name.endswith(("_KEY", "_TOKEN"))
    ]


def _settings(sampling: Sampling, options: CallOptions) -> dict[str, Any]:
    wanted = {
        "temperature": sampling.temperature,
        "max_tokens": sampling.max_tokens,
        "stop_sequences": list(sampling.stop) or None,
        "seed": sampling.seed,
        "timeout": options.timeout,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def _cost(price: Price, tokens_in: int, tokens_out: int) -> Decimal:
    return (price.input * tokens_in + price.output * tokens_out) / 1_000_000


def _finish(reason: str | None) -> Finish:
    known = ("stop", "length", "content_filter")
    return cast("Finish", reason) if reason in known else "other"
