"""The law small models learn about, with its index made: episodes search it all at once."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from inforce.library import Library, open_library


@contextmanager
def open_law(corpus: Path | None, folder: Path, *, today: date) -> Generator[Library]:
    """The law to ask about.

    Args:
        corpus: a corpus file, or statute files; the starter corpus without one.
        folder: where the starter corpus and indexes are kept.
        today: the day of the episodes.

    Raises:
        InputError: if there is no such corpus, or a statute file cannot be read.
    """
    from inforce.corpus.store import Corpus
    from inforce.evals.corpora import corpus_of

    if corpus is None:
        opened = open_library(folder, clock=lambda: today)
    else:
        opened = Library(Corpus.open(corpus_of(corpus)), folder / "index", clock=lambda: today)
    with opened as library:
        assert library.statutes is not None
        yield library
