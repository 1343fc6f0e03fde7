"""Citations of a document, under the law of its date: five days around each change."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from inforce.library import Library
from inforce.verification.findings import Finding, FindingKind

LINES: list[tuple[str, str, FindingKind, FindingKind]] = [
    # citation, first day of the change, what it is before, what it is from that day on
    ("《刑法》第一百三十三条之一", "2011-05-01", "not_in_force", "amended_since"),
    ("《刑法》第二百八十条之一", "2015-11-01", "not_in_force", "right"),
    ("《民法典》第一千一百四十二条", "2021-01-01", "not_in_force", "right"),
    ("《继承法》第二十条", "2021-01-01", "amended_since", "not_in_force"),
    ("刑法第133条之1", "2015-11-01", "amended_since", "right"),
]


def only(library: Library, text: str, on: str | None = None) -> Finding:
    [finding] = library.verify(text, on=on).findings
    return finding


@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2], ids="{:+d} days".format)
@pytest.mark.parametrize(("citation", "day", "before", "since"), LINES, ids=lambda one: str(one))
def test_a_citation_is_right_from_the_first_day_of_its_article_and_not_a_day_sooner(
    sample_library: Library,
    citation: str,
    day: str,
    before: FindingKind,
    since: FindingKind,
    offset: int,
) -> None:
    then = date.fromisoformat(day) + timedelta(days=offset)
    written = f"{then.year}年{then.month}月{then.day}日发生的行为，应适用{citation}。"
    finding = only(sample_library, written)
    assert finding.kind == (since if offset >= 0 else before)
    assert finding.days and finding.days.origin == "sentence"
    assert str(finding.days.facts[0]) == then.isoformat()


def test_facts_of_one_first_day_stay_in_the_order_of_the_document(sample_library: Library) -> None:
    year, month = ("2015年", "2015-01-01 to 2015-12-31"), ("2015年1月", "2015-01-01 to 2015-01-31")
    for order in ([year, month], [month, year]):
        facts = "，".join(f"{written}醉酒驾驶" for written, _ in order)
        finding = only(sample_library, f"{facts}，依照《刑法》第一百三十三条之一处罚。")
        assert finding.days and [str(one) for one in finding.days.facts] == [
            days for _, days in order
        ]


def test_not_yet_and_no_longer_name_the_day_and_the_instrument(sample_library: Library) -> None:
    early = only(sample_library, "2010年3月醉酒驾驶，依照刑法第一百三十三条之一处罚。")
    assert (early.reason, early.since) == ("not_yet", "2011-05-01")
    assert early.instrument == "刑法修正案（八）"
    late = only(sample_library, "2022年立遗嘱，适用《继承法》第二十条。")
    assert (late.reason, late.since) == ("no_longer", "2021-01-01")
    assert late.instrument == "中华人民共和国民法典"


def test_a_repealed_law_of_which_no_text_is_held_is_known_to_be_repealed(
    sample_library: Library,
) -> None:
    finding = only(sample_library, "2022年5月签订合同，依据《物权法》第五条。")
    assert (finding.kind, finding.since) == ("not_in_force", "2021-01-01")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("刑法第七十四条是对的。", "no_date"),
        ("2015年3月，依照《海商法》第十条。", "law_not_held"),
        ("2015年3月，依照刑法第三条。", "not_covered"),
        ("2015年3月，依照《德国民法典》第八百二十三条。", "foreign_law"),
        ("In 2015 the claim arose under 17 U.S.C. § 107.", "foreign_law"),
        ("2015年3月，依照《联合国国际货物销售合同公约》第三十五条。", "treaty"),
        ("2015年3月，依照《某市网络管理条例》第五条。", "law_not_held"),
        ("2015年5月，依照法释〔1999〕77号第三条。", "law_not_held"),
    ],
)
def test_what_cannot_be_checked_is_never_passed(
    sample_library: Library, text: str, reason: str
) -> None:
    verified = sample_library.verify(text)
    [finding] = verified.findings
    assert (finding.kind, finding.reason) == ("not_checked", reason)
    assert verified.outcome == "not_checked"


def test_a_given_date_wins_over_those_of_the_document(sample_library: Library) -> None:
    text = "2010年6月1日发生，依照刑法第一百三十三条之一。"
    finding = only(sample_library, text, on="2012-05-01")
    assert finding.kind == "amended_since"
    assert finding.days and finding.days.origin == "option"


def test_the_nearest_date_counts_sentence_then_paragraph_then_document(
    sample_library: Library,
) -> None:
    law = "应适用刑法第一百三十三条之一"
    for text, origin, kind in (
        (f"2010年6月1日发生。\n\n2016年5月1日他{law}。", "sentence", "right"),
        (f"2010年6月1日发生。\n\n2016年5月1日醉驾。他{law}。", "paragraph", "right"),
        (f"2010年6月1日发生。\n\n他{law}。", "document", "not_in_force"),
        (f"他{law}。\n\n二〇一六年五月三日", "date_of_document", "right"),
    ):
        finding = only(sample_library, text)
        assert finding.days and (finding.days.origin, finding.kind) == (origin, kind)


def test_a_commencement_or_a_birth_is_no_day_to_apply_the_law_on(sample_library: Library) -> None:
    text = "王某，1980年5月1日出生，2016年5月1日醉酒驾驶，应适用刑法第一百三十三条之一。"
    assert only(sample_library, text).kind == "right"


def test_procedure_is_checked_for_the_day_of_the_trial(sample_library: Library) -> None:
    text = "2016年5月1日盗窃。本院于2019年3月1日开庭审理，依照《刑事诉讼法》第五十五条。"
    finding = only(sample_library, text)
    assert finding.days and str(finding.days.trial) == "2019-03-01"
    assert finding.governed[0].window.start == date(2018, 10, 26)
    assert finding.rule and finding.rule.id == "procedure/criminal"


@pytest.mark.parametrize(
    ("portion", "kind"),
    [("第一款", "right"), ("第二款", "right"), ("第四款", "unsupported_portion")],
)
def test_a_paragraph_must_be_there(
    sample_library: Library, portion: str, kind: FindingKind
) -> None:
    text = f"2016年5月1日醉酒驾驶，依照刑法第一百三十三条之一{portion}。"
    finding = only(sample_library, text)
    assert finding.kind == kind
    if kind == "unsupported_portion":
        assert finding.suggestions[0].text


def test_each_article_of_a_list_is_checked_by_itself(sample_library: Library) -> None:
    text = "2012年5月1日，依照刑法第六十七条第三款、第七十二条、第二百八十条之一判处。"
    found = sample_library.verify(text).findings
    kinds = {one.portion.chinese: one.kind for one in found if one.portion}
    assert kinds["第二百八十条之一"] == "not_in_force"
    assert kinds["第六十七条第三款"] in ("right", "amended_since")
    assert len(kinds) == 3


def test_a_document_that_names_a_version_is_checked_against_what_governed(
    sample_library: Library,
) -> None:
    text = "2016年5月1日醉驾，依照《刑法》（2011年修正）第一百三十三条之一。"
    finding = only(sample_library, text)
    assert finding.kind == "other_time"
    assert finding.quoted and finding.quoted.window.start == date(2011, 5, 1)
    alone = only(sample_library, "依照《刑法》（2011年修正）第一百三十三条之一。")
    assert alone.days and alone.days.origin == "version"
    assert alone.kind == "amended_since"


def test_where_the_rules_cannot_decide_there_is_no_verdict(sample_library: Library) -> None:
    text = "2011年4月至6月间醉酒驾驶，依照刑法第一百三十三条之一。"
    finding = only(sample_library, text)
    assert (finding.kind, finding.reason) == ("not_checked", "changed_within_days")


def test_a_law_merely_spoken_of_needs_not_be_in_force(sample_library: Library) -> None:
    assert not sample_library.verify("2022年，原《继承法》已被《民法典》取代。").findings
    finding = only(sample_library, "2022年5月1日死亡，本案依据《继承法》处理。")
    assert finding.kind == "not_in_force"


def test_abbreviations_a_document_defines_mean_what_it_says(sample_library: Library) -> None:
    text = (
        "《中华人民共和国劳动合同法》（以下简称劳动法规）于本案适用。"
        "2015年5月，依照劳动法规第五十七条。"
    )
    [finding] = sample_library.verify(text).findings
    assert finding.work == "中华人民共和国劳动合同法"


def test_the_clauses_of_a_contract_are_no_citations(sample_library: Library) -> None:
    text = (
        "租赁合同\n依照《民法典》订立。\n第一条 租金每月九百元。\n第二条 租期二年。\n"
        "第三条 押金两个月。\n第四条 依照本合同第二条办理。\n2022年5月1日"
    )
    found = sample_library.verify(text).findings
    assert all(one.portion is None for one in found)


def test_a_law_nobody_made_is_told_from_one_that_is_not_held(sample_library: Library) -> None:
    """With a few laws held, an unknown title is not held; that there is none needs nearly all."""
    text = "2022年5月，依照《中华人民共和国网络数据交易保障法》第十二条。"
    assert only(sample_library, text).reason == "law_not_held"
    text = "2022年5月，依照《刑法修正案（三十）》第二条。"
    assert only(sample_library, text).kind == "no_such_law"


def test_interpretations_named_without_brackets_are_not_the_law_they_explain(
    sample_library: Library,
) -> None:
    title = "最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定"
    for written in (title, f"《{title}》", title.replace("《", "〈").replace("》", "〉")):
        finding = only(sample_library, f"2021年5月，依照{written}第二十三条。")
        assert (finding.work, finding.kind) == (title, "right")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("贩卖毒品罪", "right"),
        ("容留他人吸毒罪", "right"),
        ("非法持有枪支罪", "right"),
        ("销售有毒、有害食品罪", "right"),
        ("危险驾驶罪", "right"),
        ("滥发林木罪", "wrong_name"),
        ("嫖宿幼女罪", "wrong_name"),
    ],
)
def test_crime_names_are_those_official_then_or_a_selection_from_one(
    sample_library: Library, name: str, kind: FindingKind
) -> None:
    finding = only(sample_library, f"2019年5月1日，被告人的行为构成{name}，应予处罚。")
    assert (finding.subject, finding.kind) == ("crime_name", kind)


def test_words_about_crimes_in_general_are_no_crime_names(sample_library: Library) -> None:
    text = "2019年5月1日，被告人犯数罪，犯前款罪，构成犯罪的，应当认罪，不是主观归罪。"
    assert not sample_library.verify(text).findings


@pytest.mark.parametrize(
    ("number", "kind", "reason"),
    [
        ("（2018）黔01刑终154号", "not_checked", "no_source_of_cases"),
        ("(2020)内0525刑初170号", "not_checked", "no_source_of_cases"),
        ("（2019）最高法民申1234号", "not_checked", "no_source_of_cases"),
        ("（2013）浙甬刑二终字第544号", "not_checked", "no_source_of_cases"),
        ("（2019）京99民终1234号", "not_checked", "no_source_of_cases"),
        ("（2019）京09民终1234号", "wrong_case_number", "unknown_court"),
        ("（2019）某99民终1234号", "not_checked", "no_source_of_cases"),
        ("（2031）京01民终1234号", "wrong_case_number", "year_after_document"),
        ("指导案例24号", "not_checked", "no_source_of_cases"),
    ],
)
def test_a_case_number_is_checked_for_its_form_and_never_for_its_case(
    sample_library: Library, number: str, kind: FindingKind, reason: str
) -> None:
    finding = only(sample_library, f"参见{number}一案。")
    assert (finding.subject, finding.kind, finding.reason) == ("case_number", kind, reason)
