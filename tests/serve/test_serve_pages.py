"""Pages: the library's results for a person, in either language, and nothing that runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest
from docx import Document as open_word
from live_server import client_of

from inforce.language.messages import messages
from inforce.law.caveats import days_in_force, span_caveats
from inforce.library import Library, open_library
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import FILE, TokenFile
from inforce.testing import fixed_clock, tiny_law, tiny_library

CRIMINAL_LAW = "中华人民共和国刑法"
ARTICLE = f"/akn/cn/act/{CRIMINAL_LAW}/zho:2010-06-01/~art_74"
QUESTION = "2010年，累犯能否适用缓刑？"
PERSON = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
CHINESE = {**PERSON, "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"}
ENGLISH = {**PERSON, "Accept-Language": "en-US,en;q=0.5"}

PAGES = (
    "/",
    f"/?question={QUESTION}",
    "/search?question=缓刑&as_of=2010",
    ARTICLE,
    f"{ARTICLE}?from=2010-06-01&to=2011-05-01",
    "/laws",
    "/laws/刑法",
    "/runs",
    "/login",
)


@pytest.mark.parametrize("address", PAGES)
def test_every_page_is_there_in_both_languages_and_runs_nothing_inline(
    server: httpx.Client, address: str
) -> None:
    for headers, code in ((CHINESE, "zh-Hans"), (ENGLISH, "en")):
        got = server.get(address, headers=headers)
        assert got.status_code == 200
        assert got.headers["content-type"] == "text/html; charset=utf-8"
        assert f'<html lang="{code}">' in got.text
        assert not re.search(r"<script(?! src=\"/static/)|\son\w+=|\sstyle=|javascript:", got.text)
        assert "Accept-Language" in got.headers["vary"]


def test_an_answer_says_what_was_understood_days_branch_and_rule(server: httpx.Client) -> None:
    page = server.get("/", params={"question": QUESTION}, headers=CHINESE).text
    understood = page.partition('<dl class="understood">')[2].partition("</dl>")[0]
    words = re.sub(r"<[^>]*>|\s", "", understood)
    assert "日期2010-01-01至2010-12-31" in words
    assert "法律部门刑事" in words
    assert "规则刑法第12条" in words


def test_a_question_that_is_only_answered_by_absences_is_answered(server: httpx.Client) -> None:
    page = server.get(
        "/", params={"question": "1985年刑法第七十四条怎么规定？"}, headers=CHINESE
    ).text
    assert "<h2>未引用</h2>" in page
    assert page.rstrip().endswith("</html>")


def test_a_provision_that_was_in_force_and_did_not_govern_is_not_called_missing(
    package_home: Path,
) -> None:
    asked = {
        "question": "2018年伪造遗嘱情节严重，被继承人生前表示宽恕，2021年6月审理，是否丧失继承权"
    }
    with (
        open_library(package_home, clock=fixed_clock("2026-11-20")) as library,
        client_of(library, ServeSettings(home=package_home)) as client,
    ):
        for form in ("/", "/answer.md", "/answer.docx"):
            got = client.get(form, params=asked, headers=CHINESE)
            assert got.status_code == 200
            text = got.text
            if form.endswith(".docx"):
                text = "\n".join(one.text for one in open_word(BytesIO(got.content)).paragraphs)
            assert "当时施行，但不适用于本案" in text


def test_a_defect_in_an_answer_is_said_on_its_page(
    server: httpx.Client, sample_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(sample_library, "ask", defect)
    page = server.get("/", params={"question": QUESTION}, headers=CHINESE).text
    assert "服务器" in page.partition('role="alert"')[2].partition("</p>")[0]
    assert page.rstrip().endswith("</html>")


@pytest.mark.parametrize("form", ["/", "/answer.md"])
def test_the_days_of_a_limitation_are_said_in_the_language_of_the_person(
    server: httpx.Client, form: str
) -> None:
    asked = {"question": "1996年故意杀人，2018年归案，是否还能追诉？"}
    said = server.get(form, params=asked, headers=CHINESE).text
    assert "至 2018-01-01 至 2018-12-31" in said
    assert "2018-01-01 to" not in said


def test_the_timeline_names_the_instrument_of_every_wording(server: httpx.Client) -> None:
    page = server.get(ARTICLE, headers=CHINESE).text
    titles = re.findall("<title>(.*?)</title>", page.partition('id="timeline"')[2])
    assert any("2011-05-01 起" in title and "刑法修正案（八）" in title for title in titles)
    assert any(title.startswith("未收录") for title in titles)


def test_each_version_of_a_law_is_shown_once_with_its_sources(tmp_path: Path) -> None:
    first, settings = date(2010, 1, 1), ServeSettings(home=tmp_path)
    held = [tiny_law("甲法", {"1": "甲。"}, start=first, source=name) for name in ("一库", "二库")]
    with tiny_library(tmp_path, *held) as library, client_of(library, settings) as client:
        page = client.get("/laws/甲法", headers=CHINESE).text
    assert page.count('<th scope="row"') == 1
    assert "一库；二库" in page


def test_a_page_says_what_the_library_says(server: httpx.Client, sample_library: Library) -> None:
    [span] = sample_library.at("刑法", "74", on="2010-06-01").lookup.found
    page = server.get(ARTICLE, headers=CHINESE).text
    assert "对于累犯，不适用缓刑。" in page
    assert messages("zh").sentence(days_in_force(span)) in page
    assert messages("zh").sentence(span_caveats(span)[0]) in page
    assert "《中华人民共和国刑法》（1997修订）第七十四条" in page
    english = server.get(ARTICLE, headers=ENGLISH).text
    assert days_in_force(span) in english


def test_the_page_of_an_article_leads_to_what_cites_it_and_what_it_cites(
    server: httpx.Client,
) -> None:
    theft = f"/akn/cn/act/{CRIMINAL_LAW}/zho:2014-06-01/~art_264"
    page = server.get(theft, headers=CHINESE).text
    links = page.partition('<div id="links">')[2].partition("</div>")[0]
    for words in ("引用本条的司法解释", "司法解释规定的数额标准", "数额较大 1000–3000 元"):
        assert words in links
    address = re.search(r'href="(/akn/[^"]*最?[^"]*art_1)"', links)
    assert address is not None
    interpretation = server.get(address[1], headers=CHINESE)
    assert interpretation.status_code == 200
    cites = interpretation.text.partition("本条引用")[2]
    assert re.search(f"{CRIMINAL_LAW}》?\\s*第二百六十四条", cites)
    # the links are those of the day: the interpretation of 2013 did not exist in 2012
    earlier = server.get(theft.replace("2014-06-01", "2012-06-01"), headers=CHINESE).text
    assert "办理盗窃刑事案件" not in earlier.partition('<div id="links">')[2]


def test_an_answer_and_a_search_name_the_interpretations_of_what_they_quote(
    server: httpx.Client,
) -> None:
    for address in ("/?question=2014年盗窃怎样处罚？", "/search?question=2014年盗窃怎样处罚？"):
        page = server.get(address, headers=CHINESE).text
        assert "司法解释与数额标准" in page
        assert "办理盗窃刑事案件适用法律若干问题的解释" in page.partition("司法解释与数额标准")[2]


def test_precedents_are_looked_for_where_some_are_held_only(server: httpx.Client) -> None:
    assert "/citing?" not in server.get(ARTICLE, headers=CHINESE).text
    page = server.get("/citing?law=刑法&number=74&on=2010-06-01", headers=CHINESE)
    assert page.status_code == 200
    assert "所收案例与指导意见中没有引用本条的" in page.text


def test_an_answer_names_what_governed_why_and_what_changed(server: httpx.Client) -> None:
    page = server.get("/", params={"question": QUESTION}, headers=CHINESE).text
    assert "从旧兼从轻" in page
    assert "<ins>和犯罪集团的首要分子</ins>" in page
    for english in ("in force", "The law", "today", "Searched", "governs"):
        shown = re.sub(r"<[^>]*>", " ", page.partition("<main")[2].partition("<footer")[0])
        assert english not in shown, english


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        (f"/akn/cn/act/{CRIMINAL_LAW}/zho:2005-01-01/~art_133-1", 410, "当时不施行"),
        (f"/akn/cn/act/{CRIMINAL_LAW}/zho:1990-01-01/~art_74", 409, "未收录"),
        ("/laws/刑发", 409, "本库没有名为"),
        ("/provision?law=刑法&number=74&on=2010-02-30", 400, "读作日期"),
        ("/provision?law=刑法&number=第一千零一夜", 400, "无法读取"),
        ("/runs/nothing", 404, "没有这次研究"),
        ("/?question=累犯&as_of=someday", 400, "读作日期"),
    ],
)
def test_the_four_answers_and_errors_are_pages_with_their_status(
    server: httpx.Client, address: str, status: int, words: str
) -> None:
    got = server.get(address, headers=CHINESE)
    assert got.status_code == status
    assert words in got.text


def test_an_address_where_nothing_is_says_so_in_the_language_of_the_person(
    server: httpx.Client,
) -> None:
    got = server.get("/nowhere", headers=CHINESE)
    assert got.status_code == 404
    assert "此地址没有内容" in got.text
    assert "Not Found" not in got.text


def test_programs_get_json_at_the_same_address(server: httpx.Client) -> None:
    got = server.get(ARTICLE, headers={"Accept": "application/json"})
    assert got.json()["lookup"]["answer"] == "found"


@pytest.mark.parametrize("on", ["2010-06-01", "20100601", "2010.6.1", "2010年6月1日"])
@pytest.mark.parametrize("number", ["74", "第74条", "第七十四条"])
def test_a_form_leads_to_the_address_of_what_was_asked_for(
    server: httpx.Client, on: str, number: str
) -> None:
    asked = {"law": "刑法", "number": number, "on": on}
    got = server.get("/provision", params=asked, headers=CHINESE)
    assert got.status_code == 303
    assert "/zho:2010-06-01/~art_74" in got.headers["location"]


def test_a_month_in_which_the_law_changed_shows_both_wordings(server: httpx.Client) -> None:
    asked = {"law": "刑法", "number": "74", "on": "2011"}
    got = server.get("/provision", params=asked, headers=CHINESE, follow_redirects=True)
    assert got.status_code == 200
    assert "该期间内法律有变动：2011-05-01" in got.text


def test_the_language_a_person_chose_stays(server: httpx.Client) -> None:
    got = server.get("/language?to=zh&next=/laws", headers=ENGLISH)
    assert (got.status_code, got.headers["location"]) == (303, "/laws")
    cookie = got.headers["set-cookie"].partition(";")[0]
    assert "所收法律" in server.get("/laws", headers={**ENGLISH, "Cookie": cookie}).text


@pytest.mark.parametrize("to", ["https://evil.example", "//evil.example", "/\\evil.example", "x"])
def test_no_link_leads_away_from_the_server(server: httpx.Client, to: str) -> None:
    got = server.get("/language", params={"to": "zh", "next": to})
    assert got.headers["location"] == "/"


def test_an_answer_can_be_taken_away_as_markdown(server: httpx.Client) -> None:
    got = server.get("/answer.md", params={"question": QUESTION}, headers=CHINESE)
    assert got.headers["content-type"] == "text/markdown; charset=utf-8"
    assert "> 对于累犯，不适用缓刑。" in got.text
    for words in ("2010-01-01 至 2010-12-31", "《中华人民共和国刑法》第七十四条", "从旧兼从轻"):
        assert words in got.text
    assert "现行法： 《中华人民共和国刑法》第七十四条 文字已有不同" in got.text
    assert "> 对于累犯**和犯罪集团的首要分子**，不适用缓刑。" in got.text
    assert "只引用条文，不作结论" in got.text


@pytest.mark.parametrize("question", [QUESTION, "2010年，累犯能否\x01适用\x0b缓刑？\ufffe🙂"])
@pytest.mark.parametrize("headers", [CHINESE, ENGLISH])
def test_an_answer_can_be_taken_away_as_a_word_file(
    server: httpx.Client, question: str, headers: dict[str, str]
) -> None:
    server.cookies.clear()  # of the language another test chose
    got = server.get("/answer.docx", params={"question": question}, headers=headers)
    assert got.status_code == 200
    assert got.headers["content-type"].endswith("wordprocessingml.document")
    words = "\n".join(one.text for one in open_word(BytesIO(got.content)).paragraphs)
    assert "2010年，累犯能否适用缓刑？" in words
    assert "对于累犯，不适用缓刑。" in words
    assert ("施行" if headers is CHINESE else "in force") in words


@pytest.mark.parametrize("day", ["0001-01-01", "1000-01-01", "9999-12-31"])
def test_the_first_and_the_last_day_of_the_calendar_are_days(
    server: httpx.Client, day: str
) -> None:
    for address in (ARTICLE.replace("2010-06-01", day), f"{ARTICLE}?on={day}"):
        got = server.get(address, headers=CHINESE)
        assert got.status_code in (200, 409, 410), address
        assert '<html lang="zh-Hans">' in got.text
        assert "第七十四条" in got.text


def test_only_files_of_the_pages_are_served(server: httpx.Client) -> None:
    assert server.get("/static/page.css").headers["content-type"].startswith("text/css")
    for name in ("nothing", "..%2flaw_pages.py", "%2e%2e%2flaw_pages.py", "../law_pages.py"):
        assert server.get(f"/static/{name}").status_code == 404


def test_a_document_that_is_damaged_is_refused_in_the_language_of_who_asks(
    server: httpx.Client,
) -> None:
    file = {"file": ("brief.docx", b"PK\x03\x04 no archive")}
    said = {
        name: server.post(
            "/v1/verify", files=file, headers={**headers, "Accept": "application/json"}
        ).json()["detail"]
        for name, headers in (("zh", CHINESE), ("en", ENGLISH))
    }
    assert said["en"].startswith("brief.docx was not read: a damaged Word file")
    assert said["zh"].startswith("未能读取 brief.docx：损坏的 Word 文件")


def test_the_days_past_what_is_known_are_marked_on_the_timeline(server: httpx.Client) -> None:
    assert '<rect class="unknown"' in server.get(ARTICLE, headers=CHINESE).text
    repealed = "/akn/cn/act/中华人民共和国继承法/zho:2010-06-01/~art_20"
    assert '<rect class="unknown"' not in server.get(repealed, headers=CHINESE).text


def test_a_page_says_which_of_the_pages_it_is(server: httpx.Client) -> None:
    assert '<a href="/laws" aria-current="page">' in server.get("/laws", headers=CHINESE).text
    assert "aria-current" not in server.get(ARTICLE, headers=CHINESE).text


def test_examples_are_in_the_language_of_the_page_and_have_answers(server: httpx.Client) -> None:
    for headers, words in ((CHINESE, "醉酒驾驶"), (ENGLISH, "Drunk driving")):
        page = server.get("/", headers=headers).text
        examples = re.findall(r'<li><a href="(/\?question=[^"]+)">', page)
        assert words in page
        assert len(examples) == 3
        for example in examples:
            answered = server.get(example, headers=headers).text
            assert 'class="item"' in answered


# --- what others wrote ---------------------------------------------------------------------------

ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[httpx.Client]:
    law = tiny_law("试验法", {"1": f"甲{ATTACK}乙", "2": "丙"}, start=date(1997, 10, 1))
    with (
        tiny_library(tmp_path, law) as library,
        client_of(library, ServeSettings(home=tmp_path)) as client,
    ):
        yield client


def test_an_article_the_law_never_had_is_a_page_too(hostile: httpx.Client) -> None:
    got = hostile.get("/akn/cn/act/试验法/zho:2010-01-01/~art_9", headers=CHINESE)
    assert got.status_code == 404
    assert "查无此条" in got.text


def test_what_others_wrote_is_shown_and_never_run(hostile: httpx.Client) -> None:
    addresses = (
        "/akn/cn/act/试验法/zho:2010-01-01/~art_1",
        f"/?question={ATTACK}",
        f"/?question=试验法第一条{ATTACK}&as_of={ATTACK}&trial={ATTACK}",
        f"/search?question=甲{ATTACK}",
        f"/laws?q={ATTACK}",
        f"/laws/{ATTACK.replace('/', '')}",
        f"/provision?law={ATTACK}&number=1",
        f"/akn/cn/act/试验法/zho:2010-01-01/~art_1?from={ATTACK}&to={ATTACK}",
    )
    for address in addresses:
        page = hostile.get(address, headers=PERSON).text
        assert "<script>alert" not in page, address
        assert "<img src=x" not in page, address


# --- runs ----------------------------------------------------------------------------------------


def test_a_run_is_begun_by_a_form_and_shown_without_a_script(
    sample_library: Library, tmp_path: Path
) -> None:
    with client_of(sample_library, ServeSettings(home=tmp_path)) as client:
        form = {"question": f"{QUESTION}<script>", "as_of": "", "trial": ""}
        begun = client.post("/runs", data=form, headers=CHINESE)
        assert begun.status_code == 303
        address = begun.headers["location"]
        with client.stream("GET", f"/v1{address}/events") as events:
            list(events.iter_lines())
        page = client.get(address, headers=CHINESE).text
        assert "对于累犯，不适用缓刑。" in page
        assert "已完成" in page
        assert "<script>" not in page
        assert address in client.get("/runs", headers=CHINESE).text
        empty = client.post("/runs", data={"question": ""}, headers=CHINESE)
        assert empty.status_code == 400
        foreign = {**CHINESE, "Origin": "https://evil.example"}
        assert client.post("/runs", data=form, headers=foreign).status_code == 403


def test_a_browser_logs_in_with_a_token(sample_library: Library, tmp_path: Path) -> None:
    secret = TokenFile(tmp_path / FILE).add("person")
    with client_of(sample_library, ServeSettings(home=tmp_path, auth="token")) as client:
        asked = client.get(ARTICLE, headers=PERSON)
        assert asked.status_code == 303  # a page, not JSON, and back to what was asked for
        login = asked.headers["location"]
        assert client.get(login, headers=PERSON).status_code == 200
        assert client.get("/", headers={"Accept": "application/json"}).status_code == 401
        wrong = client.post("/login", data={"token": "x"}, headers=PERSON)
        assert wrong.status_code == 401
        right = client.post(login, data={"token": secret}, headers=PERSON)
        assert right.status_code == 303
        assert unquote(right.headers["location"]) == ARTICLE
        away = client.post("/login?next=//evil.example", data={"token": secret}, headers=PERSON)
        assert away.headers["location"] == "/"
        cookie = right.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        client.cookies.clear()
        named = {**PERSON, "Cookie": cookie.partition(";")[0]}
        assert client.get("/", headers=named).status_code == 200


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/provision?law=nix&number=74", 409),
        ("/provision?law=刑法&number=nix", 400),
        ("/akn/cn/act/刑法/zho:2010-02-30/~art_74", 400),
        ("/runs/nix", 404),
        ("/verify/nix", 404),
        ("/nix", 404),
    ],
)
def test_what_is_refused_is_said_in_the_language_of_the_person(
    server: httpx.Client, address: str, status: int
) -> None:
    server.cookies.clear()
    got = server.get(address, headers=CHINESE)
    assert got.status_code == status
    main = re.sub(r"<[^>]*>", " ", got.text.partition("<main")[2].partition("<form")[0])
    assert not re.search(r"[a-z]{2,} [a-z]{2,}", main.replace("inforce corpus list", "")), main
