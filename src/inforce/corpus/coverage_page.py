"""The coverage of a corpus as one self-contained page: laws down, years across."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from importlib.resources import files

from inforce.corpus.coverage import FIRST_YEAR, Coverage, YearState, importance


@dataclass(frozen=True, slots=True)
class _Row:
    work: str
    years: tuple[YearState, ...]
    as_of: date | None
    missing: tuple[str, ...]


def coverage_page(laws: Iterable[Coverage], *, today: date, snapshot: str) -> str:
    """The page as HTML; it loads nothing from anywhere."""
    from jinja2 import Environment

    years = range(FIRST_YEAR, today.year + 1)
    rows = [
        _Row(
            law.work,
            tuple(law.year(year, today=today) for year in years),
            law.as_of,
            tuple(f"{one.window}: {one.why}" for one in law.missing),
        )
        for law in sorted(laws, key=lambda one: importance(one.work))
    ]
    template = (files("inforce.corpus") / "coverage.html.j2").read_text(encoding="utf-8")
    environment = Environment(autoescape=True)
    page = environment.from_string(template)
    return page.render(laws=rows, years=list(years), today=today, snapshot=snapshot)
