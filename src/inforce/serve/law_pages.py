"""The pages of laws and articles, of the corpus, and those that every page needs.

A page that begins something is a POST, and so needs the ``Origin`` the guard checks; everything
else is a GET whose address can be kept and sent to somebody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final, Literal, NamedTuple, TypedDict
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from inforce.answering.predecessors import Predecessors, find_predecessors
from inforce.answering.today import today_of
from inforce.corpus.coverage import YearCount
from inforce.corpus.doctor import KINDS
from inforce.dates import DateRange
from inforce.errors import UserError
from inforce.language.messages import messages
from inforce.law.ids import Portion
from inforce.law.model import Version
from inforce.law.numerals import ProvisionNumber
from inforce.lawbook import History, ProvisionAt, ProvisionDiff
from inforce.library import Library
from inforce.serve import guard, operations, page_templates
from inforce.serve.corpus_report import CorpusReports
from inforce.serve.operations import ListLaws, OneLaw
from inforce.serve.page_templates import (
    STATIC,
    address,
    field,
    language_of,
    page,
    time_axis,
    with_problem_pages,
)
from inforce.serve.problems import ANSWER_STATUS
from inforce.serve.service import Service
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import TokenFile

_LAWS_A_PAGE: Final = 200
_CHART_HEIGHT: Final = 120
_BAR_DISTANCE: Final = 12
"""Units from one year to the next."""


def routes(
    service: Service, reports: CorpusReports, settings: ServeSettings, tokens: TokenFile
) -> list[Route]:
    """The routes of the pages."""
    return [*_law_routes(service), _corpus_route(reports), *_plain_routes(settings, tokens)]


def _law_routes(service: Service) -> list[Route]:
    library = service.library

    async def laws(request: Request) -> Response:
        q, offset = field(request, "q"), _number(request, "offset")
        query = ListLaws(q, _LAWS_A_PAGE, offset)
        found = await service.run(lambda: operations.laws(library, query))
        return page(request, "laws.html.j2", laws=found, q=q, offset=offset, limit=_LAWS_A_PAGE)

    async def law(request: Request) -> Response:
        query = OneLaw(request.path_params["law"])
        found = await service.run(lambda: operations.law(library, query))
        return page(request, "law.html.j2", law=found, versions=_by_version(found.versions))

    async def provision(request: Request) -> Response:
        """From a form to the address of the article on its day."""
        work = library.corpus.resolve(field(request, "law"))
        number = Portion.parse(field(request, "number")).number
        on = library.when(field(request, "on") or "today")
        target = address(work, number, on.start)
        if not on.is_single_day:  # a month or a year: all its wordings
            target = f"{target}?{urlencode({'on': field(request, 'on')})}"
        return RedirectResponse(target, 303)

    async def citing(request: Request) -> Response:
        """The precedents and guidelines that cite an article."""
        work = library.corpus.resolve(field(request, "law"))
        article = Portion.parse(field(request, "number")).number
        day = library.when(field(request, "on") or "today").start
        found = await service.run(partial(library.citing_documents, work, article.short, on=day))
        return page(request, "citing.html.j2", work=work, article=article, day=day, found=found)

    return [
        Route("/citing", with_problem_pages(citing)),
        Route("/laws", with_problem_pages(laws)),
        Route("/laws/{law}", with_problem_pages(law)),
        Route("/provision", with_problem_pages(provision)),
    ]


def _by_version(versions: Sequence[Version]) -> Sequence[tuple[Version, list[str]]]:
    """The versions of a law in their order, each once, with the names of its sources."""
    found: dict[object, tuple[Version, list[str]]] = {}
    for one in versions:
        _, sources = found.setdefault((one.label, one.validity.window), (one, []))
        if one.source.name not in sources:
            sources.append(one.source.name)
    return tuple(found.values())


def provision_page(
    request: Request, library: Library, work: str, number: ProvisionNumber, day: date
) -> Response:
    """The page of an article on a day; takes too long for the event loop."""
    on: DateRange | date = library.when(field(request, "on")) if field(request, "on") else day
    at = library.at(work, number.short, on=on)
    history = library.history(work, number.short)
    lookup, today = at.lookup, library.clock()
    found = lookup.found
    return page(
        request,
        "provision.html.j2",
        status=ANSWER_STATUS[lookup.answer],
        at=at,
        lookup=lookup,
        day=lookup.as_of.start if lookup.as_of.is_single_day else str(lookup.as_of),
        history=history,
        axis=time_axis(history.timeline, lookup.as_of.start, today),
        base=address(lookup.work, number, date(2000, 1, 1)).replace("2000-01-01", "DAY"),
        # What became of the wording, unless it is today's
        today=today_of(library, history.timeline, found[0])
        if len(found) == 1 and today not in found[0].window
        else None,
        cited_on=max(found[0].window.start, lookup.as_of.start) if found else day,
        documents=_query_of_documents(library, at),
        **_difference(request, library, at, day),
        **_earlier_law(library, history),
    )


def _query_of_documents(library: Library, at: ProvisionAt) -> str:
    """The query of the page of precedents and guidelines; empty if the library has none."""
    lookup = at.lookup
    if not lookup.found or not library.holds_documents():
        return ""
    query = {"law": lookup.work, "number": lookup.number.short, "on": lookup.as_of.start}
    return urlencode(query)


class _Difference(TypedDict):
    diff: ProvisionDiff | None
    earlier: str
    later: str
    problem: str


def _difference(request: Request, library: Library, at: ProvisionAt, day: date) -> _Difference:
    """The difference between two days, if the form was sent, and what is in the form."""
    earlier, later = field(request, "from"), field(request, "to")
    diff, problem = None, ""
    if earlier and later:
        work, number = at.lookup.work, at.lookup.number.short
        try:
            diff = library.diff(work, number, earlier=earlier, later=later)
        except UserError as error:
            problem = str(error)
    return {
        "diff": diff,
        "earlier": earlier or day.isoformat(),
        "later": later or library.clock().isoformat(),
        "problem": problem,
    }


class _EarlierLaw(TypedDict):
    former: Predecessors | None
    former_day: date | None


def _earlier_law(library: Library, history: History) -> _EarlierLaw:
    """Where the rule was on the day before the first wording under this number."""
    first = next((one for one in history.timeline.spans if one.state == "in_force"), None)
    if first is None or first.window.start == date.min:
        return {"former": None, "former_day": None}
    day = first.window.start - timedelta(days=1)
    former = find_predecessors(library, history.timeline, first, day)
    return {"former": former if former.timelines or former.not_held else None, "former_day": day}


def _corpus_route(reports: CorpusReports) -> Route:
    async def corpus(request: Request) -> Response:
        """What the corpus holds, year by year."""
        report = reports.current()
        translate = messages(language_of(request)).text
        return page(
            request,
            "corpus.html.j2",
            examined=report,
            chart=chart(report.years) if report else (),
            kinds={kind: translate(text) for kind, text in KINDS.items()},
        )

    return Route("/corpus", corpus)


class BarPart(NamedTuple):
    """A part of the bar of a year."""

    state: Literal["held", "partly", "missing"]
    y: float
    height: float


class YearBar(NamedTuple):
    """The bar of a year in the chart of the corpus."""

    x: int
    title: str
    parts: tuple[BarPart, ...]


def chart(years: Iterable[YearCount]) -> tuple[YearBar, ...]:
    """The years as bars: laws held below, partly held above them, missing ones on top."""
    years = tuple(years)
    most = max((one.held + one.partly + one.missing for one in years), default=1)
    return tuple(_bar(at, one, _CHART_HEIGHT / most) for at, one in enumerate(years))


def _bar(at: int, count: YearCount, scale: float) -> YearBar:
    parts: list[BarPart] = []
    below = 0
    numbers = {"held": count.held, "partly": count.partly, "missing": count.missing}
    for state in ("held", "partly", "missing"):
        below += numbers[state]
        if numbers[state]:
            height = numbers[state] * scale
            y = round(_CHART_HEIGHT - below * scale, 2)
            parts.append(BarPart(state, y, round(height, 2)))
    title = f"{count.year}: {count.held} / {count.partly} / {count.missing}"
    return YearBar(at * _BAR_DISTANCE, title, tuple(parts))


def _plain_routes(settings: ServeSettings, tokens: TokenFile) -> list[Route]:
    async def language(request: Request) -> Response:
        """Remember the language, and go back to the page."""
        to = field(request, "to")
        response = RedirectResponse(_back(request), 303)
        if to in ("zh", "en"):
            response.set_cookie(
                page_templates.COOKIE, to, max_age=31_536_000, httponly=True, samesite="lax"
            )
        return response

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        body = page_templates.static(name)
        if body is None:
            raise HTTPException(404)
        return Response(
            body, headers={"Cache-Control": "public, max-age=3600"}, media_type=STATIC[name]
        )

    async def login(request: Request) -> Response:
        if request.method == "GET" or settings.auth != "token":
            return page(request, "login.html.j2", problem="")
        async with request.form(max_files=0, max_fields=3) as form:
            secret = str(form.get("token") or "").strip()
        if tokens.name_of(secret) is None:
            problem = messages(language_of(request)).text("There is no such token.")
            return page(request, "login.html.j2", status=401, problem=problem)
        response = RedirectResponse(_back(request), 303)
        response.set_cookie(
            guard.COOKIE,
            secret,
            max_age=2_592_000,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    return [
        Route("/language", language),
        Route("/static/{name}", static),
        Route("/login", login, methods=["GET", "POST"]),
    ]


def _back(request: Request) -> str:
    """The page of this server to go back to."""
    back = field(request, "next")
    here = back.startswith("/") and not back.startswith(("//", "/\\"))
    return back if here else "/"


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0
