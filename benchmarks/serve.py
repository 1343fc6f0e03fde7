"""The server under load: requests per second, waiting times, first byte, start, memory.

    python benchmarks/serve.py [HOME] [--seconds 10] [--workers 1]

Starts `inforce serve` over a data folder (by default the user's own), sends requests as several
clients at once, and for comparison calls the library in this process. Every request is different:
articles and days are drawn with a fixed seed, questions are made of crime names and years. The
clients run on the same machine as the server and share its processors.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np

from inforce.corpus.home import home
from inforce.library import Library, open_library

SEED = 7
LAWS = ("刑法", "民法典", "刑事诉讼法", "民事诉讼法", "劳动合同法", "公司法", "行政处罚法")
PAGE = {"Accept": "text/html", "Accept-Language": "zh"}


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of a load of requests."""

    name: str
    clients: int
    seconds: float
    waits: np.ndarray
    """Seconds of each request."""
    failed: int
    """Answers with a status of 500 or more."""
    processor: float
    """Seconds of processor time the server took."""

    def row(self) -> str:
        """Return a line of the table."""
        p50, p95, p99 = np.percentile(self.waits, (50, 95, 99)) * 1000
        rate = len(self.waits) / self.seconds
        cost = self.processor / len(self.waits) * 1000
        return (
            f"| {self.name} | {self.clients} | {rate:,.0f} | {p50:.1f} | {p95:.1f} | {p99:.1f} "
            f"| {cost:.2f} | {self.failed} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="The server under load.")
    parser.add_argument("home", nargs="?", type=Path, default=None)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    folder: Path = options.home or home()
    with open_library(folder) as library:
        articles, questions = list(addresses(library)), searches(library)
        size = len(library.statutes)
    print(
        f"{folder}: {size:,} wordings; {options.workers} worker(s), {os.cpu_count()} processors\n"
    )
    with running(folder, options.workers) as (port, process, ready):
        print(f"ready after {ready:.2f} s, {memory(process):.0f} MB\n")
        print("| | clients | requests/s | p50 ms | p95 ms | p99 ms | processor ms | failed |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        load = Load(port, process, options.seconds)
        load.measured("warm", 4, iter(questions[-40:]))
        print(load.measured("`law_at_date`, each another", 50, iter_forever(articles)).row())
        offered = load.measured("the same, 800/s offered", 50, iter_forever(articles), rate=800)
        print(offered.row())
        asked = iter(questions)
        print(load.measured("`search`, each another", 20, asked).row())
        print(load.measured("the same, 90/s offered", 20, asked, rate=90).row())
        print(load.measured("`law_at_date` while 4 search", 50, iter_forever(articles), 4).row())
        print(
            load.measured("page of an article", 4, iter_forever(pages(articles)), page=True).row()
        )
        print(f"\nfirst byte of a question's page: {load.first_byte(questions):.1f} ms (median)")
        print(f"memory after all of it: {memory(process):.0f} MB")
    with open_library(folder) as library:
        print(f"the library itself, the same questions: {own(library, questions, 1)}; ", end="")
        print(f"four threads: {own(library, questions, 4)}")


def addresses(library: Library) -> Iterator[str]:
    """Yield 5,000 random addresses of articles on days."""
    drawn = random.Random(SEED)
    laws = [law for law in LAWS if has_law(library, law)]
    numbers = {law: library.corpus.numbers(library.corpus.resolve(law)) for law in laws}
    for _ in range(5_000):
        law = drawn.choice(laws)
        number = drawn.choice(numbers[law]).short
        day = date(1998, 1, 1) + timedelta(days=drawn.randrange(10_000))
        yield f"/v1/laws/{quote(law)}/articles/{quote(number)}?on={day}"


def has_law(library: Library, law: str) -> bool:
    with contextlib.suppress(Exception):
        return bool(library.corpus.resolve(law))
    return False


def pages(articles: Sequence[str]) -> list[str]:
    """Return the pages of the same articles."""
    found: list[str] = []
    for address in articles[:500]:
        _, _, _, law, _, rest = address.split("/", 5)
        number, _, day = rest.partition("?on=")
        found.append(f"/provision?law={law}&number={number}&on={day}")
    return found


def searches(library: Library) -> list[str]:
    """Return addresses of different searches."""
    drawn = random.Random(SEED)
    title = library.corpus.resolve("刑法")
    names = sorted({caption.name for caption in library.corpus.captions(title)}) or ["盗窃罪"]
    questions = [f"{year}年，{name}怎样处罚？" for year in range(1998, 2026) for name in names]
    drawn.shuffle(questions)
    return [f"/v1/search?q={quote(one)}&k=5" for one in questions]


def iter_forever(addresses: Sequence[str]) -> Iterator[str]:
    while True:
        yield from addresses


class Load:
    """Sends requests to a server as several clients at once.

    Args:
        port: of the server on this machine.
        process: the server.
        seconds: duration of each load.
    """

    def __init__(self, port: int, process: subprocess.Popen[bytes], seconds: float) -> None:
        self._port = port
        self._process = process
        self._seconds = seconds

    def measured(
        self,
        name: str,
        clients: int,
        asked: Iterator[str],
        searching: int = 0,
        *,
        rate: float = 0,
        page: bool = False,
    ) -> Measured:
        """Measure a load.

        Args:
            name: of the row.
            clients: number of connections at once.
            asked: the addresses.
            searching: number of other clients that search meanwhile.
            rate: requests per second of all clients together; by default as fast as they can.
            page: request pages, as a browser does.
        """
        return asyncio.run(self._measured(name, clients, asked, searching, rate, page))

    async def _measured(
        self,
        name: str,
        clients: int,
        asked: Iterator[str],
        searching: int,
        rate: float,
        page: bool,
    ) -> Measured:
        waits: list[float] = []
        failed = [0]
        before, began = processor_seconds(self._process), time.perf_counter()
        until = began + self._seconds
        drawn = random.Random(SEED + 1)
        others = (f"/v1/search?q={drawn.random()}{quote('盗窃数额较大')}" for _ in range(1_000_000))
        pause = clients / rate if rate else 0.0
        await asyncio.gather(
            *(self._client(asked, until, waits, failed, pause, page) for _ in range(clients)),
            *(self._client(others, until, [], [0], 0.0, False) for _ in range(searching)),
        )
        seconds = time.perf_counter() - began
        cost = processor_seconds(self._process) - before
        return Measured(name, clients, seconds, np.array(waits), failed[0], cost)

    async def _client(
        self,
        asked: Iterator[str],
        until: float,
        waits: list[float],
        failed: list[int],
        pause: float,
        page: bool,
    ) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        due = time.perf_counter() + random.Random(id(reader)).random() * pause
        for address in asked:
            if pause:  # at a fixed time, however long the request before took
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
            began = due if pause else time.perf_counter()
            due += pause
            if time.perf_counter() > until:
                break
            status = await exchange(reader, writer, address, page=page)
            waits.append(time.perf_counter() - began)
            failed[0] += status >= 500
        writer.close()

    def first_byte(self, questions: Sequence[str]) -> float:
        """Return the median milliseconds until a page of a question begins to arrive."""
        waits = [
            self._first_byte(one.replace("/v1/search?q=", "/?question=")) for one in questions[:40]
        ]
        return float(np.median(waits)) * 1000

    def _first_byte(self, address: str) -> float:
        with socket.create_connection(("127.0.0.1", self._port)) as connection:
            began = time.perf_counter()
            connection.sendall(request(address, page=True, keep=False))
            connection.recv(1)
            waited = time.perf_counter() - began
            while connection.recv(65_536):
                pass
        return waited


def request(address: str, *, page: bool, keep: bool = True) -> bytes:
    headers = {"Host": "localhost", "Connection": "keep-alive" if keep else "close"}
    headers |= PAGE if page else {}
    lines = [f"GET {address} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str, *, page: bool
) -> int:
    """Return the status of an answer once all of it has arrived, following redirections."""
    writer.write(request(address, page=page))
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head[9:12])
    length, location = 0, ""
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b": ")
        if name == b"content-length":
            length = int(value)
        elif name == b"location":
            location = value.decode()
    await reader.readexactly(length)
    return await exchange(reader, writer, location, page=page) if location else status


@contextlib.contextmanager
def running(folder: Path, workers: int) -> Generator[tuple[int, subprocess.Popen[bytes], float]]:
    """Start a server; yields its port, its process, and the seconds until it was ready."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    line = [sys.executable, "-m", "inforce.cli", "serve", "--port", str(port)]
    began = time.perf_counter()
    process = subprocess.Popen(
        [*line, "--workers", str(workers)],
        env={**os.environ, "INFORCE_HOME": str(folder)},
        stderr=subprocess.DEVNULL,
    )
    try:
        while not is_ready(port):
            if process.poll() is not None:
                sys.exit("the server ended")
            time.sleep(0.01)
        yield port, process, time.perf_counter() - began
    finally:
        process.terminate()
        process.wait()


def is_ready(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 60) as there:
        there.sendall(request("/readyz", page=False, keep=False))
        return there.recv(12).endswith(b"200")
    return False


def family(process: subprocess.Popen[bytes]) -> list[str]:
    """Return the ids of a process and its children (Linux)."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [str(process.pid), *children]


def memory(process: subprocess.Popen[bytes]) -> float:
    """Return the megabytes of a process and its children."""
    total = 0
    for one in family(process):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{one}/status").read_text().splitlines():
                if line.startswith("VmRSS"):
                    total += int(line.split()[1])
    return total / 1024


def processor_seconds(process: subprocess.Popen[bytes]) -> float:
    """Return the seconds of processor time of a process and its children."""
    total = 0
    for one in family(process):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def own(library: Library, questions: Sequence[str], threads: int) -> str:
    """Measure the same searches by the library in this process, each for the first time."""
    asked = [parse_qs(urlsplit(one).query)["q"][0] for one in questions]
    first = 500 * (threads > 1)
    library.search(asked[-1])
    search: Callable[[str], object] = library.search
    began, processor = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(search, asked[first : first + 500]))
    seconds, spent = time.perf_counter() - began, time.process_time() - processor
    return f"{500 / seconds:,.0f} searches/s, {spent / 500 * 1000:.2f} processor ms each"


if __name__ == "__main__":
    main()
