"""Models behind an API, through `pydantic-ai`: time-outs, retries, and what replies cost.

Retries are ours, so that they are counted and bounded in one place. The text of a reply is what the
model wrote, to the character: agents judge whether it kept their protocol. Thinking that a server
reports apart from the text is put before it as ``<think>…</think>``, so that it is neither lost nor
taken for the answer.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from inforce import network
from inforce.errors import ModelError, UserError
from inforce.llm.chat import GREEDY, Finish, Message, Reply, Sampling, Usage
from inforce.llm.failures import (
    Wait,
    forbidden,
    is_late,
    is_transient,
    shown,
    too_large,
    unreached,
    without_keys,
)
from inforce.llm.providers import key_variable
from inforce.llm.settings import Price, Settings

_TOKENS_PER_PRICE = 1_000_000
"""Tokens a price is given for."""

_LONGEST_PAUSE = 30.0
"""Seconds between two attempts, where the server does not ask for more."""

_NOWHERE = ("\0<think>", "\0</think>")
"""Tags no model writes: the library would take ``<think>`` out of the text, and lose its place."""

_HALVES = re.compile("[\ud800-\udfff]")

_CONNECTION = {"Connection": "close"}
"""A connection kept open belongs to one event loop; a later loop would trip over it."""


@dataclass(frozen=True, slots=True)
class CallOptions:
    """Options of calling a served model."""

    timeout: float = 120.0
    """Seconds for one attempt."""
    attempts: int = 5
    """Attempts at a call, the first included."""
    first_wait: float = 1.0
    """Seconds before the second attempt at most; doubled for each further one, drawn at random."""
    at_once: int = 16
    """Calls under way at the same time, in one event loop."""

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.at_once < 1 or self.timeout <= 0 or self.first_wait < 0:
            raise UserError(
                "a call needs seconds, an attempt and a place: none can be zero or less"
            )


class ServedModel:
    """A model of `pydantic-ai`, which nothing else uses, as a `ChatModel`.

    The settings have prices of one's own, and keys that must never be shown.
    """

    def __init__(self, served: Any, name: str, options: CallOptions, settings: Settings) -> None:
        self.name = name
        if isinstance(served.profile, dict):  # leave ``<think>`` where it was written
            served.profile = {**served.profile, "thinking_tags": _NOWHERE}
        self._served = served
        self._options = options
        self._settings = settings
        self._places: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            WeakKeyDictionary()
        )
        self._messages: Any = import_module("pydantic_ai.messages")
        self._models: Any = import_module("pydantic_ai.models")
        self._failures: Any = import_module("pydantic_ai.exceptions")

    @property
    def is_priced(self) -> bool:
        """Whether its price is known before it is asked."""
        return _is_priced(self.name, self._settings)

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """Return the model's turn, after the attempts that make sense.

        Raises:
            ModelError: if there is none.
            NetworkForbiddenError: if the network is switched off.
        """
        network.check(str(getattr(self._served, "base_url", None) or self.name))
        request = self._request(messages)
        wanted = _wanted(sampling, self._options)
        loop = asyncio.get_running_loop()
        at_once = asyncio.Semaphore(self._options.at_once)
        async with self._places.setdefault(loop, at_once):
            return self._read(await self._response(request, wanted))

    async def _response(self, request: list[Any], wanted: dict[str, Any]) -> Any:
        tenacity: Any = import_module("tenacity")
        pause = tenacity.wait_random_exponential(self._options.first_wait, max=_LONGEST_PAUSE)
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(is_transient),
            stop=tenacity.stop_after_attempt(self._options.attempts),
            wait=Wait(pause),
            reraise=True,
        )
        # The library's own errors, and those it raises at a reply of some other shape.
        library = (self._failures.AgentRunError, self._failures.UserError)
        shapes = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
        known: tuple[type[Exception], ...] = (*library, OSError, *shapes)
        try:
            return await retrying(self._attempt, request, wanted)
        except known as error:
            raise (forbidden(error) or self._error(error)) from None

    async def _attempt(self, request: list[Any], wanted: dict[str, Any]) -> Any:
        parameters = self._models.ModelRequestParameters()
        async with asyncio.timeout(self._options.timeout):
            return await self._served.request(request, wanted, parameters)

    def _request(self, messages: Sequence[Message]) -> list[Any]:
        """Return the conversation for the library; neighbours of one side are one request."""
        library = self._messages
        turns: list[Any] = []
        for message in messages:
            content = _whole(message.content)
            if message.role == "assistant":
                turns.append(library.ModelResponse(parts=[library.TextPart(content)]))
                continue
            kind = library.SystemPromptPart if message.role == "system" else library.UserPromptPart
            if turns and isinstance(turns[-1], library.ModelRequest):
                turns[-1] = library.ModelRequest([*turns[-1].parts, kind(content)])
            else:
                turns.append(library.ModelRequest([kind(content)]))
        return turns

    def _read(self, response: Any) -> Reply:
        tokens = response.usage
        money = _price_of_reply(self.name, self._settings, response)
        usage = Usage(1, tokens.input_tokens or 0, tokens.output_tokens or 0, money)
        text = "".join(_written(part) for part in response.parts)
        text = without_keys(_whole(text), self._settings.keys.values())
        finish: Finish = "other"
        if response.finish_reason in ("stop", "length", "content_filter"):
            finish = response.finish_reason
        return Reply(text, usage, finish)

    def _error(self, error: Exception) -> ModelError:
        match getattr(error, "status_code", None):
            case 401 | 403 as status:
                where = f"{key_variable(self.name)} in the environment or in settings.toml"
                why = f"the server refuses the key (status {status}); check {where}"
            case 404:
                why = f"the server has no such model or address (status 404){self._address_hint()}"
            case None if why := too_large(error):
                pass
            case None if is_late(error):
                why = f"no reply within {self._options.timeout:g} seconds"
            case None if reason := unreached(error):
                why = f"no connection to its server ({reason})"
            case _:
                why = shown(error, self._settings.keys.values())
        return ModelError(f"no answer from the model {self.name!r}: {why}")

    def _address_hint(self) -> str:
        url, _, name = self.name.rpartition("#")
        if not url:
            return ""
        return f"; it was asked at {url.rstrip('/')}/chat/completions for {name!r}"


def _written(part: Any) -> str:
    """Return a part of a reply as text; calls of the library's own tools are no text."""
    match part.part_kind:
        case "text":
            return part.content
        case "thinking" if part.content:
            return f"<think>{part.content}</think>\n"
        case _:
            return ""


def _whole(text: str) -> str:
    """Return a text with halves of characters replaced: JSON can name them, no file can."""
    return _HALVES.sub("\N{REPLACEMENT CHARACTER}", text)


def _wanted(sampling: Sampling, options: CallOptions) -> dict[str, Any]:
    wanted = {
        "temperature": sampling.temperature,
        "max_tokens": sampling.max_tokens,
        "stop_sequences": list(sampling.stop) or None,
        "seed": sampling.seed,
        "timeout": options.timeout,
        "extra_headers": _CONNECTION,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def _own_price(model: str, settings: Settings) -> Price | None:
    """Return the price a person set for a model, by its id or by its bare name."""
    bare = model.rpartition("#")[2].rpartition(":")[2]
    return settings.prices.get(model) or settings.prices.get(bare)


def _is_priced(model: str, settings: Settings) -> bool:
    """Return whether the price of a served model is known before it is asked."""
    if _own_price(model, settings):
        return True
    provider, _, name = model.partition(":")
    if "#" in model:
        return False
    try:
        prices: Any = import_module("genai_prices")
        usage = prices.Usage(input_tokens=1, output_tokens=1)
        prices.calc_price(usage, name, provider_id=provider.partition("-")[0])
    except (ImportError, LookupError, ValueError):
        return False
    return True


def _price_of_reply(model: str, settings: Settings, response: Any) -> Decimal | None:
    """Return what a `pydantic_ai` response cost in US dollars; ``None`` where that is not known.

    Prices of one's own count first, then the list prices of the library. A server of one's own has
    no list price, whatever its model is called.
    """
    own = _own_price(model, settings)
    if own:
        tokens = response.usage
        charged = own.input * (tokens.input_tokens or 0) + own.output * (tokens.output_tokens or 0)
        return charged / _TOKENS_PER_PRICE
    if "#" in model:
        return None
    try:
        return Decimal(response.cost().total_price)
    except (ImportError, LookupError, AssertionError, ValueError, TypeError):
        return None
