"""A collection opened for reading: it looks at the files before each search, and follows them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

from inforce.errors import SearchIndexError
from inforce.store.local.snapshot import LocalSnapshot
from inforce.store.local.writer import LocalWriter, OpenBuild
from inforce.store.protocol import Collection, Schema

if TYPE_CHECKING:
    from inforce.store.local.folder import LocalStore


class _Seen(NamedTuple):
    """What was opened last, and by what a later commit is told from it."""

    build: OpenBuild
    stamp: tuple[int, int]
    snapshot: LocalSnapshot


class LocalCollection(Collection):
    """A collection in a folder.

    Raises:
        SearchIndexError: if there is none, it is damaged, or has another schema.
    """

    def __init__(self, store: LocalStore, name: str, schema: Schema) -> None:
        self._store = store
        self._name = name
        self.schema = schema
        self._opening = RLock()
        self._seen = self._open(None)

    def snapshot(self) -> LocalSnapshot:
        """The last commit."""
        seen = self._seen
        if not self._is_latest(seen):
            with self._opening:
                seen = self._seen
                if not self._is_latest(seen):
                    seen = self._seen = self._open(seen)
        return seen.snapshot

    @contextmanager
    def writing(self, *, wait: float = 0.0) -> Generator[LocalWriter]:
        """Hold the one writer."""
        with self._store.lock(self._name, wait=wait):
            self.snapshot()
            with self._seen.build.writing("low") as writer:
                yield writer

    def _is_latest(self, seen: _Seen) -> bool:
        try:
            current = self._store.current(self._name)
            return current == seen.build.name and seen.build.stamp == seen.stamp
        except FileNotFoundError:
            return False

    def _open(self, seen: _Seen | None) -> _Seen:
        """The last commit of the build in use, though others may replace either meanwhile."""
        while True:
            name = self._store.current(self._name)
            if not name:
                raise SearchIndexError(
                    f"no index {self._name!r} in {self._store}: {self._store.remedy}"
                )
            try:
                return self._open_build(name, seen)
            except SearchIndexError:
                if self._store.current(self._name) == name:
                    raise

    def _open_build(self, name: str, seen: _Seen | None) -> _Seen:
        if seen and seen.build.name == name:
            build, earlier = seen.build, seen.snapshot
        else:
            build, earlier = self._store.open_build(self._name, name, self.schema), None
        with build.naming_damage():
            stamp = build.stamp
        return _Seen(build, stamp, build.snapshot(earlier))


class MemoryCollection(Collection):
    """A collection that is gone with the program."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        dimension = schema.encoder.dimension if schema.encoder else 0
        self._build = OpenBuild(None, schema, dimension=dimension, damaged=_broken)
        with self.writing() as writer:
            writer.commit()
        self._seen = _Seen(self._build, self._build.stamp, self._build.snapshot(None))

    def snapshot(self) -> LocalSnapshot:
        """The last commit."""
        seen, stamp = self._seen, self._build.stamp
        if seen.stamp != stamp:
            seen = self._seen = _Seen(self._build, stamp, self._build.snapshot(seen.snapshot))
        return seen.snapshot

    @contextmanager
    def writing(self, *, wait: float = 0.0) -> Generator[LocalWriter]:
        """Hold the one writer."""
        with self._build.writing("low") as writer:
            yield writer


def _broken(error: BaseException) -> SearchIndexError:
    return SearchIndexError(f"the index in memory is damaged ({error})")
