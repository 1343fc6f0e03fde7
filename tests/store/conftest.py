"""Stores for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stores_made import Stores


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    """Makes stores."""
    made = Stores(tmp_path_factory.mktemp("stores"))
    yield made
    made.close()
