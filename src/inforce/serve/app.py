"""The ASGI application of a library: JSON over HTTP, pages, MCP, health and metrics."""

from __future__ import annotations

import asyncio
import gc
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
from inforce.serve import akn, documents, law_pages, openapi, question_pages, research
from inforce.serve.corpus_report import CorpusReports
from inforce.serve.guard import Guard
from inforce.serve.mcp.endpoint import MCPEndpoint
from inforce.serve.metrics import Metrics, RequestLog
from inforce.serve.operations import OPERATIONS
from inforce.serve.page_templates import on_problem
from inforce.serve.problems import on_defect
from inforce.serve.runs import Runs
from inforce.serve.service import Service, ThreadPool
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import FILE, TokenFile
from inforce.serve.uploads import UPLOADS, Uploads


def create_app(library: Library, settings: ServeSettings | None = None) -> Starlette:
    """The application that answers from a library.

    Args:
        library: open for as long as the application runs; its owner closes it.
        settings: by default those of one person on one machine.
    """
    settings = settings or ServeSettings()
    folder = settings.home or home.home()
    pool = ThreadPool(
        threads=settings.threads, waiting=settings.max_waiting, seconds=settings.max_seconds
    )
    document_pool = ThreadPool(
        threads=1, waiting=settings.max_uploads, seconds=settings.max_checking
    )
    service = Service(library, pool)
    runs = Runs(library, settings, folder / "runs")
    mcp = MCPEndpoint(service, settings.max_body)
    uploads = Uploads(folder / UPLOADS)
    reports = CorpusReports(library, folder)
    metrics = Metrics()
    tokens = TokenFile(folder / FILE)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        warming = asyncio.create_task(_warm_up(service))
        try:
            yield
        finally:
            warming.cancel()
            await runs.close()
            await mcp.close()
            await reports.close()
            pool.close()
            document_pool.close()

    return Starlette(
        routes=[
            *documents.routes(Service(library, document_pool), uploads, settings),
            *(
                Route(one.path, service.endpoint(one), methods=[one.method])
                for one in OPERATIONS
                if not one.takes_document
            ),
            *research.routes(runs, settings),
            *akn.routes(service),
            *question_pages.routes(service),
            *law_pages.routes(service, reports, settings, tokens),
            Route("/mcp", mcp),
            *_monitoring_routes(service, metrics),
        ],
        middleware=[
            Middleware(RequestLog, settings=settings, metrics=metrics),
            *_cors(settings),
            Middleware(Guard, settings=settings, tokens=tokens),
        ],
        exception_handlers={
            InforceError: on_problem,
            HTTPException: on_problem,
            Exception: on_defect,
        },
        lifespan=lifespan,
    )


async def _warm_up(service: Service) -> None:
    """Open the index, so that the first question need not wait; that question reports a failure."""
    with suppress(InforceError, HTTPException, RuntimeError):
        await service.run(lambda: _search_once(service.library))


def _search_once(library: Library) -> int:
    """Search the index under a date, and return the number of wordings in it.

    What is open by then stays open: collecting garbage passes over it from now on.
    """
    library.search("2019年5月，累犯能否适用缓刑？", k=1)
    gc.collect()
    gc.freeze()
    return len(library.statutes)


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


def _monitoring_routes(service: Service, metrics: Metrics) -> list[BaseRoute]:
    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_: Request) -> Response:
        """Ready once the index is open and was searched: the first question need not wait."""
        wordings = await service.run(lambda: _search_once(service.library))
        return JSONResponse({"ready": True, "wordings": wordings})

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
