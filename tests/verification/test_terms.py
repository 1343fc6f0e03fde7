"""Terms of statutes: which exchanges make another rule, and where a summary begins."""

from __future__ import annotations

import pytest

from inforce.verification.terms import shared_words, tokens

THEFT = (
    "盗窃公私财物数额较大的或者多次盗窃的处三年以下有期徒刑拘役或者管制并处或者单处罚金"
    "数额巨大或者有其他严重情节的处三年以上十年以下有期徒刑并处罚金"
)
FRAUD = (
    "诈骗公私财物数额较大的处三年以下有期徒刑拘役或者管制并处或者单处罚金"
    "数额巨大或者有其他严重情节的处三年以上十年以下有期徒刑并处罚金"
)


def test_terms_and_numbers_with_their_units_are_compared_whole() -> None:
    assert tokens("人民检察院应当在十五个工作日内") == [
        "人民检察院",
        "应当",
        "在",
        "十五个工作日",
        "内",
    ]


@pytest.mark.parametrize(
    ("said", "exchanged"),
    [
        (THEFT, ()),
        (THEFT.replace("处三年以下", "处五年以下"), (("三年", "五年"),)),
        (THEFT.replace("处三年以下", "处3年以下"), ()),
        (THEFT.replace("拘役或者管制", "拘役和管制"), (("或者", "和"),)),
        ("本院认为" + THEFT.replace("拘役或者", "罚款或者"), (("拘役", "罚款"),)),
        (
            THEFT.replace("多次盗窃的处三年", "多次盗窃的处3年").replace("拘役", "罚款"),
            (("拘役", "罚款"),),
        ),
        ("诈骗公私财物数额巨大的处三年以上十年以下有期徒刑并处罚金", ()),
        ("盗窃数额较大的公私财物的处三年以下有期徒刑", ()),
    ],
)
def test_only_a_term_for_its_counterpart_is_an_exchange(
    said: str, exchanged: tuple[tuple[str, str], ...]
) -> None:
    wording = FRAUD if "诈骗" in said else THEFT
    assert shared_words(said, wording).exchanged == exchanged


def test_a_term_at_the_end_counts_where_the_sentence_stops_there() -> None:
    wording = "继承人应当妥善保管遗产任何人不得侵吞或者争抢"
    said = "继承人应当妥善保管遗产任何人不得侵吞并且争抢"
    assert shared_words(said, wording).exchanged == (("或者", "并且"),)
    assert shared_words(f"{said}故应支持", wording).exchanged == ()
    stops = frozenset({len(said)})
    assert shared_words(f"{said}故应支持", wording, stops).exchanged == (("或者", "并且"),)


@pytest.mark.parametrize("said", ["", "甲", "完全不同的一句话"])
def test_what_has_nothing_in_common_shares_nothing(said: str) -> None:
    assert shared_words(said, THEFT).equal <= 1
