"""Putting documents into a build: one writer at a time, nothing visible before a commit."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import tantivy

from inforce.store._days import UNDATED, ordinals
from inforce.store._preparing import Batch, Priority
from inforce.store._writing import BatchWriter, KeyRows
from inforce.store.local._lexicon import Damaged, Lexicon, entry, naming_damage
from inforce.store.local._records import RecordWriter, State, packed
from inforce.store.local._snapshot import LocalSnapshot, graph_name
from inforce.store.local._vectors import FLAT_LIMIT, TAIL, grow_graph
from inforce.store.protocol import IndexBusyError
from inforce.store.schema import Schema

HEAP = 96_000_000
"""Bytes of documents that tantivy holds in memory before it writes them out as a segment."""


class OpenBuild:
    """A build in a folder, opened; the dimension of its vectors is 0 without a dense channel."""

    def __init__(self, folder: Path, schema: Schema, *, dimension: int, damaged: Damaged) -> None:
        self.folder = folder
        self.schema = schema
        self.dimension = dimension
        self.damaged = damaged
        with naming_damage(damaged):
            self.lexicon = Lexicon(folder / "lexicon", schema.versions)

    def snapshot(self, earlier: LocalSnapshot | None = None) -> LocalSnapshot:
        """The last commit.

        Raises:
            SearchIndexError: if it is damaged, or there is none.
        """
        found = self.snapshot_or_none(earlier)
        if found is None:
            raise self.damaged(ValueError("nothing was ever committed to it"))
        return found

    def snapshot_or_none(self, earlier: LocalSnapshot | None = None) -> LocalSnapshot | None:
        """The last commit; ``None`` before the first."""
        with naming_damage(self.damaged):
            searcher, state = self.lexicon.committed()
            if state is None:
                return None
            return LocalSnapshot(
                self.folder,
                searcher,
                self.lexicon.fields,
                state,
                schema=self.schema,
                dimension=self.dimension,
                damaged=self.damaged,
                earlier=earlier,
            )

    @contextmanager
    def writing(self, priority: Priority) -> Generator[LocalWriter]:
        """Hold the writer.

        Args:
            priority: of the threads that prepare documents; ``low`` where the build is served.

        Raises:
            IndexBusyError: if another writer holds it.
            SearchIndexError: if it is damaged.
        """
        with naming_damage(self.damaged):
            try:
                writer = self.lexicon.writer(HEAP)
            except ValueError as error:
                if "LockBusy" in str(error):
                    raise IndexBusyError(
                        f"another writer holds the index in {self.folder}; try again later"
                    ) from error
                raise
        try:
            committed = self.snapshot_or_none()
            with naming_damage(self.damaged):
                state = State() if committed is None else committed.state
                records = RecordWriter(self.folder, state, self.dimension)
            with closing(records):
                yield LocalWriter(self, writer, records, committed, priority=priority)
        finally:
            with naming_damage(self.damaged):
                writer.wait_merging_threads()


class LocalWriter(BatchWriter):
    """The one writer of a build; made by `OpenBuild.writing`."""

    def __init__(
        self,
        build: OpenBuild,
        writer: tantivy.IndexWriter,
        records: RecordWriter,
        committed: LocalSnapshot | None,
        *,
        priority: Priority,
    ) -> None:
        super().__init__(build.schema, priority=priority, pack=packed)
        self._build = build
        self._writer = writer
        self._records = records
        self._state = State() if committed is None else committed.state
        self._see(committed)

    @property
    def build(self) -> str:
        return self._build.folder.name

    @property
    def rows(self) -> int:
        return self._records.rows

    def __len__(self) -> int:
        return 0 if self._committed is None else len(self._committed)

    def resume(self) -> None:
        """Go on with what an interrupted build committed."""
        self._keys.parent = self._state.parent

    def delete(self, keys: Iterable[str]) -> tuple[str, ...]:
        wanted = dict.fromkeys(keys)
        return tuple(key for key in wanted if self._delete(key, self._keys.remove(key)))

    def annotate(self, note: str) -> None:
        self._state = msgspec.structs.replace(self._state, note=note)

    def commit(self) -> None:
        if self._priority == "low":
            self.grow_graph()
        records, before = self._records, self._committed
        with naming_damage(self._build.damaged):
            records.sync()
            self._state = msgspec.structs.replace(
                self._state,
                generation=self._state.generation + 1,
                parent=self._keys.parent,
                rows=records.rows,
                payload_bytes=records.payload_bytes,
                deleted=records.deleted,
            )
            self._build.lexicon.commit(self._writer, self._state)
        self._see(self._build.snapshot(before), self._keys.parent)
        # A reader may still be about to open the graph of the commit before.
        current = {
            graph_name(self._state.graph),
            graph_name(0 if before is None else before.state.graph),
        }
        for path in self._build.folder.glob("graph-*.faiss"):
            if path.name not in current:
                path.unlink(missing_ok=True)

    def grow_graph(self) -> None:
        """Make the graph over the vectors cover (nearly) all rows, where there should be one."""
        folder, rows, covered = self._build.folder, self.rows, self._state.graph
        is_covered = covered and rows - covered <= TAIL
        if not self._build.dimension or rows <= FLAT_LIMIT or is_covered:
            return
        known = folder / graph_name(covered) if covered else None
        with naming_damage(self._build.damaged):
            grow_graph(self._records.vectors(), folder / graph_name(rows), known=known)
        self._state = msgspec.structs.replace(self._state, graph=rows)

    def _see(self, committed: LocalSnapshot | None, parent: str = "") -> None:
        """Look at what is committed, so that known keys are found."""
        self._committed = committed
        known = None if committed is None else committed.rows_of
        self._keys = KeyRows(known or (lambda _: ()), parent=parent)

    def _put(self, batch: Batch) -> int:
        documents, schema = batch.documents, self._build.schema
        names = [channel.name for channel in schema.channels]
        days = [ordinals(document.days) for document in documents]
        first, replaced = self.rows, 0
        with naming_damage(self._build.damaged):
            vectors = schema.document_vectors(documents, self._build.dimension, terms=batch.terms)
            self._records.append(batch.blocks, days, vectors)
            terms = zip(*batch.terms, strict=True)
            rows = zip(documents, days, terms, strict=True)
            for row, (document, its_days, its_terms) in enumerate(rows, first):
                whole = document.parent or document.key
                replaced += self._delete(whole, self._keys.place(row, document))
                made = entry(row, document, its_days, dict(zip(names, its_terms, strict=True)))
                self._writer.add_document(made)
        self._state = msgspec.structs.replace(
            self._state,
            undated=self._state.undated + days.count(UNDATED),
            longer=self._state.longer + sum(end != first + 1 and first > 0 for first, end in days),
        )
        return replaced

    def _delete(self, name: str, rows: list[int]) -> bool:
        if rows:
            self._writer.delete_documents_by_term("name", name)
            self._records.delete(rows)
        return bool(rows)
