"""What judgments, case reports and answers taught: what is right in them is not accused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.dates import DateRange
from inforce.documents.plain import read_text
from inforce.library import Library, open_library
from inforce.verification.citations import read_citations
from inforce.verification.findings import Finding
from inforce.verification.law_lookup import LawLookup

ARTICLE_74 = "对于累犯和犯罪集团的首要分子，不适用缓刑"


@pytest.fixture(scope="module")
def library(package_home: Path) -> Iterator[Library]:
    """The starter corpus that comes with the package; today is 20 November 2026."""
    with open_library(package_home, clock=lambda: date(2026, 11, 20)) as library:
        yield library


def wrong(library: Library, text: str, on: str | None = None) -> list[str]:
    return [one.kind for one in library.verify(text, on=on).findings if one.is_wrong]


def found(library: Library, text: str, on: str | None = None) -> list[Finding]:
    return list(library.verify(text, on=on).findings)


@pytest.mark.parametrize(
    "number",
    [
        "[2019]司鉴字第1130号",
        "（2017）尸检字第25号",
        "（2020）京东方内民证字第05521号",
        "（2020）闽厦开证内字第2315号",
        "（2014）京东方内民证字第1号",
        "（2022）鲁0214法鉴字908号",
    ],
)
def test_numbers_of_notaries_and_appraisers_are_no_case_numbers(
    library: Library, number: str
) -> None:
    assert found(library, f"经鉴定，见{number}。") == []


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("（2019）京01民终1234号", "no_source_of_cases"),
        ("（2013）石民一终字第01295号", "no_source_of_cases"),
        ("（2011）民提字第27号", "no_source_of_cases"),
        ("（2019）火星01民初12号", "unknown_court"),
        ("（2019）京01火12号", "unknown_case_type"),
        ("（2030）京01民终1号", "year_after_document"),
        ("（2019）京09民终1号", "unknown_court"),  # Beijing has four intermediate courts
        ("（2019）粤0100民初1号", "unknown_court"),
        ("（2019）最高法01民终1号", "unknown_court"),
        ("（2018）津03民终1号", "no_source_of_cases"),
        ("（2021）渝87民初1号", "no_source_of_cases"),  # a special court
        ("（2019）京0105民终1号", "no_appeals_there"),
        ("（2019）京0105民初1号", "no_source_of_cases"),
        ("（2015）京0105民初1号", "code_before_2016"),
        ("（2015）京民终字第1号", "no_source_of_cases"),
    ],
)
def test_a_case_number_has_a_court_a_kind_and_a_year(
    library: Library, number: str, reason: str
) -> None:
    [finding] = found(library, f"见{number}判决。")
    assert finding.reason == reason


def test_crimes_named_in_one_breath_are_several(library: Library) -> None:
    text = "2016年3月，其行为已分别构成抢劫罪和抢夺罪，应当以滥用职权罪或者玩忽职守罪追究。"
    assert wrong(library, text) == []
    assert wrong(library, "2016年3月，其行为已构成抢劫罪和抢钱罪，应予处罚。") == ["wrong_name"]


def test_articles_of_the_document_itself_are_no_articles_of_the_law_it_names(
    library: Library,
) -> None:
    text = (
        "2020年5月1日，甲乙双方依照《刑法》订立本协议。\n第一条 甲方应当如实供述。\n"
        f"第二条 乙方应当守法。\n第三条 {ARTICLE_74}。\n"
    )
    assert wrong(library, text) == []


def test_an_article_alone_behind_one_of_a_document_is_that_documents(library: Library) -> None:
    text = (
        "2015年3月，《公司法》施行后，市政府作出某办字［2005］3号第14条明确：“内退人员不得解除合同的”；"
        "第17条明确：“试点企业下岗职工达到距法定退休年龄不足五年的，可以实行内部退养”。"
    )
    assert wrong(library, text) == []


def test_line_breaks_that_are_written_out_are_no_letters(library: Library) -> None:
    text = (
        "2024年5月，《刑法》第六十七条规定：犯罪以后自动投案，如实供述自己的罪行的，是自首。"
        r"对于自首的犯罪分子，可以从轻或者减轻处罚。其中，犯罪较轻的，可以免除处罚。\n\n被采取强制措施的"
        "犯罪嫌疑人、被告人和正在服刑的罪犯，如实供述司法机关还未掌握的本人其他罪行的，以自首论。"
    )
    assert wrong(library, text) == []


CASE = "2020年3月，张某与李某结婚。"
RULE = "一方患有重大疾病的，应当在结婚登记前如实告知另一方"


@pytest.mark.parametrize(
    ("text", "accused"),
    [
        # a court judges whether the code protects better: nobody else can say that it is wrong
        (f"{CASE}2021年1月，法院判决撤销婚姻。\n《民法典》第一千零五十三条规定，{RULE}。", False),
        # a case that was decided nobody says when
        (f"{CASE}\n法院认为，依照《民法典》第一千零五十三条，应予撤销。", False),
        # what explains a case to readers is of the day it was written
        (f"{CASE}\n## 法官解读\n\n《民法典》第一千零五十三条规定，{RULE}。", False),
        (f"{CASE}\n【法条链接】\n《民法典》第一千零五十三条 {RULE}。", False),
        # tried before the code, or not known to be tried
        (f"{CASE}2020年9月，法院判决撤销婚姻。\n依照《民法典》第一千零五十三条。", True),
        (f"{CASE}\n依照《民法典》第一千零五十三条，请求撤销。", True),
    ],
)
def test_the_civil_code_may_reach_back_where_a_court_has_judged(
    library: Library, text: str, accused: bool
) -> None:
    assert ("not_in_force" in wrong(library, text)) is accused


def test_criminal_law_never_reaches_back_whatever_a_court_is_said_to_hold(
    library: Library,
) -> None:
    text = "2010年3月，李某醉酒驾驶。\n法院认为，依照《刑法》第一百三十三条之一，应予处罚。"
    assert wrong(library, text) == ["not_in_force"]


def test_the_trial_an_appeal_speaks_of_may_be_the_first_one(library: Library) -> None:
    text = (
        "刑事裁定书\n（2016）云01刑终5号\n2014年2月，史某受贿。2016年4月6日，一审法院判决其有罪。"
        "依照《最高人民法院、最高人民检察院关于办理贪污贿赂刑事案件适用法律若干问题的解释》第一条。"
    )
    trials = {one.days.trial for one in found(library, text) if one.days}
    assert trials == {DateRange(date(2016, 4, 6), date(2018, 1, 1))}


def test_days_before_the_law_of_the_republic_are_history(library: Library) -> None:
    text = f"该字号形成于1912年。刑法规定“{ARTICLE_74}”，至今适用。"
    assert wrong(library, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "《民法典》第一千二百四十六条沿用了《侵权责任法》第七十九条的规定。",
        "该规则与《侵权责任法》（已失效）第七十九条一致。",
        "修改前的《侵权责任法》第七十九条与此相同。",
    ],
)
def test_a_former_law_that_is_named_as_one_is_not_out_of_force(library: Library, text: str) -> None:
    assert wrong(library, text, on="2024-01-01") == []
    assert wrong(library, "依照《侵权责任法》第七十九条。", on="2024-01-01") == ["not_in_force"]


def test_words_said_to_have_been_changed_are_not_said_to_be_the_law(library: Library) -> None:
    old, new = "对于累犯，不适用缓刑", ARTICLE_74
    text = f"刑法第七十四条中“{old}”已经修改为“{new}”。"
    assert wrong(library, text, on="2024-01-01") == []
    assert wrong(library, f"刑法第七十四条规定“{old}”。", on="2024-01-01") == ["other_time"]


def test_a_book_is_no_law(library: Library) -> None:
    text = "参见《知识产权法》，法律出版社，第610页；《知识产权法》（第五版）；依照《知识产权法》。"
    cited = read_citations(read_text(text.encode(), name="a"), LawLookup(library))
    assert [one.own_clause for one in cited] == [True, True, False]


def test_the_words_of_an_article_that_cites_another_are_not_the_others(library: Library) -> None:
    text = (
        "具有下列情形之一的，依照刑法第二百二十二条的规定，以虚假广告罪定罪处罚：\n"
        "（一）违法所得数额在10万元以上的；"
    )
    assert wrong(library, text, on="2024-03-01") == []


def test_an_article_headed_with_its_crime_is_quoted_without_the_heading(library: Library) -> None:
    text = (
        "《刑法》第二百六十六条诈骗罪诈骗公私财物，数额较大的，处三年以下有期徒刑、拘役或者管制，"
        "并处或者单处罚金。"
    )
    assert wrong(library, text, on="2024-03-01") == []


def test_a_heading_without_brackets_is_an_editors(library: Library) -> None:
    words = "犯罪以后自动投案，如实供述自己的罪行的，是自首。"
    said = "《刑法》第六十七条{}" + words
    assert wrong(library, said.format("自首与立功的认定"), on="2024-03-01") == []
    assert wrong(
        library, said.format("自首与立功的认定").replace("如实供述", "如实交代"), on="2024-03-01"
    )


def test_and_so_on_at_the_end_of_a_quotation_is_nobodys_word(library: Library) -> None:
    text = "《刑法》第七十四条用“对于累犯和犯罪集团的首要分子等”限定了范围。"
    assert wrong(library, text, on="2024-03-01") == []


def test_a_sentence_of_ones_own_for_a_rule_in_force_is_not_accused_of_another_time(
    library: Library,
) -> None:
    rule = "夫妻一方死亡后另一方再婚的，有权处分所继承的财产，任何人不得干涉"
    own = f"您好，再婚与继承并不冲突，孩子也可以放心。{rule}。如有其他问题，可以继续咨询律师。"
    assert wrong(library, own, on="2024-01-01") == []
    assert wrong(library, f"{rule}。", on="2024-01-01") == ["other_time"]


def test_an_abbreviation_means_what_the_document_says(library: Library) -> None:
    text = (
        "2005年3月，依照《中华人民共和国企业破产法（试行）》（以下简称企业破产法）。"
        "参照企业破产法第三十七条清偿。"
    )
    assert wrong(library, text) == []


def test_a_law_does_not_quote_itself_and_its_articles_are_its_own(library: Library) -> None:
    title = "最高人民法院关于审理民间借贷案件适用法律若干问题的规定"
    assert title in library.corpus.titles()
    text = (
        f"{title}\n根据《中华人民共和国民法典》制定本规定。\n第一条 本规定所称的民间借贷，是指"
        "自然人、法人和非法人组织之间进行资金融通的行为。\n第三千条 依照第二千条处理。"
    )
    assert wrong(library, text) == []
