"""A real HTTP server on this machine, for as long as a test needs it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import httpx
import uvicorn
from starlette.types import ASGIApp

from inforce.library import Library
from inforce.serve.app import create_app
from inforce.serve.settings import ServeSettings


@contextmanager
def listening(app: ASGIApp) -> Generator[str]:
    """The address of an application that answers over a real socket."""
    config = uvicorn.Config(
        app, log_level="error", ws="none", access_log=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def client_of(library: Library, settings: ServeSettings, **headers: str) -> Generator[httpx.Client]:
    """A client of a server with these settings."""
    with (
        listening(create_app(library, settings)) as address,
        httpx.Client(base_url=address, headers=headers, timeout=30) as client,
    ):
        yield client
