"""Terms of statutes: which exchanges make another rule, and where a summary begins."""

from __future__ import annotations

import pytest

from inforce.verification.substitutions import align, tokens

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
    ("said", "substitutions"),
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
    said: str, substitutions: tuple[tuple[str, str], ...]
) -> None:
    wording = FRAUD if "诈骗" in said else THEFT
    assert align(said, wording).substitutions == substitutions


FINE = "责令改正没收违法所得并处五千元以上五万元以下罚款情节严重的处五万元以上二十万元以下罚款"


@pytest.mark.parametrize(
    ("said", "substitutions"),
    [
        ("责令改正没收违法所得并处5000元以上5万元以下罚款", ()),
        ("责令改正没收违法所得并处五千元以上50000元以下罚款", ()),
        ("责令改正没收违法所得并处5000元以上6万元以下罚款", (("五万元", "6万元"),)),
        ("责令改正没收违法所得并处5000元以上5万元以上罚款", (("以下", "以上"),)),
    ],
)
def test_amounts_are_compared_by_their_value_and_have_one_bound_each_way(
    said: str, substitutions: tuple[tuple[str, str], ...]
) -> None:
    assert align(said, FINE).substitutions == substitutions


BENEFIT = (
    "支付一次性伤残补助金标准为七级伤残为十三个月的本人工资八级伤残为十一个月的本人工资"
    "九级伤残为九个月的本人工资十级伤残为七个月的本人工资"
)


@pytest.mark.parametrize(
    ("level", "months", "substitutions"),
    [
        ("十", "7个月", ()),
        ("九", "九个月", ()),
        ("十", "8个月", (("七", "十"), ("十三个月", "8个月"))),
    ],
)
def test_one_tier_of_a_list_is_its_own_words(
    level: str, months: str, substitutions: tuple[tuple[str, str], ...]
) -> None:
    said = f"支付一次性伤残补助金标准为{level}级伤残为{months}的本人工资"
    assert align(said, BENEFIT).substitutions == substitutions


def test_a_term_at_the_end_counts_where_the_sentence_stops_there() -> None:
    wording = "继承人应当妥善保管遗产任何人不得侵吞或者争抢"
    said = "继承人应当妥善保管遗产任何人不得侵吞并且争抢"
    assert align(said, wording).substitutions == (("或者", "并且"),)
    assert align(f"{said}故应支持", wording).substitutions == ()
    stops = frozenset({len(said)})
    assert align(f"{said}故应支持", wording, stops).substitutions == (("或者", "并且"),)


@pytest.mark.parametrize("said", ["", "甲", "完全不同的一句话"])
def test_what_has_nothing_in_common_shares_nothing(said: str) -> None:
    assert align(said, THEFT).equal <= 1
