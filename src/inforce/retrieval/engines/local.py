"""The embedded engine: tantivy for words, faiss for vectors, numpy for dates; needs only pip.

One writer and any number of readers, in any number of processes: a reader looks at the manifest
before each search (one `stat`) and picks up what was committed, without a restart. A crash leaves
the last commit; the next writer clears what it left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np

from inforce.errors import SearchIndexError
from inforce.retrieval.encoders import Encoder
from inforce.retrieval.encoders.lsa import LsaEncoder, Matrix
from inforce.retrieval.engines import Document, EngineQuery, Scored, TimeFilter, segments, validity
from inforce.retrieval.engines.lexicon import Lexicon, LexiconWriter
from inforce.retrieval.engines.segments import Manifest, Payloads, Segment
from inforce.retrieval.engines.vectors import FLAT_LIMIT, VectorIndex, build_graph
from inforce.retrieval.fusion import Channel
from inforce.retrieval.tokens import tokenize

BATCH = 2_000
"""Documents tokenised and encoded at a time: bounds memory, and is how often progress is told."""

_Stamp = tuple[int, int]
"""What changes with every commit: the manifest's inode and time of change."""

Progress = Callable[[int], None]
"""Told how many documents were added since it was last told."""


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
        self._refresh()
        return self._manifest.note

    @property
    def encoder_name(self) -> str:
        """The encoder that filled this index."""
        return self._manifest.encoder

    def __len__(self) -> int:
        self._refresh()
        return int(self._alive.sum())

    def keys(self) -> frozenset[str]:
        """The keys of all documents that count."""
        self._refresh()
        return frozenset(key for key, row in self._rows().items() if self._alive[row])

    def add(self, documents: Iterable[Document], *, progress: Progress | None = None) -> int:
        """Store documents not known yet; they are visible everywhere when this returns.

        Raises:
            SearchIndexError: if another process is writing.
        """
        with self._writing() as lexicon:
            lexicon.forget_from(self._manifest.rows)
            added: list[Segment] = []
            for batch in _batches(_unknown(documents, self.keys())):
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
            rows = self._rows()
            gone = {key: rows[key] for key in keys if key in rows and self._alive[rows[key]]}
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
        self._refresh()
        allowed = self._alive & validity.mask(self._windows, during) if during else self._alive
        if channel == "dense":
            return self._nearest(query.text, allowed, k)

        def keep(row: int) -> bool:
            return row < len(allowed) and bool(allowed[row])

        return self._lexicon.search(channel, query, keep=keep, during=during, k=k)

    def weigh(self, keyword: str) -> float:
        """How telling a keyword is; one no document has weighs most."""
        self._refresh()
        return self._lexicon.weigh(keyword)

    def payload(self, row: int) -> str:
        """The payload of a row a search returned."""
        position = int(np.searchsorted(self._bases, row, side="right")) - 1
        return self._segments[position].payloads[row - int(self._bases[position])]

    def _nearest(self, text: str, allowed: validity.Mask, k: int) -> list[Scored]:
        if not len(allowed) or not allowed.any():
            return []
        query = self._checked(self.encoder.encode([text], role="query"))[0]
        return self._vectors.search(query, allowed=None if allowed.all() else allowed, k=k)

    @cached_property
    def _vectors(self) -> VectorIndex:
        graph = self.folder / self._manifest.graph if self._manifest.graph else None
        return VectorIndex(self._all_vectors(), graph)

    def _all_vectors(self) -> Matrix:
        parts = [segment.vectors for segment in self._segments]
        if len(parts) == 1:
            return parts[0]
        empty = np.zeros((0, self._manifest.dimension), dtype=np.float32)
        return np.concatenate([empty, *parts])

    def _rows(self) -> dict[str, int]:
        """Key to row, over all segments; the last row of a key that was deleted and re-added."""
        keys = (
            key
            for name in self._manifest.segments
            for key in segments.read_segment(self.folder, name, keys=True).keys
        )
        return {key: row for row, key in enumerate(keys)}

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
        build_graph(np.concatenate(parts), self.folder / name)
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

    def _refresh(self) -> None:
        """Pick up the last commit if it is not the one in use."""
        if _stamp(self.folder) != self._seen:
            self._reopen()

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
            self._open(manifest)
        except SearchIndexError:
            if _stamp(self.folder) == stamp:
                raise
            self._reopen()
        else:
            self._seen = stamp

    def _open(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._segments = [segments.read_segment(self.folder, name) for name in manifest.segments]
        sizes = [len(segment.payloads) for segment in self._segments]
        if sum(sizes) != manifest.rows:
            raise SearchIndexError(
                f"the index in {self.folder} is damaged ({sum(sizes)} rows, not {manifest.rows}): "
                "rebuild it with: inforce corpus index --rebuild"
            )
        self._bases = np.cumsum([0, *sizes])[:-1]
        self._windows = np.concatenate(
            [validity.windows([]), *(segment.valid for segment in self._segments)]
        )
        self._alive = np.ones(manifest.rows, dtype=np.bool_)
        self._alive[segments.read_deleted(self.folder, manifest)] = False
        self.__dict__.pop("_vectors", None)


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


def _unknown(documents: Iterable[Document], known: Iterable[str]) -> Iterator[Document]:
    """Documents whose key was not seen before, neither in the index nor in the stream."""
    seen = set(known)
    for document in documents:
        if document.key not in seen:
            seen.add(document.key)
            yield document


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    stream = iter(documents)
    while batch := list(islice(stream, BATCH)):
        yield batch


def _rows_of(parts: Sequence[Segment]) -> int:
    return sum(len(part.keys) for part in parts)
