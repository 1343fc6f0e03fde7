"""The corpus of an evaluation or a training: a corpus file, statute files, or the user's own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import date
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from inforce.corpus.home import home
from inforce.errors import InputError
from inforce.files import make_folder
from inforce.library import Library, open_library

MOST_FILES = 20_000
"""Files of a folder; one with more was named by mistake (``/usr``)."""

_SQLITE = b"SQLite format 3\x00"


@contextmanager
def open_library_of(
    corpus: Path | None,
    *,
    today: date,
    folder: Path | None = None,
    progress: Callable[[int], None] = lambda laws: None,
) -> Generator[Library]:
    """Open a library whose "today" stays the same for the whole run.

    Statute files are loaded once and stored in the data folder by their content, so that a resumed
    run, or the next one, starts at once.

    Args:
        corpus: a corpus file, or statute files; ``None``: the corpus of ``folder``.
        today: the day of the library's clock.
        folder: of corpus and index; ``None``: the user's data folder.
        progress: called with the number of laws loaded since the last call.

    Raises:
        InputError: if there is no such file, or a statute file cannot be read.
    """
    if corpus is None:
        with open_library(folder, clock=lambda: today) as library:
            yield library
        return
    from inforce.corpus.store import Corpus

    path = corpus_of(corpus, progress=progress)
    index = folder / "index" if folder else _index_of(path)
    with Library(Corpus.open(path), index, clock=lambda: today) as library:
        yield library


def corpus_of(source: Path, *, progress: Callable[[int], None] = lambda laws: None) -> Path:
    """Return the corpus file of a source: itself, or one made from statute files.

    Raises:
        InputError: if there is no such file, or a statute file cannot be read.
    """
    if not source.exists():
        raise InputError("no such corpus, file or folder", path=source)
    if source.is_file():
        with source.open("rb") as start:
            if start.read(len(_SQLITE)) == _SQLITE:
                return source
    stored = _corpora() / digest(source)[:16] / "corpus.db"
    if not stored.exists():
        _load(source, stored, progress)
    return stored


def digest(source: Path) -> str:
    """Return a hash of the contents of a file, or of all files of a folder.

    Raises:
        InputError: if there is none, if it is no regular file, or if the folder holds too many.
    """
    if not source.exists():
        raise InputError("no such file or folder", path=source)
    if source.is_dir():
        regular = (path for path in source.rglob("*") if path.is_file())
        files = sorted(islice(regular, MOST_FILES + 1))
        if len(files) > MOST_FILES:
            what = f"more than {MOST_FILES:,} files; name the folder that holds only the data"
            raise InputError(what, path=source)
    elif source.is_file():
        files = [source]
    else:
        raise InputError("not a regular file", path=source)
    hashed = hashlib.sha256()
    for path in files:
        hashed.update(path.name.encode())
        with path.open("rb") as file:
            hashed.update(hashlib.file_digest(file, "sha256").digest())
    return hashed.hexdigest()


def _corpora() -> Path:
    return home() / "evals" / "corpora"


def _index_of(corpus: Path) -> Path:
    """Return the index location of a corpus file, in the data folder."""
    if corpus.is_relative_to(_corpora()):
        return corpus.parent / "index"
    name = hashlib.sha256(str(corpus.resolve()).encode()).hexdigest()[:16]
    return _corpora() / name / "index"


def _load(source: Path, target: Path, progress: Callable[[int], None]) -> None:
    from inforce.corpus.loaders import load
    from inforce.corpus.store import Corpus

    def refuse(problem: InputError) -> None:
        raise problem

    make_folder(target.parent)
    # A folder of its own: another process may be loading the same source, or have died doing so.
    with TemporaryDirectory(prefix="loading-", dir=target.parent) as folder:
        draft = Path(folder) / target.name
        with Corpus.open(draft, mode="write") as corpus:
            corpus.add(load(source, on_problem=refuse), progress=lambda _: progress(1))
        draft.replace(target)
