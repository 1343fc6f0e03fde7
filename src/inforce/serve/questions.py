"""The pages of questions, asked or searched: the form is sent at once, what is found after it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from inforce.answering.answer import Answer
from inforce.answering.extractive import links_of
from inforce.corpus.links import Links
from inforce.errors import InforceError, UserError
from inforce.lawbook import day_of
from inforce.library import Library
from inforce.retrieval.statutes import SearchResult
from inforce.serve.http import Answering
from inforce.serve.problems import detail_of
from inforce.serve.rendering import given, language_of, page, shown_to_people, streamed
from inforce.serve.word import WORD, as_word


def routes(answering: Answering) -> list[Route]:
    """The routes of the pages."""
    library = answering.library

    async def ask(request: Request) -> Response:
        """The question, and its answer where there is one."""
        asked = {name: given(request, name) for name in ("question", "as_of", "trial")}
        shown: dict[str, Any] = {**asked, "answer": None, "links": [], "problem": ""}

        async def answered() -> dict[str, Any]:
            answer = await _answer(answering, asked)
            links = await answering.work(partial(links_of, library, answer))
            return {"answer": answer, "links": links, "query": urlencode(asked)}

        return _answered(request, answering, "ask.html.j2", shown, answered)

    async def search(request: Request) -> Response:
        """The question, and the provisions that answer it."""
        asked = {name: given(request, name) for name in ("question", "as_of")}
        shown: dict[str, Any] = {**asked, "trial": "", "result": None, "links": [], "problem": ""}

        async def found() -> dict[str, Any]:
            as_of = asked["as_of"] or None
            call = partial(library.search, asked["question"], as_of=as_of, k=10)
            result = await answering.work(call)
            links = await answering.work(partial(_links_of_hits, library, result))
            return {"result": result, "links": links}

        return _answered(request, answering, "search.html.j2", shown, found)

    async def answer_file(request: Request) -> Response:
        """The answer as Markdown or Word."""
        asked = {name: given(request, name) for name in ("question", "as_of", "trial")}
        answer = await _answer(answering, asked)
        if request.url.path.endswith(".md"):
            return page(request, "answer.md.j2", answer=answer)
        body = await answering.work(lambda: as_word(answer, language_of(request)))
        headers = {"Content-Disposition": 'attachment; filename="answer.docx"'}
        return Response(body, headers=headers, media_type=WORD)

    return [
        Route("/", ask),
        Route("/answer.md", shown_to_people(answer_file)),
        Route("/answer.docx", shown_to_people(answer_file)),
        Route("/search", search),
    ]


def _links_of_hits(library: Library, result: SearchResult) -> list[Links | None]:
    """What cites each provision found, on the days searched."""
    found = [hit.provision for hit in result.hits]
    return [
        library.links(one.work, one.number, one.window, during=result.time.during)
        if one.window
        else None
        for one in found
    ]


async def _answer(answering: Answering, asked: dict[str, str]) -> Answer:
    as_of, trial = asked["as_of"] or None, asked["trial"] or None
    call = partial(answering.library.ask, asked["question"], as_of=as_of, trial=trial)
    return await answering.work(call)


def _answered(
    request: Request,
    answering: Answering,
    template: str,
    shown: dict[str, Any],
    find: Callable[[], Awaitable[dict[str, Any]]],
) -> Response:
    """A page with its results; dates that cannot be read are refused before anything is sent."""
    if not shown["question"].strip():
        return page(request, template, **shown)
    try:
        if shown["as_of"]:
            answering.library.when(shown["as_of"])
        if shown["trial"]:
            day_of(shown["trial"], clock=answering.library.clock)
    except UserError as error:
        return page(request, template, status=400, **{**shown, "problem": str(error)})

    async def rest() -> dict[str, Any]:
        try:
            return await find()
        except InforceError as error:
            return {"problem": detail_of(error)}
        except HTTPException as error:  # too many at once, or too slow
            return {"problem": error.detail}

    return streamed(request, template, shown, rest)
