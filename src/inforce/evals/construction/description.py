"""What a world is: its tables, the look-ups in them, and which columns name things to look up.

A description is YAML. A table says what its rows are called, which columns may be asked for, which
hold amounts or dates, and which name an entity; a tool says by which of these columns it looks up.
All else (the planning tree, the questions) follows. LegalAgentBench's own is beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec

from inforce.documents.safe_yaml import MOST_CHARACTERS, YamlError, read_yaml
from inforce.errors import InputError

Answer = Literal["row", "rows"]
"""``row``: the one row that fits. ``rows``: all of them."""

_PACKAGE = "inforce.evals.construction"

GIVEN = "legalagentbench.yaml"
"""The description of LegalAgentBench's world, in this package."""


class KindEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of entity as it is written: how questions refer to one, and what it follows from.

    ``opening`` has ``{}`` where the name stands. With ``part_of`` and ``pattern`` names of this
    kind are read out of names of another, as a court's code out of a case number.
    """

    opening: str = "{}"
    noun: str = "对象"
    part_of: str = ""
    pattern: str = ""
    word: str = ""


class LinkEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Columns that together name an entity, as they are written."""

    columns: tuple[str, ...]
    kind: str
    word: str | None = None


class ExtractEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may be asked for of a long text: all that matches a pattern."""

    word: str
    pattern: str


class TableEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as it is written; ``None`` as a column's word means the column's own name."""

    file: str = ""
    noun: str = "记录"
    measure: str = "条"
    links: tuple[LinkEntry, ...] = ()
    asks: dict[str, str | None] = msgspec.field(default_factory=dict[str, str | None])
    amounts: dict[str, str | None] = msgspec.field(default_factory=dict[str, str | None])
    dates: dict[str, str | None] = msgspec.field(default_factory=dict[str, str | None])
    extracts: dict[str, ExtractEntry] = msgspec.field(default_factory=dict[str, ExtractEntry])
    persons: tuple[str, ...] = ()
    frames: dict[str, str] = msgspec.field(default_factory=dict[str, str])


class ToolEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A look-up as it is written: ``by`` lists columns, or groups of columns that go together."""

    table: str
    by: tuple[str | tuple[str, ...], ...]
    answer: Answer = "row"
    arguments: tuple[str, ...] = ("identifier",)
    cell: str = ""
    phrase: str = ""
    about: str = ""


class DescriptionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole description as it is written."""

    kinds: dict[str, KindEntry | None]
    tables: dict[str, TableEntry]
    tools: dict[str, ToolEntry]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entity."""

    name: str
    opening: str
    """How a question refers to one; ``{}`` is its name."""
    noun: str
    """What one is called: 公司, 法院."""

    def named(self, name: str) -> str:
        """An entity of this kind in a question."""
        return self.opening.replace("{}", name)


@dataclass(frozen=True, slots=True)
class Link:
    """Columns of a table that name an entity other look-ups take."""

    columns: tuple[str, ...]
    kind: str
    word: str
    """What the entity is to its row: 母公司, 执行法院; empty where it is the row itself."""
    pattern: str = ""
    """What of the cell is the name; all of it where empty."""

    def name_in(self, row: dict[str, str]) -> tuple[str, ...] | None:
        """The entity a row names, or ``None`` where a part of its name is unknown.

        >>> Link(("城市", "区县"), "region", "").name_in({"城市": "苏州市", "区县": "相城区"})
        ('苏州市', '相城区')
        """
        parts = tuple(row.get(column, "") for column in self.columns)
        if self.pattern and all(parts):
            found = re.search(self.pattern, parts[0])
            parts = (found[1] if found else "",)
        return parts if all(parts) else None


@dataclass(frozen=True, slots=True)
class Extract:
    """What may be asked for of a long text."""

    column: str
    word: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what its rows are called and what may be done with its columns."""

    name: str
    file: str
    noun: str
    measure: str
    """The measure word that counts its rows: 家, 件, 次."""
    links: tuple[Link, ...]
    asks: dict[str, str]
    """Columns a question may ask for, and how it calls them; amounts and dates are among them."""
    amounts: dict[str, str]
    dates: dict[str, str]
    extracts: tuple[Extract, ...]
    persons: tuple[str, ...] = ()
    """Columns that name somebody: a question asks who it is."""
    frames: Mapping[str, str] = field(default_factory=dict[str, str])
    """How an answer writes a bare number, so that no other number holds it: 第{}名."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns the description refers to, each once."""
        linked = (column for link in self.links for column in link.columns)
        extracted = (one.column for one in self.extracts)
        return tuple(dict.fromkeys((*linked, *self.asks, *extracted)))


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
    """The column that is answered bare, where it is not a whole row."""
    phrase: str
    """How a question refers to its rows; ``{of}`` is what was looked up."""
    about: str

    def kinds(self, table: Table) -> set[str]:
        """Kinds of entities it takes; ``table`` is the one it reads."""
        own = (link for link in table.links if not link.pattern)
        return {link.kind for link in own if link.columns in self.by}

    def spoken(self, of: str) -> str:
        """How a question refers to its rows, by what was looked up."""
        return self.phrase.replace("{of}", of)

    def call(self, name: tuple[str, ...]) -> dict[str, str]:
        """The arguments of a call for an entity."""
        return dict(zip(self.arguments, name, strict=True))


@dataclass(frozen=True, slots=True)
class Description:
    """A world: kinds of entities, tables and look-ups."""

    kinds: dict[str, Kind]
    tables: dict[str, Table]
    tools: dict[str, LookUpTool]

    def table_of(self, tool: str) -> Table:
        """The table a look-up reads."""
        return self.tables[self.tools[tool].table]


def read_description(path: Path) -> Description:
    """A description in a file.

    Raises:
        InputError: if it cannot be read, is not what it should be, or names what it does not have.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", path=path) from error
    if len(text) > MOST_CHARACTERS:
        raise InputError("is too long for a description of tables", path=path)
    return _parsed(text, path)


def given_description() -> Description:
    """The description of LegalAgentBench's world."""
    file = files(_PACKAGE).joinpath(GIVEN)
    return _parsed(file.read_text("utf-8"), Path(str(file)))


def _parsed(text: str, path: Path) -> Description:
    try:
        entry = msgspec.convert(read_yaml(text), DescriptionEntry)
        described = _description(entry)
    except YamlError as error:
        raise InputError(error.reason, path=path, line=error.line) from error
    except (msgspec.ValidationError, ValueError) as error:
        raise InputError(f"no description of tables: {error}", path=path) from error
    return described


def _description(entry: DescriptionEntry) -> Description:
    kinds = {name: kind or KindEntry() for name, kind in entry.kinds.items()}
    described = Description(
        {name: Kind(name, kind.opening, kind.noun) for name, kind in kinds.items()},
        {name: _table(name, table, kinds) for name, table in entry.tables.items()},
        {name: _tool(name, tool, entry) for name, tool in entry.tools.items()},
    )
    problem = next(_problems(described, kinds), "")
    if problem:
        raise ValueError(problem)
    return described


def _table(name: str, entry: TableEntry, kinds: dict[str, KindEntry]) -> Table:
    links = [Link(one.columns, one.kind, _link_word(one)) for one in entry.links]
    amounts, dates = _words(entry.amounts), _words(entry.dates)
    return Table(
        name,
        entry.file or f"{name}.jsonl",
        entry.noun,
        entry.measure,
        (*links, *_derived(links, kinds)),
        {**_words(entry.asks), **amounts, **dates},
        amounts,
        dates,
        tuple(Extract(column, one.word, one.pattern) for column, one in entry.extracts.items()),
        entry.persons,
        entry.frames,
    )


def _words(columns: dict[str, str | None]) -> dict[str, str]:
    return {column: word or column for column, word in columns.items()}


def _link_word(entry: LinkEntry) -> str:
    return "".join(entry.columns) if entry.word is None else entry.word


def _derived(links: Iterable[Link], kinds: dict[str, KindEntry]) -> Iterator[Link]:
    """Entities that are part of an entity's name."""
    for link in links:
        for name, kind in kinds.items():
            if kind.part_of == link.kind:
                yield Link(link.columns, name, kind.word, kind.pattern)


def _tool(name: str, entry: ToolEntry, whole: DescriptionEntry) -> LookUpTool:
    table = whole.tables.get(entry.table, TableEntry())
    usual = "{of}" if entry.answer == "row" else f"{{of}}的{table.noun}"
    return LookUpTool(
        name,
        entry.table,
        tuple((one,) if isinstance(one, str) else one for one in entry.by),
        entry.answer,
        entry.arguments,
        entry.cell,
        entry.phrase or usual,
        entry.about,
    )


def _problems(described: Description, kinds: dict[str, KindEntry]) -> Iterator[str]:
    """What a description names and does not have."""
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
    """Look-ups a question could not tell apart: of the same entity, in the same words."""
    seen: dict[tuple[str, ...], str] = {}
    for tool in described.tools.values():
        table = described.tables.get(tool.table)
        if table is None:
            continue
        for kind in sorted(tool.kinds(table)):
            for word in _asked_words(tool, table):
                other = seen.setdefault((kind, tool.phrase, word), tool.name)
                if other != tool.name:
                    said = tool.spoken("…") + (f"的{word}" if word else "")
                    yield f"{other!r} and {tool.name!r} are both asked for {said}: change a word"


def _asked_words(tool: LookUpTool, table: Table) -> list[str]:
    """How a question calls what a look-up brings; of a list its phrase says all."""
    if tool.answer == "rows":
        return [""]
    keys = {column for columns in tool.by for column in columns}
    linked = {link.word for link in table.links if not keys.intersection(link.columns)}
    return sorted(linked | {word for column, word in table.asks.items() if column not in keys})


def _has_one_group(pattern: str) -> bool:
    try:
        return not pattern or re.compile(pattern).groups == 1
    except re.error:
        return False


def plain_cell(cell: Any) -> str:
    """A cell as text; empty where the table says that there is nothing.

    >>> plain_cell(" -"), plain_cell(None), plain_cell(12)
    ('', '', '12')
    """
    text = "" if cell is None else str(cell).strip()
    return "" if text in ("-", "—", "None", "nan", "null") else text
