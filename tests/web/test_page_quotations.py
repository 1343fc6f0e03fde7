"""What is handed over as the words of a law stands on the page, or is dropped and named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.web.quotations import PageText

NUMBER = "第二百三十三条"
RULE = "过失致人死亡的，处三年以上七年以下有期徒刑；"
MILDER = "情节较轻的，处三年以下有期徒刑。"
ARTICLE = f"{NUMBER}　{RULE}{MILDER}"
PAGE = f"""中华人民共和国刑法
（1997年10月1日起施行）
{ARTICLE}
本法另有规定的，依照规定。
法院认为，被告人的行为构成过失致人死亡罪。
Section 11. No action shall be brought after two years.
"""


@pytest.mark.parametrize(
    "quotation",
    [
        ARTICLE,
        f"{NUMBER} {RULE}{MILDER}",
        f"{NUMBER}：{RULE}\n{MILDER}",
        f"- **{NUMBER} {RULE}",
        "Section 11. No action shall be\u00a0brought after two years.",
    ],
)
def test_a_true_quotation_becomes_the_pages_own_text(quotation: str) -> None:
    checked = PageText(PAGE).check(quotation.replace("**", "").replace("\n", ""))
    assert [one.verbatim for one in checked.extracts] == [True]
    assert checked.extracts[0].text in PAGE
    assert checked.dropped == ()


@pytest.mark.parametrize(
    "quotation",
    [
        f"{NUMBER} 过失致人死亡的，处三年以上十年以下有期徒刑。",
        f"{NUMBER} {RULE[:-1]}，{MILDER}",
        f"第二百三十四条 {RULE}",
        "《刑法》第二百三十二条　故意杀人的，处死刑。",
        "刑法第二百三十三条规定：“过失致人死亡的，处拘役或者管制。”",
        "法院引用“过失致人死亡的，处拘役或者管制”作出判决。",
        "Section 12. No action shall be brought after three years.",
        "The act provides that no action shall be brought after five years.",
    ],
)
def test_what_looks_like_law_and_does_not_stand_there_is_dropped(quotation: str) -> None:
    checked = PageText(PAGE).check(quotation)
    assert checked.extracts == ()
    assert checked.dropped == (quotation,)


def test_from_the_head_of_an_article_on_every_line_must_stand_there() -> None:
    checked = PageText(PAGE).check(f"{ARTICLE}\n本法另有规定的，从轻处罚。")
    assert [one.text for one in checked.extracts] == [ARTICLE]
    assert checked.dropped == ("本法另有规定的，从轻处罚。",)


def test_what_quotes_no_law_may_be_retold_and_is_marked() -> None:
    checked = PageText(PAGE).check(
        "法院认定构成过失犯罪。\n法院认为，被告人的行为构成过失致人死亡罪。"
    )
    assert [one.verbatim for one in checked.extracts] == [False, True]


@given(st.text(alphabet="第条一二甲乙，。“” :\n\u3000", max_size=80), st.text(max_size=20))
def test_verbatim_always_means_on_the_page(page: str, passage: str) -> None:
    checked = PageText(page).check(f"{passage}\n{page[3:30]}")
    assert all(one.text in page for one in checked.extracts if one.verbatim)
