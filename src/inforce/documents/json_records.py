"""Reads JSON that people write, field by field: each error names the file, line and field.

`json_objects` reads JSON Lines as objects whose fields are asked for by name and type; `json_lines`
reads them as values of a type of one's own; `JsonFile` and `json_value` read a whole file that is
one object, or one such value. Lines end at line feeds only: U+2028 ends no line of JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import BinaryIO, Generic, NamedTuple, TypeVar, cast

from inforce.dates import LegalDate
from inforce.documents.charset import decode_strictly
from inforce.documents.files import (
    MAX_FILE,
    OnProblem,
    numbered_lines,
    open_file,
    raise_problem,
    read_file,
)
from inforce.errors import DateError, InputError

T = TypeVar("T")

MAX_BYTES = 2**30
"""Bytes the lines of one file may have that are read as values."""

_UNSTORABLE = re.compile(r"\\u(?:d[89a-f]|0000)|[\ud800-\udfff]", re.IGNORECASE)
"""JSON escapes that may stand for half a character, or for NUL; and half a character itself."""


@dataclass(frozen=True, slots=True)
class JsonObject:
    """A JSON object and where it is; a field may be asked for by the several names it goes by."""

    values: Mapping[str, object]
    path: Path | str
    line: int | None = None
    what: str = ""
    """Its name in messages: ``the version '2011修正'``."""
    written: str = ""
    """The text of the file it is in, where its line is not known: a field is looked up in it."""

    def problem(self, reason: str, *, field: str = "", nth: int | None = None) -> InputError:
        """Return an error about this object, or about one field of it.

        JSON keeps no line numbers: in a file of several lines the line is where the field is
        written with its value, the ``nth`` time or the only time, or else is not given.
        """
        line = self.line or (self._line_of(field, nth) if field and self.written else None)
        return InputError(
            f"{self.what}: {reason}" if self.what else reason, path=self.path, line=line
        )

    def _line_of(self, field: str, nth: int | None) -> int | None:
        value = json.dumps(self.values.get(field), ensure_ascii=False)
        written = rf'"{re.escape(field)}"\s{{0,99}}:\s{{0,99}}{re.escape(value)}'
        starts = [match.start() for match in re.finditer(written, self.written)]
        if len(starts) < (nth or 1) or (nth is None and len(starts) > 1):
            return None
        return self.written.count("\n", 0, starts[(nth or 1) - 1]) + 1

    def named(self, what: str) -> JsonObject:
        """Return the same object under a better name, once it is known."""
        return replace(self, what=what)

    def value(self, *names: str) -> object:
        """Return the first of these fields that is there and not null."""
        return next((v for name in names if (v := self.values.get(name)) is not None), None)

    def text(self, *names: str) -> str:
        """Return a text field; empty if missing.

        Raises:
            InputError: if it is no text.
        """
        value = self.value(*names)
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        raise self.problem(f"{names[0]!r} must be a text, not {_kind(value)}", field=names[0])

    def required_text(self, name: str) -> str:
        """Return a text field that must be there and not be blank."""
        text = self.text(name)
        if not text.strip():
            raise self.problem(f"{name!r} is missing or empty", field=name)
        return text

    def day(self, *names: str) -> date | None:
        """Return a date field; ``None`` if missing or empty.

        Raises:
            InputError: if it is no whole day, or one that no calendar has.
        """
        text = self.text(*names)
        try:
            return calendar_day(text) if text else None
        except DateError as error:
            raise self.problem(f"{names[0]}: {error}", field=names[0], nth=1) from error

    def required_day(self, name: str) -> date:
        """Return a date field that must be there."""
        day = self.day(name)
        if day is None:
            raise self.problem(f"{name!r} is missing; write a day like 2011-05-01", field=name)
        return day

    def object(self, name: str) -> JsonObject:
        """Return a field that must be an object."""
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise self.problem(f"{name!r} is missing or is not an object", field=name)
        return self._inner(cast("object", value), f"{name!r}")

    def objects(self, name: str) -> tuple[JsonObject, ...]:
        """Return a list of objects; empty if missing.

        Raises:
            InputError: if it is anything else.
        """
        found: list[JsonObject] = []
        for place, item in enumerate(self._list(name), start=1):
            if not isinstance(item, dict):
                reason = f"item {place} of {name!r} must be an object, not {_kind(item)}"
                raise self.problem(reason)
            found.append(self._inner(cast("object", item), f"item {place} of {name!r}"))
        return tuple(found)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; empty if missing.

        Raises:
            InputError: if it is anything else.
        """
        items = self._list(name)
        texts = tuple(item for item in items if isinstance(item, str))
        if len(texts) != len(items):
            raise self.problem(f"{name!r} must hold texts only", field=name)
        return texts

    def _inner(self, value: object, what: str) -> JsonObject:
        what = f"{self.what}, {what}" if self.what else ""
        return replace(self, values=cast("dict[str, object]", value), what=what)

    def _list(self, name: str) -> Sequence[object]:
        value = self.value(name)
        if value is None:
            return ()
        if isinstance(value, list):
            return cast("list[object]", value)
        raise self.problem(f"{name!r} must be a list, not {_kind(value)}", field=name)


@dataclass(frozen=True, slots=True)
class JsonFile:
    """The name and the text of a JSON file."""

    path: str
    text: str

    @classmethod
    def read(cls, path: Path) -> JsonFile:
        """Read a file.

        Raises:
            InputError: if it cannot be read, is too large, or is no text.
        """
        return cls(str(path), decode_strictly(read_file(path), path=path).text)

    def parse(self) -> JsonObject:
        """Read the file as one JSON object.

        Raises:
            InputError: if it is empty, malformed, or not an object.
        """
        if not self.text.strip():
            raise InputError("the file is empty", path=self.path)
        found = parse_object(self.text, path=self.path)
        return replace(found, what="the file", written=self.text)


def parse_json(text: str, *, path: Path | str, line: int | None = None) -> object:
    """Read JSON whose texts can all be stored.

    Raises:
        InputError: if it is not JSON, nested absurdly, or holds half characters or NUL.
    """
    try:
        value: object = json.loads(text)
        if _UNSTORABLE.search(text):
            written = json.dumps(value, ensure_ascii=False)
            written.encode()  # half a character fails here, with a UnicodeEncodeError
            if "\\u0000" in written:
                raise ValueError("a NUL character")
    except json.JSONDecodeError as error:
        reason = f"not JSON: {error.msg} (column {error.colno})"
        raise InputError(reason, path=path, line=line or error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"JSON that cannot be stored: {error}", path=path, line=line) from error
    return value


def parse_object(text: str, *, path: Path | str, line: int | None = None) -> JsonObject:
    """Read one JSON object.

    Raises:
        InputError: as `parse_json`, or if it is no object.
    """
    value = parse_json(text, path=path, line=line)
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object, not {_kind(value)}", path=path, line=line)
    return JsonObject(cast("dict[str, object]", value), path, line)


def json_objects(
    stream: BinaryIO, *, path: Path | str, on_problem: OnProblem = raise_problem
) -> Iterator[JsonObject]:
    """Yield the objects of a JSON Lines file, plain or gzipped; other lines are reported."""
    for line in numbered_lines(stream, path=path, on_problem=on_problem):
        try:
            found = parse_object(line.text(path), path=path, line=line.number)
        except InputError as error:
            on_problem(error)
        else:
            yield found


class JsonLine(NamedTuple, Generic[T]):
    """A value, and the line of the file it is on."""

    number: int
    value: T


def json_lines(
    path: Path, kind: type[T], *, what: str, limit: int | None = None
) -> Iterator[JsonLine[T]]:
    """Yield the values of a JSON Lines file, plain or gzipped; an empty file has none.

    Args:
        path: the file.
        kind: of each value, as `msgspec` knows it: a struct, a dataclass, ``dict[str, Any]``.
        what: what a line should be, for messages: ``"a recorded search"``.
        limit: bytes all lines together may have; `MAX_BYTES` unless given.

    Raises:
        InputError: if the file cannot be read, or a line is something else; names the line.
    """
    import msgspec  # slow to load, and reading one law does not need it

    decoder, size = msgspec.json.Decoder(kind), 0
    allowed = MAX_BYTES if limit is None else limit
    with open_file(path) as stream:
        for line in numbered_lines(stream, path=path, on_problem=_raise_of_a_line):
            size += len(line.data)
            if size > allowed:
                reason = f"more than {allowed / 2**20:g} MiB of lines; split it"
                raise InputError(reason, path=path, line=line.number)
            try:
                value = decoder.decode(line.data.removeprefix(b"\xef\xbb\xbf"))
            except (msgspec.MsgspecError, ValueError, RecursionError, DateError) as error:
                raise InputError(f"not {what}: {error}", path=path, line=line.number) from error
            yield JsonLine(line.number, value)


def json_value(path: Path, kind: type[T], *, what: str, limit: int = MAX_FILE) -> T:
    """Read the one value of a JSON file, plain or gzipped.

    Args:
        path: the file.
        kind: of the value, as `msgspec` knows it.
        what: what the file should be, for messages: ``"results of a benchmark"``.
        limit: bytes it may have.

    Raises:
        InputError: if it cannot be read, is too large, or is something else.
    """
    import msgspec  # slow to load, and reading one law does not need it

    data = read_file(path, limit=limit).removeprefix(b"\xef\xbb\xbf")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError, DateError) as error:
        raise InputError(f"not {what}: {error}", path=path) from error


def _raise_of_a_line(problem: InputError) -> None:
    if problem.line is not None:  # without a line: the file is empty
        raise problem


def calendar_day(text: str) -> date:
    """Read one whole day: ``2021-01-01``, ``2021.1.1``, ``2021/1/1`` or ``2021年1月1日``.

    Raises:
        DateError: if it is none of them, or no calendar has that day.
    """
    found = LegalDate.parse(text)
    if found.precision != "day":
        raise DateError(text, "write a whole day, such as 2021-01-31")
    return found.range.start


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
