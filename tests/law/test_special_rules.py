"""Special rules on single provisions: each around the first day of its law, met and not met."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from made_law import case, day, timeline

from inforce.law.applicability import Applicability, decide
from inforce.law.applicability.special_rules import SpecialRule, displacing, special_rules
from inforce.law.data import table
from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.amounts import read_facts
from inforce.law.timeline import Timeline

CODE = "中华人民共和国民法典"
CRIMINAL_LAW = "中华人民共和国刑法"
COMPANY_LAW = "中华人民共和国公司法"
MARRIAGE_LAW = "中华人民共和国婚姻法"
INSTRUMENT = "最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定"

TWENTY = {
    # art. of 法释〔2020〕15号: provision, what the case tells (facts of 2018), what is decided
    "6": ("185", "2017年8月在网上侮辱英雄烈士的名誉", "new"),
    "7": ("401", "2018年5月签订抵押合同，约定不履行时抵押财产归债权人所有", "new"),
    "9": ("496", "2018年5月签订格式条款合同，未提示说明", "new"),
    "10": ("565", "2018年5月未通知对方，直接起诉要求解除合同", "new"),
    "11": ("580", "2018年5月签订的合同不能履行，违约方请求终止", "new"),
    "12": ("761", "2018年5月签订保理合同", "new"),
    "13": ("1125", "2018年5月遗弃被继承人，情节严重", "new"),
    "14": ("1128", "2018年5月死亡，无配偶子女父母，侄子能否继承", "new"),
    "15": ("1136", "2018年5月立打印遗嘱，2018年8月去世", "new"),
    "16": ("1176", "2018年5月参加篮球比赛被撞伤", "new"),
    "17": ("1177", "2018年5月扣留霸王餐顾客的财物", "new"),
    "18": ("1217", "2018年5月好意搭乘顺风车受伤", "new"),
    "19": ("1254", "2018年5月被高空坠物砸伤", "new"),
    "22": ("1079", "2018年5月判决不准离婚，后一直分居", "new"),
    "26": ("1052", "2018年5月受胁迫结婚", "new"),
    "25": ("564", "2018年5月发生解除事由，一直没有解除", "own"),
    "27": ("692", "2018年5月签订保证合同，主债务2019年12月31日到期", "own"),
    "8": ("153", "2018年5月签订的合同是否无效", "note"),
    "20": ("509", "2018年5月签订合同，履行持续", "note"),
    "21": ("734", "2018年5月租赁合同，2021年3月到期", "new"),
    "23": ("1142", "2018年5月立公证遗嘱，2021年3月又立遗嘱", "new"),
    "24": ("1179", "2018年5月实施侵权行为，2021年3月损害后果出现", "new"),
}


def article(work: str, number: str, since: str) -> Timeline:
    return timeline(work, number, (since, None, f"{number}的规定。"))


def decided(work: str, number: str, since: str, text: str, trial: str) -> Applicability:
    dates = case(text, trial=trial)
    return decide(article(work, number, since), dates, facts=read_facts(text))


def test_all_twenty_two_articles_on_single_matters_have_a_rule() -> None:
    held = {
        rule.source.removeprefix("法释〔2020〕15号 art. ")
        for number in (provision for provision, _, _ in TWENTY.values())
        for one in special_rules(CODE, ProvisionNumber.parse(number))
        for rule in [one.rule]
        if rule.source.startswith("法释〔2020〕15号")
    }
    assert held == {str(number) for number in range(6, 28)}


@pytest.mark.parametrize("trial", ["2021-01-01", "2021-01-02", "2022-06-01", "2025-12-31"])
@pytest.mark.parametrize(
    ("source", "number", "text"),
    [(source, *row[:2]) for source, row in TWENTY.items() if row[2] == "new"],
)
def test_an_article_new_in_2021_reaches_a_case_of_before_that_is_still_pending(
    source: str, number: str, text: str, trial: str
) -> None:
    if text.startswith("2018") and "2021年3月" in text and trial < "2021-03-31":
        trial = "2021-04-01"
    result = decided(CODE, number, "2021-01-01", text, trial)
    assert result.rule.source == f"法释〔2020〕15号 art. {source}"
    assert (result.verdict, result.governs) == ("decided", True)
    assert result.governing is not None
    assert day(trial) in result.governing
    assert [str(one.number.short) for one in result.authority] == [source]
    assert result.authority[0].work == INSTRUMENT


@pytest.mark.parametrize("trial", ["2019-06-01", "2020-12-31"])
@pytest.mark.parametrize(
    ("number", "text"),
    [row[:2] for row in TWENTY.values() if row[2] == "new" and "2021" not in row[1]],
)
def test_it_reaches_no_case_decided_before(number: str, text: str, trial: str) -> None:
    result = decided(CODE, number, "2021-01-01", text, trial)
    assert not result.governs
    assert not result.authority


@pytest.mark.parametrize("source", ["25", "27"])
def test_where_the_instrument_gives_its_own_rule_the_article_does_not_govern(source: str) -> None:
    number, text, _ = TWENTY[source]
    result = decided(CODE, number, "2021-01-01", text, "2021-06-01")
    assert (result.verdict, result.governs) == ("decided", False)
    assert [one.number.short for one in result.authority] == [source]


@pytest.mark.parametrize("source", ["8", "20"])
def test_a_rule_the_court_has_to_weigh_is_a_caveat(source: str) -> None:
    number, text, _ = TWENTY[source]
    result = decided(CODE, number, "2021-01-01", text, "2021-06-01")
    assert f"法释〔2020〕15号 art. {source}" in [rule.source for rule in result.caveats]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("734", "2018年5月租赁合同，2020年12月31日到期"),
        ("1142", "2018年5月立公证遗嘱，2020年12月31日又立遗嘱"),
        ("1179", "2018年5月实施侵权行为，2020年12月31日损害后果出现"),
        ("1079", "2018年5月起诉离婚"),
        ("1052", "2018年5月结婚"),
    ],
)
def test_a_rule_whose_condition_is_not_met_does_not_reach_back(number: str, text: str) -> None:
    result = decided(CODE, number, "2021-01-01", text, "2021-06-01")
    assert not result.governs


@pytest.mark.parametrize(
    ("facts", "special"),
    [("2020-12-30", True), ("2020-12-31", True), ("2021-01-01", False), ("2021-01-02", False)],
)
def test_facts_from_the_first_day_on_need_no_special_rule(facts: str, special: bool) -> None:
    result = decided(CODE, "1254", "2021-01-01", f"{facts}高空抛物伤人", "2021-06-01")
    assert result.governs
    assert bool(result.authority) == special


def test_without_a_known_judgment_the_later_article_is_a_caveat_and_nothing_more() -> None:
    text = "2019年高空抛物伤人"
    result = decide(article(CODE, "1254", "2021-01-01"), case(text), facts=read_facts(text))
    assert not result.governs
    assert "法释〔2020〕15号 art. 19" in [rule.source for rule in result.caveats]


def test_the_article_of_the_former_law_gives_way_to_the_one_in_its_place() -> None:
    text = "2018年10月高空坠物伤人"
    tort = timeline(
        "中华人民共和国侵权责任法",
        "87",
        ("2010-07-01", "2021-01-01", "由可能加害的建筑物使用人给予补偿。"),
        ended="2021-01-01",
    )
    pending = decide(tort, case(text, trial="2021-02-01"), facts=read_facts(text))
    assert not pending.governs
    assert "第一千二百五十四条" in " ".join(pending.reasons)
    closed = decide(tort, case(text, trial="2020-12-31"), facts=read_facts(text))
    assert closed.governs


CRIMINAL = [
    # provision, first day of its new text, case, trial, wording that governs, article cited
    ("88", "1997-10-01", "1995年5月伤人后逃跑，追诉时效", "1998-03-01", "absent", "1"),
    ("81", "1997-10-01", "1995年5月抢劫，累犯能否假释", "1998-03-01", "absent", "8"),
    ("68", "1997-10-01", "1995年5月盗窃，检举揭发他人立功", "1998-03-01", "new", "5"),
    ("69", "2011-05-01", "2010年5月犯数罪，数罪并罚", "2011-08-15", "old", "6"),
    ("69", "2011-05-01", "2010年3月盗窃，2011年8月抢劫，数罪并罚", "2012-06-15", "new", "6"),
    ("68", "2011-05-01", "2010年11月犯罪后自首又有重大立功", "2011-09-15", "old", "5"),
    ("67", "2011-05-01", "2010年11月犯罪，如实供述", "2011-09-15", "new", "4"),
    ("65", "2011-05-01", "2010年10月又犯罪，前罪时不满十八周岁", "2011-07-15", "new", "3"),
    ("65", "2011-05-01", "2010年10月又犯罪，是否构成累犯", "2011-07-15", "old", "3"),
    ("50", "2011-05-01", "2010年8月抢劫致死，死缓限制减刑", "2011-09-15", "open", "2"),
    ("81", "2011-05-01", "2010年8月杀人，假释", "2011-09-15", "open", "8"),
    ("69", "2015-11-01", "2015年5月犯数罪，有期徒刑和拘役", "2015-12-15", "new", "3"),
    ("246", "2015-11-01", "2015年5月在网络上诽谤他人", "2015-12-15", "new", "4"),
    ("37-1", "2015-11-01", "2015年5月利用职业便利犯罪", "2015-12-15", "absent", "1"),
    ("37-1", "2015-11-01", "2015年3月猥亵学生，不得从事教育工作", "2016-01-15", "absent", "1"),
    ("307-1", "2015-11-01", "2014年5月捏造债务提起诉讼", "2016-03-15", "open", "7"),
    ("284-1", "2015-11-01", "2014年5月组织考试作弊", "2016-03-15", "open", "6"),
    ("383", "2015-11-01", "2014年5月受贿，判处死刑缓期", "2016-03-15", "open", "8"),
    ("383", "2015-11-01", "2014年5月受贿，能否终身监禁", "2016-03-15", "open", "8"),
]


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("2014年5月受贿，2016年6月被抓", "2015-11-01"),
        ("2014年5月受贿，2015年6月被抓", "1997-10-01"),
        ("2014年5月受贿", "1997-10-01"),
    ],
)
def test_who_is_charged_under_a_milder_law_is_tried_under_it(text: str, since: str) -> None:
    wordings = [
        ("1997-10-01", "2015-11-01", "受贿的，处十年以上有期徒刑。"),
        ("2015-11-01", None, "受贿的，处三年以下有期徒刑。"),
    ]
    provision = timeline(CRIMINAL_LAW, "385", *wordings, commenced="1997-10-01")
    result = decide(provision, case(text), facts=read_facts(text))
    assert result.span is not None
    assert f"{result.span.window.start}" == since
    assert any("no trial is stated" in one for one in result.reasons) == (since == "2015-11-01")


def test_who_was_caught_long_after_1997_is_prosecuted_by_the_former_law() -> None:
    text = "1996年8月杀人后外逃，2018年5月落网，追诉时效"
    provision = timeline(
        CRIMINAL_LAW, "88", ("1997-10-01", None, "后来的规定。"), commenced="1997-10-01"
    )
    result = decide(provision, case(text), facts=read_facts(text))
    assert [one.number.short for one in result.authority] == ["1"]
    assert not result.governs


@pytest.mark.parametrize(("number", "since", "text", "trial", "governs", "cited"), CRIMINAL)
def test_criminal_instruments_on_time_choose_the_text_of_before_or_after(
    number: str, since: str, text: str, trial: str, governs: str, cited: str
) -> None:
    is_new = number in ("88", "37-1", "307-1", "284-1") or since == "1997-10-01"
    before = [] if is_new else [("1997-10-01", since, "从前的规定。")]
    wordings = [*before, (since, None, "后来的规定。")]
    first = "1980-01-01" if since == "1997-10-01" else "1997-10-01"
    provision = timeline(CRIMINAL_LAW, number, *wordings, commenced=since if is_new else first)
    result = decide(provision, case(text, trial=trial), facts=read_facts(text))
    assert [one.number.short for one in result.authority] == [cited]
    said = result.span.provision.text[:2] if result.span and result.span.provision else ""
    expected = {"new": "后来", "old": "从前", "absent": "", "open": ""}[governs]
    assert (result.verdict == "cannot_decide", said) == (governs == "open", expected)


@pytest.mark.parametrize(
    ("number", "facts", "trial", "reaches"),
    [
        ("84", "2024-06-30", "2024-07-01", True),
        ("84", "2024-06-30", "2024-06-30", False),
        ("88", "2023-01-01", "2025-01-01", False),
        ("191", "2023-01-01", "2025-01-01", False),
        ("211", "2023-01-01", "2025-01-01", True),
    ],
)
def test_company_law_of_2023_reaches_back_in_the_cases_listed(
    number: str, facts: str, trial: str, reaches: bool
) -> None:
    result = decided(COMPANY_LAW, number, "2024-07-01", f"{facts}转让股权", trial)
    assert result.governs == reaches


@pytest.mark.parametrize(
    ("trial", "reaches"),
    [("2001-04-27", False), ("2001-04-28", True), ("2001-12-31", True), ("2005-01-01", True)],
)
def test_marriage_cases_pending_on_2001_04_28_follow_the_amended_law(
    trial: str, reaches: bool
) -> None:
    provision = timeline(
        MARRIAGE_LAW,
        "46",
        ("1981-01-01", "2001-04-28", "从前的规定。"),
        ("2001-04-28", None, "无过错方有权请求损害赔偿。"),
    )
    text = "2000年5月与他人同居"
    result = decide(provision, case(text, trial=trial), facts=read_facts(text))
    said = result.span.provision.text if result.span and result.span.provision else ""
    assert ("无过错方" in said) == reaches


def rules() -> list[SpecialRule]:
    works = (CODE, CRIMINAL_LAW, COMPANY_LAW)
    numbers = [ProvisionNumber.article(n, b) for n in range(1, 1261) for b in (0, 1)]
    found = (one for work in works for number in numbers for one in special_rules(work, number))
    return list({one.rule.id: one for one in found}.values())


def test_ids_of_rules_are_unique_and_each_names_the_article_it_rests_on() -> None:
    for one in rules():
        assert one.rule.statement.endswith(".")
        assert one.rule.provisions
        assert one.rule.provisions[0].number.short == one.rule.source.rpartition(" ")[2]


GENERAL = {"8", "12", "20", "24"}
"""Articles of 法释〔2020〕15号 that name no single article of 民法典."""


@pytest.mark.data
def test_the_instrument_names_the_provisions_each_rule_is_about(shared_data: Path) -> None:
    texts: dict[str, str] = {}
    with (shared_data / "sources" / "interpretations.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            one = json.loads(line)
            texts[key(one["title"])] = one["text"]
    checked = 0
    for rule in rules():
        reference = rule.rule.provisions[0]
        text = texts.get(key(reference.work))
        if text is None or (reference.work == INSTRUMENT and reference.number.short in GENERAL):
            continue
        said = article_of(text, reference.number)
        named = [number.chinese for one in rule.provisions for number in (one.first, one.last)]
        assert any(name in said for name in named) or speaks(rule, said), rule.rule.id
        checked += 1
    assert checked > 40


def key(title: str) -> str:
    return re.sub(r"[^\w]", "", title).replace("（", "").replace("）", "")


def article_of(text: str, number: ProvisionNumber) -> str:
    parts = re.split(r"(?m)^(?=\**第[一二三四五六七八九十]+条)", text)
    return next((part for part in parts if part.lstrip("*").startswith(number.chinese)), "")


def speaks(rule: SpecialRule, said: str) -> bool:
    """Instruments of 1997 to 2015 name matters, not always numbers."""
    return bool(rule.words and re.search(rule.words, said))


def test_the_table_is_read_whole() -> None:
    row = re.compile(r"\d+ \| (?:new|old|own|judge|note)")
    lines = [line for line in table("special_rules").splitlines() if row.match(line)]
    ids = {one.rule.id for one in rules()}
    marriage = special_rules(MARRIAGE_LAW, ProvisionNumber.article(46))
    labour = [
        *special_rules("中华人民共和国劳动合同法", ProvisionNumber.article(14)),
        *special_rules("中华人民共和国劳动合同法", ProvisionNumber.article(10)),
    ]
    reopened = [
        *special_rules("中华人民共和国民事诉讼法", ProvisionNumber.article(200)),
        *special_rules("中华人民共和国民事诉讼法", ProvisionNumber.article(205)),
    ]
    assert len(ids) + len(marriage) + len(labour) + len(reopened) == len(lines)


def test_what_displaces_a_provision_is_found_from_the_provision() -> None:
    [rule] = displacing("中华人民共和国侵权责任法", ProvisionNumber.article(87))
    assert rule.rule.source == "法释〔2020〕15号 art. 19"


@pytest.mark.parametrize(
    ("text", "governs"),
    [
        ("判决2012年12月31日生效，2013年3月申请再审", False),
        ("判决2013年1月1日生效，2013年3月申请再审", True),
        ("判决2011年10月20日生效，2013年3月上诉", True),
    ],
)
def test_a_judgment_final_before_the_amendment_is_reopened_within_the_former_period(
    text: str, *, governs: bool
) -> None:
    number = article("中华人民共和国民事诉讼法", "205", "2013-01-01")
    result = decide(number, case(text), facts=read_facts(text))
    assert result.governs is governs
    assert [one.number.short for one in result.authority] == ([] if governs else ["6"])


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("2014年起打骂失语瘫痪的婆婆，她无法告诉", "2015-11-01"),
        ("2014年起打骂说不出话的婆婆", "2015-11-01"),
        ("2014年起打骂妻子", "2014-01-01"),
    ],
)
def test_ill_treatment_of_who_cannot_complain_follows_the_new_paragraph(
    text: str, since: str
) -> None:
    texts = ("1997-10-01", "2015-11-01", "旧。"), ("2015-11-01", None, "新。")
    dates = case(text, trial="2016-01-20")
    result = decide(timeline(CRIMINAL_LAW, "260", *texts), dates, facts=read_facts(text))
    new = bool(result.span and result.span.provision and result.span.provision.text == "新。")
    assert new is (since == "2015-11-01")
