"""Which of the dates of a case a provision asks for, and which cases an interpretation reaches."""

from __future__ import annotations

import pytest
from made_law import case, day, on, timeline

from inforce.law.applicability import decide
from inforce.law.applicability.days import relevant_days
from inforce.law.applicability.interpretations import read_reached_cases
from inforce.law.applicability.values import ReachedCases
from inforce.law.former_law import predecessors
from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.amounts import read_facts
from inforce.law.penalties.fines import compare_fines, states_a_penalty
from inforce.law.penalties.offences import new_offence

CODE = "中华人民共和国民法典"
SUCCESSION = "中华人民共和国继承法"
MARRIAGE = "中华人民共和国婚姻法"
CONTRACTS = "中华人民共和国合同法"
CIVIL_PROCEDURE = "中华人民共和国民事诉讼法"
CRIMINAL_PROCEDURE = "中华人民共和国刑事诉讼法"
PENALTIES = "中华人民共和国行政处罚法"
LABOUR = "中华人民共和国劳动合同法"
TORTS = "中华人民共和国侵权责任法"
INJURIES = "最高人民法院关于审理人身损害赔偿案件适用法律若干问题的解释"


@pytest.mark.parametrize(
    ("work", "article", "text", "role", "days"),
    [
        (SUCCESSION, 20, "2015年立公证遗嘱，2020年12月31日去世", "death", "2020-12-31"),
        (CODE, 1142, "2015年立公证遗嘱，2021年1月1日去世", "death", "2021-01-01"),
        (CODE, 188, "2015年3月1日签订合同，2016年5月1日到期", "due", "2016-05-01"),
        (CODE, 188, "2015年3月1日侵权，2016年5月1日才知道", "known", "2016-05-01"),
        (CODE, 1053, "2020年12月31日结婚，2021年3月1日起诉", "marriage", "2020-12-31"),
        (CODE, 1079, "2015年3月1日结婚，2021年3月1日起诉离婚", "filing", "2021-03-01"),
        (MARRIAGE, 32, "2015年3月1日结婚，2020年3月1日离婚", "divorce", "2020-03-01"),
        (CODE, 496, "2020年3月1日签订合同，2021年3月1日违约", "contract", "2020-03-01"),
        (CONTRACTS, 52, "2020年3月1日签订合同，2021年3月1日违约", "contract", "2020-03-01"),
        (CODE, 577, "2020年3月1日签订合同，2021年3月1日违约", "fact", "2021-03-01"),
        (CIVIL_PROCEDURE, 119, "2012年5月1日侵权，2013年1月1日起诉", "filing", "2013-01-01"),
        (CRIMINAL_PROCEDURE, 79, "2012年5月盗窃，2013年1月1日被抓", "investigation", "2013-01-01"),
        (CRIMINAL_PROCEDURE, 54, "2012年5月1日盗窃，2013年1月1日开庭", "trial", "2013-01-01"),
        (PENALTIES, 33, "2021年7月1日违法，7月15日作出处罚决定", "decision", "2021-07-15"),
        (LABOUR, 82, "2007年5月1日入职，2009年3月1日离职", "fact", "2009-03-01"),
        (TORTS, 16, "2020年3月1日撞伤，2021年3月1日起诉", "fact", "2020-03-01"),
        (INJURIES, 15, "2022年4月10日被撞，2022年5月6日因伤死亡", "fact", "2022-04-10"),
        (INJURIES, 15, "2022年5月6日死亡", "fact", "2022-05-06"),
    ],
)  # fmt: skip
def test_the_day_that_counts_depends_on_the_rule(
    work: str, article: int, text: str, role: str, days: str
) -> None:
    counted = relevant_days(work, ProvisionNumber.article(article), case(text))
    assert (counted.role, counted.days) == (role, (on(days),))


def test_a_step_nobody_dates_is_taken_to_be_on_the_day_asked_about_and_said() -> None:
    counted = relevant_days(CIVIL_PROCEDURE, ProvisionNumber.article(119), case("2012年5月1日"))
    assert "2012-05-01" in counted.note
    undated = relevant_days(CIVIL_PROCEDURE, ProvisionNumber.article(119), case("起诉条件"))
    assert (undated.note, undated.days) == ("", (on("2026-11-20"),))


def test_days_given_by_option_are_the_days_of_every_fact() -> None:
    from inforce.dates import read_case_dates

    dates = read_case_dates(
        "2015年立遗嘱，2020年去世", clock=lambda: day("2026-11-20"), as_of=on("2022-01-01")
    )
    counted = relevant_days(SUCCESSION, ProvisionNumber.article(20), dates)
    assert counted.days == (on("2022-01-01"),)


def test_an_administrative_decision_is_the_trial_of_a_violation() -> None:
    counted = relevant_days(
        "中华人民共和国食品安全法",
        ProvisionNumber.article(124),
        case("2021年3月1日销售，2021年9月1日作出处罚决定"),
    )
    assert (counted.days, counted.trial) == ((on("2021-03-01"),), on("2021-09-01"))


FINE = "处{}罚款。"


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("五万元以上五十万元以下的", "一万元以上十万元以下的", "lighter"),
        ("一万元以上十万元以下的", "五万元以上五十万元以下的", "heavier"),
        ("一万元以上十万元以下的", "五千元以上十万元以下的", "lighter"),
        ("一万元以下的", "一万元以下的", "same"),
        ("货值金额五倍以上十倍以下的", "货值金额十五倍以上三十倍以下的", "heavier"),
        ("五万元", "三万元", "lighter"),
        ("五万元以下的", "货值金额五倍以下的", "cannot decide"),
    ],
)
def test_fines_are_compared_by_maximum_then_minimum(old: str, new: str, result: str) -> None:
    assert compare_fines(FINE.format(old), FINE.format(new)).result == result


def test_a_violation_described_anew_is_not_compared_by_its_fine() -> None:
    old, new = "未取得许可的，处五万元以下罚款。", "未备案的，处三万元以下罚款。"
    assert compare_fines(old, new).result == "cannot decide"


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("处五万元以下罚款。", True),
        ("吊销营业执照。", True),
        ("处五日以上十日以下拘留。", True),
        ("当事人有权陈述和申辩。", False),
    ],
)
def test_provisions_that_state_a_penalty_are_known(text: str, states: bool) -> None:
    law = timeline("中华人民共和国食品安全法", "124", ("2015-10-01", None, text))
    assert states_a_penalty(law) == states


def dairy(*, lighter: bool) -> str:
    return "处五万元以下罚款。" if lighter else "处五十万元以下罚款。"


@pytest.mark.parametrize("lighter", [True, False])
@pytest.mark.parametrize(
    ("decision", "compared"),
    [
        ("2021-07-14", False),
        ("2021-07-15", True),
        ("2021-07-16", True),
        ("2022-01-01", True),
    ],
)
def test_every_administrative_penalty_follows_the_lighter_law_since_2021_07_15(
    decision: str, compared: bool, lighter: bool
) -> None:
    law = timeline(
        "中华人民共和国广告法",
        "57",
        ("2015-09-01", "2021-04-29", "处二十万元以下罚款。"),
        ("2021-04-29", None, dairy(lighter=lighter)),
    )
    text = f"2021年3月1日发布广告，{decision}作出处罚决定"
    result = decide(law, case(text), facts=read_facts(text))
    later = result.span is not None and result.span.window.start == day("2021-04-29")
    assert later == (compared and lighter)
    cited = [str(one.number.short) for one in result.authority]
    assert cited == (["37"] if compared else [])


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        ("本解释施行后尚未终审的案件，适用本解释；施行前已经终审的，不适用本解释。", "pending"),
        ("本规定施行后，人民法院正在审理的一审、二审案件适用本规定。", "pending"),
        ("本规定施行后，人民法院新受理的一审民间借贷纠纷案件，适用本规定。", "filed"),
        ("本解释自2020年1月1日起施行。", "unstated"),
    ],
)
def test_an_interpretation_says_which_cases_it_reaches(text: str, reach: str) -> None:
    assert read_reached_cases(text) == reach


@pytest.mark.parametrize(
    ("reach", "text", "governs"),
    [
        ("pending", "2019年5月借款，2020年9月1日判决", True),
        ("pending", "2019年5月借款，2020年8月19日判决", False),
        ("filed", "2019年5月借款，2020年8月20日起诉，2020年12月1日判决", True),
        ("filed", "2019年5月借款，2020年8月19日起诉，2020年12月1日判决", False),
    ],
)
def test_an_interpretation_reaches_the_cases_it_names(
    reach: ReachedCases, text: str, governs: bool
) -> None:
    rule = timeline(
        "最高人民法院关于审理民间借贷案件适用法律若干问题的规定",
        "26",
        ("2015-09-01", "2020-08-20", "年利率百分之二十四。"),
        ("2020-08-20", None, "一年期贷款市场报价利率四倍。"),
    )
    result = decide(rule, case(text), facts=read_facts(text), reached_cases=reach)
    later = result.span is not None and result.span.window.start == day("2020-08-20")
    assert later == governs


@pytest.mark.parametrize(
    ("injured", "wording"),
    [("2022-04-30", "2021-01-01"), ("2022-05-01", "2022-05-01"), ("2022-05-02", "2022-05-01")],
)
def test_an_interpretation_that_reaches_only_later_facts_leaves_earlier_ones_to_the_former(
    injured: str, wording: str
) -> None:
    rule = timeline(
        INJURIES,
        "15",
        ("2021-01-01", "2022-05-01", "按照城镇居民人均可支配收入或者农村居民人均纯收入标准。"),
        ("2022-05-01", None, "按照城镇居民人均可支配收入标准。"),
    )
    text = f"{injured}被撞伤，2022年6月1日起诉，2022年9月1日判决"
    result = decide(rule, case(text), facts=read_facts(text), reached_cases="facts")
    assert result.verdict == "decided"
    assert result.span is not None
    assert result.span.window.start == day(wording)


def test_who_is_indicted_is_tried_no_earlier() -> None:
    counted = relevant_days(
        "中华人民共和国刑法",
        ProvisionNumber.article(201),
        case("2008年10月1日偷税，2009年9月1日检察院起诉"),
    )
    assert (counted.days, counted.trial) == ((on("2008-10-01"),), on("2009-09-01"))


def test_an_interpretation_of_the_civil_code_does_not_reach_facts_before_it() -> None:
    rule = timeline(
        "最高人民法院关于适用《中华人民共和国民法典》有关担保制度的解释",
        "32",
        ("2021-01-01", None, "视为约定不明。"),
    )
    text = "2019年5月保证，2021年3月判决"
    result = decide(rule, case(text), facts=read_facts(text), reached_cases="pending")
    assert (result.verdict, result.governs) == ("decided", False)


@pytest.mark.parametrize(
    ("article", "on_day", "expected"),
    [
        (188, "2017-09-30", ("民法通则",)),
        (188, "2017-10-01", ("民法总则", "民法通则")),
        (188, "2020-12-31", ("民法总则", "民法通则")),
        (188, "2021-01-01", ()),
        (577, "1999-09-30", ("经济合同法", "民法通则")),
        (577, "1999-10-01", ("合同法", "民法通则")),
        (1079, "2015-01-01", ("婚姻法",)),
        (1142, "2015-01-01", ("继承法",)),
        (1165, "2010-06-30", ("民法通则",)),
        (1165, "2010-07-01", ("侵权责任法", "民法通则")),
    ],
)
def test_the_law_that_held_a_matter_before_the_civil_code_is_known(
    article: int, on_day: str, expected: tuple[str, ...]
) -> None:
    found = predecessors(CODE, ProvisionNumber.article(article), day(on_day))
    assert tuple(one.removeprefix("中华人民共和国") for one in found) == expected


@pytest.mark.parametrize(
    ("trial", "governs_new"), [("2021-02-28", False), ("2021-03-01", True), ("2022-01-01", True)]
)
def test_a_new_crime_that_is_lighter_than_what_punished_the_act_reaches_back(
    trial: str, governs_new: bool
) -> None:
    new = timeline(
        "中华人民共和国刑法",
        "291-2",
        ("2021-03-01", None, "从高空抛掷物品，情节严重的，处一年以下有期徒刑、拘役或者管制。"),
        commenced="2021-03-01",
    )
    former = timeline(
        "中华人民共和国刑法",
        "114",
        ("1997-10-01", None, "危害公共安全，尚未造成严重后果的，处三年以上十年以下有期徒刑。"),
    )
    text = f"2020年5月1日高空抛物，{trial}判决"
    result = decide(new, case(text), facts=read_facts(text), former_offences=(former,))
    assert result.governs == governs_new


def test_crimes_created_for_conduct_others_punished_name_them() -> None:
    found = new_offence(ProvisionNumber.parse("133-2"))
    assert found is not None
    assert [one.short for one in found.former] == ["114"]
    assert new_offence(ProvisionNumber.article(264)) is None


COMPANIES = timeline(
    "中华人民共和国公司法",
    "266",
    ("2024-07-01", None, "本法施行前已登记设立的公司，出资期限超过本法规定的，应当逐步调整。"),
)


@pytest.mark.parametrize(
    ("text", "governs"),
    [
        ("2024年6月30日设立的公司，认缴到2050年", True),
        ("2017年5月1日设立的公司", True),
        ("2017年5月1日设立的公司，当时要几年内缴足", False),
        ("2017年5月1日设立，2024年6月30日判决", False),
        ("2017年5月1日设立，2024年7月1日判决", True),
    ],
)
def test_a_provision_that_speaks_of_facts_before_its_law_is_applied_since_it_commenced(
    text: str, governs: bool
) -> None:
    result = decide(COMPANIES, case(text), facts=read_facts(text))
    assert result.governs == governs


def test_other_provisions_of_the_law_do_not_reach_back() -> None:
    law = timeline(
        "中华人民共和国公司法", "47", ("2024-07-01", None, "自公司成立之日起五年内缴足。")
    )
    result = decide(law, case("2017年5月1日设立的公司"))
    assert not result.governs


@pytest.mark.parametrize(
    ("day_named", "governs"), [("2024-06-29", True), ("2024-06-30", True), ("2024-07-01", False)]
)
def test_a_rule_for_what_was_registered_before_a_day_holds_up_to_that_day(
    day_named: str, governs: bool
) -> None:
    law = timeline(
        "国务院关于实施《中华人民共和国公司法》注册资本登记管理制度的规定",
        "2",
        ("2024-07-15", None, "2024年6月30日前登记设立的公司，应当在2027年6月30日前调整。"),
    )
    assert decide(law, case(f"{day_named}设立的公司")).governs == governs


def test_an_instrument_on_time_is_applied_where_the_case_was_still_pending() -> None:
    law = timeline(
        "最高人民法院关于适用刑法时间效力规定若干问题的解释", "1", ("1997-10-01", None, "追诉。")
    )
    assert decide(law, case("1995年4月抢劫，2018年才抓获")).governs
    assert not decide(law, case("1995年4月抢劫，1996年5月抓获")).governs


def test_a_new_rule_that_favours_every_accused_reaches_an_act_before_it() -> None:
    law = timeline(
        "中华人民共和国刑法",
        "17-1",
        ("1997-10-01", "2011-05-01", None),
        ("2011-05-01", None, "已满七十五周岁的人故意犯罪的，可以从轻或者减轻处罚。"),
    )
    assert decide(law, case("2010年10月1日杀人，2011年11月1日开庭")).governs
    assert not decide(law, case("2010年10月1日杀人，2011年4月30日开庭")).governs
