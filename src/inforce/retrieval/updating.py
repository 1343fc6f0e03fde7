"""The statute search of a corpus that changes: opened once, and brought up to date.

While the index of a changed corpus is made, questions are answered from the one before, and each
result says so (`inforce.retrieval.statutes.Coverage.is_current`).
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from inforce.corpus.home import IndexLocation
from inforce.corpus.store import Corpus
from inforce.errors import SearchIndexError
from inforce.retrieval.analysis import Analyser
from inforce.retrieval.index import current_build, index_snapshot, update_index
from inforce.retrieval.statutes import StatuteSearch
from inforce.store import ReadOnlyIndexError

if TYPE_CHECKING:
    from inforce.dates import Clock
    from inforce.store import Progress

Following = Literal["at_once", "beside"]
"""How the index follows the corpus. ``at_once``: the question that first meets a changed corpus
waits until its index is made, others do not. ``beside``: none waits."""

BACKGROUND_THREAD = "inforce index"
"""The name of the thread that makes an index in the background."""

_PAUSE_S = 60.0
"""After an index could not be made in the background, how long the next attempt waits."""


class _Opened(NamedTuple):
    """A search, and the states of index and corpus that it was opened for."""

    search: StatuteSearch
    build: str
    snapshot: str
    """The snapshot of the corpus when it was opened."""
    shows: str
    """The snapshot of the corpus that the index shows."""


class UpdatingSearch:
    """Opens the statute search of a corpus once for all threads, and follows the corpus.

    Args:
        corpus: an open corpus.
        location: where its index is.
        analyser: makes what reads questions, for the corpus as it is then.
        clock: what "today" means.
        progress: called with the number of documents indexed since the last call.
        following: whether a question waits for the index of a corpus that was changed.
    """

    def __init__(
        self,
        corpus: Corpus,
        location: IndexLocation,
        *,
        analyser: Callable[[], Analyser],
        clock: Clock,
        progress: Progress | None,
        following: Following,
    ) -> None:
        self._corpus = corpus
        self._location = location
        self._analyser = analyser
        self._clock = clock
        self._progress = progress
        self._following: Following = following
        self._opening = threading.Lock()
        self._making = threading.Lock()
        self._opened: _Opened | None = None
        self._failed_at = -_PAUSE_S
        self._is_closed = False
        self._process = os.getpid()

    def search(self) -> StatuteSearch:
        """Return the search of the corpus as it is now, or the one before while that is made.

        Raises:
            SearchIndexError: if there is no index and none can be made, or it is damaged.
        """
        if self._process != os.getpid():
            self._forget_parent()
        opened = self._latest()
        if opened is None:
            with self._making:
                opened = self._latest() or self._update()
        elif opened.shows != self._corpus.snapshot() and self._making.acquire(blocking=False):
            if self._following == "beside":
                background = threading.Thread(
                    target=self._update_in_background, name=BACKGROUND_THREAD, daemon=True
                )
                background.start()
            else:
                try:
                    opened = self._update()
                except ReadOnlyIndexError:
                    pass  # the one before answers
                finally:
                    self._making.release()
        return opened.search

    @property
    def shows(self) -> str:
        """The snapshot of the corpus that the index in use shows; empty before the first search."""
        opened = self._opened
        return opened.shows if opened is not None else ""

    def close(self) -> None:
        """Let go of the index; one that is being made in the background is given up silently."""
        self._is_closed = True
        self._opened = None

    def _forget_parent(self) -> None:
        """After a fork: threads that this process does not have may hold the locks."""
        _OPENED_BY_PARENTS.append(self._opened)
        self._opening, self._making = threading.Lock(), threading.Lock()
        self._opened, self._process = None, os.getpid()

    def _latest(self) -> _Opened | None:
        """Return the search of the index in use, opened if need be; ``None`` if there is none."""
        opened = self._opened
        if opened is not None and self._is_in_use(opened):
            return opened
        with self._opening:
            opened = self._opened
            if opened is None or not self._is_in_use(opened):
                shows = index_snapshot(self._location)
                self._opened = None if shows is None else self._open(shows)
                if opened is not None:
                    del opened
                    _return_memory()
            return self._opened

    def _is_in_use(self, opened: _Opened) -> bool:
        """Return whether nothing was changed, or only the corpus, since it was opened."""
        if opened.build != current_build(self._location):
            return False
        snapshot = self._corpus.snapshot()
        if opened.shows == snapshot:
            return opened.snapshot == snapshot
        return index_snapshot(self._location) == opened.shows

    def _open(self, shows: str) -> _Opened:
        build, snapshot = current_build(self._location), self._corpus.snapshot()
        search = StatuteSearch(self._corpus, self._location, self._analyser(), clock=self._clock)
        return _Opened(search, build, snapshot, shows)

    def _update(self) -> _Opened:
        update_index(self._corpus, self._location, progress=self._progress)
        opened = self._latest()
        if opened is None:
            raise SearchIndexError("the search index was removed while it was opened; try again")
        return opened

    def _update_in_background(self) -> None:
        try:
            if time.monotonic() - self._failed_at >= _PAUSE_S:
                self._update()
        except Exception:
            self._failed_at = time.monotonic()
            if not self._is_closed:
                logging.getLogger(__name__).exception(
                    "the search index could not be brought up to date"
                )
        finally:
            self._making.release()


def _return_memory() -> None:
    """Return to the system what an index that was replaced has freed.

    Making and opening one takes memory in many threads. Glibc keeps an arena for each of them and
    gives nothing back by itself, so that a process that follows a corpus for days would only grow.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


_OPENED_BY_PARENTS: list[object] = []
"""Searches that were open before a fork: the parent may be using them at this moment."""
