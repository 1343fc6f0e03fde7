"""The search index of a corpus: made, brought up to date, opened.

The index is derived: it can always be made again from the corpus. It remembers the snapshot of the
corpus it shows and the encoder that filled it; bringing it up to date adds and deletes only what
changed, and makes it anew where the corpus has outgrown the fitted encoder.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from inforce.corpus.home import IndexLocation
from inforce.corpus.store import Corpus
from inforce.errors import SearchIndexError
from inforce.retrieval.channels import WORDS
from inforce.retrieval.documents import FORM, statute_documents
from inforce.retrieval.encoders import Encoder, open_encoder
from inforce.retrieval.encoders.lsa import LsaEncoder, fit_lsa, fit_sample
from inforce.retrieval.tokens import tokenize
from inforce.store import (
    Collection,
    Description,
    Document,
    OutdatedIndexError,
    Progress,
    Schema,
    Store,
)
from inforce.store.opening import open_store

COLLECTION = "statutes"

REMEDY = "rebuild it with: inforce corpus index --rebuild"

OUTGROWN = 2.0
"""An LSA model fitted on n documents serves up to this many times n; then it is fitted again."""

MANY_DELETED = 10_000
"""Deleted wordings stay in the files until the index is made anew, which is done when there are so
many of them more than wordings."""

_PATIENCE = 600.0
"""Seconds to wait for another process that is writing: longer than any index takes to make."""


@dataclass(frozen=True, slots=True)
class IndexNote:
    """What the index knows of the corpus it shows."""

    snapshot: str
    fitted_on: int = 0
    """Documents the LSA encoder was fitted on; 0 for other encoders."""
    form: int = 0
    """The form of its documents (`inforce.retrieval.documents.FORM`)."""

    def shows(self, snapshot: str) -> bool:
        """Whether the index shows this state of the corpus, in documents as they are made now."""
        return self.snapshot == snapshot and self.form == FORM


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What bringing an index up to date did."""

    action: Literal["built", "updated", "unchanged"]
    documents: int
    added: int = 0
    deleted: int = 0


def update_index(
    corpus: Corpus,
    location: IndexLocation,
    *,
    encoder: str = "",
    rebuild: bool = False,
    progress: Progress | None = None,
) -> IndexReport:
    """Make the index show the corpus as it is now; waits while another process does so.

    Args:
        corpus: what to index.
        location: where the index is: a folder, or a Milvus.
        encoder: ``lsa``, ``st:PATH`` or an endpoint URL; empty keeps the one in use (LSA at first).
        rebuild: make it anew even where an update would do.
        progress: called with the number of documents indexed since the last call.

    Raises:
        SearchIndexError: if another process is writing for ten minutes, or the index is of another
            encoder.
    """
    store = open_store(location, remedy=REMEDY)
    found = None if rebuild else _described(store)
    if found and _note(found).shows(corpus.snapshot()):
        _open(store, found, encoder)  # refuses another encoder
        return IndexReport("unchanged", found.documents)
    with store.lock(COLLECTION, wait=_PATIENCE):
        found = None if rebuild else _described(store)
        if found:
            return _bring_up_to_date(corpus, store, found, encoder, progress)
        report = _build(
            store, list(statute_documents(corpus)), corpus.snapshot(), encoder or "lsa", progress
        )
        _remove_first_format(location)
        return report


def open_index(location: IndexLocation, *, encoder: str = "") -> Collection:
    """Open an index for searching.

    Raises:
        SearchIndexError: if there is none, it is damaged, or another encoder filled it.
    """
    store = open_store(location, remedy=REMEDY)
    found = _described(store)
    if found is None:
        raise SearchIndexError(f"no search index in {store}; make one: inforce corpus index")
    return _open(store, found, encoder)


def current_build(location: IndexLocation) -> str:
    """Names the build of an index in use; empty where there is none. Cheap to ask often."""
    return open_store(location, remedy=REMEDY).current(COLLECTION)


def index_snapshot(location: IndexLocation) -> str | None:
    """The snapshot of the corpus an index shows; ``None`` where there is no index."""
    found = _described(open_store(location, remedy=REMEDY))
    return _note(found).snapshot if found else None


def _described(store: Store) -> Description | None:
    """The index in use; one of an earlier release counts as none, as it is made anew."""
    try:
        return store.describe(COLLECTION)
    except OutdatedIndexError:
        return None


def _open(store: Store, found: Description, spec: str) -> Collection:
    is_fitted = found.encoder.startswith("lsa:")
    encoder = open_encoder(spec or ("lsa" if is_fitted else found.encoder))
    if encoder is None and not is_fitted:
        raise SearchIndexError(
            f"the index in {store} was filled by the encoder {found.encoder!r}: name it with "
            f"--encoder, or {REMEDY}"
        )
    return store.open(COLLECTION, _schema(encoder or _fitted(store, found)))


def _schema(encoder: Encoder) -> Schema:
    return Schema((WORDS,), encoder)


def _fitted(store: Store, found: Description) -> LsaEncoder:
    folder = store.files(COLLECTION, found.build) / "encoder"
    if not folder.is_dir():
        raise SearchIndexError(
            f"the index {found.build!r} was made on another machine: copy its LSA model from there "
            f"to {folder}, or {REMEDY}"
        )
    return LsaEncoder.load(folder)


def _bring_up_to_date(
    corpus: Corpus, store: Store, found: Description, encoder: str, progress: Progress | None
) -> IndexReport:
    note, snapshot = _note(found), corpus.snapshot()
    collection = _open(store, found, encoder)
    if note.shows(snapshot):
        return IndexReport("unchanged", found.documents)
    documents = list(statute_documents(corpus))
    is_outgrown = note.fitted_on and len(documents) > OUTGROWN * note.fitted_on
    if is_outgrown or _is_mostly_deleted(collection, len(documents)):
        return _build(store, documents, snapshot, encoder or found.encoder, progress)
    return _update(collection, documents, IndexNote(snapshot, note.fitted_on, FORM), progress)


def _is_mostly_deleted(collection: Collection, documents: int) -> bool:
    return collection.snapshot().rows > 2 * documents + MANY_DELETED


def _update(
    collection: Collection,
    documents: Sequence[Document],
    note: IndexNote,
    progress: Progress | None,
) -> IndexReport:
    """Add and delete in one commit; the key of a document is a hash of all it says."""
    wanted = {document.key: document for document in documents}
    known = frozenset(collection.snapshot().keys())
    with collection.writing(wait=_PATIENCE) as writer:
        deleted = writer.delete(sorted(known - wanted.keys()))
        new = [document for key, document in wanted.items() if key not in known]
        written = writer.add(new, progress=progress)
        writer.annotate(json.dumps(asdict(note)))
        writer.commit()
    return IndexReport("updated", len(wanted), written.added, len(deleted))


def _build(
    store: Store,
    documents: Sequence[Document],
    snapshot: str,
    spec: str,
    progress: Progress | None,
) -> IndexReport:
    chosen = None if spec.startswith("lsa") else open_encoder(spec)
    fitted = None if chosen else _fit(documents)
    unique = {document.key: document for document in documents}
    schema = _schema(chosen or fitted or _fit(documents))
    with store.replace(COLLECTION, schema, wait=_PATIENCE) as writer:
        if fitted:
            fitted.save(store.files(COLLECTION, writer.build) / "encoder")
        written = writer.add(unique.values(), progress=progress)
        note = IndexNote(snapshot, len(documents) if fitted else 0, FORM)
        writer.annotate(json.dumps(asdict(note)))
    return IndexReport("built", written.added, written.added)


def _fit(documents: Sequence[Document]) -> LsaEncoder:
    return fit_lsa([" ".join(tokenize(document.text)) for document in fit_sample(documents)])


def _note(found: Description) -> IndexNote:
    return IndexNote(**json.loads(found.note)) if found.note else IndexNote("")


def _remove_first_format(location: IndexLocation) -> None:
    """Remove the index of a release that kept its builds in the folder itself."""
    if isinstance(location, Path) and (location / "CURRENT").is_file():
        for path in (location / "CURRENT", location / "turns.sqlite"):
            path.unlink(missing_ok=True)
        for path in location.glob("*"):
            if path.name.isdigit() and (path / "manifest.json").is_file():
                shutil.rmtree(path, ignore_errors=True)
