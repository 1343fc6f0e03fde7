"""A PDF is read page by page; a scan, a locked file and a damaged one are told apart."""

from __future__ import annotations

import pytest

from document_files import assembled_pdf, pdf
from inforce.documents.document import Document, UnreadableDocumentError
from inforce.documents.limits import DocumentLimits
from inforce.documents.pdf import read_pdf


def read(data: bytes, **limits: float) -> Document:
    return read_pdf(data, name="a.pdf", limits=DocumentLimits(**limits))  # pyright: ignore


def test_a_finding_names_its_page() -> None:
    document = read(
        pdf(["Lease", "Chapter 1", "The rent is 900."], ["Chapter 2", "The deposit is 1800."])
    )
    place = document.text.index("deposit")
    assert (document.title, document.page(0), document.page(place)) == ("Lease", 1, 2)
    assert document.locate(place, place + 7)[0].page == 2
    assert [one.heading for one in document.sections] == ["", "Chapter 1", "Chapter 2"]


def test_pages_without_text_are_named() -> None:
    document = read(pdf(["one"], [], ["three"]))
    assert (document.text, document.pages_without_text) == ("one\n\n\n\nthree", (2,))
    assert document.page(document.text.index("three")) == 3


def test_pages_beyond_the_limit_are_left_out_and_that_is_said() -> None:
    document = read(pdf(["one"], ["two"]), pages=1)
    assert (document.text, document.omitted) == ("one", "only the first 1 of 2 pages were read")


def test_how_far_the_reader_is_is_reported() -> None:
    seen: list[tuple[int, int]] = []
    read_pdf(
        pdf(["one"], ["two"]),
        name="a.pdf",
        limits=DocumentLimits(),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Agreement", "Agreement"),
        ("Microsoft Word - x.doc", "one"),
        ("", "one"),
        ("x" * 300, "one"),
    ],
)
def test_a_title_that_programs_put_there_does_not_count(title: str, expected: str) -> None:
    assert read(pdf(["one"], title=title)).title == expected


def test_a_hyphen_at_the_end_of_a_line_and_a_break_stay() -> None:
    assert read(pdf(["inter-", "national"])).text == "inter-\nnational"


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"%PDF-1.4\nnothing", "damaged"),
        (b"", "damaged"),
        (pdf(["secret"], encrypted=True), "encrypted"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(data: bytes, cause: str) -> None:
    with pytest.raises(UnreadableDocumentError) as caught:
        read(data)
    assert caught.value.cause == cause


def alone_in_its_line() -> bytes:
    """A page in a font the file does not carry, with a character alone in its line."""
    import zlib

    lines = ["甲乙丙", "班", "下一行"]
    drawn = " ".join(f"<{line.encode('utf-16-be').hex()}> Tj 0 -14 Td" for line in lines)
    content = zlib.compress(f"BT /F1 11 Tf 72 770 Td {drawn} ET".encode())
    font = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H "
        b"/DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 0 >> /DW 1000 >>] >>"
    )
    return assembled_pdf([content], font=font)


def test_a_character_alone_in_its_line_is_not_lost() -> None:
    assert read(alone_in_its_line()).text == "甲乙丙\n班\n下一行"


@pytest.mark.parametrize(("page_seconds", "pages"), [(0.0, 8), (1.0, 30)])
def test_a_long_pdf_has_time_for_each_of_its_pages_where_somebody_waits_for_it(
    monkeypatch: pytest.MonkeyPatch, page_seconds: float, pages: int
) -> None:
    clock = iter(range(1_000))  # reading a page takes a second
    monkeypatch.setattr("inforce.documents.pdf.time.monotonic", lambda: float(next(clock)))
    document = read(pdf(*(["one"],) * 30), seconds=10.0, page_seconds=page_seconds)
    assert len(document.pages) == pages
