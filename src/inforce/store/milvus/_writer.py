"""Putting documents into a build in Milvus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from inforce.store._days import ordinals
from inforce.store._preparing import Batch
from inforce.store._writing import BatchWriter, KeyRows
from inforce.store.milvus._ledger import Ledger, State, term_counts
from inforce.store.milvus._snapshot import MilvusSnapshot, rows_named
from inforce.store.milvus._sparse import document_vector, name_hash
from inforce.store.milvus._tables import Row, Table
from inforce.store.schema import Document, Matrix, Schema

MOST_GONE = 2_000
"""Rows that a state can name as deleted; where there are more, readers miss them a moment before
the commit."""

_PIECE = 16_000
"""Characters of a payload in one cell: at most 64,000 bytes, and Milvus takes 65,535."""


@dataclass(frozen=True, slots=True)
class OpenBuild:
    """The tables of a build."""

    name: str
    schema: Schema
    documents: Table
    ledger: Ledger

    def snapshot(self, earlier: MilvusSnapshot | None = None) -> MilvusSnapshot:
        """The last commit; the earlier snapshot if it still is."""
        state = self.ledger.state()
        if earlier is not None and earlier.state == state:
            return earlier
        return MilvusSnapshot(self.documents, self.ledger, state, self.schema)


class MilvusWriter(BatchWriter):
    """The one writer of a build."""

    def __init__(self, build: OpenBuild) -> None:
        super().__init__(build.schema)
        self._build = build
        self._state = self._begun()
        self._see(build.snapshot())

    @property
    def build(self) -> str:
        return self._build.name

    @property
    def rows(self) -> int:
        return self._state.rows

    def __len__(self) -> int:
        return len(self._committed)

    def resume(self) -> None:
        """Go on with what an interrupted build committed."""
        self._keys.parent = self._state.parent

    def delete(self, keys: Iterable[str]) -> tuple[str, ...]:
        wanted = list(dict.fromkeys(keys))
        self._look_up(wanted)
        return tuple(key for key in wanted if self._delete_rows(self._keys.remove(key)))

    def annotate(self, note: str) -> None:
        self._state = msgspec.structs.replace(self._state, note=note)

    def commit(self) -> None:
        before, ledger = self._committed.state, self._build.ledger
        gone = sorted(self._gone)
        counts = term_counts(self._build.documents.rows(gone, ["terms"]))
        self._counts.subtract(counts)
        ledger.commit(msgspec.structs.replace(before, counting=True))
        if len(gone) > MOST_GONE:
            self._build.documents.remove(gone)
        ledger.count(self._counts)
        self._state = msgspec.structs.replace(
            self._state,
            generation=before.generation + 1,
            documents=self._state.documents - len(gone),
            gone=tuple(gone) if len(gone) <= MOST_GONE else (),
            parent=self._keys.parent,
            counting=False,
        )
        self._build.documents.settle()
        ledger.commit(self._state)
        if self._state.gone:
            self._build.documents.remove(gone)
        ledger.settle()
        self._see(self._build.snapshot(), self._keys.parent)

    def _begun(self) -> State:
        """The last commit, cleared of what a writer that stopped halfway left behind."""
        documents, ledger = self._build.documents, self._build.ledger
        state = ledger.state()
        documents.remove_from(state.rows)
        documents.remove(state.gone)
        if state.counting:
            ledger.recount(term_counts(documents.rows_before(state.rows, ["terms"])))
            state = msgspec.structs.replace(state, counting=False)
            ledger.commit(state)
        return state

    def _see(self, committed: MilvusSnapshot, parent: str = "") -> None:
        self._committed = committed
        self._known: dict[str, list[int]] = {}
        self._keys = KeyRows(lambda name: self._known.get(name, ()), parent=parent)
        self._gone: set[int] = set()
        self._counts: Counter[int] = Counter()

    def _look_up(self, names: Sequence[str]) -> None:
        """Learn which rows keys and parents have as of the last commit."""
        if len(self._committed):
            condition = f"id < {self._committed.rows}"
            self._known |= rows_named(self._build.documents, condition, names)

    def _put(self, batch: Batch) -> int:
        documents, first = batch.documents, self.rows
        terms = {
            channel.name: [text.split() for text in texts]
            for channel, texts in zip(self._build.schema.channels, batch.terms, strict=True)
        }
        lengths = self._state.usual_lengths or {
            name: max(1.0, sum(map(len, found)) / len(found)) for name, found in terms.items()
        }
        schema, dimension = self._build.schema, self._state.dimension
        vectors = schema.document_vectors(documents, dimension, terms=batch.terms)
        rows = list(_rows(documents, terms, lengths, vectors, first))
        self._build.documents.write(rows)
        self._counts.update(term_counts(rows))
        self._look_up([document.parent or document.key for document in documents])
        replaced = 0
        for row, document in enumerate(documents, first):
            replaced += self._delete_rows(self._keys.place(row, document))
        self._state = msgspec.structs.replace(
            self._state,
            rows=first + len(documents),
            documents=self._state.documents + len(documents),
            usual_lengths=lengths,
        )
        return replaced

    def _delete_rows(self, rows: Sequence[int]) -> bool:
        self._gone.update(rows)
        return bool(rows)


def _rows(
    documents: Sequence[Document],
    terms: Mapping[str, Sequence[list[str]]],
    usual_lengths: Mapping[str, float],
    vectors: Matrix | None,
    first: int,
) -> Iterator[Row]:
    for number, document in enumerate(documents):
        start, end = ordinals(document.days)
        found = {channel: texts[number] for channel, texts in terms.items()}
        row = {
            "id": first + number,
            "key": document.key,
            "parent": document.parent,
            "key_hash": name_hash(document.key),
            "parent_hash": name_hash(document.parent),
            "first": start,
            "end": end,
            "exact": list(document.exact),
            "payload": [
                document.payload[place : place + _PIECE]
                for place in range(0, len(document.payload), _PIECE)
            ],
            "terms": document_vector(found, document.exact, usual_lengths),
        }
        yield row if vectors is None else row | {"vector": vectors[number].tolist()}
