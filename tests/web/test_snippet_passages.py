"""A snippet leads to the part of the page it was taken from, and no further than the cap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.web.excerpts import CAP, WINDOW, passage_around, token_f1, tokens_of

FILLER = "本网站由某公司提供技术支持，版权所有。"
RULE = "醉酒驾驶机动车的，处拘役，并处罚金。"
TEXTS = st.text(alphabet='甲乙丙故意杀人拘役ab .。；\n！ 12("', max_size=600)


def test_the_window_lies_around_the_sentence_of_the_snippet() -> None:
    text = FILLER * 500 + RULE + FILLER * 500
    passage = passage_around(text, "...醉酒驾驶机动车的，处拘役...")
    assert passage.anchor is not None
    assert text[passage.anchor.start : passage.anchor.end] == RULE
    assert WINDOW <= len(passage.text) <= CAP
    before = passage.anchor.start - passage.start
    after = passage.end - passage.anchor.end
    assert abs(before - after) <= 2 * len(FILLER)


def test_an_english_snippet_finds_its_sentence() -> None:
    text = "Menu. Home. About us.\n" * 200 + (
        "The statute of limitations is two years under Section 11. It runs from discovery."
    )
    passage = passage_around(text, "Mar 3, 2021 — statute of limitations is two years", window=200)
    assert "The statute of limitations is two years under Section 11." in passage.text


def test_a_snippet_of_several_parts_may_match_by_one_of_them() -> None:
    text = f"{FILLER * 300}{RULE}{FILLER * 300}"
    snippet = f"一段别处的很长很长的介绍文字而且没有意义 ... {RULE}"
    anchor = passage_around(text, snippet).anchor
    assert anchor is not None
    assert text[anchor.start : anchor.end] == RULE


def test_a_snippet_without_a_word_of_the_page_gives_its_beginning() -> None:
    passage = passage_around(FILLER * 500, "habeas corpus")
    assert (passage.anchor, passage.score, passage.start) == (None, 0.0, 0)
    assert len(passage.text) == CAP


def test_a_short_page_is_given_whole() -> None:
    assert passage_around(RULE, "醉酒").text == RULE
    assert passage_around("", "醉酒").text == ""


def test_the_first_of_equal_sentences_is_the_anchor() -> None:
    anchor = passage_around((RULE + FILLER) * 3, RULE).anchor
    assert anchor is not None
    assert anchor.start == 0


@pytest.mark.parametrize(("window", "cap"), [(0, 10), (11, 10), (-1, 10)])
def test_a_window_that_cannot_be_is_refused(window: int, cap: int) -> None:
    with pytest.raises(ValueError, match="window"):
        passage_around("x", "x", window=window, cap=cap)


@given(TEXTS, TEXTS, st.integers(1, 80), st.integers(0, 60))
def test_a_passage_is_a_part_of_the_text_holds_its_anchor_and_keeps_the_cap(
    text: str, snippet: str, window: int, more: int
) -> None:
    passage = passage_around(text, snippet, window=window, cap=window + more)
    assert 0 <= passage.start <= passage.end <= len(text)
    assert passage.text == text[passage.start : passage.end]
    assert len(passage.text) <= window + more
    assert 0 <= passage.score <= 1
    if passage.anchor is not None:
        assert passage.start <= passage.anchor.start < passage.anchor.end <= passage.end
    assert passage == passage_around(text, snippet, window=window, cap=window + more)


@given(TEXTS, TEXTS)
def test_f1_is_symmetric_and_full_only_for_equal_tokens(left: str, right: str) -> None:
    one, other = tokens_of(left), tokens_of(right)
    assert token_f1(one, other) == token_f1(other, one)
    assert (token_f1(one, other) == 1) == (one == other and bool(one))
