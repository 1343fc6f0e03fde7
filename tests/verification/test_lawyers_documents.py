"""What documents in the manner of lawyers, courts and assistants taught about checking them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.corpus.titles import find_title
from inforce.documents.plain import read_markdown
from inforce.law.citation import find_citations
from inforce.library import Library, open_library
from inforce.testing import tiny_law, tiny_library
from inforce.verification.findings import Finding


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The starter corpus that comes with the package; today is 23 November 2026."""
    home = tmp_path_factory.mktemp("lawyers_documents")
    with open_library(home, clock=lambda: date(2026, 11, 23)) as library:
        yield library


def found(library: Library, text: str) -> list[Finding]:
    return list(library.verify(text).findings)


def kinds(library: Library, text: str) -> list[str]:
    return [one.kind for one in found(library, text)]


def cited(text: str) -> list[tuple[str | None, list[str]]]:
    """What is cited with articles."""
    return [
        (one.work, [portion.chinese for portion in one.portions])
        for one in find_citations(text)
        if one.portions
    ]


COMPANY_LAW = "《公司法》（2023年修订，以下称“新公司法”）"


# How laws are named


def test_what_is_in_brackets_behind_a_title_parts_it_from_no_article() -> None:
    title = "最高人民法院关于审理涉彩礼纠纷案件适用法律若干问题的规定"
    text = f"《{title}》（法释〔2024〕1号）第五条第一款，该规定第三条第二款第（一）项。"
    assert cited(text) == [(title, ["第五条第一款"]), (title, ["第三条第二款第一项"])]


def test_that_law_is_a_law_and_that_interpretation_an_interpretation() -> None:
    title = "最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释"
    text = f"《刑法》第二百六十四条、《{title}》第三条，依该法第六十七条、该解释第一条。"
    assert [one[0] for one in cited(text)] == ["中华人民共和国刑法", title] * 2


def test_the_same_paragraph_is_that_of_the_article_cited_before() -> None:
    text = "《民法典》第一千零六十二条第一款第二项，同款第（三）项。"
    assert cited(text)[-1][1] == ["第一千零六十二条第一款第三项"]
    assert cited("《民法典》第五百七十七条。同款商品第三件。") == [
        ("中华人民共和国民法典", ["第五百七十七条"])
    ]


def test_a_year_of_a_version_is_no_day_of_the_facts(library: Library) -> None:
    text = (
        f"2024年9月2日公司成立。\n根据{COMPANY_LAW}第四十七条第一款，全体股东认缴的出资额由股东"
        "按照公司章程的规定自公司成立之日起五年内缴足。\n新公司法第五十四条另有规定。"
    )
    assert kinds(library, text) == ["right", "right", "right"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        (
            "《民法典合同编通则解释》",
            "最高人民法院关于适用《中华人民共和国民法典》合同编通则若干问题的解释",
        ),
        ("公司法解释三", "最高人民法院关于适用《中华人民共和国公司法》若干问题的规定（三）"),
        ("涉彩礼规定", "最高人民法院关于审理涉彩礼纠纷案件适用法律若干问题的规定"),
        ("买卖合同解释", "最高人民法院关于审理买卖合同纠纷案件适用法律问题的解释"),
        ("民法典解释", None),  # several are meant
        ("合同编通则解释（二）", None),
        ("物业管理规定", None),  # a rule of a place as well
    ],
)
def test_an_interpretation_is_known_by_words_of_its_title(name: str, title: str | None) -> None:
    held = (
        "最高人民法院关于适用《中华人民共和国民法典》合同编通则若干问题的解释",
        "最高人民法院关于适用《中华人民共和国民法典》物权编的解释（一）",
        "最高人民法院关于适用《中华人民共和国民法典》有关担保制度的解释",
        "最高人民法院关于适用《中华人民共和国公司法》若干问题的规定（三）",
        "最高人民法院关于适用《中华人民共和国公司法》若干问题的规定（二）",
        "最高人民法院关于审理涉彩礼纠纷案件适用法律若干问题的规定",
        "最高人民法院关于审理买卖合同纠纷案件适用法律问题的解释",
        "最高人民法院关于审理商品房买卖合同纠纷案件适用法律若干问题的解释",
        "最高人民法院关于审理物业管理案件若干问题的规定",
        "上海市住宅物业管理规定",
    )
    assert find_title(name, held) == title


def test_what_parties_agree_on_is_in_their_contract(library: Library) -> None:
    text = "2019年1月20日，本合同第五条约定分期付款。\n货物已经验收合格，第九条约定违约金。"
    assert found(library, text) == []


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("Article 1165(1) of the Civil Code", "right"),  # a paragraph
        ("Article 1062(2) of the Civil Code", "right"),  # a paragraph and an item
        ("Article 1165(3) of the Civil Code", "unsupported_portion"),
    ],
)
def test_a_number_in_brackets_in_english_is_a_paragraph_or_an_item(
    library: Library, written: str, kind: str
) -> None:
    assert kinds(library, f"As of 1 May 2023, {written} applies.") == [kind]


# Days


def test_what_was_before_a_day_is_under_the_law_before_it(library: Library) -> None:
    text = "公司设立于2024年7月1日之前，担保应依《公司法》第十六条第二款决议。"
    assert found(library, text)[0].days
    assert kinds(library, text) == ["amended_since"]
    assert kinds(library, text.replace("之前", "之后")) != ["amended_since"]


def test_the_days_a_sentence_is_served_are_no_days_of_the_facts(library: Library) -> None:
    text = (
        "刑事判决书\n经审理查明，2010年12月18日，被告人盗窃。依照《刑法》第六十七条第三款，判决如下：\n"
        "（刑期自判决执行之日起计算，即自2011年12月20日起至2013年2月19日止。）\n二〇一二年四月二十七日"
    )
    [first, *_] = found(library, text)
    assert first.days and [str(one) for one in first.days.facts] == ["2010-12-18"]


def test_a_day_in_a_sentence_that_cites_is_about_what_it_cites(library: Library) -> None:
    text = (
        "柳某于2019年3月2日去世。\n公证遗嘱见《继承法》第十七条第一款。\n"
        "其母于2022年6月去世，其遗产适用《民法典》第一千一百二十七条。"
    )
    assert kinds(library, text) == ["amended_since", "right"]


def test_procedure_follows_the_day_a_document_is_signed(library: Library) -> None:
    text = (
        "起诉书\n\n2017年3月至5月，被告人诈骗。\n\n根据《中华人民共和国刑事诉讼法》{}的规定，提起公诉。\n\n"
        "2019年8月3日"
    )
    [right] = found(library, text.format("第一百七十六条"))
    assert right.days and [str(one) for one in right.days.facts] == ["2019-08-03"]
    assert right.is_right


def test_rules_on_effect_in_time_are_those_of_the_day_they_are_asked(library: Library) -> None:
    text = (
        "柳某于2016年5月1日立有遗嘱，2019年3月2日去世，其母于2022年6月去世。\n依《最高人民法院关于适用〈中华人民共和国民法典〉时间效力的若干规定》"
        "第一条第二款，应适用当时的法律。\n2023年10月9日"
    )
    assert kinds(library, text) == ["right"]


def test_without_a_day_what_a_law_has_always_said_is_right(library: Library) -> None:
    always = "《民法典》第一百五十三条第二款规定：“违背公序良俗的民事法律行为无效。”"
    assert kinds(library, always) == ["right", "right"]
    assert kinds(library, "见刑法第七十四条。") == ["not_checked"]  # it was changed
    assert kinds(library, "见《侵权责任法》第八十七条。") == ["not_checked"]  # it was repealed


def test_without_a_day_a_law_that_is_said_to_have_ended_is_read_as_it_was(
    library: Library,
) -> None:
    text = "《民法典》施行，《侵权责任法》同时废止。\n对此见《侵权责任法》第八十七条。"
    assert kinds(library, text) == ["right"]
    assert kinds(library, "《侵权责任法》第八十七条曾规定补偿。") == ["right"]


def test_a_law_said_not_to_be_in_force_yet_is_no_error(library: Library) -> None:
    text = "2010年3月，李某醉酒驾驶，当时《刑法》第一百三十三条之一{}。"
    assert kinds(library, text.format("尚未施行")) == ["right"]
    assert kinds(library, text.format("还不存在")) == ["right"]
    assert kinds(library, text.format("应予适用")) == ["not_in_force"]


def test_an_article_of_the_code_that_a_text_takes_back_is_not_out_of_force(
    library: Library,
) -> None:
    text = "柳某于2019年3月2日去世，留有打印遗嘱，依《民法典》第一千一百三十六条有效。"
    assert kinds(library, text) == ["not_checked"]


# Numbers


def test_a_paragraph_a_number_had_while_it_was_another_rules_is_looked_for(
    library: Library,
) -> None:
    [finding] = found(library, "2024年10月8日，债权人依《公司法》第二十条第三款起诉。")
    assert finding.kind == "renumbered"
    assert [one.portion.chinese for one in finding.suggestions] == ["第二十三条"]


JUDGMENT = (
    "民事判决书\n（2022）鲁0102民初31号\n2021年3月1日，被告借款。被告经传票传唤，无正当理由拒不到庭，"
    "视为放弃答辩。\n依照《中华人民共和国民事诉讼法》{}规定，判决如下：\n二〇二二年五月十八日"
)


def test_an_article_cited_by_the_number_its_rule_had_before_is_found(library: Library) -> None:
    [finding] = [
        one
        for one in found(library, JUDGMENT.format("第一百四十四条"))
        if one.subject == "citation"
    ]
    assert finding.kind == "renumbered"
    assert [one.portion.chinese for one in finding.suggestions] == ["第一百四十七条"]
    assert finding.quoted and finding.quoted.number.chinese == "第一百四十四条"


@pytest.mark.parametrize(
    "articles",
    [
        "第一百四十七条",  # the rule's number
        "第一百四十四条、第一百四十七条",  # both are cited: the words are those of the second
        "第六十七条第一款",
    ],
)
def test_an_article_that_is_cited_by_its_own_number_is_right(
    library: Library, articles: str
) -> None:
    assert not [one for one in found(library, JUDGMENT.format(articles)) if one.is_wrong]


def test_words_of_the_cited_article_are_enough_for_its_number(library: Library) -> None:
    text = JUDGMENT.replace(
        "视为放弃答辩。", "法庭辩论终结，由审判长按照原告、被告先后征询最后意见。"
    )
    findings = found(library, text.format("第一百四十四条"))
    assert not [one for one in findings if one.is_wrong]


def test_what_is_said_of_any_article_tells_nothing_of_its_rule(library: Library) -> None:
    text = "2025年1月5日发生纠纷。依照《公司法》{}的规定处理，并追究法律责任。"
    for number in range(60, 90):
        assert "renumbered" not in kinds(library, text.format(f"第{number}条"))


def test_a_crime_is_named_with_whole_words_of_its_name(library: Library) -> None:
    text = "2016年5月20日，公安机关以{}移送审查起诉。"
    assert kinds(library, text.format("贩毒罪")) == ["wrong_name"]
    assert kinds(library, text.format("贩卖毒品罪")) == ["right"]


# Quotations


def test_marked_words_beside_an_article_are_compared_with_it(library: Library) -> None:
    text = (
        "2024年10月8日，依《公司法》第八十八条第一款，由受让人出资。对方称"
        "“转让人对受让人未按期缴纳的出资承担连带责任”。"
    )
    [finding] = [one for one in found(library, text) if one.is_wrong]
    assert finding.kind == "misquoted"
    assert finding.governed
    assert finding.quoted is None


def test_marked_words_are_traced_to_the_article_cited_beside_them_first(
    library: Library,
) -> None:
    text = (
        "沈某的行为发生于2018年。起诉书引用《刑法》第一百七十六条。公诉人却称"
        "“数额特别巨大或者有其他特别严重情节的，处十年以上有期徒刑，并处罚金”。"
    )
    [finding] = [one for one in found(library, text) if one.is_wrong]
    assert finding.kind == "other_time"


def test_lines_of_a_block_quotation_may_leave_paragraphs_out_between_them(
    library: Library,
) -> None:
    text = (
        "2023年起诉离婚。\n\n根据《民法典》第一千零七十九条：\n\n"
        "> 夫妻一方要求离婚的，可以由有关组织进行调解或者直接向人民法院提起离婚诉讼。\n"
        "> 有下列情形之一，调解无效的，{}准予离婚：（一）重婚或者与他人同居；\n"
    )
    read = [read_markdown(text.format(one).encode(), name="a.md") for one in ("应当", "可以")]
    right, wrong = (library.verify(one).findings for one in read)
    assert all(one.is_right for one in right)
    assert [one.kind for one in wrong if one.is_wrong] == ["misquoted"]


def test_provides_without_a_stop_begins_an_articles_words(library: Library) -> None:
    text = (
        "柳某于2019年3月2日去世。《继承法》第二十条第三款另规定自书、代书、录音、口头遗嘱，"
        "不得{}公证遗嘱。"
    )
    assert not [one for one in found(library, text.format("撤销、变更")) if one.is_wrong]


def test_a_number_behind_the_laws_own_words_is_of_no_other_tier(library: Library) -> None:
    text = (
        "2016年3月1日签订。执行《劳动法》第三十六条规定的标准工时制，"
        "即每日工作时间不超过八小时、平均每周工作时间不超过四十小时的工时制度。"
    )
    assert [one.kind for one in found(library, text) if one.is_wrong] == ["misquoted"]


# What an amending instrument says, and what a law says now


FINE = "损毁公共设施的，处三千元以下罚款；情节严重的，处五千元以下罚款。"


@pytest.fixture
def amended(tmp_path: Path) -> Iterator[Library]:
    """A law, the amendment that made its fine three thousand, and what made it less later."""
    law, amendment = "中华人民共和国试验法", "中华人民共和国试验法修正案（一）"
    first, second = date(2015, 11, 1), date(2024, 3, 1)
    milder = FINE.replace("三千", "一千").replace("五千", "二千")
    with tiny_library(
        tmp_path,
        tiny_law(law, {"5": FINE}, start=first, end=second),
        tiny_law(law, {"5": milder}, start=second),
        tiny_law(amendment, {"三、": f"将第五条修改为：“{FINE}”"}, start=first),
        today="2026-11-23",
    ) as library:
        library.update_index()
        yield library


def test_words_that_an_amendment_enacted_are_those_of_the_law_only_as_long_as_it_says_so(
    amended: Library,
) -> None:
    words = FINE.removesuffix("。")
    assert kinds(amended, f"2018年4月损毁路灯。承办人写作“{words}”。") == ["amended_since"]
    assert kinds(amended, f"2024年4月损毁路灯。承办人写作“{words}”。") == ["other_time"]


def test_an_amendment_numbered_by_points_is_cited_by_articles(amended: Library) -> None:
    cites = "2024年4月。见《中华人民共和国试验法修正案（一）》"
    assert kinds(amended, f"{cites}第三条。") == ["right"]
    assert kinds(amended, f"{cites}第四条。") != ["right"]


def test_an_amendment_is_not_the_interpretation_of_its_effect_in_time() -> None:
    of_time = "最高人民法院关于《中华人民共和国刑法修正案（九）》时间效力问题的解释"
    assert find_title("刑法修正案（九）", [of_time]) is None


# Which law is meant, and of which day


def test_the_former_law_is_that_law_before_it_was_changed(library: Library) -> None:
    text = "2024年9月。《公司法》第二十三条第一款有此规则，旧法第二十条第三款亦同。"
    assert [one for one in found(library, text) if one.is_wrong] == []


def test_the_year_before_a_law_is_the_day_it_is_cited_for(library: Library) -> None:
    text = "2014年的刑法第六十八条第二款已被删除。该文写于2006年，不知道。"
    [finding] = [one for one in found(library, text) if one.subject == "citation"]
    assert (finding.kind, str(finding.days)) == ("unsupported_portion", "2014-01-01 to 2014-12-31")


def test_a_day_on_which_a_rule_ended_is_no_day_of_the_facts(library: Library) -> None:
    words = "犯罪后自首又有重大立功表现的，应当减轻或者免除处罚"
    text = f"2022年5月打人。《刑法》第六十八条规定“{words}”，该款已于2011年4月30日失效。"
    assert "other_time" in kinds(library, text)


def test_what_has_lasted_since_a_day_ends_on_the_day_the_document_is_signed(
    library: Library,
) -> None:
    text = "2015年以来，被告多次打人。依照《合同法》第一百零七条处理。\n二〇一六年七月一日"
    [finding] = found(library, text)
    assert finding.kind == "amended_since"
    assert finding.days and finding.days.facts[0].last == date(2016, 7, 1)


def test_an_article_in_english_is_that_of_the_law_named_before_it(library: Library) -> None:
    text = (
        "On 14 March 2022 Article 12 of the Criminal Law applied. In the Civil Code, Article 680."
    )
    assert [one.work for one in found(library, text) if one.portion][-1] == "中华人民共和国民法典"


# Where names and words end


def test_a_selection_of_a_crime_s_names_is_known_also_where_it_holds_crime(
    library: Library,
) -> None:
    [name] = found(library, "2021年9月，应当以掩饰、隐瞒犯罪所得罪追究其刑事责任。")
    assert (name.kind, name.text) == ("right", "掩饰、隐瞒犯罪所得罪")


def test_the_law_s_words_end_where_it_is_said_that_they_are_a_rule(library: Library) -> None:
    words = "敲诈勒索公私财物，数额较大或者多次敲诈勒索的，处三年以下有期徒刑、拘役或者管制"
    text = f"2013年5月。根据《刑法》第二百七十四条，{words}之规定，决定处罚。"
    quotations = [one for one in found(library, text) if one.subject == "quotation"]
    assert [one.kind for one in quotations] == ["right"]


# Numbers that a rule no longer has


def test_an_article_of_whose_own_rule_a_document_says_more_is_no_old_number(
    tmp_path: Path,
) -> None:
    law, changed = "中华人民共和国试验法", date(2022, 1, 1)
    review = "人民法院应当自收到再审申请书之日起三个月内审查，决定是否再审。"
    reasons = "判决认定的基本事实缺乏证据证明的，人民法院应当再审。"
    with tiny_library(
        tmp_path,
        tiny_law(law, {"7": review, "8": reasons}, start=date(2013, 1, 1), end=changed),
        tiny_law(law, {"6": review, "7": reasons}, start=changed),
        today="2026-11-23",
    ) as library:
        library.update_index()
        cites = "2024年5月，申请人提交再审申请书，依据《试验法》第七条"
        assert "renumbered" in kinds(library, f"{cites}。")
        assert kinds(library, f"{cites}：\n判决认定的基本事实缺乏证据证明。")[0] == "right"


def test_what_took_the_place_of_an_article_of_an_ended_law_is_what_the_table_says(
    tmp_path: Path,
) -> None:
    contracts, code, day = "中华人民共和国合同法", "中华人民共和国民法典", date(2021, 1, 1)
    void = "有下列情形之一的，合同无效：（一）恶意串通；（二）违反法律、行政法规的强制性规定。"
    void_now = "违反法律、行政法规的强制性规定的民事法律行为无效。"
    alike = "有下列情形之一的，合同的权利义务终止：（一）违反约定；（二）恶意串通。"
    with tiny_library(
        tmp_path,
        tiny_law(contracts, {"52": void}, start=date(1999, 10, 1), end=day),
        tiny_law(code, {"153": void_now, "557": alike}, start=day),
        today="2026-11-23",
    ) as library:
        library.update_index()
        [finding] = found(library, "2022年6月签订的合同，依照合同法第五十二条无效。")
        assert finding.kind == "not_in_force"
        assert [one.portion.number.short for one in finding.suggestions] == ["153"]
        assert finding.score is None
