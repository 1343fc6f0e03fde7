"""Reading JSON that people write: every complaint names the file, the line and the field.

A `JsonObject` is asked for its fields by name and type and raises `InputError` where the file says
something else. JSON keeps no line numbers, so the line is found again by looking for the field as
it is written (``"since": "2011修正"``); where that is not one place the message goes without.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import cast

from inforce.errors import InputError

_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
"""JSON can escape half of a surrogate pair; no text file can hold it."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """A JSON file as it was written: its name and its text."""

    path: str
    text: str

    @classmethod
    def read(cls, path: Path) -> JsonFile:
        """Read a file in UTF-8 (a byte-order mark is allowed).

        Raises:
            InputError: if it cannot be read or is not UTF-8.
        """
        try:
            return cls(str(path), path.read_text(encoding="utf-8-sig"))
        except UnicodeDecodeError as error:
            line = path.read_bytes().count(b"\n", 0, error.start) + 1
            raise InputError("not UTF-8; save it as UTF-8", path=path, line=line) from error
        except OSError as error:
            reason = f"cannot be read: {error.strerror or error}"
            raise InputError(reason, path=path) from error

    def parse(self) -> JsonObject:
        """The file as one JSON object.

        Raises:
            InputError: if it is empty, malformed, or not an object.
        """
        if not self.text.strip():
            raise InputError("the file is empty", path=self.path)
        try:
            value: object = json.loads(self.text)
        except json.JSONDecodeError as error:
            reason = f"not valid JSON: {error.msg}"
            raise InputError(reason, path=self.path, line=error.lineno) from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"not usable JSON: {error}", path=self.path) from error
        if not isinstance(value, dict):
            raise InputError("not a JSON object (it must begin with a brace)", path=self.path)
        return JsonObject(self, "the file", cast("dict[str, object]", value))

    def line_of(self, key: str, value: object, *, nth: int | None = None) -> int | None:
        """The line where a field is written with this value, the ``nth`` time or the only time."""
        written = rf'"{re.escape(key)}"\s*:\s*{re.escape(json.dumps(value, ensure_ascii=False))}'
        starts = [match.start() for match in re.finditer(written, self.text)]
        if len(starts) < (nth or 1) or (nth is None and len(starts) > 1):
            return None
        return self.text.count("\n", 0, starts[(nth or 1) - 1]) + 1


@dataclass(frozen=True, slots=True)
class JsonObject:
    """One object of a file, named as a reader would name it, whose fields are asked for by type."""

    file: JsonFile
    what: str
    """What a message calls it: ``the version '2011修正'``."""
    fields: Mapping[str, object]

    def problem(self, key: str, reason: str, *, nth: int | None = None) -> InputError:
        """An error about one field of this object, with its line where that can be found.

        Where the same field and value may be written more than once, ``nth`` says which one is
        meant (1 where any of them would be as wrong).
        """
        line = self.file.line_of(key, self.fields.get(key), nth=nth)
        return InputError(f"{self.what}: {reason}", path=self.file.path, line=line)

    def named(self, what: str) -> JsonObject:
        """The same object under a better name, once it is known."""
        return JsonObject(self.file, what, self.fields)

    def optional_text(self, key: str) -> str | None:
        """A string, or ``None`` where the field is null or missing."""
        value = self.fields.get(key)
        if value is not None and not isinstance(value, str):
            raise self.problem(key, f"{key!r} must be a string, not {value!r:.40}")
        if value and _HALF_CHARACTER.search(value):
            raise self.problem(key, f"{key!r} holds half a character: {value!a:.40}")
        return value

    def text(self, key: str) -> str:
        """A string that is there and says something."""
        value = self.optional_text(key)
        if value is None or not value.strip():
            raise self.problem(key, f"{key!r} is missing or empty")
        return value

    def optional_day(self, key: str) -> date | None:
        """A calendar day written ``2011-05-01``, or ``None`` where the field is null or missing."""
        value = self.optional_text(key)
        if value is None:
            return None
        if not _ISO_DAY.fullmatch(value):
            raise self.problem(key, f"{key!r} must be a day like 2011-05-01, not {value!r}", nth=1)
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise self.problem(key, f"no calendar has the day {value!r}", nth=1) from None

    def day(self, key: str) -> date:
        """A calendar day that must be there."""
        value = self.optional_day(key)
        if value is None:
            raise self.problem(key, f"{key!r} is missing; write a day like 2011-05-01")
        return value

    def object(self, key: str) -> JsonObject:
        """An object that must be there."""
        value = self.fields.get(key)
        if not isinstance(value, dict):
            raise self.problem(key, f"{key!r} is missing or is not an object")
        return JsonObject(self.file, f"{self.what}, {key!r}", cast("dict[str, object]", value))

    def objects(self, key: str) -> tuple[JsonObject, ...]:
        """A list of objects, each named by its place; empty where the field is missing."""
        value = self.fields.get(key, [])
        if not isinstance(value, list):
            raise self.problem(key, f"{key!r} must be a list")
        items = cast("list[object]", value)
        return tuple(self._item(key, place, item) for place, item in enumerate(items, start=1))

    def _item(self, key: str, place: int, item: object) -> JsonObject:
        what = f"{self.what}, item {place} of {key!r}"
        if not isinstance(item, dict):
            raise InputError(f"{what}: must be an object", path=self.file.path)
        return JsonObject(self.file, what, cast("dict[str, object]", item))
