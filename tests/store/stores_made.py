"""Stores of every kind, to be asked the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from inforce.store import Store
from inforce.store.local.folder import LocalStore

KINDS = ("local",)


@dataclass
class Stores:
    """Makes stores: each test has its own."""

    folder: Path
    made: int = 0

    def new(self, kind: str, *, remedy: str = "make it anew") -> Store:
        """An empty store."""
        self.made += 1
        return LocalStore(self.folder / f"{kind}-{self.made}", remedy=remedy)
