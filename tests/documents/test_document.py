"""A place in a document's text leads to its block, page, line and headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.documents.document import Block, Document, Location
from inforce.documents.plain import read_markdown, read_text

LEASE = (
    "# Lease\n\nBetween A and B.\n\n## Rent\n\n900 a month.\n\n"
    "### Late\n\n5 %.\n\n## Term\n\nA year.\n"
)
TEXTS = st.text(alphabet="甲乙a #\n-。第一章>`|", max_size=300)


def test_sections_are_named_by_the_headings_above_them_without_the_title() -> None:
    document = read_markdown(LEASE.encode(), name="a.md")
    sections = [(one.heading, LEASE[one.start : one.end].strip()) for one in document.sections]
    assert sections == [
        ("", "# Lease\n\nBetween A and B."),
        ("Rent", "## Rent\n\n900 a month."),
        ("Rent / Late", "### Late\n\n5 %."),
        ("Term", "## Term\n\nA year."),
    ]


def test_what_comes_after_the_body_is_under_no_heading() -> None:
    blocks = (Block("heading", 0, 2, 2), Block("paragraph", 3, 5), Block("footnote", 6, 8))
    document = Document("a.docx", "docx", "", "租金 九百 注释", blocks)
    assert [one.heading for one in document.sections] == ["租金", ""]


def test_a_finding_across_blocks_is_located_in_each() -> None:
    blocks = (Block("paragraph", 0, 3), Block("table_cell", 4, 6), Block("table_cell", 9, 11))
    document = Document("a.pdf", "pdf", "", "一二三\n四五 | 六七", blocks, pages=(0, 4))
    assert document.locate(2, 10) == (
        Location(0, 2, 3, 1, None, None),
        Location(1, 0, 2, 2, None, None),
        Location(2, 0, 1, 2, None, None),
    )
    assert document.locate(3, 4) == ()
    with pytest.raises(ValueError, match="characters 3 to 12 of 11"):
        document.locate(3, 12)


@pytest.mark.parametrize(("position", "line"), [(0, 1), (7, 1), (8, 2), (9, 3), (len(LEASE), 16)])
def test_a_place_in_a_text_file_has_a_line(position: int, line: int) -> None:
    assert read_markdown(LEASE.encode(), name="a.md").line(position) == line


@given(TEXTS, st.sampled_from([read_markdown, read_text]), st.data())
def test_blocks_are_in_order_and_every_finding_in_them_is_found_again(
    text: str, read: type[Document], data: st.DataObject
) -> None:
    document = read(text.encode(), name="a")  # pyright: ignore
    assert document.text == text
    edges = [edge for block in document.blocks for edge in (block.start, block.end)]
    assert edges == sorted(edges)
    for number, block in enumerate(document.blocks):
        assert text[block.start : block.end].strip()
        start = data.draw(st.integers(block.start, block.end - 1))
        end = data.draw(st.integers(start + 1, block.end))
        (found,) = document.locate(start, end)
        assert (found.block, found.start, found.end) == (
            number,
            start - block.start,
            end - block.start,
        )


@given(TEXTS, st.sampled_from([read_markdown, read_text]))
def test_sections_leave_out_nothing_but_headings_that_lead_on(
    text: str, read: type[Document]
) -> None:
    document = read(text.encode(), name="a")  # pyright: ignore
    ordered = [edge for part in document.sections for edge in (part.start, part.end)]
    assert ordered == sorted(ordered)
    inside = {place for part in document.sections for place in range(part.start, part.end)}
    for block in document.blocks:
        if block.kind != "heading":
            assert inside.issuperset(range(block.start, block.end))
