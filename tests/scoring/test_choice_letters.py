"""Reading the letter of an answer: three steps, the first that finds one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.scoring.answers import PARSE_ERROR, choice_letter


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("ANSWER: B", "B"),
        ("answer: c", "C"),
        ("Answer:D", "D"),
        ("It is A or B.\nANSWER:\n  C [1]", "C"),
        ("B. No, ANSWER: A", "A"),
        ("ANSWER: Applies to all", "A"),
        ("ANSWER: A\nANSWER: B", "A"),
        ("**ANSWER: B**", "B"),
        ("B. It was revoked", "B"),
        ("  b) revoked", "B"),
        ("c it expired", "C"),
        ("D\nbecause", "D"),
        ("a rule applies, so D", "A"),
        ("I choose (C).", "C"),
        ("The right one is D", "D"),
        ("B", "B"),
        ("B, not A", "B"),
        ("ANSWER: **C**", "C"),
        ("Revoked. A court said C", "A"),
    ],
    ids=lambda value: value if len(value) == 1 else None,
)
def test_the_first_step_that_finds_a_letter_decides(text: str, letter: str) -> None:
    assert choice_letter(text) == letter


@pytest.mark.parametrize(
    "text",
    ["", "   ", "b", "it was revoked", "ANSWER: E", "E. none", "ABCD", "the answer is b"],
)
def test_what_names_no_letter_is_a_parse_error(text: str) -> None:
    assert choice_letter(text) == PARSE_ERROR


@given(st.text(), st.sampled_from("ABCDabcd"))
def test_a_letter_said_outright_first_is_always_read(rest: str, letter: str) -> None:
    assert choice_letter(f"answer: {letter} {rest}") == letter.upper()


@given(st.text())
def test_there_is_always_a_letter_or_a_parse_error(text: str) -> None:
    assert choice_letter(text) in {*"ABCD", PARSE_ERROR}
