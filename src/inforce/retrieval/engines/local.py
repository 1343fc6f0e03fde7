"""The embedded engine: tantivy for words, faiss for vectors, numpy for dates; needs only pip.

One writer and any number of readers, in any number of processes: a reader looks at the manifest
before each search (one `stat`) and picks up what was committed, without a restart. A crash leaves
the last commit; the next writer clears what it left behind.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import RLock

import numpy as np

from inforce.errors import SearchIndexError
from inforce.retrieval.encoders import Encoder
from inforce.retrieval.encoders.lsa import LsaEncoder, Matrix
from inforce.retrieval.engines import Document, EngineQuery, Scored, TimeFilter, segments, validity
from inforce.retrieval.engines.batches import Progress, batches, unknown
from inforce.retrieval.engines.lexicon import Lexicon, LexiconWriter
from inforce.retrieval.engines.opened import OpenedCommit
from inforce.retrieval.engines.segments import Manifest, Payloads, Segment
from inforce.retrieval.engines.vectors import FLAT_LIMIT, grow_graph
from inforce.retrieval.fusion import Channel
from inforce.retrieval.tokens import tokenize

_Stamp = tuple[int, int]
"""What changes with every commit: the manifest's inode and time of change."""


class LocalEngine:
    """An index in a folder.

    Args:
        folder: where it lives; made by `create`.
        encoder: what turns texts into vectors; ``None`` for the LSA model saved in the folder.

    Raises:
        SearchIndexError: if there is no index, it is damaged, or another encoder filled it.
    """

    def __init__(self, folder: Path, *, encoder: Encoder | None = None) -> None:
        stamp, manifest = _stamp(folder), segments.read_manifest(folder)
        if manifest is None:
            raise SearchIndexError(f"no search index in {folder}; make one: inforce corpus index")
        self.folder = folder
        self.encoder = encoder or _saved_encoder(folder, manifest)
        _refuse_another(self.encoder, manifest, folder)
        self._lexicon = Lexicon(folder / "lexicon")
        self._reopening = RLock()
        self._open_latest(manifest, stamp)

    @classmethod
    def create(cls, folder: Path, encoder: Encoder) -> LocalEngine:
        """Make an empty index whose documents this encoder will encode."""
        folder.mkdir(parents=True, exist_ok=True)
        if isinstance(encoder, LsaEncoder):
            encoder.save(folder / "encoder")
        Lexicon.create(folder / "lexicon")
        segments.commit(folder, Manifest(encoder.name, encoder.dimension))
        return cls(folder, encoder=encoder)

    @property
    def note(self) -> str:
        """What the owner of the index last wrote on it."""
        return self._refresh().manifest.note

    @property
    def encoder_name(self) -> str:
        """The encoder that filled this index."""
        return self._manifest.encoder

    def __len__(self) -> int:
        return int(self._refresh().alive.sum())

    def keys(self) -> frozenset[str]:
        """The keys of all documents that count."""
        opened = self._refresh()
        try:
            rows = opened.rows_by_key()
        except SearchIndexError:
            if self._refresh() is opened:
                raise
            return self.keys()  # a newer commit has put the files of this one away meanwhile
        return frozenset(key for key, row in rows.items() if opened.alive[row])

    def add(self, documents: Iterable[Document], *, progress: Progress | None = None) -> int:
        """Store documents not known yet; they are visible everywhere when this returns.

        Raises:
            SearchIndexError: if another process is writing.
        """
        with self._writing() as lexicon:
            lexicon.forget_from(self._manifest.rows)
            added: list[Segment] = []
            for batch in batches(unknown(documents, self.keys())):
                added.append(self._index(batch, lexicon, offset=_rows_of(added)))
                if progress:
                    progress(len(batch))
            if added:
                lexicon.commit()
                segment = segments.join(added)
                self._commit(
                    self._tidy(segments.write_segment(self.folder, self._manifest, segment))
                )
        return _rows_of(added)

    def delete(self, keys: Iterable[str]) -> int:
        """Forget documents by key; returns how many were known."""
        with self._writing() as lexicon:
            rows, alive = self._opened.rows_by_key(), self._opened.alive
            gone = {key: rows[key] for key in keys if key in rows and alive[rows[key]]}
            if gone:
                dead = np.union1d(
                    segments.read_deleted(self.folder, self._manifest), [*gone.values()]
                )
                self._commit(segments.write_deleted(self.folder, self._manifest, dead))
                lexicon.forget(gone)
                lexicon.commit()
        self._lexicon.reload()
        return len(gone)

    def annotate(self, note: str) -> None:
        """Write a note on the index (statute search: the snapshot of the corpus it shows)."""
        with self._writing():
            self._commit(replace(self._manifest, commit=self._manifest.commit + 1, note=note))

    def search(
        self, channel: Channel, query: EngineQuery, *, during: TimeFilter = (), k: int = 10
    ) -> list[Scored]:
        """The best k documents of a channel among those whose days overlap ``during``."""
        opened = self._refresh()
        allowed = opened.allowed(during)
        if channel == "dense":
            return self._nearest(opened, query.text, allowed, k)

        def keep(row: int) -> bool:
            return row < len(allowed) and bool(allowed[row])

        return self._lexicon.search(channel, query, keep=keep, during=during, k=k)

    def weigh(self, keyword: str) -> float:
        """How telling a keyword is; one no document has weighs most."""
        self._refresh()
        return self._lexicon.weigh(keyword)

    def payload(self, row: int) -> str:
        """The payload of a row a search returned."""
        return self._opened.payload(row)

    def _nearest(
        self, opened: OpenedCommit, text: str, allowed: validity.Mask, k: int
    ) -> list[Scored]:
        if not len(allowed) or not allowed.any():
            return []
        query = self._checked(self.encoder.encode([text], role="query"))[0]
        return opened.vectors.search(query, allowed=None if allowed.all() else allowed, k=k)

    def _index(self, batch: Sequence[Document], lexicon: LexiconWriter, *, offset: int) -> Segment:
        """Put a batch into the lexicon and return the rest of what is kept of it."""
        tokens = [tokenize(document.text) for document in batch]
        first = self._manifest.rows + offset
        for row, (document, terms) in enumerate(zip(batch, tokens, strict=True), first):
            lexicon.add(row, document, terms)
        return Segment(
            tuple(document.key for document in batch),
            validity.windows([document.valid for document in batch]),
            self._vectors_of(batch, tokens),
            Payloads.of([document.payload for document in batch]),
        )

    def _vectors_of(self, batch: Sequence[Document], tokens: Sequence[Sequence[str]]) -> Matrix:
        if isinstance(self.encoder, LsaEncoder):
            return self.encoder.encode_tokens(tokens)
        texts = [document.text for document in batch]
        return self._checked(self.encoder.encode(texts, role="passage"))

    def _checked(self, vectors: Matrix) -> Matrix:
        """A server may serve another model under the old name: its vectors must not mix in."""
        if vectors.shape[1] != self._manifest.dimension:
            raise SearchIndexError(
                f"the encoder {self.encoder.name!r} now makes vectors of {vectors.shape[1]} "
                f"numbers, the index in {self.folder} holds vectors of "
                f"{self._manifest.dimension}: rebuild it with: inforce corpus index --rebuild"
            )
        return vectors

    def _tidy(self, manifest: Manifest) -> Manifest:
        """Merge many small segments, and keep a graph once a scan would be too slow."""
        if len(manifest.segments) > segments.MERGE_ABOVE:
            manifest = segments.merge(self.folder, manifest)
        if manifest.rows <= FLAT_LIMIT:
            return manifest
        name = f"graph-{manifest.commit:06d}.faiss"
        parts = [segments.read_segment(self.folder, part).vectors for part in manifest.segments]
        known = self.folder / manifest.graph if manifest.graph else None
        grow_graph(np.concatenate(parts), self.folder / name, known=known)
        return replace(manifest, graph=name)

    @contextmanager
    def _writing(self) -> Generator[LexiconWriter]:
        """Hold the one writer; whatever others committed before is seen first."""
        with self._lexicon.writing() as lexicon:
            self._reopen()
            yield lexicon

    def _commit(self, manifest: Manifest) -> None:
        segments.commit(self.folder, manifest)
        segments.sweep(self.folder, manifest)
        self._reopen()

    def _refresh(self) -> OpenedCommit:
        """The last commit, picked up if it is not the one in use."""
        if _stamp(self.folder) != self._seen:
            with self._reopening:
                self._reopen()
        return self._opened

    @property
    def _manifest(self) -> Manifest:
        return self._opened.manifest

    def _reopen(self) -> None:
        stamp, manifest = _stamp(self.folder), segments.read_manifest(self.folder)
        if manifest is None:
            raise SearchIndexError(
                f"the search index in {self.folder} was removed, or replaced by a new one: open it "
                "again"
            )
        _refuse_another(self.encoder, manifest, self.folder)
        self._lexicon.reload()
        self._open_latest(manifest, stamp)

    def _open_latest(self, manifest: Manifest, stamp: _Stamp) -> None:
        """Open a commit; if a writer swept its files away meanwhile, open the next one."""
        try:
            self._opened = OpenedCommit(self.folder, manifest)
        except SearchIndexError:
            if _stamp(self.folder) == stamp:
                raise
            self._reopen()
        else:
            self._seen = stamp


def _saved_encoder(folder: Path, manifest: Manifest) -> LsaEncoder:
    if not manifest.encoder.startswith("lsa:"):
        raise SearchIndexError(
            f"the index in {folder} was filled by the encoder {manifest.encoder!r}: name it with "
            "--encoder, or rebuild the index with: inforce corpus index --rebuild"
        )
    return LsaEncoder.load(folder / "encoder")


def _refuse_another(encoder: Encoder, manifest: Manifest, folder: Path) -> None:
    if encoder.name != manifest.encoder:
        raise SearchIndexError(
            f"the index in {folder} was filled by the encoder {manifest.encoder!r}, not by "
            f"{encoder.name!r}: their vectors do not compare. Use the same encoder, or rebuild "
            "the index with: inforce corpus index --rebuild"
        )


def _stamp(folder: Path) -> _Stamp:
    try:
        status = (folder / "manifest.json").stat()
    except FileNotFoundError:
        return (0, 0)
    return status.st_ino, status.st_mtime_ns


def _rows_of(parts: Sequence[Segment]) -> int:
    return sum(len(part.keys) for part in parts)
