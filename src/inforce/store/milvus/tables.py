"""Milvus as this library uses it: tables of numbered rows, and errors that say what to do."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar
from urllib.parse import urlsplit

from inforce.errors import MissingExtraError, SearchIndexError
from inforce.store.milvus.sparse import Sparse
from inforce.store.protocol import Matrix

PAGE = 4_000
"""Rows read or written in one call: some megabytes, far below what Milvus refuses (64 MB)."""

MOST_HITS = 16_384
"""More than this Milvus does not return from one search."""

_PATIENCE = 60.0
"""Seconds a call may take, repeated attempts included."""

_BREADTH = 128
"""How many neighbours a search of the graph keeps in view, at least."""

_Item = TypeVar("_Item")

Row = Mapping[str, Any]
"""Column to value; ``id`` is always one of them."""


@dataclass(frozen=True, slots=True)
class Match:
    """A row a search returned, with its inner product and the columns asked for."""

    id: int
    product: float
    columns: Row


class Milvus:
    """A connection to a file (``./statutes.db``) or a server (``http://host:19530``).

    Args:
        uri: where it is.
        token: ``user:password`` or an API key; never shown.

    Raises:
        MissingExtraError: if pymilvus (for a file, milvus-lite) is not installed.
        SearchIndexError: if it cannot be reached.
    """

    def __init__(self, uri: str, *, token: str = "") -> None:
        self.shown = shown(uri)
        self.is_file = uri.endswith(".db")
        self._library = _library("pymilvus")
        if self.is_file:
            _library("milvus_lite")
        self._failures = (self._library.MilvusException, _library("grpc").RpcError)
        with self.explaining():
            self.client: Any = self._library.MilvusClient(uri, token=token, timeout=_PATIENCE)

    @contextmanager
    def explaining(self) -> Generator[None]:
        """Turn what Milvus raises into an error that says where, and what to do."""
        try:
            yield
        except self._failures as error:
            advice = _ONE_PROCESS if self.is_file else _IS_IT_RUNNING
            raise SearchIndexError(
                f"Milvus at {self.shown!r} did not do what was asked: {_reason(error)}. {advice}"
            ) from error

    def has(self, name: str) -> bool:
        """Whether there is a table (or an alias) of this name."""
        with self.explaining():
            return bool(self.client.has_collection(name, timeout=_PATIENCE))

    def drop(self, name: str) -> None:
        """Remove a table, if it is there."""
        with self.explaining():
            self.client.drop_collection(name, timeout=_PATIENCE)

    def tables(self) -> list[str]:
        """The names of all tables."""
        with self.explaining():
            return sorted(self.client.list_collections(timeout=_PATIENCE))

    def target_of(self, alias: str) -> str:
        """The table an alias stands for, among those whose names begin with it; or empty."""
        for table in self.tables():
            if table.startswith(alias):
                with self.explaining():
                    found = self.client.list_aliases(table, timeout=_PATIENCE)
                if alias in found["aliases"]:
                    return table
        return ""

    def point(self, alias: str, table: str) -> None:
        """Let an alias stand for a table from now on, in one step."""
        known = bool(self.target_of(alias))
        with self.explaining():
            name_it = self.client.alter_alias if known else self.client.create_alias
            name_it(table, alias, timeout=_PATIENCE)

    def remove_alias(self, alias: str) -> None:
        """Let an alias stand for nothing."""
        if self.target_of(alias):
            with self.explaining():
                self.client.drop_alias(alias, timeout=_PATIENCE)

    def create_documents(self, name: str, dimension: int) -> None:
        """Make an empty table of documents, with vectors of ``dimension`` numbers if not 0."""
        kinds, schema, indexes = self._blank()
        for column in ("key", "parent"):
            schema.add_field(column, kinds.VARCHAR, max_length=8_192)
        for column in ("key_hash", "parent_hash", "first", "end"):
            schema.add_field(column, kinds.INT64)
        for column in ("exact", "payload"):
            schema.add_field(
                column,
                kinds.ARRAY,
                element_type=kinds.VARCHAR,
                max_length=65_535,
                max_capacity=1_024,
            )
        schema.add_field("terms", kinds.SPARSE_FLOAT_VECTOR)
        indexes.add_index("terms", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
        if dimension:
            schema.add_field("vector", kinds.FLOAT_VECTOR, dim=dimension)
            # A scan is exact, and a file holds no more than a scan can do; a server has the graph.
            kind = {"index_type": "FLAT"} if self.is_file else _GRAPH
            indexes.add_index("vector", metric_type="IP", **kind)
        if not self.is_file:
            for column in ("key_hash", "parent_hash"):
                indexes.add_index(column, index_type="INVERTED")
        self._create(name, schema, indexes)

    def create_ledger(self, name: str) -> None:
        """Make an empty table of counts and one text, for what a collection knows of itself."""
        kinds, schema, indexes = self._blank()
        schema.add_field("documents", kinds.INT64)
        schema.add_field("text", kinds.VARCHAR, max_length=65_535)
        schema.add_field("vector", kinds.FLOAT_VECTOR, dim=2)  # Milvus has no table without one
        indexes.add_index("vector", index_type="FLAT", metric_type="IP")
        self._create(name, schema, indexes)

    def _blank(self) -> tuple[Any, Any, Any]:
        kinds = self._library.DataType
        schema = self.client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("id", kinds.INT64, is_primary=True)
        return kinds, schema, self.client.prepare_index_params()

    def _create(self, name: str, schema: Any, indexes: Any) -> None:
        self.drop(name)
        with self.explaining():
            self.client.create_collection(
                name,
                schema=schema,
                consistency_level="Strong",  # what was written is seen by whoever asks next
                timeout=_PATIENCE,
            )
            self.client.create_index(name, indexes, sync=False, timeout=_PATIENCE)
        Table(self, name).load()


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a Milvus."""

    milvus: Milvus
    name: str

    def load(self) -> None:
        """Make it searchable after a restart of Milvus; at once if it is already."""
        with self.milvus.explaining():
            self.milvus.client.load_collection(self.name, timeout=_PATIENCE)

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows, each over the one that had its id."""
        with self.milvus.explaining():
            for part in _pages(rows):
                self.milvus.client.upsert(self.name, part, timeout=_PATIENCE)

    def settle(self) -> None:
        """Put what was written in the form that is searched fast; a server does so by itself."""
        if self.milvus.is_file:
            with self.milvus.explaining():
                self.milvus.client.flush(self.name, timeout=_PATIENCE)

    def remove(self, ids: Sequence[int]) -> None:
        """Remove rows."""
        with self.milvus.explaining():
            for part in _pages(ids):
                self.milvus.client.delete(self.name, ids=part, timeout=_PATIENCE)

    def remove_from(self, first: int) -> None:
        """Remove the rows from ``first`` on."""
        with self.milvus.explaining():
            self.milvus.client.delete(self.name, filter=f"id >= {first}", timeout=_PATIENCE)

    def rows(self, ids: Sequence[int], columns: Sequence[str]) -> Iterator[Row]:
        """The rows of these ids that there are, in no order."""
        for part in _pages(ids):
            with self.milvus.explaining():
                found = self.milvus.client.get(
                    self.name, ids=part, output_fields=["id", *columns], timeout=_PATIENCE
                )
            yield from found

    def matching(self, condition: str, columns: Sequence[str]) -> list[Row]:
        """The rows, in order, that a condition lets through: fewer than `MOST_HITS`."""
        with self.milvus.explaining():
            found = self.milvus.client.query(
                self.name, filter=condition, output_fields=["id", *columns], timeout=_PATIENCE
            )
        return sorted(found, key=lambda row: row["id"])

    def rows_before(self, last: int, columns: Sequence[str]) -> Iterator[Row]:
        """All rows whose id is 0 or more and less than ``last``, in order."""
        for first in range(0, last, PAGE):
            yield from self.matching(f"id >= {first} and id < {min(first + PAGE, last)}", columns)

    def search(
        self,
        column: str,
        vector: Matrix | Sparse,
        *,
        where: str,
        limit: int,
        columns: Sequence[str] = (),
    ) -> list[Match]:
        """The rows ``where`` lets through with the greatest inner products, greatest first."""
        graph = column == "vector" and not self.milvus.is_file
        params = {"params": {"ef": max(limit, _BREADTH)}} if graph else {}
        with self.milvus.explaining():
            [found] = self.milvus.client.search(
                self.name,
                data=[vector if isinstance(vector, dict) else vector.tolist()],
                anns_field=column,
                filter=where,
                limit=limit,
                output_fields=["id", *columns],
                search_params={"metric_type": "IP", **params},
                timeout=_PATIENCE,
            )
        return [Match(hit["id"], hit["distance"], hit["entity"]) for hit in found]


_GRAPH = {"index_type": "HNSW", "params": {"M": 32, "efConstruction": 200}}
_IS_IT_RUNNING = "Is the server running, and do the address and INFORCE_MILVUS_TOKEN fit it?"
_ONE_PROCESS = (
    "Its folder must exist, and one process at a time may have the file open: for several, "
    "run a server"
)


def _library(name: str) -> Any:
    try:
        library = import_module(name)
    except ImportError as error:
        raise MissingExtraError("an index in a Milvus", "milvus") from error
    # Every failure is raised as well: nobody needs to see it twice, with a stack.
    logging.getLogger(name).setLevel(logging.CRITICAL)
    return library


def _reason(error: Any) -> str:
    return str(getattr(error, "message", error))


def shown(uri: str) -> str:
    """``http://user:password@host`` may be given, and must not be shown."""
    host = urlsplit(uri).netloc
    return uri.replace(host, host.rpartition("@")[2], 1) if host else uri


def _pages(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    for start in range(0, len(items), PAGE):
        yield list(items[start : start + PAGE])
