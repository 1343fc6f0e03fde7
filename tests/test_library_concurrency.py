"""A library in many threads and under asyncio: the same answers, laws added meanwhile, no leak."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest

from inforce.answering.answer import Answer
from inforce.corpus.store import Corpus
from inforce.library import Library, open_library
from inforce.testing import tiny_law

TODAY = date(2026, 11, 20)
QUESTIONS = (
    "2010年累犯能否适用缓刑？",
    "2009年醉酒驾驶机动车怎么处罚",
    "《刑法》第七十四条2015年怎么规定？",
    "2014年刑事诉讼法第五十三条怎么规定？",
)
MOST_MEGABYTES = 20.0
"""How much more memory a process may hold after the same questions were asked again."""


def quoted(answer: Answer) -> list[tuple[str, str, list[str]]]:
    return [
        (
            one.work,
            one.number.short,
            [span.provision.text for span in one.wordings if span.provision],
        )
        for one in answer.quotations
    ]


@contextmanager
def adding(corpus: Path, laws: int) -> Generator[None]:
    """Another writer adds laws, one at a time, while the block runs."""

    def add() -> None:
        for number in range(laws):
            with Corpus.open(corpus, mode="write") as writer:
                text = {"1": f"第{number}号骆驼应当登记。"}
                writer.add([tiny_law(f"骆驼登记法{number}", text, start=date(2000, 1, 1))])

    writer = threading.Thread(target=add)
    writer.start()
    try:
        yield
    finally:
        writer.join()


def ask_all(library: Library, *, threads: int, questions: int) -> None:
    """Every answer quotes what it quotes when nobody else asks."""
    alone = {question: quoted(library.ask(question)) for question in QUESTIONS}

    def ask(number: int) -> bool:
        question = QUESTIONS[number % len(QUESTIONS)]
        return quoted(library.ask(question)) == alone[question]

    with ThreadPoolExecutor(threads) as pool:
        assert all(pool.map(ask, range(questions)))


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")


@needs_proc
def test_threads_ask_while_another_writer_adds_and_every_file_is_closed(package_copy: Path) -> None:
    gc.collect()
    before = open_files()
    with open_library(package_copy, clock=lambda: TODAY) as library:
        with adding(library.corpus.path, laws=2):
            ask_all(library, threads=8, questions=24)
        [hit, *_] = library.search("骆驼应当登记", k=1).hits
        assert hit.provision.work.startswith("骆驼登记法")
    gc.collect()
    assert open_files() == before


@needs_proc
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_32_threads_ask_2000_questions_while_laws_are_added_without_a_leak(
    package_copy: Path,
) -> None:
    gc.collect()
    before = open_files()
    with open_library(package_copy, clock=lambda: TODAY) as library:
        with adding(library.corpus.path, laws=10):
            ask_all(library, threads=32, questions=1_000)
        library.search("缓刑")
        gc.collect()
        files, held, threads = open_files(), megabytes(), threading.active_count()
        ask_all(library, threads=32, questions=1_000)
        gc.collect()
        assert (open_files(), threading.active_count()) == (files, threads)
        assert megabytes() - held < MOST_MEGABYTES
    gc.collect()
    assert open_files() == before


async def test_questions_and_runs_share_a_library_under_asyncio(package_copy: Path) -> None:
    with open_library(package_copy, clock=lambda: TODAY) as library:
        alone = {question: quoted(library.ask(question)) for question in QUESTIONS}
        answers = await asyncio.gather(*(library.aask(one) for one in QUESTIONS * 3))
        runs = await asyncio.gather(
            *(library.aresearch(QUESTIONS[0], sources="statutes") for _ in range(4))
        )
    assert [quoted(one) for one in answers] == [alone[one] for one in QUESTIONS] * 3
    assert {one.outcome for one in runs} == {"answered"}
    assert len({one.text for one in runs}) == 1
