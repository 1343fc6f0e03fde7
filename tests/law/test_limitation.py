"""Limitation of prosecution and of claims: periods, first and last days, and what stops them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_law import case, day, on

from inforce.dates import DateRange
from inforce.law.limitation import (
    Limitation,
    Period,
    asks_about_limitation,
    limitation_of_claim,
    limitation_of_prosecution,
)
from inforce.law.penalties.ranges import find_ranges
from inforce.law.rules import LIMITATION_TWO_TO_THREE


def claim(text: str) -> Limitation:
    found = limitation_of_claim(text, case(text))
    assert found is not None
    return found


def prosecution(text: str, ranges: str) -> Limitation:
    found = limitation_of_prosecution(find_ranges(ranges), text, case(text))
    assert found is not None
    return found


def numbers(found: Limitation) -> list[str]:
    return [str(one.provision).removeprefix("中华人民共和国") for one in found.cited]


@pytest.mark.parametrize(
    ("due", "period", "over", "article"),
    [
        ("2014-09-30", "2 years", "2016-10-01", "民法通则 第一百三十五条"),
        ("2015-09-29", "2 years", "2017-09-30", "民法通则 第一百三十五条"),
        ("2015-09-30", "2 years", "2017-10-01", "民法通则 第一百三十五条"),
        ("2015-10-01", "3 years", "2018-10-02", "民法总则 第一百八十八条"),
        ("2016-12-31", "3 years", "2020-01-01", "民法总则 第一百八十八条"),
        ("2017-09-30", "3 years", "2020-10-01", "民法总则 第一百八十八条"),
        ("2017-10-01", "3 years", "2020-10-02", "民法总则 第一百八十八条"),
        ("2020-12-31", "3 years", "2024-01-01", "民法总则 第一百八十八条"),
        ("2021-01-01", "3 years", "2024-01-02", "民法典 第一百八十八条"),
        ("2021-01-02", "3 years", "2024-01-03", "民法典 第一百八十八条"),
    ],
)
def test_two_years_became_three_where_they_had_not_run_out_on_2017_10_01(
    due: str, period: str, over: str, article: str
) -> None:
    found = claim(f"货款{due}到期，何时过诉讼时效")
    assert (str(found.period), str(found.over)) == (period, over)
    assert numbers(found)[0] == article


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2012年5月1日身体受到伤害，诉讼时效多长", "1 year"),
        ("2016年12月1日被打伤，诉讼时效多长", "3 years"),
        ("2016年9月1日被打伤，诉讼时效多长", "1 year"),
        ("2019年5月1日身体受到伤害，诉讼时效多长", "3 years"),
        ("2007年10月1日发生劳动争议，申请仲裁的期限是多长", "60 days"),
        ("2008年5月1日发生劳动争议，申请仲裁的期限是多长", "1 year"),
        ("2015年4月30日知道行政行为，起诉期限多长", "3 months"),
        ("2015年5月1日知道行政行为，起诉期限多长", "6 months"),
        ("2016年5月1日国际货物买卖合同违约，诉讼时效多长", "4 years"),
        ("2019年5月1日得知侵犯专利权，诉讼时效多长", "2 years"),
        ("2021年6月1日得知侵犯专利权，诉讼时效多长", "3 years"),
        ("2016年5月1日产品存在缺陷受损，诉讼时效多长", "2 years"),
        ("2016年5月1日环境污染损害，诉讼时效多长", "3 years"),
        ("2018年3月违法行为，行政处罚的追责时效多长", "2 years"),
    ],
)
def test_special_claims_have_periods_of_their_own(text: str, period: str) -> None:
    assert str(claim(text).period) == period


@pytest.mark.parametrize(
    ("filed", "result"),
    [
        ("2020年1月1日", "over"),
        ("2019年12月31日", "within"),
        ("2019年6月", "within"),
        ("2020年3月", "over"),
    ],
)
def test_the_suit_comes_in_time_or_not(filed: str, result: str) -> None:
    assert claim(f"借款2016年12月31日到期，{filed}起诉，过了诉讼时效吗").result == result


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("保证期间没约定，债权人现在才主张，还来得及吗", False),
        ("2007年去申请执行，执行庭说过期了，期限是多久", False),
        ("2018年被逼着领了证，现在申请撤销还来得及吗", False),
        ("货款2016年到期，到底按两年还是三年算", True),
        ("保证期间内主张了，诉讼时效还有多久", True),
        ("约定2009年底还，2013年起诉晚没晚？", True),
        ("货款2016年到期，现在起诉晚了没", True),
    ],
)
def test_periods_after_which_a_right_is_gone_are_no_limitation(text: str, asks: bool) -> None:
    assert asks_about_limitation(text) is asks


def test_a_dismissed_worker_who_went_to_the_commission_has_the_period_of_labour_law() -> None:
    found = claim("2008年1月10日被厂里开除，4月20日去仲裁委申请，过期了吗")
    assert str(found.period) == "60 days"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("借款2016年12月31日到期，现在起诉晚了吗", "over"),
        ("借款2016年12月31日到期，过了诉讼时效吗", "not asked"),
        ("The loan fell due on 2016-12-31. Is it too late to sue now?", "over"),
    ],
)
def test_a_suit_of_now_is_one_of_today(text: str, result: str) -> None:
    assert claim(text).result == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("2014年5月1日借给朋友5万元，2020年6月1日起诉，过了诉讼时效吗", "cannot_decide"),
        ("2018年5月1日签订合同，2022年6月1日起诉，过了诉讼时效吗", "cannot_decide"),
        ("2018年5月1日签订合同，2020年6月1日起诉，过了诉讼时效吗", "within"),
        ("2018年5月1日借款到期，2022年6月1日起诉，过了诉讼时效吗", "over"),
        ("2014年5月1日被打伤，2020年6月1日起诉，过了诉讼时效吗", "over"),
    ],
)
def test_a_debt_is_not_over_before_the_day_performance_was_due_is_known(
    text: str, result: str
) -> None:
    found = claim(text)
    assert found.result == result
    if result == "cannot_decide":
        assert found.over is None
        assert any("due" in one for one in found.establish)


@pytest.mark.parametrize(
    ("filed", "with_the_change"),
    [
        ("2013年", False),
        ("2017年9月29日", False),
        ("2017年9月30日", False),
        ("2017年10月1日", True),
        ("2017年10月2日", True),
    ],
)
def test_a_suit_before_the_change_of_2017_is_judged_without_it(
    filed: str, with_the_change: bool
) -> None:
    found = claim(f"借款2009年12月31日到期，{filed}起诉，过了诉讼时效吗")
    assert found.result == "over"
    assert (found.rule is LIMITATION_TWO_TO_THREE) is with_the_change
    assert len(found.cited) == 1 + with_the_change


def test_a_repealed_interpretation_is_cited_as_it_last_stood() -> None:
    found = claim("借款2016年12月31日到期，2022年3月1日起诉，过了诉讼时效吗")
    assert found.cited[-1].on == date(2020, 12, 31)


def test_a_month_around_the_last_day_leaves_it_open() -> None:
    found = claim("借款2016年12月到期，2019年12月起诉，过了诉讼时效吗")
    assert found.result == "cannot_decide"
    assert found.establish


@pytest.mark.parametrize(
    ("due", "demand", "over", "result", "article"),
    [
        ("2015-04-01", "2016-03-31", "2019-04-01", "over", "民法通则 第一百四十条"),
        ("2016-04-01", "2018-03-31", "2021-04-01", "within", "民法总则 第一百九十五条"),
        ("2016-04-01", "2019-03-31", "2022-04-01", "within", "民法总则 第一百九十五条"),
        ("2016-04-01", "2019-04-02", "2019-04-02", "over", None),
    ],
)
def test_a_demand_in_time_makes_the_period_begin_anew(
    due: str, demand: str, over: str, result: str, article: str | None
) -> None:
    found = claim(f"货款{due}到期，{demand}发过律师函，2021-03-01起诉，过诉讼时效了吗")
    assert (str(found.over), found.result) == (over, result)
    assert (article in numbers(found)) if article else "第一百九十五条" not in str(numbers(found))


@pytest.mark.parametrize(
    "text",
    [
        "Neighbour's dog bit me in February 2014. How long had I to go to court?",
        "The unpaid rent of my flat was due in May 2014. Is it too late to sue?",
    ],
)
def test_injuries_and_rent_had_one_year_before_2017(text: str) -> None:
    assert str(claim(text).period) == "1 year"


def test_a_later_fact_that_would_change_the_result_leaves_it_open() -> None:
    late = claim("2013年买的房，说好2014年10月交房，2016年3月才交，2019年2月起诉，过诉讼时效了吗")
    assert late.result == "cannot_decide"
    assert late.establish[0] == "on which of the days named the right was infringed"
    assert claim("货款2014年10月到期，2019年2月起诉，过诉讼时效了吗").result == "over"


def test_a_dismissed_worker_who_asks_in_english_has_the_period_of_labour_law() -> None:
    text = (
        "My employer fired me in August 2017; I applied for arbitration in October 2018. "
        "Am I too late?，劳动合同"
    )
    assert asks_about_limitation(text)
    assert claim(text).result == "over"


def test_a_demand_in_between_has_to_be_looked_at() -> None:
    found = claim("借款2018年5月1日到期，2020年多次催要，2022年5月起诉，过了诉讼时效吗")
    assert found.result == "within"
    assert found.establish == ("whether the claimant made the demand and can prove it",)
    open_still = claim("借款2018年5月1日到期，多次催要，2022年5月起诉，过了诉讼时效吗")
    assert any("interrupted" in one for one in open_still.establish)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("民间借贷的诉讼时效是几年", True),
        ("2015年借的钱现在还能起诉吗", True),
        ("盗窃5000元的追诉时效是多久", True),
        ("Is the claim time-barred after three years?", True),
        ("诉讼时效中断的情形有哪些", False),
        ("2018年过期食品怎么赔", False),
        ("保证期间多长", False),
        ("2018年签订合同，违约金多少", False),
        ("They stole it in 2004. Is prosecution still possible, or is it too late?", True),
        ("My tenant stopped paying in 2014. How long did I have to sue for the rent?", True),
        ("How long can a probation period be?", False),
    ],
)
def test_only_questions_about_a_period_of_limitation_get_one(text: str, asks: bool) -> None:
    assert asks_about_limitation(text) == asks


@pytest.mark.parametrize(
    ("ranges", "years"),
    [
        ("处拘役，并处罚金", 5),
        ("处三年以下有期徒刑", 5),
        ("处五年以下有期徒刑", 10),
        ("处三年以上七年以下有期徒刑", 10),
        ("处三年以上十年以下有期徒刑", 15),
        ("处十年以上有期徒刑", 15),
        ("处十年以上有期徒刑或者无期徒刑", 20),
        ("处死刑", 20),
    ],
)
def test_the_maximum_of_the_tier_gives_the_period(ranges: str, years: int) -> None:
    found = prosecution("2000年5月1日犯罪，2001年立案", ranges)
    assert str(found.period) == f"{years} years"
    assert str(found.over) == f"{2000 + years}-05-01"


@pytest.mark.parametrize(
    ("opened", "result"),
    [
        ("2005年4月29日", "within"),
        ("2005年4月30日", "within"),
        ("2005年5月1日", "over"),
        ("2005年5月2日", "over"),
        ("2005年", "cannot_decide"),
    ],
)
def test_prosecution_is_barred_on_the_day_the_period_is_over(opened: str, result: str) -> None:
    found = prosecution(f"2000年5月1日盗窃，{opened}立案侦查", "处三年以下有期徒刑")
    assert found.result == result


def test_an_act_that_lasted_counts_from_its_end() -> None:
    text = "从2000年5月1日至2003年6月30日一直非法拘禁，2008年1月立案"
    assert prosecution(text, "处三年以下有期徒刑").result == "within"


def test_of_several_tiers_it_is_open_where_they_lead_to_different_results() -> None:
    text = "2000年5月1日盗窃，2008年立案"
    found = prosecution(text, "处三年以下有期徒刑；处三年以上十年以下有期徒刑")
    assert (found.result, bool(found.establish)) == ("cannot_decide", True)


def test_who_flees_after_the_case_was_opened_is_never_barred() -> None:
    text = "2000年5月1日打人致轻伤，公安机关立案后潜逃，2010年5月被抓获"
    found = prosecution(text, "处三年以下有期徒刑")
    assert found.result == "no limit"
    assert numbers(found) == ["刑法 第八十八条"]


@pytest.mark.parametrize(
    ("act", "step", "result"),
    [
        ("1997年9月30日", "立案并决定拘留", "no limit"),
        ("1997年9月30日", "立案", "cannot_decide"),
        ("1997年10月1日", "立案", "no limit"),
    ],
)
def test_for_acts_before_1997_10_01_only_flight_from_coercive_measures_counts(
    act: str, step: str, result: str
) -> None:
    text = f"{act}打人致轻伤，公安机关{step}，他随即外逃，2016年1月被抓获"
    found = prosecution(text, "处三年以下有期徒刑")
    assert found.result == result
    former = act.startswith("1997年9")
    cited = "最高人民法院关于适用刑法时间效力规定若干问题的解释 第一条"
    assert numbers(found) == [cited if former else "刑法 第八十八条"]


def test_after_twenty_years_the_procuratorate_may_still_approve() -> None:
    found = prosecution("1999年5月1日杀人，2020年5月立案", "处死刑")
    assert found.result == "over"
    assert any("Procuratorate" in one for one in found.establish)


def test_a_case_without_dates_has_no_limitation() -> None:
    assert limitation_of_prosecution(find_ranges("处死刑"), "杀人", case("杀人")) is None


@given(
    began=st.dates(day("1990-01-01"), day("2020-12-31")),
    count=st.integers(1, 20),
    unit=st.sampled_from(["years", "months", "days"]),
)
def test_a_period_ends_after_it_began_and_later_the_longer_it_is(
    began: object, count: int, unit: str
) -> None:
    days = on(str(began))
    shorter = Period(count, unit).after(days)  # pyright: ignore[reportArgumentType]
    longer = Period(count + 1, unit).after(days)  # pyright: ignore[reportArgumentType]
    assert days.start < shorter.start < longer.start


def test_a_period_from_the_29th_of_february_ends_within_february() -> None:
    assert Period(1, "years").after(on("2020-02-29")) == on("2021-02-28")


def test_a_period_from_a_month_is_known_to_the_month() -> None:
    month = DateRange(day("2015-06-01"), day("2015-07-01"))
    assert str(Period(2, "years").after(month)) == "2017-06-01 to 2017-06-30"
