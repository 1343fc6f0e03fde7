"""Where a person's corpus and index live on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """The data folder: ``INFORCE_HOME`` where that is set, else the usual place of this system."""
    chosen = os.environ.get("INFORCE_HOME")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("inforce", appauthor=False)


def corpus_path() -> Path:
    """The corpus file inside the data folder."""
    return home() / "corpus.db"


def index_path() -> Path:
    """The folder of the search index inside the data folder."""
    return home() / "index"
