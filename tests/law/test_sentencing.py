"""Circumstances move a sentence as the Supreme People's Court's guideline says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.law.penalties.sentencing import SentencingFactor, adjusted, find_factors


@pytest.mark.parametrize(
    ("facts", "names"),
    [
        ("被告人系累犯。", ["累犯"]),
        ("案发后主动到公安机关投案，如实供述。", ["自首"]),
        ("赔偿被害人经济损失并取得谅解。", ["赔偿并取得谅解"]),
        ("被告人甲系从犯，到案后如实供述，认罪认罚。", ["从犯", "坦白", "认罪认罚"]),
        ("公诉机关认为构成自首，本院认为不构成自首。", ["自首"]),
        ("辩护人称自首，但其被当场抓获，不属于自首。", ["自首"]),
        ("其行为不构成累犯。", []),
        ("赃款已全部追回。", ["退赃退赔"]),
        ("赃款未能追回。", []),
        ("未取得被害人谅解，也没有赔偿被害人损失。", []),
        ("归案后不如实供述，未退赃，无自首情节。", []),
        ("案发后自动至派出所投案。", ["自首"]),
        ("其行为不能认定为自首，亦不属坦白；被害人不予谅解。", []),
        ("归案后不能如实供述。", []),
        ("被害人甲系未成年人。", []),
        ("被告人甲系未成年人。", ["未成年人犯罪"]),
        ("被告人甲犯罪时已满七十五周岁。", ["已满七十五周岁"]),
        ("被害人乙系残疾人。", ["对象为弱势人员"]),
        ("被告人甲系残疾人。", []),
        ("未成年被告人主动到公安机关投案。", ["未成年人犯罪", "自首"]),
        ("天气晴朗。", []),
    ],
)
def test_circumstances_are_read_as_judgments_state_them(facts: str, names: list[str]) -> None:
    assert [one.name for one in find_factors(facts)] == names


def test_a_circumstance_is_not_counted_twice() -> None:
    names = {one.name for one in find_factors("自首，如实供述，自愿认罪，当庭认罪。")}
    assert names == {"自首"}


def test_part_in_the_crime_is_multiplied_before_the_rest_is_added() -> None:
    accessory = SentencingFactor("从犯", -0.5, (-0.5, -0.2), first=True)
    recidivist = SentencingFactor("累犯", 0.3, (0.1, 0.4))
    confession = SentencingFactor("坦白", -0.1, (-0.2, 0.0))
    assert adjusted(100, [recidivist, accessory, confession]) == round(100 * 0.5 * 1.2)


@given(st.floats(0, 180), st.permutations(find_factors("从犯，累犯，坦白，退赃，未遂")))
def test_the_order_of_circumstances_does_not_matter(
    baseline: float, factors: list[SentencingFactor]
) -> None:
    assert adjusted(baseline, factors) == adjusted(baseline, sorted(factors, key=lambda f: f.name))
    assert adjusted(baseline, factors) >= 0


def test_every_share_lies_within_what_the_guideline_allows() -> None:
    everything = "".join(
        ("被告人系未成年人，又聋又哑，限制责任能力，防卫过当，预备犯，未遂，犯罪中止，被胁迫参加，累犯，",
         "自首，立功，认罪认罚，退赃，达成和解，被害人系残疾人")
    )  # fmt: skip
    factors = find_factors(everything)
    assert len(factors) >= 12
    assert all(one.bounds[0] <= one.share <= one.bounds[1] for one in factors)
