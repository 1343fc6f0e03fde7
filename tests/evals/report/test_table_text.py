"""Tables as text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.evals.table import (
    Cell,
    Row,
    Table,
    Unit,
    cell_text,
    markdown_text,
    to_console,
    to_markdown,
)
from inforce.scoring.estimate import Estimate

SURE = Estimate(0.57619, 0.5, 0.65, 150)


@pytest.mark.parametrize(
    ("cell", "unit", "text"),
    [
        (None, "share", "–"),
        ("Moderate", "percent", "Moderate"),
        (0.57619, "share", "0.5762"),
        (0.57619, "percent", "57.62"),
        (1, "share", "1.0000"),
        (1, "percent", "100.00"),
        (502, "number", "502"),
        (1.69, "number", "1.69"),
        (12345, "number", "12,345"),
        (12345.6, "number", "12,346"),
        (0.0, "number", "0"),
        (SURE, "share", "0.5762 [0.5000, 0.6500]"),
        (SURE, "percent", "57.62 [50.00, 65.00]"),
        (SURE, "number", "0.5762 [0.5000, 0.6500]"),
        (Estimate(13.4, 9.25, 20.0, 3), "number", "13.40 [9.25, 20.00]"),
        (Estimate(0.5, None, None, 1), "share", "0.5000"),
    ],
)
def test_a_cell_prints_as_its_unit_says(cell: Cell, unit: Unit, text: str) -> None:
    assert cell_text(cell, unit) == text


def test_an_estimate_prints_as_much_as_is_asked() -> None:
    assert cell_text(SURE, "percent", detail="value") == "57.62"
    assert cell_text(SURE, "percent", detail="full") == "57.62 [50.00, 65.00] n=150"


TABLE = Table(
    "Table 3",
    ("ALL", "word"),
    (Row("GPT", (0.79, "a|b"), "published"), Row("法律 r1", (SURE, None))),
    "percent",
    "From the paper.",
)


def test_among_published_rows_ours_are_bold() -> None:
    assert to_markdown(TABLE) == (
        "**Table 3**\n\n|  | ALL | word |\n| --- | ---: | ---: |\n"
        "| GPT | 79.00 | a\\|b |\n"
        "| **法律 r1** | **57.62 \\[50.00, 65.00\\]** | **–** |\n\nFrom the paper.\n"
    )


def test_without_published_rows_nothing_stands_out() -> None:
    table = Table("", ("n",), (Row("r1", (1,)),), "number")
    assert to_markdown(table) == "|  | n |\n| --- | ---: |\n| r1 | 1 |\n"


def test_a_terminal_shows_columns_aligned_by_what_characters_take() -> None:
    assert to_console(TABLE).split("\n") == [
        "Table 3",
        "             ALL  word",
        "  GPT      79.00   a|b",
        "* 法律 r1  57.62     –",
        "From the paper.",
        "",
    ]


@given(st.lists(st.text(), min_size=1, max_size=4), st.text())
def test_no_text_breaks_out_of_its_cell(names: list[str], word: str) -> None:
    table = Table(word, (word,), tuple(Row(name, (word,)) for name in names))
    lines = to_markdown(table).split("\n")
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == len(names) + 2
    for line in rows:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3


@given(st.text())
def test_markdown_sees_no_tag_and_no_link_in_a_text(text: str) -> None:
    said = markdown_text(text)
    bare = re.sub(r"\\.", "", said)
    assert not set(bare) & set("<>[]`*_|\n")
