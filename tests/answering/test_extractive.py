"""The extractive answer by the dates of a case: what is quoted, in place of what, on what day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.answering.answer import Answer, Quotation
from inforce.answering.predecessors import sentence_holder
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library

CODE = "中华人民共和国民法典"
TORTS = "中华人民共和国侵权责任法"
PRINCIPLES = "中华人民共和国民法通则"
TIME = "最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定"
PENALTIES = "中华人民共和国行政处罚法"
ADVERTISING = "中华人民共和国广告法"
CRIMES = "中华人民共和国刑法"
SUCCESSION = "中华人民共和国继承法"
LABOUR = "中华人民共和国劳动合同法"

THROWN_OLD = "从建筑物中抛掷物品或者坠落的物品造成他人损害的，由可能加害的建筑物使用人给予补偿。"
THROWN_NEW = (
    "禁止从建筑物中抛掷物品。从建筑物中抛掷物品或者坠落的物品造成他人损害的，由侵权人依法承担侵权责任；"
    "物业服务企业等建筑物管理人应当采取必要的安全保障措施。"
)
INJURY = "侵害他人造成人身损害的，应当赔偿医疗费、护理费等为治疗和康复支出的合理费用。"
HARM_LATER = "侵权行为发生在民法典施行前，损害后果出现在民法典施行后的，适用民法典的规定。"
RISK = "自愿参加具有一定风险的文体活动，因其他参加者的行为受到损害的，受害人不得请求承担侵权责任。"
FAULT = "行为人因过错侵害他人民事权益的，承担侵权责任。"
FIRST_TIME = "初次违法且危害后果轻微并及时改正的，可以不予行政处罚。"
MINOR = "违法行为轻微并及时{}，没有造成危害后果的，不予行政处罚。"
MITIGATION = (
    "当事人主动消除危害后果、受他人胁迫、配合行政机关查处违法行为有立功表现的，应当从轻或者减轻行政处罚。"
    f"{MINOR.format('纠正')}"
)
OFFERED = "行政机关应当对当事人进行教育，并书面告知其权利、救济途径和期限，当事人签收后存入案卷。"
ON_THE_SPOT = "违法事实确凿并有法定依据，处以较小数额罚款的，可以当场作出行政处罚决定。"
LENITY = "实施行政处罚，适用违法行为发生时的法律。但是新的规定处罚较轻的，适用新的规定。"
EQUAL = "公民、法人在适用行政处罚时一律平等，处罚公开公正。"
MISLEADING = "发布虚假广告欺骗误导消费者的，处{}罚款。"
LIMITATION = "向人民法院请求保护民事权利的诉讼时效期间为{}年，法律另有规定的除外。"
OBSTRUCTION = "以暴力、威胁方法阻碍国家机关工作人员依法执行职务的，处三年以下有期徒刑。"
THROWING_CRIME = "从建筑物抛掷物品，情节严重的，处一年以下有期徒刑、拘役或者管制，并处罚金。"
DOUBLE_WAGES = "用人单位自用工之日起超过一个月不满一年未订立书面合同的，应当每月支付二倍的工资。"
LABOUR_IN_TIME = "本法施行前已建立关系，尚未订立书面合同的，应当自本法施行之日起一个月内订立。"
PRINTED = (
    "打印遗嘱应当有两个以上见证人在场见证。遗嘱人和见证人应当在遗嘱每一页签名，注明年、月、日。"
)
WILLS = "自书、代书、录音、口头遗嘱，不得撤销、变更公证遗嘱。"
DANGER = "以其他危险方法危害公共安全，尚未造成严重后果的，处三年以上十年以下有期徒刑。"


def law(
    title: str, since: str, articles: dict[str, str], end: str | None = None
) -> tuple[str, str, dict[str, str], str | None]:
    return title, since, articles, end


LAWS = (
    law(CODE, "2021-01-01", {
        "188": LIMITATION.format("三"), "1136": PRINTED, "1176": RISK, "1254": THROWN_NEW,
    }),
    law(TORTS, "2010-07-01", {"6": FAULT, "87": THROWN_OLD}, "2021-01-01"),
    law(PRINCIPLES, "1987-01-01", {"135": LIMITATION.format("二")}, "2021-01-01"),
    law(TIME, "2021-01-01", {
        "1": "民法典施行前的法律事实引起的纠纷，适用当时的法律、司法解释的规定，另有规定的除外。",
        "15": "民法典施行前，以打印方式立的遗嘱，适用民法典第一千一百三十六条，遗产已处理的除外。",
        "16": "民法典施行前，受害人自愿参加有风险的文体活动，适用民法典第一千一百七十六条。",
        "19": "民法典施行前，从建筑物中抛掷物品引起的纠纷，适用民法典第一千二百五十四条。",
    }),
    law(PENALTIES, "2018-01-01", {"4": EQUAL, "27": MITIGATION, "33": ON_THE_SPOT}, "2021-07-15"),
    law(PENALTIES, "2021-07-15", {
        "5": EQUAL,
        "32": MINOR.format("改正") + OFFERED,
        "33": FIRST_TIME,
        "37": LENITY,
        "51": ON_THE_SPOT,
    }),
    law(ADVERTISING, "2015-09-01", {"55": MISLEADING.format("五十万元以下")}, "2021-04-29"),
    law(ADVERTISING, "2021-04-29", {"55": MISLEADING.format("二十万元以下")}),
    law(CRIMES, "1997-10-01", {"114": DANGER, "277": OBSTRUCTION}, "2021-03-01"),
    law(CRIMES, "2021-03-01", {"114": DANGER, "277": OBSTRUCTION, "291-2": THROWING_CRIME}),
    law(SUCCESSION, "1985-10-01", {"20": WILLS}, "2021-01-01"),
    law(LABOUR, "2008-01-01", {"82": DOUBLE_WAGES, "97": LABOUR_IN_TIME}),
)  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    texts = [
        tiny_law(
            title,
            articles,
            start=date.fromisoformat(since),
            end=date.fromisoformat(end) if end else None,
        )
        for title, since, articles, end in LAWS
    ]
    with tiny_library(tmp_path_factory.mktemp("laws"), *texts, today="2026-11-20") as opened:
        yield opened


def quoted(answer: Answer) -> list[tuple[str, str]]:
    return [(one.work, one.number.short) for one in answer.quotations]


def quotation(answer: Answer, work: str, number: str) -> Quotation:
    [found] = [one for one in answer.quotations if (one.work, one.number.short) == (work, number)]
    return found


def starts(found: Quotation) -> list[str]:
    return [f"{span.window.start}" for span in found.wordings]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("2018年10月建筑物抛掷物品造成损害，谁承担责任", [(TORTS, "87")]),
        ("2018年10月建筑物抛掷物品造成损害，2020年12月判决", [(TORTS, "87")]),
        (
            "2018年10月建筑物抛掷物品造成损害，2021年2月审理，物业服务企业的安全保障措施",
            [(CODE, "1254"), (TIME, "19")],
        ),
        ("2021年1月1日建筑物抛掷物品造成损害，物业服务企业的安全保障措施", [(CODE, "1254")]),
    ],
)
def test_an_object_thrown_before_2021_follows_the_code_only_in_pending_cases(
    library: Library, question: str, expected: list[tuple[str, str]]
) -> None:
    answer = library.ask(question)
    assert quoted(answer)[: len(expected)] == expected
    absent = (TORTS, "87") if expected[0][0] == CODE else (CODE, "1254")
    assert absent not in quoted(answer)


def test_a_rule_the_law_of_then_did_not_know_reaches_a_pending_case_with_its_authority(
    library: Library,
) -> None:
    answer = library.ask("2019年5月自愿参加有风险的文体活动受到损害，2021年3月开庭")
    rule = quotation(answer, CODE, "1176")
    assert rule.applicability.rule.source == "法释〔2020〕15号 art. 16"
    authority = quotation(answer, TIME, "16")
    assert authority.is_authority
    assert not rule.is_authority


def test_without_a_known_judgment_it_is_absent_and_the_special_rule_is_named(
    library: Library,
) -> None:
    answer = library.ask("2019年5月自愿参加有风险的文体活动受到损害")
    assert (CODE, "1176") not in quoted(answer)
    [absence] = [one for one in answer.absences if one.lookup.number.short == "1176"]
    sources = [rule.source for rule in absence.applicability.caveats]
    assert "法释〔2020〕15号 art. 16" in sources


def test_a_rule_is_quoted_under_the_number_it_had(library: Library) -> None:
    answer = library.ask("2019年5月较小数额罚款能否当场作出行政处罚决定")
    found = quotation(answer, PENALTIES, "33")
    assert starts(found) == ["2018-01-01"]
    assert found.today.since == "moved"
    assert found.today.number is not None
    assert found.today.number.short == "51"


def test_a_number_that_was_another_rule_then_is_not_quoted(library: Library) -> None:
    answer = library.ask("2019年5月初次违法且危害后果轻微并及时改正，可以不予处罚吗")
    texts = [
        span.provision.text
        for one in answer.quotations
        for span in one.wordings
        if span.provision and one.work == PENALTIES
    ]
    assert FIRST_TIME not in texts
    assert ON_THE_SPOT not in texts
    [absence] = [one for one in answer.absences if one.lookup.number.short == "33"]
    assert absence.lookup.answer == "not_in_force"
    assert "renumbered" in absence.lookup.reason


@pytest.mark.parametrize(
    ("decision", "since", "cites"),
    [
        ("2021年5月作出处罚决定", "2015-09-01", False),
        ("2021年8月作出处罚决定", "2021-04-29", True),
    ],
)
def test_a_penalty_follows_the_lighter_law_and_the_rule_that_says_so_is_quoted(
    library: Library, decision: str, since: str, cites: bool
) -> None:
    answer = library.ask(f"2020年6月发布虚假广告欺骗误导消费者，{decision}，罚款多少")
    found = quotation(answer, ADVERTISING, "55")
    assert starts(found) == [since]
    assert ((PENALTIES, "37") in quoted(answer)) == cites


def test_a_rule_that_was_a_sentence_of_another_article_is_quoted_as_that(library: Library) -> None:
    answer = library.ask("违法行为轻微并及时改正，没有造成危害后果，2019年会不会行政处罚")
    assert (PENALTIES, "27") in quoted(answer)
    assert (PENALTIES, "32") not in quoted(answer)


STOCK = "构成违反治安管理行为的，依法给予治安管理处罚；构成犯罪的，依法追究刑事责任。"


@pytest.mark.parametrize(("elsewhere", "number"), [(False, "27"), (True, None)])
def test_a_sentence_that_many_articles_have_leads_to_none(
    *, elsewhere: bool, number: str | None
) -> None:
    found = Provision(ProvisionNumber.parse("33"), FIRST_TIME + STOCK)
    earlier = [
        Provision(ProvisionNumber.parse("27"), MITIGATION + STOCK),
        Provision(ProvisionNumber.parse("28"), EQUAL + (STOCK if elsewhere else "")),
    ]
    then = sentence_holder(found, earlier)
    assert (then.short if then else None) == number


def test_the_article_that_punished_the_act_before_a_new_crime_is_quoted(library: Library) -> None:
    answer = library.ask("2020年6月从建筑物抛掷物品，情节严重，构成什么罪")
    assert (CRIMES, "291-2") not in quoted(answer)
    assert (CRIMES, "114") in quoted(answer)


@pytest.mark.parametrize(
    ("question", "expected", "missing"),
    [
        ("2014年3月1日到期的货款，诉讼时效期间是多长", (PRINCIPLES, "135"), False),
        ("2018年3月1日到期的货款，诉讼时效期间是多长", None, True),
        ("2022年3月1日到期的货款，诉讼时效期间是多长", (CODE, "188"), False),
        ("民事权利的诉讼时效期间是几年", (CODE, "188"), False),
    ],
)
def test_the_law_on_limitation_is_that_of_the_claim_and_named_where_it_is_not_held(
    library: Library, question: str, expected: tuple[str, str] | None, missing: bool
) -> None:
    answer = library.ask(question)
    assert quoted(answer)[:1] == ([expected] if expected else [])
    assert ("中华人民共和国民法总则" in answer.coverage.not_held) == missing
    assert answer.limitation is not None


def test_too_late_to_penalise_is_no_question_of_prosecution(library: Library) -> None:
    found = library.ask("2020年 行政处罚 追诉时效 二年").limitation
    assert found is not None
    assert str(found.rule.source) == "中华人民共和国行政处罚法 第二十九条"


def test_the_law_that_answers_such_questions_is_named_where_it_is_not_held(
    library: Library,
) -> None:
    answer = library.ask("工伤认定要在多久内申请")
    assert answer.coverage.not_held == ("工伤保险条例",)
    assert answer.abstains
    assert not answer.found_nothing


@pytest.mark.parametrize(
    ("question", "present"),
    [
        ("侵权责任法第八十七条 2018年 抛掷物品，现在是民法典哪一条", [(CODE, "1254")]),
        (
            "Article 87 of the Tort Liability Law in 2018: which article is it now?",
            [(CODE, "1254")],
        ),
        ("侵权责任法第八十七条 2018年 抛掷物品", []),
    ],
)
def test_who_asks_where_a_former_article_is_now_is_shown_both(
    library: Library, question: str, present: list[tuple[str, str]]
) -> None:
    assert quoted(library.ask(question)) == [(TORTS, "87"), *present]


def test_a_case_shows_each_date_with_its_event(library: Library) -> None:
    answer = library.ask("2018年10月建筑物抛掷物品造成损害，2021年2月审理")
    dates = answer.time.dates
    assert dates is not None
    assert [(one.role, one.text) for one in dates.dates] == [
        ("fact", "2018年10月"),
        ("trial", "2021年2月"),
    ]
    assert answer.time.during == dates.facts


def test_options_correct_both_dates(library: Library) -> None:
    question = "2018年10月建筑物抛掷物品造成损害，2021年2月审理，物业服务企业的安全保障措施"
    answer = library.ask(question, as_of="2018-10-05", trial="2020-12-01")
    assert (CODE, "1254") not in quoted(answer)
    assert (TORTS, "87") in quoted(answer)


def test_the_limitation_of_an_offence_is_a_step_of_its_quotation(library: Library) -> None:
    answer = library.ask("2005年5月1日以暴力威胁方法阻碍国家机关工作人员执行职务，2011年6月立案")
    found = quotation(answer, CRIMES, "277").limitation
    assert found is not None
    assert (str(found.period), found.result) == ("5 years", "over")


def test_the_rule_that_reaches_back_is_quoted_where_the_facts_lie_on_both_sides(
    library: Library,
) -> None:
    answer = library.ask("2015年打印遗嘱，两个见证人每一页签名，2022年4月去世，打印遗嘱有效吗")
    assert {(CODE, "1136"), (TIME, "15")} <= set(quoted(answer))
    later = library.ask("2021年5月打印遗嘱，两个见证人每一页签名，2022年4月去世，打印遗嘱有效吗")
    assert (CODE, "1136") in quoted(later)
    assert (TIME, "15") not in quoted(later)


def test_what_governed_the_will_is_the_law_of_the_death(library: Library) -> None:
    answer = library.ask("2015年立公证遗嘱，2022年又立自书遗嘱，2020年12月死亡，公证遗嘱能否变更")
    assert (SUCCESSION, "20") in quoted(answer)
    later = library.ask("2015年立公证遗嘱，2022年3月死亡，公证遗嘱能否变更")
    assert (SUCCESSION, "20") not in quoted(later)


def test_where_the_article_of_an_earlier_law_is_missing_its_hole_is_named(tmp_path: Path) -> None:
    heirs = (
        "遗产按照下列顺序继承：第一顺序：配偶、子女、父母；第二顺序：兄弟姐妹、祖父母、外祖父母。"
    )
    instead = "被继承人的子女先于被继承人死亡的，由被继承人的子女的晚辈直系血亲代位继承。"
    held = {"9": "继承权男女平等。", "11": instead}
    texts = [
        tiny_law(
            SUCCESSION,
            held,
            start=date(1985, 10, 1),
            end=date(2021, 1, 1),
            holes=[*map(str, range(1, 9)), "10"],
        ),
        tiny_law(CODE, {"1127": heirs, "1128": instead}, start=date(2021, 1, 1)),
    ]
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        answer = library.ask("父亲2015年去世没留遗嘱，遗产怎么继承")
    assert answer.coverage.not_held == (f"{SUCCESSION} art. 10",)
    assert (CODE, "1127") not in quoted(answer)


def test_a_law_that_had_ended_before_the_facts_is_no_absence(library: Library) -> None:
    answer = library.ask("2022年5月建筑物抛掷物品造成损害，谁承担责任")
    assert quoted(answer)[0] == (CODE, "1254")
    assert TORTS not in {one.lookup.work for one in answer.absences}


def test_where_the_crime_first_thought_of_did_not_exist_yet_the_other_is_quoted(
    tmp_path: Path,
) -> None:
    accident = "违反交通运输管理法规，因而发生重大事故，致人死亡的，处三年以下有期徒刑或者拘役。"
    drunk = "在道路上驾驶机动车追逐竞驶，情节恶劣的，或者醉酒驾驶机动车的，处拘役，并处罚金。"
    change = date(2011, 5, 1)
    texts = [
        tiny_law(CRIMES, {"133": accident}, start=date(1997, 10, 1), end=change),
        tiny_law(CRIMES, {"133": accident, "133-1": drunk}, start=change),
    ]
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        before = library.ask("2010年6月醉酒后开车撞死一个人，会判几年")
        after = library.ask("2012年6月醉酒后开车撞死一个人，会判几年")
    assert quoted(before) == [(CRIMES, "133")]
    assert [one.lookup.number.short for one in before.absences] == ["133-1"]
    assert (CRIMES, "133-1") in quoted(after)


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("2018年10月建筑物抛掷物品造成损害，该看侵权责任法还是民法典", True),
        ("2018年10月建筑物抛掷物品造成损害，能适用民法典吗", True),
        ("2018年10月建筑物抛掷物品造成损害，谁承担责任", False),
        ("2021年10月建筑物抛掷物品造成损害，按民法典谁承担责任", False),
    ],
)
def test_who_asks_which_law_applies_is_shown_the_rule_that_decides(
    library: Library, question: str, rule: bool
) -> None:
    assert ((TIME, "1") in quoted(library.ask(question))) is rule


@pytest.mark.parametrize(
    ("question", "transition"),
    [
        ("2007年8月入职没签书面合同，2008年9月离职，二倍的工资怎么要", True),
        ("2007年8月入职一直到2008年9月没签书面合同，二倍的工资怎么要", True),
        ("2008年8月入职没签书面合同，2008年12月离职，二倍的工资怎么要", False),
    ],
)
def test_facts_on_both_sides_of_a_commencement_show_what_the_law_says_of_them(
    library: Library, question: str, transition: bool
) -> None:
    found = quoted(library.ask(question))
    assert (LABOUR, "82") in found
    assert ((LABOUR, "97") in found) is transition


def test_where_the_law_has_no_such_rule_yet_what_then_said_so_is_quoted(tmp_path: Path) -> None:
    debt = "夫妻一方在婚姻关系存续期间以个人名义超出家庭日常生活需要所负的债务，"
    proof = "债权人能够证明该债务用于夫妻共同生活、共同生产经营或者基于夫妻双方共同意思表示的"
    debts = "最高人民法院关于审理涉及夫妻债务纠纷案件适用法律有关问题的解释"
    then = f"一方对外举债，债权人主张权利的，人民法院不予支持，但{proof}除外。"
    ended = date(2021, 1, 1)
    texts = [
        tiny_law("中华人民共和国婚姻法", {"2": EQUAL}, start=date(2001, 4, 28), end=ended),
        tiny_law(debts, {"3": then, "4": FAULT}, start=date(2018, 1, 18), end=ended),
        tiny_law(CODE, {"1064": f"{debt}不属于夫妻共同债务；但是，{proof}除外。"}, start=ended),
    ]
    question = "{}年夫妻一方以个人名义超出家庭日常生活需要借钱，是夫妻共同债务吗"
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        before, after = (library.ask(question.format(year)) for year in (2019, 2022))
    assert quoted(before) == [(debts, "3")]
    assert [one.lookup.work for one in before.absences] == [CODE]
    assert quoted(after)[0] == (CODE, "1064")


def test_a_rule_for_harm_that_came_later_is_not_read_beside_torts_of_today(
    tmp_path: Path,
) -> None:
    texts = [
        tiny_law(CODE, {"1179": INJURY}, start=date(2021, 1, 1)),
        tiny_law(TIME, {"24": HARM_LATER}, start=date(2021, 1, 1)),
    ]
    question = "{}年5月侵害他人造成人身损害，{}年3月死亡，医疗费护理费怎么赔"
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        across, since = (
            library.ask(question.format(*years)) for years in ((2020, 2021), (2022, 2023))
        )
    assert (TIME, "24") in quoted(across)
    assert quoted(since) == [(CODE, "1179")]
