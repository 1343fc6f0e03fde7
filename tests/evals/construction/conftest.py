"""The invented world, opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from firm_tables import write_tables

from inforce.evals.construction.description import read_description
from inforce.evals.construction.worlds import TaskWorld, own_world


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """The description of the invented tables, which lie beside it."""
    return write_tables(tmp_path / "firm")


@pytest.fixture
def firm(tables: Path) -> TaskWorld:
    """The invented world."""
    return own_world(tables.parent, read_description(tables))
