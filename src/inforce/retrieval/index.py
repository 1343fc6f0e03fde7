"""The search index of a corpus: made, brought up to date, opened.

The index is derived: it can always be made again from the corpus. It remembers the snapshot of the
corpus it shows and the encoder that filled it; bringing it up to date adds and deletes only what
changed, and makes it anew where the corpus has outgrown the fitted encoder.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from inforce.corpus.home import IndexLocation
from inforce.corpus.store import Corpus
from inforce.errors import SearchIndexError
from inforce.retrieval.documents import FORM, statute_documents
from inforce.retrieval.encoders import Encoder, open_encoder
from inforce.retrieval.encoders.lsa import fit_lsa, fit_sample
from inforce.retrieval.engines import Document
from inforce.retrieval.engines.batches import Progress
from inforce.retrieval.places import IndexEngine, Place, Standing, place_of
from inforce.retrieval.tokens import tokenize

OUTGROWN = 2.0
"""An LSA model fitted on n documents serves up to this many times n; then it is fitted again."""

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
        location: where the index lives: a folder, or a Milvus.
        encoder: ``lsa``, ``st:PATH`` or an endpoint URL; empty keeps the one in use (LSA at first).
        rebuild: make it anew even where an update would do.
        progress: told how many documents were indexed since it was last told.

    Raises:
        SearchIndexError: if another process is writing for ten minutes, or the index is of another
            encoder.
    """
    place = place_of(location)
    if not rebuild and (engine := _up_to_date(corpus, place, encoder)) is not None:
        return IndexReport("unchanged", len(engine))
    with _taking_turns(place.folder):
        if not rebuild and (standing := place.standing()) is not None:
            engine = _open(place, standing, encoder)
            return _bring_up_to_date(corpus, place, engine, encoder, progress)
        return _build(
            place, list(statute_documents(corpus)), corpus.snapshot(), encoder or "lsa", progress
        )


def open_index(location: IndexLocation, *, encoder: str = "") -> IndexEngine:
    """Open an index for searching.

    Raises:
        SearchIndexError: if there is none, it is damaged, or another encoder filled it.
    """
    place = place_of(location)
    standing = place.standing()
    if standing is None:
        raise SearchIndexError(f"no search index in {place}; make one: inforce corpus index")
    return _open(place, standing, encoder)


def current_build(location: IndexLocation) -> str:
    """Names the build of an index in use; empty where there is none. Cheap to ask often."""
    return place_of(location).current()


def index_snapshot(location: IndexLocation) -> str | None:
    """The snapshot of the corpus an index shows; ``None`` where there is no index."""
    standing = place_of(location).standing()
    return json.loads(standing.note)["snapshot"] if standing and standing.note else None


def _open(place: Place, standing: Standing, encoder: str) -> IndexEngine:
    kept = "lsa" if standing.encoder.startswith("lsa:") else standing.encoder
    return place.open(standing.build, open_encoder(encoder or kept))


def _up_to_date(corpus: Corpus, place: Place, encoder: str) -> IndexEngine | None:
    """The index, if it shows the corpus as it is: then nobody needs to write."""
    standing = place.standing()
    if standing is None:
        return None
    engine = _open(place, standing, encoder)
    return engine if _note(engine).shows(corpus.snapshot()) else None


def _bring_up_to_date(
    corpus: Corpus, place: Place, engine: IndexEngine, encoder: str, progress: Progress | None
) -> IndexReport:
    note, snapshot = _note(engine), corpus.snapshot()
    if note.shows(snapshot):
        return IndexReport("unchanged", len(engine))
    documents = list(statute_documents(corpus))
    if note.fitted_on and len(documents) > OUTGROWN * note.fitted_on:
        return _build(place, documents, snapshot, encoder or "lsa", progress)
    return _update(engine, documents, IndexNote(snapshot, note.fitted_on, FORM), progress)


@contextmanager
def _taking_turns(folder: Path) -> Generator[None]:
    """Let one process at a time write; SQLite's lock ends with its process, however that ends."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "turns.sqlite", timeout=_PATIENCE)) as turns:
        try:
            turns.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise SearchIndexError(
                f"another process is writing the index in {folder}; try again when it is done "
                f"({error})"
            ) from error
        yield


def _update(
    engine: IndexEngine, documents: Sequence[Document], note: IndexNote, progress: Progress | None
) -> IndexReport:
    wanted = {document.key for document in documents}
    deleted = engine.delete(sorted(engine.keys() - wanted))
    added = engine.add(documents, progress=progress)
    engine.annotate(json.dumps(asdict(note)))
    return IndexReport("updated", len(engine), added, deleted)


def _build(
    place: Place,
    documents: Sequence[Document],
    snapshot: str,
    encoder: str,
    progress: Progress | None,
) -> IndexReport:
    chosen = open_encoder(encoder)
    with place.replacing(chosen or _fit(documents)) as engine:
        added = engine.add(documents, progress=progress)
        note = IndexNote(snapshot, 0 if chosen else len(documents), FORM)
        engine.annotate(json.dumps(asdict(note)))
    return IndexReport("built", len(engine), added)


def _fit(documents: Sequence[Document]) -> Encoder:
    return fit_lsa([" ".join(tokenize(document.text)) for document in fit_sample(documents)])


def _note(engine: IndexEngine) -> IndexNote:
    return IndexNote(**json.loads(engine.note)) if engine.note else IndexNote("")
