"""Traces of odd tools: dates that are none, arguments without end, evidence that says nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.runtime.trace import Noted, Observed
from inforce.dates import ALWAYS, DateRange
from inforce.evals.dated.leakage import days_in_force, leakage, share
from inforce.evals.legalagentbench.replay import observations_of
from inforce.scoring.tool_use import mentions_time, tool_use
from inforce.tools.evidence import Evidence

NOW = datetime(2026, 11, 20, tzinfo=UTC)
THEN = DateRange.day(date(2010, 6, 1))
WORDS = "盗窃公私财物，数额较大的，处三年以下有期徒刑、拘役或者管制"


def observed(*evidence: Evidence, arguments: Any = None) -> Observed:
    return Observed("k", "t", arguments or {}, "", "found", evidence, (), 0.0, NOW)


def evidence(days: str, text: str = WORDS, id: str = "1") -> Evidence:
    return Evidence(id, "statute", id, text, date=days)


@pytest.mark.parametrize(
    "days",
    ["", "in force", "in force since 2010-13-45", "in force 2012-01-01 to 2010-01-01",
     "in force until 9999-12-31", "in force 0000-01-01", "in force 9999-12-31",
     "in force since 0001-01-01; x", "IN FORCE SINCE 2010-01-01", "in force since ２010-01-01",
     "in force always\nin force since 2010-01-01", "published 2010-01-01", "x" * 100_000],
)  # fmt: skip
def test_days_that_are_none_are_not_judged_and_no_crash(days: str) -> None:
    window = days_in_force(evidence(days))
    assert window is None or isinstance(window, DateRange)
    shown = leakage([observed(evidence(days))], THEN, answer=WORDS).shown
    assert len(shown) == (window is not None)


@given(st.text(max_size=40))
def test_no_date_of_a_tool_is_a_crash(days: str) -> None:
    for text in (days, f"in force {days}", f"in force since {days}"):
        window = days_in_force(evidence(text))
        assert window is None or isinstance(window, DateRange)


def test_a_text_that_says_nothing_of_its_days_is_no_leak() -> None:
    found = leakage([observed(evidence("2019 edition"))], THEN, answer=WORDS)
    assert found.shown == found.quoted == ()
    assert share(found.shown, "past", "future") is None


def test_words_of_the_law_of_the_time_are_no_leak_though_later_law_has_them_too() -> None:
    now, then = evidence("in force since 2011-05-01", id="2"), evidence("in force always")
    assert ALWAYS.overlaps(THEN)
    found = leakage([observed(now, then)], THEN, answer=WORDS)
    assert [one.standing for one in found.shown] == ["future", "in_force"]
    assert {one.standing for one in found.quoted} == {"in_force"}


def test_a_trace_of_nothing_has_nothing_leaked() -> None:
    assert leakage([], THEN) == leakage([Noted("draft", "", NOW)], THEN)
    assert observations_of([]) == ()


def nested(depth: int, inner: Any) -> Any:
    value = inner
    for level in range(depth):
        value = [value] if level % 2 else {"query": value}
    return value


@pytest.mark.parametrize(("inner", "dated"), [("2010年的规定", True), ("规定", False), (1, False)])
def test_arguments_may_be_nested_without_end(inner: Any, dated: bool) -> None:
    assert mentions_time(nested(20_000, inner)) is dated
    went = tool_use([observed(arguments=nested(5_000, inner))])
    assert went.calls == {"t": 1} and went.dated == ({"t": 1} if dated else {})
