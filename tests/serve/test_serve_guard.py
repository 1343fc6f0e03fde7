"""Who may ask a server, from where, how often and how much."""

from __future__ import annotations

import socket
import stat
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from live_server import client_of, listening

from inforce.errors import InputError, UserError
from inforce.library import Library
from inforce.serve.app import create_app
from inforce.serve.guard import Guard
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import FILE, TokenFile

ASK = "/v1/laws"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:1234"}, 200),
        ({"Host": "LOCALHOST"}, 200),
        ({"Host": "evil.example"}, 400),
        ({"Host": "evil.example:8642"}, 400),
        ({"Host": "127.0.0.1.evil.example"}, 400),
        ({"Host": ""}, 400),
        ({"Host": "localhost", "Origin": "http://localhost"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Host": "localhost:1", "Origin": "http://localhost:2"}, 403),
    ],
)
def test_only_pages_of_this_server_may_ask(
    server: httpx.Client, headers: Mapping[str, str], status: int
) -> None:
    assert server.get(ASK, headers=headers).status_code == status


def test_what_a_browser_sends_for_another_site_may_not_post(server: httpx.Client) -> None:
    body = {"question": "累犯"}
    there = server.post("/v1/ask", json=body, headers={"Sec-Fetch-Site": "cross-site"})
    assert there.status_code == 403
    here = server.post("/v1/ask", json=body, headers={"Sec-Fetch-Site": "same-origin"})
    assert here.status_code == 200


def test_every_response_tells_browsers_to_run_nothing_foreign(server: httpx.Client) -> None:
    for address in ("/v1/laws", "/nothing", "/v1/search", "/openapi.json"):
        headers = server.get(address).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_only_named_sites_may_ask_across_origins(
    sample_library: Library, sample_home: Path
) -> None:
    settings = ServeSettings(home=sample_home, cors_origins=("https://court.example",))
    with client_of(sample_library, settings) as client:
        named = client.get(ASK, headers={"Origin": "https://court.example"})
        assert named.headers["access-control-allow-origin"] == "https://court.example"
        assert client.get(ASK, headers={"Origin": "https://evil.example"}).status_code == 403


def test_a_body_that_is_too_large_is_refused_whether_or_not_it_says_so(
    sample_library: Library, sample_home: Path
) -> None:
    with client_of(sample_library, ServeSettings(home=sample_home, max_body=1000)) as client:
        headers = {"Content-Type": "application/json"}
        assert client.post("/v1/ask", content=b"x" * 1001, headers=headers).status_code == 413
        pieces = (b"x" * 100 for _ in range(20))
        assert client.post("/v1/ask", content=pieces, headers=headers).status_code == 413


def test_a_body_that_does_not_arrive_is_not_waited_for(
    sample_library: Library, sample_home: Path
) -> None:
    settings = ServeSettings(home=sample_home, max_seconds=0.2)
    with listening(create_app(sample_library, settings)) as address:
        place = urlsplit(address)
        with socket.create_connection((place.hostname or "", place.port or 0)) as slow:
            slow.sendall(
                b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n"
                b"Content-Type: application/json\r\n\r\n{"
            )
            slow.settimeout(10)
            assert b" 408 " in slow.recv(1000)


def test_more_requests_than_a_minute_allows_are_refused_with_when_to_ask_again(
    sample_library: Library, sample_home: Path
) -> None:
    settings = ServeSettings(home=sample_home, requests_a_minute=3)
    with client_of(sample_library, settings) as client:
        answers = [client.get(ASK) for _ in range(4)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert answers[-1].headers["retry-after"]


async def test_the_allowance_of_a_caller_comes_back_with_time(tmp_path: Path) -> None:
    seconds = iter((0.0, 0.0, 0.0, 29.0, 30.0, 31.0, 61.0))
    seen: list[int] = []

    async def app(scope: object, receive: object, send: object) -> None:
        seen.append(200)

    async def send(message: Mapping[str, object]) -> None:
        if message["type"] == "http.response.start":
            seen.append(int(str(message["status"])))

    async def receive() -> dict[str, object]:
        return {"type": "http.request"}

    settings = ServeSettings(requests_a_minute=2)
    guard = Guard(app, settings, TokenFile(tmp_path / FILE), now=lambda: next(seconds))
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    for _ in range(7):
        await guard(dict(scope), receive, send)
    assert seen == [200, 200, 429, 429, 200, 429, 200]


@pytest.mark.parametrize("length", ["9" * 5_000, "9" * 25, "-1", "1e3", "٣"])
async def test_a_length_that_is_none_is_refused(tmp_path: Path, length: str) -> None:
    sent: list[Mapping[str, object]] = []

    async def app(scope: object, receive: object, send: object) -> None:
        raise AssertionError("this was to be refused")

    async def send(message: Mapping[str, object]) -> None:
        sent.append(message)

    async def receive() -> dict[str, object]:
        return {"type": "http.request"}

    guard = Guard(app, ServeSettings(), TokenFile(tmp_path / FILE))
    headers = [(b"host", b"localhost"), (b"content-length", length.encode("utf-8"))]
    scope = {"type": "http", "method": "POST", "path": "/v1/ask", "headers": headers}
    await guard(scope, receive, send)
    assert sent[0]["status"] == 413


# --- tokens ------------------------------------------------------------------------------------


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / FILE)


def test_a_token_opens_the_server_until_it_is_revoked(
    sample_library: Library, tokens: TokenFile, tmp_path: Path
) -> None:
    secret = tokens.add("registry")
    with client_of(sample_library, ServeSettings(home=tmp_path, auth="token")) as client:
        assert client.get("/healthz").status_code == 200
        refused = client.get(ASK)
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        for wrong in ("", "Bearer", "Bearer x", f"Basic {secret}", f"Bearer {secret}x"):
            assert client.get(ASK, headers={"Authorization": wrong}).status_code == 401, wrong
        right = {"Authorization": f"Bearer {secret}"}
        assert client.get(ASK, headers=right).status_code == 200
        assert client.get("/metrics").status_code == 401
        assert client.get(f"{ASK}?token={secret}").status_code == 401
        tokens.revoke("registry")
        assert client.get(ASK, headers=right).status_code == 401


@pytest.mark.parametrize(
    "path", ["//healthz", "/healthz/../v1/laws", "/static/../v1/laws", "/static/%2e%2e/v1/laws"]
)
def test_no_spelling_of_an_open_path_opens_another(
    sample_library: Library, tmp_path: Path, path: str
) -> None:
    with listening(
        create_app(sample_library, ServeSettings(home=tmp_path, auth="token"))
    ) as address:
        place = urlsplit(address)
        with socket.create_connection((place.hostname or "", place.port or 0)) as raw:
            raw.sendall(
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
            )
            raw.settimeout(10)
            answer = raw.recv(100_000)
    assert b'"laws"' not in answer
    assert answer.split(b" ")[1] in (b"401", b"404", b"307")


def test_only_hashes_are_stored_and_only_the_owner_may_read_them(
    tokens: TokenFile, tmp_path: Path
) -> None:
    secret = tokens.add("a")
    path = tmp_path / FILE
    assert secret not in path.read_text(encoding="utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tokens.tokens()] == ["a"]
    assert tokens.name_of(secret) == "a"


def test_names_of_tokens_are_taken_once_and_are_names(tokens: TokenFile) -> None:
    tokens.add("a")
    for wrong, reason in (("a", "already"), ("", "cannot name"), ("a b", "cannot name")):
        with pytest.raises(UserError, match=reason):
            tokens.add(wrong)
    with pytest.raises(UserError, match="there is no token"):
        tokens.revoke("b")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"{}",
        b"[1]",
        b'[{"name": "a"}]',
        b'[{"name": "a", "sha256": [], "created": ""}]',
        b'[{"name": 1, "sha256": "", "created": ""}]',
    ],
)
def test_damaged_tokens_let_nobody_in_and_tell_strangers_nothing(
    sample_library: Library, tokens: TokenFile, tmp_path: Path, content: bytes
) -> None:
    secret = tokens.add("a")
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(InputError, match=FILE):
        tokens.tokens()
    with client_of(sample_library, ServeSettings(home=tmp_path, auth="token")) as client:
        got = client.get(ASK, headers={"Authorization": f"Bearer {secret}"})
    assert got.status_code == 503
    assert str(tmp_path) not in got.text


def test_a_change_of_the_file_is_seen_by_another_reader(tokens: TokenFile, tmp_path: Path) -> None:
    other = TokenFile(tmp_path / FILE)
    assert other.tokens() == ()
    secret = tokens.add("a")
    assert other.name_of(secret) == "a"
    time.sleep(0.01)
    tokens.revoke("a")
    assert other.name_of(secret) is None


def test_behind_a_proxy_its_header_says_who_asks(sample_library: Library, tmp_path: Path) -> None:
    settings = ServeSettings(home=tmp_path, auth="header", user_header="X-User")
    with client_of(sample_library, settings) as client:
        assert client.get(ASK).status_code == 401
        assert client.get(ASK, headers={"X-User": "li"}).status_code == 200
        assert client.get(ASK, headers={"X-Forwarded-User": "li"}).status_code == 401


def test_a_header_beside_that_of_the_proxy_opens_nothing(
    sample_library: Library, tmp_path: Path
) -> None:
    settings = ServeSettings(home=tmp_path, auth="header", user_header="X-User")
    with client_of(sample_library, settings) as client:
        both = [("X-User", "admin"), ("X-User", "li")]  # a proxy that adds and does not replace
        assert client.get(ASK, headers=both).status_code == 400


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "law.example"])
def test_what_others_can_reach_needs_to_know_who_asks(host: str) -> None:
    with pytest.raises(UserError, match="--auth token"):
        ServeSettings(host=host).check()
    ServeSettings(host=host, auth="token").check()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
def test_on_this_machine_nobody_needs_to_say_who_they_are(host: str) -> None:
    ServeSettings(host=host).check()


def test_tokens_made_and_revoked_at_once_are_neither_lost_nor_come_back(tmp_path: Path) -> None:
    path = tmp_path / FILE
    for number in range(8):
        TokenFile(path).add(f"old{number}")

    def work(number: int) -> str:
        TokenFile(path).revoke(f"old{number}")
        return TokenFile(path).add(f"new{number}")

    with ThreadPoolExecutor(8) as pool:
        secrets = list(pool.map(work, range(8)))
    held = TokenFile(path)
    assert {one.name for one in held.tokens()} == {f"new{number}" for number in range(8)}
    assert [held.name_of(one) for one in secrets] == [f"new{number}" for number in range(8)]
    assert {one.stat().st_mode & 0o077 for one in tmp_path.iterdir()} == {0}
