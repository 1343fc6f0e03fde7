"""The pages: the same results for a person with a browser, with or without a script.

A page that begins something is a POST, and so needs the ``Origin`` the guard checks; everything
else is a GET whose address can be kept and sent to somebody.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from inforce.agents.runtime.trace_view import Step
from inforce.answering.earlier import Earlier, in_an_earlier_law
from inforce.answering.today import Today, today_of
from inforce.dates import DateRange
from inforce.errors import UserError
from inforce.law.ids import Portion
from inforce.law.model import Version
from inforce.law.numerals import ProvisionNumber
from inforce.lawbook import History, ProvisionAt, ProvisionDiff
from inforce.library import Library
from inforce.llm.policy import OFFLINE
from inforce.serve import guard, operations, questions, rendering
from inforce.serve.http import Answering
from inforce.serve.operations import ListLaws, OneLaw
from inforce.serve.problems import ANSWER_STATUS
from inforce.serve.rendering import STATIC, given, page, shown_to_people
from inforce.serve.research import caller_of
from inforce.serve.runs import Research, Runs
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import TokenFile

_LAWS_A_PAGE: Final = 200
_LONGEST: Final = 10_000
"""Characters of a question."""


class ProvisionShown(msgspec.Struct, frozen=True):
    """What the page of an article shows."""

    at: ProvisionAt
    history: History
    diff: ProvisionDiff | None
    earlier: str
    later: str
    problem: str
    today: Today | None
    """What became of the wording shown; ``None`` where it is today's, or none is shown."""
    former: Earlier | None
    """Where the rule was before the first wording held under this number."""
    former_day: date | None


def routes(
    answering: Answering, runs: Runs, settings: ServeSettings, tokens: TokenFile
) -> list[Route]:
    """The routes of the pages."""
    return [
        *questions.routes(answering),
        *_law_routes(answering),
        *_run_routes(runs, settings),
        *_plain_routes(settings, tokens),
    ]


def _law_routes(answering: Answering) -> list[Route]:
    library = answering.library

    async def laws(request: Request) -> Response:
        q, offset = given(request, "q"), _number(request, "offset")
        asked = ListLaws(q, _LAWS_A_PAGE, offset)
        found = await answering.work(lambda: operations.laws(library, asked))
        return page(request, "laws.html.j2", laws=found, q=q, offset=offset, limit=_LAWS_A_PAGE)

    async def law(request: Request) -> Response:
        asked = OneLaw(request.path_params["law"])
        found = await answering.work(lambda: operations.law(library, asked))
        return page(request, "law.html.j2", law=found, versions=_by_version(found.versions))

    async def provision(request: Request) -> Response:
        """From a form to the address of what was asked for."""
        name, number = given(request, "law"), given(request, "number")
        work = library.corpus.resolve(name)
        on = library.when(given(request, "on") or "today")
        address = rendering.address(work, Portion.parse(number).number, on.start)
        if not on.is_single_day:  # a month or a year: all its wordings
            address = f"{address}?{urlencode({'on': given(request, 'on')})}"
        return RedirectResponse(address, 303)

    async def citing(request: Request) -> Response:
        """The precedents and guidelines that cite an article."""
        name, number = given(request, "law"), given(request, "number")
        work, article = library.corpus.resolve(name), Portion.parse(number).number
        day = library.when(given(request, "on") or "today").start
        find = partial(library.citing_documents, work, article.short, on=day)
        found = await answering.work(find)
        return page(request, "citing.html.j2", work=work, article=article, day=day, found=found)

    return [
        Route("/citing", shown_to_people(citing)),
        Route("/laws", shown_to_people(laws)),
        Route("/laws/{law}", shown_to_people(law)),
        Route("/provision", shown_to_people(provision)),
    ]


def _by_version(versions: Sequence[Version]) -> Sequence[tuple[Version, list[str]]]:
    """The versions of a law in their order, each once, with the sources that have it."""
    found: dict[object, tuple[Version, list[str]]] = {}
    for one in versions:
        _, sources = found.setdefault((one.label, one.validity.window), (one, []))
        if one.source.name not in sources:
            sources.append(one.source.name)
    return tuple(found.values())


def provision_page(
    request: Request, library: Library, work: str, number: ProvisionNumber, day: date
) -> Response:
    """The page of an article on a day; called beside the event loop."""
    shown = _provision(request, library, work, number, day)
    lookup = shown.at.lookup
    base = rendering.address(lookup.work, number, date(2000, 1, 1)).replace("2000-01-01", "DAY")
    return page(
        request,
        "provision.html.j2",
        status=ANSWER_STATUS[lookup.answer],
        at=shown.at,
        lookup=lookup,
        day=lookup.as_of.start if lookup.as_of.is_single_day else str(lookup.as_of),
        history=shown.history,
        axis=rendering.axis(shown.history.timeline, lookup.as_of.start, library.clock()),
        base=base,
        diff=shown.diff,
        earlier=shown.earlier,
        later=shown.later,
        problem=shown.problem,
        today=shown.today,
        former=shown.former,
        former_day=shown.former_day,
        cited_on=max(lookup.found[0].window.start, lookup.as_of.start) if lookup.found else day,
        documents=_address_of_documents(library, shown.at),
    )


def _address_of_documents(library: Library, at: ProvisionAt) -> str:
    """What leads to the precedents and guidelines that cite an article; empty if none are held."""
    lookup = at.lookup
    if not lookup.found or not library.holds_documents():
        return ""
    asked = {"law": lookup.work, "number": lookup.number.short, "on": lookup.as_of.start}
    return urlencode(asked)


def _provision(
    request: Request, library: Library, work: str, number: ProvisionNumber, day: date
) -> ProvisionShown:
    on: DateRange | date = day
    if asked := given(request, "on"):
        on = library.when(asked)
    at = library.at(work, number.short, on=on)
    earlier, later = given(request, "from"), given(request, "to")
    difference, problem = None, ""
    if earlier and later:
        try:
            difference = library.diff(work, number.short, earlier=earlier, later=later)
        except UserError as error:
            problem = str(error)
    history = library.history(work, number.short)
    suggested = earlier or day.isoformat(), later or library.clock().isoformat()
    today = former = former_day = None
    found, spans = at.lookup.found, history.timeline.spans
    if len(found) == 1 and library.clock() not in found[0].window:
        today = today_of(library, history.timeline, found[0])
    first = next((span for span in spans if span.state == "in_force"), None)
    if first is not None and first.window.start > date.min:
        former_day = first.window.start - timedelta(days=1)
        former = in_an_earlier_law(library, history.timeline, first, former_day)
        former = former if former.timelines or former.not_held else None
    return ProvisionShown(at, history, difference, *suggested, problem, today, former, former_day)


def _run_routes(runs: Runs, settings: ServeSettings) -> list[Route]:
    model = settings.model if settings.model != OFFLINE else "offline"

    async def list_runs(request: Request) -> Response:
        states = await runs.states(caller_of(request))
        return page(request, "runs.html.j2", runs=states, model=model, problem="")

    async def begin(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=10) as form:
            question, as_of, trial = (str(form.get(name) or "") for name in _FIELDS)
        try:
            asked = Research(question[:_LONGEST], as_of=as_of or None, trial=trial or None)
            run = await runs.begin(caller_of(request), asked)
        except UserError as error:
            states = await runs.states(caller_of(request))
            return page(
                request, "runs.html.j2", status=400, runs=states, model=model, problem=str(error)
            )
        return RedirectResponse(f"/runs/{run}", 303)

    async def one_run(request: Request) -> Response:
        caller, run = caller_of(request), request.path_params["run"]
        state = runs.asked_for(caller, run)
        steps: tuple[Step, ...] = runs.steps(caller, run)
        found = state.answer.evidence if state.answer else ()
        numbers = {one.id: number for number, one in enumerate(found, start=1)}
        return page(request, "run.html.j2", run=state, steps=steps, numbers=numbers)

    async def stop(request: Request) -> Response:
        runs.stop(caller_of(request), request.path_params["run"])
        return RedirectResponse(f"/runs/{request.path_params['run']}", 303)

    async def resume(request: Request) -> Response:
        await runs.resume(caller_of(request), request.path_params["run"])
        return RedirectResponse(f"/runs/{request.path_params['run']}", 303)

    return [
        Route("/runs", shown_to_people(list_runs)),
        Route("/runs", shown_to_people(begin), methods=["POST"]),
        Route("/runs/{run}", shown_to_people(one_run)),
        Route("/runs/{run}/stop", shown_to_people(stop), methods=["POST"]),
        Route("/runs/{run}/resume", shown_to_people(resume), methods=["POST"]),
    ]


_FIELDS: Final = ("question", "as_of", "trial")


def _plain_routes(settings: ServeSettings, tokens: TokenFile) -> list[Route]:
    async def language(request: Request) -> Response:
        """Remember the language, and go back to the page."""
        to = given(request, "to")
        response = RedirectResponse(_back(request), 303)
        if to in ("zh", "en"):
            response.set_cookie(
                rendering.COOKIE, to, max_age=31_536_000, httponly=True, samesite="lax"
            )
        return response

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        body = rendering.static(name)
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
            said = rendering.messages(rendering.language_of(request))
            wrong = said.text("There is no such token.")
            return page(request, "login.html.j2", status=401, problem=wrong)
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
    back = given(request, "next")
    here = back.startswith("/") and not back.startswith(("//", "/\\"))
    return back if here else "/"


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0
