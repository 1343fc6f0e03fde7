"""What replies cost: prices of one's own first, then the list prices the library carries.

An unknown price is ``None``, never nothing. A server of one's own has no list price, whatever its
model is called.
"""

from __future__ import annotations

from decimal import Decimal
from importlib import import_module
from typing import Any

from inforce.llm.settings import Price, Settings

_PER = 1_000_000
"""Tokens a price is given for."""


def own_price(model: str, settings: Settings) -> Price | None:
    """The price a person set for a model, by its id or by its bare name."""
    bare = model.rpartition("#")[2].rpartition(":")[2]
    return settings.prices.get(model) or settings.prices.get(bare)


def is_priced(model: str, settings: Settings) -> bool:
    """Whether the price of a served model is known before it is asked."""
    if own_price(model, settings):
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


def price_of_reply(model: str, settings: Settings, response: Any) -> Decimal | None:
    """What a `pydantic_ai` response cost in US dollars, or ``None`` where that is not known."""
    own = own_price(model, settings)
    if own:
        tokens = response.usage
        charged = own.input * (tokens.input_tokens or 0) + own.output * (tokens.output_tokens or 0)
        return charged / _PER
    if "#" in model:
        return None
    try:
        return Decimal(response.cost().total_price)
    except (ImportError, LookupError, AssertionError, ValueError, TypeError):
        return None
