"""Sentences are read as judgments pronounce them."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.errors import IdentifierError
from inforce.law.numerals import format_numeral
from inforce.law.penalties.prison_term import pronounced, terms


@pytest.mark.parametrize(
    ("text", "kind", "months"),
    [
        ("12个月", "imprisonment", 12),
        ("42", "imprisonment", 42),
        ("有期徒刑三年", "imprisonment", 36),
        ("判处有期徒刑三年六个月，缓刑五年", "imprisonment", 42),
        ("有期徒刑一年零二个月", "imprisonment", 14),
        ("有期徒刑两年半", "imprisonment", 30),
        ("拘役五个月，并处罚金二千元", "detention", 5),
        ("管制一年", "control", 12),
        ("无期徒刑，剥夺政治权利终身", "life", None),
        ("死刑，缓期二年执行", "death", None),
        ("免予刑事处罚", "none", None),
        ("3 years and 6 months", "imprisonment", 42),
        ("18 months", "imprisonment", 18),
    ],
)
def test_a_pronounced_sentence_is_read(text: str, kind: str, months: int | None) -> None:
    assert (pronounced(text).kind, pronounced(text).months) == (kind, months)


@pytest.mark.parametrize("text", ["", "证据不足", "罚金", "年", "个月", "第二百六十四条"])
def test_a_text_without_a_sentence_is_refused(text: str) -> None:
    with pytest.raises(IdentifierError):
        pronounced(text)


def test_every_term_of_a_judgment_is_found_in_order() -> None:
    text = "被告人甲犯盗窃罪，判处有期徒刑一年；被告人乙判处拘役四个月；丙判处管制六个月。"
    assert [(one.kind, one.months) for one in terms(text)] == [
        ("imprisonment", 12),
        ("detention", 4),
        ("control", 6),
    ]


OPERATIVE_PARTS = [
    # One crime, one person.
    ("被告人甲犯盗窃罪，判处有期徒刑十个月，并处罚金人民币一万元。", "imprisonment", 10, None),
    ("被告人甲犯诈骗罪，判处有期徒刑五年五个月，并处罚金一万元。", "imprisonment", 65, None),
    ("被告人甲犯诈骗罪，判处有期徒刑一年零八个月。", "imprisonment", 20, None),
    ("被告人甲犯故意伤害罪，判处有期徒刑十四年零三个月。", "imprisonment", 171, None),
    ("被告人甲犯抢劫罪，判处有期徒刑十年，没收财产一万元。", "imprisonment", 120, None),
    ("被告人甲犯运输毒品罪，判处有期徒刑十五年，并处没收财产二万元。", "imprisonment", 180, None),
    ("以故意伤害罪判处被告人甲有期徒刑两年半。", "imprisonment", 30, None),
    ("判处被告人甲二年六个月有期徒刑。", "imprisonment", 30, None),
    ("判处被告人甲、乙有期徒刑二年三个月，并处罚金三万元。", "imprisonment", 27, None),
    ("甲犯失火罪，判有期徒刑三年整。", "imprisonment", 36, None),
    ("甲因盗窃罪被判处有期徒刑二年。", "imprisonment", 24, None),
    ("被告人甲犯赌博罪，判处拘役五个月，并处罚金五千元。", "detention", 5, None),
    ("被告人甲犯非法侵入住宅罪，判处管制一年。", "control", 12, None),
    ("被告人甲犯故意杀人罪，判处无期徒刑，剥夺政治权利终身。", "life", None, None),
    ("被告人甲犯故意杀人罪，判处死刑，剥夺政治权利终身。", "death", None, None),
    ("被告人甲犯行贿罪，免予刑事处罚。", "none", None, None),
    ("被告人甲犯盗窃罪，单处罚金二千元。", "none", None, None),
    # Probation and reprieve.
    ("被告人甲犯交通肇事罪，判处有期徒刑三年，缓刑五年。", "imprisonment", 36, 60),
    ("被告人甲犯交通肇事罪，判处有期徒刑一年零六个月，宣告缓刑二年。", "imprisonment", 18, 24),
    ("被告人甲犯危险驾驶罪，判处拘役二个月，宣告缓刑二个月，并处罚金。", "detention", 2, 2),
    ("被告人甲犯盗窃罪，判处拘役四个月，缓刑八个月，并处罚金七千元。", "detention", 4, 8),
    ("被告人甲犯故意杀人罪，判处死刑，缓期二年执行，剥夺政治权利终身。", "death", None, 24),
    ("被告人甲犯受贿罪，判处死刑缓期2年执行，减为无期徒刑后终身监禁。", "death", None, 24),
    # Several crimes: what is to be executed.
    (
        "被告人甲犯抢劫罪，判处有期徒刑四年；犯抢夺罪，判处有期徒刑二年二个月；总和刑期六年二个月，决定执行有期徒刑六年。",
        "imprisonment",
        72,
        None,
    ),
    (
        "犯非法拘禁罪，判处有期徒刑一年，合并决定执行有期徒刑二年又六个月。",
        "imprisonment",
        30,
        None,
    ),
    (
        "犯诈骗罪，判处有期徒刑十年；犯抢夺罪，判处有期徒刑二年。决定执行有期徒刑十一年。",
        "imprisonment",
        132,
        None,
    ),
    (
        "甲犯盗窃罪判处有期徒刑六个月，与前罪所判有期徒刑三年并罚，决定执行有期徒刑三年三个月。",
        "imprisonment",
        39,
        None,
    ),
    (
        "撤销对甲宣告缓刑的部分，执行原判拘役二个月，犯交通肇事罪判处有期徒刑三年八个月，决定执行有期徒刑三年九个月。",
        "imprisonment",
        45,
        None,
    ),
    (
        "犯贩卖毒品罪，判处无期徒刑；犯容留他人吸毒罪，判处有期徒刑一年，数罪并罚，决定执行无期徒刑，剥夺政治权利终身。",
        "life",
        None,
        None,
    ),
    (
        "犯故意杀人罪，判处死刑；犯抢劫罪，判处有期徒刑十年，决定执行死刑，剥夺政治权利终身。",
        "death",
        None,
        None,
    ),
    (
        "犯盗窃罪判处有期徒刑一年，犯脱逃罪判处拘役三个月，数罪并罚，决定执行有期徒刑一年。",
        "imprisonment",
        12,
        None,
    ),
    # Several persons: the first.
    (
        "一、被告人甲犯妨害公务罪，判处有期徒刑一年。二、被告人乙犯妨害公务罪，判处有期徒刑二年。",
        "imprisonment",
        12,
        None,
    ),
    (
        "被告人甲犯抢劫罪，判处有期徒刑三年；被告人乙犯抢劫罪，判处有期徒刑五年。",
        "imprisonment",
        36,
        None,
    ),
    (
        "1、被告人甲犯开设赌场罪，判处拘役六个月；"
        "2、被告人乙犯开设赌场罪，判处拘役四个月，缓刑一年。",
        "detention",
        6,
        None,
    ),
    # What is no sentence of this judgment.
    ("潜逃2年后归案，判处有期徒刑五年六个月。", "imprisonment", 66, None),
    (
        "曾因盗窃被判处有期徒刑一年，2010年刑满释放；现以抢劫罪判处有期徒刑四年。",
        "imprisonment",
        48,
        None,
    ),
    (
        "2010年4月20日因犯盗窃罪被某法院判处有期徒刑七个月。本院以抢夺罪判处有期徒刑二年。",
        "imprisonment",
        24,
        None,
    ),
    ("公诉机关建议判处有期徒刑二年至三年，本院判处有期徒刑一年。", "imprisonment", 12, None),
    ("公诉机关建议判处有期徒刑二年，本院判处有期徒刑一年。", "imprisonment", 12, None),
    ("一审判处有期徒刑三年，二审改判有期徒刑二年。", "imprisonment", 24, None),
    ("原判判处拘役六个月，量刑畸轻，改判有期徒刑八个月。", "imprisonment", 8, None),
    ("依法应处三年以上十年以下有期徒刑，判处有期徒刑四年。", "imprisonment", 48, None),
    (
        "判处有期徒刑四年，剥夺政治权利一年，刑期自2013年1月31日起至2017年1月30日止。",
        "imprisonment",
        48,
        None,
    ),
    ("羁押三个月，逃跑十八年，判处有期徒刑六年。", "imprisonment", 72, None),
    ("不应判处三年，应判处十五年。", "imprisonment", 180, None),
    ("被害人住院2个月，赔偿3年误工费，判处管制6个月。", "control", 6, None),
    # Answers as models and people write them.
    ("刑期：36个月", "imprisonment", 36, None),
    ("12个月，理由如下：……", "imprisonment", 12, None),
    ("约18个月", "imprisonment", 18, None),
    ("有期徒刑36个月", "imprisonment", 36, None),
    ("半年", "imprisonment", 6, None),
    ("拘役三月", "detention", 3, None),
    ("sentenced to 5 years in prison", "imprisonment", 60, None),
    ("3 years and 6 months", "imprisonment", 42, None),
    ("a sentence of 18 months", "imprisonment", 18, None),
    ("life imprisonment", "life", None, None),
    # The form of the operative part.
    (
        "判决如下：被告人甲犯盗窃罪，判处有期徒刑十个月。"
        "（判决执行以前先行羁押的，羁押一日折抵刑期一日）",
        "imprisonment",
        10,
        None,
    ),
    (
        "判决如下：一、被告人甲犯诈骗罪，判处有期徒刑六年，"
        "并处罚金一万元；二、违法所得十九万元，予以追缴。",
        "imprisonment",
        72,
        None,
    ),
    (
        "判决如下：被告人甲犯猥亵儿童罪，判处有期徒刑一年六个月，"
        "犯强奸罪，判处有期徒刑五年，决定执行有期徒刑六年",
        "imprisonment",
        72,
        None,
    ),
    (
        "经查，甲曾被判处有期徒刑三年。判决如下：被告人甲犯盗窃罪，判处有期徒刑八个月。",
        "imprisonment",
        8,
        None,
    ),
]


@pytest.mark.parametrize(("text", "kind", "months", "suspended"), OPERATIVE_PARTS)
def test_the_sentence_is_the_one_that_is_pronounced(
    text: str, kind: str, months: int | None, suspended: int | None
) -> None:
    term = pronounced(text)
    assert (term.kind, term.months, term.suspended) == (kind, months, suspended)


@pytest.mark.parametrize(
    "text",
    [
        "三年以上十年以下",
        "判处三年以上七年以下有期徒刑，并处罚金",
        "有期徒刑六个月至一年",
        "有期徒刑3-5年",
        "between 3 to 5 years in prison",
        "处十年以上有期徒刑、无期徒刑或者死刑",
        "可以免除处罚",
        "不应判处有期徒刑三年",
        "潜逃2年后归案",
        "曾因盗窃被判处有期徒刑一年，刑满释放",
        "缓刑二年",
        "剥夺政治权利四年",
        "数罪并罚，犯甲罪判处有期徒刑一年，犯乙罪判处有期徒刑二年",
    ],
)
def test_ranges_denials_and_earlier_sentences_are_none(text: str) -> None:
    with pytest.raises(IdentifierError):
        pronounced(text)


@pytest.mark.parametrize(
    "piece",
    ["一", "1", "十", "一年", "有期徒刑", "有期徒刑一", "判处", "缓刑", "被告人甲犯", "曾因", "1 "],
)
def test_time_grows_with_length_alone(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    began = time.perf_counter()
    terms(text)
    with suppress(IdentifierError):
        pronounced(text)
    assert time.perf_counter() - began < 3


@given(st.integers(0, 24), st.integers(0, 11))
def test_years_and_months_add_up_in_either_script(years: int, months: int) -> None:
    if years + months == 0:
        return
    arabic = (f"{years}年" if years else "") + (f"{months}个月" if months else "")
    chinese = (f"{format_numeral(years)}年" if years else "") + (
        f"{format_numeral(months)}个月" if months else ""
    )
    assert pronounced(f"有期徒刑{arabic}").months == 12 * years + months
    assert pronounced(f"有期徒刑{chinese}").months == 12 * years + months


@pytest.mark.parametrize("digits", ["9" * 7, "9" * 400, "9" * 5_000])
@pytest.mark.parametrize("form", ["{}", "{}个月", "有期徒刑{}年", "{} months", "{} years"])
def test_a_number_nobody_pronounces_is_no_sentence(digits: str, form: str) -> None:
    with pytest.raises(IdentifierError):
        pronounced(form.format(digits))
