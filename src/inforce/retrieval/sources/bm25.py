"""A source searched by its words: BM25 over the full text, for ten documents or ten million.

MSR2, section 4.3.2, keeps precedents (10.7 million judgments) and sentencing guidelines so. A
reader sees what any process commits at its next search (one `stat` tells), without a restart.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import tantivy

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.retrieval.sources.bm25_writer import Bm25Writer, Deleted, Written, open_writer
from inforce.retrieval.sources.manifest import naming_damage, read_manifest, repair
from inforce.retrieval.sources.ranking import Ranking
from inforce.retrieval.sources.records import schema
from inforce.retrieval.sources.source import DEFAULT_K, SourceDocument, SourceHit, SourceName
from inforce.retrieval.sources.texts import Texts
from inforce.retrieval.tokens import tokenize

INDEX = "bm25"
"""The folder of the index inside that of the source."""


@dataclass(frozen=True, slots=True)
class _Stamp:
    made: int
    committed_as: int
    committed_at: int


@dataclass(frozen=True, slots=True)
class _State:
    """What was committed at a moment: it never changes, so threads may share it."""

    ranking: Ranking
    texts: Texts
    stamp: _Stamp


class Bm25Source:
    """A source in a folder; one writer at a time, any number of readers in any number of processes.

    Args:
        folder: where `inforce.retrieval.sources.building.build` put it.

    Raises:
        SearchIndexError: if there is none, it is damaged, or of another format.
    """

    def __init__(self, folder: Path) -> None:
        manifest = read_manifest(folder)
        if manifest is None or manifest.kind != "bm25":
            raise SearchIndexError(f"no BM25 source in {folder}: {repair(folder)}")
        self.folder = folder
        self._name: SourceName = manifest.source
        self._index = open_index(folder)
        self._reopening = Lock()
        self._state = self._opened()

    @property
    def name(self) -> SourceName:
        """What agents call it."""
        return self._name

    def __len__(self) -> int:
        return self._latest().ranking.searcher.num_docs

    def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> list[SourceHit]:
        """The ``k`` best documents, best first; of these days only, where given.

        Documents whose days are not known are never left out. Equal scores: the one added first.

        Raises:
            SearchIndexError: if the index is damaged, or was removed.
        """
        if k < 1:
            raise ValueError(f"k is {k}: ask for one document at least")
        latest = self._latest()
        with naming_damage(self.folder):
            found = latest.ranking.best(tokenize(query), k=k, during=during)
            return [
                SourceHit(self._name, latest.texts.document(one.row), one.score) for one in found
            ]

    def get(self, document_id: str) -> SourceDocument | None:
        """The document, or passage, with this id."""
        latest = self._latest()
        with naming_damage(self.folder):
            rows = latest.ranking.rows_named(document_id)
            found = [latest.texts.document(row) for row in rows]
        return next((document for document in found if document.id == document_id), None)

    @contextmanager
    def writing(self) -> Generator[Bm25Writer]:
        """Hold the one writer of this source; what it commits is visible to every reader at once.

        Raises:
            SearchIndexError: if another writer holds it; the message says which.
        """
        with open_writer(self.folder, self._index, self._name) as writer:
            yield writer

    def add(self, documents: Iterable[SourceDocument]) -> Written:
        """Add documents, or replace those of the same id: all of them or, if that fails, none."""
        with self.writing() as writer:
            return writer.add_all(documents)

    def delete(self, ids: Iterable[str]) -> Deleted:
        """Forget documents, each with all its passages; ids not known are told."""
        with self.writing() as writer:
            return writer.delete_all(ids)

    def _latest(self) -> _State:
        if self._stamp() != self._state.stamp:
            with self._reopening:
                self._state = self._opened()
        return self._state

    def _opened(self) -> _State:
        """The last state committed; index and texts of one make, even while it is replaced."""
        while True:
            stamp = self._stamp()
            with naming_damage(self.folder):
                self._index.reload()
                ranking, texts = Ranking(self._index.searcher()), Texts(self.folder)
            if self._stamp().made == stamp.made:
                return _State(ranking, texts, stamp)

    def _stamp(self) -> _Stamp:
        """What changes: the card when the source is made anew, the list of files with a commit."""
        try:
            card = (self.folder / "source.json").stat()
            files = (self.folder / INDEX / "meta.json").stat()
        except FileNotFoundError:
            raise SearchIndexError(
                f"the source in {self.folder} was removed, or is damaged (no list of its files): "
                f"{repair(self.folder)}"
            ) from None
        return _Stamp(card.st_ino, files.st_ino, files.st_mtime_ns)


def open_index(folder: Path) -> tantivy.Index:
    """The index in the folder of a source.

    Raises:
        SearchIndexError: if it is missing or damaged.
    """
    path = folder / INDEX
    with naming_damage(folder):
        if not path.is_dir() or not tantivy.Index.exists(str(path)):
            raise ValueError("the list of its files, meta.json, is missing")
        index = tantivy.Index(schema(), path=str(path))
        index.config_reader("manual")  # we look ourselves, before each search
        return index


def create_index(folder: Path) -> tantivy.Index:
    """An empty index in the folder of a source, or the one there."""
    path = folder / INDEX
    path.mkdir(parents=True, exist_ok=True)
    with naming_damage(folder):
        tantivy.Index(schema(), path=str(path))
    return open_index(folder)
