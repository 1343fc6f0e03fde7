"""Stores of every kind, to be asked the same."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from inforce.corpus.home import MilvusAddress
from inforce.store import Collection, Store
from inforce.store.local import LocalStore

HAS_MILVUS = all(map(importlib.util.find_spec, ("pymilvus", "milvus_lite")))
NEEDS_MILVUS = pytest.mark.skipif(
    not HAS_MILVUS, reason="needs the milvus extra: pip install 'inforce[milvus]'"
)
KINDS = ("local", pytest.param("milvus", marks=NEEDS_MILVUS))

Make = Callable[..., Collection]
"""Makes an empty collection."""


@dataclass
class Stores:
    """Makes stores: each test has its own, those in Milvus share a file that is emptied."""

    folder: Path
    made: int = 0
    opened: list[str] = field(default_factory=list[str])

    def new(self, kind: str, *, remedy: str = "make it anew") -> Store:
        """An empty store."""
        self.made += 1
        if kind == "milvus":
            from inforce.store.milvus import MilvusStore

            store = MilvusStore(self.address, remedy=remedy)
            for name in store.milvus.tables():
                for alias in store.milvus.client.list_aliases(name)["aliases"]:
                    store.milvus.client.drop_alias(alias)
                store.milvus.drop(name)
            return store
        return LocalStore(self.folder / f"{kind}-{self.made}", remedy=remedy)

    @property
    def address(self) -> MilvusAddress:
        """A Milvus file for all tests, as it takes a second to open."""
        return MilvusAddress(str(self.folder / "stores.db"), self.folder / "milvus")

    def close(self) -> None:
        """Let go of the Milvus file."""
        if HAS_MILVUS:
            close_milvus(self.address.uri)


def close_milvus(uri: str) -> None:
    """End what serves a Milvus file in this process."""
    server: Any = import_module("milvus_lite.server_manager")
    with suppress(Exception):
        server.server_manager_instance.release_server(uri)
