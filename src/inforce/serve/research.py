"""The routes of research, as JSON, events and pages: start, watch, stop and resume a run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from inforce.errors import UserError
from inforce.llm.chat import OFFLINE
from inforce.serve.page_templates import LONGEST_FIELD, language_of, page, with_problem_pages
from inforce.serve.runs import Research, Runs, event
from inforce.serve.service import read_parameters
from inforce.serve.settings import ServeSettings
from inforce.wire import as_wire

_EVENTS: Final = "text/event-stream"
_SILENCE_S: Final = 15.0
"""After which a comment is sent, so that proxies do not close an idle stream."""


def routes(runs: Runs, settings: ServeSettings) -> list[Route]:
    """The routes of the runs of a server."""
    return [*_json_routes(runs), *_page_routes(runs, settings)]


def _json_routes(runs: Runs) -> list[Route]:

    async def research(request: Request) -> Response:
        query: Research = await read_parameters(request, Research)
        caller = caller_of(request)
        run = await runs.start(caller, query)
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
        return _json(runs.state_or_restart(caller, run))

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


def _page_routes(runs: Runs, settings: ServeSettings) -> list[Route]:
    async def runs_page(request: Request, *, status: int = 200, problem: str = "") -> Response:
        return page(
            request,
            "runs.html.j2",
            status=status,
            runs=await runs.states(caller_of(request)),
            model=settings.model if settings.model != OFFLINE else "offline",
            problem=problem,
        )

    async def list_runs(request: Request) -> Response:
        return await runs_page(request)

    async def start(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=10) as form:
            question, as_of, trial = (str(form.get(name) or "") for name in _FIELDS)
        query = Research(
            question[:LONGEST_FIELD],
            as_of=as_of or None,
            trial=trial or None,
            language=language_of(request),
        )
        try:
            run = await runs.start(caller_of(request), query)
        except UserError as error:
            return await runs_page(request, status=400, problem=str(error))
        return RedirectResponse(f"/runs/{run}", 303)

    async def one_run(request: Request) -> Response:
        caller, run = caller_of(request), request.path_params["run"]
        state = runs.state_or_restart(caller, run)
        evidence = state.answer.evidence if state.answer else ()
        numbers = {one.id: number for number, one in enumerate(evidence, start=1)}
        steps = runs.steps(caller, run)
        return page(request, "run.html.j2", run=state, steps=steps, numbers=numbers)

    async def stop(request: Request) -> Response:
        runs.stop(caller_of(request), request.path_params["run"])
        return RedirectResponse(f"/runs/{request.path_params['run']}", 303)

    async def resume(request: Request) -> Response:
        await runs.resume(caller_of(request), request.path_params["run"])
        return RedirectResponse(f"/runs/{request.path_params['run']}", 303)

    return [
        Route("/runs", with_problem_pages(list_runs)),
        Route("/runs", with_problem_pages(start), methods=["POST"]),
        Route("/runs/{run}", with_problem_pages(one_run)),
        Route("/runs/{run}/stop", with_problem_pages(stop), methods=["POST"]),
        Route("/runs/{run}/resume", with_problem_pages(resume), methods=["POST"]),
    ]


_FIELDS: Final = ("question", "as_of", "trial")


def caller_of(request: Request) -> str:
    """The client that asks, as `inforce.serve.guard.Guard` has determined it."""
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
    """Add a comment to a stream wherever nothing else was sent for a while."""
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
