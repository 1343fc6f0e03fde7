"""Uploaded documents: stored in a private folder for an hour, for their uploader only.

Findings are not stored: a document is checked again when it is shown, against the corpus of that
moment. Every process sees the same folder; it is emptied when the server starts and when it stops.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from starlette.exceptions import HTTPException

from inforce.files import make_folder, write_file

UPLOADS: Final = "uploads"
"""The folder in the data folder."""

_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LIFETIME_S: Final = 3600.0
_MOST: Final = 10
"""Documents of one caller; the oldest are removed."""


class Upload(msgspec.Struct, frozen=True):
    """An uploaded document, with the days stated for it."""

    name: str
    data: bytes
    on: str | None = None
    trial: str | None = None


class Uploads:
    """The uploads of a server, in a folder private to it, which need not exist yet."""

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._now = now

    def put(self, caller: str, upload: Upload) -> str:
        """Store a document and return its id."""
        self._remove_expired()
        own = self._folder_of_caller(caller)
        make_folder(own)
        oldest_first = sorted(own.iterdir(), key=_modified)
        for old in oldest_first[: max(0, len(oldest_first) - _MOST + 1)]:
            shutil.rmtree(old, ignore_errors=True)
        name = secrets.token_urlsafe(16)
        new = own / f"{name}.new"
        make_folder(new)
        write_file(new / "document", upload.data, private=True)
        described = msgspec.structs.replace(upload, data=b"")
        write_file(new / "upload.json", msgspec.json.encode(described), private=True)
        new.rename(own / name)
        return name

    def get(self, caller: str, upload: str) -> Upload:
        """Return a document.

        Raises:
            HTTPException: 404 if this caller has none of that id, or its hour is over.
        """
        folder = self._folder_of(caller, upload)
        try:
            described = msgspec.json.decode((folder / "upload.json").read_bytes(), type=Upload)
            data = (folder / "document").read_bytes()
        except FileNotFoundError as error:
            raise _gone() from error
        return msgspec.structs.replace(described, data=data)

    def remove(self, caller: str, upload: str) -> None:
        """Remove a document at once.

        Raises:
            HTTPException: 404 if this caller has none of that id.
        """
        shutil.rmtree(self._folder_of(caller, upload), ignore_errors=True)

    def empty(self) -> None:
        """Remove all documents."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _folder_of(self, caller: str, upload: str) -> Path:
        folder = self._folder_of_caller(caller) / upload
        if not _ID.fullmatch(upload) or self._is_expired(folder):
            raise _gone()
        return folder

    def _folder_of_caller(self, caller: str) -> Path:
        return self._folder / hashlib.sha256(caller.encode()).hexdigest()[:32]

    def _remove_expired(self) -> None:
        for one in self._folder.glob("*/*"):
            if self._is_expired(one):
                shutil.rmtree(one, ignore_errors=True)

    def _is_expired(self, folder: Path) -> bool:
        return _modified(folder) < self._now() - _LIFETIME_S


def file_name(path: str) -> str:
    """The last part of the path of an uploaded file, without control characters."""
    last = re.split(r"[/\\]", path)[-1]
    return _UNPRINTABLE.sub("", last).strip()[-120:] or "document"


def _modified(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _gone() -> HTTPException:
    return HTTPException(404, "there is no such document here (any more): upload it again")
