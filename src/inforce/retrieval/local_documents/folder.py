"""Watches the files of a folder by looking at some of them before every search.

The first look lists everything. Every later one looks at up to `FOLDERS_A_LOOK` folders (a folder's
own time changes when a file in it appears, disappears or is replaced) and at `FILES_A_LOOK` files,
in turn (a file edited in place changes only its own time). So a look costs the same however large
the folder is: in a tree of up to 2,500 files every change is seen at the next look, in one of
10,000 an edit in place at the fourth at the latest.
"""

from __future__ import annotations

import os
import stat
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePath
from typing import NamedTuple, TypeVar

from inforce.errors import InputError

T = TypeVar("T")

FILES_A_LOOK = 2_500
FOLDERS_A_LOOK = 500

UNSETTLED = 100_000_000
"""Nanoseconds within which a second change may leave the time of a file as it is."""


class FileState(NamedTuple):
    """The state of a file, by which a change is noticed without reading it."""

    size: int
    modified: int
    """Nanoseconds since 1970, UTC."""
    changed: int
    inode: int

    @classmethod
    def of(cls, found: os.stat_result) -> FileState:
        """The state a stat shows."""
        return cls(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)

    def is_settled(self, seen: int) -> bool:
        """Return whether no later change can look like this one, if it was seen at that time."""
        return max(self.modified, self.changed) + UNSETTLED < seen


@dataclass(slots=True)
class _Listing:
    """A folder as it was last listed."""

    state: FileState
    seen: int
    files: set[str] = field(default_factory=set[str])
    folders: set[str] = field(default_factory=set[str])
    problems: dict[str, str] = field(default_factory=dict[str, str])


class WatchedFolder:
    """A folder and all below it; hidden files and links are left alone.

    Args:
        root: the folder.
        suffixes: endings of the files that count, in lower case.
        max_files: how many files there may be.
    """

    def __init__(self, root: Path, *, suffixes: frozenset[str], max_files: int) -> None:
        self._root = os.path.realpath(root)
        self._suffixes = suffixes
        self._max_files = max_files
        self._listings: OrderedDict[str, _Listing] = OrderedDict()
        self.states: OrderedDict[str, FileState] = OrderedDict()
        """Every file by its path in the folder, as of the last look; in the order of that look."""
        self.changes = 0
        """How many changes were seen so far."""
        self._unlisted: dict[str, str] = {}
        self._is_overfull = False

    @property
    def problems(self) -> dict[str, str]:
        """Why a folder, a link or a name could not be used, by path."""
        found = self._unlisted.copy()
        for listing in self._listings.copy().values():  # another thread may be looking
            found |= listing.problems
        if self._is_overfull:
            found["."] = f"more than {self._max_files:,} files: the others are left out"
        return found

    def look(self) -> None:
        """Bring `states` up to date, as far as one look goes.

        Raises:
            InputError: if the folder itself is gone or cannot be listed.
        """
        if not self._listings:
            self._list([""])
            return
        self._list(sorted(self._unlisted))
        for folder in _in_turn(self._listings, FOLDERS_A_LOOK):
            self._look_at_folder(folder)
        for path in _in_turn(self.states, FILES_A_LOOK):
            self._look_at_file(path)

    def _look_at_folder(self, folder: str) -> None:
        listing = self._listings.get(folder)
        if listing is None:
            return  # forgotten earlier in this look, with the folder above it
        try:
            state = FileState.of(os.lstat(self._full(folder)))
        except OSError as error:
            self._lose(folder, error)
            return
        if state != listing.state or not state.is_settled(listing.seen):
            self._list([folder])

    def _look_at_file(self, path: str) -> None:
        known = self.states.get(path)
        if known is None:
            return  # forgotten earlier in this look, with its folder
        state = self._state_of(path)
        if state is None:
            self._forget_file(path)
        elif state != known:
            self.changes += 1
            self.states[path] = state

    def _state_of(self, path: str) -> FileState | None:
        """The state of a regular file, or ``None`` if there is none by that name any more."""
        try:
            found = os.lstat(self._full(path))
        except OSError:
            return None
        return FileState.of(found) if stat.S_ISREG(found.st_mode) else None

    def _list(self, folders: Iterable[str]) -> None:
        """List folders and, below them, those not known yet."""
        waiting = list(folders)
        while waiting:
            folder = waiting.pop()
            try:
                listing = self._listed(folder)
            except OSError as error:
                self._lose(folder, error)
            else:
                waiting += self._take(folder, listing)

    def _listed(self, folder: str) -> _Listing:
        full = self._full(folder)
        seen, found = time.time_ns(), os.lstat(full)
        if not stat.S_ISDIR(found.st_mode):  # a link put in its place, say
            raise NotADirectoryError(full)
        listing = _Listing(FileState.of(found), seen)
        with os.scandir(full) as entries:
            for entry in entries:
                if not entry.name.startswith("."):
                    self._enter(entry, f"{folder}/{entry.name}" if folder else entry.name, listing)
        return listing

    def _enter(self, entry: os.DirEntry[str], path: str, listing: _Listing) -> None:
        if entry.is_symlink():
            if not self._leads_inside(entry.path):
                listing.problems[_shown(path)] = "a link out of the folder: not followed"
        elif _shown(path) != path:
            listing.problems[_shown(path)] = "its name is not plain text: rename it"
        elif entry.is_dir(follow_symlinks=False):
            listing.folders.add(path)
        elif (
            entry.is_file(follow_symlinks=False)
            and PurePath(entry.name).suffix.lower() in self._suffixes
        ):
            listing.files.add(path)

    def _leads_inside(self, path: str) -> bool:
        """Return whether a link leads into the folder, whose files are read anyway."""
        try:
            return os.path.commonpath([self._root, os.path.realpath(path)]) == self._root
        except ValueError:  # another drive
            return False

    def _take(self, folder: str, listing: _Listing) -> list[str]:
        """Make a listing the known one; the folders in it that are still to be listed."""
        before = self._listings.get(folder) or _Listing(listing.state, 0)
        self._listings[folder] = listing
        self._unlisted.pop(folder, None)
        for path in sorted(before.files - listing.files):
            self._forget_file(path)
        for path in sorted(before.folders - listing.folders):
            self._forget_folder(path)
        for path in sorted(listing.files):
            self._meet(path)
        return sorted(listing.folders - before.folders, reverse=True)

    def _meet(self, path: str) -> None:
        if path in self.states:
            self._look_at_file(path)
            return
        self._is_overfull = len(self.states) >= self._max_files
        state = None if self._is_overfull else self._state_of(path)
        if state is not None:
            self.changes += 1
            self.states[path] = state

    def _lose(self, folder: str, error: OSError) -> None:
        reason = error.strerror or "not a folder"
        if not folder:
            raise InputError(f"this folder cannot be read: {reason}", path=self._root) from error
        self._forget_folder(folder)
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            self._unlisted[folder] = f"this folder cannot be read: {reason}"

    def _forget_folder(self, folder: str) -> None:
        self._unlisted.pop(folder, None)
        listing = self._listings.pop(folder, None)
        if listing is not None:
            for path in sorted(listing.files):
                self._forget_file(path)
            for path in sorted(listing.folders):
                self._forget_folder(path)

    def _forget_file(self, path: str) -> None:
        if self.states.pop(path, None) is not None:
            self.changes += 1

    def _full(self, path: str) -> str:
        return f"{self._root}/{path}" if path else self._root


def _in_turn(known: OrderedDict[str, T], most: int) -> Iterator[str]:
    """The next paths in turn; each goes to the end of the queue."""
    for path in list(islice(known, most)):
        if path in known:
            known.move_to_end(path)
        yield path


def _shown(path: str) -> str:
    """A path as it can be printed; what is not text in it is written as an escape."""
    plain = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if ord(c) >= 32 and c != "\x7f" else ascii(c)[1:-1] for c in plain)
