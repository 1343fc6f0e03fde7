"""The pages: the same results for a person with a browser, with or without a script.

A page that begins something is a POST, and so needs the ``Origin`` the guard checks; everything
else is a GET whose address can be kept and sent to somebody.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from functools import wraps
from http import HTTPStatus
from typing import Any, Final
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
from inforce.errors import InforceError, UnknownWorkError, UserError
from inforce.law.numerals import ProvisionNumber
from inforce.lawbook import History, ProvisionAt, ProvisionDiff
from inforce.library import Library
from inforce.llm.policy import OFFLINE
from inforce.serve import guard, operations, rendering
from inforce.serve.http import Answering
from inforce.serve.operations import ListLaws, OneLaw
from inforce.serve.problems import ANSWER_STATUS, problem
from inforce.serve.rendering import STATIC, page
from inforce.serve.research import caller_of
from inforce.serve.runs import Research, Runs
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import TokenFile
from inforce.serve.word import WORD, as_word

_LAWS_A_PAGE: Final = 200
_LONGEST: Final = 10_000
"""Characters of a question."""

Endpoint = Callable[[Request], Awaitable[Response]]


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
        *_question_routes(answering),
        *_law_routes(answering),
        *_run_routes(runs, settings),
        *_plain_routes(settings, tokens),
    ]


def shown_to_people(endpoint: Endpoint) -> Endpoint:
    """An endpoint whose errors are pages too."""

    @wraps(endpoint)
    async def shown(request: Request) -> Response:
        try:
            return await endpoint(request)
        except (InforceError, HTTPException) as error:
            return problem_page(request, error)

    return shown


def problem_page(request: Request, error: InforceError | HTTPException) -> Response:
    """What went wrong, as a page, with the status it has for programs."""
    if isinstance(error, HTTPException):
        status, detail = error.status_code, error.detail
    else:
        response = problem(error)
        status = response.status_code
        detail = msgspec.json.decode(response.body)["detail"]
    suggestions = error.suggestions if isinstance(error, UnknownWorkError) else ()
    title = HTTPStatus(status).phrase
    return page(
        request,
        "message.html.j2",
        status=status,
        title=title,
        detail=detail,
        suggestions=suggestions,
    )


def _question_routes(answering: Answering) -> list[Route]:
    async def ask(request: Request) -> Response:
        """The question, and its answer where there is one."""
        question, as_of, trial = (_given(request, name) for name in ("question", "as_of", "trial"))
        shown: dict[str, Any] = {"question": question, "as_of": as_of, "trial": trial}
        shown["answer"] = None
        if not question.strip():
            return page(request, "ask.html.j2", **shown, problem="")
        try:
            answer = await answering.work(
                lambda: answering.library.ask(question, as_of=as_of or None, trial=trial or None)
            )
        except UserError as error:
            return page(request, "ask.html.j2", status=400, **shown, problem=str(error))
        query = urlencode({"question": question, "as_of": as_of, "trial": trial})
        shown["answer"] = answer
        return page(request, "ask.html.j2", **shown, problem="", query=query)

    async def answer_file(request: Request) -> Response:
        """The answer as Markdown or Word."""
        question, as_of, trial = (_given(request, name) for name in ("question", "as_of", "trial"))
        answer = await answering.work(
            lambda: answering.library.ask(question, as_of=as_of or None, trial=trial or None)
        )
        if request.url.path.endswith(".md"):
            return page(request, "answer.md.j2", answer=answer)
        language = rendering.language_of(request)
        body = await answering.work(lambda: as_word(answer, language))
        headers = {"Content-Disposition": 'attachment; filename="answer.docx"'}
        return Response(body, headers=headers, media_type=WORD)

    async def search(request: Request) -> Response:
        question, as_of = _given(request, "question"), _given(request, "as_of")
        shown: dict[str, Any] = {"question": question, "as_of": as_of, "result": None}
        if not question.strip():
            return page(request, "search.html.j2", **shown, problem="")
        try:
            result = await answering.work(
                lambda: answering.library.search(question, as_of=as_of or None, k=10)
            )
        except UserError as error:
            return page(request, "search.html.j2", status=400, **shown, problem=str(error))
        shown["result"] = result
        return page(request, "search.html.j2", **shown, problem="")

    return [
        Route("/", ask),
        Route("/answer.md", shown_to_people(answer_file)),
        Route("/answer.docx", shown_to_people(answer_file)),
        Route("/search", search),
    ]


def _law_routes(answering: Answering) -> list[Route]:
    library = answering.library

    async def laws(request: Request) -> Response:
        q, offset = _given(request, "q"), _number(request, "offset")
        asked = ListLaws(q, _LAWS_A_PAGE, offset)
        found = await answering.work(lambda: operations.laws(library, asked))
        return page(request, "laws.html.j2", laws=found, q=q, offset=offset, limit=_LAWS_A_PAGE)

    async def law(request: Request) -> Response:
        asked = OneLaw(request.path_params["law"])
        found = await answering.work(lambda: operations.law(library, asked))
        return page(request, "law.html.j2", law=found)

    async def provision(request: Request) -> Response:
        """From a form to the address of what was asked for."""
        name, number = _given(request, "law"), _given(request, "number")
        work = library.corpus.resolve(name)
        on = library.when(_given(request, "on") or "today")
        address = rendering.address(work, ProvisionNumber.parse(number), on.start)
        if not on.is_single_day:  # a month or a year: all its wordings
            address = f"{address}?{urlencode({'on': _given(request, 'on')})}"
        return RedirectResponse(address, 303)

    return [
        Route("/laws", shown_to_people(laws)),
        Route("/laws/{law}", shown_to_people(law)),
        Route("/provision", shown_to_people(provision)),
    ]


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
    )


def _provision(
    request: Request, library: Library, work: str, number: ProvisionNumber, day: date
) -> ProvisionShown:
    on: DateRange | date = day
    if given := _given(request, "on"):
        on = library.when(given)
    at = library.at(work, number.short, on=on)
    earlier, later = _given(request, "from"), _given(request, "to")
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
        states = runs.states(caller_of(request))
        return page(request, "runs.html.j2", runs=states, model=model, problem="")

    async def begin(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=10) as form:
            question, as_of, trial = (str(form.get(name) or "") for name in _FIELDS)
        try:
            asked = Research(question[:_LONGEST], as_of=as_of or None, trial=trial or None)
            run = runs.begin(caller_of(request), asked)
        except UserError as error:
            states = runs.states(caller_of(request))
            return page(
                request, "runs.html.j2", status=400, runs=states, model=model, problem=str(error)
            )
        return RedirectResponse(f"/runs/{run}", 303)

    async def one_run(request: Request) -> Response:
        caller, run = caller_of(request), request.path_params["run"]
        state = runs.state(caller, run)
        steps: tuple[Step, ...] = runs.steps(caller, run)
        found = state.answer.evidence if state.answer else ()
        numbers = {one.id: number for number, one in enumerate(found, start=1)}
        return page(request, "run.html.j2", run=state, steps=steps, numbers=numbers)

    async def stop(request: Request) -> Response:
        runs.stop(caller_of(request), request.path_params["run"])
        return RedirectResponse(f"/runs/{request.path_params['run']}", 303)

    async def resume(request: Request) -> Response:
        runs.resume(caller_of(request), request.path_params["run"])
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
        to, back = _given(request, "to"), _given(request, "next")
        here = back.startswith("/") and not back.startswith(("//", "/\\"))
        response = RedirectResponse(back if here else "/", 303)
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
        response = RedirectResponse("/", 303)
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


def _given(request: Request, name: str) -> str:
    return request.query_params.get(name, "").strip()[:_LONGEST]


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0
