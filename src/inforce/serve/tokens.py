"""Named bearer tokens in a private file, for a server that others can reach.

Only hashes are stored. A token is 256 random bits, so that a plain SHA-256 of it cannot be
reversed. The file is read again when it changes: a revoked token is refused by the next request.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from filelock import FileLock

from inforce.errors import InputError, UserError
from inforce.files import make_folder, storage_errors, write_file

PREFIX: Final = "inforce_"
"""How tokens begin, so that scanners of leaked secrets recognise them."""

FILE: Final = "tokens.json"

_NAME = re.compile(r"[\w.@-]{1,64}")


@dataclass(frozen=True, slots=True)
class Token:
    """A token in the form in which it is stored."""

    name: str
    sha256: str
    created: str
    """Day and time, UTC."""


class TokenFile:
    """The tokens of a data folder, in a file that need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._by_hash: Mapping[str, Token] = {}

    def tokens(self) -> tuple[Token, ...]:
        """All tokens, sorted by name.

        Raises:
            InputError: if the file is damaged.
        """
        self._refresh()
        return tuple(sorted(self._by_hash.values(), key=lambda token: token.name))

    def add(self, name: str) -> str:
        """Make a token and return its secret, which is stored nowhere.

        Raises:
            UserError: if the name is taken or not allowed.
        """
        if not _NAME.fullmatch(name):
            raise UserError(f"{name!r} cannot name a token: use letters, digits, . _ @ - (1 to 64)")
        secret = PREFIX + secrets.token_urlsafe(32)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._locked():
            tokens = self.tokens()
            if any(token.name == name for token in tokens):
                raise UserError(f"there is a token {name!r} already: revoke it first")
            self._write((*tokens, Token(name, _digest(secret), now)))
        return secret

    def revoke(self, name: str) -> None:
        """Remove a token.

        Raises:
            UserError: if there is none of that name.
        """
        with self._locked():
            tokens = self.tokens()
            remaining = tuple(token for token in tokens if token.name != name)
            if len(remaining) == len(tokens):
                raise UserError(f"there is no token {name!r} (see: inforce serve token list)")
            self._write(remaining)

    def name_of(self, secret: str) -> str | None:
        """The name of the token with this secret; ``None`` if there is none."""
        self._refresh()
        token = self._by_hash.get(_digest(secret))
        return token.name if token else None

    @contextmanager
    def _locked(self) -> Generator[None]:
        """Lock the file against other processes, which could bring a revoked token back."""
        make_folder(self._path.parent)
        with storage_errors(self._path), FileLock(self._path.with_suffix(".lock"), mode=0o600):
            yield

    def _refresh(self) -> None:
        try:
            status = self._path.stat()
        except FileNotFoundError:
            self._seen, self._by_hash = None, {}
            return
        seen = (status.st_mtime_ns, status.st_ino)
        if seen == self._seen:
            return
        try:
            tokens = msgspec.json.decode(self._path.read_bytes(), type=list[Token])
        except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
            raise InputError(f"the tokens cannot be read: {error}", path=self._path) from error
        self._seen, self._by_hash = seen, {token.sha256: token for token in tokens}

    def _write(self, tokens: tuple[Token, ...]) -> None:
        """Replace the file as a whole; only its owner may read it."""
        text = json.dumps([asdict(token) for token in tokens], indent=1)
        write_file(self._path, text, private=True)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
