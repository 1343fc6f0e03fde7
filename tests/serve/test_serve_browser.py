"""The pages in a real browser: both languages, keyboard, phone, no script, nothing from elsewhere.

They need Chromium (`apt-get install chromium fonts-noto-cjk`), and skip where there is none. With
``AXE`` naming a copy of axe-core's ``axe.min.js``, every page is checked for accessibility too.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from live_server import listening
from playwright.sync_api import Browser, Page, expect, sync_playwright

from inforce.library import Library
from inforce.serve.app import create_app
from inforce.serve.settings import ServeSettings

pytestmark = pytest.mark.slow

ARTICLE = "/akn/cn/act/中华人民共和国刑法/zho:2010-06-01/~art_74"
QUESTION = "2010年，累犯能否适用缓刑？"
PAGES = (
    "/",
    f"/?question={QUESTION}",
    "/search?question=缓刑&as_of=2010",
    f"{ARTICLE}?from=2010-06-01&to=2011-05-01",
    "/akn/cn/act/中华人民共和国刑法/zho:2005-01-01/~art_133-1",
    "/laws",
    "/laws/刑法",
    "/runs",
    "/corpus",
    "/verify",
    "/verify/brief.docx",
)
BRIEF = Path(__file__).parents[2] / "examples" / "brief.docx"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(sample_library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = ServeSettings(home=tmp_path_factory.mktemp("runs"))
    with listening(create_app(sample_library, settings)) as address:
        yield address


def show(page: Page, address: str, path: str) -> None:
    """Open a page; that of a document by uploading it."""
    if path != "/verify/brief.docx":
        page.goto(address + path)
        return
    page.goto(f"{address}/verify")
    page.locator("#file").set_input_files(BRIEF)
    page.locator("#upload button[type=submit]").click()
    page.wait_for_url("**/verify/*")


@contextmanager
def opened(
    chromium: Browser,
    locale: Literal["zh-CN", "en-US"] = "zh-CN",
    *,
    width: int = 1100,
    script: bool = True,
    dark: bool = False,
) -> Generator[Page]:
    """A page of a browser that asks for nothing but this machine, and reports no error."""
    context = chromium.new_context(
        locale=locale,
        viewport={"width": width, "height": 844},
        java_script_enabled=script,
        color_scheme="dark" if dark else "light",
    )
    page = context.new_page()
    elsewhere: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: elsewhere.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Policy" in said.text else None)
    yield page
    context.close()
    assert {urlsplit(url).hostname for url in elsewhere} <= {"127.0.0.1"}
    assert errors == []


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_every_page_fits_a_phone_in_both_languages(
    chromium: Browser, address: str, path: str, locale: Literal["zh-CN", "en-US"]
) -> None:
    with opened(chromium, locale, width=390) as page:
        show(page, address, path)
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("dark", [False, True])
def test_every_page_can_be_used_by_everybody(
    chromium: Browser, address: str, path: str, *, dark: bool
) -> None:
    axe = os.environ.get("AXE")
    if not axe:
        pytest.skip("AXE names no copy of axe-core")
    with opened(chromium, dark=dark) as page:
        show(page, address, path)
        page.evaluate(Path(axe).read_text(encoding="utf-8"))
        found: list[dict[str, Any]] = page.evaluate("axe.run().then(r => r.violations)")
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious] == []


def test_a_question_is_asked_and_its_dates_corrected(chromium: Browser, address: str) -> None:
    with opened(chromium) as page:
        page.goto(address)
        page.get_by_label("问题").fill("累犯能否适用缓刑？")
        page.get_by_label("事实发生之日").fill("2012-01-01")
        page.get_by_role("button", name="提问").click()
        expect(page.locator(".answer")).to_contain_text("和犯罪集团的首要分子")
        page.get_by_label("事实发生之日").fill("2010")
        page.get_by_role("button", name="提问").click()
        expect(page.locator(".answer .law").first).to_have_text("对于累犯，不适用缓刑。")


def test_the_timeline_is_dragged_to_another_day(chromium: Browser, address: str) -> None:
    with opened(chromium) as page:
        page.goto(address + ARTICLE)
        expect(page.locator("#text .law").first).to_have_text("对于累犯，不适用缓刑。")
        drag = page.get_by_label("拖动到另一天")
        drag.focus()
        page.keyboard.press("End")
        expect(page.locator("#text .law").first).to_contain_text("首要分子")
        assert "/zho:2027-" in page.url


def test_what_is_printed_says_what_was_asked_and_of_which_day(
    chromium: Browser, address: str
) -> None:
    with opened(chromium) as page:
        page.emulate_media(media="print")
        page.goto(f"{address}/?question={QUESTION}")
        expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
        page.goto(address + ARTICLE)
        expect(page.get_by_role("heading", name="《中华人民共和国刑法》第七十四条")).to_be_visible()
        expect(page.locator("#text .printed")).to_have_text("2010-06-01")
        assert not any(form.is_visible() for form in page.locator("form").all())


def test_the_keyboard_leads_everywhere(chromium: Browser, address: str) -> None:
    with opened(chromium) as page:
        page.goto(f"{address}/?question={QUESTION}")
        page.keyboard.press("j")
        assert page.evaluate("document.activeElement.className") == "item"
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "question"
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("g")
        page.keyboard.press("l")
        page.wait_for_url("**/laws")


def test_everything_works_without_a_script(chromium: Browser, address: str) -> None:
    with opened(chromium, script=False) as page:
        page.goto(address + ARTICLE)
        page.get_by_role("textbox", name="日期").fill("2011-05-01")
        page.get_by_role("button", name="查看").click()
        expect(page.locator("#text .law").first).to_contain_text("首要分子")
        page.get_by_role("button", name="比较").click()
        page.goto(f"{address}/runs")
        page.get_by_label("问题").fill(QUESTION)
        page.get_by_role("button", name="开始").click()
        page.wait_for_url("**/runs/*")
        expect(page.locator("h1")).to_have_text(QUESTION)


def test_a_document_is_dropped_seen_marked_and_downloaded(
    chromium: Browser, address: str, tmp_path: Path
) -> None:
    with opened(chromium) as page:
        show(page, address, "/verify/brief.docx")
        wrong = page.locator("mark.wrong")
        assert wrong.count() >= 4
        page.get_by_label("正确 (").uncheck()
        expect(page.locator("section.is-right").first).to_be_hidden()
        with page.expect_download() as download:
            page.get_by_role("link", name="带批注的 Word 文件").click()
        assert download.value.suggested_filename == "brief.checked.docx"
        page.get_by_role("button", name="立即删除").click()
        page.wait_for_url("**/verify")


def test_a_document_is_checked_without_a_script(chromium: Browser, address: str) -> None:
    with opened(chromium, "en-US", script=False) as page:
        show(page, address, "/verify/brief.docx")
        expect(page.locator(".outcome")).to_have_text("Something is wrong.")
        with page.expect_download():
            page.get_by_role("link", name="Markdown").click()


def test_what_is_held_is_shown_once_it_is_examined(chromium: Browser, address: str) -> None:
    with opened(chromium) as page:
        page.goto(f"{address}/corpus")
        expect(page.locator(".years svg")).to_be_visible(timeout=60_000)
        expect(page.locator("main")).to_contain_text("来源及其截止日期")


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>“onload=alert(3)"


@pytest.mark.parametrize(
    "path",
    [
        f"/?question={HOSTILE}",
        f"/search?question={HOSTILE}&as_of={HOSTILE}",
        f"/laws?q={HOSTILE}",
        f"/laws/{HOSTILE}",
        f"/provision?law={HOSTILE}&number={HOSTILE}&on={HOSTILE}",
        f"{ARTICLE}?from={HOSTILE}&to={HOSTILE}&on={HOSTILE}",
        f"/language?to=zh&next=javascript:alert(1)//{HOSTILE}",
    ],
)
def test_what_somebody_asks_is_text_and_never_runs(
    chromium: Browser, address: str, path: str
) -> None:
    with opened(chromium) as page:
        alerts: list[str] = []
        page.on("dialog", lambda dialog: alerts.append(dialog.message))
        page.goto(address + path)
        expect(page.locator("main")).to_be_visible()
        assert page.locator("img").count() == 0
        assert page.locator("main script").count() == 0
        assert alerts == []


def test_what_a_document_says_is_text_and_never_runs(
    chromium: Browser, address: str, tmp_path: Path
) -> None:
    hostile = tmp_path / "hostile.html"
    hostile.write_text(
        f"<h1>{HOSTILE.replace('<', '&lt;')}</h1><script>alert(4)</script>"
        f"<p onclick=alert(5)>依照《刑法》第七十四条{HOSTILE.replace('<', '&lt;')}</p>",
        encoding="utf-8",
    )
    with opened(chromium) as page:
        alerts: list[str] = []
        page.on("dialog", lambda dialog: alerts.append(dialog.message))
        page.goto(f"{address}/verify")
        page.locator("#file").set_input_files(hostile)
        page.locator("#upload button[type=submit]").click()
        page.wait_for_url("**/verify/*")
        expect(page.locator("article")).to_contain_text("onerror=alert(1)")
        assert page.locator("main img, main script, [onclick]").count() == 0
        assert alerts == []


def test_a_run_is_watched_live(chromium: Browser, address: str) -> None:
    with opened(chromium) as page:
        page.goto(f"{address}/runs")
        page.get_by_label("问题").fill(f"{QUESTION}<img src=x onerror=alert(1)>")
        page.get_by_role("button", name="开始").click()
        page.wait_for_url("**/runs/*")
        expect(page.locator("#status")).to_have_text("已完成", timeout=20_000)
        expect(page.locator("section.answer")).to_be_visible()
        assert page.locator("img").count() == 0


def test_the_language_is_switched_and_stays(chromium: Browser, address: str) -> None:
    with opened(chromium, "en-US") as page:
        page.goto(address + ARTICLE)
        expect(page.get_by_role("button", name="Show")).to_be_visible()
        page.get_by_role("link", name="中文").click()
        expect(page.get_by_role("button", name="查看")).to_be_visible()
        page.goto(f"{address}/laws")
        expect(page.locator("h1")).to_have_text("所收法律")
