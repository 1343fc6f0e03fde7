"""A local server that answers as a test says, over a real socket, and remembers each request."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(self.body.decode()).items()}


@dataclass(frozen=True)
class Answer:
    """One answer: JSON unless a body is given."""

    data: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    slow: float = 0.0
    """Seconds between two bytes of the body."""

    @property
    def sent(self) -> bytes:
        return json.dumps(self.data).encode() if self.body is None else self.body


class JsonService:
    """``answers`` are given in turn, the last one for ever after; ``reply``, if set, decides."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.answers: list[Answer] = [Answer({})]
        self.reply: Callable[[Asked], Answer] | None = None
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def answer(self, asked: Asked) -> Answer:
        with self._lock:
            self.asked.append(asked)
            if self.reply is not None:
                return self.reply(asked)
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer()

            def do_POST(self) -> None:
                self._answer()

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                parts = urlsplit(self.path)
                parameters = {name: values[0] for name, values in parse_qs(parts.query).items()}
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.command, parts.path, parameters, headers, body)
                answer = service.answer(asked)
                sent = answer.sent
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self._write(sent, answer.slow)

            def _write(self, sent: bytes, slow: float) -> None:
                try:
                    if not slow:
                        self.wfile.write(sent)
                        return
                    for byte in sent:
                        self.wfile.write(bytes([byte]))
                        time.sleep(slow)
                except OSError:
                    pass  # the client had enough

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler

    @contextmanager
    def running(self) -> Generator[JsonService]:
        """Serve until the end of the block."""
        thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self._http.shutdown()
            thread.join()
            self._http.server_close()
