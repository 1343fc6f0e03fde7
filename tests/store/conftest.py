"""Stores for the tests of this folder."""

from __future__ import annotations

import pytest
from stores_made import Stores


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    """Makes stores; one Milvus file serves all tests, as it takes a second to open."""
    return Stores(tmp_path_factory.mktemp("stores"))
