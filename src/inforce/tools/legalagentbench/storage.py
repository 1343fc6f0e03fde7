"""The world in an SQL database: SQLite in memory by default, or any database SQLAlchemy reaches.

A cell is stored as JSON text, so that a number stays a number and a word a word in every database;
SQL's NULL is a cell nobody has seen, JSON's ``null`` the server's ``nan``. Beside each column that
is looked up by stands an indexed copy with brackets of one width.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inforce import network
from inforce.errors import MissingExtraError, UserError
from inforce.tools.legalagentbench.catalogue import SCHEMAS, TABLES, TableSchema
from inforce.tools.legalagentbench.files import (
    FRAMES,
    NEGATIVES,
    FrameLine,
    NegativeLine,
    RowLine,
    digest_of,
    read_lines,
    rows_of,
    table_files,
)
from inforce.tools.tool import ToolFailure

if TYPE_CHECKING:
    from sqlalchemy import URL, Column, Connection, Engine, MetaData, Select, Table

IN_MEMORY = "sqlite://"

_PREFIX = "legalagentbench_"
_KEY = "__key"
_LAYOUT = "1"
"""Changes with the layout of the tables, so that an old database is written anew."""

_NO_DATABASE = (
    "this URL names no database; one is sqlite:///world.db, or postgresql+psycopg://user@host/name"
)

_LOCK = 5_118_300_037
"""Names the lock in PostgreSQL; any number would do."""

_ONE_WIDTH = str.maketrans("()", "（）")


@dataclass(frozen=True, slots=True)
class Row:
    """A row as far as it is known."""

    id: str
    cells: dict[str, Any]
    """Cells by column, in the table's order; ``None`` is the server's ``nan``. What is not here is
    unknown."""
    origin: str = ""
    """Where it comes from, if not from the benchmark's server."""


def normal(text: str) -> str:
    """A text as it is compared: brackets of half and full width are the same.

    >>> normal("(2020)豫9001执1395号")
    '（2020）豫9001执1395号'
    """
    return text.translate(_ONE_WIDTH)


def key_of(identifier: Sequence[str]) -> str:
    """An identifier of one or more parts as one text."""
    return json.dumps([normal(part) for part in identifier], ensure_ascii=False)


class Storage:
    """Rows, frames and negatives in a database.

    Raises:
        MissingExtraError: if the extra ``tables`` is not installed.
        UserError: if the URL names no database.
        NetworkForbiddenError: if its machine must not be contacted.
    """

    def __init__(self, url: str = IN_MEMORY) -> None:
        self._engine = _engine(url)
        self._url = self._engine.url.render_as_string(hide_password=True)
        self._metadata = _metadata()
        is_shared = self._engine.url.database in (None, "", ":memory:")
        self._turn = threading.Lock() if is_shared else None

    def fill(self, folder: Path) -> None:
        """Put a world into the database, unless it is there already.

        Raises:
            InputError: if a file of the world cannot be read.
            UserError: if the database does not answer.
        """
        from sqlalchemy.exc import SQLAlchemyError

        digest = f"{_LAYOUT} {digest_of(table_files(folder))}"
        try:
            with self._held(), self._engine.begin() as connection:
                _wait_for_others(connection)
                if self._digest(connection) != digest:
                    self._write(connection, folder, digest)
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise UserError(f"the database {self._url} cannot be used: {reason}") from error

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def frame(self, tool: str, key: str) -> tuple[str, ...] | None:
        """Ids of the complete result of a call; ``None`` where it was not seen."""
        frame = self._metadata.tables[f"{_PREFIX}frame"]
        found = self._read(_matching(frame, tool, key, frame.c.row_ids))
        return tuple(json.loads(found[0].row_ids)) if found else None

    def is_negative(self, tool: str, key: str) -> bool:
        """Whether the server had no data for an identifier."""
        negative = self._metadata.tables[f"{_PREFIX}negative"]
        return bool(self._read(_matching(negative, tool, key, negative.c.tool)))

    def with_ids(self, table: str, ids: Sequence[str]) -> tuple[Row, ...]:
        """Rows by their ids, in the order of the ids."""
        from sqlalchemy import select

        stored = self._table(table)
        found = {
            row.id: row
            for row in self._rows(SCHEMAS[table], select(stored).where(stored.c.id.in_(ids)))
        }
        return tuple(found[one] for one in ids if one in found)

    def with_any(self, table: str, keys: Sequence[str], value: str) -> tuple[Row, ...]:
        """Rows that have a value in any of some columns."""
        from sqlalchemy import or_, select

        stored = self._table(table)
        where = or_(*(stored.c[name + _KEY] == normal(value) for name in keys))
        return self._rows(SCHEMAS[table], select(stored).where(where).order_by(stored.c.place))

    def with_all(self, table: str, keys: Sequence[str], values: Sequence[str]) -> tuple[Row, ...]:
        """Rows that have given values in some columns."""
        from sqlalchemy import and_, select

        stored = self._table(table)
        pairs = zip(keys, values, strict=True)
        where = and_(*(stored.c[name + _KEY] == normal(value) for name, value in pairs))
        return self._rows(SCHEMAS[table], select(stored).where(where).order_by(stored.c.place))

    def _table(self, name: str) -> Table:
        return self._metadata.tables[_PREFIX + name]

    def _rows(self, schema: TableSchema, query: Select[Any]) -> tuple[Row, ...]:
        return tuple(_row(schema, found._mapping) for found in self._read(query))

    def _read(self, query: Select[Any]) -> Sequence[Any]:
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with self._held(), self._engine.connect() as connection:
                return connection.execute(query).all()
        except SQLAlchemyError as error:
            raise ToolFailure(f"the database {self._url} did not answer") from error

    def _held(self) -> AbstractContextManager[Any]:
        """A database in memory is one connection: one at a time may use it."""
        return self._turn or nullcontext()

    def _digest(self, connection: Connection) -> str:
        from sqlalchemy import inspect, select

        world = self._metadata.tables[f"{_PREFIX}world"]
        if not inspect(connection).has_table(world.name):
            return ""
        return connection.execute(select(world.c.digest)).scalar() or ""

    def _write(self, connection: Connection, folder: Path, digest: str) -> None:
        self._metadata.drop_all(connection)
        self._metadata.create_all(connection)
        for schema in TABLES:
            self._insert(connection, schema.name, _stored(schema, rows_of(folder, schema)))
        frames = read_lines(folder / FRAMES, FrameLine)
        self._insert(connection, "frame", map(_stored_frame, frames))
        negatives = read_lines(folder / NEGATIVES, NegativeLine)
        self._insert(connection, "negative", map(_stored_negative, negatives))
        self._insert(connection, "world", iter([{"digest": digest}]))

    def _insert(self, connection: Connection, name: str, values: Iterator[dict[str, Any]]) -> None:
        given = list(values)
        if given:
            connection.execute(self._table(name).insert(), given)


def _wait_for_others(connection: Connection) -> None:
    """Of processes that fill a database at the same time, one does it and the others wait."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


def _engine(url: str) -> Engine:
    try:
        from sqlalchemy import create_engine
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import SQLAlchemyError
        from sqlalchemy.pool import StaticPool
    except ImportError as error:
        raise MissingExtraError("the tables of LegalAgentBench", "tables") from error
    try:
        place = make_url(url)
        for host in _hosts(place):
            network.check(host)
        if place.get_backend_name() == "sqlite" and place.database in (None, "", ":memory:"):
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
    from sqlalchemy import Column, MetaData, String, Table, Text

    metadata = MetaData()
    for schema in TABLES:
        Table(_PREFIX + schema.name, metadata, *_columns(schema))
    for name in ("frame", "negative"):
        last = [Column("row_ids", Text, nullable=False)] if name == "frame" else []
        Table(
            _PREFIX + name,
            metadata,
            Column("tool", String, nullable=False),
            Column("identifier", String, nullable=False, index=True),
            *last,
        )
    Table(f"{_PREFIX}world", metadata, Column("digest", String, nullable=False))
    return metadata


def _columns(schema: TableSchema) -> Iterator[Column[Any]]:
    from sqlalchemy import Column, Integer, String, Text

    yield Column("id", String, primary_key=True)
    yield Column("place", Integer, nullable=False)
    yield Column("origin", String, nullable=False)
    yield from (Column(name, Text) for name in schema.columns)
    yield from (Column(name + _KEY, Text, index=True) for name in schema.keys)


def _matching(table: Table, tool: str, key: str, wanted: Column[Any]) -> Select[Any]:
    from sqlalchemy import select

    return select(wanted).where(table.c.identifier == key, table.c.tool == tool)


def _row(schema: TableSchema, found: Any) -> Row:
    cells = {name: json.loads(found[name]) for name in schema.columns if found[name] is not None}
    return Row(found["id"], cells, found["origin"])


def _stored(schema: TableSchema, rows: Iterator[RowLine]) -> Iterator[dict[str, Any]]:
    """Rows as they are inserted; what a supplement says of a row that is there is put into it."""
    main: dict[Any, dict[str, Any]] = {}
    stored: list[dict[str, Any]] = []
    for place, line in enumerate(rows):
        value = _stored_row(schema, line, place)
        known = main.get(value[schema.columns[0]]) if line.source else None
        if known is None:
            stored.append(value)
            main.setdefault(value[schema.columns[0]], value)
        else:
            _complete(known, value)
    return iter(stored)


def _complete(known: dict[str, Any], more: dict[str, Any]) -> None:
    """Fill unknown cells of a row from another source."""
    gaps = [name for name, cell in known.items() if cell is None and more[name] is not None]
    if gaps:
        known.update({name: more[name] for name in gaps})
        columns = "、".join(name for name in gaps if not name.endswith(_KEY))
        known["origin"] = f"{more['origin']}: {columns}"


def _stored_row(schema: TableSchema, line: RowLine, place: int) -> dict[str, Any]:
    cells = {
        name: json.dumps(line.row[name], ensure_ascii=False) if name in line.row else None
        for name in schema.columns
    }
    keys = {
        name + _KEY: normal(str(line.row[name])) if line.row.get(name) is not None else None
        for name in schema.keys
    }
    return {"id": line.id, "place": place, "origin": line.source, **cells, **keys}


def _stored_frame(line: FrameLine) -> dict[str, Any]:
    return {**_stored_call(line), "row_ids": json.dumps(line.row_ids)}


def _stored_negative(line: NegativeLine) -> dict[str, Any]:
    return _stored_call(line)


def _stored_call(line: FrameLine | NegativeLine) -> dict[str, Any]:
    parts = [line.identifier] if isinstance(line.identifier, str) else line.identifier
    return {"tool": line.tool, "identifier": key_of(parts)}
