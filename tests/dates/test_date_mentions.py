from __future__ import annotations

from datetime import date

import pytest

from inforce.dates import (
    Clock,
    DateMention,
    DateRange,
    find_dates,
    scan_dates,
    time_context,
)
from inforce.errors import DateError


def span(text: str) -> DateRange:
    """``2013-07-01..2013-07-31`` as a range, the last day included."""
    first, _, last = text.partition("..")
    return DateRange.inclusive(date.fromisoformat(first), date.fromisoformat(last or first))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("在2013年7月施行", "2013-07-01..2013-07-31"),
        ("现在是2004年3月，请背诵", "2004-03-01..2004-03-31"),
        ("于2020年1月25日正在施行", "2020-01-25..2020-01-25"),
        ("2013年6月15日21时许", "2013-06-15..2013-06-15"),
        ("2022 年 7 月 16 日收到", "2022-07-16..2022-07-16"),
        ("提交日为 2015年\n3月 8日", "2015-03-08..2015-03-08"),
        ("2016年07月05日", "2016-07-05..2016-07-05"),
        ("２０１３年７月", "2013-07-01..2013-07-31"),
        ("二〇一五年", "2015-01-01..2015-12-31"),
        ("一九九七年十月", "1997-10-01..1997-10-31"),
        ("1999年宪法修正案", "1999-01-01..1999-12-31"),
        ("1979年《中华人民共和国刑法》", "1979-01-01..1979-12-31"),
        ("2012年的6月", "2012-06-01..2012-06-30"),
        ("2014年9月24向法院", "2014-09-01..2014-09-30"),
        ("1.2016年11月8日凌晨", "2016-11-08..2016-11-08"),
        ("2013年春节前后", "2013-01-01..2013-12-31"),
        ("2012年农历10月份", "2012-01-01..2012-12-31"),
        ("农历1992年5月份", "1992-01-01..1992-12-31"),
        ("2015-10-12", "2015-10-12..2015-10-12"),
        ("2015.10.12", "2015-10-12..2015-10-12"),
        ("2015/10/12", "2015-10-12..2015-10-12"),
        ("2015-10 起", "2015-10-01..2015-10-31"),
        ("2015-10-12T08:45:44", "2015-10-12..2015-10-12"),
        ("in May 2010", "2010-05-01..2010-05-31"),
        ("on May 1, 2011.", "2011-05-01..2011-05-01"),
        ("on 1 May 2011", "2011-05-01..2011-05-01"),
        ("the 1st of May, 2011", "2011-05-01..2011-05-01"),
        ("in June, 1971, he", "1971-06-01..1971-06-30"),
        ("In 1976 Oscar sold", "1976-01-01..1976-12-31"),
        ("tax year 2025?", "2025-01-01..2025-12-31"),
        ("in the 1960s", "1960-01-01..1969-12-31"),
        ("1990年代", "1990-01-01..1999-12-31"),
        ("2020年末位淘汰", "2020-01-01..2020-12-31"),
        ("2018年3月底薪三千", "2018-03-01..2018-03-31"),
        ("2019年底价成交", "2019-01-01..2019-12-31"),
        ("2020年初三学生被打", "2020-01-01..2020-12-31"),
        ("2020年初三个月没发工资", "2020-01-01..2020-03-31"),
        ("二〇一〇年代", "2010-01-01..2019-12-31"),
        ("2020年代书遗嘱的效力", "2020-01-01..2020-12-31"),
        ("2021年代位继承", "2021-01-01..2021-12-31"),
        ("2013年代替考试", "2013-01-01..2013-12-31"),
        ("2010年代理人签的合同", "2010-01-01..2010-12-31"),
        ("在May 2010实施", "2010-05-01..2010-05-31"),
        ("2013年春天开始租", "2013-03-01..2013-05-31"),
        ("2012年夏，", "2012-06-01..2012-08-31"),
        ("2010年夏某偷了车", "2010-01-01..2010-12-31"),
        ("2008年冬天", "2008-12-01..2009-02-28"),
        ("13年国庆的时候", "2013-10-01..2013-10-31"),
        ("2019年春节借的", "2019-01-01..2019-02-28"),
        ("in the autumn of 1993 he", "1993-09-01..1993-11-30"),
        ("at the end of 2019, my boss", "2019-10-01..2019-12-31"),
        ("early 2015", "2015-01-01..2015-03-31"),
        ("强制证人到庭 被告人配偶例外 2014", "2014-01-01..2014-12-31"),
        ("工伤认定期限（2015）", "2015-01-01..2015-12-31"),
        ("2014 强制证人到庭", "2014-01-01..2014-12-31"),
        ("pension age, 2016?", "2016-01-01..2016-12-31"),
    ],
)
def test_a_date_in_running_text_is_the_days_it_covers(text: str, days: str, clock: Clock) -> None:
    (mention,) = find_dates(text, clock=clock)
    assert mention.range == span(days)
    assert text[mention.start : mention.end] == mention.text
    assert mention.kind == "absolute"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2018年6月至8月", "2018-06-01..2018-08-31"),
        ("2014年11月至2015年4月2日", "2014-11-01..2015-04-02"),
        ("2013年至2014年", "2013-01-01..2014-12-31"),
        ("2013-2014年", "2013-01-01..2014-12-31"),
        ("2001-2004", "2001-01-01..2004-12-31"),
        ("2015年11至12月间", "2015-11-01..2015-12-31"),
        ("2014年11月26日至28日", "2014-11-26..2014-11-28"),
        ("2014年1月至同年6月", "2014-01-01..2014-06-30"),
        ("2015年8月2日至同月12日", "2015-08-02..2015-08-12"),
        ("2002年8月23日起至2003年8月22日止", "2002-08-23..2003-08-22"),
        ("2013年7月份到12月25日", "2013-07-01..2013-12-25"),
        ("2014年初至8月", "2014-01-01..2014-08-31"),
        ("2013年5月下旬至6月上旬", "2013-05-21..2013-06-10"),
        ("2013年6月15日21时至16日2时", "2013-06-15..2013-06-16"),
        ("2014年11月至2月", "2014-11-01..2015-02-28"),
        ("2015-03-01 - 2015-04-01", "2015-03-01..2015-04-01"),
        ("between 2001 and 2004", "2001-01-01..2004-12-31"),
        ("from 2001 to 2004", "2001-01-01..2004-12-31"),
        ("from June to August 2018", "2018-06-01..2018-08-31"),
        ("from November to February 2018", "2017-11-01..2018-02-28"),
        ("March 4 through March 19, 2026", "2026-03-04..2026-03-19"),
        ("1 May to 3 June 2011", "2011-05-01..2011-06-03"),
        ("between May 2010 and June 2011", "2010-05-01..2011-06-30"),
    ],
)
def test_a_range_of_dates_includes_its_last(text: str, days: str, clock: Clock) -> None:
    (mention,) = find_dates(text, clock=clock)
    assert mention.range == span(days)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2010年上半年", "2010-01-01..2010-06-30"),
        ("2010年下半年", "2010-07-01..2010-12-31"),
        ("2010年初", "2010-01-01..2010-03-31"),
        ("2010年年底", "2010-10-01..2010-12-31"),
        ("2010年第一季度", "2010-01-01..2010-03-31"),
        ("2010年4季度", "2010-10-01..2010-12-31"),
        ("2010年5月上旬", "2010-05-01..2010-05-10"),
        ("2010年5月中旬", "2010-05-11..2010-05-20"),
        ("2010年2月下旬", "2010-02-21..2010-02-28"),
        ("2010年5月中下旬", "2010-05-11..2010-05-31"),
        ("2010年5月初", "2010-05-01..2010-05-10"),
        ("2010年5月底", "2010-05-21..2010-05-31"),
        ("2010年初中毕业", "2010-01-01..2010-12-31"),
    ],
)
def test_a_part_of_a_year_or_month_is_its_days(text: str, days: str, clock: Clock) -> None:
    (mention,) = find_dates(text, clock=clock)
    assert mention.range == span(days)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2011年7月29日和8月1日", ["2011-07-29..2011-07-29", "2011-08-01..2011-08-01"]),
        ("2012年9、10月", ["2012-09-01..2012-09-30", "2012-10-01..2012-10-31"]),
        ("2015年6月3日、10日", ["2015-06-03..2015-06-03", "2015-06-10..2015-06-10"]),
        ("2015年6月3、4日", ["2015-06-03..2015-06-03", "2015-06-04..2015-06-04"]),
        ("2013、2014年", ["2013-01-01..2013-12-31", "2014-01-01..2014-12-31"]),
        ("2015年3月1日，1月7日又", ["2015-03-01..2015-03-01", "2015-01-07..2015-01-07"]),
        ("2015年2月，5、7月24日", ["2015-02-01..2015-02-28", "2015-07-24..2015-07-24"]),
        ("2014年5月，同年3月", ["2014-05-01..2014-05-31", "2014-03-01..2014-03-31"]),
        ("2014年5月1日，同月12日", ["2014-05-01..2014-05-01", "2014-05-12..2014-05-12"]),
        ("2014年5月，次年2月1日", ["2014-05-01..2014-05-31", "2015-02-01..2015-02-01"]),
        ("2014年12月5日，次月3日", ["2014-12-05..2014-12-05", "2015-01-03..2015-01-03"]),
        ("2014年12月31日，次日", ["2014-12-31..2014-12-31", "2015-01-01..2015-01-01"]),
        ("2014年5月，当年年底", ["2014-05-01..2014-05-31", "2014-10-01..2014-12-31"]),
        ("2014年5月1日，同年同月3日", ["2014-05-01..2014-05-01", "2014-05-03..2014-05-03"]),
        ("On May 1, 2011; on June 3 he", ["2011-05-01..2011-05-01", "2011-06-03..2011-06-03"]),
        ("ten months of 2017, and in 2019", ["2017-01-01..2017-12-31", "2019-01-01..2019-12-31"]),
        ("most of 2016; my 2018 contract", ["2016-01-01..2016-12-31", "2018-01-01..2018-12-31"]),
        ("Is a guarantee contract of 2019 valid?", ["2019-01-01..2019-12-31"]),
        ("a 2019 guarantee contract, a loan of 2015 yuan", ["2019-01-01..2019-12-31"]),
        ("a loan of 2000", []),
        ("the Law of 2012 in 2014", ["2014-01-01..2014-12-31"]),
        ("in 2001 and 2004", ["2001-01-01..2001-12-31", "2004-01-01..2004-12-31"]),
    ],
)
def test_what_an_expression_lacks_comes_from_the_date_before(
    text: str, days: list[str], clock: Clock
) -> None:
    assert [m.range for m in find_dates(text, clock=clock)] == [span(day) for day in days]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("去年", "2019-01-01..2019-12-31"),
        ("去年3月入职", "2019-03-01..2019-03-31"),
        ("去年底", "2019-10-01..2019-12-31"),
        ("今年四月份，我入职", "2020-04-01..2020-04-30"),
        ("前年", "2018-01-01..2018-12-31"),
        ("上个月", "2019-12-01..2019-12-31"),
        ("今天", "2020-01-25..2020-01-25"),
        ("今日", "2020-01-25..2020-01-25"),
        ("昨天", "2020-01-24..2020-01-24"),
        ("last year", "2019-01-01..2019-12-31"),
        ("Last month", "2019-12-01..2019-12-31"),
        ("today", "2020-01-25..2020-01-25"),
    ],
)
def test_what_counts_from_today_counts_from_the_clock(text: str, days: str, clock: Clock) -> None:
    (mention,) = find_dates(text, clock=clock)
    assert mention.range == span(days)
    assert mention.kind == "clock"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("08年6月，员工把号码卖了", "2008-06-01..2008-06-30"),
        ("18年小区要修电梯", "2018-01-01..2018-12-31"),
        ("我18年买的房", "2018-01-01..2018-12-31"),
        ("98年3月结婚", "1998-03-01..1998-03-31"),
        ("零八年入职", "2008-01-01..2008-12-31"),
        ("九八年入职", "1998-01-01..1998-12-31"),
        ("在15年下半年", "2015-07-01..2015-12-31"),
        ("80年代", "1980-01-01..1989-12-31"),
        ("in '08", "2008-01-01..2008-12-31"),
        ("15年3月1日至16年2月", "2015-03-01..2016-02-29"),
        ("20100601", "2010-06-01..2010-06-01"),
        ("2010.6.1", "2010-06-01..2010-06-01"),
        ("2010.6", "2010-06-01..2010-06-30"),
        ("2010/6", "2010-06-01..2010-06-30"),
        ("自2015年3月起至今", "2015-03-01..2020-01-25"),
    ],
)
def test_short_years_and_forms_in_figures_are_read(text: str, days: str, clock: Clock) -> None:
    (mention,) = find_dates(text, clock=clock)
    assert (mention.range, mention.kind) == (span(days), "absolute")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("三年前借了钱", "2017-01-01..2017-12-31"),
        ("半年前", "2019-07-01..2019-07-31"),
        ("两个月前", "2019-11-01..2019-11-30"),
        ("十天前", "2020-01-15..2020-01-15"),
        ("两周前", "2020-01-11..2020-01-11"),
        ("大前年", "2017-01-01..2017-12-31"),
        ("明年", "2021-01-01..2021-12-31"),
        ("上月", "2019-12-01..2019-12-31"),
        ("three years ago", "2017-01-01..2017-12-31"),
        ("two months ago", "2019-11-01..2019-11-30"),
        ("a week ago", "2020-01-18..2020-01-18"),
    ],
)
def test_so_long_ago_counts_from_the_clock(text: str, days: str, clock: Clock) -> None:
    (mention,) = find_dates(text, clock=clock)
    assert (mention.range, mention.kind) == (span(days), "clock")


SHORT_LENGTHS = (
    "干了10年 10年后 30年产权 20年的工龄 12年级 09年级 10年5个月 七八年没见 满16年 10年期限"
    " 上限是20年还是25年 20年还是25年？ 最长是15年"
)
LENGTHS = "我10年没见他 开庭3天前 届满三十日前 金额2010.5元 近三年前后 说明年龄"


@pytest.mark.parametrize("text", " ".join((SHORT_LENGTHS, LENGTHS)).split())
def test_two_figures_before_年_are_mostly_a_length_of_time(text: str, clock: Clock) -> None:
    assert find_dates(text, clock=clock) == ()


TERMS = "10年以上 5年有期徒刑 缓期2年执行 三年以下 六个月 3年 一年内 二十年 15日内 怀孕七月"
SENTENCES = "有期徒刑13年6月 有期徒刑一年六月 拘役三月 她今年13岁"
NUMBERS = "(2014)光刑初字第00146号 国药准字H20046460 GB21900-2008 第201502140001号 法释〔2013〕8号"
MORE_NUMBERS = "公告2015年第60号 人民币2015元 2010年版 《2000年国际贸易术语解释通则》 五月天KTV"
YEARLY = "每年2月1日至4月30日 每年的4月至11月"
UNANCHORED = "1月7日 同年3月 次日 目前 现在 合同年限 以前年度 May"
ENGLISH = (
    "my 2000 yuan deposit",
    "our 1800 workers",
    "it may be 5 of them",
    "they march 2 miles",
    "Dec. 62",
    "in 2000 years",
    "2000 shares",
)


@pytest.mark.parametrize(
    "text",
    [
        *" ".join((TERMS, SENTENCES, NUMBERS, MORE_NUMBERS, YEARLY, UNANCHORED)).split(),
        *("每年 2 月 1 日至 4 月 30 日", "GB 1589-2016", "No. 2012-1598", *ENGLISH),
    ],
)
def test_durations_numbers_and_unanchored_words_are_no_dates(text: str, clock: Clock) -> None:
    assert find_dates(text, clock=clock) == ()


@pytest.mark.parametrize(
    ("text", "named", "reason"),
    [
        ("他于2013年2月30日被捕", "2013年2月30日", "2013-02 has 28 days"),
        ("在2013年13月", "2013年13月", "there is no month 13"),
        ("2013年3月，2月30日", "2月30日", "2013-02 has 28 days"),
        ("on February 30, 2013", "February 30, 2013", "2013-02 has 28 days"),
        ("2014年3月至2013年5月", "2014年3月至2013年5月", "the range ends before it begins"),
        ("signed 5/1/2011", "5/1/2011", "either way round"),
    ],
)
def test_an_impossible_date_is_never_dropped(
    text: str, named: str, reason: str, clock: Clock
) -> None:
    with pytest.raises(DateError, match=reason) as caught:
        find_dates(text, clock=clock)
    assert caught.value.text == named
    (unreadable,) = scan_dates(text, clock=clock).unreadable
    assert (unreadable.text, text[unreadable.start : unreadable.end]) == (named, named)


def test_a_scan_keeps_the_dates_beside_an_impossible_one(clock: Clock) -> None:
    scan = scan_dates("2013年2月30日借款，2014年还款", clock=clock)
    assert [m.text for m in scan.mentions] == ["2014年"]
    assert [u.text for u in scan.unreadable] == ["2013年2月30日"]


def test_the_calendar_ends_are_errors_not_crashes() -> None:
    assert find_dates("今年", clock=lambda: date.max)[0].range.end is None
    with pytest.raises(DateError, match="there is no year 0"):
        find_dates("去年", clock=lambda: date.min)
    with pytest.raises(DateError, match="the calendar ends here"):
        find_dates("昨天", clock=lambda: date.min)


def test_precision_of_a_range_is_the_vaguer_of_its_ends(clock: Clock) -> None:
    texts = ("2014年11月至2015年4月2日", "2013年至2014年", "2014年5月1日至3日", "2010年上半年")
    precisions = [find_dates(text, clock=clock)[0].precision for text in texts]
    assert precisions == ["month", "year", "day", "year"]


def roles(text: str, clock: Clock) -> list[tuple[str, str]]:
    return [(m.text, m.role) for m in find_dates(text, clock=clock)]


def test_a_setting_and_a_birth_are_told_from_facts(clock: Clock) -> None:
    text = (
        "在2015年的时间背景下，甲（1997年3月23日出生）、乙（2001年5月生）于2014年签约，5月3日付款"
    )
    assert roles(text, clock) == [
        ("2015年", "setting"),
        ("1997年3月23日", "birth"),
        ("2001年5月", "birth"),
        ("2014年", "contract"),
        ("5月3日", "fact"),
    ]
    assert find_dates(text, clock=clock)[-1].range == span("2014-05-03")


def test_learning_and_happening_are_not_being_born(clock: Clock) -> None:
    assert roles("学生于2014年7月入学，事故发生于2015年", clock)[0][1] == "fact"
    assert roles("出生于1990年9月20日", clock) == [("1990年9月20日", "birth")]


def context(text: str, clock: Clock) -> list[str]:
    return [f"{w.start}..{w.last}" for w in time_context(find_dates(text, clock=clock))]


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        ("没有日期", []),
        ("2013年3月，2011年5月1日", ["2011-05-01..2011-05-01", "2013-03-01..2013-03-31"]),
        ("2013年3月，2013年", ["2013-01-01..2013-12-31"]),
        ("2013年3月，4月", ["2013-03-01..2013-04-30"]),
        ("在2015年的时间背景下，2014年签约", ["2015-01-01..2015-12-31"]),
        ("1997年3月23日出生，2013年盗窃", ["2013-01-01..2013-12-31"]),
        ("1997年3月23日出生", []),
        ("孩子2011年3月23日出生，产假多少天", ["2011-03-23..2011-03-23"]),
        ("My baby was born in 2011; how long was maternity leave?", ["2011-01-01..2011-12-31"]),
    ],
)
def test_the_time_of_a_question_is_its_days_merged(
    text: str, windows: list[str], clock: Clock
) -> None:
    assert context(text, clock) == windows


def test_mentions_are_plain_values(clock: Clock) -> None:
    (mention,) = find_dates("2013年", clock=clock)
    assert mention == DateMention(0, 5, "2013年", span("2013-01-01..2013-12-31"), "year")


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2014年4月1日，被告人说今天就还钱。", "2014-04-01"),
        ("去年3月入职，2018年6月离职。", "2018-06-01 to 2018-06-30"),
        ("去年3月入职，5月离职。", "2019-03-01 to 2019-05-31"),
        ("我2018年6月办了卡，今年1月店关了。", "2018-06-01 to 2020-01-31"),
        ("2014年6月，他说今年1月还钱。", "2014-06-01 to 2014-06-30"),
        (
            "2004年他顶替我上学，刑法2018年3月新增了罪名，能追究当年那人吗",
            "2004-01-01 to 2004-12-31",
        ),
        ("2016年7月起诉，听说2019年条文改了，我当年那样合法吗", "2016-01-01 to 2016-12-31"),
        ("2015年3月偷了东西，2018年6月案子破了，8月要开庭", "2015-03-01 to 2015-03-31"),
        ("2015年4月占了货款，2018年9月报案，2019年5月法院判", "2015-04-01 to 2015-04-30"),
        ("今天被辞退。", "2020-01-25"),
    ],
)
def test_a_date_that_counts_from_today_gives_way_to_one_that_states_its_year(
    text: str, time: str
) -> None:
    days = time_context(find_dates(text, clock=lambda: date(2020, 1, 25)))
    assert f"{DateRange(days[0].start, days[-1].end)}" == time


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2017年10月之前的诉讼时效", "2017-09-01 to 2017-09-30"),
        ("2007年10月1日前签的合同", "2007-09-30"),
        ("2007年10月1日物权法施行前，签了合同", "2007-09-30"),
        ("2011年5月1日以前的行为", "2011-04-30"),
        ("claims from before October 2017", "2017-09-01 to 2017-09-30"),
        ("a will made prior to 2011", "2010-01-01 to 2010-12-31"),
        ("2012年前后的事", "2012-01-01 to 2012-12-31"),
        ("应于2012年5月1日以前还清", "2012-05-01"),
        ("2020年8月19日以前和以后的利息", "2020-08-19"),
    ],
)
def test_what_was_before_a_date_is_not_of_that_date(text: str, time: str, clock: Clock) -> None:
    days = time_context(find_dates(text, clock=clock))
    assert f"{DateRange(days[0].start, days[-1].end)}" == time


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2017年10月之前的诉讼时效", "2017年10月之前"),
        ("claims from before October 2017", "before October 2017"),
        ("2007年10月1日物权法施行前，签了合同", "2007年10月1日"),
    ],
)
def test_a_date_that_something_was_before_is_shown_with_that_word(
    text: str, shown: str, clock: Clock
) -> None:
    assert [one.text for one in find_dates(text, clock=clock)] == [shown]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("May a company buy its own shares? As of 2019", "2019-01-01 to 2019-12-31"),
        ("What if a product turns out to be dangerous? 2016", "2016-01-01 to 2016-12-31"),
        ("The flat came six months late in 2018", "2018-01-01 to 2018-12-31"),
        ("The flat came in late 2018", "2018-10-01 to 2018-12-31"),
    ],
)
def test_an_english_year_stands_at_the_end_or_after_a_delay(
    text: str, time: str, clock: Clock
) -> None:
    assert [str(days) for days in time_context(find_dates(text, clock=clock))] == [time]
