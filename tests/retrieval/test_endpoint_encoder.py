"""An ``/embeddings`` endpoint, asked over a real socket."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from inforce.errors import ModelError, UserError
from inforce.retrieval.encoders import endpoint, open_encoder
from inforce.retrieval.encoders.endpoint import KEY_VARIABLE, EndpointEncoder

SECRET = "sk-never-to-be-shown"

Reply = Callable[[dict[str, Any]], tuple[int, bytes]]


def vectors_of(request: dict[str, Any]) -> tuple[int, bytes]:
    """A well-behaved server: the length of each text, and twice it, in reverse order."""
    items = [
        {"index": index, "embedding": [float(len(text)), 2.0 * len(text), 0.0]}
        for index, text in enumerate(request["input"])
    ]
    return 200, json.dumps({"data": items[::-1], "model": request["model"]}).encode()


class Server:
    """A local server whose reply a test may choose; it remembers what it was asked."""

    def __init__(self) -> None:
        self.reply: Reply = vectors_of
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                server.requests.append(json.loads(self.rfile.read(length)))
                server.paths.append(self.path)
                server.keys.append(self.headers["Authorization"])
                status, body = server.reply(server.requests[-1])
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.http.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.http.shutdown()
    thread.join()
    made.http.server_close()


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, SECRET)


def test_texts_become_unit_vectors_in_the_order_asked(server: Server) -> None:
    with EndpointEncoder(server.url, model="m") as encoder:
        vectors = encoder.encode(["法", "刑法", "中华人民共和国刑法"], role="passage")
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[1, 2, 0]] * 3) / np.sqrt(5), abs=1e-6)
    assert server.paths == ["/v1/embeddings"]
    assert server.requests == [{"model": "m", "input": ["法", "刑法", "中华人民共和国刑法"]}]


def test_long_lists_are_asked_in_batches(server: Server) -> None:
    with EndpointEncoder(server.url, model="m", batch_size=2) as encoder:
        assert encoder.encode(["一"] * 5, role="passage").shape == (5, 3)
        assert [len(request["input"]) for request in server.requests] == [2, 2, 1]


def test_no_text_needs_no_vector(server: Server) -> None:
    with EndpointEncoder(server.url, model="m") as encoder:
        assert encoder.encode([], role="passage").shape == (0, 3)


def test_the_dimension_is_asked_once(server: Server) -> None:
    with EndpointEncoder(server.url, model="m") as encoder:
        assert (encoder.dimension, encoder.dimension) == (3, 3)
    assert len(server.requests) == 1


def test_the_name_is_the_address_and_the_model(server: Server) -> None:
    opened = open_encoder(f"{server.url}/#org/model")
    assert isinstance(opened, EndpointEncoder)
    with opened:
        assert opened.name == f"{server.url}#org/model"
        opened.encode(["法"], role="query")
    assert server.requests[0]["model"] == "org/model"
    assert server.paths == ["/v1/embeddings"]


def test_a_vector_of_zeros_stays_one(server: Server) -> None:
    server.reply = lambda _: (200, b'{"data": [{"index": 0, "embedding": [0, 0]}]}')
    with EndpointEncoder(server.url, model="m") as encoder:
        assert encoder.encode(["x"], role="query").tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (500, b"boom", "500"),
        (401, b"no", "401"),
        (302, b"", "302"),
        (200, b"<html>", "no embeddings"),
        (200, b"[]", "'data'"),
        (200, b'{"error": "no model"}', "'data'"),
        (200, b'{"data": []}', "asked for 1 vectors"),
        (200, b'{"data": [3]}', "'data'"),
        (200, b'{"data": [{"index": 0}]}', "'data'"),
        (200, b'{"data": [{"index": 0, "embedding": 3}]}', "asked for 1"),
        (200, b'{"data": [{"index": 0, "embedding": [[1]]}]}', "asked for 1"),
        (200, b'{"data": [{"index": 0, "embedding": ["a"]}]}', "no embeddings"),
        (200, b'{"data": [{"index": 0, "embedding": [NaN]}]}', "NaN"),
        (
            200,
            b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}',
            "no embeddings",
        ),
    ],
)
def test_what_is_no_answer_is_a_model_error_that_names_the_server_not_the_key(
    server: Server, status: int, body: bytes, reason: str
) -> None:
    server.reply = lambda _: (status, body)
    with EndpointEncoder(server.url, model="m") as encoder:
        with pytest.raises(ModelError, match=reason) as raised:
            encoder.encode(["法"], role="query")
        assert server.url in str(raised.value)
        assert SECRET not in str(raised.value)
        assert server.keys == [f"Bearer {SECRET}"]


def test_vectors_that_change_their_length_are_refused(server: Server) -> None:
    def growing(_: dict[str, Any]) -> tuple[int, bytes]:
        item = {"index": 0, "embedding": [1.0] * len(server.requests)}
        return 200, json.dumps({"data": [item]}).encode()

    server.reply = growing
    with (
        EndpointEncoder(server.url, model="m", batch_size=1) as encoder,
        pytest.raises(ModelError, match="changed the length"),
    ):
        encoder.encode(["a", "b"], role="passage")


def test_a_refused_connection_is_a_model_error() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        EndpointEncoder(f"http://127.0.0.1:{port}/v1", model="m") as encoder,
        pytest.raises(ModelError, match=f"{port}/v1/embeddings") as raised,
    ):
        encoder.encode(["法"], role="query")
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("url", ["http://[bad", "http://", "http://host:notaport/v1"])
def test_an_address_that_is_none_is_a_model_error(url: str) -> None:
    with (
        EndpointEncoder(url, model="m") as encoder,
        pytest.raises(ModelError, match="no embeddings"),
    ):
        encoder.encode(["法"], role="query")


@pytest.mark.parametrize("key", ["", "  \n"])
def test_without_a_key_none_is_sent(
    server: Server, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    with EndpointEncoder(server.url, model="m") as encoder:
        encoder.encode(["法"], role="query")
    assert server.keys == [None]


def test_a_line_end_after_the_key_is_no_part_of_it(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, f"{SECRET}\r\n")
    with EndpointEncoder(server.url, model="m") as encoder:
        encoder.encode(["法"], role="query")
    assert server.keys == [f"Bearer {SECRET}"]


@pytest.mark.parametrize("key", [f"{SECRET}\nX: y", f"{SECRET}\x7f", f"密{SECRET}"])
def test_a_key_no_header_can_carry_is_refused_without_being_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    with (
        EndpointEncoder(server.url, model="m") as encoder,
        pytest.raises(ModelError, match=KEY_VARIABLE) as raised,
    ):
        encoder.encode(["法"], role="query")
    assert SECRET not in str(raised.value)
    assert server.requests == []


def test_a_reply_without_end_is_given_up_while_it_is_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "MAX_REPLY", 1_000)
    server.reply = lambda request: (200, b" " * 100_000 + vectors_of(request)[1])
    with (
        EndpointEncoder(server.url, model="m") as encoder,
        pytest.raises(ModelError, match="larger than 1,000 bytes"),
    ):
        encoder.encode(["法"], role="query")


def test_a_reply_that_drips_is_given_up_when_its_time_is_over(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter(range(1_000))
    monkeypatch.setattr(endpoint.time, "monotonic", lambda: next(seconds))
    server.reply = lambda request: (200, b" " * 2_000_000 + vectors_of(request)[1])
    with (
        EndpointEncoder(server.url, model="m", timeout=3) as encoder,
        pytest.raises(ModelError, match="did not end within 3 seconds"),
    ):
        encoder.encode(["法"], role="query")


@pytest.mark.parametrize("secret", ["user:hunter2@", "hunter2@", "?key=hunter2"])
def test_an_address_with_a_password_is_refused_without_being_shown(secret: str) -> None:
    query = secret if secret.startswith("?") else ""
    user = "" if query else secret
    with pytest.raises(UserError, match=KEY_VARIABLE) as raised:
        open_encoder(f"http://{user}127.0.0.1:9/v1{query}#m")
    assert "hunter2" not in str(raised.value)
