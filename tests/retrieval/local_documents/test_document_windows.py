"""Windows cover every character of every section, overlap as asked, and stay within a section."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.documents.plain import read_markdown, read_text
from inforce.errors import UserError
from inforce.retrieval.local_documents import Windowing
from inforce.retrieval.local_documents.index import passages

TEXTS = st.text(alphabet="甲乙a #\n-。第一章", max_size=300)
WINDOWINGS = st.tuples(st.integers(1, 60), st.integers(1, 60)).filter(lambda one: one[1] <= one[0])


def test_the_default_is_the_papers_500_characters_every_100() -> None:
    document = read_text(("字" * 800).encode(), name="t")
    spans = [(window.start, window.end) for window in passages(document, "t", Windowing())]
    assert spans == [(0, 500), (100, 600), (200, 700), (300, 800)]


def test_a_section_that_fits_is_one_window_under_its_heading() -> None:
    text = "# Lease\n\n## Rent\n\n900 a month.\n\n### Late\n\n5 %.\n\n## Term\n\nOne year.\n"
    document = read_markdown(text.encode(), name="t")
    shown = [
        (one.section, text[one.start : one.end]) for one in passages(document, "t", Windowing())
    ]
    assert shown == [
        ("Rent", "## Rent\n\n900 a month."),
        ("Rent / Late", "### Late\n\n5 %."),
        ("Term", "## Term\n\nOne year."),
    ]


@given(TEXTS, WINDOWINGS, st.sampled_from(["a.md", "a.txt"]))
def test_every_character_of_a_section_is_in_a_window(
    text: str, cut: tuple[int, int], name: str
) -> None:
    read = read_markdown if name == "a.md" else read_text
    document = read(text.encode(), name=name)
    found = list(passages(document, name, Windowing(*cut)))
    covered = {place for one in found for place in range(one.start, one.end)}
    wanted = {
        place
        for part in document.sections
        for place in range(part.start, part.end)
        if text[place].strip()
    }
    assert wanted <= covered
    assert all(0 < one.end - one.start <= cut[0] for one in found)
    assert len({(one.start, one.end) for one in found}) == len(found)


@pytest.mark.parametrize(("size", "stride"), [(500, 0), (500, -1), (100, 101), (0, 0)])
def test_windows_that_would_leave_text_out_are_refused(size: int, stride: int) -> None:
    with pytest.raises(UserError, match="stride"):
        Windowing(size, stride)
