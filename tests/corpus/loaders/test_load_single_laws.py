"""One file, one law: plain text, Markdown and Word read alike, down to dates and headings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from law_files import TINY_LAW, TINY_MARKDOWN, part_of, texts_of, word_file

from document_files import NAMESPACES, paragraph, repacked, run, word_xml
from inforce.corpus.loaders.single_law import parse_docx, parse_lawrefbook, parse_text
from inforce.corpus.loaders.statute_text import TextLine, article_start
from inforce.errors import InputError
from inforce.law.model import Source, Validity, VersionText
from inforce.law.numerals import ProvisionNumber

SOURCE = Source("test")
_Parse = Callable[[str], VersionText]


def from_text(text: str, *, path: str = "law.txt") -> VersionText:
    return parse_text(text.encode(), path=path, source=SOURCE)


def from_markdown(text: str, *, path: str = "law.md") -> VersionText:
    return parse_lawrefbook(text.encode(), path=path, source=SOURCE)


def from_word(text: str) -> VersionText:
    return parse_docx(word_file(text.split("\n")), path="law.docx", source=SOURCE)


def articles(*paragraphs: str, title: str = "示例法") -> str:
    return "\n".join((title, *paragraphs))


both = pytest.mark.parametrize("parse", [from_text, from_word], ids=["text", "word"])


@both
def test_an_official_text_gives_its_articles_without_the_table_of_contents(parse: _Parse) -> None:
    text = parse(TINY_LAW)
    assert text.version.work == "中华人民共和国示例法"
    assert texts_of(text) == {
        "第一条": "为了示范，制定本法。",
        "第二条": "本法所称示例，包括：\n（一）长的；\n（二）短的。\n前款第二项优先。",
        "第二条之一": "示例可以附带。",
        "第三条": "本法自2019年10月1日起施行。",
    }
    paths = ["第一章 总则", "第一章 总则", "第二章 附则", "第二章 附则"]
    assert [provision.path for provision in text.provisions] == paths


@both
def test_the_clause_of_the_first_version_does_not_date_an_amended_one(parse: _Parse) -> None:
    version = parse(TINY_LAW).version
    assert version.promulgated == date(2023, 5, 6)
    assert version.validity == Validity(None, None, "open", "header")


def test_markdown_headings_make_the_path_and_the_own_clause_the_commencement() -> None:
    text = from_markdown(TINY_MARKDOWN)
    assert [provision.path for provision in text.provisions] == [
        "第一编 总则 / 第一章 基本规定",
        "第一编 总则 / 第一章 基本规定",
        "第二编 分则 / 第一章 示例",
    ]
    assert texts_of(text)["第二条"] == "本法所称示例，包括：\n（一）长的；\n（二）短的。"
    assert text.version.promulgated == date(2019, 3, 15)
    assert text.version.validity == Validity(date(2019, 10, 1), None, "open", "clause")
    assert "taken as in force" in text.version.note


@pytest.mark.parametrize(
    ("header", "clause", "promulgated", "validity"),
    [
        (
            "（2013年3月8日最高人民法院审判委员会第1571次会议通过，自2013年4月4日起施行）",
            "本解释自发布之日起施行。",
            date(2013, 3, 8),
            Validity(date(2013, 4, 4), None, "open", "header"),
        ),
        (
            "2012年12月26日 公告公布\n2013年1月1日 施行",
            "结束。",
            date(2012, 12, 26),
            Validity(date(2013, 1, 1), None, "open", "header"),
        ),
        (
            "（1993年1月20日国务院令第108号发布）",
            "本条例自发布之日起施行。",
            date(1993, 1, 20),
            Validity(date(1993, 1, 20), None, "open", "clause"),
        ),
        (
            "（2001年1月2日最高人民检察院第七十九次会议通过）",
            "本解释自公布之日起施行。",
            date(2001, 1, 2),
            Validity(None, None, "open", "header"),
        ),
        (
            "（略）",
            "本法自2021年1月1日起施行。",
            None,
            Validity(date(2021, 1, 1), None, "open", "clause"),
        ),
        ("（略）", "结束。", None, Validity(None, None, "open", "unstated")),
    ],
)
def test_dates_are_read_from_the_header_and_the_closing_articles(
    header: str, clause: str, promulgated: date | None, validity: Validity
) -> None:
    version = from_text(articles(header, "第一条　甲。", f"第二条　{clause}")).version
    assert (version.promulgated, version.validity) == (promulgated, validity)


def test_the_date_in_the_name_of_the_file_serves_where_the_header_has_none() -> None:
    text = "# 示例法\n<!-- INFO END -->\n第一条 甲。"
    version = from_markdown(text, path="示例法(2020-05-28).md").version
    assert (version.promulgated, version.label) == (date(2020, 5, 28), "2020-05-28")


def test_the_edition_in_brackets_is_a_label_and_other_brackets_are_title() -> None:
    amended = from_text(articles("第一条　甲。", title="中华人民共和国刑法（2023修正）")).version
    assert (amended.work, amended.label) == ("中华人民共和国刑法", "2023修正")
    trial = from_text(articles("第一条　甲。", title="民事诉讼法（试行）")).version
    assert (trial.work, trial.label) == ("民事诉讼法（试行）", "")


def test_a_title_may_be_set_over_several_lines() -> None:
    text = from_text("最高人民法院\n关于示例的\n解释\n（2020年1月1日公布）\n第一条　甲。")
    assert text.version.work == "最高人民法院关于示例的解释"


def test_an_editorial_heading_is_a_caption_and_no_part_of_the_text() -> None:
    law = articles(
        "（2019年3月15日第十三届全国人民代表大会第二次会议通过）",
        "第一条　【盗窃罪】盗窃的，处罚。",
        "第二条　本法自2019年10月1日起施行。",
    )
    text = from_text(law)
    assert texts_of(text)["第一条"] == "盗窃的，处罚。"
    assert [(each.number.short, each.name) for each in text.captions] == [("1", "盗窃罪")]


def test_a_paragraph_that_speaks_of_an_article_does_not_begin_one() -> None:
    lines = ("第一条　甲：", "第二条第一款的情形；", "第三条规定的情形。", "第二条　乙。")
    assert texts_of(from_text(articles(*lines))) == {
        "第一条": "甲：\n第二条第一款的情形；\n第三条规定的情形。",
        "第二条": "乙。",
    }


@pytest.mark.parametrize("space", ["　", " ", "", "　　"])
def test_articles_are_found_with_and_without_a_space_after_the_number(space: str) -> None:
    law = articles(f"第一条{space}甲。", f"第一百三十三条之一{space}乙。", f"第134条{space}丙。")
    assert list(texts_of(from_text(law))) == ["第一条", "第一百三十三条之一", "第一百三十四条"]


def test_articles_listed_in_the_contents_do_not_become_articles() -> None:
    law = articles("目　录", "第一条　目的……1", "第二条　范围……2", "第一条　甲。", "第二条　乙。")
    assert texts_of(from_text(law)) == {"第一条": "甲。", "第二条": "乙。"}


def test_headings_between_the_articles_of_an_interpretation_are_no_text() -> None:
    lines = (
        "一、管辖",
        "第一条　甲。",
        "二、回避",
        "（一）范围",
        "第二条　乙。",
        "（二）程序",
        "第三条　丙。",
    )
    text = from_text(articles(*lines))
    assert list(texts_of(text).values()) == ["甲。", "乙。", "丙。"]
    paths = ["一、管辖", "二、回避 / （一）范围", "二、回避 / （二）程序"]
    assert [provision.path for provision in text.provisions] == paths


def test_a_decision_is_read_by_points_with_its_preamble() -> None:
    text = from_text(articles("为了示范，决定如下：", "一、甲。", "二、乙：", "（一）丙。"))
    assert texts_of(text) == {
        "序": "为了示范，决定如下：",
        "一、": "甲。",
        "二、": "乙：\n（一）丙。",
    }


def test_a_text_without_numbers_is_whole_if_it_was_adopted() -> None:
    text = from_text(articles("（2020年1月1日公布）", "一段话。", "又一段。"))
    assert texts_of(text) == {"全文": "一段话。\n又一段。"}


def test_annexes_are_left_out_and_noted() -> None:
    text = from_text(articles("第一条　甲。", "附件一：", "第一条　表格。"))
    assert texts_of(text) == {"第一条": "甲。"}
    assert "annexes from line 3 are left out" in text.version.note


def test_skipped_numbers_are_holes_since_the_file_cannot_say_why() -> None:
    text = from_text(articles("第一条　甲。", "第四条　丁。"))
    assert text.version.holes == {ProvisionNumber.article(2), ProvisionNumber.article(3)}


BAD_LAWS = [
    (articles("第一条　甲。", "第一条　乙。"), 3, "第一条 comes twice"),
    (articles("第二条　甲。", "第一条　乙。"), 3, "第一条 is out of order"),
    (articles("第一条　甲。", "第一一十条　乙。"), 3, "cannot read"),
    (articles("（2020年2月30日通过）", "第一条　甲。"), 2, "cannot read '2020年2月30日' as a date"),
    (articles("第一条　甲。", "第二条　本法自2021年13月1日起施行。"), 3, "there is no month 13"),
    (articles("第一条　甲。", "第二章　乙", "没有条号的话。"), 4, "belongs to no article"),
    ("第一条　甲。", 1, "no title above the first article"),
    ("书" * 300 + "\n第一条　甲。", 1, "no title above the first article"),
    ("随笔\n今天天气好", 1, "not a statute"),
    ("", 1, "no title"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BAD_LAWS)
def test_a_bad_text_is_refused_whole_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        from_text(text)
    assert caught.value.line == line
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("第一条 甲。", 1, "the first line must be '# '"),
        ("## 示例法\n第一条 甲。", 1, "the first line must be '# '"),
        ("# 示例法\n<!-- INFO END -->\n\n第一条 甲。\n\n第一条 乙。", 6, "第一条 comes twice"),
        ("# 示例法\n<!-- INFO END -->\n", None, "no provision with a text"),
    ],
)
def test_bad_markdown_is_refused_whole(text: str, line: int | None, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        from_markdown(text)
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_a_date_in_the_file_name_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match="the date in the file's name: cannot read '2020-02-30'"):
        from_markdown("# 示例法\n第一条 甲。", path="示例法(2020-02-30).md")


def test_a_text_in_another_encoding_says_so() -> None:
    text = parse_text(TINY_LAW.encode("gb18030"), path="law.txt", source=SOURCE)
    assert text.version.text_hash == from_text(TINY_LAW).version.text_hash
    assert "decoded from gb18030" in text.version.note


GOOD_WORD = word_file(TINY_LAW.split("\n"))
DOCUMENT = part_of(GOOD_WORD)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04", "a damaged Word file"),
        (b"PK\x05\x06" + bytes(18), "not a Word file"),
        (repacked(GOOD_WORD, part="bomb.bin", content=bytes(20 * 2**20)), "a possible zip bomb"),
        (
            repacked(
                GOOD_WORD,
                part="word/document.xml",
                content=DOCUMENT.replace(b"</w:p>", b'<w:ins w:id="1"/></w:p>', 1),
            ),
            "tracked changes",
        ),
    ],
    ids=["cut short", "zip", "bomb", "tracked"],
)
def test_a_dangerous_or_damaged_word_file_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_docx(data, path="law.docx", source=SOURCE)


def test_notes_headers_and_tables_of_a_word_file_are_no_law() -> None:
    body = "".join(paragraph(run(line)) for line in TINY_LAW.split("\n"))
    cell = f"<w:tbl><w:tr><w:tc>{paragraph(run('第四条 表格。'))}</w:tc></w:tr></w:tbl>"
    header = f"<w:hdr {NAMESPACES}>{paragraph(run('第五条 页眉。'))}</w:hdr>"
    data = word_xml(body + cell, {"header1": header})
    text = parse_docx(data, path="law.docx", source=SOURCE)
    assert texts_of(text) == texts_of(from_text(TINY_LAW))
    assert "tables are left out" in text.version.note


def test_automatic_numbers_are_refused_since_they_are_not_in_the_text() -> None:
    numbered = DOCUMENT.replace("第".encode(), b"").replace(
        b"<w:p>", b"<w:p><w:pPr><w:numPr/></w:pPr>"
    )
    data = repacked(GOOD_WORD, part="word/document.xml", content=numbered)
    with pytest.raises(InputError, match="numbered automatically"):
        parse_docx(data, path="law.docx", source=SOURCE)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("第十七条之一　已满", "第十七条之一"),
        ("第 3 条 甲", "第3条"),
        ("第三条", "第三条"),
        ("第三条【甲】乙", "第三条"),
        ("第三条第二款", None),
        ("第三条、第四条", None),
        ("第三条和第四条", None),
        ("第三条规定的", None),
        ("依照第三条", None),
        ("第三章 甲", None),
    ],
)
def test_what_begins_an_article(line: str, number: str | None) -> None:
    start = article_start(TextLine(1, line))
    assert (start.number if start else None) == number
