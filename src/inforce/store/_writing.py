"""What both kinds of writers share: adding in batches, and the rows of keys in one transaction."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence

from inforce.store._preparing import Batch, Pack, Priority, prepared
from inforce.store.protocol import Progress, Writer, Written
from inforce.store.schema import Document, Schema


class KeyRows:
    """The rows of the keys and parents of one transaction.

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


class BatchWriter(Writer):
    """A writer that adds documents in batches, prepared by threads of a priority.

    They also ``pack`` what is stored beside the terms.
    """

    _keys: KeyRows

    def __init__(
        self, schema: Schema, *, priority: Priority = "normal", pack: Pack | None = None
    ) -> None:
        self._schema = schema
        self._priority: Priority = priority
        self._pack = pack

    def add(
        self,
        documents: Iterable[Document],
        *,
        progress: Progress | None = None,
        threads: int | None = None,
        commit_every: int = 0,
    ) -> Written:
        before = committed = self.rows
        replaced = 0
        for batch in prepared(
            documents, self._schema, threads=threads, priority=self._priority, pack=self._pack
        ):
            replaced += self._put(batch)
            if commit_every and self.rows - committed >= commit_every:
                self.commit()
                committed = self.rows
            if progress:
                progress(len(batch.documents))
        self._keys.parent = ""
        return Written(self.rows - before, replaced)

    @abstractmethod
    def _put(self, batch: Batch) -> int:
        """Add the documents of a batch; returns how many replaced an earlier one."""
