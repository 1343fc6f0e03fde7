"""The rebuilt world of LegalAgentBench: the data of its server, as far as anybody has seen it.

Three answers are distinguished: the data has it; the server is known to have had nothing; the data
at hand cannot tell. Where the complete result of a call was seen (a frame), it is the answer.
Without one, the rows of a table are only some of those the server may have had.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from inforce.errors import MissingExtraError
from inforce.tools.legalagentbench.catalogue import MARKS, TableTool
from inforce.tools.legalagentbench.documents import Collection, CollectionName
from inforce.tools.legalagentbench.files import Row

if TYPE_CHECKING:
    from inforce.tools.legalagentbench.storage import Storage

IN_MEMORY = "sqlite://"

Knowledge = Literal["known", "nothing", "partly"]
"""``known``: the rows are the server's answer. ``nothing``: the server had none, or could have
none, as what was asked for is no value of the column. ``partly``: there may be others, or none at
all is known."""

_AUTHORITIES = "AdministrativeCase"


@dataclass(frozen=True, slots=True)
class LookUp:
    """The rows for a call, and how much they prove."""

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
        try:
            from inforce.tools.legalagentbench.storage import Storage
        except ImportError as error:
            raise MissingExtraError("the tables of LegalAgentBench", "tables") from error
        storage = Storage(url)
        try:
            storage.fill(folder)
        except BaseException:
            storage.close()
            raise
        return cls(folder, storage)

    @cached_property
    def collections(self) -> dict[CollectionName, Collection]:
        """The collections of documents, by name; read when they are first asked for.

        Raises:
            InputError: if a file is missing or is not what it should be.
        """
        return Collection.read_all(self._folder)

    def look_up(self, tool: TableTool, identifier: Sequence[str]) -> LookUp:
        """Look up what the server would have answered, as far as it is known.

        Args:
            tool: the look-up.
            identifier: one value; province, city and county where the tool goes by region.
        """
        if not all(identifier):
            return LookUp("nothing")  # no cell is empty: so the server answered all of them
        complete = self._storage.frame(tool, identifier)
        if complete is not None:
            return LookUp("known", complete)
        if self._storage.is_negative(tool, identifier):
            return LookUp("nothing")
        rows = self._storage.matching(tool, identifier)
        if not rows and _is_of_another_kind(tool, identifier):
            return LookUp("nothing")
        is_settled = len(rows) == 1 and tool.answer != "rows"
        return LookUp("known" if is_settled else "partly", rows)

    def close(self) -> None:
        """Close the database."""
        self._storage.close()


def _is_of_another_kind(tool: TableTool, identifier: Sequence[str]) -> bool:
    """Whether an identifier cannot be a value of the column, as a place's name is no court's."""
    if tool.by_region or tool.table == _AUTHORITIES:
        return False
    return all(name in MARKS and not re.search(MARKS[name], identifier[0]) for name in tool.keys)
