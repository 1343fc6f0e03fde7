"""Keys and prices, from the environment or a settings file.

The file is ``settings.toml`` in the data folder::

    [keys]
    OPENAI_API_KEY = "…"

    [prices."gpt-4o-mini"]        # US dollars for a million tokens
    input = 0.15
    output = 0.60

A variable of the environment wins over the file. A file others can read is refused: a key in it
would no longer be a secret.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, cast

from inforce.corpus.home import home
from inforce.errors import InputError

FILE_NAME = "settings.toml"


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a model, in US dollars for a million tokens."""

    input: Decimal
    output: Decimal


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a person; keys are left out of every representation."""

    keys: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    prices: Mapping[str, Price] = field(default_factory=dict[str, Price])

    def key(self, variable: str) -> str:
        """Return a key by the name of its variable; empty if there is none."""
        return os.environ.get(variable) or self.keys.get(variable, "")


def read_settings(folder: Path | None = None) -> Settings:
    """Read the settings of a data folder; none where there is no file.

    Raises:
        InputError: if the file cannot be read, is no TOML, or can be read by others.
    """
    path = (folder or home()) / FILE_NAME
    if not path.exists():
        return Settings()
    _require_private(path)
    try:
        document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the settings: {_reason(error)}", path=path) from error
    return Settings(_keys(document, path), _prices(document, path))


def _reason(error: Exception) -> str:
    """Return why it failed, without quoting the file: a line of it may hold a key."""
    return error.strerror or "unreadable" if isinstance(error, OSError) else "it is no valid TOML"


def _require_private(path: Path) -> None:
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InputError("others can read this file: chmod 600 it, keys may be in it", path=path)


def _table(document: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    table = document.get(name, {})
    if not isinstance(table, dict):
        raise InputError(f"[{name}] must be a table", path=path)
    return cast("dict[str, Any]", table)


def _keys(document: Mapping[str, Any], path: Path) -> dict[str, str]:
    keys = _table(document, "keys", path)
    wrong = sorted(name for name, value in keys.items() if not isinstance(value, str))
    if wrong:
        raise InputError(f"keys must be strings: {', '.join(wrong)}", path=path)
    return keys


def _prices(document: Mapping[str, Any], path: Path) -> dict[str, Price]:
    prices: dict[str, Price] = {}
    for name, row in _table(document, "prices", path).items():
        try:
            prices[name] = Price(Decimal(str(row["input"])), Decimal(str(row["output"])))
        except (KeyError, TypeError, InvalidOperation) as error:
            raise InputError(f"the price of {name!r} needs input and output", path=path) from error
    return prices
