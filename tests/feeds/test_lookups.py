"""What a person looked up: recorded only if wanted, for the owner alone, and compared later."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.errors import InputError
from inforce.feeds.lookups import Lookups
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library

LAW = "试验法"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Article 1 since 2010, amended in 2018; today is 25 January 2020."""
    old = tiny_law(LAW, {"1": "旧。", "2": "不变。"}, start=date(2010, 1, 1), end=date(2018, 1, 1))
    new = tiny_law(LAW, {"1": "新。", "2": "不变。"}, start=date(2018, 1, 1))
    with tiny_library(tmp_path, old, new) as opened:
        yield opened


@pytest.fixture
def lookups(tmp_path: Path) -> Lookups:
    return Lookups(tmp_path)


def look_up(lookups: Lookups, library: Library, number: str, on: str) -> None:
    lookups.record(library.at(LAW, number, on=on), today=library.clock())


def amend(library: Library, words: str, start: date) -> None:
    library.corpus.add([tiny_law(LAW, {"1": words, "2": "不变。"}, start=start)])


def test_nothing_is_recorded_unless_it_is_wanted(lookups: Lookups, library: Library) -> None:
    look_up(lookups, library, "1", "today")
    assert not lookups.path.exists()
    assert lookups.entries() == ()


def test_the_record_is_for_its_owner_alone_and_names_provisions_and_days_only(
    lookups: Lookups, library: Library
) -> None:
    lookups.enable()
    look_up(lookups, library, "1", "2012-05-01")
    assert stat.S_IMODE(lookups.path.stat().st_mode) == 0o600
    [line] = lookups.path.read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)) == [
        *("answer", "asked", "next_change", "number", "on", "shown", "work"),
    ]
    assert "旧" not in line


def test_forgetting_deletes_what_was_recorded(lookups: Lookups, library: Library) -> None:
    lookups.enable()
    look_up(lookups, library, "1", "today")
    lookups.forget()
    assert not lookups.path.exists()
    look_up(lookups, library, "1", "today")
    assert not lookups.path.exists()


def test_what_reads_as_it_was_shown_is_not_affected(lookups: Lookups, library: Library) -> None:
    lookups.enable()
    for number, on in (("1", "today"), ("1", "2012"), ("2", "today"), ("9", "today")):
        look_up(lookups, library, number, on)
    assert list(lookups.affected(library)) == []
    amend(library, "新。", date(2019, 6, 1))
    assert list(lookups.affected(library)) == []


def test_todays_law_looked_up_is_affected_by_an_amendment_and_the_law_of_then_is_not(
    lookups: Lookups, library: Library
) -> None:
    lookups.enable()
    look_up(lookups, library, "1", "today")
    look_up(lookups, library, "1", "2012-05-01")
    amend(library, "更新。", date(2019, 6, 1))
    [one] = lookups.affected(library)
    assert (one.lookup.number, one.lookup.on) == ("1", None)
    assert one.what == "reads otherwise, in force since 2019-06-01"


def test_a_change_that_lies_ahead_is_reported_with_its_day(
    lookups: Lookups, library: Library
) -> None:
    lookups.enable()
    look_up(lookups, library, "1", "today")
    amend(library, "将来。", date(2020, 7, 1))
    assert [one.what for one in lookups.affected(library)] == ["changes on 2020-07-01"]


def test_a_provision_that_is_covered_now_is_reported(lookups: Lookups, library: Library) -> None:
    lookups.enable()
    look_up(lookups, library, "1", "2005")
    earlier = tiny_law(LAW, {"1": "最早。"}, start=date(2000, 1, 1), end=date(2010, 1, 1))
    library.corpus.add([earlier])
    [one] = lookups.affected(library)
    assert one.what.endswith("is found now")


def test_what_was_looked_up_again_is_as_it_was_shown_last(
    lookups: Lookups, library: Library
) -> None:
    lookups.enable()
    look_up(lookups, library, "1", "today")
    amend(library, "更新。", date(2019, 6, 1))
    look_up(lookups, library, "1", "today")
    assert list(lookups.affected(library)) == []
    assert len(lookups.entries()) == 1


@pytest.mark.parametrize("line", ["{", '{"work": "x"}', '{"work":"x","number":"1","on":["a","b"]}'])
def test_a_record_that_cannot_be_read_is_an_error_with_its_line(
    lookups: Lookups, line: str
) -> None:
    lookups.enable()
    lookups.path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"lookups\.jsonl:1"):
        lookups.entries()


@pytest.mark.parametrize("torn", ['{"work": "中华', "\0\0\0"])
def test_a_line_that_was_cut_off_costs_only_itself(
    lookups: Lookups, library: Library, torn: str
) -> None:
    lookups.enable()
    look_up(lookups, library, "1", "2019-01-01")
    with lookups.path.open("a", encoding="utf-8") as file:
        file.write(torn)
    assert len(lookups.entries()) == 1
    look_up(lookups, library, "2", "2019-01-01")
    assert [one.number for one in lookups.entries()] == ["1", "2"]
