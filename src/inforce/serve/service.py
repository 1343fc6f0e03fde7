"""The library behind a server: called in a bounded pool of threads, its answers cached.

The same question to the same state of the corpus has the same answer, byte for byte: answers carry
an ``ETag``, and a bounded number of them is cached. While the index of a changed corpus is made,
searches see the corpus as it was, and nothing is cached: it would outlast the index it came from.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from cachetools import LRUCache
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from inforce.errors import UserError
from inforce.library import Library
from inforce.serve.operations import Operation, Parameters
from inforce.serve.problems import ANSWER_STATUS
from inforce.wire import as_wire

T = TypeVar("T")

_CACHED_BYTES: Final = 16_000_000
"""Of answers cached in a process."""

_OVERHEAD: Final = 1_000
"""Bytes that a cached answer takes beside its body: its key, its ``ETag``, its places in tables."""

_TIMELINES: Final = 4_000
"""Timelines remembered as cached by the corpus: as many as it caches, or a few less."""

Endpoint = Callable[[Request], Awaitable[Response]]


class ThreadPool:
    """Calls functions in a bounded number of threads, with a bounded number of calls waiting.

    Args:
        threads: how many calls run at once.
        waiting: how many more may wait.
        seconds: how long one may take; its thread is free again only when it ends.
    """

    def __init__(self, *, threads: int, waiting: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, "inforce")
        self._most = threads + waiting
        self._seconds = seconds
        self.pending = 0
        """Calls that run or wait."""

    async def run(self, call: Callable[[], T]) -> T:
        """Return what ``call`` returns.

        Raises:
            HTTPException: 503 if too many wait already, or it took too long.
        """
        if self.pending >= self._most:
            raise HTTPException(503, "too many questions at once: ask again in a moment")
        loop = asyncio.get_running_loop()
        future = self._pool.submit(call)
        self.pending += 1

        def count_down() -> None:
            self.pending -= 1

        def on_end(_: Future[T]) -> None:
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(count_down)

        future.add_done_callback(on_end)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError as error:
            raise HTTPException(503, f"no answer within {self._seconds:g} seconds") from error

    def close(self) -> None:
        """Start nothing more; calls that run may end."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class CachedAnswer(NamedTuple):
    """An answer, ready to be sent."""

    body: bytes
    status: int
    etag: str
    answer: str
    """One of the four answers, where the operation has them."""

    @property
    def size(self) -> int:
        """Bytes that it takes in the cache."""
        return len(self.body) + _OVERHEAD


class _State(NamedTuple):
    """The state of the corpus and of its index at a moment."""

    snapshot: str
    """Of the corpus."""
    searched: str
    """The snapshot that searches see; empty before the first."""


class Service:
    """Answers operations from a library, in a thread pool beside the event loop."""

    def __init__(self, library: Library, pool: ThreadPool) -> None:
        self.library = library
        self.run = pool.run
        self._cache: LRUCache[bytes, CachedAnswer] = LRUCache(
            _CACHED_BYTES, lambda cached: cached.size
        )
        self._timelines: LRUCache[tuple[str, ...], bool] = LRUCache(_TIMELINES)

    def endpoint(self, operation: Operation) -> Endpoint:
        """The endpoint of an operation."""

        async def endpoint(request: Request) -> Response:
            parameters = await read_parameters(request, operation.parameters)
            return _response(request, await self.answer(operation, parameters))

        endpoint.__name__ = operation.name
        endpoint.__doc__ = operation.call.__doc__
        return endpoint

    async def answer(self, operation: Operation, parameters: Parameters) -> CachedAnswer:
        """The answer to a question, from the cache if it is there."""
        state, today = self._state(), self.library.clock()
        if state.searched not in ("", state.snapshot):
            return await self._compute(operation, parameters, state)
        question = (operation.name, parameters, state.snapshot, today)
        key = hashlib.sha256(msgspec.json.encode(question)).digest()
        if (cached := self._cache.get(key)) is not None:
            return cached
        found = await self._compute(operation, parameters, state)
        if len(found.body) < _CACHED_BYTES // 16 and self._state() == state:
            self._cache[key] = found
        return found

    def _state(self) -> _State:
        with self.library.corpus.one_state():
            return _State(self.library.corpus.snapshot(), self.library.searched_snapshot)

    async def _compute(
        self, operation: Operation, parameters: Parameters, state: _State
    ) -> CachedAnswer:
        """The answer, computed in a thread unless that would take longer than to answer.

        From a timeline that is cached it takes a fifth of a millisecond; to hand it to a thread and
        to wait for that thread's turn takes as long again, and much longer while others search.
        """
        compute = partial(_answer, operation, self.library, parameters)
        if operation.timeline_key is None:
            return await self.run(compute)
        timeline = (operation.name, state.snapshot, *operation.timeline_key(parameters))
        if self._timelines.get(timeline):
            return compute()
        found = await self.run(compute)
        self._timelines[timeline] = True
        return found


async def read_parameters(request: Request, kind: type[Parameters]) -> Any:
    """Read the parameters of an operation from the path, the query and, for a POST, a JSON object.

    Raises:
        UserError: if a parameter is missing, unknown, of the wrong type or out of bounds.
        HTTPException: if a body is not JSON (415).
    """
    values: dict[str, Any] = dict(request.path_params)
    for name, value in request.query_params.multi_items():
        if name in values:
            raise UserError(f"{name} is given twice")
        values[name] = value
    if request.method == "POST":
        values.update(await _json_object(request))
    try:
        return msgspec.convert(values, kind, strict=request.method == "POST")
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


def _answer(operation: Operation, library: Library, parameters: Parameters) -> CachedAnswer:
    result = operation.call(library, parameters)
    body = msgspec.json.encode(as_wire(result))
    if operation.answer is None:
        return CachedAnswer(body, 200, etag_of(body), "")
    answer = operation.answer(result)
    return CachedAnswer(body, ANSWER_STATUS[answer], etag_of(body), answer)


def etag_of(body: bytes) -> str:
    """An ``ETag`` that differs as soon as anything in the body does."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def is_unchanged(request: Request, etag: str) -> bool:
    """Whether the client has this answer already (``If-None-Match``, RFC 9110)."""
    known = request.headers.get("if-none-match", "").split(",")
    return any(one.strip().removeprefix("W/") in (etag, "*") for one in known)


def _response(request: Request, cached: CachedAnswer) -> Response:
    headers = {"ETag": cached.etag, "Cache-Control": "private, no-cache"}
    if cached.answer:
        headers["Inforce-Answer"] = cached.answer
    if is_unchanged(request, cached.etag):
        return Response(status_code=304, headers=headers)
    return Response(cached.body, cached.status, headers, media_type="application/json")
