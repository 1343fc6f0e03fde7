"""The search index of a corpus: made, brought up to date, opened, checked.

The index is derived: it can always be made again from the corpus. It remembers the snapshot of the
corpus it shows and the encoder that filled it; bringing it up to date adds and deletes only what
changed, and makes it anew where an earlier release made it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Self, cast

from inforce.corpus.home import IndexLocation
from inforce.corpus.store import Corpus
from inforce.errors import MissingExtraError, SearchIndexError, UserError
from inforce.retrieval.encoders import DEFAULT, is_outdated, open_encoder
from inforce.retrieval.metadata import MetadataBuilder, read_metadata
from inforce.retrieval.provisions import FORM, statute_documents, work_documents
from inforce.retrieval.tokens import BIGRAMS, WORDS
from inforce.store import (
    Collection,
    Description,
    Document,
    Encoder,
    IndexBusyError,
    OutdatedIndexError,
    Progress,
    ReadOnlyIndexError,
    Schema,
    Store,
    Writer,
    open_store,
)

COLLECTION = "statutes"

REMEDY = "rebuild it with: inforce corpus index --rebuild"

MANY_DELETED = 10_000
"""Deleted wordings stay in the files until the index is made anew, which is done when there are so
many of them more than wordings."""

_PATIENCE = 600.0
"""Seconds to wait for another process that is writing: longer than any index takes to make."""

_EXAMPLES = 5
"""Wordings named in a report of damage."""

_WORKS_FORM = 1
"""The format of the file of `IndexedWorks`."""


@dataclass(frozen=True, slots=True)
class IndexNote:
    """The note on a commit of the index: which state of the corpus it shows."""

    snapshot: str
    form: int = 0
    """The form of its documents (`inforce.retrieval.provisions.FORM`)."""

    def shows(self, snapshot: str) -> bool:
        """Return whether it shows a state of the corpus in documents as they are made now."""
        return self.snapshot == snapshot and self.form == FORM


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The outcome of an update."""

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
    """Bring the index of a corpus up to date, waiting while another process does so.

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
    store = _store(location)
    found = None if rebuild else _described(store)
    if found and read_note(found.note).shows(corpus.snapshot()):
        _open(store, found, encoder)  # refuses another encoder
        if store.unfinished(COLLECTION):
            with suppress(IndexBusyError, ReadOnlyIndexError), store.lock(COLLECTION):
                pass  # what a killed build left is removed
        return IndexReport("unchanged", found.documents)
    with store.lock(COLLECTION, wait=_PATIENCE):
        found = None if rebuild else _described(store)
        if found:
            return _update(corpus, store, found, encoder, progress)
        report = _build(corpus, store, encoder or DEFAULT, progress)
        _remove_first_format(location)
        return report


def open_index(location: IndexLocation) -> Collection:
    """Open an index for searching.

    Raises:
        SearchIndexError: if there is none, or it is damaged.
    """
    store = _store(location)
    found = _described(store)
    if found is None:
        raise SearchIndexError(f"no search index in {store}; make one: inforce corpus index")
    return _open(store, found)


def current_build(location: IndexLocation) -> str:
    """Return the name of the build of an index in use; empty where there is none. Cheap."""
    return _store(location).current(COLLECTION)


def index_files(location: IndexLocation) -> Path:
    """Return the folder of files beside the index in use (`inforce.retrieval.metadata`)."""
    store = _store(location)
    return store.files(COLLECTION, store.current(COLLECTION))


def index_snapshot(location: IndexLocation) -> str | None:
    """Return the snapshot of the corpus an index shows; ``None`` where there is no index."""
    found = _described(_store(location))
    return read_note(found.note).snapshot if found else None


@lru_cache(4)
def read_note(note: str) -> IndexNote:
    """Read the note on a commit of an index.

    Raises:
        SearchIndexError: if it is damaged.
    """
    try:
        fields: dict[str, Any] = json.loads(note) if note else {}
        return IndexNote(fields.get("snapshot", ""), fields.get("form", 0))
    except (ValueError, AttributeError, RecursionError) as error:
        raise SearchIndexError(f"the note on the search index is damaged: {REMEDY}") from error


def index_damage(corpus: Corpus, location: IndexLocation) -> tuple[str, ...]:
    """Compare every document of an index with the corpus; a sentence for each difference.

    An index that shows an earlier state of the corpus is sound: the next search brings it up to
    date. So is none at all.

    Raises:
        MissingExtraError: if the encoder it was made with is not installed.
    """
    try:
        if index_snapshot(location) != corpus.snapshot():
            return ()
        return tuple(_differences(corpus, location))
    except MissingExtraError:  # of its encoder
        raise
    except UserError as error:
        return (str(error),)


def _store(location: IndexLocation) -> Store:
    return open_store(location, remedy=REMEDY)


def _described(store: Store) -> Description | None:
    """Return the index in use; one of an earlier release counts as none, as it is made anew."""
    try:
        found = store.describe(COLLECTION)
    except OutdatedIndexError:
        return None
    is_current = found and read_note(found.note).form == FORM and not is_outdated(found.encoder)
    return found if is_current else None


def _open(store: Store, found: Description, spec: str = "") -> Collection:
    return store.open(COLLECTION, _schema(open_encoder(spec or found.encoder)))


def _schema(encoder: Encoder) -> Schema:
    return Schema((WORDS, BIGRAMS), encoder)


def _update(
    corpus: Corpus, store: Store, found: Description, encoder: str, progress: Progress | None
) -> IndexReport:
    note = read_note(found.note)
    collection = _open(store, found, encoder)
    if note.shows(corpus.snapshot()):
        return IndexReport("unchanged", found.documents)
    if collection.snapshot().rows > 2 * found.documents + MANY_DELETED:
        return _build(corpus, store, encoder or found.encoder, progress)
    files = store.files(COLLECTION, found.build)
    shown = IndexedWorks.read(files, note.snapshot)
    if shown is None or shown.documents != found.documents:
        shown = IndexedWorks({}, {"": tuple(collection.snapshot().keys())})
    with collection.writing(wait=_PATIENCE) as writer:
        report = _write(writer, corpus, shown, files, progress)
        writer.commit()
    read_metadata(files, collection.snapshot())
    return report


def _build(corpus: Corpus, store: Store, encoder: str, progress: Progress | None) -> IndexReport:
    schema, metadata = _schema(open_encoder(encoder)), MetadataBuilder()
    with store.replace(COLLECTION, schema, wait=_PATIENCE) as writer:
        files = store.files(COLLECTION, writer.build)
        report = _write(writer, corpus, IndexedWorks({}, {}), files, progress, metadata)
        metadata.build().write(files)
    return IndexReport("built", report.documents, report.added)


def _write(
    writer: Writer,
    corpus: Corpus,
    shown: IndexedWorks,
    files: Path,
    progress: Progress | None,
    metadata: MetadataBuilder | None = None,
) -> IndexReport:
    """Add and delete what makes an index that shows some laws show the corpus; not yet committed.

    Only laws whose state changed are read; the key of a document is a hash of all it says. What the
    index will show is written beside it before the commit, under the snapshot of the corpus.
    """
    snapshot, states = corpus.snapshot(), corpus.work_snapshots()
    changed = sorted(work for work, state in states.items() if shown.states.get(work) != state)
    stale = {work for work in shown.keys if work not in states}.union(changed)
    before = {key for work in stale for key in shown.keys.get(work, ())}
    keys = {work: keys for work, keys in shown.keys.items() if work not in stale}

    def missing() -> Iterator[Document]:
        for work in changed:
            documents = {one.key: one for one in work_documents(corpus, work)}
            keys[work] = tuple(documents)
            yield from (one for key, one in documents.items() if key not in before)

    documents = missing() if metadata is None else metadata.adding(missing())
    written = writer.add(documents, progress=progress)
    deleted = writer.delete(sorted(before.difference(*(keys[work] for work in changed))))
    works = IndexedWorks(states, keys)
    works.write(files, snapshot)
    writer.annotate(json.dumps(asdict(IndexNote(snapshot, FORM))))
    return IndexReport("updated", works.documents, written.added, len(deleted))


@dataclass(frozen=True, slots=True)
class IndexedWorks:
    """The laws an index shows: the state and the keys of the documents of each, by title.

    An update leaves alone the laws whose state (`Corpus.work_snapshots`) is the same.
    """

    states: Mapping[str, str]
    keys: Mapping[str, tuple[str, ...]]

    @property
    def documents(self) -> int:
        """The number of documents."""
        return sum(map(len, self.keys.values()))

    @classmethod
    def read(cls, folder: Path, snapshot: str) -> Self | None:
        """Read the file beside the index of a snapshot; ``None`` where it cannot be read."""
        try:
            value: Any = json.loads(_works_path(folder, snapshot).read_text(encoding="utf-8"))
            if value["form"] != _WORKS_FORM:
                return None
            laws = cast("dict[str, list[Any]]", value["laws"])
            states = {title: str(state) for title, (state, _) in laws.items()}
            return cls(states, {title: tuple(keys) for title, (_, keys) in laws.items()})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, folder: Path, snapshot: str) -> None:
        """Write it beside the index; where that cannot be done the next update reads all laws."""
        laws = {title: [state, self.keys.get(title, ())] for title, state in self.states.items()}
        path = _works_path(folder, snapshot)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{os.getpid()}")
            written = json.dumps({"form": _WORKS_FORM, "laws": laws}, ensure_ascii=False)
            temporary.write_text(written, encoding="utf-8")
            temporary.replace(path)
            for earlier in folder.glob("laws-*.json"):
                if earlier != path:
                    earlier.unlink(missing_ok=True)


def _works_path(folder: Path, snapshot: str) -> Path:
    return folder / f"laws-{snapshot[:24]}.json"


def _differences(corpus: Corpus, location: IndexLocation) -> Iterator[str]:
    snapshot = open_index(location).snapshot()
    found = {key: _digest(payload) for key, payload in snapshot.records()}
    if len(snapshot) != len(found):
        yield f"the words and the texts of the search index do not go together; {REMEDY}"
    wanted = {one.key: _digest(one.payload) for one in statute_documents(corpus)}
    if read_note(snapshot.note).snapshot != corpus.snapshot():
        return  # one of them was changed meanwhile
    counts = {
        "says otherwise than the corpus of": [
            key for key in wanted.keys() & found.keys() if wanted[key] != found[key]
        ],
        "lacks": [*(wanted.keys() - found.keys())],
        "has what the corpus does not:": [*(found.keys() - wanted.keys())],
    }
    for what, keys in counts.items():
        if keys:
            some = ", ".join(islice(sorted(keys), _EXAMPLES))
            yield f"the search index {what} {len(keys)} wordings ({some}); {REMEDY}"


def _digest(payload: str) -> bytes:
    return hashlib.sha256(payload.encode()).digest()


def _remove_first_format(location: IndexLocation) -> None:
    """Remove the index of a release that had its builds in the folder itself."""
    if isinstance(location, Path) and (location / "CURRENT").is_file():
        for path in (location / "CURRENT", location / "turns.sqlite"):
            path.unlink(missing_ok=True)
        for path in location.glob("*"):
            if path.name.isdigit() and (path / "manifest.json").is_file():
                shutil.rmtree(path, ignore_errors=True)
