"""The data folder of a person: where the corpus and the search index are."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from inforce.errors import SearchIndexError


@dataclass(frozen=True, slots=True)
class MilvusAddress:
    """A Milvus that holds the search index."""

    uri: str
    """``./statutes.db`` or ``http://host:19530``."""
    folder: Path
    """Of the files of the index that stay on this machine."""
    token: str = field(default="", repr=False)


IndexLocation = Path | MilvusAddress


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


def index_location(folder: Path) -> IndexLocation:
    """The location of the search index: in a data folder, or where ``INFORCE_INDEX`` says.

    ``INFORCE_INDEX=milvus:URI`` names a Milvus; ``INFORCE_MILVUS_TOKEN`` is its password.

    Raises:
        SearchIndexError: if the variable names anything else.
    """
    chosen = os.environ.get("INFORCE_INDEX", "")
    if not chosen:
        return folder / index_path().name
    scheme, _, uri = chosen.partition(":")
    if scheme != "milvus" or not uri:
        raise SearchIndexError(
            f"INFORCE_INDEX is {chosen!r}: use milvus:./statutes.db or milvus:http://host:19530, "
            "or unset it to keep the index in the data folder"
        )
    name = re.sub(r"\W+", "-", uri.rpartition("@")[2]).strip("-")
    token = os.environ.get("INFORCE_MILVUS_TOKEN", "")
    return MilvusAddress(uri, folder / "milvus" / name, token)
