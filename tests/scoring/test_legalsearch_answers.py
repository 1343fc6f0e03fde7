"""What counts as the answer, and when two lists of charges are the same."""

from __future__ import annotations

import pytest

from inforce.scoring.answers import charges, same_charges, tagged_answer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<answer>AC</answer>", "AC"),
        ("<think>B</think>\n<answer>\n AC \n</answer> D", "AC"),
        ("<ANSWER>AC</Answer>", "AC"),
        ("<answer>A</answer><answer>B</answer>", "A"),  # the first
        ("<answer>第一行\n第二行</answer>", "第一行\n第二行"),
        ("<answer></answer>", ""),
        ("  AC\n", "AC"),  # without the tag, everything
        ("<answer>AC", "<answer>AC"),  # not closed: no tag
        ("<think>无</think> AC", "<think>无</think> AC"),
        ("", ""),
    ],
)
def test_the_answer_is_the_first_tag_or_the_whole_text(text: str, expected: str) -> None:
    assert tagged_answer(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("<answer> A </answer>", "A"), ("A", ""), ("<answer>A", ""), ("", "")],
)
def test_in_training_nothing_without_the_tag_is_an_answer(text: str, expected: str) -> None:
    assert tagged_answer(text, without_tag="none") == expected


@pytest.mark.parametrize(
    ("answer", "target", "expected"),
    [
        ("盗窃", "盗窃", True),
        ("盗窃罪", "盗窃", True),
        ("盗窃", "盗窃罪", False),  # the ending is forgiven on the answer's side only
        ("诈骗；盗窃罪", "盗窃;诈骗", True),  # any order, either semicolon
        (" 盗窃 ; 诈骗 ;", "盗窃;诈骗", True),
        ("盗窃", "盗窃;诈骗", False),
        ("盗窃;诈骗;抢劫", "盗窃;诈骗", False),
        ("盗窃;盗窃罪", "盗窃;诈骗", False),
        ("盗窃;抢劫", "盗窃;盗窃", True),  # as released: each of the target's is there, two are two
        ("盗窃、诈骗", "盗窃;诈骗", False),
        ("", "盗窃", False),
        ("；", "", True),  # both empty
    ],
)
def test_charges_are_the_same_in_any_order_and_with_or_without_their_ending(
    answer: str, target: str, expected: bool
) -> None:
    assert same_charges(answer, target) is expected


def test_charges_are_parted_by_semicolons_of_either_width() -> None:
    assert charges(" 甲;乙； ;丙") == ("甲", "乙", "丙")
