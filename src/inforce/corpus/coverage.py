"""Coverage of each law over the years: days held, texts missing, last known day; also as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from itertools import groupby
from typing import Final, Literal

from inforce.corpus.dating import Conflict, Dating
from inforce.corpus.titles import importance
from inforce.dates import DateRange, merged
from inforce.language import Language
from inforce.language.messages import N_, messages
from inforce.law.model import Version
from inforce.law.timeline import Unheld

YearState = Literal["held", "presumed", "partly", "missing", "none"]
"""Whether a year of a law is held: wholly; with dates presumed; only some of its days; not at all
although the law was in force; ``none`` where the law was not in force, or nothing is known."""

_STATES: Final[Mapping[YearState, str]] = {
    "held": N_("held"),
    "presumed": N_("held, dates presumed"),
    "partly": N_("some days only"),
    "missing": N_("a text is known to be missing"),
    "none": N_("not in force, or nothing known"),
}
FIRST_YEAR = 1949


@dataclass(frozen=True, slots=True)
class Coverage:
    """The days of one law for which its text is held, and the texts known to be missing."""

    work: str
    commenced: date | None
    """The first day it was ever in force, where known."""
    ended: date | None
    held: tuple[DateRange, ...]
    """Days for which a text of the law, whole or in part, is held."""
    presumed: tuple[DateRange, ...]
    """Those of them whose first or last day is presumed."""
    missing: tuple[Unheld, ...]
    """Texts that are known to have existed and are not held, named by the acts that made them."""
    conflicts: tuple[Conflict, ...]
    as_of: date | None
    """The last day on which a source is known to have shown its newest text in force."""

    def year(self, year: int, *, today: date) -> YearState:
        """Return the state of a year, up to today."""
        days = DateRange(date(year, 1, 1), date(year + 1, 1, 1))
        life = DateRange(self.commenced or date.min, self.ended)
        lived = days.intersection(life)
        lived = lived.intersection(DateRange(date.min, DateRange.day(today).end)) if lived else None
        if lived is None:
            return "none"
        held = sum(_length(lived.intersection(window)) for window in self.held)
        if held == _length(lived):
            doubtful = any(lived.overlaps(window) for window in self.presumed)
            return "presumed" if doubtful else "held"
        if held:
            return "partly"
        known = self.commenced is not None or any(
            one.window.overlaps(lived) for one in self.missing
        )
        return "missing" if known else "none"


@dataclass(frozen=True, slots=True)
class YearCount:
    """The number of laws held in one year, and of those known to be missing."""

    year: int
    held: int
    partly: int
    missing: int


def coverage_of(work: str, versions: Iterable[Version], dating: Dating) -> Coverage:
    """The coverage of a law, from its dated records and what is known of its dates."""
    windows: list[DateRange] = []
    doubtful: list[DateRange] = []
    known: list[date] = []
    for validity in (version.validity for version in versions):
        if validity.window is not None:
            windows.append(validity.window)
            if validity.start_presumed or validity.status == "presumed":
                doubtful.append(validity.window)
            if validity.as_of is not None:
                known.append(validity.as_of)
    held = merged(windows)
    return Coverage(
        work,
        dating.commenced or dating.passed,
        dating.ended,
        held,
        merged(doubtful),
        tuple(
            one
            for one in dating.unheld
            if all(days.intersection(one.window) != one.window for days in held)
        ),
        dating.conflicts,
        max(known, default=None),
    )


def by_year(laws: Iterable[Coverage], *, today: date) -> Iterator[YearCount]:
    """Count the laws held, year by year since 1949."""
    laws = tuple(laws)
    for year in range(FIRST_YEAR, today.year + 1):
        states = [law.year(year, today=today) for law in laws]
        held = states.count("held") + states.count("presumed")
        yield YearCount(year, held, states.count("partly"), states.count("missing"))


def _length(days: DateRange | None) -> int:
    return 0 if days is None or days.end is None else (days.end - days.start).days


def _cells(law: Coverage, years: Iterable[int], *, today: date) -> Iterator[dict[str, object]]:
    """The cells of the page: years that follow one another and are held alike are one."""
    for state, group in groupby(years, key=lambda year: law.year(year, today=today)):
        alike = list(group)
        first, last = alike[0], alike[-1]
        when = f"{first}–{last}" if last > first else str(first)
        yield {"state": state, "years": len(alike), "when": when}


def coverage_page(
    laws: Iterable[Coverage], *, today: date, snapshot: str, language: Language = "en"
) -> str:
    """The coverage of a corpus as HTML: laws down, years across; it loads nothing from anywhere."""
    from jinja2 import Environment

    shown = messages(language)
    years = range(FIRST_YEAR, today.year + 1)
    rows = [
        {
            "work": law.work,
            "cells": list(_cells(law, years, today=today)),
            "as_of": law.as_of,
            "missing": [
                f"{shown.days(one.window)}: {shown.sentence(one.why)}" for one in law.missing
            ],
        }
        for law in sorted(laws, key=lambda one: importance(one.work))
    ]
    template = (files("inforce.corpus") / "coverage.html.j2").read_text(encoding="utf-8")
    page = Environment(autoescape=True).from_string(template)
    return page.render(
        laws=rows,
        years=list(years),
        today=today,
        snapshot=snapshot,
        language=language,
        states={state: shown.text(label) for state, label in _STATES.items()},
        _=shown.text,
    )
