"""A source searched by words and by meaning: BM25 and dense vectors, fused.

MSR2, section 4.3.2, keeps legal books so: 780,035 passages, BM25 and an HNSW index over vectors.
The index is the embedded engine of statute search (`inforce.retrieval.engines.local`): every
vector is compared up to 120,000 passages, above that a graph answers, or a scan where dates let
few pass.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from inforce.dates import ALWAYS, DateRange
from inforce.errors import SearchIndexError
from inforce.retrieval.encoders import Encoder
from inforce.retrieval.encoders.lsa import FIT_SAMPLE, fit_lsa
from inforce.retrieval.engines import Document, EngineQuery
from inforce.retrieval.engines.local import LocalEngine
from inforce.retrieval.fusion import Channel, weighted_rrf
from inforce.retrieval.sources.bm25_writer import Deleted, Written
from inforce.retrieval.sources.building import Built, Progress
from inforce.retrieval.sources.manifest import (
    Manifest,
    building_folder,
    publish,
    read_manifest,
    repair,
    write_manifest,
)
from inforce.retrieval.sources.preparing import prepared
from inforce.retrieval.sources.records import text_to_index, whole_id
from inforce.retrieval.sources.source import DEFAULT_K, SourceDocument, SourceHit, SourceName

INDEX = "hybrid"
"""The folder of the index inside that of the source."""

CHANNELS: tuple[Channel, ...] = ("bm25", "dense")

CHUNK = 50_000
"""Documents of one commit: their vectors are held in memory until then."""

_DEPTH = 50
"""Documents each channel hands to the fusion."""


class HybridSource:
    """A source in a folder; readers see what is committed at their next search.

    Args:
        folder: where `build_hybrid` put it.
        encoder: what turned its texts into vectors; ``None`` for the LSA model saved with them.

    Raises:
        SearchIndexError: if there is none, it is damaged, or another encoder filled it.
    """

    def __init__(self, folder: Path, *, encoder: Encoder | None = None) -> None:
        manifest = read_manifest(folder)
        if manifest is None or manifest.kind != "hybrid":
            raise SearchIndexError(f"no hybrid source in {folder}: {repair(folder)}")
        self.folder = folder
        self._name: SourceName = manifest.source
        self._encoder = encoder
        self._made = _made(folder)
        self._engine = _opened(folder, encoder)

    @property
    def name(self) -> SourceName:
        """What agents call it."""
        return self._name

    def __len__(self) -> int:
        return len(self._latest())

    def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> list[SourceHit]:
        """The ``k`` best documents, best first; only those in force on these days, where given.

        Documents whose days are not known are never left out. Equal scores: the one added first.

        Raises:
            SearchIndexError: if the index is damaged, was removed, or its encoder changed.
        """
        if k < 1:
            raise ValueError(f"k is {k}: ask for one document at least")
        engine, asked = self._latest(), EngineQuery(query)
        days = (during,) if during else ()
        rankings: dict[Channel, list[int]] = {
            channel: [
                one.row for one in engine.search(channel, asked, during=days, k=max(_DEPTH, k))
            ]
            for channel in CHANNELS
        }
        return [
            SourceHit(self._name, _document(engine.payload(one.row)), one.score)
            for one in weighted_rrf(rankings)[:k]
        ]

    def add(self, documents: Iterable[SourceDocument]) -> Written:
        """Add documents, or replace those of the same id with all their passages."""
        held = list(documents)
        engine = self._latest()
        known = _known(engine, {whole_id(document.id) for document in held})
        engine.delete(known)
        engine.add(map(_as_engine_document, _last_of_each(held)))
        return Written(len(held), len({whole_id(one) for one in known}))

    def delete(self, ids: Iterable[str]) -> Deleted:
        """Forget documents, each with all its passages; ids not known are told."""
        asked = list(dict.fromkeys(ids))
        engine = self._latest()
        found = _known(engine, asked)
        engine.delete(found)
        wholes = {whole_id(one) for one in found} | set(found)
        return Deleted(
            tuple(one for one in asked if one in wholes),
            tuple(one for one in asked if one not in wholes),
        )

    def _latest(self) -> LocalEngine:
        """The engine; opened again where the whole source was made anew."""
        made = _made(self.folder)
        if made != self._made:
            self._engine, self._made = _opened(self.folder, self._encoder), made
        return self._engine


def build_hybrid(
    folder: Path,
    source: SourceName,
    documents: Iterable[SourceDocument],
    *,
    encoder: Encoder | None = None,
    progress: Progress | None = None,
) -> Built:
    """Make the source in ``folder`` from documents, replacing what it held.

    A build that was killed is made anew. With no encoder an LSA model is fitted on a sample of the
    documents first, which are then read twice: give something that can be.
    """
    building = building_folder(folder)
    shutil.rmtree(building, ignore_errors=True)
    chosen = encoder or _fitted(documents)
    engine = LocalEngine.create(building / INDEX, chosen)
    for chunk in _chunks(documents):
        known = _known(engine, {whole_id(document.id) for document in chunk})
        engine.delete(known)
        engine.add(map(_as_engine_document, _last_of_each(chunk)), progress=progress)
    write_manifest(building, Manifest(source=source, kind="hybrid"))
    count = len(engine)
    publish(folder)
    return Built(count, resumed_at=0)


def _fitted(documents: Iterable[SourceDocument]) -> Encoder:
    """An LSA model of a sample of the documents, the same for the same documents."""
    sample = _sample(documents, FIT_SAMPLE)
    return fit_lsa([words for batch in prepared(sample) for words in batch.prepared.words])


def _sample(documents: Iterable[SourceDocument], size: int) -> list[SourceDocument]:
    """So many documents, each as likely as any other (reservoir sampling), by a fixed seed."""
    draw = random.Random(0)
    kept: list[SourceDocument] = []
    for seen, document in enumerate(documents):
        if len(kept) < size:
            kept.append(document)
        elif (place := draw.randrange(seen + 1)) < size:
            kept[place] = document
    return kept


def _chunks(documents: Iterable[SourceDocument]) -> Iterator[list[SourceDocument]]:
    """About `CHUNK` documents at a time; the passages of one document stay together."""
    chunk: list[SourceDocument] = []
    for document in documents:
        if len(chunk) >= CHUNK and whole_id(document.id) != whole_id(chunk[-1].id):
            yield chunk
            chunk = []
        chunk.append(document)
    if chunk:
        yield chunk


def _last_of_each(documents: Iterable[SourceDocument]) -> list[SourceDocument]:
    """Of several documents with one id the last, with its passages only."""
    found: dict[str, list[SourceDocument]] = {}
    current = ""
    for document in documents:
        whole = whole_id(document.id)
        if whole != current or document.id == whole:
            found[whole] = []
        found[whole].append(document)
        current = whole
    return [document for documents in found.values() for document in documents]


def _as_engine_document(document: SourceDocument) -> Document:
    """Days not known let a document pass every search, as sources promise: here they are all."""
    return Document(
        document.id,
        text_to_index(document),
        msgspec.json.encode(document).decode(),
        valid=document.valid or ALWAYS,
    )


def _document(payload: str) -> SourceDocument:
    return msgspec.json.decode(payload, type=SourceDocument)


def _known(engine: LocalEngine, ids: Collection[str]) -> list[str]:
    """The keys of these documents and of their passages that the engine holds."""
    wanted = set(ids)
    held = engine.keys()
    return sorted(key for key in held if key in wanted or whole_id(key) in wanted)


def _opened(folder: Path, encoder: Encoder | None) -> LocalEngine:
    try:
        return LocalEngine(folder / INDEX, encoder=encoder)
    except SearchIndexError as error:
        raise SearchIndexError(f"{error} (this is a source: {repair(folder)})") from error


def _made(folder: Path) -> tuple[int, int]:
    """What changes when the whole source is made anew: its card."""
    try:
        status = (folder / "source.json").stat()
    except FileNotFoundError:
        raise SearchIndexError(f"the source in {folder} was removed: {repair(folder)}") from None
    return status.st_ino, status.st_mtime_ns
