"""The description of a world: its tables, its look-ups, and the columns that name entities.

A description is YAML. A table says what its rows are called, which columns may be asked for, which
hold amounts or dates, and which name an entity; a tool says by which of these columns it looks up.
The planning tree and the questions follow from it. LegalAgentBench's description is in this
package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec

from inforce.documents.safe_yaml import MOST_CHARACTERS, YamlError, read_yaml
from inforce.errors import InputError

Name = tuple[str, ...]
"""The name of an entity: one part, or several that only together name it."""

Cells = dict[str, str]
"""A row of a table: the cells that are not empty, by column."""

Answer = Literal["row", "rows"]
"""``row``: the one row that fits. ``rows``: all of them."""


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of entity: a company, a court.

    With ``part_of`` and ``pattern`` the names of this kind are read out of names of another kind,
    as a court's code out of a case number.
    """

    opening: str = "{}"
    """The words of a question for an entity; ``{}`` is its name."""
    noun: str = "对象"
    """公司, 法院."""
    part_of: str = ""
    pattern: str = ""
    word: str = ""

    def named(self, name: str) -> str:
        """The words of a question for the entity of a name."""
        return self.opening.replace("{}", name)


class Extract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question about a long text: all that matches a pattern."""

    word: str
    pattern: str


class LinkEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `Link` in the file; the word is that of the columns unless it is written."""

    columns: tuple[str, ...]
    kind: str
    word: str | None = None


class TableEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `Table` in the file; the word of a column is its own name unless it is written."""

    file: str = ""
    noun: str = "记录"
    measure: str = "条"
    links: tuple[LinkEntry, ...] = ()
    asks: dict[str, str | None] = msgspec.field(default_factory=dict[str, str | None])
    amounts: dict[str, str | None] = msgspec.field(default_factory=dict[str, str | None])
    dates: dict[str, str | None] = msgspec.field(default_factory=dict[str, str | None])
    extracts: dict[str, Extract] = msgspec.field(default_factory=dict[str, Extract])
    persons: tuple[str, ...] = ()
    frames: dict[str, str] = msgspec.field(default_factory=dict[str, str])


class ToolEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `LookUpTool` in the file; ``by`` lists columns, or groups of columns."""

    table: str
    by: tuple[str | tuple[str, ...], ...]
    answer: Answer = "row"
    arguments: tuple[str, ...] = ("identifier",)
    cell: str = ""
    phrase: str = ""
    about: str = ""


class DescriptionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    kinds: dict[str, Kind | None]
    tables: dict[str, TableEntry]
    tools: dict[str, ToolEntry]


@dataclass(frozen=True, slots=True)
class Link:
    """Columns of a table that name an entity which other look-ups take."""

    columns: tuple[str, ...]
    kind: str
    word: str
    """The relation of the entity to its row: 母公司, 执行法院; empty if it is the row itself."""
    pattern: str = ""
    """The part of the cell that is the name; the whole cell if empty."""

    def name_in(self, row: Cells) -> Name | None:
        """The entity that a row names; ``None`` if a part of its name is unknown.

        >>> Link(("城市", "区县"), "region", "").name_in({"城市": "苏州市", "区县": "相城区"})
        ('苏州市', '相城区')
        """
        parts = tuple(row.get(column, "") for column in self.columns)
        if self.pattern and all(parts):
            found = re.search(self.pattern, parts[0])
            parts = (found[1] if found else "",)
        return parts if all(parts) else None


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the words for its rows and the use of its columns."""

    name: str
    file: str
    noun: str
    measure: str
    """The measure word for its rows: 家, 件, 次."""
    links: tuple[Link, ...]
    asks: dict[str, str]
    """The columns a question may ask for with their words; amounts and dates are among them."""
    amounts: dict[str, str]
    dates: dict[str, str]
    extracts: dict[str, Extract]
    """By column."""
    persons: tuple[str, ...] = ()
    """Columns that name a person: a question asks who it is."""
    frames: Mapping[str, str] = field(default_factory=dict[str, str])
    """The form in which an answer writes a bare number, unlike any other number: 第{}名."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the description mentions, each once."""
        linked = (column for link in self.links for column in link.columns)
        return tuple(dict.fromkeys((*linked, *self.asks, *self.extracts)))


@dataclass(frozen=True, slots=True)
class LookUpTool:
    """A look-up in a table."""

    name: str
    table: str
    by: tuple[tuple[str, ...], ...]
    """Alternatives: groups of columns whose cells an identifier is compared with."""
    answer: Answer
    arguments: tuple[str, ...]
    cell: str
    """The column whose bare cell is the answer; empty for a whole row."""
    phrase: str
    """The words of a question for its rows; ``{of}`` is the entity that was looked up."""
    about: str

    def kinds(self, table: Table) -> set[str]:
        """The kinds of entities it takes; ``table`` is the one it reads."""
        return {link.kind for link in table.links if not link.pattern and link.columns in self.by}

    def spoken(self, of: str) -> str:
        """The words of a question for its rows."""
        return self.phrase.replace("{of}", of)


@dataclass(frozen=True, slots=True)
class Description:
    """A world: kinds of entities, tables and look-ups."""

    kinds: dict[str, Kind]
    tables: dict[str, Table]
    tools: dict[str, LookUpTool]

    def table_of(self, tool: str) -> Table:
        """The table that a look-up reads."""
        return self.tables[self.tools[tool].table]


def read_description(path: Path) -> Description:
    """Read a description.

    Raises:
        InputError: if it cannot be read, is malformed, or refers to something it does not define.
    """
    text = read_text(path)
    if len(text) > MOST_CHARACTERS:
        raise InputError("is too long for a description of tables", path=path)
    return _parsed(text, path)


def read_text(path: Path) -> str:
    """Read a file of text.

    Raises:
        InputError: if it cannot be read, or is not UTF-8.
    """
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", path=path) from error


def legalagentbench_description() -> Description:
    """The description of LegalAgentBench's world."""
    file = files("inforce.evals.construction").joinpath("legalagentbench.yaml")
    return _parsed(file.read_text("utf-8"), Path(str(file)))


def _parsed(text: str, path: Path) -> Description:
    try:
        entry = msgspec.convert(read_yaml(text), DescriptionEntry)
    except YamlError as error:
        raise InputError(error.reason, path=path, line=error.line) from error
    except msgspec.ValidationError as error:
        raise InputError(f"no description of tables: {error}", path=path) from error
    kinds = {name: kind or Kind() for name, kind in entry.kinds.items()}
    tables = {name: _table(name, table, kinds) for name, table in entry.tables.items()}
    tools = {name: _tool(name, tool, tables) for name, tool in entry.tools.items()}
    described = Description(kinds, tables, tools)
    if problem := next(_problems(described), ""):
        raise InputError(f"no description of tables: {problem}", path=path)
    return described


def _table(name: str, entry: TableEntry, kinds: Mapping[str, Kind]) -> Table:
    def words(columns: Mapping[str, str | None]) -> dict[str, str]:
        return {column: word or column for column, word in columns.items()}

    links = [
        Link(one.columns, one.kind, "".join(one.columns) if one.word is None else one.word)
        for one in entry.links
    ]
    derived = [  # entities that are part of an entity's name
        Link(link.columns, kind_name, kind.word, kind.pattern)
        for link in links
        for kind_name, kind in kinds.items()
        if kind.part_of == link.kind
    ]
    amounts, dates = words(entry.amounts), words(entry.dates)
    return Table(
        name,
        entry.file or f"{name}.jsonl",
        entry.noun,
        entry.measure,
        (*links, *derived),
        {**words(entry.asks), **amounts, **dates},
        amounts,
        dates,
        entry.extracts,
        entry.persons,
        entry.frames,
    )


def _tool(name: str, entry: ToolEntry, tables: Mapping[str, Table]) -> LookUpTool:
    noun = tables[entry.table].noun if entry.table in tables else ""
    default_phrase = "{of}" if entry.answer == "row" else f"{{of}}的{noun}"
    return LookUpTool(
        name,
        entry.table,
        tuple((one,) if isinstance(one, str) else one for one in entry.by),
        entry.answer,
        entry.arguments,
        entry.cell,
        entry.phrase or default_phrase,
        entry.about,
    )


def _problems(described: Description) -> Iterator[str]:
    """References of a description to something it does not define, and other mistakes."""
    kinds = described.kinds
    for name, kind in kinds.items():
        if kind.part_of and kind.part_of not in kinds:
            yield f"the kind {name!r} is part of {kind.part_of!r}, which is no kind"
        if bool(kind.part_of) != bool(kind.pattern) or not _has_one_group(kind.pattern):
            yield f"the kind {name!r} needs part_of and a pattern with one group, or neither"
        if kind.opening.count("{}") != 1:
            yield f"the opening of the kind {name!r} must have {{}} once"
    for table in described.tables.values():
        if Path(table.file).is_absolute() or ".." in Path(table.file).parts:
            yield f"the file of the table {table.name!r} must lie in the folder of the tables"
        for column in (*table.persons, *table.frames):
            if column not in table.asks:
                yield f"the table {table.name!r} does not ask for {column!r}"
        for column, frame in table.frames.items():
            if frame.count("{}") != 1 or frame.startswith("{}") or frame.endswith("{}"):
                yield f"the frame of {column!r} must have {{}} once, between other characters"
        for link in table.links:
            if link.kind not in kinds:
                yield f"the table {table.name!r} links to {link.kind!r}, which is no kind"
    for tool in described.tools.values():
        yield from _problems_of_tool(tool, described)
    yield from _same_words(described)


def _has_one_group(pattern: str) -> bool:
    try:
        return not pattern or re.compile(pattern).groups == 1
    except re.error:
        return False


def _problems_of_tool(tool: LookUpTool, described: Description) -> Iterator[str]:
    table = described.tables.get(tool.table)
    if table is None:
        yield f"the tool {tool.name!r} reads {tool.table!r}, which is no table"
        return
    known = {link.columns for link in table.links if not link.pattern}
    for columns in tool.by:
        if columns not in known:
            yield f"the tool {tool.name!r} looks up by {'、'.join(columns)}, which is no link"
        if len(columns) != len(tool.arguments):
            yield f"the tool {tool.name!r} needs an argument for each of {'、'.join(columns)}"
    if "{of}" not in tool.phrase:
        yield f"the phrase of the tool {tool.name!r} must have {{of}}"


def _same_words(described: Description) -> Iterator[str]:
    """Look-ups of the same entity in the same words, which a question could not tell apart."""
    seen: dict[tuple[str, ...], str] = {}
    for tool in described.tools.values():
        table = described.tables.get(tool.table)
        for kind in sorted(tool.kinds(table)) if table else ():
            for word in _asked_words(tool, table) if table else ():
                other = seen.setdefault((kind, tool.phrase, word), tool.name)
                if other != tool.name:
                    said = tool.spoken("…") + (f"的{word}" if word else "")
                    yield f"{other!r} and {tool.name!r} are both asked for {said}: change a word"


def _asked_words(tool: LookUpTool, table: Table) -> list[str]:
    """The words for the cells of a look-up; the phrase alone tells lists apart."""
    if tool.answer == "rows":
        return [""]
    keys = {column for columns in tool.by for column in columns}
    linked = {link.word for link in table.links if not keys.intersection(link.columns)}
    return sorted(linked | {word for column, word in table.asks.items() if column not in keys})


def plain_cell(cell: Any) -> str:
    """A cell as text; empty if the table says that there is nothing.

    >>> plain_cell(" -"), plain_cell(None), plain_cell(12)
    ('', '', '12')
    """
    text = "" if cell is None else str(cell).strip()
    return "" if text in ("-", "—", "None", "nan", "null") else text
