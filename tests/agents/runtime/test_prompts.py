"""Dates a person gave, as a model reads them: made from the fields of the run, and read back."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.runtime.prompts import given_dates, read_given_facts, with_given_dates
from inforce.dates import DateRange
from inforce.tools.context import RunContext
from inforce.tools.tool import Language

DAYS = st.dates(date(1949, 10, 1), date(2100, 1, 1))
RANGES = st.one_of(
    DAYS.map(DateRange.day),
    DAYS.map(lambda day: DateRange(day, None)),
    st.tuples(DAYS, DAYS).map(lambda two: DateRange.inclusive(min(two), max(two))),
)
LANGUAGES: st.SearchStrategy[Language] = st.sampled_from(("zh", "en"))


@given(RANGES, st.none() | DAYS, LANGUAGES)
def test_the_given_days_are_read_back(
    days: DateRange, trial: date | None, language: Language
) -> None:
    context = RunContext("2015年累犯能否适用缓刑？", date(2026, 11, 20), days, trial)
    lines = with_given_dates("instructions", context, language)
    assert read_given_facts(lines) == days
    assert trial is None or str(trial) in lines


@given(LANGUAGES)
def test_without_given_dates_nothing_is_added(language: Language) -> None:
    context = RunContext("2015年累犯能否适用缓刑？", date(2026, 11, 20))
    assert given_dates(context, language) == ""
    assert with_given_dates("instructions", context, language) == "instructions"
    assert read_given_facts("instructions on 2010-06-01") is None
