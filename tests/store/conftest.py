"""Stores for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from documents_made import schema
from stores_made import KINDS, Make, Stores

from inforce.store import Collection, Schema, Store


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    """Makes stores."""
    made = Stores(tmp_path_factory.mktemp("stores"))
    yield made
    made.close()


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, stores: Stores) -> Store:
    """An empty store of each kind."""
    return stores.new(request.param)


@pytest.fixture
def make(store: Store) -> Make:
    """Make an empty collection."""

    def made(form: Schema | None = None, name: str = "made") -> Collection:
        with store.replace(name, form or schema()):
            pass
        return store.open(name, form or schema())

    return made


@pytest.fixture
def collection(make: Make) -> Collection:
    return make()
