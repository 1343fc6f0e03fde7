"""What an answer rests on is found word by word, number by number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.runtime.support import sentences, support_of, supported
from inforce.tools.evidence import Evidence

LAW = Evidence("law", "statute", "刑法第七十四条", "对于累犯，不适用缓刑。", date="1997-10-01")
THIRTY = Evidence("a", "web", "Order", "The agency must issue guidance within 30 days.")
NINETY = Evidence("b", "web", "Order", "The agency must issue guidance within 90 days.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("甲。乙！丙？", ["甲。", "乙！", "丙？"]),
        ("甲。[1] 乙。", ["甲[1]。", "乙。"]),
        ("It is so. [1][2]\nIt is not.", ["It is so[1][2].", "It is not."]),
        ("within 30 days of Jan. 5, 2025", ["within 30 days of Jan. 5, 2025"]),
        ("", []),
        ("\n\n", []),
    ],
)
def test_a_mark_belongs_to_the_sentence_before_it(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("累犯不适用缓刑。", ("law",)),
        ("根据刑法第七十四条，累犯不适用缓刑。", ("law",)),
        ("根据刑法第七十五条，累犯不适用缓刑。", ()),
        ("Guidance must be issued by the agency within 30 days.", ("a",)),
        ("Guidance must be issued by the agency within 60 days.", ()),
        ("月亮是绿色的。", ()),
        ("。", ()),
    ],
)
def test_a_sentence_needs_its_words_and_every_number_in_one_text(
    sentence: str, expected: tuple[str, ...]
) -> None:
    assert support_of(sentence, (LAW, THIRTY, NINETY)) == expected


def test_a_source_that_is_cited_counts_only_if_it_bears_the_sentence() -> None:
    text = "The agency must issue guidance within 30 days [1]."
    (right,) = supported(text, (THIRTY, NINETY), numbered=("a", "b"))
    (wrong,) = supported(text, (NINETY,), numbered=("b",))
    assert (right.text, right.support) == (
        "The agency must issue guidance within 30 days.",
        ("a",),
    )
    assert wrong.support == ()


def test_of_several_that_bear_it_the_cited_one_comes_first() -> None:
    again = Evidence("c", "web", "Order", THIRTY.text)
    text = "The agency must issue guidance within 30 days [2]."
    (one,) = supported(text, (THIRTY, again), numbered=("a", "c"))
    assert one.support == ("c", "a")


@pytest.mark.parametrize("mark", ["[0]", "[9]", "[99999999999]"])
def test_a_mark_that_names_no_source_is_no_support(mark: str) -> None:
    (one,) = supported(f"月亮是绿色的{mark}。", (LAW,), numbered=("law",))
    assert one.support == ()


@given(st.text(alphabet="甲乙1. 。[]2\n,", max_size=60))
def test_no_word_of_an_answer_is_lost_between_its_sentences(text: str) -> None:
    kept = "".join("".join(sentences(text)).split())
    assert sorted(kept) == sorted("".join(text.split()))


def test_a_text_that_merely_uses_most_of_the_words_is_not_named_beside_one_that_has_them_all() -> (
    None
):
    other = Evidence("other", "statute", "刑法第七十二条", "对于被判处拘役的，不适用缓刑。")
    assert support_of("对于累犯，不适用缓刑。", (other, LAW)) == ("law",)
    assert support_of("对于累犯，不适用缓刑。", (other,)) == ("other",)
