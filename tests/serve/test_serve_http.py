"""JSON over HTTP: the library's own results, and the four answers kept apart by their status."""

from __future__ import annotations

import json
import threading
import tracemalloc
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import httpx
import jsonschema
import pytest
from live_server import client_of

from inforce import as_wire
from inforce.corpus.store import Corpus
from inforce.errors import UnknownWorkError
from inforce.library import Library, open_library
from inforce.retrieval import updating
from inforce.serve import service as serve_service
from inforce.serve.operations import OPERATIONS, ArticleAt, ListLaws, Search
from inforce.serve.service import Service, ThreadPool
from inforce.serve.settings import ServeSettings
from inforce.testing import tiny_law

T = TypeVar("T")

CRIMINAL_LAW = "中华人民共和国刑法"
ARTICLE = "/v1/laws/刑法/articles"
QUESTION = "2010年累犯能否适用缓刑？"


@pytest.mark.parametrize(
    ("number", "on", "status", "answer"),
    [
        ("74", "2010-06-01", 200, "found"),
        ("133-1", "2011-04-29", 410, "not_in_force"),
        ("133-1", "2011-04-30", 410, "not_in_force"),
        ("133-1", "2011-05-01", 200, "found"),
        ("第一百三十三条之一", "2015-10-31", 200, "found"),
        ("133-1", "2015-11-01", 200, "found"),
        ("74", "1979-12-31", 410, "not_in_force"),
        ("74", "1990-01-01", 409, "not_covered"),
    ],
)
def test_each_answer_has_a_status_of_its_own_and_is_in_the_body(
    server: httpx.Client, number: str, on: str, status: int, answer: str
) -> None:
    got = server.get(f"{ARTICLE}/{number}", params={"on": on})
    assert (got.status_code, got.json()["lookup"]["answer"]) == (status, answer)
    assert got.headers["inforce-answer"] == answer


def test_a_law_that_is_not_held_is_not_covered_and_never_not_found(server: httpx.Client) -> None:
    got = server.get("/v1/laws/刑发/articles/1")
    assert got.status_code == 409
    assert got.headers["content-type"] == "application/problem+json"
    problem = got.json()
    assert (problem["kind"], problem["answer"]) == ("unknown_work", "not_covered")


@pytest.mark.parametrize(
    ("day", "later"),
    [
        ("2011-04-29", False),
        ("2011-04-30", False),
        ("2011-05-01", True),
        ("2011-05-02", True),
        ("2020-01-01", True),
    ],
)
def test_the_text_is_that_of_the_day(server: httpx.Client, day: str, *, later: bool) -> None:
    [span] = server.get(f"{ARTICLE}/74", params={"on": day}).json()["lookup"]["spans"]
    assert ("首要分子" in span["provision"]["text"]) == later


def test_every_operation_gives_the_librarys_own_result(
    server: httpx.Client, sample_library: Library
) -> None:
    book, corpus = sample_library, sample_library.corpus
    asked: dict[str, object] = {
        f"{ARTICLE}/74?on=2010": book.at("刑法", "74", on="2010"),
        f"{ARTICLE}/74/history": book.history("刑法", "74"),
        f"{ARTICLE}/74/diff?from=2010&to=2012": book.diff(
            "刑法", "74", earlier="2010", later="2012"
        ),
        f"/v1/search?q={QUESTION}&k=3": book.search(QUESTION, k=3),
        "/v1/search?q=累犯&when=any": book.search("累犯", when="any"),
        "/v1/search?q=累犯&as_of=2005": book.search("累犯", as_of="2005"),
    }
    for address, result in asked.items():
        assert server.get(address).json() == as_wire(result), address
    law = server.get("/v1/laws/刑法").json()
    assert law["numbers"] == as_wire(corpus.numbers(CRIMINAL_LAW))
    assert law["versions"] == as_wire(corpus.versions(CRIMINAL_LAW))


@pytest.mark.parametrize(
    "asked",
    [
        {"question": QUESTION},
        {"question": "累犯能否适用缓刑？", "as_of": "2010-06-01", "trial": "2012-01-01"},
    ],
)
def test_a_question_is_answered_as_by_the_library(
    server: httpx.Client, sample_library: Library, asked: dict[str, str]
) -> None:
    got = server.post("/v1/ask", json=asked)
    assert got.status_code == 200
    assert got.json() == as_wire(sample_library.ask(**asked))


def test_laws_are_listed_in_pages_and_found_by_a_part_of_their_title(server: httpx.Client) -> None:
    everything = server.get("/v1/laws").json()
    titles = [one["title"] for one in everything["laws"]]
    assert everything["total"] == len(titles)
    page = server.get("/v1/laws", params={"limit": 2, "offset": 1}).json()
    assert [one["title"] for one in page["laws"]] == titles[1:3]
    some = server.get("/v1/laws", params={"q": "诉讼"}).json()
    assert [one["title"] for one in some["laws"]] == [one for one in titles if "诉讼" in one]


def test_an_answer_that_has_not_changed_is_not_sent_again(server: httpx.Client) -> None:
    first = server.get(f"{ARTICLE}/74?on=2010-06-01")
    again = server.get(
        f"{ARTICLE}/74?on=2010-06-01", headers={"If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    other = server.get(
        f"{ARTICLE}/74?on=2011-05-01", headers={"If-None-Match": first.headers["etag"]}
    )
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        (f"{ARTICLE}/seventy", "bad_identifier"),
        (f"{ARTICLE}/74?on=2010-02-30", "bad_date"),
        (f"{ARTICLE}/74?on=", "usage"),
        (f"{ARTICLE}/74?when=2010", "usage"),
        (f"{ARTICLE}/74?on=2010&on=2011", "usage"),
        (f"{ARTICLE}/74?law=民法典", "usage"),
        (f"{ARTICLE}/74/diff", "usage"),
        ("/v1/search", "usage"),
        ("/v1/search?q=%20", "usage"),
        ("/v1/search?q=a&k=0", "usage"),
        ("/v1/search?q=a&k=1000", "usage"),
        ("/v1/search?q=a&k=many", "usage"),
        ("/v1/search?q=a&when=never", "usage"),
        ("/v1/search?q=a&when=any&as_of=2010", "usage"),
        (f"/v1/search?q={'a' * 10_001}", "usage"),
        ("/v1/search?q=%ff%fe", None),
        ("/v1/laws?limit=-1", "usage"),
    ],
)
def test_what_cannot_be_read_is_a_problem_that_says_why(
    server: httpx.Client, address: str, kind: str | None
) -> None:
    got = server.get(address)
    if kind is None:
        assert got.status_code < 500
        return
    assert (got.status_code, got.json()["kind"]) == (400, kind)
    assert got.headers["content-type"] == "application/problem+json"
    assert got.json()["detail"]


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "usage", 400),
        (b"[]", "usage", 400),
        (b"{", "usage", 400),
        (b'{"question": 1}', "usage", 400),
        (b'{"question": ""}', "usage", 400),
        (b'{"question": "\\ud800"}', "usage", 400),
        (b'{"question": "a", "model": "http://169.254.169.254/"}', "usage", 400),
        (b'{"question": "a", "trial": "2010"}', "bad_date", 400),
        (b"[" * 100_000, "usage", 400),
        (b"\xff", "usage", 400),
    ],
)
def test_a_body_that_cannot_be_read_is_a_problem(
    server: httpx.Client, body: bytes, kind: str, status: int
) -> None:
    got = server.post("/v1/ask", content=body, headers={"Content-Type": "application/json"})
    assert (got.status_code, got.json()["kind"]) == (status, kind)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (f"{ARTICLE}/74?on=2010-13-01", "无法将 '2010-13-01' 读作日期：没有 13 月"),
        (f"{ARTICLE}/74/diff", "对象缺少必需的字段 `from`"),
        ("/v1/laws/刑发", "本库没有名为 '刑发' 的法律"),
        ("/v1/runs/nix", "没有这次研究"),
    ],
)
def test_a_problem_is_told_in_the_language_that_is_asked_for(
    server: httpx.Client, path: str, said: str
) -> None:
    chinese = server.get(path, headers={"Accept-Language": "zh-CN"})
    assert chinese.json()["detail"].startswith(said)
    assert chinese.headers["content-language"] == "zh"
    english = server.get(path)
    assert chinese.json()["kind"] == english.json()["kind"]
    assert not english.json()["detail"].startswith(said)


def test_a_form_is_not_read_as_json(server: httpx.Client) -> None:
    got = server.post("/v1/ask", data={"question": QUESTION})
    assert got.status_code == 415


def test_methods_and_addresses_that_are_none_are_problems_too(server: httpx.Client) -> None:
    assert server.post(f"{ARTICLE}/74").json()["kind"] == "no_such_method"
    assert server.get("/v1/nothing").json()["kind"] == "no_such_address"


def test_a_server_says_that_it_lives_is_ready_and_what_it_did(server: httpx.Client) -> None:
    assert server.get("/healthz").text == "ok\n"
    assert server.get("/readyz").json()["wordings"] > 100
    server.get(f"{ARTICLE}/74?on=2010-06-01")
    metrics = server.get("/metrics").text
    assert 'inforce_requests_total{operation="at",status="200"}' in metrics
    assert "74" not in [line.partition("{")[2].partition("}")[0] for line in metrics.splitlines()]


# --- the document --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def document(server: httpx.Client) -> dict[str, Any]:
    return server.get("/openapi.json").json()


def test_every_reference_of_the_document_leads_somewhere(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    schemas = document["components"]["schemas"]
    references = {part.partition('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert references
    assert references <= schemas.keys()
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/v1/laws", "/v1/laws?limit=3"),
        ("/v1/laws/{law}", "/v1/laws/刑法"),
        ("/v1/laws/{law}/articles/{number}", f"{ARTICLE}/74?on=2010"),
        ("/v1/laws/{law}/articles/{number}", f"{ARTICLE}/133-1?on=2010"),
        ("/v1/laws/{law}/articles/{number}", "/v1/laws/刑发/articles/1"),
        ("/v1/laws/{law}/articles/{number}/history", f"{ARTICLE}/264/history"),
        ("/v1/laws/{law}/articles/{number}/diff", f"{ARTICLE}/74/diff?from=2010&to=2012"),
        ("/v1/search", f"/v1/search?q={QUESTION}"),
        ("/v1/search", "/v1/search"),
    ],
)
def test_what_is_sent_is_what_the_document_promises(
    server: httpx.Client, document: dict[str, Any], path: str, address: str
) -> None:
    got = server.get(address)
    promised = document["paths"][path]["get"]["responses"][str(got.status_code)]
    media = got.headers["content-type"].partition(";")[0]
    schema = promised["content"][media]["schema"]
    jsonschema.validate(got.json(), {**schema, "components": document["components"]})


def test_the_answer_to_a_question_is_what_the_document_promises(
    server: httpx.Client, document: dict[str, Any]
) -> None:
    got = server.post("/v1/ask", json={"question": QUESTION}).json()
    promised = document["paths"]["/v1/ask"]["post"]["responses"]["200"]
    schema = promised["content"]["application/json"]["schema"]
    jsonschema.validate(got, {**schema, "components": document["components"]})


# --- addresses of the law at a date --------------------------------------------------------------

AKN = f"/akn/cn/act/{CRIMINAL_LAW}"


@pytest.mark.parametrize(
    ("accepted", "day"),
    [
        ("Sat, 30 Apr 2011 23:59:59 GMT", "2011-04-30"),
        ("Sun, 01 May 2011 00:00:00 GMT", "2011-05-01"),
        (None, "2026-11-20"),
    ],
)
def test_an_article_leads_to_what_it_said_on_a_day(
    server: httpx.Client, accepted: str | None, day: str
) -> None:
    headers = {"Accept-Datetime": accepted} if accepted else {}
    got = server.get(f"{AKN}/~art_74", headers=headers)
    assert got.status_code == 302
    assert f"/zho:{day}/" in got.headers["location"]
    assert got.headers["vary"] == "Accept-Datetime"
    memento = server.get(got.headers["location"])
    assert memento.status_code == 200
    [span] = memento.json()["lookup"]["spans"]
    assert ("首要分子" in span["provision"]["text"]) == (day >= "2011-05-01")


def test_a_memento_says_since_when_it_reads_so_and_what_else_there_is(server: httpx.Client) -> None:
    got = server.get(f"{AKN}/zho:2012-01-01/~art_74")
    assert got.headers["memento-datetime"] == "Sun, 01 May 2011 00:00:00 GMT"
    assert 'rel="timemap"' in got.headers["link"]
    etag = got.headers["etag"]
    for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = server.get(f"{AKN}/zho:2012-01-01/~art_74", headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == etag
    changed = server.get(f"{AKN}/zho:2012-01-01/~art_74", headers={"If-None-Match": '"other"'})
    assert changed.status_code == 200


def test_the_etag_of_a_memento_changes_with_whatever_it_shows(tmp_path: Path) -> None:
    """A wording that stays may be cited by another law, amended later, or lie ahead no more."""
    law = tiny_law("骆驼登记法", {"1": "骆驼应当登记。"}, start=date(2000, 1, 1))
    citing = {"1": "违反《骆驼登记法》第一条的，不得饲养骆驼。"}
    path = "/akn/cn/act/骆驼登记法/zho:2010-01-01/~art_1"
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add([law])
    with open_library(tmp_path) as library, client_of(library, ServeSettings(home=tmp_path)) as one:
        before = one.get(path)
        assert one.get(path).headers["etag"] == before.headers["etag"]
        with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
            corpus.add([tiny_law("山羊登记法", citing, start=date(2005, 1, 1))])
        after = one.get(path, headers={"If-None-Match": before.headers["etag"]})
        assert after.status_code == 200
        assert after.json()["links"] != before.json()["links"]
        assert after.headers["etag"] != before.headers["etag"]


def test_the_timemap_lists_every_wording(server: httpx.Client) -> None:
    got = server.get(f"/timemap{AKN}/~art_74")
    assert got.headers["content-type"].startswith("application/link-format")
    assert [line for line in got.text.splitlines() if 'rel="memento"' in line] == [
        line for line in got.text.splitlines() if "datetime=" in line
    ]
    assert got.text.count('rel="memento"') == 2


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{AKN}/zho:2005-01-01/~art_133-1", 410),
        (f"{AKN}/zho:1990-01-01/~art_74", 409),
        ("/akn/cn/act/无此法/zho:2010-01-01/~art_1", 409),
        (f"{AKN}/zho:2010-02-30/~art_1", 400),
        (AKN, 400),
        (f"{AKN}/zho:2010-01-01/~art_74__para_1", 400),
        ("/akn/../../etc/passwd", 404),
        ("/akn/%2e%2e/%2e%2e/etc/passwd", 400),
    ],
)
def test_what_is_not_there_keeps_its_answer(server: httpx.Client, path: str, status: int) -> None:
    assert server.get(path).status_code == status


async def test_stored_answers_count_with_what_is_stored_beside_them(
    sample_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve_service, "_CACHED_BYTES", 100_000)
    pool = ThreadPool(threads=1, waiting=1, seconds=30)
    service = Service(sample_library, pool)
    [operation] = [one for one in OPERATIONS if one.name == "laws"]
    before = 0
    tracemalloc.start()
    try:
        for offset in range(100, 2_000):  # each body has a few bytes only
            await service.answer(operation, ListLaws(q="无" * 100, offset=offset))
            if offset == 300:
                before, _ = tracemalloc.get_traced_memory()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        pool.close()
    assert after - before < 300_000


class _Counted(ThreadPool):
    """Counts what is handed to a thread."""

    def __init__(self) -> None:
        super().__init__(threads=1, waiting=1, seconds=30)
        self.calls = 0

    async def run(self, call: Callable[[], T]) -> T:
        self.calls += 1
        return await super().run(call)


async def test_an_article_that_was_read_is_answered_without_a_thread_and_no_other(
    sample_library: Library,
) -> None:
    pool = _Counted()
    service = Service(sample_library, pool)
    by_name = {one.name: one for one in OPERATIONS}
    asked = [
        ("at", ArticleAt(law="刑法", number="74", on="2010-06-01"), 1),
        ("at", ArticleAt(law="刑法", number="74", on="2011-05-01"), 1),  # its timeline is known
        ("at", ArticleAt(law="刑法", number="133-1", on="2011-05-01"), 2),
        ("search", Search(q="累犯"), 3),
        ("search", Search(q="缓刑"), 4),
    ]
    for name, given, calls in asked:
        found = await service.answer(by_name[name], given)
        assert (found.status, pool.calls) == (200, calls), given
    pool.close()


async def test_what_was_refused_is_refused_again_in_a_thread(sample_library: Library) -> None:
    pool = _Counted()
    service = Service(sample_library, pool)
    [operation] = [one for one in OPERATIONS if one.name == "at"]
    for calls in (1, 2):
        with pytest.raises(UnknownWorkError):
            await service.answer(operation, ArticleAt(law="刑发", number="1"))
        assert pool.calls == calls
    pool.close()


def test_what_was_found_while_an_index_was_made_is_not_the_answer_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, update = threading.Event(), updating.update_index
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add([tiny_law("骆驼登记法", {"1": "骆驼应当登记。"}, start=date(2000, 1, 1))])
    asked = {"q": "山羊应当登记", "as_of": "2010-06-01"}
    with (
        open_library(tmp_path, following="beside") as library,
        client_of(library, ServeSettings(home=tmp_path)) as client,
    ):

        def works() -> list[str]:
            hits = client.get("/v1/search", params=asked).json()["hits"]
            return [hit["provision"]["work"] for hit in hits]

        def made_later(*given: Any, **options: Any) -> None:
            made.wait(60)
            update(*given, **options)

        assert works() == ["骆驼登记法"]
        monkeypatch.setattr(updating, "update_index", made_later)
        with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
            corpus.add([tiny_law("山羊登记法", {"1": "山羊应当登记。"}, start=date(2000, 1, 1))])
        assert works() == works() == ["骆驼登记法"]  # of the corpus before, and says so
        made.set()
        [making] = [one for one in threading.enumerate() if one.name == updating.BACKGROUND_THREAD]
        making.join()
        assert works()[0] == "山羊登记法"
