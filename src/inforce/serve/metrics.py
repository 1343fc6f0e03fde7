"""Metrics for Prometheus, and a log line for each request.

Logs contain no questions unless the settings say so: only the route, the status, the time.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import time
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inforce.serve.settings import ServeSettings

log = logging.getLogger("inforce.serve.access")

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)
MULTIPROCESS_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Set where the counts of several workers are added up."""


class Metrics:
    """Counts of requests and their times."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "inforce_requests", "Requests.", ("operation", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "inforce_request_seconds",
            "Until a response began.",
            ("operation",),
            registry=self._registry,
            buckets=_SECONDS,
        )

    def count(self, operation: str, status: int, seconds: float) -> None:
        """Count a response that has begun."""
        self._requests.labels(operation, str(status)).inc()
        self._seconds.labels(operation).observe(seconds)

    def text(self) -> bytes:
        """The metrics of all workers, in the text format of Prometheus."""
        if MULTIPROCESS_FOLDER not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        multiprocess.MultiProcessCollector(together)
        return generate_latest(together)


class RequestLog:
    """ASGI middleware that counts and logs every response, and gives it a request id."""

    def __init__(self, app: ASGIApp, settings: ServeSettings, metrics: Metrics) -> None:
        self._app = app
        self._log_questions = settings.log_questions
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and record the response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, request_id = time.perf_counter(), secrets.token_hex(8)

        async def send_recorded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message.get("headers", ()),
                    (b"x-request-id", request_id.encode()),
                ]
                self._record(scope, request_id, message["status"], time.perf_counter() - began)
            await send(message)

        try:
            await self._app(scope, receive, send_recorded)
        except Exception:
            self._record(scope, request_id, 500, time.perf_counter() - began)
            raise

    def _record(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        operation = getattr(scope.get("endpoint"), "__name__", "none")
        self._metrics.count(operation, status, seconds)
        if not log.isEnabledFor(logging.INFO):
            return
        line = {
            "request": request_id,
            "method": scope["method"],
            "operation": operation,
            "status": status,
            "ms": round(seconds * 1000, 2),
            "caller": scope.get("state", {}).get("caller", ""),
        }
        if self._log_questions:
            line["path"] = scope["path"]
            line["query"] = scope["query_string"].decode("latin-1")
        log.info(json.dumps(line, ensure_ascii=False))
