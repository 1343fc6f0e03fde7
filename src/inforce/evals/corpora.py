"""The law an evaluation answers from: the person's own corpus, a corpus file, or statute files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from inforce.corpus.home import home
from inforce.corpus.store import Corpus
from inforce.errors import InputError
from inforce.library import Library, open_library

_SQLITE = b"SQLite format 3\x00"
_CORPUS = "corpus.db"

Progress = Callable[[int], None]
"""Called with the number of laws loaded since the last call."""


@contextmanager
def open_library_of(
    corpus: Path | None, *, today: date, progress: Progress = lambda laws: None
) -> Generator[Library]:
    """The library of a corpus, on a day.

    Statute files are loaded once and stored in the data folder by their content, so that a run that
    goes on, or the next one, starts at once.

    Args:
        corpus: a corpus file, or statute files; the person's own corpus without one.
        today: what "today" means.
        progress: called while statute files are loaded.

    Raises:
        InputError: if there is no such file, or a statute file cannot be read.
    """
    if corpus is None:
        with open_library(clock=lambda: today) as library:
            yield library
        return
    path = corpus_of(corpus, progress=progress)
    with Library(Corpus.open(path), _index_of(path), clock=lambda: today) as library:
        yield library


def corpus_of(source: Path, *, progress: Progress = lambda laws: None) -> Path:
    """The corpus file of a source: itself if it is one, else made from statute files.

    Raises:
        InputError: if there is no such file, or a statute file cannot be read.
    """
    if not source.exists():
        raise InputError("no such corpus, file or folder", path=source)
    if _is_corpus(source):
        return source
    stored = _corpora() / digest(source)[:16] / _CORPUS
    if not stored.exists():
        _load(source, stored, progress)
    return stored


def digest(source: Path) -> str:
    """What a file, or every file of a folder, holds, as a hash.

    Raises:
        InputError: if there is none.
    """
    if not source.exists():
        raise InputError("no such file or folder", path=source)
    files = sorted(path for path in source.rglob("*") if path.is_file()) or [source]
    seen = hashlib.sha256()
    for path in files:
        seen.update(path.name.encode())
        with path.open("rb") as file:
            seen.update(hashlib.file_digest(file, "sha256").digest())
    return seen.hexdigest()


def _corpora() -> Path:
    return home() / "evals" / "corpora"


def _index_of(corpus: Path) -> Path:
    """Where the index of a corpus file is: in the data folder."""
    if corpus.is_relative_to(_corpora()):
        return corpus.parent / "index"
    return _corpora() / hashlib.sha256(str(corpus.resolve()).encode()).hexdigest()[:16] / "index"


def _load(source: Path, stored: Path, progress: Progress) -> None:
    from inforce.corpus.loaders import load

    def refuse(problem: InputError) -> None:
        raise problem

    draft = stored.with_suffix(".tmp")
    draft.parent.mkdir(parents=True, exist_ok=True)
    draft.unlink(missing_ok=True)
    with Corpus.open(draft, mode="write") as corpus:
        corpus.add(load(source, on_problem=refuse), progress=lambda _: progress(1))
    draft.replace(stored)


def _is_corpus(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as start:
        return start.read(len(_SQLITE)) == _SQLITE
