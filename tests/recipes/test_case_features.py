"""What a case states, as numbers: read by rule, the same names for every case."""

from __future__ import annotations

from math import log10
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_models.case_features import features, rows


@pytest.mark.parametrize(
    ("fact", "name", "value"),
    [
        ("窃得手机，价值900元、99元。", "largest sum", log10(901)),
        ("窃得手机，价值900元、99元。", "all sums", log10(1000)),
        ("窃得手机，价值900元，共计999元。", "sum that counts", log10(1000)),
        ("窃得手机一部。", "sum that counts", -1.0),
        ("贩卖海洛因0.29克", "stimulants", log10(30)),
        ("贩卖氯胺酮0.29克", "other drugs", log10(30)),
        ("查获疑似毒品1.5千克", "most grams", log10(150_001)),
        ("乙醇含量为112.6毫克／100毫升", "alcohol", 112.6),
        ("建议判处被告人甲十个月至一年", "proposed at least", 10.0),
        ("建议判处被告人甲十个月至一年", "proposed at most", 12.0),
        ("建议判处××至一年六个月，并处罚金", "proposed at most", 18.0),
        ("潜逃一年后归案。建议从轻处罚。", "proposed at most", 0.0),
        ("建议对2014年5月1日的行为从重处罚", "proposed at most", 0.0),
        ("2014年1月1日殴打，2015年1月2日投案", "between", 1.0),
        ("2014年1月1日，致乙（2004年1月1日出生）受伤", "youngest", 10.0),
        ("2014年1月1日，致乙（2004年1月1日出生）受伤", "days", 1.0),
        ("猥亵乙（女，9岁）", "youngest", 9.0),
        ("曾因盗窃被判处有期徒刑一年", "convicted before", 1.0),
        ("先后三次贩卖", "most times", log10(4)),
        ("致乙轻伤二级", "轻伤二级", 1.0),
        ("系累犯，如实供述", "shares multiplied", 1.25 * 0.9),
        ("天气晴朗", "circumstances", 0.0),
    ],
)
def test_what_a_case_states_is_a_number(fact: str, name: str, value: float) -> None:
    assert features(fact)[name] == pytest.approx(value)


@given(
    st.text(
        st.sampled_from("一百两0123.,万余元克岁年月日次人犯因判处建议出生2015自首 "), max_size=60
    )
)
def test_every_case_has_the_same_names_and_finite_numbers(fact: str) -> None:
    assert list(features(fact)) == list(features(""))
    assert all(abs(one) < 1e12 for one in rows([fact])[0])


@pytest.mark.parametrize("text", ["1", "一", "建议", "因", "犯", "2015年", "一年", "1克"])
def test_a_case_of_one_repeated_word_is_read_in_linear_time(text: str) -> None:
    start = process_time()
    features(text * 20_000)
    assert process_time() - start < 2
