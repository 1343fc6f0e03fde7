"""What a page says is told from its bytes, whatever it is; a wall or an empty shell is no page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib import import_module
from typing import Any

import pytest

from document_files import pdf, repacked, word_xml
from inforce.documents.limits import DocumentLimits
from inforce.documents.parsing import DocumentParser
from inforce.web.page import FetchFailure, Page, WebText
from inforce.web.reader import parsed

RULE = "过失致人死亡的，处三年以上七年以下有期徒刑；情节较轻的，处三年以下有期徒刑。"
LAW = "".join(f"<p>第{number}条　{RULE}</p>" for number in "一二三四五六七八九十")
BOMB = repacked(word_xml(""), part="bomb", content=bytes(30_000_000))
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture(scope="module")
def parser() -> Iterator[DocumentParser]:
    """One parser for the tests of this file; its processes end with them."""
    shared = DocumentParser(DocumentLimits(seconds=10))
    yield shared
    shared.close()


def page(content: bytes | str, media_type: str = "text/html", charset: str = "") -> Page:
    sent = content.encode() if isinstance(content, str) else content
    at = datetime(2026, 11, 20, tzinfo=UTC)
    return Page("http://x.cn/", "http://x.cn/", media_type, charset, sent, at)


def docx(*paragraphs: str) -> bytes:
    document: Any = import_module("docx").Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


async def test_html_gives_title_date_and_every_article(parser: DocumentParser) -> None:
    html = (
        "<html><head><title>刑法 - 某网</title><meta property='article:published_time' "
        f"content='2021-03-01'></head><body><nav>首页</nav><div>{LAW}</div></body></html>"
    )
    text = await parsed(page(html), parser)
    assert isinstance(text, WebText)
    assert "刑法" in text.title
    assert text.published == date(2021, 3, 1)
    assert text.text.count("情节较轻的") == 10
    assert "第十条 过失" in text.text


async def test_a_gbk_page_without_a_word_on_it_is_read(parser: DocumentParser) -> None:
    text = await parsed(page(f"<html><body>{LAW}</body></html>".encode("gbk")), parser)
    assert isinstance(text, WebText)
    assert "处三年以上七年以下有期徒刑" in text.text


async def test_a_pdf_is_read_page_by_page(parser: DocumentParser) -> None:
    sent = pdf(
        ["Section 1. Limitation of actions is two years."], ["Section 2. It runs from notice."]
    )
    for media_type in ("application/pdf", "application/octet-stream", "text/html", ""):
        text = await parsed(page(sent, media_type), parser)
        assert isinstance(text, WebText)
        assert text.text.index("Section 1.") < text.text.index("Section 2.")


async def test_a_word_file_is_read(parser: DocumentParser) -> None:
    sent = docx("关于办理案件的意见", "第一条 抢劫的量刑起点为三年以上有期徒刑幅度内确定。")
    text = await parsed(page(sent, WORD), parser)
    assert isinstance(text, WebText)
    assert "第一条 抢劫的量刑起点" in text.text


async def test_plain_text_is_read(parser: DocumentParser) -> None:
    text = await parsed(page("Section 1. " * 10 + "\r\n\r\n\r\n\r\nEnd", "text/plain"), parser)
    assert isinstance(text, WebText)
    assert text.text.endswith("Section 1.\n\nEnd")


SHELL = "<div id='root'></div><noscript>You need to enable JavaScript</noscript><script>1</script>"


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (page(""), "empty"),
        (page("<html></html>"), "empty"),
        (page(SHELL), "empty"),
        (page("<p>短。"), "empty"),
        (page("<p>Please enable JavaScript to continue using this application."), "blocked"),
        (page("<title>Just a moment...</title><p>Checking your browser before access"), "blocked"),
        (
            page("<p>您的访问过于频繁，请完成下面的安全验证后继续访问。"),
            "blocked",
        ),
        (page("<p>requests failed: 403 Client Error: Forbidden for url"), "blocked"),
        (page(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "not_text"),
        (page(b"PK\x03\x04 a jar", "application/zip"), "not_text"),
        (
            page(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/octet-stream"),
            "not_text",
        ),
        (page(b"%PDF-1.7\nnot really", "application/pdf"), "unreadable"),
        (page(pdf([]), "application/pdf"), "unreadable"),
        (page(b"not a pdf at all", "application/pdf"), "unreadable"),
        (page(b"PK\x03\x04 broken", WORD), "unreadable"),
        (page(BOMB, WORD), "unreadable"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_what_says_nothing_is_a_failure_that_says_why(
    sent: Page, kind: str, parser: DocumentParser
) -> None:
    failure = await parsed(sent, parser)
    assert isinstance(failure, FetchFailure)
    assert failure.kind == kind
    assert failure.message


async def test_a_long_text_about_walls_is_no_wall(parser: DocumentParser) -> None:
    text = await parsed(page(f"<p>access denied 验证码 captcha</p>{LAW * 3}"), parser)
    assert isinstance(text, WebText)


async def test_a_text_beyond_the_limit_is_cut_and_that_is_said() -> None:
    short = DocumentParser(DocumentLimits(characters=100))
    text = await parsed(page("Section 1. " * 100, "text/plain"), short)
    assert isinstance(text, WebText)
    assert len(text.text) == 100
    assert "first 100 of 1,100" in text.shortened
    short.close()
