"""Operations over HTTP: parameters read, the library asked beside the event loop, JSON answered.

The same question to the same state of the corpus has the same answer, byte for byte: answers carry
an ``ETag``, and a bounded number of them is stored. While the index of a changed corpus is made,
searches see the corpus as it was, and nothing is stored: it would outlast the index it came from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec
from cachetools import LRUCache
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from inforce.errors import UserError
from inforce.library import Library
from inforce.serve.operations import Operation, Parameters
from inforce.serve.problems import ANSWER_STATUS
from inforce.serve.work import Work
from inforce.wire import as_wire

_STORED_BYTES: Final = 16_000_000
"""Of answers stored in a process."""

_BESIDE: Final = 1_000
"""Bytes that a stored answer takes beside its body: its key, its ``ETag``, its places in tables."""

_READ: Final = 4_000
"""Articles remembered as read: as many as the corpus caches timelines, or a few less."""

Endpoint = Callable[[Request], Awaitable[Response]]


class Answered(NamedTuple):
    """An answer, ready to be sent."""

    body: bytes
    status: int
    etag: str
    answer: str
    """One of the four, where the operation has them."""


class _State(NamedTuple):
    """What answers are made from at a moment."""

    snapshot: str
    """Of the corpus."""
    searched: str
    """The snapshot that searches see; empty before the first."""

    @property
    def is_one(self) -> bool:
        """Whether searches see the corpus as it is."""
        return self.searched in ("", self.snapshot)


class Answering:
    """Asks a library, beside the event loop."""

    def __init__(self, library: Library, work: Work) -> None:
        self.library = library
        self.work = work
        self._stored: LRUCache[bytes, Answered] = LRUCache(_STORED_BYTES, _size)
        self._read: LRUCache[tuple[str, ...], bool] = LRUCache(_READ)

    def endpoint(self, operation: Operation) -> Endpoint:
        """The endpoint of an operation."""

        async def endpoint(request: Request) -> Response:
            given = await parameters(request, operation.parameters)
            return _response(request, await self.answered(operation, given))

        endpoint.__name__ = operation.name
        endpoint.__doc__ = operation.call.__doc__
        return endpoint

    async def answered(self, operation: Operation, given: Parameters) -> Answered:
        """The answer to a question, perhaps a stored one."""
        call = partial(_answered, operation, self.library, given)
        state, today = self._state(), self.library.clock()
        if not state.is_one:
            return await self._found(call, operation, given, state.snapshot)
        key = _key(operation, given, state.snapshot, today)
        if (stored := self._stored.get(key)) is not None:
            return stored
        found = await self._found(call, operation, given, state.snapshot)
        if len(found.body) < _STORED_BYTES // 16 and self._state() == state:
            self._stored[key] = found
        return found

    def _state(self) -> _State:
        with self.library.corpus.one_state():
            return _State(self.library.corpus.snapshot(), self.library.searched_snapshot)

    async def _found(
        self, call: Callable[[], Answered], operation: Operation, given: Parameters, snapshot: str
    ) -> Answered:
        """The answer, beside the event loop unless that would take longer than to answer.

        What was read before takes a fifth of a millisecond; to hand it to a thread and to wait for
        that thread's turn takes as long again, and much longer while other threads search.
        """
        if operation.reads is None:
            return await self.work(call)
        read = (operation.name, snapshot, *operation.reads(given))
        if self._read.get(read):
            return call()
        found = await self.work(call)
        self._read[read] = True
        return found


async def parameters(request: Request, kind: type[Parameters]) -> Any:
    """What was asked: from the path, the query and, for a POST, a JSON object.

    Raises:
        UserError: if a parameter is missing, unknown, of the wrong type or out of bounds.
        HTTPException: if a body is not JSON (415).
    """
    given: dict[str, Any] = dict(request.path_params)
    for name, value in request.query_params.multi_items():
        if name in given:
            raise UserError(f"{name} is given twice")
        given[name] = value
    if request.method == "POST":
        given.update(await _json_object(request))
    try:
        return msgspec.convert(given, kind, strict=request.method == "POST")
    except msgspec.ValidationError as error:
        raise UserError(str(error)) from error


async def _json_object(request: Request) -> Mapping[str, Any]:
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip()
    if kind.lower() != "application/json":  # no form of another site can send this
        raise HTTPException(415, "send JSON: Content-Type: application/json")
    try:
        return msgspec.json.decode(await request.body(), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"the body is not a JSON object: {error}") from error


def _answered(operation: Operation, library: Library, given: Parameters) -> Answered:
    result = operation.call(library, given)
    body = msgspec.json.encode(as_wire(result))
    etag = etag_of(body)
    if operation.answer is None:
        return Answered(body, 200, etag, "")
    answer = operation.answer(result)
    return Answered(body, ANSWER_STATUS[answer], etag, answer)


def etag_of(body: bytes) -> str:
    """An ``ETag`` that is another one as soon as anything that is shown is."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def is_known(request: Request, etag: str) -> bool:
    """Whether who asks has this answer already (``If-None-Match``, RFC 9110)."""
    held = request.headers.get("if-none-match", "").split(",")
    return any(one.strip().removeprefix("W/") in (etag, "*") for one in held)


def _key(operation: Operation, given: Parameters, snapshot: str, today: date) -> bytes:
    """What an answer is stored under: of one size, however long the question is."""
    return hashlib.sha256(msgspec.json.encode((operation.name, given, snapshot, today))).digest()


def _size(answered: Answered) -> int:
    return len(answered.body) + _BESIDE


def _response(request: Request, answered: Answered) -> Response:
    headers = {"ETag": answered.etag, "Cache-Control": "private, no-cache"}
    if answered.answer:
        headers["Inforce-Answer"] = answered.answer
    if is_known(request, answered.etag):
        return Response(status_code=304, headers=headers)
    return Response(answered.body, answered.status, headers, media_type="application/json")
