"""A question about a consequence is answered by the law that states it."""

from __future__ import annotations

import pytest

from inforce.answering.sanctions import (
    PUBLIC_SECURITY,
    asks_for_sanction,
    penalty_articles,
    sanctioning_law,
    sanctions_of,
    weighed_by_sanction,
)
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.rules import CRIMINAL_LAW


@pytest.mark.parametrize(
    ("question", "law"),
    [
        ("偷了3000元会坐牢吗", CRIMINAL_LAW),
        ("他会被判刑吗", CRIMINAL_LAW),
        ("贪污三十万元的量刑档次如何确定", CRIMINAL_LAW),
        ("What is the criminal penalty for drunk driving in China?", CRIMINAL_LAW),
        ("从楼上扔东西，有高空抛物罪吗", CRIMINAL_LAW),
        ("老板不发工资，能告他拒不支付劳动报酬罪吗", CRIMINAL_LAW),
        ("Was a sham lawsuit a separate crime then?", CRIMINAL_LAW),
        ("这算不算诈骗罪啊，算诈骗罪吗", CRIMINAL_LAW),
        ("邻居半夜吵闹，警察能罚他吗", PUBLIC_SECURITY),
        ("打架会被拘留几天", PUBLIC_SECURITY),
        ("法院会怎么判决房产归属", None),
        ("离婚后孩子怎么判给一方", None),
        ("房屋漏水找谁赔偿", None),
        ("离婚冷静期多长", None),
    ],
)
def test_the_law_that_states_the_consequence_asked_about(question: str, law: str | None) -> None:
    assert sanctioning_law(question) == law


def test_odds_rise_for_that_law_and_fall_for_others_but_not_for_procedure() -> None:
    assert weighed_by_sanction(0.5, CRIMINAL_LAW, CRIMINAL_LAW) == pytest.approx(0.8)
    assert weighed_by_sanction(0.5, "中华人民共和国民法典", CRIMINAL_LAW) == pytest.approx(0.2)
    assert weighed_by_sanction(0.5, "中华人民共和国刑事诉讼法", CRIMINAL_LAW) == 0.5
    assert weighed_by_sanction(0.5, "中华人民共和国民法典", None) == 0.5
    for chance in (0.0, 1.0):
        assert 0.0 <= weighed_by_sanction(chance, "中华人民共和国民法典", CRIMINAL_LAW) <= 1.0


@pytest.mark.parametrize(
    ("question", "article"),
    [("贪污三十万元如何量刑", "383"), ("行贿罪的法定刑", "390"), ("受贿怎么处罚", "386")],
)
def test_an_offence_is_punished_by_the_article_that_states_the_penalty(
    question: str, article: str
) -> None:
    assert [one.short for one in penalty_articles(question, "")] == [article]


def test_without_a_question_about_penalties_no_article_is_named() -> None:
    assert list(penalty_articles("贪污是什么", "")) == []


def provision(number: str, text: str) -> Provision:
    return Provision(ProvisionNumber.parse(number), text)


BRIBERY = provision("386", "对犯受贿罪的，依照本法第三百八十三条的规定处罚。索贿的从重处罚。")
TERMS = provision("383", "对犯贪污罪的，处三年以下有期徒刑；依照本法第三百八十六条处罚。")
WORDS = provision("9", "广告不得使用国家级、最高级、最佳等用语。")
FINES = provision("57", "发布有本法第九条、第十条规定的禁止情形的广告的，处二十万元以上罚款。")
ABROAD = provision("58", "依照本法第九条处理的，予以警告。")
SECRETS = provision("42", "网络运营者不得泄露其收集的个人信息。")
FINES_FOR_A_RUN = provision(
    "64",
    "违反本法第二十二条第三款、第四十一条至第四十三条规定，侵害个人信息的，处一百万元以下罚款。",
)
CHILDREN = provision("10", "广告不得损害未成年人的身心健康。")


@pytest.mark.parametrize(
    ("one", "sanctions"),
    [
        pytest.param(BRIBERY, ["383"], id="by reference"),
        pytest.param(TERMS, [], id="states a sanction itself"),
        pytest.param(WORDS, ["57"], id="the sanction of its breach, not what only refers to it"),
        pytest.param(CHILDREN, ["57"], id="second of a list"),
        pytest.param(SECRETS, ["64"], id="inside a run of articles"),
        pytest.param(provision("5", "本法自公布之日起施行。"), [], id="nothing is its breach"),
    ],
)
def test_the_sanction_of_a_provision_stands_where_it_says_or_where_its_breach_is_named(
    one: Provision, sanctions: list[str]
) -> None:
    law = (BRIBERY, TERMS, WORDS, CHILDREN, FINES, ABROAD, SECRETS, FINES_FOR_A_RUN)
    assert [number.short for number in sanctions_of(one, law)] == sanctions


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("广告用国家级要罚多少钱", True),
        ("受贿十五万的量刑标准", True),
        ("What fine can the regulator impose?", True),
        ("广告能不能写国家级", False),
        ("离婚冷静期多久", False),
    ],
)
def test_only_a_question_about_punishment_asks_for_sanctions(question: str, asks: bool) -> None:
    assert asks_for_sanction(question) is asks
