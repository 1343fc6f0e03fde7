from __future__ import annotations

from datetime import date

import pytest

from inforce.retrieval.analysis import RuleAnalyser
from inforce.retrieval.cleaning import describes_a_crime, instruction_words, narrative_words

CRIMINAL_LAW = "中华人民共和国刑法"
RULES = RuleAnalyser(clock=lambda: date(2020, 1, 25))
INDICTMENT = (
    "某区人民检察院指控：2015年11月20日，被告人洪某在本市贩卖毒品，次日被公安机关抓获，"
    "当场查获毒品。上述事实，有证人证言、辨认笔录等证据证实，足以认定。"
)


@pytest.mark.parametrize(
    ("text", "implied"),
    [
        (INDICTMENT, (CRIMINAL_LAW,)),
        ("2016年3月，犯罪嫌疑人李某盗窃手机一部", (CRIMINAL_LAW,)),
        ("被告人有权获得辩护吗", ()),
        ("2016年3月，甲向乙借款一万元", ()),
    ],
)
def test_dated_acts_of_an_accused_point_to_the_criminal_law(
    text: str, implied: tuple[str, ...]
) -> None:
    assert RULES(text).implied_works == implied
    assert RULES(text).works == ()


def test_words_that_tell_any_case_are_no_keywords_of_an_indictment() -> None:
    keywords = RULES(INDICTMENT).keywords
    assert {"毒品", "贩卖"} <= set(keywords)
    assert not {"指控", "被告人", "抓获", "证据", "足以认定"} & set(keywords)


def test_the_same_words_are_keywords_of_a_question_on_procedure() -> None:
    assert {"被告人", "证据"} <= set(RULES("被告人能否当庭提交新的证据？").keywords)


def test_what_is_repeated_comes_first_and_anonymous_names_never() -> None:
    keywords = RULES(INDICTMENT).keywords
    assert keywords[0] == "毒品"
    assert not any("某" in keyword for keyword in keywords)


def test_parts_of_compounds_are_left_out_with_them() -> None:
    assert {"人民检察院", "检察院", "检察"} <= narrative_words()
    assert {"法律依据", "依据"} <= instruction_words()


def test_a_crime_told_without_a_date_is_not_recognised() -> None:
    assert describes_a_crime("被告人盗窃", dated=True)
    assert not describes_a_crime("被告人盗窃", dated=False)


def test_an_article_of_this_law_names_none_where_no_law_is_named() -> None:
    assert RULES("本条例第八条规定的文件").provisions == ()
    assert [asked.number.chinese for asked in RULES("第八条").provisions] == ["第八条"]
