"""Law of another time: what tools showed, what an answer quotes."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.trace import Event, Finished, Noted, Observed
from inforce.dates import ALWAYS, DateRange
from inforce.evals.dated.leakage import (
    DatedPiece,
    DatedText,
    Leakage,
    days_in_force,
    leakage,
    share,
)
from inforce.llm.chat import Usage
from inforce.tools.evidence import Evidence
from inforce.tools.statute_text import show_days

AT = datetime(2026, 11, 20, tzinfo=UTC)
OLD = "违反规定从事试验活动的，处三年以下有期徒刑或者拘役。"
NEW = "违反规定从事试验活动的，处五年以下有期徒刑或者拘役。"
LATER = "违反规定从事试验活动，情节特别恶劣的，处七年以下有期徒刑，并处罚金。"
DAY = DateRange.day(date(2012, 6, 1))


def _evidence(id: str, text: str, days: str) -> Evidence:
    return Evidence(id, "statute", "试验法 第一条", text, date=days)


E_OLD = _evidence("old", OLD, "in force 2000-01-01 to 2011-04-30")
E_NEW = _evidence("new", NEW, "in force 2011-05-01 to 2015-10-31")
E_LATER = _evidence("later", LATER, "in force since 2015-11-01")
E_PAGE = Evidence("https://a.example", "web", "a page", LATER, date="published 2020-01-01")


def _observed(*evidence: Evidence) -> Observed:
    return Observed("k", "law_at", {}, "…", "found", evidence, (), 0.0, AT)


def _finished(text: str) -> Finished:
    answer = ResearchAnswer("?", "r1", "m", text, "answered", (), (), Usage())
    return Finished(answer, 0.0, AT)


def _run(said: str, *evidence: Evidence) -> Leakage:
    events: list[Event] = [_observed(*evidence), _finished(said)]
    return leakage(events, DAY)


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("in force 2000-01-01 to 2011-04-30", DateRange(date(2000, 1, 1), date(2011, 5, 1))),
        ("in force 2011-05-01", DateRange.day(date(2011, 5, 1))),
        ("in force since 2011-05-01", DateRange(date(2011, 5, 1), None)),
        ("in force 2011-05-01 onwards; issued 2011-04-02", DateRange(date(2011, 5, 1), None)),
        ("in force until 2011-04-30", DateRange(date.min, date(2011, 5, 1))),
        ("in force always", ALWAYS),
        ("in force ever; promulgated 1997-03-14", ALWAYS),
        ("published 2020-01-01", None),
        ("in force 2011-13-01 to 2011-14-01", None),
        ("in force 2011-05-02 to 2011-05-01", None),
        ("in force today", None),
        ("", None),
    ],
)
def test_days_in_force_are_read_as_tools_write_them(words: str, days: DateRange | None) -> None:
    assert days_in_force(_evidence("a", "", words)) == days


@given(st.dates(min_value=date(1000, 1, 1)), st.one_of(st.none(), st.integers(0, 20_000)))
def test_what_tools_write_is_read_back(start: date, length: int | None) -> None:
    last = (
        None
        if length is None
        else date.fromordinal(min(start.toordinal() + length, date.max.toordinal() - 1))
    )
    window = (
        DateRange(start, None) if last is None else DateRange.inclusive(start, max(start, last))
    )
    for words in (str(window), show_days(window, "en")):
        assert days_in_force(_evidence("a", "", f"in force {words}")) == window


@pytest.mark.parametrize(
    ("as_of", "standing"),
    [
        (DateRange.day(date(2011, 4, 30)), "future"),
        (DateRange.day(date(2011, 5, 1)), "in_force"),
        (DateRange.day(date(2015, 10, 31)), "in_force"),
        (DateRange.day(date(2015, 11, 1)), "past"),
        (DateRange(date(2015, 10, 1), date(2015, 12, 1)), "in_force"),  # on some of the days
    ],
)
def test_a_text_stands_before_in_or_after_the_days(as_of: DateRange, standing: str) -> None:
    passage = DatedText("new", DateRange(date(2011, 5, 1), date(2015, 11, 1)), NEW)
    assert passage.standing(as_of) == standing


def test_what_tools_showed_counts_once_and_only_where_it_says_when() -> None:
    found = leakage([_observed(E_OLD, E_NEW), _observed(E_NEW, E_LATER, E_PAGE)], DAY)
    assert found.shown == (
        DatedPiece("old", "past"),
        DatedPiece("new", "in_force"),
        DatedPiece("later", "future"),
    )
    assert share(found.shown, "past", "future") == pytest.approx(2 / 3)
    assert share(found.shown, "future") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        (NEW, [(NEW[:-1], "in_force")]),
        (OLD, [(OLD[:-1], "past")]),
        (f"当时的规定是：“{OLD}”[1]", [(OLD[:-1], "past")]),
        (f"现行规定：{LATER}\n当时：{NEW}", [(LATER[:-1], "future"), (NEW[:-1], "in_force")]),
        (f"{NEW}{NEW}", [(NEW[:-1], "in_force")]),  # once
        ("处三年以下有期徒刑", []),  # too short to quote anything
        ("违反规定从事试验活动的，应当处十年以下有期徒刑。", []),  # in no text
        ("违反 规定从事试验活动的,处五年以下\u3000有期徒刑或者拘役。", "in_force"),  # width
        ("", []),
    ],
)
def test_sentences_that_stand_in_a_text_are_quotations(
    said: str, quoted: list[tuple[str, str]] | str
) -> None:
    found = _run(said, E_OLD, E_NEW, E_LATER).quoted
    if isinstance(quoted, str):
        assert [one.standing for one in found] == [quoted]
    else:
        assert [(one.what, one.standing) for one in found] == quoted


def test_words_that_also_stood_in_the_law_of_the_time_are_no_leak() -> None:
    both = "违反规定从事试验活动的，由主管机关责令改正。"
    old = _evidence("old", both + OLD, "in force until 2011-04-30")
    new = _evidence("new", both + NEW, "in force since 2011-05-01")
    assert [one.standing for one in _run(both, old, new).quoted] == ["in_force"]


def test_law_known_by_heart_is_recognised_where_the_texts_are_given() -> None:
    later = DatedText("later", DateRange(date(2015, 11, 1), None), LATER)
    assert leakage([_finished(LATER)], DAY).quoted == ()
    found = leakage([_finished(LATER)], DAY, known=[later])
    assert found.quoted == (DatedPiece(LATER[:-1], "future"),)
    assert found.shown == ()


def test_the_agents_own_words_count_even_where_they_were_withheld() -> None:
    events: list[Event] = [_observed(E_OLD), Noted("draft", OLD, AT), _finished("")]
    assert [one.standing for one in leakage(events, DAY).quoted] == ["past"]


def test_where_nothing_can_be_judged_there_is_no_share() -> None:
    found = leakage([], DAY)
    assert share(found.shown, "past", "future") is None
    assert share(found.quoted, "future") is None
