"""`inforce serve` as a person runs it: processes that start, stop, and survive each other's end."""

from __future__ import annotations

import os
import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from inforce.serve.processes import worker

ARTICLE = "/v1/laws/刑法/articles/74?on=2010-06-01"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def serving(
    home: Path, *options: str, log: int = subprocess.PIPE
) -> Generator[tuple[subprocess.Popen[str], str]]:
    """A server over a data folder; a log that nobody reads must go elsewhere than a pipe."""
    port = free_port()
    line = [sys.executable, "-m", "inforce.cli", "serve", "--port", str(port), *options]
    environment = {**os.environ, "INFORCE_HOME": str(home), "INFORCE_TODAY": "2026-11-20"}
    process = subprocess.Popen(line, env=environment, stderr=log, text=True)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(address)
        yield process, address
    finally:
        process.terminate()
        process.wait(20)
        if process.stderr is not None:
            process.stderr.close()


def wait_until_ready(address: str) -> None:
    for _ in range(400):
        try:
            if httpx.get(f"{address}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError("the server does not start")


async def test_a_worker_has_the_settings_of_the_command_line(
    sample_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = f'{{"settings": {{"home": "{sample_home}", "threads": 1}}, "today": "2026-11-20"}}'
    monkeypatch.setenv("INFORCE_SERVE_SETTINGS", given)
    app = worker()
    async with app.router.lifespan_context(app):  # closes the library
        assert {"/v1/ask", "/healthz"} <= {getattr(one, "path", "") for one in app.routes}


_HEAPS = """
import ctypes, threading
from inforce.serve.processes import use_few_arenas

use_few_arenas()
libc = ctypes.CDLL(None)
libc.malloc.argtypes, libc.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
together = threading.Barrier(12)

def work():
    together.wait()
    libc.malloc(100_000)
    together.wait()

threads = [threading.Thread(target=work) for _ in range(12)]
for one in threads:
    one.start()
for one in threads:
    one.join()
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="heaps as glibc has them")
def test_threads_that_come_and_go_leave_no_heaps_of_their_own() -> None:
    said = subprocess.run([sys.executable, "-c", _HEAPS], check=True, capture_output=True).stdout
    assert 1 <= said.count(b"<heap nr=") <= 2


@pytest.mark.slow
def test_a_server_stops_when_it_is_told_and_logs_no_questions(sample_home: Path) -> None:
    with serving(sample_home) as (process, address):
        assert "不适用缓刑" in httpx.get(address + ARTICLE).text
        httpx.get(f"{address}/v1/search", params={"q": "张三的秘密"})
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)
        assert process.stderr is not None
        log = process.stderr.read()
    assert '"operation": "search"' in log
    assert "秘密" not in log
    assert "%E7%A7%98" not in log


def workers(process: subprocess.Popen[str]) -> list[int]:
    """The processes that answer, without those beside them."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [
        int(one) for one in children if "spawn_main" in Path(f"/proc/{one}/cmdline").read_text()
    ]


@pytest.mark.slow
def test_a_worker_that_has_no_processor_for_a_while_is_not_killed(sample_home: Path) -> None:
    with serving(sample_home, "--workers", "2") as (process, address):
        before = workers(process)
        os.kill(before[1], signal.SIGSTOP)
        time.sleep(8)
        os.kill(before[1], signal.SIGCONT)
        assert workers(process) == before
        for _ in range(20):
            assert httpx.get(address + ARTICLE).status_code == 200


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced_and_no_run_is_lost(sample_home: Path) -> None:
    with serving(sample_home, "--workers", "2") as (process, address):
        asked = {"question": "2010年累犯能否适用缓刑？"}
        run = httpx.post(f"{address}/v1/research", json=asked).json()["run"]
        for child in workers(process):
            os.kill(child, signal.SIGKILL)
        wait_until_ready(address)
        for _ in range(20):
            assert "不适用缓刑" in httpx.get(address + ARTICLE).text
        with httpx.stream("GET", f"{address}/v1/runs/{run}/events", timeout=30) as stream:
            assert '"status":"finished"' in "".join(stream.iter_text())
        metrics = httpx.get(f"{address}/metrics").text
        assert 'operation="at"' in metrics


@pytest.mark.slow
def test_a_server_that_others_could_reach_does_not_start_without_accounts(
    sample_home: Path,
) -> None:
    line = [sys.executable, "-m", "inforce.cli", "serve", "--host", "0.0.0.0"]
    environment = {**os.environ, "INFORCE_HOME": str(sample_home)}
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--auth token" in done.stderr
