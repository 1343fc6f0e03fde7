"""A model behind an OpenAI-compatible address, spoken to over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from inforce.errors import ModelError
from inforce.llm.models import completion
from inforce.llm.providers import KEY_VARIABLE

pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")


def chat_reply(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


@contextmanager
def served(reply: dict[str, Any], *, status: int = 200) -> Generator[tuple[str, list[Any]]]:
    """A server that answers every request alike; yields its address and what it was asked."""
    asked: list[Any] = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            asked.append((self.headers["Authorization"], json.loads(body)))
            data = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()


def test_a_prompt_is_sent_at_temperature_zero_and_the_text_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "secret")
    with served(chat_reply("第七十四条")) as (url, asked):
        assert completion(f"{url}#tiny")("哪一条？") == "第七十四条"
    ((authorization, body),) = asked
    assert authorization == "Bearer secret"
    assert (body["model"], body["temperature"]) == ("tiny", 0.0)
    assert body["messages"][-1]["content"] == "哪一条？"


def test_a_server_that_refuses_is_a_model_error_without_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "secret")
    refusal = {"error": {"message": "no such model"}}
    with served(refusal, status=404) as (url, _), pytest.raises(ModelError) as raised:
        completion(f"{url}#tiny")("哪一条？")
    assert "no answer from the model" in str(raised.value)
    assert "secret" not in str(raised.value)


def test_an_id_that_names_no_model_is_a_model_error() -> None:
    with pytest.raises(ModelError, match="no model is called 'nonsense'"):
        completion("nonsense")
