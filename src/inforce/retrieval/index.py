"""The search index of a corpus: made, brought up to date, opened.

The index is derived: it can always be made again from the corpus. It remembers the snapshot of the
corpus it shows and the encoder that filled it; bringing it up to date adds and deletes only what
changed, and makes it anew where an earlier release made it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from inforce.corpus.home import IndexLocation
from inforce.corpus.store import Corpus
from inforce.errors import SearchIndexError
from inforce.retrieval.channels import BIGRAMS, WORDS
from inforce.retrieval.documents import FORM, StatuteDocuments
from inforce.retrieval.encoders import DEFAULT, Encoder, is_outdated, open_encoder
from inforce.retrieval.facts import GrowingFacts, read_facts
from inforce.retrieval.indexed_works import IndexedWorks
from inforce.store import (
    Collection,
    Description,
    Document,
    IndexBusyError,
    OutdatedIndexError,
    Progress,
    ReadOnlyIndexError,
    Schema,
    Store,
)
from inforce.store.opening import open_store

COLLECTION = "statutes"

REMEDY = "rebuild it with: inforce corpus index --rebuild"

MANY_DELETED = 10_000
"""Deleted wordings stay in the files until the index is made anew, which is done when there are so
many of them more than wordings."""

_PATIENCE = 600.0
"""Seconds to wait for another process that is writing: longer than any index takes to make."""


@dataclass(frozen=True, slots=True)
class IndexNote:
    """What the index knows of the corpus it shows."""

    snapshot: str
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
        encoder: ``static``, ``st:PATH`` or an endpoint URL; empty keeps the one in use (at first
            ``static``).
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
        if store.unfinished(COLLECTION):
            with suppress(IndexBusyError, ReadOnlyIndexError), store.lock(COLLECTION):
                pass  # what a killed build left is removed
        return IndexReport("unchanged", found.documents)
    with store.lock(COLLECTION, wait=_PATIENCE):
        found = None if rebuild else _described(store)
        if found:
            return _bring_up_to_date(corpus, store, found, encoder, progress)
        report = _build(store, corpus, encoder or DEFAULT, progress)
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


def index_files(location: IndexLocation) -> Path:
    """The folder where `inforce.retrieval.facts` of the index in use are."""
    store = open_store(location, remedy=REMEDY)
    return store.files(COLLECTION, store.current(COLLECTION))


def index_snapshot(location: IndexLocation) -> str | None:
    """The snapshot of the corpus an index shows; ``None`` where there is no index."""
    found = _described(open_store(location, remedy=REMEDY))
    return _note(found).snapshot if found else None


def _described(store: Store) -> Description | None:
    """The index in use; one of an earlier release counts as none, as it is made anew."""
    try:
        found = store.describe(COLLECTION)
    except OutdatedIndexError:
        return None
    is_current = found and _note(found).form == FORM and not is_outdated(found.encoder)
    return found if is_current else None


def _open(store: Store, found: Description, spec: str) -> Collection:
    return store.open(COLLECTION, _schema(open_encoder(spec or found.encoder)))


def _schema(encoder: Encoder) -> Schema:
    return Schema((WORDS, BIGRAMS), encoder)


def _bring_up_to_date(
    corpus: Corpus, store: Store, found: Description, encoder: str, progress: Progress | None
) -> IndexReport:
    note, snapshot = _note(found), corpus.snapshot()
    collection = _open(store, found, encoder)
    if note.shows(snapshot):
        return IndexReport("unchanged", found.documents)
    if collection.snapshot().rows > 2 * found.documents + MANY_DELETED:
        return _build(store, corpus, encoder or found.encoder, progress)
    files = store.files(COLLECTION, found.build)
    shown = IndexedWorks.read(files, note.snapshot)
    if shown is None or shown.documents != found.documents:
        shown = IndexedWorks({}, {"": tuple(collection.snapshot().keys())})
    changes = _Changes(corpus, shown)
    report = _update(collection, changes, IndexNote(snapshot, FORM), progress, files)
    read_facts(files, collection.snapshot())
    return report


class _Changes:
    """What makes an index show a corpus as it is now.

    Only laws whose state changed are read, one after the other; the key of a document is a hash of
    all it says.
    """

    def __init__(self, corpus: Corpus, shown: IndexedWorks) -> None:
        self._documents = StatuteDocuments(corpus)
        self._states = corpus.work_snapshots()
        self._changed = sorted(
            w for w, state in self._states.items() if shown.states.get(w) != state
        )
        gone = {work for work in shown.keys if work not in self._states}.union(self._changed)
        self._before = {key for work in gone for key in shown.keys.get(work, ())}
        self._keys = {work: keys for work, keys in shown.keys.items() if work not in gone}

    def added(self) -> Iterator[Document]:
        """The documents that the index lacks; to be taken once, before the rest is asked for."""
        for work in self._changed:
            documents = {document.key: document for document in self._documents.of(work)}
            self._keys[work] = tuple(documents)
            yield from (one for key, one in documents.items() if key not in self._before)

    @property
    def deleted(self) -> list[str]:
        """The keys of documents that the index no longer shows, sorted."""
        return sorted(self._before.difference(*(self._keys[work] for work in self._changed)))

    @property
    def shows(self) -> IndexedWorks:
        """What the index shows afterwards."""
        return IndexedWorks(self._states, self._keys)


def _update(
    collection: Collection,
    changes: _Changes,
    note: IndexNote,
    progress: Progress | None,
    files: Path,
) -> IndexReport:
    """Add and delete in one commit; what the index will show is noted first, under its snapshot."""
    with collection.writing(wait=_PATIENCE) as writer:
        written = writer.add(changes.added(), progress=progress)
        deleted = writer.delete(changes.deleted)
        changes.shows.write(files, note.snapshot)
        writer.annotate(json.dumps(asdict(note)))
        writer.commit()
    return IndexReport("updated", changes.shows.documents, written.added, len(deleted))


def _build(store: Store, corpus: Corpus, encoder: str, progress: Progress | None) -> IndexReport:
    snapshot, facts = corpus.snapshot(), GrowingFacts()
    with store.replace(COLLECTION, _schema(open_encoder(encoder)), wait=_PATIENCE) as writer:
        changes = _Changes(corpus, IndexedWorks({}, {}))
        written = writer.add(facts.noting(changes.added()), progress=progress)
        files = store.files(COLLECTION, writer.build)
        facts.so_far.write(files)
        changes.shows.write(files, snapshot)
        writer.annotate(json.dumps(asdict(IndexNote(snapshot, FORM))))
    return IndexReport("built", written.added, written.added)


def snapshot_of(note: str) -> str:
    """The snapshot of the corpus that an index shows, by the note on a commit of it."""
    return _read_note(note).snapshot


def _note(found: Description) -> IndexNote:
    return _read_note(found.note)


@lru_cache(4)
def _read_note(note: str) -> IndexNote:
    try:
        fields: dict[str, Any] = json.loads(note) if note else {}
        return IndexNote(fields.get("snapshot", ""), fields.get("form", 0))
    except (ValueError, AttributeError) as error:
        raise SearchIndexError(f"the note on the search index is damaged: {REMEDY}") from error


def _remove_first_format(location: IndexLocation) -> None:
    """Remove the index of a release that kept its builds in the folder itself."""
    if isinstance(location, Path) and (location / "CURRENT").is_file():
        for path in (location / "CURRENT", location / "turns.sqlite"):
            path.unlink(missing_ok=True)
        for path in location.glob("*"):
            if path.name.isdigit() and (path / "manifest.json").is_file():
                shutil.rmtree(path, ignore_errors=True)
