"""One JSON object read field by field, each with the type it must have; and calendar dates."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import cast

from inforce.errors import DateError, InputError

_DAY = re.compile(
    r"([0-9]{4})(?:-([0-9]{1,2})-([0-9]{1,2})|\.([0-9]{1,2})\.([0-9]{1,2})"
    r"|/([0-9]{1,2})/([0-9]{1,2})|年([0-9]{1,2})月([0-9]{1,2})日)"
)
_UNSTORABLE = re.compile(r"\\u(?:d[89a-f]|0000)", re.IGNORECASE)
"""JSON escapes that may stand for half a character, or for NUL."""


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object and where it stood; each name may be given with the aliases it goes by."""

    values: Mapping[str, object]
    path: Path | str
    line: int | None = None

    def problem(self, reason: str) -> InputError:
        """An error that says where this object stood."""
        return InputError(reason, path=self.path, line=self.line)

    def value(self, *names: str) -> object:
        """The first of these fields that is there and not null."""
        return next((v for name in names if (v := self.values.get(name)) is not None), None)

    def text(self, *names: str) -> str:
        """A text field; empty if missing.

        Raises:
            InputError: if it is no text.
        """
        value = self.value(*names)
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        raise self.problem(f"{names[0]!r} must be a text, not {_kind(value)}")

    def day(self, *names: str) -> date | None:
        """A date field; ``None`` if missing or empty.

        Raises:
            InputError: if it is no date, or one that no calendar has.
        """
        text = self.text(*names)
        try:
            return calendar_day(text) if text else None
        except DateError as error:
            raise self.problem(f"{names[0]}: {error}") from error

    def objects(self, name: str) -> tuple[Fields, ...]:
        """A list of objects; empty if missing.

        Raises:
            InputError: if it is anything else.
        """
        found: list[Fields] = []
        for item in self._list(name):
            if not isinstance(item, dict):
                raise self.problem(f"{name!r} must hold objects, not {_kind(item)}")
            found.append(Fields(cast("dict[str, object]", item), self.path, self.line))
        return tuple(found)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty if missing.

        Raises:
            InputError: if it is anything else.
        """
        items = self._list(name)
        texts = tuple(item for item in items if isinstance(item, str))
        if len(texts) != len(items):
            raise self.problem(f"{name!r} must hold texts only")
        return texts

    def _list(self, name: str) -> Sequence[object]:
        value = self.value(name)
        if value is None:
            return ()
        if isinstance(value, list):
            return cast("list[object]", value)
        raise self.problem(f"{name!r} must be a list, not {_kind(value)}")


def parse_json(text: str, *, path: Path | str, line: int | None = None) -> object:
    """Read JSON whose texts can all be stored.

    Raises:
        InputError: if it is not JSON, nested absurdly, or holds half characters or NUL.
    """
    try:
        value: object = json.loads(text)
        if _UNSTORABLE.search(text):
            _require_storable(value)
    except json.JSONDecodeError as error:
        at = error.lineno if line is None else line
        raise InputError(
            f"not JSON: {error.msg} (column {error.colno})", path=path, line=at
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"JSON that cannot be stored: {error}", path=path, line=line) from error
    return value


def _require_storable(value: object) -> None:
    written = json.dumps(value, ensure_ascii=False)
    written.encode()  # a lone surrogate fails here, with a UnicodeEncodeError (a ValueError)
    if "\\u0000" in written:
        raise ValueError("a NUL character")


def parse_object(text: str, *, path: Path | str, line: int | None = None) -> Fields:
    """Read one JSON object.

    Raises:
        InputError: as `parse_json`, or if it is no object.
    """
    value = parse_json(text, path=path, line=line)
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object, not {_kind(value)}", path=path, line=line)
    return Fields(cast("dict[str, object]", value), path, line)


def calendar_day(text: str) -> date:
    """Read one whole day: ``2021-01-01``, ``2021.1.1``, ``2021/1/1`` or ``2021年1月1日``.

    Raises:
        DateError: if it is none of them, or no calendar has that day.
    """
    match = _DAY.fullmatch(text.strip())
    if match is None:
        raise DateError(text[:40], "write it as 2021-01-31")
    year, month, day = (int(part) for part in match.groups() if part is not None)
    try:
        return date(year, month, day)
    except ValueError as error:
        raise DateError(text, str(error)) from error


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "a text"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return "a number"
