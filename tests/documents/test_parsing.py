"""Files of every format become documents; one that cannot says why, and harms no other."""

from __future__ import annotations

import asyncio
import io
import multiprocessing
import os
import sys
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from document_files import assembled_pdf, paragraph, pdf, repacked, run, word, word_xml
from inforce.documents.document import UnreadableDocumentError
from inforce.documents.limits import DocumentLimits
from inforce.documents.parsing import STANDARD_INPUT, Deadline, DocumentParser
from inforce.documents.worker import Job, Missing, parse
from inforce.errors import InputError, MissingExtraError


@pytest.fixture(scope="module")
def parser() -> Iterator[DocumentParser]:
    with DocumentParser() as opened:
        yield opened


def cause(parser: DocumentParser, data: bytes, name: str) -> str:
    with pytest.raises(UnreadableDocumentError) as caught:
        parser.parse(data, name=name)
    return caught.value.cause


GOOD = word_xml(paragraph(run("第一条 甲。")))


@pytest.mark.parametrize(
    ("name", "data", "format", "text"),
    [
        ("a.md", "# 甲\n".encode(), "markdown", "# 甲\n"),
        ("a.txt", "甲\r\n乙".encode(), "text", "甲\r\n乙"),
        ("a", "甲".encode("gb18030"), "text", "甲"),
        ("a.htm", b"<p>first", "html", "first"),
        ("a.pdf", pdf(["one"]), "pdf", "one"),
        ("a", pdf(["one"]), "pdf", "one"),
        ("a.docx", GOOD, "docx", "第一条 甲。"),
        (STANDARD_INPUT, GOOD, "docx", "第一条 甲。"),
    ],
)
def test_every_format_is_read(
    parser: DocumentParser, name: str, data: bytes, format: str, text: str
) -> None:
    document = parser.read_stream(io.BytesIO(data), name=name)
    assert (document.format, document.text, document.name) == (format, text, name)


def test_a_file_and_an_awaited_one_are_read_alike(parser: DocumentParser, tmp_path: Path) -> None:
    word(tmp_path / "a.docx")
    document = parser.read(tmp_path / "a.docx")
    assert document.title == "房屋租赁合同"
    assert "钥匙 | 三把" in document.text
    data = (tmp_path / "a.docx").read_bytes()
    assert asyncio.run(parser.aparse(data, name=str(tmp_path / "a.docx"))) == document


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.pdf", pdf([]), "no_text"),
        ("a.pdf", pdf(["secret"], encrypted=True), "encrypted"),
        ("a.pdf", b"%PDF-1.4\nnothing", "damaged"),
        ("a.docx", b"PK\x03\x04 nothing", "damaged"),
        ("a.docx", repacked(GOOD, part="x", content=bytes(40_000_000)), "too_large"),
        ("a.html", b"<html><body></body></html>", "no_text"),
        ("a.md", b" \n", "no_text"),
        ("a.txt", bytes(99), "unknown_format"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "unknown_format"),
        ("a.txt", b"a" * (32 * 2**20 + 1), "too_large"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(
    parser: DocumentParser, name: str, data: bytes, expected: str
) -> None:
    assert cause(parser, data, name) == expected


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe"])
def test_what_is_no_file_is_refused_and_never_waited_for(
    parser: DocumentParser, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / kind
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(InputError, match="cannot be read|not a regular file"):
        parser.read(path)


def test_what_is_beyond_the_limits_is_left_out_and_that_is_said() -> None:
    limits = DocumentLimits(pages=1, characters=40, blocks=2)
    with DocumentParser(limits) as parser:
        some = parser.parse(pdf(["one"], ["two"]), name="a.pdf")
        text = parser.parse(("甲" * 100).encode(), name="a.txt")
        lines = parser.parse("一。\n二。\n三。\n".encode(), name="b.txt")
    assert (some.text, some.omitted) == ("one", "only the first 1 of 2 pages were read")
    assert (len(text.text), text.blocks[-1].end) == (40, 40)
    assert text.omitted == "only the first 40 of 100 characters were read"
    assert (lines.text, lines.omitted) == ("一。\n二。", "only the first 2 paragraphs were read")


def test_a_file_that_takes_too_long_is_given_up_and_the_next_one_is_read() -> None:
    with DocumentParser(DocumentLimits(seconds=1.0), processes=1) as parser:
        began = time.monotonic()
        page = "<p>x</p>" * 400_000
        with pytest.raises(UnreadableDocumentError, match="took longer than 1 seconds") as caught:
            parser.parse(page.encode(), name="a.html", main_part=True)
        assert caught.value.cause == "too_slow"
        assert time.monotonic() - began < 3
        assert parser.parse(b"one", name="a.txt").text == "one"


@pytest.mark.parametrize(("pages", "is_killed"), [(0, True), (1_000, False)])
def test_a_process_has_more_time_when_its_file_says_how_many_pages_it_has(
    pages: int, *, is_killed: bool
) -> None:
    killed = Event()
    worker: Any = SimpleNamespace(process=SimpleNamespace(kill=killed.set))
    with Deadline(worker, DocumentLimits(seconds=0.05, page_seconds=1.0)) as deadline:
        deadline.has_pages(pages)
        assert killed.wait(0.3) == is_killed
    assert (deadline.missed() is not None) == is_killed


def test_a_file_that_needs_too_much_memory_harms_no_other() -> None:
    packer = zlib.compressobj(1)
    flood = b"".join(packer.compress(bytes(2**24)) for _ in range(20)) + packer.flush()
    with DocumentParser(DocumentLimits(memory=300 * 2**20)) as parser:
        with pytest.raises(UnreadableDocumentError) as caught:
            parser.parse(assembled_pdf([flood]), name="a.pdf")
        assert caught.value.cause in ("too_much_memory", "crashed", "no_text")
        assert parser.parse(pdf(["one"]), name="b.pdf").text == "one"


def test_a_process_that_was_killed_is_replaced(parser: DocumentParser) -> None:
    parser.parse(b"one", name="a.txt")
    idle = parser._idle.get_nowait()  # pyright: ignore[reportPrivateUsage]
    idle.process.kill()
    idle.process.wait()
    parser._idle.put(idle)  # pyright: ignore[reportPrivateUsage]
    assert parser.parse(b"two", name="a.txt").text == "two"


def test_threads_may_share_a_parser(parser: DocumentParser) -> None:
    def read(number: int) -> str:
        return parser.parse(f"no. {number}".encode(), name="a.txt").text

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read, range(40))) == [f"no. {number}" for number in range(40)]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_after_a_fork_each_process_has_a_parser_of_its_own(parser: DocumentParser) -> None:
    parser.parse(b"one", name="a.txt")
    context = multiprocessing.get_context("fork")
    said = context.SimpleQueue()
    child = context.Process(
        target=lambda: said.put(parser.parse(b"child", name="a.txt").text), daemon=True
    )
    child.start()
    child.join(20)
    assert said.get() == "child"
    assert parser.parse(b"parent", name="a.txt").text == "parent"


def test_a_module_in_the_current_folder_is_no_part_of_the_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lxml.py").write_text("raise SystemExit")
    (tmp_path / "pypdfium2.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    with DocumentParser() as parser:
        assert parser.parse(GOOD, name="a.docx").text == "第一条 甲。"


def test_a_parser_knows_no_keys_and_reaches_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", "secret")
    with DocumentParser() as parser:
        parser.parse(b"one", name="a.txt")
        worker = parser._idle.get_nowait()  # pyright: ignore[reportPrivateUsage]
        environment = Path(f"/proc/{worker.process.pid}/environ")
        if environment.exists():
            assert b"secret" not in environment.read_bytes()
            assert b"INFORCE_NETWORK=off" in environment.read_bytes()
        worker.end()


def test_a_format_whose_library_is_missing_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    data = pdf(["one"])
    reply = parse(Job("pdf", "a.pdf", len(data), DocumentLimits()), data)
    assert isinstance(reply, Missing)
    assert "inforce[documents]" in str(MissingExtraError(reply.feature, reply.extra))
