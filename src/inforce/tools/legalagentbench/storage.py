"""The world in an SQL database: SQLite in memory by default, or any database SQLAlchemy reaches.

A cell is stored as JSON text, so that a number stays a number and a word a word in every database;
SQL's NULL is a cell nobody has seen, JSON's ``null`` the server's ``nan``. Each column that is
looked up by has an indexed copy with brackets of one width.

This module needs the extra ``tables``; `inforce.tools.legalagentbench.world` imports it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    Text,
    and_,
    create_engine,
    inspect,
    or_,
    select,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import StaticPool

from inforce import network
from inforce.errors import UserError
from inforce.tools.legalagentbench.catalogue import SCHEMAS, TABLES, TableSchema, TableTool
from inforce.tools.legalagentbench.files import (
    FRAMES,
    NEGATIVES,
    FrameLine,
    NegativeLine,
    Row,
    RowLine,
    digest_of,
    normal,
    read_lines,
    rows_of,
    table_files,
)
from inforce.tools.tool import ToolFailure

_PREFIX = "legalagentbench_"
_KEY = "__key"
_LAYOUT = "1"
"""Changes with the layout of the tables, so that an old database is written anew."""

_NO_DATABASE = (
    "this URL names no database; one is sqlite:///world.db, or postgresql+psycopg://user@host/name"
)

_LOCK = 5_118_300_037
"""Names the lock in PostgreSQL; any number would do."""

_IN_MEMORY = (None, "", ":memory:")


class Storage:
    """Rows, frames and negatives in a database.

    Raises:
        UserError: if the URL names no database.
        NetworkForbiddenError: if its machine must not be contacted.
    """

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        self._url = self._engine.url.render_as_string(hide_password=True)
        self._metadata = _metadata()
        # A database in memory is one connection: one thread at a time may use it.
        in_memory = self._engine.url.database in _IN_MEMORY
        self._turn: AbstractContextManager[Any] = threading.Lock() if in_memory else nullcontext()

    def fill(self, folder: Path) -> None:
        """Put a world into the database, unless it is there already.

        Raises:
            InputError: if a file of the world cannot be read.
            UserError: if the database does not answer.
        """
        digest = f"{_LAYOUT} {digest_of(table_files(folder))}"
        try:
            with self._turn, self._engine.begin() as connection:
                if connection.dialect.name == "postgresql":
                    # of processes that fill a database at the same time, one does and others wait
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
                world = self._table("world")
                is_there = inspect(connection).has_table(world.name)
                if not is_there or connection.scalar(select(world.c.digest)) != digest:
                    self._write(connection, folder, digest)
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise UserError(f"the database {self._url} cannot be used: {reason}") from error

    def close(self) -> None:
        """Close the connections to the database."""
        self._engine.dispose()

    def frame(self, tool: TableTool, identifier: Sequence[str]) -> tuple[Row, ...] | None:
        """The complete result of a call, in the server's order; ``None`` where it was not seen."""
        frame = self._table("frame")
        found = self._read(_of_call(frame, tool.name, identifier, frame.c.row_ids))
        if not found:
            return None
        ids: list[str] = json.loads(found[0].row_ids)
        table = self._table(tool.table)
        rows = self._rows(tool.table, select(table).where(table.c.id.in_(ids)))
        by_id = {row.id: row for row in rows}
        return tuple(by_id[one] for one in ids if one in by_id)

    def is_negative(self, tool: TableTool, identifier: Sequence[str]) -> bool:
        """Whether the server had no data for an identifier."""
        negative = self._table("negative")
        return bool(self._read(_of_call(negative, tool.name, identifier, negative.c.tool)))

    def matching(self, tool: TableTool, identifier: Sequence[str]) -> tuple[Row, ...]:
        """Rows with the identifier in any key column, or with each part of a region in its own."""
        table = self._table(tool.table)
        values = identifier if tool.by_region else [identifier[0]] * len(tool.keys)
        pairs = zip(tool.keys, values, strict=True)
        conditions = [table.c[name + _KEY] == normal(value) for name, value in pairs]
        where = and_(*conditions) if tool.by_region else or_(*conditions)
        return self._rows(tool.table, select(table).where(where).order_by(table.c.place))

    def _table(self, name: str) -> Table:
        return self._metadata.tables[_PREFIX + name]

    def _rows(self, table: str, query: Select[Any]) -> tuple[Row, ...]:
        rows: list[Row] = []
        for found in self._read(query):
            cells = found._mapping
            known = [name for name in SCHEMAS[table].columns if cells[name] is not None]
            rows.append(
                Row(
                    cells["id"],
                    {name: json.loads(cells[name]) for name in known},
                    cells["origin"],
                )
            )
        return tuple(rows)

    def _read(self, query: Select[Any]) -> Sequence[Any]:
        try:
            with self._turn, self._engine.connect() as connection:
                return connection.execute(query).all()
        except SQLAlchemyError as error:
            raise ToolFailure(f"the database {self._url} did not answer") from error

    def _write(self, connection: Connection, folder: Path, digest: str) -> None:
        self._metadata.drop_all(connection)
        self._metadata.create_all(connection)
        for schema in TABLES:
            self._insert(connection, schema.name, _stored(schema, rows_of(folder, schema)))
        frames = [
            {**_stored_call(line), "row_ids": json.dumps(line.row_ids)}
            for line in read_lines(folder / FRAMES, FrameLine)
        ]
        self._insert(connection, "frame", frames)
        negatives = read_lines(folder / NEGATIVES, NegativeLine)
        self._insert(connection, "negative", [_stored_call(line) for line in negatives])
        self._insert(connection, "world", [{"digest": digest}])

    def _insert(self, connection: Connection, name: str, values: list[dict[str, Any]]) -> None:
        if values:
            connection.execute(self._table(name).insert(), values)


def _engine(url: str) -> Engine:
    try:
        place = make_url(url)
        for host in _hosts(place):
            network.check(host)
        if place.get_backend_name() == "sqlite" and place.database in _IN_MEMORY:
            options: dict[str, Any] = {"check_same_thread": False}
            return create_engine(place, poolclass=StaticPool, connect_args=options)
        return create_engine(place)
    except (SQLAlchemyError, ValueError) as error:  # its text may repeat a password
        raise UserError(_NO_DATABASE) from error
    except ImportError as error:
        reason = "the driver of this database is not installed"
        raise UserError(f"{reason}; inforce[tables] brings PostgreSQL's") from error


def _hosts(place: URL) -> Iterator[str]:
    """Machines a database URL names; a folder with a socket in it is on this one."""
    named = place.query.get("host", ())
    for host in (place.host, *([named] if isinstance(named, str) else named)):
        if host and not host.startswith("/"):
            yield host


def _metadata() -> MetaData:
    metadata = MetaData()
    for schema in TABLES:
        Table(
            _PREFIX + schema.name,
            metadata,
            Column("id", String, primary_key=True),
            Column("place", Integer, nullable=False),
            Column("origin", String, nullable=False),
            *(Column(name, Text) for name in schema.columns),
            *(Column(name + _KEY, Text, index=True) for name in schema.keys),
        )
    for name in ("frame", "negative"):
        Table(
            _PREFIX + name,
            metadata,
            Column("tool", String, nullable=False),
            Column("identifier", String, nullable=False, index=True),
            *([Column("row_ids", Text, nullable=False)] if name == "frame" else []),
        )
    Table(f"{_PREFIX}world", metadata, Column("digest", String, nullable=False))
    return metadata


def _of_call(
    table: Table, tool: str, identifier: Sequence[str], wanted: Column[Any]
) -> Select[Any]:
    key = _identifier_key(identifier)
    return select(wanted).where(table.c.identifier == key, table.c.tool == tool)


def _identifier_key(identifier: Sequence[str]) -> str:
    """An identifier of one or more parts as one text."""
    return json.dumps([normal(part) for part in identifier], ensure_ascii=False)


def _stored(schema: TableSchema, rows: Iterable[RowLine]) -> list[dict[str, Any]]:
    """Rows as they are inserted; a row of the supplement fills gaps of one that is there."""
    main: dict[Any, dict[str, Any]] = {}
    stored: list[dict[str, Any]] = []
    for place, line in enumerate(rows):
        cells = {
            name: json.dumps(line.row[name], ensure_ascii=False) if name in line.row else None
            for name in schema.columns
        }
        keys = {
            name + _KEY: normal(str(line.row[name])) if line.row.get(name) is not None else None
            for name in schema.keys
        }
        value = {"id": line.id, "place": place, "origin": line.source, **cells, **keys}
        known = main.get(value[schema.columns[0]]) if line.source else None
        if known is None:
            stored.append(value)
            main.setdefault(value[schema.columns[0]], value)
            continue
        gaps = [name for name, cell in known.items() if cell is None and value[name] is not None]
        if gaps:
            known.update({name: value[name] for name in gaps})
            columns = "、".join(name for name in gaps if not name.endswith(_KEY))
            known["origin"] = f"{line.source}: {columns}"
    return stored


def _stored_call(line: FrameLine | NegativeLine) -> dict[str, Any]:
    parts = [line.identifier] if isinstance(line.identifier, str) else line.identifier
    return {"tool": line.tool, "identifier": _identifier_key(parts)}
