"""The page of what is held: coverage by year as a picture, sources, what the doctor found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from inforce.corpus.coverage import YearCount
from inforce.corpus.doctor import KINDS
from inforce.language.messages import messages
from inforce.serve.examination import Examinations
from inforce.serve.rendering import language_of, page

_HEIGHT: Final = 120
_STEP: Final = 12
"""Units from one year to the next."""


class Part(NamedTuple):
    """A part of a bar."""

    state: Literal["held", "partly", "missing"]
    y: float
    height: float


class Year(NamedTuple):
    """The bar of a year."""

    x: int
    title: str
    parts: tuple[Part, ...]


def routes(examinations: Examinations) -> list[Route]:
    """The route of the page."""

    async def corpus(request: Request) -> Response:
        found = examinations.current()
        said = messages(language_of(request))
        return page(
            request,
            "corpus.html.j2",
            examined=found,
            chart=chart(found.years) if found else (),
            kinds={kind: said.text(text) for kind, text in KINDS.items()},
        )

    return [Route("/corpus", corpus)]


def chart(years: Iterable[YearCount]) -> tuple[Year, ...]:
    """The years as bars: held below, partly held on it, known to be missing on top."""
    years = tuple(years)
    most = max((one.held + one.partly + one.missing for one in years), default=1)
    return tuple(_bar(at, one, _HEIGHT / most) for at, one in enumerate(years))


def _bar(at: int, count: YearCount, scale: float) -> Year:
    parts: list[Part] = []
    below = 0
    numbers = {"held": count.held, "partly": count.partly, "missing": count.missing}
    for state in ("held", "partly", "missing"):
        below += numbers[state]
        if numbers[state]:
            height = numbers[state] * scale
            parts.append(Part(state, round(_HEIGHT - below * scale, 2), round(height, 2)))
    title = f"{count.year}: {count.held} / {count.partly} / {count.missing}"
    return Year(at * _STEP, title, tuple(parts))
