"""The network switch holds for every library of the process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest

from inforce import network
from inforce.errors import NetworkForbiddenError, UserError


@pytest.fixture
def server() -> Iterator[str]:
    class Hello(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"hello")

        def log_message(self, format: str, *args: object) -> None: ...

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Hello)
    Thread(target=listening.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{listening.server_port}/"
    listening.shutdown()
    listening.server_close()


def by_httpx(url: str) -> None:
    httpx.get(url, timeout=1, trust_env=False)


def by_urllib(url: str) -> None:
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=1).close()


def by_socket(url: str) -> None:
    host, _, port = url.removeprefix("http://").strip("/").partition(":")
    with socket.socket() as one:
        one.settimeout(1)
        one.connect((host, int(port or 80)))


WAYS = pytest.mark.parametrize("get", [by_httpx, by_urllib, by_socket])


@WAYS
def test_off_means_not_even_this_machine(get: object, server: str) -> None:
    assert callable(get)
    with network.restrict("off"), pytest.raises(NetworkForbiddenError):
        get(server)


@WAYS
def test_loopback_reaches_this_machine_and_no_other(get: object, server: str) -> None:
    assert callable(get)
    with network.restrict("loopback"):
        get(server)
        with pytest.raises(NetworkForbiddenError):
            get("http://192.0.2.1:80/")


@pytest.mark.parametrize("get", [by_httpx, by_urllib])
def test_names_of_other_machines_are_not_even_looked_up(get: object) -> None:
    assert callable(get)
    with pytest.raises(NetworkForbiddenError):
        get("http://example.org:80/")


def test_the_tests_themselves_cannot_leave_this_machine() -> None:
    assert network.mode() == "loopback"
    with pytest.raises(NetworkForbiddenError):
        socket.getaddrinfo("example.org", 443)


@pytest.mark.parametrize(
    ("mode", "address", "allowed"),
    [
        ("open", "https://example.org", True),
        ("loopback", "https://example.org", False),
        ("loopback", "http://localhost:1/x", True),
        ("loopback", "127.0.0.1", True),
        ("loopback", "http://[::1]:8/", True),
        ("loopback", "http://127.0.0.1.example.org/", False),
        ("loopback", "http://user@example.org@localhost/", True),
        ("loopback", "http://localhost@example.org/", False),
        ("loopback", "http://[::1", False),
        ("off", "http://localhost:1/x", False),
    ],
)
def test_an_address_is_allowed_or_refused_by_its_host(
    mode: network.Mode, address: str, allowed: bool
) -> None:
    with network.restrict(mode):
        if allowed:
            network.check(address)
        else:
            with pytest.raises(NetworkForbiddenError):
                network.check(address)


def test_a_restriction_ends_with_its_block() -> None:
    with network.restrict("off"):
        assert network.mode() == "off"
    assert network.mode() == "loopback"


@pytest.mark.parametrize("call", ["apply_environment()", "mode()", "check('')"])
def test_the_environment_turns_the_switch_of_a_process(call: str) -> None:
    code = (
        f"from inforce import network\ntry: network.{call}\nexcept Exception: pass\nimport socket;"
        "socket.create_connection(('192.0.2.1', 9), 0.1)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, network.VARIABLE: "off"},
        capture_output=True,
        text=True,
    )
    assert "NetworkForbiddenError" in ran.stderr


def test_a_mode_that_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(network.VARIABLE, "sometimes")
    with pytest.raises(UserError, match="sometimes"):
        network.apply_environment()


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets of the file system here")
def test_sockets_of_the_file_system_are_no_network(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = str(tmp_path_factory.mktemp("s") / "s")
    with network.restrict("off"), socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(path)
            assert one.getpeername() == path
