"""The national register: every form checked, nothing half-loaded, one request a second."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from register_double import (
    LAMPS,
    LAMPS_OLD,
    NEW_WORDS,
    OLD_WORDS,
    TOWERS,
    RegisterDouble,
    serving,
)

from inforce.corpus.store import Corpus
from inforce.errors import FeedError, InputError, UserError
from inforce.feeds import register, register_folder
from inforce.feeds.catalogue import FEEDS, Choice
from inforce.feeds.fetching import FeedFolder
from inforce.law.model import VersionText
from inforce.law.numerals import ProvisionNumber
from json_service import Answer, JsonService

pytest.importorskip("protego", reason="the extra 'web' is not installed")

TODAY = date(2026, 11, 20)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register_folder, "PAUSE", 0.0)
    monkeypatch.setattr(register, "FIRST_WAIT", 0.01)


@pytest.fixture
def double() -> RegisterDouble:
    return RegisterDouble()


@pytest.fixture
def service(double: RegisterDouble) -> Iterator[JsonService]:
    with serving(double).running() as running:
        yield running


def folder(home: Path, service: JsonService, *only: str) -> FeedFolder:
    return FeedFolder(home, Choice(FEEDS["flk"], service.url, only))


def fetched(folder: FeedFolder) -> tuple[list[VersionText], list[InputError]]:
    folder.fetch(today=TODAY, progress=lambda _: None)
    problems: list[InputError] = []
    return list(folder.texts(on_problem=problems.append)), problems


def paths(service: JsonService) -> list[str]:
    return [one.path.rpartition("/")[2] for one in service.asked]


def test_every_text_and_every_version_of_its_law_is_fetched_with_the_dates_of_the_register(
    tmp_path: Path, service: JsonService
) -> None:
    texts, problems = fetched(folder(tmp_path, service))
    assert problems == []
    states = [
        (one.version.work, str(one.version.validity.start), one.version.validity.status)
        for one in texts
    ]
    assert sorted(states) == [
        ("中华人民共和国明灯法", "2001-01-01", "unknown"),
        ("中华人民共和国明灯法", "2021-03-01", "open"),
        ("中华人民共和国灯塔法", "2019-03-01", "open"),
    ]
    [lamps] = [one for one in texts if one.version.source.path == LAMPS.key]
    assert lamps.provisions[0].text == NEW_WORDS
    assert lamps.version.validity.evidence == "register"
    assert lamps.version.source.name == "国家法律法规数据库"
    assert lamps.version.source.as_of == TODAY


def test_the_corpus_dates_the_versions_of_a_law_by_each_other(
    tmp_path: Path, service: JsonService
) -> None:
    texts, _ = fetched(folder(tmp_path, service))
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add(texts)
        lamps = corpus.timeline("中华人民共和国明灯法", ProvisionNumber.article(1))
    said = {
        day: [span.provision.text for span in lamps.version_at(day).found if span.provision]
        for day in (date(2001, 1, 1), date(2021, 2, 28), date(2021, 3, 1), TODAY)
    }
    assert list(said.values()) == [[OLD_WORDS], [OLD_WORDS], [NEW_WORDS], [NEW_WORDS]]


def test_a_second_fetch_asks_for_the_list_alone(tmp_path: Path, service: JsonService) -> None:
    first, _ = fetched(folder(tmp_path, service))
    service.asked.clear()
    second, _ = fetched(folder(tmp_path, service))
    assert paths(service) == ["robots.txt", "list"]
    assert [one.version.key for one in second] == [one.version.key for one in first]


def test_an_interrupted_fetch_goes_on_where_it_stopped(
    tmp_path: Path, service: JsonService, double: RegisterDouble
) -> None:
    double.fails["pc"] = Answer({}, 500)
    with pytest.raises(FeedError, match=r"HTTP 500; nothing was added, what was fetched stays"):
        fetched(folder(tmp_path, service))
    texts, problems = fetched(folder(tmp_path, service))
    assert (len(texts), problems) == (3, [])
    files = [one for one in paths(service) if one.endswith(".docx")]
    assert len(files) == len(set(files)) == 3


def test_one_law_is_found_by_its_short_name_and_others_are_left_alone(
    tmp_path: Path, service: JsonService
) -> None:
    texts, _ = fetched(folder(tmp_path, service, "灯塔法"))
    assert [one.version.work for one in texts] == ["中华人民共和国灯塔法"]
    assert sum(one.endswith(".docx") for one in paths(service)) == 1


def test_a_law_the_register_does_not_have_is_said_to_be_missing(
    tmp_path: Path, service: JsonService
) -> None:
    with pytest.raises(UserError, match="no text of the title '火星法'"):
        fetched(folder(tmp_path, service, "火星法"))


def test_a_list_of_several_pages_is_read_to_its_end(
    tmp_path: Path, service: JsonService, double: RegisterDouble
) -> None:
    double.page_size = 1
    assert len(fetched(folder(tmp_path, service))[0]) == 3
    assert paths(service).count("list") == 2


Change = Callable[[dict[str, Any]], Any]


def without(name: str) -> Change:
    return lambda data: {key: value for key, value in data.items() if key != name}


def changed(**more: Any) -> Change:
    return lambda data: {**data, **more}


def in_rows(**more: Any) -> Change:
    return lambda data: {**data, "rows": [{**row, **more} for row in data["rows"]]}


def in_data(change: Change) -> Change:
    return lambda data: {**data, "data": change(data["data"])}


def nothing(_: dict[str, Any]) -> Any:
    return []


OTHER_FORMS: list[tuple[str, Change, str]] = [
    ("list", without("rows"), "'rows' is missing"),
    ("list", without("total"), "'total' is missing"),
    ("list", nothing, "does not know"),
    ("list", in_rows(bbbs="../../etc"), "names no text"),
    ("list", in_rows(bbbs=None), "'bbbs' is missing"),
    ("list", in_rows(sxx=9), "'sxx' is 9"),
    ("list", in_rows(gbrq="26/12/2020"), "gbrq"),
    ("list", in_rows(title=""), "'title' is missing"),
    ("list", changed(code=500, msg="系统繁忙"), "code 500: 系统繁忙"),
    ("list", changed(total=99), "names 99 texts and gave 2"),
    ("flfgDetails", without("data"), "'data' is missing"),
    ("flfgDetails", in_data(without("lsyg")), "'lsyg'"),
    ("flfgDetails", in_data(changed(lsyg=[{"id": 1}])), "'bbbs' is missing"),
    ("flfgDetails", in_data(changed(bbbs="f" * 32)), "answered with ffff"),
    ("pc", in_data(changed(url=None)), "'url' is missing"),
]


@pytest.mark.parametrize(("answer", "change", "words"), OTHER_FORMS)
def test_an_answer_in_another_form_is_an_error_that_names_it(
    tmp_path: Path,
    service: JsonService,
    double: RegisterDouble,
    answer: str,
    change: Change,
    words: str,
) -> None:
    double.changed[answer] = change
    with pytest.raises(FeedError, match=words):
        fetched(folder(tmp_path, service))


def test_a_page_instead_of_an_answer_is_an_error(
    tmp_path: Path, service: JsonService, double: RegisterDouble
) -> None:
    wall = Answer(
        body="<html>请开启JavaScript</html>".encode(), headers={"Content-Type": "text/html"}
    )
    double.fails["list"] = wall
    with pytest.raises(FeedError, match="a form that this release does not know"):
        fetched(folder(tmp_path, service))


def test_a_file_that_is_no_word_file_is_not_stored_and_its_key_is_not_shown(
    tmp_path: Path, service: JsonService, double: RegisterDouble
) -> None:
    double.fails[f"{TOWERS.key}.docx"] = Answer(
        body=b"<html>", headers={"Content-Type": "text/html"}
    )
    with pytest.raises(FeedError, match=r"no \.docx file") as refused:
        fetched(folder(tmp_path, service))
    assert "secret" not in str(refused.value)
    assert not (tmp_path / "feeds" / "flk" / "texts" / f"{TOWERS.key}.json").exists()


def test_a_site_that_asks_programs_to_stay_away_is_left_alone(
    tmp_path: Path, service: JsonService, double: RegisterDouble
) -> None:
    double.robots = "User-agent: *\nDisallow: /law-search/\n"
    with pytest.raises(FeedError, match=r"robots\.txt asks programs not to read it"):
        fetched(folder(tmp_path, service))
    assert paths(service) == ["robots.txt"]


def test_a_server_that_asks_to_come_back_is_asked_again_after_that(
    tmp_path: Path, service: JsonService, double: RegisterDouble
) -> None:
    double.fails["list"] = Answer({}, 429, {"Retry-After": "1"})
    assert len(fetched(folder(tmp_path, service))[0]) == 3


def test_a_redirect_that_sets_a_cookie_is_followed_with_the_same_question(
    tmp_path: Path, service: JsonService, double: RegisterDouble
) -> None:
    location = f"{service.url}/law-search/search/list"
    headers = {"Location": location, "Set-Cookie": "wzws_cid=1; path=/"}
    double.fails["list"] = Answer({}, 307, headers)
    assert len(fetched(folder(tmp_path, service))[0]) == 3
    first, second = [one for one in service.asked if one.path.endswith("/list")]
    assert first.body == second.body
    assert "wzws_cid=1" in second.headers["cookie"]


def test_requests_to_the_register_are_a_second_apart(
    tmp_path: Path, service: JsonService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register_folder, "PAUSE", 0.2)
    times: list[float] = []
    reply = service.reply
    assert reply is not None

    def timed(asked: Any) -> Answer:
        times.append(time.monotonic())
        assert reply is not None
        return reply(asked)

    service.reply = timed
    fetched(folder(tmp_path, service, "灯塔法"))
    assert len(times) == 5
    assert times[-1] - times[0] > 0.5  # four pauses of 0.2 s, the first of which may begin late


def test_a_plan_asks_for_the_list_and_stores_nothing(tmp_path: Path, service: JsonService) -> None:
    plan = folder(tmp_path, service).plan()
    assert (plan.held, plan.there, plan.requests) == ("0 texts", "2 texts, 2 new", 6)
    assert not (tmp_path / "feeds").exists()


def test_a_text_that_was_superseded_since_is_known_to_be(
    tmp_path: Path, service: JsonService, double: RegisterDouble
) -> None:
    double.texts, double.unlisted = [TOWERS], []
    assert fetched(folder(tmp_path, service))[0][0].version.validity.status == "open"
    double.texts = [replace(TOWERS, state=1)]
    service.asked.clear()
    assert fetched(folder(tmp_path, service))[0][0].version.validity.status == "unknown"
    assert paths(service) == ["robots.txt", "list"]


def test_what_is_stored_is_whole(tmp_path: Path, service: JsonService) -> None:
    fetched(folder(tmp_path, service))
    stored = tmp_path / "feeds" / "flk" / "texts"
    assert sorted(path.suffix for path in stored.iterdir()) == [".docx"] * 3 + [".json"] * 3
    note = json.loads((stored / f"{LAMPS.key}.json").read_text(encoding="utf-8"))
    assert [one["key"] for one in note["versions"]] == [LAMPS_OLD.key]


def test_a_text_whose_note_is_damaged_is_fetched_again(
    tmp_path: Path, service: JsonService
) -> None:
    here = folder(tmp_path, service)
    fetched(here)
    note = here.folder / "texts" / f"{TOWERS.key}.json"
    note.write_text("{", encoding="utf-8")
    assert "1 new" in here.plan().there
    texts, problems = fetched(here)
    assert (len(texts), problems) == (3, [])


def test_a_damaged_note_of_a_text_is_reported_where_it_is_not_fetched_again(
    tmp_path: Path, service: JsonService
) -> None:
    here = folder(tmp_path, service)
    fetched(here)
    (here.folder / "texts" / f"{TOWERS.key}.json").write_text("{", encoding="utf-8")
    problems: list[InputError] = []
    assert len(list(here.texts(on_problem=problems.append))) == 2
    assert [one.path for one in problems] == [f"{TOWERS.key}.json"]


def test_a_plan_counts_texts_in_words(tmp_path: Path, service: JsonService) -> None:
    plan = folder(tmp_path, service, "灯塔法").plan()
    assert (plan.held, plan.there) == ("0 texts", "1 text, 1 new")


def test_the_register_is_asked_over_the_web_only(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no http"):
        FeedFolder(tmp_path, Choice(FEEDS["flk"], "nonsense"))
