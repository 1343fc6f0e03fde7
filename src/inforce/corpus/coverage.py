"""Which years of which laws are held: what is missing by name, how old the rest is; as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from itertools import groupby
from typing import Final, Literal

from inforce.corpus.dating import Conflict, Dating
from inforce.dates import DateRange, merged
from inforce.language import Language
from inforce.language.messages import N_, messages
from inforce.law.model import Version
from inforce.law.registry import KNOWN_WORKS
from inforce.law.timeline import Unheld

YearState = Literal["held", "presumed", "partly", "missing", "none"]
"""How a year of a law is held: wholly; with dates presumed; only some of its days; not at all
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
    """How well the life of one law is held."""

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
        """How a year is held, as far as it has come."""
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
    """How many laws are held, and how many are known to be missing, in one year."""

    year: int
    held: int
    partly: int
    missing: int


def coverage_of(work: str, versions: Iterable[Version], dating: Dating) -> Coverage:
    """The coverage of a law, from its dated records and what is known of its dates."""
    usable = [version for version in versions if version.validity.window is not None]
    windows = [one.validity.window for one in usable if one.validity.window is not None]
    doubtful = [
        window
        for version in usable
        if (window := version.validity.window) is not None
        and (version.validity.start_presumed or version.validity.status == "presumed")
    ]
    known = [one.validity.as_of for one in usable if one.validity.as_of is not None]
    return Coverage(
        work,
        dating.commenced or dating.passed,
        dating.ended,
        merged(windows),
        merged(doubtful),
        tuple(one for one in dating.unheld if not _is_held(one.window, windows)),
        dating.conflicts,
        max(known, default=None),
    )


def _is_held(days: DateRange, windows: Sequence[DateRange]) -> bool:
    left = [days]
    for window in windows:
        left = [piece for part in left for piece in part.minus(window)]
    return not left


def by_year(laws: Iterable[Coverage], *, today: date) -> Iterator[YearCount]:
    """How the laws are held, year by year since 1949."""
    laws = tuple(laws)
    for year in range(FIRST_YEAR, today.year + 1):
        states = [law.year(year, today=today) for law in laws]
        held = states.count("held") + states.count("presumed")
        yield YearCount(year, held, states.count("partly"), states.count("missing"))


def importance(work: str) -> tuple[int, str]:
    """A key that sorts laws by what matters: the best-known first, then statutes, then the rest."""
    known = _RANKS.get(work)
    if known is not None:
        return known, work
    local = not work.startswith(("中华人民共和国", "最高人民", "国务院", "全国"))
    return len(_RANKS) + local, work


_RANKS = {known.title: rank for rank, known in enumerate(KNOWN_WORKS)}


def _length(days: DateRange | None) -> int:
    return 0 if days is None or days.end is None else (days.end - days.start).days


@dataclass(frozen=True, slots=True)
class _Span:
    """Years that follow one another and are held alike: one cell of the page."""

    state: YearState
    first: int
    years: int

    @property
    def when(self) -> str:
        last = self.first + self.years - 1
        return f"{self.first}–{last}" if last > self.first else str(self.first)


def _spans(law: Coverage, years: Iterable[int], *, today: date) -> Iterator[_Span]:
    def held(year: int) -> YearState:
        return law.year(year, today=today)

    for state, run in groupby(years, key=held):
        alike = list(run)
        yield _Span(state, alike[0], len(alike))


@dataclass(frozen=True, slots=True)
class _Row:
    work: str
    spans: tuple[_Span, ...]
    as_of: date | None
    missing: tuple[str, ...]


def coverage_page(
    laws: Iterable[Coverage], *, today: date, snapshot: str, language: Language = "en"
) -> str:
    """The coverage of a corpus as HTML: laws down, years across; it loads nothing from anywhere."""
    from jinja2 import Environment

    said = messages(language)
    years = range(FIRST_YEAR, today.year + 1)
    rows = [
        _Row(
            law.work,
            tuple(_spans(law, years, today=today)),
            law.as_of,
            tuple(f"{said.days(one.window)}: {said.sentence(one.why)}" for one in law.missing),
        )
        for law in sorted(laws, key=lambda one: importance(one.work))
    ]
    template = (files("inforce.corpus") / "coverage.html.j2").read_text(encoding="utf-8")
    environment = Environment(autoescape=True)
    page = environment.from_string(template)
    return page.render(
        laws=rows,
        years=list(years),
        today=today,
        snapshot=snapshot,
        language=language,
        states={state: said.text(label) for state, label in _STATES.items()},
        _=said.text,
    )
