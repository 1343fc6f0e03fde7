"""Quotations of a document: verbatim as of its day, of another day, or nobody's words."""

from __future__ import annotations

from datetime import date

import pytest

from inforce.library import Library
from inforce.verification.findings import Finding

OLD, NEW = "对于累犯，不适用缓刑。", "对于累犯和犯罪集团的首要分子，不适用缓刑。"
EVIDENCE = "对一切案件的判处都要重证据，重调查研究，不轻信口供。"


def quotation(library: Library, text: str, on: str | None = None) -> Finding:
    [finding] = [one for one in library.verify(text, on=on).findings if one.subject == "quotation"]
    return finding


@pytest.mark.parametrize(
    ("day", "words", "kind"),
    [
        ("2011年4月29日", OLD, "amended_since"),
        ("2011年4月30日", OLD, "amended_since"),
        ("2011年5月1日", OLD, "other_time"),
        ("2011年5月2日", OLD, "other_time"),
        ("2010年6月1日", NEW, "other_time"),
        ("2011年4月30日", NEW, "other_time"),
        ("2011年5月1日", NEW, "right"),
        ("2024年6月1日", NEW, "right"),
    ],
)
@pytest.mark.parametrize(
    "form",
    [
        "{day}盗窃，依照《刑法》第七十四条的规定：“{words}”",
        "{day}盗窃，法律规定：“{words}”（刑法第74条）。",
        "{day}盗窃。《中华人民共和国刑法》第七十四条规定，「{words}」",
        "{day}盗窃，《刑法》第七十四条规定：【缓刑的限制】“{words}”",
    ],
)
def test_words_are_right_only_while_the_law_read_so(
    sample_library: Library, form: str, day: str, words: str, kind: str
) -> None:
    finding = quotation(sample_library, form.format(day=day, words=words))
    assert (finding.kind, finding.work) == (kind, "中华人民共和国刑法")
    if kind == "other_time":
        assert finding.quoted and finding.governed
        assert finding.quoted.window != finding.governed[0].window


def test_blanks_punctuation_and_width_change_no_law(sample_library: Library) -> None:
    text = "2024年6月1日，《刑法》第七十四条规定：“对于累犯 和犯罪集团的首要分子,不适用缓刑”。"
    assert quotation(sample_library, text).kind == "right"


def test_a_changed_word_is_a_misquotation_and_the_difference_is_shown(
    sample_library: Library,
) -> None:
    text = "2024年6月1日，《刑法》第七十四条规定：“对于累犯和犯罪集团的骨干分子，不适用缓刑。”"
    finding = quotation(sample_library, text)
    assert finding.kind == "misquoted"
    changed = {piece.kind: piece.text for piece in finding.pieces if piece.kind != "equal"}
    assert changed == {"deleted": "首要", "inserted": "骨干"}


def test_words_nobody_ever_enacted_are_no_quotation_of_any_law(sample_library: Library) -> None:
    text = "2024年6月1日，《刑法》第七十四条规定：“缓刑考验期满的，应当向社区书面报告并取得证明。”"
    finding = quotation(sample_library, text)
    assert (finding.kind, finding.reason) == ("misquoted", "invented_words")


def test_a_rule_under_its_former_number_is_named_with_its_number_then(
    sample_library: Library,
) -> None:
    text = f"2014年3月开庭审理，《刑事诉讼法》第四十六条规定：“{EVIDENCE}”"
    finding = quotation(sample_library, text)
    assert finding.kind == "renumbered"
    assert finding.suggestions[0].portion.chinese == "第五十三条"
    assert finding.score is not None and finding.score > 0.6
    later = f"2014年3月开庭审理，《刑事诉讼法》第五十五条规定：“{EVIDENCE}”"
    assert quotation(sample_library, later).kind == "renumbered"
    right = f"2014年3月开庭审理，《刑事诉讼法》第五十三条规定：“{EVIDENCE}”"
    assert quotation(sample_library, right).is_right


def test_the_words_of_another_provision_are_traced_to_it(sample_library: Library) -> None:
    text = f"2024年6月1日，《刑法》第七十二条规定：“{NEW}”"
    finding = quotation(sample_library, text)
    assert finding.kind == "wrong_source"
    assert finding.quoted and finding.quoted.number.short == "74"
    text = f"2024年6月1日，《民法典》第一百四十三条规定：“{NEW}”"
    finding = quotation(sample_library, text)
    assert finding.kind == "wrong_source"
    assert finding.suggestions[0].work == "中华人民共和国刑法"


def test_the_words_of_another_paragraph_are_not_those_cited(sample_library: Library) -> None:
    words = "有前两款行为，同时构成其他犯罪的，依照处罚较重的规定定罪处罚"
    for portion, kind in (("第三款", "right"), ("第一款", "unsupported_portion"), ("", "right")):
        text = f"2016年5月1日醉驾，《刑法》第一百三十三条之一{portion}规定：“{words}”"
        assert quotation(sample_library, text).kind == kind


def test_what_is_left_out_is_left_out_and_the_rest_must_be_there_in_order(
    sample_library: Library,
) -> None:
    for words, kind in (
        ("在道路上驾驶机动车……醉酒驾驶机动车的", "right"),
        ("醉酒驾驶机动车的……在道路上驾驶机动车，有下列情形", "misquoted"),
    ):
        text = f"2016年5月1日，《刑法》第一百三十三条之一规定：“{words}”"
        assert quotation(sample_library, text).kind == kind


def test_words_without_a_citation_are_found_all_the_same(sample_library: Library) -> None:
    finding = quotation(sample_library, f"2014年3月1日，法律规定“{EVIDENCE}”。")
    assert finding.portion and finding.portion.number.short == "53"
    assert finding.kind == "amended_since"
    assert finding.work == "中华人民共和国刑事诉讼法"


def test_a_recital_without_marks_is_checked_like_a_quotation(sample_library: Library) -> None:
    text = "2010年6月1日，《刑法》第七十四条规定：对于累犯和犯罪集团的首要分子，不适用缓刑。"
    assert quotation(sample_library, text).kind == "other_time"


def test_a_summary_of_an_article_is_no_quotation_of_it(sample_library: Library) -> None:
    text = "2024年6月1日，《刑法》第七十四条规定，首要分子也不能判缓刑，辩护人的意见不予采纳。"
    assert not [one for one in sample_library.verify(text).findings if one.subject == "quotation"]


def test_what_witnesses_say_is_no_quotation_of_a_law(sample_library: Library) -> None:
    text = "2024年6月1日，证人称：“我看见他晚上十点左右开车回来，身上有很重的酒味。”"
    assert not sample_library.verify(text).findings


def test_without_a_day_only_what_is_wrong_on_every_day_is_wrong(sample_library: Library) -> None:
    right = quotation(sample_library, f"《刑法》第七十四条规定：“{OLD}”")
    assert (right.kind, right.reason) == ("not_checked", "no_date")
    wrong = quotation(sample_library, "《刑法》第七十四条规定：“对于惯犯，不得适用缓刑。”")
    assert wrong.kind == "misquoted"


def test_citations_inside_quoted_words_are_not_the_documents_own(sample_library: Library) -> None:
    words = "公证遗嘱由遗嘱人经公证机关办理"
    text = f"2015年3月立遗嘱，《继承法》第十七条规定：“{words}”"
    found = sample_library.verify(text).findings
    assert [one.subject for one in found] == ["citation", "quotation"]


def test_block_quotations_with_their_citation_below(sample_library: Library) -> None:
    from inforce.documents.plain import read_markdown

    text = f"2010年6月1日盗窃。\n\n> {NEW}（《刑法》第七十四条）\n"
    verified = sample_library.verify(read_markdown(text.encode(), name="a.md"), on="2010-06-01")
    [finding] = [one for one in verified.findings if one.subject == "quotation"]
    assert (finding.kind, finding.text) == ("other_time", NEW)


def test_evidence_names_the_provision_its_days_and_its_hash(sample_library: Library) -> None:
    finding = quotation(sample_library, f"2012年6月1日，《刑法》第七十四条规定：“{OLD}”")
    [governed] = finding.governed
    assert governed.id == "/akn/cn/act/中华人民共和国刑法/zho@2011-05-01/~art_74"
    assert governed.instrument == "刑法修正案（八）"
    assert governed.window.start == date(2011, 5, 1)
    assert len(governed.hash) == 64


def test_the_end_of_words_without_marks_is_found_by_comparison(sample_library: Library) -> None:
    text = (
        f"2024年6月1日。法律依据：《刑法》第七十四条{NEW}律师解答：累犯一般不能判缓刑，要看情况。"
    )
    finding = quotation(sample_library, text)
    assert (finding.kind, finding.text) == ("right", NEW.rstrip("。"))


def test_items_may_be_left_out_of_words_without_marks(sample_library: Library) -> None:
    text = (
        "2016年5月1日。依据：《刑法》第一百三十三条之一在道路上驾驶机动车，有下列情形之一的，"
        "处拘役，并处罚金：（二）醉酒驾驶机动车的"
    )
    assert quotation(sample_library, text).kind == "right"
    marked = text.replace("在道路", "规定：“在道路") + "”"
    assert quotation(sample_library, marked).kind == "misquoted"


def test_an_item_is_quoted_with_the_words_that_introduce_its_list(sample_library: Library) -> None:
    text = (
        "2016年5月1日，《刑法》第一百三十三条之一第一款第二项规定：“在道路上驾驶机动车，"
        "有下列情形之一的，处拘役，并处罚金：……（二）醉酒驾驶机动车的”"
    )
    assert quotation(sample_library, text).kind == "right"


def test_quotations_within_quotations_are_part_of_them(sample_library: Library) -> None:
    text = (
        "2014年6月1日，《最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释》第一条规定："
        "“应当分别认定为刑法第二百六十四条规定的“数额较大”、“数额巨大”、“数额特别巨大””"
    )
    finding = quotation(sample_library, text)
    assert finding.kind == "right" and finding.work.endswith("适用法律若干问题的解释")


def test_what_a_judgment_applies_is_the_law_of_its_own_trial(sample_library: Library) -> None:
    head = "某市中级人民法院刑事判决书（2019）吉01刑终46号\n2016年5月1日盗窃，一审于2018年3月判决。"
    text = f"{head}《刑事诉讼法》第五十五条规定：“{EVIDENCE}”"
    assert quotation(sample_library, text).is_right
