"""The server processes: one, or several that share a port; stopped gracefully."""

from __future__ import annotations

import ctypes
import logging
import os
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
import uvicorn
from starlette.applications import Starlette

from inforce.corpus import home
from inforce.dates import Clock, LegalDate, system_clock
from inforce.library import open_library
from inforce.serve.app import create_app
from inforce.serve.metrics import MULTIPROCESS_FOLDER
from inforce.serve.settings import ServeSettings
from inforce.serve.uploads import UPLOADS, Uploads

_SETTINGS: Final = "INFORCE_SERVE_SETTINGS"
"""The environment variable in which workers get the settings of the command line."""

_SWITCH_S: Final = 0.0005
"""After which a thread that searches lets others run: the event loop must not wait for it."""

_ARENAS: Final = 2
"""Heaps that glibc may have in a process. By default it gives threads up to eight a processor, and
memory freed by the short-lived threads that make an index stays in all of them, in pieces too small
to be returned: a server of a growing corpus would take megabytes more with every law added."""

_M_ARENA_MAX: Final = -8
"""The parameter of glibc's `mallopt` for that number."""

_GRACE_S: Final = 5
"""For requests being answered when the server stops; streams of runs go on at the next one."""

_SILENT_S: Final = 30
"""After which a worker that does not respond is replaced. On a busy machine one takes longer than
uvicorn's five seconds to start: it would be killed, and the next one too, without end."""


def serve(settings: ServeSettings, *, today: str = "") -> None:
    """Serve until the process is told to stop.

    Args:
        settings: checked here.
        today: fixes what "today" means (ISO), for tests and examples.

    Raises:
        UserError: if the settings are unsafe or impossible.
        CorpusError: if the corpus cannot be opened.
    """
    settings.check()
    with open_library(settings.home, clock=_clock(today)):
        pass  # the first use makes the starter corpus, once and not in every worker
    uploads = Uploads((settings.home or home.home()) / UPLOADS)
    uploads.empty()
    os.environ[_SETTINGS] = msgspec.json.encode(
        _WorkerSettings(settings, today), enc_hook=str
    ).decode()
    with tempfile.TemporaryDirectory(prefix="inforce-metrics-") as folder:
        if settings.workers > 1:
            os.environ[MULTIPROCESS_FOLDER] = folder
        uvicorn.run(
            "inforce.serve.processes:worker",
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers if settings.workers > 1 else None,
            log_config=_logging(),
            access_log=False,  # ours has no questions in it
            server_header=False,
            date_header=True,
            ws="none",
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE_S,
            timeout_keep_alive=30,
            timeout_worker_healthcheck=_SILENT_S,
            h11_max_incomplete_event_size=65_536,
        )
    uploads.empty()


class _WorkerSettings(msgspec.Struct):
    settings: ServeSettings
    today: str


def worker() -> Starlette:
    """The application of one process, set up by `serve`."""
    sys.setswitchinterval(_SWITCH_S)
    use_few_arenas()
    text = os.environ[_SETTINGS]
    worker_settings = msgspec.json.decode(text, type=_WorkerSettings, dec_hook=_read_path)
    library = open_library(
        worker_settings.settings.home, clock=_clock(worker_settings.today), following="beside"
    )
    app = create_app(library, worker_settings.settings)
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(running: Starlette) -> AsyncGenerator[Any]:
        async with inner(running) as state:
            try:
                yield state
            finally:
                library.close()

    app.router.lifespan_context = lifespan
    return app


def use_few_arenas() -> None:
    """Let the threads of this process share few heaps; call it before there are threads."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library than glibc
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def _read_path(kind: type, value: Any) -> Path:
    if kind is not Path:
        raise TypeError(f"settings hold no {kind}")
    return Path(value)


def _clock(today: str) -> Clock:
    if not today:
        return system_clock
    day = LegalDate.parse(today).range.start
    return lambda: day


def _logging() -> dict[str, Any]:
    """The log of requests as JSON lines, and that of uvicorn, both on standard error."""
    handler = {"class": "logging.StreamHandler", "stream": "ext://sys.stderr"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "plain": {"format": "%(levelname)s %(name)s: %(message)s"},
            "line": {"format": "%(message)s"},
        },
        "handlers": {
            "plain": {**handler, "formatter": "plain"},
            "line": {**handler, "formatter": "line"},
        },
        "loggers": {
            "uvicorn": {"handlers": ["plain"], "level": logging.INFO, "propagate": False},
            "inforce.serve": {"handlers": ["plain"], "level": logging.INFO, "propagate": False},
            "inforce.serve.access": {
                "handlers": ["line"],
                "level": logging.INFO,
                "propagate": False,
            },
        },
    }
