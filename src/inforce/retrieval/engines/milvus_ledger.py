"""What an index in Milvus knows of itself: its state, and how many documents have each word.

Milvus has no transactions. Rows are therefore numbered, and only rows below `State.rows` are ever
shown: writing the state is the commit. A writer that stopped halfway leaves rows above, which the
next one removes, or counts that may be wrong, which `State.counting` says and the next one mends.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from inforce.errors import SearchIndexError
from inforce.retrieval.engines.milvus_tables import Milvus, Row, Table
from inforce.retrieval.engines.sparse import Frequencies, dimension, is_word

FORMAT = 1

_STATE = -1
"""The row of the state; the others are dimensions of words, 0 or more."""


@dataclass(frozen=True, slots=True)
class State:
    """An index after a commit."""

    encoder: str
    dimension: int
    commit: int = 0
    rows: int = 0
    """Rows below this count, but for those deleted."""
    documents: int = 0
    usual_length: float = 0.0
    """Terms of a usual document: the mean of those that came first; 0 before any came."""
    note: str = ""
    counting: bool = False
    """A writer is changing the counts of words; without a writer, it stopped doing so."""
    format: int = FORMAT


class Ledger:
    """The table beside the table of documents."""

    def __init__(self, milvus: Milvus, collection: str) -> None:
        self._table = Table(milvus, ledger_of(collection))
        self._where = f"collection {collection!r} of the Milvus at {milvus.shown!r}"

    @classmethod
    def create(cls, milvus: Milvus, collection: str) -> Ledger:
        """Make an empty one."""
        milvus.create_ledger(ledger_of(collection))
        return cls(milvus, collection)

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
            raise SearchIndexError(f"no search index in {self._where}: {_REBUILD}")
        fields = json.loads(found[0])
        if fields["format"] != FORMAT:
            raise SearchIndexError(
                f"the index in {self._where} has format {fields['format']}, not {FORMAT}: "
                f"{_REBUILD}"
            )
        return State(**fields)

    def commit(self, state: State) -> None:
        """Make a state the last one."""
        self._table.write([_row(_STATE, 0, json.dumps(asdict(state), ensure_ascii=False))])

    def frequencies(self, terms: Sequence[str], documents: int) -> Frequencies:
        """In how many of the documents each term occurs."""
        wanted = {term: dimension("word", term) for term in terms}
        found = self._counts(wanted.values()) if wanted else {}
        return Frequencies(documents, {term: found.get(w, 0) for term, w in wanted.items()})

    def count(self, change: Mapping[int, int]) -> None:
        """Add to the counts of words, given by dimension; less than 0 takes away."""
        known = self._counts(change)
        self._table.write(
            [_row(word, known.get(word, 0) + more, "") for word, more in sorted(change.items())]
        )

    def recount(self, counts: Mapping[int, int]) -> None:
        """Replace all counts."""
        self._table.remove_from(0)
        self.count(counts)

    def settle(self) -> None:
        """Put it in the form that is read fast."""
        self._table.settle()

    def _counts(self, words: Iterable[int]) -> dict[int, int]:
        found = self._table.rows(sorted(set(words)), ["documents"])
        return {row["id"]: row["documents"] for row in found}


def ledger_of(collection: str) -> str:
    """The name of the ledger of a collection."""
    return f"{collection}_ledger"


def words_of(rows: Iterable[Row]) -> Counter[int]:
    """In how many of these documents each word occurs, by dimension."""
    return Counter(which for row in rows for which in row["words"] if is_word(which))


_REBUILD = "make one with: inforce corpus index --rebuild"


def _row(which: int, documents: int, text: str) -> Row:
    return {"id": which, "documents": documents, "text": text, "vector": [0.0, 0.0]}
