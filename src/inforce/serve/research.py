"""The routes of research: a run begins, is watched as server-sent events, stopped and resumed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from inforce.serve.http import parameters
from inforce.serve.runs import Research, Runs, event
from inforce.wire import as_wire

_EVENTS: Final = "text/event-stream"
_SILENCE_S: Final = 15.0
"""After which a comment is sent, so that proxies do not close a stream in which nothing happens."""


def routes(runs: Runs) -> list[Route]:
    """The routes of the runs of a server."""

    async def research(request: Request) -> Response:
        asked: Research = await parameters(request, Research)
        caller = caller_of(request)
        run = await runs.begin(caller, asked)
        headers = {"Location": f"/v1/runs/{run}"}
        if _EVENTS in request.headers.get("accept", ""):
            return _streamed(runs, caller, run, after=0, headers=headers)
        return _json(runs.state(caller, run), status=202, headers=headers)

    async def list_runs(request: Request) -> Response:
        return _json(await runs.states(caller_of(request)))

    async def one_run(request: Request) -> Response:
        caller, run = caller_of(request), request.path_params["run"]
        if request.method == "DELETE":
            return _json(runs.stop(caller, run))
        return _json(runs.asked_for(caller, run))

    async def resume(request: Request) -> Response:
        return _json(await runs.resume(caller_of(request), request.path_params["run"]))

    async def events(request: Request) -> Response:
        last = request.headers.get("last-event-id", "")
        after = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else 0
        caller, run = caller_of(request), request.path_params["run"]
        runs.state(caller, run)  # a run that is not there is a 404, not a stream
        return _streamed(runs, caller, run, after=after, headers={})

    return [
        Route("/v1/research", research, methods=["POST"]),
        Route("/v1/runs", list_runs, methods=["GET"]),
        Route("/v1/runs/{run}", one_run, methods=["GET", "DELETE"]),
        Route("/v1/runs/{run}/resume", resume, methods=["POST"]),
        Route("/v1/runs/{run}/events", events, methods=["GET"]),
    ]


def caller_of(request: Request) -> str:
    """Who asks, as `inforce.serve.guard.Guard` has found out."""
    return request.scope["state"]["caller"]


def _json(value: object, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = msgspec.json.encode(as_wire(value))
    more = {"Cache-Control": "no-store", **(headers or {})}
    return Response(body, status, more, media_type="application/json")


def _streamed(
    runs: Runs, caller: str, run: str, *, after: int, headers: dict[str, str]
) -> StreamingResponse:
    more = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", **headers}
    stream = _events(runs, caller, run, after)
    return StreamingResponse(_with_comments(stream), headers=more, media_type=_EVENTS)


async def _events(runs: Runs, caller: str, run: str, after: int) -> AsyncGenerator[bytes]:
    async with aclosing(runs.events(caller, run, after=after)) as steps:
        async for step in steps:
            yield event("step", as_wire(step), number=step.number)
    yield event("end", as_wire(runs.state(caller, run)))


async def _with_comments(stream: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """A stream, with a comment wherever nothing else was sent for a while."""
    waiting: asyncio.Task[Any] | None = None
    try:
        while True:
            waiting = waiting or asyncio.ensure_future(anext(stream))
            done, _ = await asyncio.wait([waiting], timeout=_SILENCE_S)
            if not done:
                yield b": still running\n\n"
                continue
            try:
                yield waiting.result()
            except StopAsyncIteration:
                return
            waiting = None
    finally:
        if waiting is not None and not waiting.done():
            waiting.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await waiting
        await stream.aclose()
