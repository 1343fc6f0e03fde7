"""The dates of a case: which event each is the date of, and that two never become one range."""

from __future__ import annotations

import re
from datetime import date
from importlib import resources
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.dates import CaseDates, DateRange, DateRole, read_case_dates
from inforce.errors import DateError


def read(text: str, *, as_of: DateRange | None = None, trial: DateRange | None = None) -> CaseDates:
    return read_case_dates(text, clock=lambda: date(2026, 11, 22), as_of=as_of, trial=trial)


def spans(ranges: tuple[DateRange, ...]) -> list[str]:
    return [str(days) for days in ranges]


ROLES = [
    # The word after the date, in its clause.
    ("2021年4月8日开庭", ["trial"]),
    ("一审2021年2月审理", ["trial"]),
    ("2016年5月判决，最高刑是什么", ["judgment"]),
    ("同案2011年9月判处死刑缓期执行", ["judgment"]),
    ("2011年8月数罪并罚", ["judgment"]),
    ("2008年10月偷税，2009年4月税务机关下达追缴通知", ["fact", "decision"]),
    ("2022年4月10日被车撞伤，2022年5月6日因伤死亡", ["fact", "death"]),
    ("My father died in Guangzhou in November 2020 without a will", ["death"]),
    ("Due on 1 May 2016. Can I still sue in 2018?", ["due", "filing"]),
    ("The licence was issued in 2018", ["fact"]),
    ("2016年借了六十万，债主2017年把我告了", ["fact", "filing"]),
    ("2014年卖了银行卡，到现在2026年了", ["fact", "now"]),
    ("2019年注册，认缴期限写到2049年", ["fact", "term"]),
    ("2049年打人", ["fact"]),
    ("2022年4月10日被车撞，2022年5月6日伤重不治去世", ["fact", "death"]),
    ("2014年受贿，2016年5月判的", ["fact", "judgment"]),
    ("2020年10月砸坏了车，2021年4月开的庭", ["fact", "trial"]),
    ("2009年因抢劫被判无期徒刑，2013年办理减刑", ["judgment", "execution"]),
    ("2008年盗窃，2009年判了五年，2012年假释", ["fact", "judgment", "execution"]),
    ("2021年9月15日法院作出判决", ["judgment"]),
    ("债权人2021年3月起诉保证人", ["filing"]),
    ("2017年1月才去法院告", ["filing"]),
    ("2021年2月请求撤销婚姻", ["filing"]),
    ("2020年9月监察机关移送起诉", ["filing"]),
    ("2016年1月他被抓获归案", ["investigation"]),
    ("2009年2月被公安拘留", ["investigation"]),
    ("2015年3月公安机关立案", ["investigation"]),
    ("2019年5月立案调查", ["investigation"]),
    ("2022年3月作出处罚决定", ["decision"]),
    ("2016年3月10日收到行政处罚决定书", ["known"]),
    ("遗嘱人2020年11月20日死亡", ["death"]),
    ("父亲2019年去世", ["death"]),
    ("2015年立公证遗嘱，2019年另立自书遗嘱", ["will", "will"]),
    ("2023年12月登记结婚", ["marriage"]),
    ("2018年离婚", ["divorce"]),
    ("主债务2019年12月31日到期", ["due"]),
    ("2017年9月30日借款到期", ["due"]),
    ("2013年12月与乙公司签订合同", ["contract"]),
    ("2018年5月1日公告", ["announcement"]),
    ("2024年7月1日起施行", ["law"]),
    ("张某1997年3月23日出生", ["birth"]),
    ("2021年6月子女为遗嘱效力诉至法院", ["filing"]),
    ("2021年6月立遗嘱", ["will"]),
    ("租期2020年10月届满，承租人2021年3月主张优先承租权", ["due", "claim"]),
    # The word that leads up to the date.
    ("行为发生在2020年6月，2021年8月开庭", ["fact", "trial"]),
    ("合同签订于2015年，2019年判决", ["contract", "judgment"]),
    ("应付款日为2019年6月", ["due"]),
    ("审判日期为 2021-04-08，事实发生于 2020-10-12", ["trial", "fact"]),
    ("离婚诉讼在2025年6月审理", ["trial"]),
    # A date set off by a comma takes the clause that follows.
    ("2014年5月，周某伪造借条并向法院提起民事诉讼", ["fact"]),
    ("2016年7月，孙某买了香肠，随后起诉", ["fact"]),
    ("2021年8月，法院开庭审理", ["trial"]),
    ("双方2021年8月在法院争议这一条款", ["trial"]),
    ("2015年8月故意犯罪，2016年3月处理，是否一律执行死刑", ["fact", "trial"]),
    ("2010年6月犯故意杀人罪，审判时（2011年12月）已满七十六周岁", ["fact", "trial"]),
    ("判决2011年10月20日生效，2013年3月申请再审", ["judgment", "filing"]),
    ("合同2011年10月20日生效", ["law"]),
    ("2021年3月在法院起诉", ["filing"]),
    ("2019年6月在法院门口被撞伤", ["fact"]),
    ("2019年6月把旧车处理，买了新车", ["fact"]),
    ("2013年2月准备以原判决适用法律错误为由申请再审", ["filing"]),
    # The words on both sides of the date are one clause.
    ("公安2002年立了案", ["investigation"]),
    ("派出所2021年9月拘了他十天", ["investigation"]),
    ("法院2022年5月驳回了我", ["judgment"]),
    ("人社局2020年9月不予认定工伤", ["decision"]),
    ("检察院2021年12月把案子诉到区法院", ["filing"]),
    ("2020年10月开庭前，我2019年5月发过律师函", ["trial", "claim"]),
    ("环保组织于2016年4月提起公益诉讼", ["filing"]),
    ("房东2022年8月找上门要钱", ["claim"]),
    # As people say it.
    ("案子出在2001年7月，2024年1月人才逮住", ["fact", "investigation"]),
    ("18年摔断了腿，2021年才去打官司", ["fact", "filing"]),
    ("我爸2019年突然走了，2012年写过遗嘱", ["death", "will"]),
    ("2010年打的结婚证，2022年离的", ["marriage", "divorce"]),
    ("条子是2021年3月打的，说好2022年3月还", ["contract", "due"]),
    ("2014年开始集资，2019年8月才扒出来是骗局", ["fact", "known"]),
    ("2009年减刑出狱", ["execution"]),
    ("打了欠条，老板说2018年12月给，2019年10月催过", ["due", "claim"]),
    ("2019年6月受伤，2021年2月确诊骨头坏死", ["fact", "result"]),
    ("2020年9月犯罪，2021年6月量刑", ["fact", "judgment"]),
    ("租约订到2030年8月，2023年6月卖了楼", ["term", "fact"]),
    ("2016年买的手镯，如今2025年了", ["fact", "now"]),
    ("2017年成立的公司，2025年3月股东问：要不要改", ["fact", "now"]),
    # A law that came or changed is no fact.
    ("2018年偷录，刑法2020年3月改了", ["fact", "law"]),
    ("醉驾入刑是2011年5月1日才有的，我2011年4月30日喝了酒开车", ["law", "fact"]),
    ("2018年超生，按2016年的规定能算吗", ["fact", "law"]),
    ("根据2016年6月的法律，贪污八万怎么判", ["setting"]),
    ("合同2012年12月签的，2013年7月1日新法一出就变了", ["contract", "law"]),
    # What did not happen on the date does not name it.
    ("2007年3月进厂一直没签合同", ["fact"]),
    ("2019年6月想让保姆一直住到去世", ["fact"]),
    ("2022年想离婚", ["fact"]),
    # Numbers of laws are no suits.
    ("民事诉讼法第二百条在2019年6月规定的是什么", ["fact"]),
    # English.
    ("The contract was concluded in March 2015", ["contract"]),
    ("the testator died in March 2020; the suit was filed in 2021", ["death", "filing"]),
    ("He stole it in May 2010 and was sentenced in June 2012", ["fact", "judgment"]),
    ("As of May 2010, was it a crime?", ["setting"]),
    ("The court refused my divorce in May 2019. In July 2021 I file.", ["judgment", "filing"]),
    ("I bought it in 2016 and only found out in 2020 that it was fake", ["fact", "known"]),
    ("She was hurt in 2013. I did not know until 2018", ["fact", "known"]),
    ("Judgment is due in May 2022", ["judgment"]),
]


@pytest.mark.parametrize(("text", "roles"), ROLES)
def test_the_words_around_a_date_say_which_event_it_is_the_date_of(
    text: str, roles: list[str]
) -> None:
    assert [one.role for one in read(text).dates] == roles


def test_the_table_of_events_has_known_roles_and_every_phrase_once() -> None:
    text = resources.files("inforce.dates").joinpath("events.txt").read_text(encoding="utf-8")
    roles: list[str] = []
    phrases: list[tuple[str, str]] = []
    for line in filter(None, text.splitlines()):
        if line.startswith("#"):
            continue
        if match := re.fullmatch(r"\[([a-z]+)\]", line):
            roles.append(match[1])
        else:
            phrases.append((roles[-1], line))
            assert re.compile(line).fullmatch("") is None, "an empty phrase is everywhere"
    assert set(roles) <= set(get_args(DateRole)) and len(set(roles)) == len(roles)
    assert len(set(phrases)) == len(phrases) > 800


@pytest.mark.parametrize(
    ("text", "facts", "trial"),
    [
        ("2018年10月坠物伤人，一审2021年2月审理", ["2018-10-01 to 2018-10-31"], "2021-02"),
        ("2010年8月抢劫，2011年9月12日宣判", ["2010-08-01 to 2010-08-31"], "2011-09-12"),
        ("2014年3月货款到期，2017年1月起诉", ["2014-03-01 to 2014-03-31"], None),
        ("2015年5月1日和2019年2月各偷一次", ["2015-05-01", "2019-02-01 to 2019-02-28"], None),
        ("2019年1月至12月集资，2021年9月15日判决", ["2019-01-01 to 2019-12-31"], "2021-09-15"),
        ("甲自2019年5月起吸收存款，持续至2021年4月", ["2019-05-01 to 2021-04-30"], None),
        ("2015年3月至今拖欠工资", ["2015-03-01 to 2026-11-22"], None),
        ("2018年6月法院审理夫妻债务", ["2018-06-01 to 2018-06-30"], "2018-06"),
        ("2014年案发，2015年一审，2016年3月5日二审", ["2014-01-01 to 2014-12-31"], "2016-03-05"),
        ("1990年5月6日出生，2008年被抓", ["2008-01-01 to 2008-12-31"], None),
        ("没有日期的问题", ["2026-11-22"], None),
        # 当年 is the time of the facts, whatever date stands before it.
        ("2013年贪污，2016年5月一审，当年的规定是什么", ["2013-01-01 to 2013-12-31"], "2016-05"),
        ("2004年他顶替我，2021年6月查出，当年那人怎么办", ["2004-01-01 to 2004-12-31"], None),
        # Of two judgments the last is the trial.
        ("2014年9月判决下来，2016年2月判他拒执罪", ["2014-09-01 to 2014-09-30"], "2016-02"),
        # A day agreed upon, ahead of what has happened, is no day of the facts.
        ("2020年5月设立，承诺2050年5月缴足", ["2020-05-01 to 2020-05-31"], None),
    ],
)
def test_the_days_of_the_facts_and_of_the_trial_stay_apart(
    text: str, facts: list[str], trial: str | None
) -> None:
    dates = read(text)
    assert spans(dates.facts) == facts
    assert str(dates.trial).startswith(str(trial))


@pytest.mark.parametrize(
    ("text", "conduct"),
    [
        ("2019年1月至12月吸收存款", "continuing"),
        ("自2019年5月起一直非法经营", "continuing"),
        ("持续至2021年", "continuing"),
        ("2012年至2013年多次盗窃", "repeated"),
        ("2012年先后受贿三次", "repeated"),
        ("2015年至2016年间的一天，甲盗窃一次", "unknown"),
        ("2015年5月盗窃", "unknown"),
        ("多次盗窃会怎么判", "unknown"),
    ],
)
def test_words_say_whether_conduct_lasted_or_was_repeated(text: str, conduct: str) -> None:
    assert read(text).conduct == conduct


def test_options_correct_what_was_read() -> None:
    given = DateRange.day(date(2012, 6, 1))
    dates = read("2014年受贿，2020年9月审理", as_of=given)
    assert (dates.facts, dates.origin) == ((given,), "option")
    assert str(dates.trial) == "2020-09-01 to 2020-09-30"
    dates = read("2011年受贿，2020年9月审理", trial=given)
    assert dates.trial == given


def test_a_trial_given_before_the_facts_is_refused() -> None:
    with pytest.raises(DateError, match="cannot come before the facts"):
        read("2014年受贿", trial=DateRange.day(date(2012, 6, 1)))


def test_a_trial_that_would_come_before_the_facts_is_left_out_and_said() -> None:
    dates = read("2012年判决，2015年5月盗窃")
    assert dates.trial is None
    assert "2012年" in dates.notes[0]


@given(
    years=st.lists(st.integers(1990, 2025), min_size=2, max_size=4, unique=True),
    joint=st.sampled_from(["，", "。", "；", "，又于", "，后来"]),
)
def test_dates_that_no_word_joins_never_merge(years: list[int], joint: str) -> None:
    dates = read(joint.join(f"{year}年发生一事" for year in years))
    assert len(dates.facts) == len(years)
    assert all((days.end or date.max).year - days.start.year == 1 for days in dates.facts)
