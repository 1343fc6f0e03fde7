"""Files become text under their headings; a file that cannot is told apart, and harms no other."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from document_files import assembled_pdf, pdf, word

from inforce.errors import InputError, MissingExtraError
from inforce.retrieval.local_documents import Limits
from inforce.retrieval.local_documents.reading import DocumentReader
from inforce.retrieval.local_documents.texts import DocumentText
from inforce.retrieval.local_documents.worker import Job, parse

CLAUSE = "出租人应当按照约定将租赁物交付承租人，并在租赁期限内保持租赁物符合约定的用途。"


@pytest.fixture(scope="module")
def reader() -> Iterator[DocumentReader]:
    with DocumentReader(Limits()) as opened:
        yield opened


def headings(document: DocumentText) -> list[str]:
    return [section.heading for section in document.sections]


def test_markdown_keeps_its_characters_and_names_its_headings(reader: DocumentReader) -> None:
    lines = [
        "# 租赁合同",
        "",
        "引言。",
        "",
        "## 租金",
        "",
        "九百元。",
        "",
        "```",
        "# none",
        "```",
        "",
    ]
    text = "\r\n".join(lines)
    document = reader.read(text.encode(), name="a.md")
    assert (document.title, document.text) == ("租赁合同", text)
    assert headings(document) == ["", "租金"]
    assert text[document.sections[1].start :].startswith("## 租金")


def test_front_matter_names_the_title_and_is_no_heading(reader: DocumentReader) -> None:
    document = reader.read(b"---\ntitle: 'Lease'\n---\n\n## Rent\n\n900.\n", name="a.md")
    assert document.title == "Lease"
    assert headings(document) == ["", "Rent"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "big5", "utf-16"])
def test_text_is_read_in_the_encodings_chinese_files_come_in(
    reader: DocumentReader, encoding: str
) -> None:
    text = "房屋租賃契約\n第一章 租金\n出租人應當按照約定將租賃物交付承租人，每月租金九百元。\n"
    document = reader.read(text.encode(encoding), name="a.txt")
    assert document.text == text
    assert headings(document) == ["", "第一章 租金"]


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02\x03" * 50, bytes(range(256)) * 4], ids=["nul", "all"]
)
def test_bytes_that_are_no_text_are_refused(reader: DocumentReader, data: bytes) -> None:
    with pytest.raises(InputError, match="not a text file"):
        reader.read(data, name="a.txt")


def test_a_saved_page_gives_its_main_part_with_headings(reader: DocumentReader) -> None:
    body = "".join(f"<h2>第{n}条</h2><p>{CLAUSE * 3}</p>" for n in "一二三")
    page = (
        "<html><head><title>网站 - 合同</title><meta charset=gb2312></head><body>"
        f"<nav><a href=/>首页</a></nav><article><h1>租赁合同</h1>{body}</article>"
        "<script>stolen()</script></body></html>"
    )
    document = reader.read(page.encode("gb18030"), name="a.html")
    assert document.title == "租赁合同"
    assert {"第一条", "第二条", "第三条"} <= set(headings(document))
    assert document.text.count(CLAUSE) == 9
    assert "stolen" not in document.text


def test_a_page_without_a_main_part_is_read_whole(reader: DocumentReader) -> None:
    document = reader.read(b"<p>first words<div><b>second words", name="a.htm")
    assert "first words" in document.text
    assert "second words" in document.text


def test_a_pdf_knows_its_pages(reader: DocumentReader) -> None:
    data = pdf(["Lease", "Chapter 1", "The rent is 900."], ["Chapter 2", "The deposit is 1800."])
    document = reader.read(data, name="a.pdf")
    place = document.text.index("deposit")
    assert (document.title, document.page(0), document.page(place)) == ("Lease", 1, 2)
    assert headings(document)[-1] == "Chapter 2"


def test_a_word_file_is_read_with_headings_and_tables(
    reader: DocumentReader, tmp_path: Path
) -> None:
    word(tmp_path / "a.docx")
    document = reader.read((tmp_path / "a.docx").read_bytes(), name="a.docx")
    assert document.title == "房屋租赁合同"
    assert headings(document) == ["租金", "附件"]
    assert "钥匙 | 三把" in document.text


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * 40_000_000)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.pdf", b"%PDF-1.4\nnothing", "damaged PDF"),
        ("a.pdf", b"", "damaged PDF"),
        ("a.pdf", pdf(["secret"], encrypted=True), "encrypted"),
        ("a.pdf", pdf([]), "no text in it"),
        ("a.docx", b"PK\x03\x04 nothing", "damaged Word file"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + bytes(512), "encrypted, or in Word's old format"),
        ("a.docx", bomb(), "zip bomb"),
        ("a.html", b"<html><body></body></html>", "no text in it"),
        ("a.md", b" \n", "no text in it"),
    ],
    ids=["pdf", "empty", "locked", "scan", "docx", "doc", "bomb", "page", "blank"],
)
def test_a_file_that_cannot_be_read_says_why(
    reader: DocumentReader, name: str, data: bytes, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        reader.read(data, name=name)


def test_pages_and_characters_beyond_the_limits_are_told() -> None:
    with DocumentReader(Limits(pages=1, characters=40)) as reader:
        some = reader.read(pdf(["one"], ["two"]), name="a.pdf")
        text = reader.read(("甲" * 100).encode(), name="a.txt")
    assert (some.text, some.shortened) == ("one", "only the first 1 of 2 pages were read")
    assert (len(text.text), text.sections[-1].end) == (40, 40)
    assert text.shortened == "only the first 40 of 100 characters were read"


def test_a_file_that_takes_too_long_is_given_up_and_the_next_one_is_read() -> None:
    with DocumentReader(Limits(seconds=0.001)) as reader:
        with pytest.raises(InputError, match="took longer than"):
            reader.read(pdf(["one"]), name="a.pdf")
        assert reader.read("甲".encode(), name="a.txt").text == "甲"


def test_a_file_that_needs_too_much_memory_harms_no_other() -> None:
    packer = zlib.compressobj(1)
    flood = b"".join(packer.compress(bytes(2**24)) for _ in range(20)) + packer.flush()
    with DocumentReader(Limits(memory=300 * 2**20)) as reader:
        with pytest.raises(InputError, match="memory"):
            reader.read(assembled_pdf([flood]), name="a.pdf")
        assert "one" in reader.read(pdf(["one"]), name="b.pdf").text


def test_a_format_whose_library_is_missing_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pdfplumber", None)
    data = pdf(["one"])
    done = parse(Job("pdf", "a.pdf", len(data), Limits()), data)
    assert done.missing is not None
    assert "inforce[web]" in str(MissingExtraError(*done.missing))
