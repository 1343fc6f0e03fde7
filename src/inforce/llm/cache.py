"""A cache of replies by request: the same request is not paid for twice, and can be replayed.

The key is a hash of the model's id, the conversation and the sampling; never of an API key. A
request at a temperature above zero has no one reply, so it is stored only with a seed. Whoever asks
the same at the same time is given the same: what is stored is what every run was given.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal
from weakref import WeakValueDictionary

import msgspec

from inforce.errors import InputError, ModelError, StorageError
from inforce.llm.chat import GREEDY, ChatModel, Message, Reply, Sampling

CacheMode = Literal["read_write", "replay"]
"""``replay``: only what was stored is answered; anything else is an error, and nothing is paid."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, model TEXT, reply BLOB)"
_WAIT = 30.0
"""Seconds a process waits for another that writes."""

_ENCODER = msgspec.json.Encoder(decimal_format="string")


def request_key(model: str, messages: Sequence[Message], sampling: Sampling) -> str:
    """Return the hash under which a reply is stored."""
    turns = [(message.role, message.content) for message in messages]
    drawn = (sampling.temperature, sampling.max_tokens, sampling.stop, sampling.seed)
    return hashlib.sha256(json.dumps((model, turns, drawn)).encode()).hexdigest()


class CachedModel:
    """A model whose replies are cached.

    Args:
        model: who answers what is not stored; only its name is used in replay.
        path: the SQLite file; made if it is missing. Processes may share it.
        mode: whether what is not stored may be asked.

    Raises:
        InputError: if the file is no cache, or in replay there is none.
    """

    def __init__(self, model: ChatModel, path: Path, *, mode: CacheMode = "read_write") -> None:
        self._model = model
        self._path = path
        self._mode: CacheMode = mode
        self._locks: WeakValueDictionary[object, asyncio.Lock] = WeakValueDictionary()
        if mode == "replay" and not path.exists():
            raise InputError("there is no cache to replay", path=path)
        self._full: StorageError | None = None
        """A reply was paid for and could not be stored: no further one is asked for."""
        with suppress(OSError):
            path.touch(mode=0o600)
        self._execute(_SCHEMA)

    @property
    def name(self) -> str:
        """The model's own."""
        return self._model.name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """Return the stored reply, or the model's, stored from now on.

        Raises:
            ModelError: in replay, if the request was not recorded.
            StorageError: if the disk was too full for the reply before; that one was still given.
        """
        if sampling.temperature > 0 and sampling.seed is None and self._mode != "replay":
            return await self._model.reply(messages, sampling)
        key = request_key(self.name, messages, sampling)
        async with self._turn(key):
            stored = await asyncio.to_thread(self._stored, key)
            if stored is not None:
                return replace(stored, cached=True)
            if self._mode == "replay":
                raise self._not_recorded(messages)
            if self._full:
                raise self._full
            reply = await self._model.reply(messages, sampling)
            return await asyncio.to_thread(self._store, key, reply)

    @property
    def is_priced(self) -> bool:
        """Whether a price is known for what is not stored."""
        return self._mode == "replay" or getattr(self._model, "is_priced", True)

    def _turn(self, key: str) -> asyncio.Lock:
        """One at a time asks for a reply that is not stored yet."""
        request = (asyncio.get_running_loop(), key)
        return self._locks.setdefault(request, asyncio.Lock())

    def _not_recorded(self, messages: Sequence[Message]) -> ModelError:
        last = messages[-1].content[:80] if messages else ""
        return ModelError(f"not recorded in {self._path.name}: {self.name}, asked {last!r}")

    def _stored(self, key: str) -> Reply | None:
        row = self._execute("SELECT reply FROM replies WHERE key = ?", key)
        if row is None:
            return None
        try:
            return msgspec.json.decode(row[0], type=Reply)
        except (msgspec.DecodeError, TypeError) as error:
            raise InputError(f"a kept reply cannot be read: {error}", path=self._path) from error

    def _store(self, key: str, reply: Reply) -> Reply:
        """What was paid for now, in the words of whoever stored a reply first."""
        encoded = _ENCODER.encode(reply)
        try:
            self._execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?)", key, self.name, encoded)
        except StorageError as error:
            self._full = error
            return reply
        first = self._stored(key) or reply
        return replace(reply, text=first.text, finish=first.finish)

    def _execute(self, statement: str, *values: object) -> tuple[bytes, ...] | None:
        """A connection a statement: cheap beside a model's reply, and safe in every thread."""
        try:
            with closing(sqlite3.connect(self._path, timeout=_WAIT)) as database, database:
                return database.execute(statement, values).fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE):
                reason = f"{error}: replies stored before are still there; free some space"
                raise StorageError(reason, path=self._path) from error
            raise InputError(f"no usable cache of replies: {error}", path=self._path) from error
        except sqlite3.Error as error:
            raise InputError(f"no usable cache of replies: {error}", path=self._path) from error
