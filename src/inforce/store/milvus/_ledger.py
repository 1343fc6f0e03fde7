"""The ledger of a collection in Milvus: its state, and how many documents have each term.

Milvus has no transactions. Rows are therefore numbered, and only rows below `State.rows` that are
not among `State.gone` are ever shown: writing the state is the commit. A writer that stopped
halfway leaves rows above, which the next one removes, or counts that may be wrong, which
`State.counting` says and the next one mends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from inforce.errors import SearchIndexError
from inforce.store.milvus._sparse import counted_dimension, is_counted
from inforce.store.milvus._tables import Milvus, Row, Table
from inforce.store.protocol import require_format

FORMAT = 2
"""1 were the statute indexes of the first release."""

_STATE = -1
"""The row of the state; the others are dimensions of terms, 0 or more."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A collection as of a commit, and its form."""

    channels: dict[str, int]
    """The version of each lexical channel's analyser."""
    encoder: str = ""
    dimension: int = 0
    fingerprint: str = ""
    generation: int = 0
    rows: int = 0
    """Rows below this count, but for those deleted."""
    documents: int = 0
    gone: tuple[int, ...] = ()
    """Rows deleted by this commit, which may not have been removed yet."""
    usual_lengths: dict[str, float] = {}
    """Terms of a usual document by channel: the mean of those that came first."""
    note: str = ""
    parent: str = ""
    """The parent of the last row: the passages of one document may be parted by a commit."""
    counting: bool = False
    """A writer is changing the counts of terms; without a writer, it stopped doing so."""
    format: int = FORMAT


class Ledger:
    """The table beside the table of documents."""

    def __init__(self, milvus: Milvus, build: str, *, remedy: str) -> None:
        self._table = Table(milvus, ledger_of(build))
        self._where = f"in {build!r} of the Milvus at {milvus.shown!r}"
        self._remedy = remedy

    def load(self) -> None:
        """Make it readable after a restart of Milvus."""
        self._table.load()

    def state(self) -> State:
        """The last commit.

        Raises:
            SearchIndexError: if there is none, or it is of another format.
        """
        found = [row["text"] for row in self._table.rows([_STATE], ["text"])]
        if not found:
            raise SearchIndexError(f"no index {self._where}: {self._remedy}")
        written = msgspec.json.decode(found[0])
        require_format(written["format"], FORMAT, where=self._where, remedy=self._remedy)
        return msgspec.convert(written, State)

    def commit(self, state: State) -> None:
        """Make a state the last one."""
        self._table.write([_row(_STATE, 0, msgspec.json.encode(state).decode())])

    def frequencies(self, channel: str, terms: Sequence[str]) -> list[int]:
        """In how many documents each term occurs."""
        wanted = [counted_dimension(channel, term) for term in terms]
        found = self._counts(wanted) if wanted else {}
        return [found.get(which, 0) for which in wanted]

    def count(self, change: Mapping[int, int]) -> None:
        """Add to the counts of terms, given by dimension; less than 0 takes away."""
        known = self._counts(change)
        self._table.write(
            [_row(which, known.get(which, 0) + more, "") for which, more in sorted(change.items())]
        )

    def recount(self, counts: Mapping[int, int]) -> None:
        """Replace all counts."""
        self._table.remove_from(0)
        self.count(counts)

    def settle(self) -> None:
        """Put it in the form that is read fast."""
        self._table.settle()

    def _counts(self, dimensions: Iterable[int]) -> dict[int, int]:
        found = self._table.rows(sorted(set(dimensions)), ["documents"])
        return {row["id"]: row["documents"] for row in found}


def ledger_of(build: str) -> str:
    """The name of the ledger of a build."""
    return f"{build}_ledger"


def term_counts(rows: Iterable[Row]) -> Counter[int]:
    """In how many of these documents each term occurs, by dimension."""
    return Counter(which for row in rows for which in row["terms"] if is_counted(which))


def _row(which: int, documents: int, text: str) -> Row:
    return {"id": which, "documents": documents, "text": text, "vector": [0.0, 0.0]}
