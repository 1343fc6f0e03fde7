"""Words without quotation marks: wrong if an exchanged term makes another rule, else a summary."""

from __future__ import annotations

import pytest

from inforce.library import Library
from inforce.verification.findings import Finding

THEFT = (
    "盗窃公私财物，数额较大的，或者多次盗窃、入户盗窃、携带凶器盗窃、扒窃的，"
    "处{years}以下有期徒刑、拘役或者管制，并处或者单处罚金"
)
WAGES = (
    "用人单位自用工之日起超过一个月不满一年未与劳动者订立书面劳动合同的，"
    "应当向劳动者每月支付{times}的工资"
)
FORMS = (
    "依照《刑法》第二百六十四条的规定，{words}。",
    "《刑法》第二百六十四条规定，{words}。",
    "根据《刑法》第二百六十四条，{words}，故应依法处理。",
    "{words}（《刑法》第二百六十四条）。",
    "《刑法》第264条规定：{words}，本院予以确认。",
)


def quotations(library: Library, text: str) -> list[Finding]:
    return [one for one in library.verify(text).findings if one.subject == "quotation"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("years", "kind"), [("三年", "right"), ("3年", "right"), ("五年", "misquoted")]
)
def test_a_term_exchanged_in_the_laws_words_is_a_misquotation(
    sample_library: Library, form: str, years: str, kind: str
) -> None:
    text = f"2024年6月1日，李某盗窃。{form.format(words=THEFT.format(years=years))}"
    [finding] = quotations(sample_library, text)
    assert (finding.kind, finding.work) == (kind, "中华人民共和国刑法")
    if kind == "misquoted":
        changed = {one.kind: one.text for one in finding.pieces if one.kind != "equal"}
        assert changed == {"deleted": "三年", "inserted": "五年"}
        assert text[finding.start : finding.end] == finding.text
        assert finding.governed


def test_a_law_nobody_cites_is_found_for_a_long_sentence(sample_library: Library) -> None:
    [finding] = quotations(sample_library, f"2023年5月1日，{WAGES.format(times='三倍')}。")
    assert (finding.kind, finding.work) == ("misquoted", "中华人民共和国劳动合同法")


@pytest.mark.parametrize(
    "text",
    [
        "依照《刑法》第二百六十六条，诈骗公私财物，数额巨大的，处三年以上十年以下有期徒刑，并处罚金。",
        "依照《刑法》第二百六十四条的规定，应当判处李某三年以下有期徒刑、拘役或者管制。",
        "依照《刑法》第二百六十四条的规定，李某多次盗窃，依法应处三年以下有期徒刑，并处罚金。",
        "乙方（劳动者）违反本合同第五条的，应当向甲方支付三个月工资作为违约金，并赔偿其他损失。",
        "根据《某省劳动合同条例》第八条，" + WAGES.format(times="三倍") + "。",
    ],
)
def test_a_summary_is_no_misquotation(sample_library: Library, text: str) -> None:
    found = quotations(sample_library, f"2024年6月1日，{text}")
    assert not [one for one in found if one.is_wrong]


@pytest.mark.parametrize(
    ("day", "kind"),
    [
        ("2011年4月30日", "other_time"),
        ("2011年5月1日", "right"),
        ("2024年6月1日", "right"),
    ],
)
@pytest.mark.parametrize(
    "form",
    [
        "依照《刑法》第七十四条之规定，{words}。",
        "根据《刑法》第七十四条，{words}，故不予采纳。",
    ],
)
def test_words_after_a_citation_are_checked_for_the_day(
    sample_library: Library, form: str, day: str, kind: str
) -> None:
    words = "对于累犯和犯罪集团的首要分子，不适用缓刑"
    [finding] = quotations(sample_library, f"{day}作案。{form.format(words=words)}")
    assert (finding.kind, finding.text) == (kind, words)
