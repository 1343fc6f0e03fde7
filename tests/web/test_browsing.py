"""From search result to quoted page, over a real connection to a site on this computer."""

from __future__ import annotations

from datetime import date

from site_server import Answer, serving

from inforce.tools.browse import BrowseWebpage
from inforce.tools.context import RunContext, SeenResult
from inforce.web.addresses import AddressRule
from inforce.web.fetch import Fetcher
from inforce.web.page import FetchFailure
from inforce.web.reader import WebReader

LAW = "第二百三十三条　过失致人死亡的，处三年以上七年以下有期徒刑。"
OTHERS = "".join(f"<p>第{number}条　其他犯罪的处罚另行规定。</p>" for number in "一二三四五六七")


def reader() -> WebReader:
    return WebReader(Fetcher(rule=AddressRule(loopback="allowed"), pause=0))


async def test_pages_of_a_real_site_are_opened_or_refused_each_for_itself() -> None:
    gbk = f"<html><head><title>刑法</title></head><body>{OTHERS}<p>{LAW}</p></body></html>"
    files = {
        "/law": Answer(gbk.encode("gb18030"), type="text/html"),
        "/gone": Answer("gone", 404),
        "/inside": Answer(status=302, headers={"Location": "http://169.254.169.254/"}),
        "/private/a": Answer(gbk),
        "/app": Answer("<div id=root></div><script>run()</script>"),
        "/robots.txt": Answer("User-agent: *\nDisallow: /private/", type="text/plain"),
    }
    asked = [path for path in files if path != "/robots.txt"]
    async with serving(dict(files)) as site, reader() as web:
        context = RunContext("过失致人死亡怎么判？", date(2026, 11, 20))
        context.remember(SeenResult(site.url(path), "t", "s", "q") for path in asked)
        urls = [site.url(path) for path in asked]
        result = await BrowseWebpage(web)({"url_list": urls}, context)
    kinds = [one.get("kind", one["state"]) for one in result.data]
    assert kinds == ["read", "http_error", "forbidden_address", "robots", "empty"]
    assert result.status == "found"
    assert LAW in result.evidence[0].text.replace(" ", "　")
    assert "/private/a" not in site.asked


async def test_a_page_is_asked_for_once_and_read_around_its_snippet() -> None:
    page = f"<body>{'<p>首页导航内容与本案无关。</p>' * 400}<p>{LAW}</p></body>"
    async with serving({"/law": Answer(page), "/gone": Answer("", 404)}) as site, reader() as web:
        text = await web.passage(site.url("/law"), "...过失致人死亡的，处三年以上")
        again = await web.passage(site.url("/law"), "过失致人死亡")
        gone = await web.passage(site.url("/gone"), "x")
    assert isinstance(text, str)
    assert LAW in text.replace(" ", "　")
    assert len(text) <= 4_000
    assert isinstance(again, str)
    assert isinstance(gone, FetchFailure)
    assert site.asked.count("/law") == 1
