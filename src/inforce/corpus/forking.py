"""A process forks only while none of its threads is inside SQLite.

A child inherits SQLite's own locks as they are at that moment; one that is held then would be held
for ever, as the thread that holds it is not in the child.
"""

from __future__ import annotations

import os
import threading

_PATIENCE_S = 30.0
"""How long a fork waits for threads that read or write; longer than any of these should take."""


class _Depth(threading.local):
    count: int = 0


class OutsideFork:
    """``with OUTSIDE_FORK:`` around every use of SQLite; blocks may be inside each other."""

    def __init__(self) -> None:
        self._depth = _Depth()
        self._changed = threading.Condition()
        self._inside = 0
        self._is_forking = False

    def __enter__(self) -> None:
        if self._depth.count == 0:
            with self._changed:
                self._changed.wait_for(lambda: not self._is_forking)
                self._inside += 1
        self._depth.count += 1

    def __exit__(self, *_: object) -> None:
        self._depth.count -= 1
        if self._depth.count == 0:
            with self._changed:
                self._inside -= 1
                if self._is_forking:
                    self._changed.notify_all()

    def before(self) -> None:
        """Wait until no other thread is inside, and let none in."""
        own = min(self._depth.count, 1)
        self._changed.acquire()
        self._is_forking = True
        self._changed.wait_for(lambda: self._inside <= own, _PATIENCE_S)

    def after_in_parent(self) -> None:
        """Let threads in again."""
        self._is_forking = False
        self._changed.notify_all()
        self._changed.release()

    def after_in_child(self) -> None:
        """Begin anew: of the threads there is only this one."""
        self._changed = threading.Condition()
        self._inside = min(self._depth.count, 1)
        self._is_forking = False


OUTSIDE_FORK = OutsideFork()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=OUTSIDE_FORK.before,
        after_in_parent=OUTSIDE_FORK.after_in_parent,
        after_in_child=OUTSIDE_FORK.after_in_child,
    )
