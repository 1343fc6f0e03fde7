"""Milvus as this library uses it: tables of numbered rows, and errors that say what to do."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar
from urllib.parse import urlsplit

from inforce.errors import MissingExtraError, SearchIndexError
from inforce.store.milvus._sparse import Sparse
from inforce.store.schema import Matrix

PAGE = 4_000
"""Rows read or written in one call: some megabytes, far below what Milvus refuses (64 MB)."""

MOST_HITS = 16_384
"""More than this Milvus does not return from one search."""

_PATIENCE = 60.0
"""Seconds a call may take, repeated attempts included."""

_BREADTH = 128
"""The least number of neighbours that a search of the graph considers."""

_GRAPH = {"index_type": "HNSW", "params": {"M": 32, "efConstruction": 200}}
_IS_IT_RUNNING = "Is the server running, and do the address and INFORCE_MILVUS_TOKEN fit it?"
_ONE_PROCESS = (
    "Its folder must exist, and one process at a time may have the file open: for several, "
    "run a server"
)

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
        try:
            self.client: Any = self._library.MilvusClient(uri, token=token, timeout=_PATIENCE)
        except self._failures as error:
            raise self._explained(error) from error

    def call(self, method: str, *args: object, **options: object) -> Any:
        """Call a method of the client.

        Raises:
            SearchIndexError: if Milvus does not do what was asked: it says where, and what to do.
        """
        try:
            return getattr(self.client, method)(*args, timeout=_PATIENCE, **options)
        except self._failures as error:
            raise self._explained(error) from error

    def tables(self) -> list[str]:
        """The names of all tables."""
        return sorted(self.call("list_collections"))

    def drop(self, table: str) -> None:
        """Remove a table, if it is there."""
        self.call("drop_collection", table)

    def target_of(self, alias: str) -> str:
        """The table an alias stands for, among those whose names begin with it; or empty."""
        for table in self.tables():
            if table.startswith(alias) and alias in self.call("list_aliases", table)["aliases"]:
                return table
        return ""

    def point(self, alias: str, table: str) -> None:
        """Let an alias stand for a table from now on, in one step."""
        self.call("alter_alias" if self.target_of(alias) else "create_alias", table, alias)

    def create_documents(self, name: str, dimension: int) -> None:
        """Make an empty table of documents, with vectors of ``dimension`` numbers if not 0."""
        kinds, schema, indexes = self._blank()
        for column in ("key", "parent"):
            schema.add_field(column, kinds.VARCHAR, max_length=8_192)
        for column in ("key_hash", "parent_hash", "first", "end"):
            schema.add_field(column, kinds.INT64)
        texts = {"element_type": kinds.VARCHAR, "max_length": 65_535, "max_capacity": 1_024}
        for column in ("exact", "payload"):
            schema.add_field(column, kinds.ARRAY, **texts)
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
        # Strong: what was written is seen by whoever asks next.
        self.call("create_collection", name, schema=schema, consistency_level="Strong")
        self.call("create_index", name, indexes, sync=False)
        Table(self, name).load()

    def _explained(self, error: Any) -> SearchIndexError:
        advice = _ONE_PROCESS if self.is_file else _IS_IT_RUNNING
        reason = getattr(error, "message", error)
        return SearchIndexError(
            f"Milvus at {self.shown!r} did not do what was asked: {reason}. {advice}"
        )


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a Milvus."""

    milvus: Milvus
    name: str

    def load(self) -> None:
        """Make it searchable after a restart of Milvus; at once if it is already."""
        self.milvus.call("load_collection", self.name)

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows, each over the one that had its id."""
        for part in _pages(rows):
            self.milvus.call("upsert", self.name, part)

    def settle(self) -> None:
        """Put what was written in the form that is searched fast; a server does so by itself."""
        if self.milvus.is_file:
            self.milvus.call("flush", self.name)

    def remove(self, ids: Sequence[int]) -> None:
        """Remove rows."""
        for part in _pages(ids):
            self.milvus.call("delete", self.name, ids=part)

    def remove_from(self, first: int) -> None:
        """Remove the rows from ``first`` on."""
        self.milvus.call("delete", self.name, filter=f"id >= {first}")

    def rows(self, ids: Sequence[int], columns: Sequence[str]) -> Iterator[Row]:
        """The rows of these ids that there are, in no order."""
        for part in _pages(ids):
            yield from self.milvus.call("get", self.name, ids=part, output_fields=["id", *columns])

    def matching(self, condition: str, columns: Sequence[str]) -> list[Row]:
        """The rows, in order, that a condition lets through: fewer than `MOST_HITS`."""
        found = self.milvus.call(
            "query", self.name, filter=condition, output_fields=["id", *columns]
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
        [found] = self.milvus.call(
            "search",
            self.name,
            data=[vector if isinstance(vector, dict) else vector.tolist()],
            anns_field=column,
            filter=where,
            limit=limit,
            output_fields=["id", *columns],
            search_params={"metric_type": "IP", **params},
        )
        return [Match(hit["id"], hit["distance"], hit["entity"]) for hit in found]


def shown(uri: str) -> str:
    """``http://user:password@host`` may be given, and must not be shown."""
    host = urlsplit(uri).netloc
    return uri.replace(host, host.rpartition("@")[2], 1) if host else uri


def _library(name: str) -> Any:
    try:
        library = import_module(name)
    except ImportError as error:
        raise MissingExtraError("an index in a Milvus", "milvus") from error
    # Every failure is raised as well: nobody needs to see it twice, with a stack.
    logging.getLogger(name).setLevel(logging.CRITICAL)
    return library


def _pages(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    for start in range(0, len(items), PAGE):
        yield list(items[start : start + PAGE])
