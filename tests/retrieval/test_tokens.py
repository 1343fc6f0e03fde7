"""Index terms of legal Chinese and English."""

from __future__ import annotations

import unicodedata

import pytest
import rjieba
from hypothesis import given
from hypothesis import strategies as st

from inforce.retrieval.tokens import is_term, tokenize


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ＡＢＣ公司", "abc公司"),
        ("２０１０年", "2010年"),
        ("（盗窃）", "(盗窃)"),
        ("ＷＴＯ", "wto"),
    ],
)
def test_full_width_and_half_width_writing_meet(left: str, right: str) -> None:
    assert tokenize(left) == tokenize(right)


@pytest.mark.parametrize(
    ("compound", "parts"),
    [
        ("故意杀人罪", {"故意杀人罪", "故意", "杀人"}),
        ("人身权利", {"人身权利", "人身", "权利"}),
        ("首要分子", {"首要分子", "首要", "分子"}),
    ],
)
def test_a_compound_gives_itself_and_its_parts(compound: str, parts: set[str]) -> None:
    assert parts <= set(tokenize(compound))


@pytest.mark.parametrize("text", ["", "，。；：“”《》（）", "  \n\t", "?!,.()", "——……"])
def test_punctuation_is_no_term(text: str) -> None:
    assert tokenize(text) == []


def test_function_words_are_left_out() -> None:
    assert tokenize("的和以及关于") == []
    assert tokenize("what is the law of theft") == ["law", "theft"]


def test_english_is_folded_to_lower_case() -> None:
    assert tokenize("Criminal LAW") == tokenize("criminal law") == ["criminal", "law"]


@given(st.text(max_size=60))
def test_every_token_is_a_term_and_folding_twice_changes_nothing(text: str) -> None:
    tokens = tokenize(text)
    assert all(is_term(token) for token in tokens)
    assert tokens == tokenize(text)


USUAL = "甲盗窃公私财物，。；：（）《》“”？！×·【】○□…．％＋－ＡＢｚ１２～abcXYZ09.%-+#&_ \n"


@given(st.text(alphabet=USUAL, max_size=60))
def test_usual_texts_give_the_tokens_of_fully_folded_ones(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text).casefold()
    assert tokenize(text) == [word for word in rjieba.cut_for_search(folded) if is_term(word)]
