"""The files of a rebuilt LegalAgentBench world, read line by line into typed values.

The world is rebuilt from public run logs of the benchmark's server: rows with some cells unknown,
the complete results of some calls (frames), and identifiers the server had nothing for (negatives).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from inforce.documents.json_records import json_lines
from inforce.errors import InputError
from inforce.tools.legalagentbench.catalogue import SUPPLEMENTS, TABLES, TableSchema

LARGEST_FILE = 1024 * 1024 * 1024
"""Bytes of a file that are read."""

TABLES_FOLDER = "tables"
FRAMES = "frames.jsonl"
NEGATIVES = "negatives.jsonl"

Identifier = str | list[str]

T = TypeVar("T")


_ONE_WIDTH = str.maketrans("()", "（）")


@dataclass(frozen=True, slots=True)
class Row:
    """A row as far as it is known."""

    id: str
    cells: dict[str, Any]
    """Cells by column, in the table's order; ``None`` is the server's ``nan``. Columns that are
    missing are unknown."""
    origin: str = ""
    """Where it comes from, if not from the benchmark's server."""


class RowLine(msgspec.Struct, frozen=True):
    """A row; a column that is not in it is unknown, ``null`` is the server's ``nan``."""

    row: dict[str, Any]
    id: str = msgspec.field(name="_id", default="")
    source: str = msgspec.field(name="_source", default="")


class FrameLine(msgspec.Struct, frozen=True):
    """The complete result of a call, as ids of rows in the server's order."""

    tool: str
    identifier: Identifier
    row_ids: tuple[str, ...]


class NegativeLine(msgspec.Struct, frozen=True):
    """An identifier the server had no data for."""

    tool: str
    identifier: Identifier


class DocumentLine(msgspec.Struct, frozen=True):
    """A document of a collection."""

    id: str
    title: str
    text: str
    raw: str = ""


class RankingLine(msgspec.Struct, frozen=True):
    """What a retriever returned for a query, best first."""

    tool: str | None
    query_or_plan: str
    is_exact_query: bool
    results: tuple[str, ...]


def normal(text: str) -> str:
    """A text as it is compared: brackets of half and full width are the same.

    >>> normal("(2020)豫9001执1395号")
    '（2020）豫9001执1395号'
    """
    return text.translate(_ONE_WIDTH)


def table_files(folder: Path) -> tuple[Path, ...]:
    """The files the tables come from, in a fixed order."""
    names = [table.name for table in TABLES] + sorted(SUPPLEMENTS.values())
    tables = [folder / TABLES_FOLDER / f"{name}.jsonl" for name in names]
    return (*tables, folder / FRAMES, folder / NEGATIVES)


def digest_of(files: Iterable[Path]) -> str:
    """The SHA-256 of some files, names included.

    Raises:
        InputError: if one cannot be read.
    """
    digest = hashlib.sha256()
    for path in files:
        try:
            if path.stat().st_size > LARGEST_FILE:
                raise InputError("is too large for a file of this world", path=path)
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    return digest.hexdigest()


def rows_of(folder: Path, table: TableSchema) -> Iterator[RowLine]:
    """The rows of a table, then those its supplement adds; columns are checked.

    Raises:
        InputError: if a file cannot be read, or has a column the table does not have.
    """
    names = [table.name, *filter(None, [SUPPLEMENTS.get(table.name)])]
    for name in names:
        path = folder / TABLES_FOLDER / f"{name}.jsonl"
        for number, line in enumerate(read_lines(path, RowLine), start=1):
            strange = set(line.row) - set(table.columns)
            if strange:
                reason = f"{table.name} has no column {min(strange)}"
                raise InputError(reason, path=path, line=number)
            if line.id:
                yield line
            else:
                yield msgspec.structs.replace(line, id=f"{name}-{number - 1}")


def read_lines(path: Path, kind: type[T]) -> Sequence[T]:
    """The values of a JSON Lines file.

    Raises:
        InputError: if it cannot be read, or a line is not what it should be.
    """
    return [value for _, value in json_lines(path, kind, what="of this world")]
