"""LegalAgentBench's fourteen tables and the 28 tools that read them, as one list.

Tables and columns: LegalAgentBench, table 4; tools: tables 5 and 6. Columns are named as the
benchmark's server names them, which is what a call must ask for: amounts carry their unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Literal, get_args

Answer = Literal["row", "rows", "cell"]
"""``row``: the first row that fits. ``rows``: all of them. ``cell``: one cell, bare."""


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table: its columns in the server's order, and what it holds."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    """Columns that are looked up by."""
    about: str
    """Its content, in words a question may use, with spaces between them."""
    about_en: str


@dataclass(frozen=True, slots=True)
class TableTool:
    """A look-up in a table by the value of a column."""

    name: str
    table: str
    keys: tuple[str, ...]
    """Columns the identifier is compared with: any of them, or, of a region, all."""
    answer: Answer
    zh: str
    en: str
    cell: str = ""
    """The column that is returned bare, where ``answer`` is ``cell``."""
    by_region: bool = False
    """Whether it is called with province, city and county instead of an identifier."""


MARKS = {"执行法院": r"院\s*$", "案号": "号"}
"""Patterns that every value of a column matches; another identifier names something else. Not used
for decisions of authorities, whose numbers have other forms."""


def _lines(name: str) -> list[str]:
    """The lines of a file beside this module, without those on its format."""
    path = resources.files("inforce.tools.legalagentbench") / "data" / name
    return [one for one in path.read_text(encoding="utf-8").splitlines() if one[:1] != "#"]


def _tables() -> Iterator[TableSchema]:
    for block in "\n".join(_lines("tables.txt")).strip().split("\n\n"):
        name, columns, keys, about, about_en = block.splitlines()
        yield TableSchema(name, tuple(columns.split()), tuple(keys.split()), about, about_en)


def _tools() -> Iterator[TableTool]:
    lines = list(filter(None, _lines("tools.txt")))
    answers: dict[str, Answer] = {one: one for one in get_args(Answer)}
    for head, zh, en in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        name, table, keys, kind = head.split(" | ")
        answer = answers.get(kind.split()[0], "rows")
        yield TableTool(
            name,
            table,
            tuple(keys.split()),
            answer,
            zh.strip(),
            en.strip(),
            kind.removeprefix("cell ") if answer == "cell" else "",
            by_region=kind == "region",
        )


TABLES: tuple[TableSchema, ...] = tuple(_tables())
SCHEMAS: dict[str, TableSchema] = {table.name: table for table in TABLES}
TABLE_TOOLS: tuple[TableTool, ...] = tuple(_tools())

SUPPLEMENTS: dict[str, str] = {"CourtCode": "CourtCode_supplement"}
"""Tables that have a second file: rows of another source, with fewer columns, for what the first
does not have."""
