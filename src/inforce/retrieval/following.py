"""The statute search of a corpus that changes: opened once, and brought up to date beside it.

While the index is made anew for a changed corpus, questions are answered from the one before, and
each result says so (`inforce.retrieval.statutes.Coverage.is_current`).
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
from inforce.retrieval.documents import provision_texts
from inforce.retrieval.index import (
    current_build,
    index_files,
    index_snapshot,
    open_index,
    update_index,
)
from inforce.retrieval.statutes import StatuteSearch
from inforce.store import ReadOnlyIndexError

if TYPE_CHECKING:
    from inforce.dates import Clock
    from inforce.store import Progress

Following = Literal["at_once", "beside"]
"""``at_once``: the question that first meets a changed corpus waits until its index is made, others
do not. ``beside``: none waits."""

MAKING = "inforce index"
"""The name of the thread that makes an index beside."""

_PAUSE_S = 60.0
"""After an index could not be made, how long the next attempt waits."""


class _Opened(NamedTuple):
    search: StatuteSearch
    build: str
    snapshot: str
    """Of the corpus, when it was opened."""
    shows: str
    """The snapshot of the corpus that the index shows."""


class FollowingSearch:
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
        """The search of the corpus as it is now, or the one before while that is made.

        Raises:
            SearchIndexError: if there is no index and none can be made, or it is damaged.
        """
        if self._process != os.getpid():
            self._leave_to_parent()
        opened = self._latest()
        if opened is None:
            with self._making:
                opened = self._latest() or self._made()
        elif not self._is_current(opened) and self._making.acquire(blocking=False):
            if self._following == "beside":
                threading.Thread(target=self._make_beside, name=MAKING, daemon=True).start()
            else:
                opened = self._make_or(opened)
        return opened.search

    @property
    def shows(self) -> str:
        """The snapshot of the corpus that the index in use shows; empty before the first search."""
        opened = self._opened
        return opened.shows if opened is not None else ""

    def close(self) -> None:
        """Let go of the index; one that is being made beside is given up without a word."""
        self._is_closed = True
        self._opened = None

    def _leave_to_parent(self) -> None:
        """After a fork: locks may be held by threads that this process does not have."""
        _OF_PARENTS.append(self._opened)
        self._opening, self._making = threading.Lock(), threading.Lock()
        self._opened, self._process = None, os.getpid()

    def _is_current(self, opened: _Opened) -> bool:
        return opened.shows == self._corpus.snapshot()

    def _latest(self) -> _Opened | None:
        """What is opened, if it is the index in use; else that one; ``None`` if there is none."""
        opened = self._opened
        if opened is not None and self._is_seen(opened):
            return opened
        with self._opening:
            opened = self._opened
            if opened is None or not self._is_seen(opened):
                shows = index_snapshot(self._location)
                self._opened = None if shows is None else self._open(shows)
                if opened is not None:
                    del opened
                    _give_memory_back()
            return self._opened

    def _is_seen(self, opened: _Opened) -> bool:
        """Whether nothing was changed, or only the corpus, since it was opened."""
        if opened.build != current_build(self._location):
            return False
        snapshot = self._corpus.snapshot()
        if opened.shows == snapshot:
            return opened.snapshot == snapshot
        return index_snapshot(self._location) == opened.shows

    def _open(self, shows: str) -> _Opened:
        build, snapshot = current_build(self._location), self._corpus.snapshot()
        collection, titles = open_index(self._location), self._corpus.titles()
        search = StatuteSearch(
            collection,
            self._analyser(),
            titles=titles,
            corpus=self._corpus.snapshot,
            texts=lambda work, number: provision_texts(self._corpus, work, number),
            known_on=self._corpus.known_on,
            documents=len(collection.snapshot()),
            clock=self._clock,
            files=lambda: index_files(self._location),
        )
        return _Opened(search, build, snapshot, shows)

    def _made(self) -> _Opened:
        update_index(self._corpus, self._location, progress=self._progress)
        opened = self._latest()
        if opened is None:
            raise SearchIndexError("the search index was removed while it was opened; try again")
        return opened

    def _make_or(self, earlier: _Opened) -> _Opened:
        """The index of the corpus as it is now; the one before where none can be written."""
        try:
            return self._made()
        except ReadOnlyIndexError:
            return earlier
        finally:
            self._making.release()

    def _make_beside(self) -> None:
        try:
            if time.monotonic() - self._failed_at >= _PAUSE_S:
                self._made()
        except Exception:
            self._failed_at = time.monotonic()
            if self._is_closed:
                return
            logging.getLogger(__name__).exception(
                "the search index could not be brought up to date"
            )
        finally:
            self._making.release()


def _give_memory_back() -> None:
    """Return to the system what an index that was replaced has freed.

    Making and opening one takes memory in many threads. Glibc keeps an arena for each of them and
    gives nothing back by itself, so that a process that follows a corpus for days would only grow.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


_OF_PARENTS: list[object] = []
"""What was open in a process before it was forked: it may be in use there at this moment."""
