"""An empty corpus for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inforce.corpus.store import Corpus


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corpus.db"


@pytest.fixture
def corpus(path: Path) -> Iterator[Corpus]:
    with Corpus.open(path, mode="write") as filled:
        yield filled
