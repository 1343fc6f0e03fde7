"""Putting documents into a build: one writer at a time, nothing visible before a commit."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import tantivy

from inforce.errors import SearchIndexError
from inforce.store.days import UNDATED, ordinals
from inforce.store.key_rows import KeyRows
from inforce.store.local.lexicon import Lexicon, LexiconView, commit, entry, one_kind_of_damage
from inforce.store.local.records import Files, RecordWriter, State
from inforce.store.local.snapshot import Damaged, LocalSnapshot, graph_name
from inforce.store.local.vectors import FLAT_LIMIT, TAIL, grow_graph
from inforce.store.preparing import Batch, Priority, prepared
from inforce.store.protocol import (
    DENSE,
    Document,
    Matrix,
    Progress,
    Schema,
    Written,
    require_dimension,
)

HEAP = 96_000_000
"""Bytes of documents that tantivy holds in memory before it writes them out as a segment."""


class OpenBuild:
    """The files of a build, opened.

    Args:
        folder: where they are; nameless and in memory without one.
        schema: of the collection.
        dimension: of the vectors; 0 without a dense channel.
        damaged: makes the error to raise where files are damaged.

    Raises:
        SearchIndexError: if the lexicon is damaged.
    """

    def __init__(
        self, folder: Path | None, schema: Schema, *, dimension: int, damaged: Damaged
    ) -> None:
        self.folder = folder
        self.name = folder.name if folder else "memory"
        self.commits = 0
        self.schema = schema
        self.dimension = dimension
        self.damaged = damaged
        self.files = Files(folder)
        with self.naming_damage():
            self.lexicon = Lexicon(folder / "lexicon" if folder else None, schema)

    @property
    def stamp(self) -> tuple[int, int]:
        """Changes with every commit, by any process.

        Raises:
            FileNotFoundError: if the build was removed.
        """
        return self.lexicon.stamp if self.folder else (0, self.commits)

    def snapshot(self, earlier: LocalSnapshot | None) -> LocalSnapshot:
        """The last commit.

        Raises:
            SearchIndexError: if it is damaged, or there is none.
        """
        with self.naming_damage():
            view = self.lexicon.view()
            if view is None:
                raise ValueError("nothing was ever committed to it")
            return LocalSnapshot(
                view,
                self.files,
                self.schema,
                dimension=self.dimension,
                damaged=self.damaged,
                earlier=earlier,
            )

    @contextmanager
    def naming_damage(self) -> Generator[None]:
        """Turn a ValueError into the error that names the repair."""
        try:
            with one_kind_of_damage():
                yield
        except ValueError as error:
            raise self.damaged(error) from error

    @contextmanager
    def writing(self, priority: Priority) -> Generator[LocalWriter]:
        """Hold the writer.

        Args:
            priority: of the processes that prepare documents; ``low`` where the build is served.

        Raises:
            SearchIndexError: if it is damaged, or another writer holds it.
        """
        try:
            writer = self.lexicon.writer(HEAP)
        except ValueError as error:
            if "LockBusy" not in str(error):
                raise self.damaged(error) from error
            raise SearchIndexError(
                f"another writer holds the index in {self.folder}; try again when it is done"
            ) from error
        try:
            with self.naming_damage():
                view = self.lexicon.view()
                state = view.state if view else State()
                records = RecordWriter(self.files, state, self.dimension)
            with closing(records):
                yield LocalWriter(self, writer, records, view, priority=priority)
        finally:
            writer.wait_merging_threads()


class LocalWriter:
    """The one writer of a build; made by `OpenBuild.writing`."""

    def __init__(
        self,
        build: OpenBuild,
        writer: tantivy.IndexWriter,
        records: RecordWriter,
        view: LexiconView | None,
        *,
        priority: Priority,
    ) -> None:
        self._build = build
        self._writer = writer
        self._records = records
        self._priority: Priority = priority
        self._state = view.state if view else State()
        self._see(view)

    @property
    def build(self) -> str:
        """Names the build that is written."""
        return self._build.name

    @property
    def rows(self) -> int:
        """Rows given so far."""
        return self._records.rows

    def __len__(self) -> int:
        return self._view.documents if self._view else 0

    def add(
        self,
        documents: Iterable[Document],
        *,
        progress: Progress | None = None,
        processes: int | None = None,
        commit_every: int = 0,
    ) -> Written:
        """Add documents, each in place of the one with its key (or parent)."""
        before = committed = self.rows
        replaced = 0
        schema, priority = self._build.schema, self._priority
        for batch in prepared(documents, schema, processes=processes, priority=priority):
            replaced += self._put(batch)
            if commit_every and self.rows - committed >= commit_every:
                self.commit()
                committed = self.rows
            if progress:
                progress(len(batch.documents))
        self._keys.parent = ""
        return Written(self.rows - before, replaced)

    def resume(self) -> int:
        """Go on with what an interrupted build committed: the rows it has."""
        self._keys.parent = self._state.parent
        return self.rows

    def delete(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Delete documents, each with all its passages; returns the keys that were known."""
        return tuple(
            key for key in dict.fromkeys(keys) if self._delete_rows(key, self._keys.remove(key))
        )

    def annotate(self, note: str) -> None:
        """Write a note on the collection."""
        self._state = msgspec.structs.replace(self._state, note=note)

    def commit(self) -> None:
        """Make everything since the last commit durable, and visible to every reader at once."""
        if self._priority == "low":
            self.grow_graph()
        self._records.sync()
        records = self._records
        self._state = msgspec.structs.replace(
            self._state,
            generation=self._state.generation + 1,
            parent=self._keys.parent,
            rows=records.rows,
            payload_bytes=records.payload_bytes,
            deleted=records.deleted,
        )
        commit(self._writer, self._state)
        self._build.commits += 1
        before = self._view.state.graph if self._view else 0
        with self._build.naming_damage():
            self._see(self._build.lexicon.view(), self._keys.parent)
        self._remove_graphs_but(before, self._state.graph)

    def grow_graph(self) -> None:
        """Make the graph over the vectors cover (nearly) all rows, where there should be one."""
        folder, rows = self._build.folder, self.rows
        covered = self._state.graph
        if not folder or not self._build.dimension:
            return
        if rows <= FLAT_LIMIT or (covered and rows - covered <= TAIL):
            return
        known = folder / graph_name(covered) if covered else None
        with self._build.naming_damage():
            grow_graph(self._records.vectors(), folder / graph_name(rows), known=known)
        self._state = msgspec.structs.replace(self._state, graph=rows)

    def _remove_graphs_but(self, *rows: int) -> None:
        """Keep those that cover so many rows: a reader may still be about to open the last one."""
        if self._build.folder:
            for path in self._build.folder.glob("graph-*.faiss"):
                if path.name not in map(graph_name, rows):
                    path.unlink(missing_ok=True)

    def _see(self, view: LexiconView | None, parent: str = "") -> None:
        """Look at what is committed, so that known keys are found."""
        self._view = view
        self._keys = KeyRows(view.rows_named if view else lambda _: (), parent=parent)

    def _put(self, batch: Batch) -> int:
        """Add documents that are prepared; returns how many replaced an earlier one."""
        names = [channel.name for channel in self._build.schema.channels]
        days = [ordinals(document.days) for document in batch.documents]
        first, replaced = self.rows, 0
        vectors = self._vectors(batch)
        self._records.append(batch.prepared.blocks, days, vectors)
        terms = zip(*batch.prepared.terms, strict=True)
        rows = zip(batch.documents, days, terms, strict=True)
        for row, (document, its_days, its_terms) in enumerate(rows, first):
            replaced += self._delete_rows(
                document.parent or document.key, self._keys.place(row, document)
            )
            made = entry(row, document, its_days, dict(zip(names, its_terms, strict=True)))
            self._writer.add_document(made)
        self._state = msgspec.structs.replace(
            self._state,
            undated=self._state.undated + days.count(UNDATED),
            longer=self._state.longer + sum(e != f + 1 and f > 0 for f, e in days),
        )
        return replaced

    def _vectors(self, batch: Batch) -> Matrix | None:
        encoder = self._build.schema.encoder
        if encoder is None:
            return None
        texts = [document.text_of(DENSE) for document in batch.documents]
        vectors = encoder.encode(texts, role="passage")
        require_dimension(encoder, vectors, self._build.dimension)
        return vectors

    def _delete_rows(self, name: str, rows: list[int]) -> bool:
        if rows:
            self._writer.delete_documents_by_term("name", name)
            self._records.delete(rows)
        return bool(rows)
