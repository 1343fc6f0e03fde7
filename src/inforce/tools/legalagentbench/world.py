"""The rebuilt world of LegalAgentBench: what its server held, as far as anybody has seen it.

Three answers are kept apart. The data has it; the server is known to have had nothing; the data at
hand cannot tell. Where the complete result of a call was seen (a frame), it is the answer. Without
one, the rows of a table are only some of those the server may have had.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from inforce.tools.legalagentbench.catalogue import MARKS, TABLES, TableSchema, TableTool
from inforce.tools.legalagentbench.documents import Collection, CollectionName
from inforce.tools.legalagentbench.storage import IN_MEMORY, Row, Storage, key_of

Knowledge = Literal["known", "nothing", "partly"]
"""``known``: the rows are the server's answer. ``nothing``: the server had none, or could have
none, as what was asked for is no value of the column. ``partly``: there may be others, or none at
all is known."""

_AUTHORITIES = "AdministrativeCase"


@dataclass(frozen=True, slots=True)
class LookUp:
    """What the world knows of a call."""

    knowledge: Knowledge
    rows: tuple[Row, ...] = ()


class World:
    """Tables and collections; safe to share between threads and runs."""

    def __init__(self, folder: Path, storage: Storage) -> None:
        self._folder = folder
        self._storage = storage

    @classmethod
    def load(cls, folder: Path, url: str = IN_MEMORY) -> World:
        """Read a world into a database; one that holds this very world already is left as it is.

        Args:
            folder: with ``tables/``, ``corpora/``, ``frames.jsonl`` and ``negatives.jsonl``.
            url: of the database, as SQLAlchemy has it: ``sqlite://`` (in memory),
                ``sqlite:///world.db``, ``postgresql+psycopg://user@host/name``. Tables whose names
                begin with ``legalagentbench_`` are ours and are replaced.

        Raises:
            InputError: if a file is missing or is not what it should be.
            UserError: if the database cannot be used.
            MissingExtraError: if the extra ``tables`` is not installed.
        """
        storage = Storage(url)
        try:
            storage.fill(folder)
        except BaseException:
            storage.close()
            raise
        return cls(folder, storage)

    @property
    def tables(self) -> tuple[TableSchema, ...]:
        """The tables there are."""
        return TABLES

    @cached_property
    def collections(self) -> dict[CollectionName, Collection]:
        """The collections of documents, by name; read when they are first asked for.

        Raises:
            InputError: if a file is missing or is not what it should be.
        """
        return Collection.read_all(self._folder)

    def look_up(self, tool: TableTool, identifier: Sequence[str]) -> LookUp:
        """What the server would have answered, as far as it is known.

        Args:
            tool: the look-up.
            identifier: one value; province, city and county where the tool goes by region.
        """
        if not all(identifier):
            return LookUp("nothing")  # no cell is empty: so the server answered all of them
        key = key_of(identifier)
        ids = self._storage.frame(tool.name, key)
        if ids is not None:
            return LookUp("known", self._storage.with_ids(tool.table, ids))
        if self._storage.is_negative(tool.name, key):
            return LookUp("nothing")
        rows = self._matching(tool, identifier)
        if not rows and _is_of_another_kind(tool, identifier):
            return LookUp("nothing")
        is_settled = len(rows) == 1 and tool.answer != "rows"
        return LookUp("known" if is_settled else "partly", rows)

    def close(self) -> None:
        """Let go of the database."""
        self._storage.close()

    def _matching(self, tool: TableTool, identifier: Sequence[str]) -> tuple[Row, ...]:
        if tool.by_region:
            return self._storage.with_all(tool.table, tool.keys, identifier)
        return self._storage.with_any(tool.table, tool.keys, identifier[0])


def _is_of_another_kind(tool: TableTool, identifier: Sequence[str]) -> bool:
    """Whether an identifier cannot be a value of the column, as a place's name is no court's."""
    if tool.by_region or tool.table == _AUTHORITIES:
        return False
    return all(name in MARKS and not re.search(MARKS[name], identifier[0]) for name in tool.keys)
