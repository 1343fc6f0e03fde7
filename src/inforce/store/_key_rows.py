"""Which rows have which keys while documents are written: those committed, those added since."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inforce.store.schema import Document


class KeyRows:
    """The keys and parents of one transaction.

    Args:
        committed: the rows of a key or parent as of the last commit.
        parent: of the last document before: its passages may go on.
    """

    def __init__(self, committed: Callable[[str], Sequence[int]], *, parent: str = "") -> None:
        self.parent = parent
        self._committed = committed
        self._added: dict[str, range] = {}
        self._removed: set[str] = set()

    def place(self, row: int, document: Document) -> list[int]:
        """Give a document its row; returns the rows it replaces.

        The passages of one document, which come one after another, replace nothing twice.
        """
        whole = document.parent or document.key
        first, replaced = row, list[int]()
        if document.parent and document.parent == self.parent:
            first = self._added.get(whole, range(row, row)).start
        else:
            replaced = self.remove(whole)
        self.parent = document.parent
        self._added[whole] = range(first, row + 1)
        self._added[document.key] = range(row, row + 1)
        return replaced

    def remove(self, name: str) -> list[int]:
        """Take away a key or parent; returns the rows it had."""
        rows = list(self._added.pop(name, ()))
        if name not in self._removed:
            rows += self._committed(name)
        if rows:
            self._removed.add(name)
        return rows
