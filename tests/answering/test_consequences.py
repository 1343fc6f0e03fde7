"""A question about a consequence is answered by the law that states it."""

from __future__ import annotations

import pytest

from inforce.answering.consequences import PUBLIC_SECURITY, asked_law, penalty_articles, weighed
from inforce.law.transition import CRIMINAL_LAW


@pytest.mark.parametrize(
    ("question", "law"),
    [
        ("偷了3000元会坐牢吗", CRIMINAL_LAW),
        ("他会被判刑吗", CRIMINAL_LAW),
        ("贪污三十万元的量刑档次如何确定", CRIMINAL_LAW),
        ("What is the criminal penalty for drunk driving in China?", CRIMINAL_LAW),
        ("邻居半夜吵闹，警察能罚他吗", PUBLIC_SECURITY),
        ("打架会被拘留几天", PUBLIC_SECURITY),
        ("法院会怎么判决房产归属", None),
        ("离婚后孩子怎么判给一方", None),
        ("房屋漏水找谁赔偿", None),
        ("离婚冷静期多长", None),
    ],
)
def test_the_law_that_states_the_consequence_asked_about(question: str, law: str | None) -> None:
    assert asked_law(question) == law


def test_odds_rise_for_that_law_and_fall_for_others_but_not_for_procedure() -> None:
    assert weighed(0.5, CRIMINAL_LAW, CRIMINAL_LAW) == pytest.approx(0.8)
    assert weighed(0.5, "中华人民共和国民法典", CRIMINAL_LAW) == pytest.approx(0.2)
    assert weighed(0.5, "中华人民共和国刑事诉讼法", CRIMINAL_LAW) == 0.5
    assert weighed(0.5, "中华人民共和国民法典", None) == 0.5
    for chance in (0.0, 1.0):
        assert 0.0 <= weighed(chance, "中华人民共和国民法典", CRIMINAL_LAW) <= 1.0


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
