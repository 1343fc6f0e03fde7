"""Markdown and plain text keep their characters; headings and paragraphs are told by their form."""

from __future__ import annotations

import pytest

from inforce.documents.document import Document, UnreadableDocumentError
from inforce.documents.outline import heading_level
from inforce.documents.plain import read_markdown, read_text


def kinds(document: Document) -> list[tuple[str, int, str]]:
    return [(one.kind, one.level, document.block_text(one)) for one in document.blocks]


def test_markdown_keeps_its_characters_and_names_its_blocks() -> None:
    text = (
        "# 租赁合同 #\r\n\r\n引言。\r\n\r\n## **租金**\r\n\r\n"
        "> 九百元。\r\n\r\n- 甲\r\n- 乙\r\n\r\n"
        "| a | b |\r\n|---|---|\r\n| c | d |\r\n\r\n```\r\n# none\r\n```\r\n"
    )
    document = read_markdown(text.encode(), name="a.md")
    assert (document.title, document.text) == ("租赁合同", text)
    assert kinds(document) == [
        ("heading", 1, "租赁合同"),
        ("paragraph", 0, "引言。"),
        ("heading", 2, "**租金**"),
        ("quote", 0, "九百元。"),
        ("paragraph", 0, "甲"),
        ("paragraph", 0, "乙"),
        ("table_cell", 0, "| a | b |"),
        ("table_cell", 0, "| c | d |"),
        ("code", 0, "# none\r\n```"),
    ]
    assert [section.heading for section in document.sections] == ["", "租金"]


def test_front_matter_names_the_title_and_is_no_heading() -> None:
    document = read_markdown(
        b"---\ntitle: 'Lease'\nx: y\n---\n\n## Rent\n\n900 a month.\n", name="a.md"
    )
    assert document.title == "Lease"
    assert kinds(document) == [("heading", 2, "Rent"), ("paragraph", 0, "900 a month.")]


def test_lines_broken_at_the_margin_are_one_paragraph() -> None:
    text = (
        "租赁合同\n\n"
        "出租人应当按照约定将租赁物交付承租人，并在租赁期限内保持租赁物符合约定的用途，\n"
        "不得妨碍承租人使用。\n"
        "　　承租人应当按照约定的方法使用租赁物；对租赁物的使用方法没有约定或者约定不明\n"
        "确的，依照法律的规定。\n"
        "第三条 每月租金九百元，于每月五日前支付，逾期支付的，按日支付万分之五的违约金。\n"
    )
    document = read_text(text.encode(), name="a.txt")
    assert [one[2][:6] for one in kinds(document)] == [
        "租赁合同",
        "出租人应当按",
        "承租人应当按",
        "第三条 每月",
    ]
    assert document.title == "租赁合同"


def test_a_line_that_only_looks_like_an_item_goes_on() -> None:
    lines = (
        "The court followed the reasoning of the majority in Roe",
        "v. Wade, and set damages at a rate of interest of at least",
        "3.5 per cent a year from the day of the judgment below on",
        "(a) the principal sum claimed by the plaintiff at first.",
    )
    document = read_text("\n".join(lines).encode(), name="a.txt")
    assert [one[2] for one in kinds(document)] == ["\n".join(lines[:3]), lines[3]]


def test_statutes_have_a_paragraph_a_line() -> None:
    text = "第一条 甲：\n（一）乙；\n（二）丙。\n第二条 丁。\n"
    document = read_text(text.encode(), name="a.txt")
    assert [one[2] for one in kinds(document)] == text.split("\n")[:-1]


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("第一编 总则", 2),
        ("Part II", 2),
        ("第三章 租金", 3),
        ("CHAPTER 4 Rent", 3),
        ("第二节", 4),
        ("Article IV", 4),
        ("一、管辖", 5),
        ("（二）程序", 6),
        ("第一条 甲。", 0),
        ("一、管辖，", 0),
        ("第一章" + "长" * 60, 0),
        ("", 0),
    ],
)
def test_what_is_a_numbered_heading(line: str, level: int) -> None:
    assert heading_level(line) == level


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02\x03" * 50, bytes(range(256)) * 4], ids=["nul", "all"]
)
def test_bytes_that_are_no_text_are_refused(data: bytes) -> None:
    with pytest.raises(UnreadableDocumentError, match="not a text file") as caught:
        read_text(data, name="a.txt")
    assert caught.value.cause == "not_text"
