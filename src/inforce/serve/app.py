"""The ASGI application of a library: JSON over HTTP, addresses of the law at a date, health."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from inforce.corpus import home
from inforce.errors import InforceError
from inforce.library import Library
from inforce.serve import akn, holdings, openapi, pages, problems, rendering, research, verifying
from inforce.serve.examination import Examinations
from inforce.serve.guard import Guard
from inforce.serve.http import Answering
from inforce.serve.mcp.mounted import Mounted
from inforce.serve.observing import Metrics, Observed
from inforce.serve.operations import OPERATIONS
from inforce.serve.runs import Runs
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import FILE, TokenFile
from inforce.serve.uploads import UPLOADS, Uploads
from inforce.serve.work import Work


def create_app(library: Library, settings: ServeSettings | None = None) -> Starlette:
    """The application that answers from a library.

    Args:
        library: open for as long as the application runs; its owner closes it.
        settings: those of one person on one machine unless given.
    """
    settings = settings or ServeSettings()
    folder = settings.home or home.home()
    work = Work(
        threads=settings.threads, waiting=settings.max_waiting, seconds=settings.max_seconds
    )
    checking = Work(threads=1, waiting=settings.max_uploads, seconds=settings.max_checking)
    answering = Answering(library, work)
    runs = Runs(library, settings, folder / "runs")
    assistants = Mounted(library, work, settings.max_body)
    uploads = Uploads(folder / UPLOADS)
    examinations = Examinations(library, folder)
    metrics = Metrics()
    tokens = TokenFile(folder / FILE)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        warming = asyncio.create_task(_warm(answering))
        try:
            yield
        finally:
            warming.cancel()
            await runs.close()
            await assistants.close()
            await examinations.close()
            work.close()
            checking.close()

    return Starlette(
        routes=[
            *verifying.routes(Answering(library, checking), uploads, settings),
            *(Route(one.path, answering.endpoint(one), methods=[one.method]) for one in OPERATIONS),
            *research.routes(runs),
            *akn.routes(answering),
            *holdings.routes(examinations),
            *pages.routes(answering, runs, settings, tokens),
            Route("/mcp", assistants),
            *_plain_routes(answering, metrics),
        ],
        middleware=[
            Middleware(Observed, settings=settings, metrics=metrics),
            *_cors(settings),
            Middleware(Guard, settings=settings, tokens=tokens),
        ],
        exception_handlers={
            InforceError: rendering.on_problem,
            HTTPException: rendering.on_problem,
            Exception: problems.on_defect,
        },
        lifespan=lifespan,
    )


async def _warm(answering: Answering) -> None:
    """Open what the first question needs, so that nobody waits for it; it reports what fails."""
    with suppress(InforceError, HTTPException, RuntimeError):
        await answering.work(lambda: _ready(answering.library))


def _cors(settings: ServeSettings) -> list[Middleware]:
    if not settings.cors_origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Last-Event-ID", "Accept-Datetime"],
            expose_headers=["ETag", "Inforce-Answer", "Location", "Memento-Datetime", "Link"],
        )
    ]


def _ready(library: Library) -> int:
    """The number of wordings, once a search has found in them."""
    library.search("累犯能否适用缓刑？", k=1)
    return len(library.statutes)


def _plain_routes(answering: Answering, metrics: Metrics) -> list[BaseRoute]:
    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_: Request) -> Response:
        """Ready once the index is open and was searched: the first question need not wait."""
        size = await answering.work(lambda: _ready(answering.library))
        return JSONResponse({"ready": True, "wordings": size})

    async def measured(_: Request) -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def document(_: Request) -> Response:
        return Response(openapi.document(), media_type="application/json")

    return [
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/metrics", measured),
        Route("/openapi.json", document),
    ]
