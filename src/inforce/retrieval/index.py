"""The search index of a corpus: made, brought up to date, opened.

The index is derived: it can always be made again from the corpus. It remembers the snapshot of the
corpus it shows and the encoder that filled it; bringing it up to date adds and deletes only what
changed, and makes it anew where the corpus has outgrown the fitted encoder.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from inforce.corpus.store import Corpus
from inforce.errors import SearchIndexError
from inforce.retrieval.documents import statute_documents
from inforce.retrieval.encoders import Encoder, open_encoder
from inforce.retrieval.encoders.lsa import fit_lsa, fit_sample
from inforce.retrieval.engines import Document
from inforce.retrieval.engines.local import LocalEngine, Progress
from inforce.retrieval.engines.segments import read_manifest
from inforce.retrieval.tokens import tokenize

OUTGROWN = 2.0
"""An LSA model fitted on n documents serves up to this many times n; then it is fitted again."""

_CURRENT = "CURRENT"
_PATIENCE = 600.0
"""Seconds to wait for another process that is writing: longer than any index takes to make."""


@dataclass(frozen=True, slots=True)
class IndexNote:
    """What the index knows of the corpus it shows."""

    snapshot: str
    fitted_on: int = 0
    """Documents the LSA encoder was fitted on; 0 for other encoders."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What bringing an index up to date did."""

    action: Literal["built", "updated", "unchanged"]
    documents: int
    added: int = 0
    deleted: int = 0


def update_index(
    corpus: Corpus,
    folder: Path,
    *,
    encoder: str = "",
    rebuild: bool = False,
    progress: Progress | None = None,
) -> IndexReport:
    """Make the index show the corpus as it is now; waits while another process does so.

    Args:
        corpus: what to index.
        folder: where the index lives.
        encoder: ``lsa``, ``st:PATH`` or an endpoint URL; empty keeps the one in use (LSA at first).
        rebuild: make it anew even where an update would do.
        progress: told how many documents were indexed since it was last told.

    Raises:
        SearchIndexError: if another process is writing for ten minutes, or the index is of another
            encoder.
    """
    if not rebuild and (engine := _up_to_date(corpus, folder, encoder)) is not None:
        return IndexReport("unchanged", len(engine))
    with _taking_turns(folder):
        if not rebuild and _current(folder) is not None:
            engine = open_index(folder, encoder=encoder)
            return _bring_up_to_date(corpus, folder, engine, encoder, progress)
        return _build(
            folder, list(statute_documents(corpus)), corpus.snapshot(), encoder or "lsa", progress
        )


def open_index(folder: Path, *, encoder: str = "") -> LocalEngine:
    """Open the index of a folder for searching.

    Raises:
        SearchIndexError: if there is none, it is damaged, or another encoder filled it.
    """
    current = _current(folder)
    if current is None:
        raise SearchIndexError(f"no search index in {folder}; make one: inforce corpus index")
    return LocalEngine(current, encoder=open_encoder(encoder or _encoder_in_use(current)))


def current_build(folder: Path) -> str:
    """Names the build an index folder points to; empty where there is none. Cheap to ask often."""
    current = _current(folder)
    return current.name if current else ""


def index_snapshot(folder: Path) -> str | None:
    """The snapshot of the corpus an index shows; ``None`` where there is no index."""
    current = _current(folder)
    manifest = read_manifest(current) if current else None
    return json.loads(manifest.note)["snapshot"] if manifest and manifest.note else None


def _up_to_date(corpus: Corpus, folder: Path, encoder: str) -> LocalEngine | None:
    """The index, if it shows the corpus as it is: then nobody needs to write."""
    if _current(folder) is None:
        return None
    engine = open_index(folder, encoder=encoder)
    return engine if _note(engine).snapshot == corpus.snapshot() else None


def _bring_up_to_date(
    corpus: Corpus, folder: Path, engine: LocalEngine, encoder: str, progress: Progress | None
) -> IndexReport:
    note, snapshot = _note(engine), corpus.snapshot()
    if note.snapshot == snapshot:
        return IndexReport("unchanged", len(engine))
    documents = list(statute_documents(corpus))
    if note.fitted_on and len(documents) > OUTGROWN * note.fitted_on:
        return _build(folder, documents, snapshot, encoder or "lsa", progress)
    return _update(engine, documents, IndexNote(snapshot, note.fitted_on), progress)


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
    engine: LocalEngine, documents: Sequence[Document], note: IndexNote, progress: Progress | None
) -> IndexReport:
    wanted = {document.key for document in documents}
    deleted = engine.delete(sorted(engine.keys() - wanted))
    added = engine.add(documents, progress=progress)
    engine.annotate(json.dumps(asdict(note)))
    return IndexReport("updated", len(engine), added, deleted)


def _build(
    folder: Path,
    documents: Sequence[Document],
    snapshot: str,
    encoder: str,
    progress: Progress | None,
) -> IndexReport:
    """Build in a new subfolder, then point to it: a crash leaves the old index in use."""
    chosen = open_encoder(encoder)
    target = _next(folder)
    engine = LocalEngine.create(target, chosen or _fit(documents))
    added = engine.add(documents, progress=progress)
    note = IndexNote(snapshot, 0 if chosen else len(documents))
    engine.annotate(json.dumps(asdict(note)))
    _point_to(folder, target)
    return IndexReport("built", len(engine), added)


def _fit(documents: Sequence[Document]) -> Encoder:
    return fit_lsa([" ".join(tokenize(document.text)) for document in fit_sample(documents)])


def _note(engine: LocalEngine) -> IndexNote:
    return IndexNote(**json.loads(engine.note)) if engine.note else IndexNote("")


def _encoder_in_use(current: Path) -> str:
    manifest = read_manifest(current)
    name = manifest.encoder if manifest else "lsa"
    return "lsa" if name.startswith("lsa:") else name


def _current(folder: Path) -> Path | None:
    try:
        current = folder / (folder / _CURRENT).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    return current if current.is_dir() and current != folder else None


def _next(folder: Path) -> Path:
    taken = [int(path.name) for path in folder.glob("*") if path.name.isdigit()]
    return folder / f"{max(taken, default=0) + 1:04d}"


def _point_to(folder: Path, target: Path) -> None:
    temporary = folder / f"{_CURRENT}.new"
    temporary.write_text(target.name, encoding="utf-8")
    temporary.replace(folder / _CURRENT)
    for path in folder.glob("*"):
        if path.is_dir() and path.name != target.name:
            shutil.rmtree(path, ignore_errors=True)
