"""What cites a provision, resolved for its own time: through renumbering and repeal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.corpus.store import Corpus
from inforce.law.citation import cited_in
from inforce.law.model import Provision, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library

TOWERS = "中华人民共和国灯塔法"
RULES = "最高人民法院关于审理灯塔案件适用法律若干问题的解释"
SHIPS = "中华人民共和国航船法"
LIGHT = "灯塔管理人应当守夜，并且每夜记录灯光的强弱和过往的船只。"
OIL = "灯油由国家供给，任何单位和个人不得挪用或者变卖灯塔的灯油。"
KEEPER = "灯塔管理人由航务机关任命，任期五年，可以连任一次。"
AMENDED = date(2018, 1, 1)


def towers() -> tuple[VersionText, VersionText]:
    """In 2018 a new first article moved the others up by one."""
    old = {"1": LIGHT, "2": OIL, "3": KEEPER}
    new = {"1": "为了航行安全，制定本法。", "2": LIGHT, "3": OIL, "4": KEEPER}
    return (
        tiny_law(TOWERS, old, start=date(2000, 1, 1), end=AMENDED),
        tiny_law(TOWERS, new, start=AMENDED),
    )


def rules(start: date, *, end: date | None = None, article: str = "第二条") -> VersionText:
    """An interpretation that cites an article of the law."""
    words = f"挪用灯油的，依照《{TOWERS}》{article}的规定处理。"
    return tiny_law(RULES, {"1": words, "2": "本解释自公布之日起施行。"}, start=start, end=end)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with tiny_library(tmp_path, *towers(), rules(date(2010, 1, 1))) as opened:
        yield opened


def interpreted(library: Library, number: str, on: str) -> list[tuple[str, str, str]]:
    found = library.at("灯塔法", number, on=on).links.interpretations
    return [(one.work, one.number.short, str(one.portions[0].number.short)) for one in found]


@pytest.mark.parametrize(
    ("number", "on", "cited_as"),
    [
        ("2", "2009-12-31", None),
        ("2", "2010-01-01", "2"),
        ("2", "2014-06-01", "2"),
        ("2", "2017-12-31", "2"),
        ("2", "2018-01-01", None),
        ("3", "2017-12-31", None),
        ("3", "2018-01-01", "2"),
        ("3", "2018-06-01", "2"),
    ],
)
def test_a_number_cited_means_the_article_that_had_it_when_it_was_cited(
    library: Library, number: str, on: str, cited_as: str | None
) -> None:
    expected = [] if cited_as is None else [(RULES, "1", cited_as)]
    assert interpreted(library, number, on) == expected


def test_one_made_after_the_renumbering_means_the_new_number(tmp_path: Path) -> None:
    with tiny_library(tmp_path, *towers(), rules(AMENDED)) as library:
        assert interpreted(library, "2", "2018-06-01") == [(RULES, "1", "2")]
        assert interpreted(library, "3", "2018-06-01") == []


def test_an_interpretation_that_has_ended_no_longer_interprets(tmp_path: Path) -> None:
    ended = rules(date(2010, 1, 1), end=date(2012, 1, 1))
    with tiny_library(tmp_path, *towers(), ended) as library:
        assert interpreted(library, "2", "2011-12-31") == [(RULES, "1", "2")]
        assert interpreted(library, "2", "2012-01-01") == []
        [one] = library.history("灯塔法", "2").links.interpretations
        assert str(one.window) == "2010-01-01 to 2011-12-31"


def test_a_law_named_with_a_year_means_its_text_of_then(tmp_path: Path) -> None:
    words = f"依照2015年《{TOWERS}》第二条的规定处理。"
    law = tiny_law(RULES, {"1": words}, start=date(2020, 1, 1))
    with tiny_library(tmp_path, *towers(), law, today="2021-01-01") as library:
        assert interpreted(library, "3", "today") == [(RULES, "1", "2")]


def test_other_laws_and_the_law_itself_are_apart_from_interpretations(tmp_path: Path) -> None:
    ships = tiny_law(SHIPS, {"1": f"依照《{TOWERS}》第一条、第二条执行。"}, start=date(2005, 1, 1))
    own = tiny_law(
        TOWERS, {"1": LIGHT, "2": "违反本法第一条的，处以罚款。"}, start=date(2000, 1, 1)
    )
    with tiny_library(tmp_path, own, ships) as library:
        links = library.at("灯塔法", "1", on="2010").links
        assert [(one.work, one.number.short) for one in links.cited_by] == [
            (TOWERS, "2"),
            (SHIPS, "1"),
        ]
        assert links.interpretations == ()


def test_what_a_provision_cites_is_named_with_its_number_of_the_day(library: Library) -> None:
    [one] = library.at(RULES, "1", on="2011").links.cites
    assert (one.title, one.held, one.answer, one.now) == (TOWERS, True, "found", None)
    [one] = library.at(RULES, "1", on="2019").links.cites
    assert one.portion is not None
    assert (one.portion.number.short, one.now) == ("2", ProvisionNumber.article(3))


def test_a_law_that_is_not_held_is_said_not_to_be_and_found_once_it_is(tmp_path: Path) -> None:
    with tiny_library(tmp_path, rules(date(2010, 1, 1))) as library:
        [one] = library.at(RULES, "1", on="2011").links.cites
        assert (one.title, one.held, one.answer) == (TOWERS, False, None)
        library.corpus.add(towers())
        [one] = library.at(RULES, "1", on="2011").links.cites
        assert (one.held, one.answer) == (True, "found")
        assert interpreted(library, "2", "2011") == [(RULES, "1", "2")]


def test_where_the_text_cited_is_not_held_the_number_alone_speaks_and_that_is_said(
    tmp_path: Path,
) -> None:
    later = towers()[1]
    history = ("2000年1月1日通过", "根据2018年1月1日《关于修改〈灯塔法〉的决定》修正")
    known = tiny_law(
        TOWERS,
        {one.number.short: one.text for one in later.provisions},
        start=AMENDED,
        promulgated=AMENDED,
        history=history,
    )
    with tiny_library(tmp_path, known, rules(date(2010, 1, 1))) as library:
        [one] = library.at("灯塔法", "2", on="2019").links.interpretations
        assert not one.checked


def test_a_wording_that_was_replaced_in_the_corpus_cites_nothing_any_more(tmp_path: Path) -> None:
    with tiny_library(tmp_path, *towers(), rules(date(2010, 1, 1))) as library:
        library.corpus.add([rules(date(2010, 1, 1), article="第三条")])
        assert interpreted(library, "2", "2011") == []
        assert interpreted(library, "3", "2011") == [(RULES, "1", "3")]


def test_amounts_are_those_of_the_day() -> None:
    from inforce.dates import DateRange
    from inforce.law.penalties.thresholds import thresholds_of

    def sources(first: date, last: date) -> set[str]:
        days = DateRange(first, DateRange.day(last).end)
        return {one.source for one in thresholds_of(264, days)}

    assert sources(date(2013, 4, 3), date(2013, 4, 3)) == {"法释〔1998〕4号 art. 3"}
    assert sources(date(2013, 4, 4), date(2013, 4, 4)) == {"法释〔2013〕8号 art. 1"}
    assert len(sources(date(2013, 4, 3), date(2013, 4, 4))) == 2


def test_every_citation_is_read_once_with_its_paragraph_and_item() -> None:
    text = f"依照本法第三条第二款、《{SHIPS}》第九条和第三条第二款的规定，适用《{SHIPS}》。"
    provision = Provision(ProvisionNumber.article(5), text)
    found = [
        (one.title, one.portion.chinese if one.portion else "")
        for one in cited_in(TOWERS, provision)
    ]
    assert found == [
        (TOWERS, "第三条第二款"),
        (SHIPS, "第九条"),
        (SHIPS, "第三条第二款"),
        (SHIPS, ""),
    ]


def _undo(path: Path, *steps: str, tables: tuple[str, ...]) -> None:
    """Make a file as an earlier release made it."""
    with sqlite3.connect(path) as db:
        for table in tables:
            db.execute(f"DROP TABLE {table}")
        if "m003_references" in steps:
            db.execute("DROP INDEX provision_by_text")
        db.executemany("DELETE FROM migration WHERE name = ?", ((step,) for step in steps))
    db.close()


@pytest.mark.parametrize(
    ("steps", "tables"),
    [
        (("m003_references", "m004_citations"), ("citation", "resolved", "reference")),
        (("m004_citations",), ("citation", "resolved")),
    ],
)
def test_a_file_of_an_earlier_release_can_be_read_and_says_that_nothing_was_linked(
    tmp_path: Path, steps: tuple[str, ...], tables: tuple[str, ...]
) -> None:
    tiny_library(tmp_path, *towers(), rules(date(2010, 1, 1))).close()
    path = tmp_path / "corpus.sqlite"
    _undo(path, *steps, tables=tables)
    with Library(Corpus.open(path), tmp_path / "index") as library:
        assert library.at("灯塔法", "2", on="2011").lookup.answer == "found"
        assert not library.at("灯塔法", "2", on="2011").links.known
        assert not library.history("灯塔法", "2").links.known
    Corpus.open(path, mode="write").close()
    with Library(Corpus.open(path), tmp_path / "index") as library:
        assert interpreted(library, "2", "2011") == [(RULES, "1", "2")]


def test_a_law_added_later_that_ends_one_that_cites_ends_what_it_cites(tmp_path: Path) -> None:
    """The citing law is dated by another one: what is stored of it is resolved anew."""
    ships = tiny_law(
        SHIPS, {"1": f"依照《{TOWERS}》第二条执行。"}, start=date(2005, 1, 1), status="unknown"
    )
    ending = tiny_law(
        "中华人民共和国港口法",
        {"1": "为了港口，制定本法。", "2": f"本法自2016年1月1日起施行。《{SHIPS}》同时废止。"},
        start=date(2016, 1, 1),
        promulgated=date(2015, 10, 1),
    )
    with tiny_library(tmp_path, *towers(), ships) as library:
        library.corpus.add([ending])
        windows = [
            (one.work, str(one.window)) for one in library.history("灯塔法", "2").links.cited_by
        ]
        assert windows == [(SHIPS, "2005-01-01 to 2015-12-31")]
        assert library.at("灯塔法", "2", on="2015-12-31").links.cited_by
        assert not library.at("灯塔法", "2", on="2016-01-01").links.cited_by


def test_an_article_that_is_new_is_not_the_one_that_had_its_number_before(
    library: Library,
) -> None:
    assert interpreted(library, "1", "2019") == []
    assert interpreted(library, "4", "2019") == []
    with library:
        assert interpreted(library, "2", "2019") == []


def test_what_is_stored_of_the_references_is_what_a_corpus_made_at_once_has(
    tmp_path: Path,
) -> None:
    """Adding law by law, in any order, ends where adding all together does."""

    def citations(path: Path, *batches: list[VersionText]) -> list[tuple[str, ...]]:
        with Corpus.open(path, mode="write") as corpus:
            for batch in batches:
                corpus.add(batch)
        with sqlite3.connect(path) as db:
            rows = db.execute(
                "SELECT citing.title, citation.number, starts, ends, cited.title, answer, target,"
                " target_starts, target_ends FROM citation"
                " JOIN work AS citing ON citing.id = work_id"
                " JOIN work AS cited ON cited.id = target_id"
            ).fetchall()
        db.close()
        return sorted(tuple(map(str, row)) for row in rows)

    old, new = towers()
    ours, ships = (
        rules(date(2010, 1, 1)),
        tiny_law(SHIPS, {"1": f"依照《{TOWERS}》第一条、第九条执行。"}, start=date(2005, 1, 1)),
    )
    together = citations(tmp_path / "together.sqlite", [old, new, ours, ships])
    assert len(together) == 5
    assert citations(tmp_path / "a.sqlite", [ships], [ours], [new], [old]) == together
    assert citations(tmp_path / "b.sqlite", [old], [ours, ships], [new]) == together
