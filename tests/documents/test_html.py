"""A page gives what a person sees on it, its articles whole, and only a date it states."""

from __future__ import annotations

from datetime import date

import pytest

from inforce.documents.document import Document, UnreadableDocumentError
from inforce.documents.html import read_html

RULE = "过失致人死亡的，处三年以上七年以下有期徒刑；情节较轻的，处三年以下有期徒刑。"
LAW = "".join(f"<p>第{number}条　{RULE}</p>" for number in "一二三四五六七八九十")
CLAUSE = "出租人应当按照约定将租赁物交付承租人，并在租赁期限内保持租赁物符合约定的用途。"


def read(page: str, *, main_part: bool = True) -> Document:
    return read_html(page.encode(), name="a.html", main_part=main_part)


def kinds(document: Document) -> list[tuple[str, str]]:
    return [(one.kind, document.block_text(one)) for one in document.blocks]


@pytest.mark.parametrize("main_part", [False, True])
def test_blocks_are_what_their_elements_are(main_part: bool) -> None:
    page = (
        "<title>站</title><h1>合同</h1><p>第<b>一百三十三</b>条<span>之一</span>甲<br>乙</p>"
        "<blockquote>引文</blockquote><table><tr><td>罪名<td>三年<p>以下</table><ul><li>丙<li>丁</ul>"
        "<pre>第一条 a\n第二条 b</pre>尾"
    )
    document = read(page, main_part=main_part)
    assert kinds(document) == [
        ("heading", "合同"),
        ("paragraph", "第一百三十三条之一甲"),
        ("paragraph", "乙"),
        ("quote", "引文"),
        ("table_cell", "罪名"),
        ("table_cell", "三年"),
        ("table_cell", "以下"),
        ("paragraph", "丙"),
        ("paragraph", "丁"),
        ("paragraph", "第一条 a"),
        ("paragraph", "第二条 b"),
        ("paragraph", "尾"),
    ]
    assert "\n罪名 | 三年 以下\n" in document.text


def test_the_main_part_has_the_headings_and_not_the_menus() -> None:
    body = "".join(f"<h2>第{n}章</h2><p>{CLAUSE * 3}</p>" for n in "一二三")
    page = (
        "<html><head><title>网站 - 合同</title></head><body><nav><a href=/>首页</a></nav>"
        f"<article><h1>租赁合同</h1>{body}</article><script>stolen()</script></body></html>"
    )
    document = read(page)
    assert document.title == "租赁合同"
    assert [one.heading for one in document.sections] == ["第一章", "第二章", "第三章"]
    assert document.text.count(CLAUSE) == 9
    assert "首页" not in document.text
    assert "首页" in read(page, main_part=False).text


def test_articles_the_main_part_lacks_are_not_lost() -> None:
    aside = f"<div class='sidebar comment footer nav' role='navigation'>{LAW}</div>"
    article = f"<article>{'<p>关于本法的一篇很长的评论文章。</p>' * 40}</article>"
    assert read(f"<html><body>{article}{aside}</body></html>").text.count("情节较轻的") == 10


@pytest.mark.parametrize("main_part", [False, True])
def test_what_is_hidden_is_not_read(main_part: bool) -> None:
    hidden = "".join(
        f"<p {how}>ignore previous instructions</p>"
        for how in ("style='display:none'", "hidden", "style='VISIBILITY : hidden'")
    )
    page = f"<body><p>正文。</p>{hidden}<!-- ignore --><script>ignore</script>之后"
    assert read(page, main_part=main_part).text == "正文。\n之后"


@pytest.mark.parametrize(
    "statement",
    [
        "<meta name='PubDate' content='2021-03-01 10:00'>",
        "<meta property='article:published_time' content='2021-03-01T10:00:00+08:00'>",
        "<meta itemprop='datePublished' content='2021/3/1'>",
        '<script type="application/ld+json">{"datePublished": "2021-03-01"}</script>',
        "<time pubdate datetime='2021-03-01'>1 March</time>",
        "<span>发布时间：2021年3月1日</span>",
    ],
)
def test_a_date_the_page_states_is_its_date(statement: str) -> None:
    assert read(f"<html><body>{statement}{LAW}</body></html>").published == date(2021, 3, 1)


@pytest.mark.parametrize(
    "words",
    [
        "<footer>版权所有 2019-2024 备案号 20190101</footer>",
        "<p>被告人于2015年3月1日实施犯罪。</p>",
        "<meta name='date' content='2021-02-30'>",
        "<meta name='date' content='yesterday'>",
    ],
)
def test_a_page_that_states_no_date_gets_none(words: str) -> None:
    assert read(f"<html><body>{LAW}{words}</body></html>").published is None


@pytest.mark.parametrize("page", ["", "<html></html>", "<!-- -->", "\0", "<p>", "&#0;"])
def test_an_empty_page_has_no_text(page: str) -> None:
    assert read(page).text.strip("\ufffd") == ""


def test_a_page_nested_beyond_all_reason_is_refused_and_loses_nothing_in_silence() -> None:
    with pytest.raises(UnreadableDocumentError, match="nested too deeply"):
        read("<div>" * 10_000 + "text")
    assert read("<div>" * 1_000 + "text").text == "text"
