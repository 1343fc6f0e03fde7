"""A server that speaks OpenAI's chat completions over real HTTP, and says what its test wants."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What the server sends back; ``body`` replaces the completion."""

    text: str = ""
    status: int = 200
    finish: str = "stop"
    seconds: float = 0.0
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    tokens: tuple[int, int] = (10, 5)


Script = Callable[[list[dict[str, Any]]], Answer | str]
"""The answer to a conversation (role and content, as OpenAI has them)."""


@dataclass
class OpenAIServer:
    """Where it listens, and what it was asked."""

    url: str
    script: Script
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    keys: list[str] = field(default_factory=list[str])
    most_at_once: int = 0
    _now: int = 0
    _lock: Any = field(default_factory=Lock)

    @property
    def model(self) -> str:
        """The id of its model."""
        return f"{self.url}/v1#tiny"

    def answer(self, request: dict[str, Any], key: str) -> Answer:
        """Note the request and answer it."""
        with self._lock:
            self.requests.append(request)
            self.keys.append(key)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            said = self.script(request["messages"])
            answer = Answer(said) if isinstance(said, str) else said
            time.sleep(answer.seconds)
            return answer
        finally:
            with self._lock:
                self._now -= 1


def completion(answer: Answer) -> bytes:
    """An answer in OpenAI's form."""
    message = {"role": "assistant", "content": answer.text}
    tokens_in, tokens_out = answer.tokens
    return json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "tiny",
            "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
            "usage": {
                "prompt_tokens": tokens_in,
                "completion_tokens": tokens_out,
                "total_tokens": tokens_in + tokens_out,
            },
        }
    ).encode()


@contextmanager
def openai_server(script: Script) -> Generator[OpenAIServer]:
    """A server that answers by a script, for as long as the block lasts."""
    server: OpenAIServer

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # connections stay open unless the client says otherwise

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = server.answer(request, self.headers["Authorization"] or "")
            body = completion(answer) if answer.body is None else answer.body
            self.send_response(answer.status)
            headers = {"Content-Type": "application/json", **answer.headers}
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that left early is its own affair."""

    listening = Server(("127.0.0.1", 0), Handler)
    server = OpenAIServer(f"http://127.0.0.1:{listening.server_port}", script)
    Thread(target=listening.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
