"""A Word file is read whole, and each character leads back to its paragraph and run."""

from __future__ import annotations

import io
import time
from importlib import import_module
from typing import Any

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import given
from hypothesis import strategies as st

from document_files import NAMESPACES, notes, paragraph, repacked, run, word_xml
from inforce.documents.document import Document, UnreadableDocumentError, WordParagraph
from inforce.documents.docx import paragraph_text, read_docx
from inforce.documents.limits import DocumentLimits

BODY = "word/document.xml"


def read(data: bytes, limits: DocumentLimits | None = None) -> Document:
    return read_docx(data, name="a.docx", limits=limits or DocumentLimits())


def kinds(document: Document) -> list[tuple[str, str]]:
    return [(block.kind, document.block_text(block)) for block in document.blocks]


def test_every_part_a_reader_sees_is_text_in_a_fixed_order() -> None:
    reference = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    body = paragraph(run("甲认为应当赔偿。"), reference, run("乙不同意。"))
    parts = {
        "footer1": f"<w:ftr {NAMESPACES}>{paragraph(run('第1页'))}</w:ftr>",
        "header2": f"<w:hdr {NAMESPACES}>{paragraph(run('某律师事务所'))}</w:hdr>",
        "comments": notes("comment", "请核对"),
        "endnotes": notes("endnote", "尾注"),
        "footnotes": notes("footnote", "民法典第577条。"),
    }
    document = read(word_xml(body, parts))
    assert kinds(document) == [
        ("paragraph", "甲认为应当赔偿。乙不同意。"),
        ("footnote", "民法典第577条。"),
        ("endnote", "尾注"),
        ("comment", "请核对"),
        ("header", "某律师事务所"),
        ("footer", "第1页"),
    ]
    note = document.blocks[1]
    assert note.paragraph == WordParagraph("word/footnotes.xml", 1)
    assert note.reference == document.text.index("乙不同意")
    assert document.blocks[3].reference is None


def test_insertions_are_text_deletions_are_not_and_both_are_flagged() -> None:
    inserted = f'<w:ins w:id="1">{run("三年")}</w:ins>'
    deleted = f'<w:del w:id="2">{run("五年").replace("w:t", "w:delText")}</w:del>'
    (block,) = read(word_xml(paragraph(run("处"), inserted, deleted, run("徒刑")))).blocks
    assert [(one.kind, one.start, one.end, one.text) for one in block.revisions] == [
        ("insertion", 1, 3, ""),
        ("deletion", 3, 3, "五年"),
    ]
    assert read(word_xml(paragraph(run("处"), inserted, deleted))).text == "处三年"


@pytest.mark.parametrize("change", ["del", "moveFrom"])
def test_a_paragraph_that_is_deleted_whole_leaves_its_flag(change: str) -> None:
    deleted = f'<w:{change} w:id="2">{run("删去").replace("w:t", "w:delText")}</w:{change}>'
    mark = f'<w:rPr><w:{change} w:id="3"/></w:rPr>'
    document = read(word_xml(paragraph(deleted, properties=mark) + paragraph(run("留下"))))
    assert document.text == "\n留下"
    assert [one.text for one in document.blocks[0].revisions] == ["删去", "\n"]


def test_hidden_text_and_field_codes_are_no_text_and_what_a_field_shows_is() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>' + run("7")
    )
    body = paragraph(
        run("第"), field, run("页"), run("藏", "<w:vanish/>"), run("见", '<w:vanish w:val="0"/>')
    )
    document = read(word_xml(body))
    assert document.text == "第7页见"
    assert [(one.kind, one.text) for one in document.blocks[0].revisions] == [("hidden", "藏")]


def test_text_boxes_are_read_once_and_after_their_paragraph() -> None:
    box = f"<w:txbxContent>{paragraph(run('框内'))}</w:txbxContent>"
    both = f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
    drawn = f"<w:r><mc:AlternateContent>{both}</mc:AlternateContent></w:r>"
    document = read(word_xml(paragraph(run("框外"), drawn, run("之后"))))
    assert [text for _, text in kinds(document)] == ["框外之后", "框内"]


def test_cells_of_a_row_stand_on_one_line_and_each_is_a_block() -> None:
    def cell(*paragraphs: str) -> str:
        return f"<w:tc>{''.join(paragraph(run(text)) for text in paragraphs)}</w:tc>"

    rows = (cell("罪名") + cell("三年以下", "有期徒刑"), cell("盗窃罪"))
    table = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
    document = read(word_xml(f"{paragraph(run('附表'))}<w:tbl>{table}</w:tbl>"))
    assert document.text == "附表\n罪名 | 三年以下 有期徒刑\n盗窃罪"
    assert [kind for kind, _ in kinds(document)] == ["paragraph", *["table_cell"] * 4]


def test_headings_come_from_styles_outline_levels_or_else_numbers() -> None:
    styles = (
        f"<w:styles {NAMESPACES}>"
        '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="M"><w:basedOn w:val="1"/></w:style>'
        "</w:styles>"
    )

    def styled(text: str, style: str) -> str:
        return paragraph(run(text), properties=f'<w:pStyle w:val="{style}"/>')

    level = paragraph(run("小节"), properties='<w:outlineLvl w:val="1"/>')
    body = styled("合同", "T") + styled("租金", "M") + level + paragraph(run("第一章 正文。"))
    document = read(word_xml(body, {"styles": styles}))
    assert [(one.level, document.block_text(one)) for one in document.blocks if one.level] == [
        (1, "合同"),
        (2, "租金"),
        (3, "小节"),
    ]
    assert (document.title, document.sections[-1].heading) == ("合同", "租金 / 小节")
    plain = read(
        word_xml(paragraph(run("合同")) + paragraph(run("第一章 租金")) + paragraph(run("甲。")))
    )
    assert [section.heading for section in plain.sections] == ["", "第一章 租金"]


def test_automatic_numbers_are_flagged() -> None:
    numbered = paragraph(run("总则"), properties='<w:numPr><w:numId w:val="1"/></w:numPr>')
    off = paragraph(run("分则"), properties='<w:numPr><w:numId w:val="0"/></w:numPr>')
    assert [one.numbered for one in read(word_xml(numbered + off)).blocks] == [True, False]


@pytest.mark.parametrize("main", ["document", "document2"])
def test_the_main_part_is_the_one_the_file_names(main: str) -> None:
    document = read(word_xml(paragraph(run("正文")), main=main))
    assert document.blocks[0].paragraph == WordParagraph(f"word/{main}.xml", 0)


RUNS = st.lists(
    st.tuples(
        st.text("甲乙，。 a", max_size=6), st.sampled_from(["plain", "ins", "del", "hidden"])
    ),
    max_size=8,
)


@given(st.lists(RUNS, min_size=1, max_size=5), st.data())
def test_a_stretch_of_text_leads_back_to_the_runs_that_hold_it(
    paragraphs: list[list[tuple[str, str]]], data: st.DataObject
) -> None:
    document = read(word_xml("".join(paragraph(*map(_marked, runs)) for runs in paragraphs)))
    start = data.draw(st.integers(0, len(document.text)))
    end = data.draw(st.integers(start, len(document.text)))
    etree: Any = import_module("lxml.etree")
    root = etree.fromstring(
        f"<w:document {NAMESPACES}><w:body>"
        f"{''.join(paragraph(*map(_marked, runs)) for runs in paragraphs)}</w:body></w:document>"
    )
    found = ""
    for location in document.locate(start, end):
        assert location.paragraph is not None
        words = paragraph_text(paragraph_element(root, location.paragraph.index))
        found += words.text[location.start : location.end]
        assert "".join(piece.element.text for piece in words.pieces) == words.text
    assert found == document.text[start:end].replace("\n", "")


def paragraph_element(root: Any, index: int) -> Any:
    """The element that a `WordParagraph` names."""
    return list(root.iter(qn("w:p")))[index]


def _marked(given_run: tuple[str, str]) -> str:
    text, kind = given_run
    match kind:
        case "ins":
            return f'<w:ins w:id="1">{run(text)}</w:ins>'
        case "del":
            return f'<w:del w:id="1">{run(text).replace("w:t", "w:delText")}</w:del>'
        case "hidden":
            return run(text, "<w:vanish/>")
        case _:
            return run(text)


def test_a_comment_can_be_set_at_the_runs_of_a_finding() -> None:
    made = docx.Document()
    made.add_heading("起诉状", 0)
    made.add_table(1, 1).cell(0, 0).text = "表格"
    body = made.add_paragraph("被告")
    body.add_run("违反刑法第一百三十三条").bold = True
    body.add_run("之一。")
    out = io.BytesIO()
    made.save(out)
    document = read(out.getvalue())
    start = document.text.index("刑法第")
    (location,) = document.locate(start, start + 9)
    opened: Any = docx.Document(io.BytesIO(out.getvalue()))
    assert location.paragraph is not None
    element = paragraph_element(opened.element, location.paragraph.index)
    pieces = paragraph_text(element).pieces
    touched = [one.run for one in pieces if one.start < location.end and location.start < one.end]
    of_element: Any = import_module("docx.text.paragraph").Paragraph(element, opened)
    runs = [one for one in of_element.runs if one._r in touched]
    opened.add_comment(runs, text="施行日期有误")
    again = io.BytesIO()
    opened.save(again)
    commented = read(again.getvalue())
    note = commented.blocks[-1]
    assert (note.kind, commented.block_text(note)) == ("comment", "施行日期有误")
    assert commented.text.startswith(document.text)


GOOD = word_xml(paragraph(run("正文")))


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"PK\x03\x04", "damaged"),
        (b"", "damaged"),
        (GOOD[:-200], "damaged"),
        (repacked(GOOD, part=BODY, content=b"<w:doc"), "damaged"),
        (repacked(GOOD, part=BODY, content=b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"), "damaged"),
        (repacked(GOOD, part=BODY, content="<!DOCTYPE x []><x/>".encode("utf-16")), "damaged"),
        (repacked(GOOD, part=BODY, content=b"<a>" * 3_000 + b"</a>" * 3_000), "damaged"),
        (b"\xd0\xcf\x11\xe0" + bytes(512), "encrypted"),
        (repacked(GOOD, part="bomb.bin", content=bytes(20 * 2**20)), "too_large"),
        (b"PK\x05\x06" + bytes(18), "unknown_format"),
    ],
    ids=["head", "empty", "cut", "xml", "entity", "utf-16", "deep", "doc", "bomb", "zip"],
)
def test_a_file_that_cannot_be_read_says_why(data: bytes, cause: str) -> None:
    with pytest.raises(UnreadableDocumentError) as caught:
        read(data)
    assert caught.value.cause == cause


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (DocumentLimits(archive_files=3), "files in the archive; at most 3"),
        (DocumentLimits(unpacked=100), "a possible zip bomb"),
        (DocumentLimits(part=100), "unpacks to"),
    ],
)
def test_the_archive_is_measured_before_it_is_unpacked(limits: DocumentLimits, reason: str) -> None:
    with pytest.raises(UnreadableDocumentError, match=reason):
        read(GOOD, limits)


def test_paragraphs_beyond_the_limit_are_left_out_and_that_is_said() -> None:
    document = read(word_xml(paragraph(run("甲")) * 5), DocumentLimits(blocks=3))
    assert (len(document.blocks), document.omitted) == (3, "only the first 3 paragraphs were read")


@pytest.mark.slow
def test_a_file_of_many_paragraphs_takes_seconds_not_minutes() -> None:
    data = word_xml("".join(paragraph(run(str(number))) for number in range(700_000)))
    began = time.perf_counter()
    assert len(read(data).blocks) == 100_000
    assert time.perf_counter() - began < 60
