"""What somebody who means harm may try: paths, headers, addresses of other servers, secrets."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import pytest
from live_server import listening

from inforce.library import Library
from inforce.serve.app import create_app
from inforce.serve.operations import OPERATIONS
from inforce.serve.settings import ServeSettings

SECRET = "sk-this-must-never-be-seen"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("a-private-folder")


@pytest.fixture(scope="module")
def client(sample_library: Library, place: Path) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", SECRET)
        settings = ServeSettings(home=place)
        (place / "tokens.json").write_text('[{"name": "court", "sha256": "0", "created": ""}]')
        with (
            listening(create_app(sample_library, settings)) as address,
            httpx.Client(base_url=address, timeout=30) as client,
        ):
            yield client


@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2f..%2ftokens.json",
        "/static/%2e%2e/%2e%2e/tokens.json",
        "/static//etc/passwd",
        "/verify/..%2f..%2ftokens.json",
        "/verify/../tokens.json/json",
        "/v1/runs/..%2f..%2ftokens.json",
        "/v1/runs/%2e%2e",
        "/runs/..%2f..%2f..%2fetc%2fpasswd",
        "/akn/cn/act/../../../../etc/passwd/~art_1",
        "/akn/cn/act/..%2f..%2f..%2fetc%2fpasswd/zho:2010-01-01/~art_1",
        "/v1/laws/..%2f..%2ftokens.json",
        "/laws/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/%00",
    ],
)
def test_no_path_leads_out_of_the_addresses_there_are(client: httpx.Client, path: str) -> None:
    port = urlsplit(str(client.base_url)).port
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path)  # httpx would tidy it first
        got = connection.getresponse()
        body = got.read().decode()
    assert 400 <= got.status < 500
    assert "court" not in body
    assert "root:" not in body


def everything(value: str) -> Iterator[tuple[str, str, dict[str, str] | None]]:
    """Every operation with a value in every place."""
    for operation in OPERATIONS:
        names = operation.parameters.__struct_fields__
        path = operation.path.replace("{law}", quote(value, safe=""))
        path = path.replace("{number}", quote(value, safe=""))
        if operation.method == "POST":
            yield "POST", path, dict.fromkeys(names, value)
        else:
            left = [name for name in names if f"{{{name}}}" not in operation.path]
            query = "&".join(f"{name}={quote(value)}" for name in left)
            yield "GET", f"{path}?{query}", None
    yield "POST", "/v1/research", {"question": value, "sources": value, "agent": value}
    yield "GET", f"/?question={quote(value)}&as_of={quote(value)}", None
    yield "GET", f"/provision?law={quote(value)}&number=1&on=2010", None
    yield "GET", f"/language?to=zh&next={quote(value)}", None


def test_nothing_makes_the_server_ask_another_one(client: httpx.Client) -> None:
    asked: list[str] = []

    class Canary(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)

    canary = HTTPServer(("127.0.0.1", 0), Canary)
    thread = threading.Thread(target=canary.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{canary.server_port}/secret"
        for method, path, body in everything(url):
            client.request(method, path, json=body, follow_redirects=False)
        page = f'<a href="{url}">a</a><img src="{url}"><link rel="stylesheet" href="{url}">'
        for name in ("a.html", "a.md"):
            client.post("/v1/verify", files={"file": (name, page.encode())})
        client.get("/laws", headers={"Referer": url, "X-Forwarded-Host": url})
    finally:
        canary.shutdown()
        thread.join()
        canary.server_close()
    assert asked == []


def test_no_response_names_a_key_or_a_folder_of_the_server(
    client: httpx.Client, place: Path, sample_library: Library
) -> None:
    folders = (str(place), str(sample_library.corpus.path.parent), str(Path.home()) + "/")
    for value in ("刑法", "\x00", "9" * 200, "{{7*7}}", "%s%n", "../..", '"; DROP TABLE work;--'):
        for method, path, body in everything(value):
            got = client.request(method, path, json=body)
            said = got.text + repr(got.headers)
            assert SECRET not in said
            assert "Traceback" not in said
            for folder in folders:
                assert folder not in said, (path, folder)
            assert got.status_code < 500, (path, got.text)
    for path in ("/metrics", "/openapi.json", "/healthz", "/readyz"):
        assert SECRET not in client.get(path).text


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-User": "admin", "X-Forwarded-For": "1.2.3.4"},
        {"X-HTTP-Method-Override": "DELETE"},
        {"X-Original-URL": "/v1/runs", "X-Rewrite-URL": "/v1/runs"},
        {"Accept": "text/html" * 500},
        {"Cookie": "inforce_token=" + "x" * 3000},
        {"Cookie": 'inforce_language="><script>alert(1)</script>'},
        {"Accept-Language": "zh;q=;;q=*,<script>"},
        {"Last-Event-ID": "-1; DROP", "If-None-Match": '"' + "x" * 500 + '"'},
        {"Accept-Datetime": "Thu, 99 Foo 9999 99:99:99 GMT"},
    ],
)
def test_headers_that_play_tricks_change_nothing(
    client: httpx.Client, headers: dict[str, str]
) -> None:
    plain = client.get("/v1/laws/刑法/articles/74?on=2010-06-01")
    got = client.get("/v1/laws/刑法/articles/74?on=2010-06-01", headers=headers)
    assert (got.status_code, got.content) == (plain.status_code, plain.content)
    page = client.get("/", headers={"Accept": "text/html", **headers})
    assert page.status_code == 200
    assert "<script>alert" not in page.text


@pytest.mark.parametrize("path", ["/language?to=zh&next=", "/provision?number=74&law=刑法&on="])
@pytest.mark.parametrize(
    "value", ["//evil.example", "/\\evil.example", "https://evil.example", "a\r\nSet-Cookie: x=1"]
)
def test_redirections_stay_here_and_take_no_header_with_them(
    client: httpx.Client, path: str, value: str
) -> None:
    got = client.get(path + quote(value, safe=""))
    location = got.headers.get("location", "/")
    assert location.startswith("/")
    assert not location.startswith(("//", "/\\"))
    assert "x=1" not in got.headers.get("set-cookie", "")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/runs HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x00\x00",
    ],
)
def test_what_is_hardly_http_is_refused_and_hurts_nobody(client: httpx.Client, sent: bytes) -> None:
    port = urlsplit(str(client.base_url)).port
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    status = answer[9:12]
    assert status == b"" or status.startswith(b"4"), answer[:200]
    assert client.get("/healthz").status_code == 200


def test_deep_and_wide_json_is_refused(client: httpx.Client) -> None:
    headers = {"Content-Type": "application/json"}
    for body in (
        "[" * 100_000 + "]" * 100_000,
        '{"question":' * 20_000 + "1" + "}" * 20_000,
        json.dumps({"question": "x", **{f"k{n}": n for n in range(10_000)}}),
        '{"question": "a", "question": 7}',
        '{"question": NaN}',
    ):
        got = client.post("/v1/ask", content=body.encode(), headers=headers)
        assert got.status_code == 400, got.text
        assert len(got.text) < 2_000
