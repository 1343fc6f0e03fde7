"""What stated a rule before, where it went, and which sum is how large: tables behind an answer."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from inforce.answering.answer import Answer
from inforce.library import open_library
from inforce.testing import tiny_law, tiny_library

CODE = "中华人民共和国民法典"
CRIMES = "中华人民共和国刑法"
CONTRACTS = "中华人民共和国合同法"
VOID = "有下列情形之一的，合同无效：（一）恶意串通；（二）违反法律、行政法规的强制性规定。"
BRIBERY = "最高人民法院、最高人民检察院关于办理贪污贿赂刑事案件适用法律若干问题的解释"


def quoted(answer: Answer) -> list[tuple[str, str]]:
    return [(one.work, one.number.short) for one in answer.quotations]


@pytest.mark.parametrize(
    ("sum_taken", "article"), [("2万元", "1"), ("8万元", "1"), ("50万元", "2"), ("400万元", "3")]
)
def test_which_tier_is_asked_with_a_sum_the_interpretation_of_the_sum_is_quoted(
    tmp_path: Path, sum_taken: str, article: str
) -> None:
    tiers = {
        "383": "对犯贪污罪的，数额较大的，处三年以下有期徒刑；数额巨大的，处十年以下有期徒刑。"
    }
    figures = {
        "1": "贪污数额在三万元以上不满二十万元的，应当认定为数额较大。",
        "2": "贪污数额在二十万元以上不满三百万元的，应当认定为数额巨大。",
        "3": "贪污数额在三百万元以上的，应当认定为数额特别巨大。",
    }
    texts = [
        tiny_law(CRIMES, tiers, start=date(2015, 11, 1)),
        tiny_law(BRIBERY, figures, start=date(2016, 4, 18)),
    ]
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        answer = library.ask(f"2016年5月贪污{sum_taken}，依刑法第三百八十三条适用哪一档？")
        assert (BRIBERY, article) in quoted(answer)


def test_where_the_rule_of_an_article_named_by_its_old_number_went_is_recorded(
    tmp_path: Path,
) -> None:
    texts = [
        tiny_law(CONTRACTS, {"52": VOID}, start=date(1999, 10, 1), end=date(2021, 1, 1)),
        tiny_law(
            CODE,
            {
                "143": "具备下列条件的民事法律行为有效。",
                "153": "违反法律、行政法规的强制性规定的民事法律行为无效。",
                "154": "行为人与相对人恶意串通，损害他人合法权益的民事法律行为无效。",
            },
            start=date(2021, 1, 1),
        ),
    ]
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        later = library.ask("2022年签的合同，还能依据合同法第五十二条主张无效吗")
        assert quoted(later) == [(CODE, "153"), (CODE, "154")]
        assert quoted(library.ask("2018年签的合同，合同法第五十二条怎么说")) == [(CONTRACTS, "52")]


def test_a_new_rule_of_the_civil_code_had_no_predecessor_however_alike_one_reads(
    tmp_path: Path,
) -> None:
    property_law = "中华人民共和国物权法"
    texts = [
        tiny_law(
            property_law,
            {"157": "设立地役权，当事人应当采取书面形式订立地役权合同。"},
            start=date(2007, 10, 1),
            end=date(2021, 1, 1),
        ),
        tiny_law(
            CODE,
            {"367": "设立居住权，当事人应当采用书面形式订立居住权合同。"},
            start=date(2021, 1, 1),
        ),
    ]
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        then = library.ask("2018年设立居住权要订立书面居住权合同吗")
    assert (property_law, "157") not in quoted(then)


def test_a_text_known_from_the_one_after_it_has_its_own_numbers(package_home: Path) -> None:
    """Beating is article 43 until 2025, and 51 since; 51 of 2007 is about impersonation."""
    with open_library(package_home) as library:
        text = library.text_on("中华人民共和国治安管理处罚法", date(2007, 6, 1))
        answer = library.ask("2007年6月打架把人打成轻微伤，派出所怎么处理")
    assert "60" not in {one.number.short for one in text}
    assert len(text) == 118
    assert quoted(answer) == [("中华人民共和国治安管理处罚法", "43")]


def test_an_answer_on_a_period_lists_no_rule_on_the_matter_that_was_not_in_force(
    tmp_path: Path,
) -> None:
    general = "中华人民共和国民法通则"
    texts = [
        tiny_law(
            general,
            {"135": "向人民法院请求保护民事权利的诉讼时效期间为二年，法律另有规定的除外。"},
            start=date(1987, 1, 1),
            end=date(2021, 1, 1),
        ),
        tiny_law(CODE, {"675": "借款人应当按照约定的期限返还借款。"}, start=date(2021, 1, 1)),
    ]
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        answer = library.ask("借款约定2009年底返还，借款人没有按照约定的期限还，2013年起诉晚没晚？")
    assert quoted(answer) == [(general, "135")]
    assert answer.absences == ()
