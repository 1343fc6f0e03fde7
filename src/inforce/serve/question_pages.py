"""The pages of questions, asked or searched: the form is sent at once, the results after it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from inforce.answering.answer import Answer
from inforce.answering.extractive import links_of
from inforce.corpus.links import Links
from inforce.errors import InforceError, InternalError, UserError
from inforce.lawbook import day_of
from inforce.library import Library
from inforce.retrieval.statutes import SearchResult
from inforce.serve import operations
from inforce.serve.answer_docx import DOCX, as_docx
from inforce.serve.operations import Ask, Search
from inforce.serve.page_templates import (
    HEADERS,
    field,
    language_of,
    page,
    render,
    with_problem_pages,
)
from inforce.serve.problems import detail_of
from inforce.serve.service import Service

_RESULTS: Final = "<!-- results -->"
"""Where results begin in a template that is sent in two parts."""
_HITS: Final = 10


def routes(service: Service) -> list[Route]:
    """The routes of the pages."""
    library = service.library

    async def ask(request: Request) -> Response:
        """The question, and its answer where there is one."""
        fields = _fields(request)

        async def results() -> dict[str, Any]:
            answer = await answer_to(fields)
            links = await service.run(lambda: links_of(library, answer))
            return {"answer": answer, "links": links, "query": urlencode(fields)}

        values: dict[str, Any] = {**fields, "answer": None, "links": [], "problem": ""}
        return _page_of_question(request, service, "ask.html.j2", values, results)

    async def search(request: Request) -> Response:
        """The question, and the provisions that answer it."""
        fields = {**_fields(request), "trial": ""}

        async def results() -> dict[str, Any]:
            query = Search(fields["question"], fields["as_of"] or None, k=_HITS)
            result = await service.run(lambda: operations.search(library, query))
            links = await service.run(lambda: _links_of_hits(library, result))
            return {"result": result, "links": links}

        values: dict[str, Any] = {**fields, "result": None, "links": [], "problem": ""}
        return _page_of_question(request, service, "search.html.j2", values, results)

    async def answer_file(request: Request) -> Response:
        """The answer as Markdown or Word."""
        answer = await answer_to(_fields(request))
        if request.url.path.endswith(".md"):
            return page(request, "answer.md.j2", answer=answer)
        body = await service.run(lambda: as_docx(answer, language_of(request)))
        headers = {"Content-Disposition": 'attachment; filename="answer.docx"'}
        return Response(body, headers=headers, media_type=DOCX)

    async def answer_to(fields: dict[str, str]) -> Answer:
        query = Ask(fields["question"], fields["as_of"] or None, fields["trial"] or None)
        return await service.run(lambda: operations.ask(library, query))

    return [
        Route("/", ask),
        Route("/answer.md", with_problem_pages(answer_file)),
        Route("/answer.docx", with_problem_pages(answer_file)),
        Route("/search", search),
    ]


def _fields(request: Request) -> dict[str, str]:
    return {name: field(request, name) for name in ("question", "as_of", "trial")}


def _links_of_hits(library: Library, result: SearchResult) -> list[Links | None]:
    """What cites each provision found, on the days searched."""
    found = [hit.provision for hit in result.hits]
    return [
        library.links(one.work, one.number, one.window, during=result.time.during)
        if one.window
        else None
        for one in found
    ]


def _page_of_question(
    request: Request,
    service: Service,
    template: str,
    values: dict[str, Any],
    results: Callable[[], Awaitable[dict[str, Any]]],
) -> Response:
    """A page with its results; dates that cannot be read are refused before anything is sent."""
    if not values["question"]:
        return page(request, template, **values)
    try:
        if values["as_of"]:
            service.library.when(values["as_of"])
        if values["trial"]:
            day_of(values["trial"], clock=service.library.clock)
    except UserError as error:
        return page(request, template, status=400, **{**values, "problem": str(error)})
    return _streamed(request, template, values, results)


def _streamed(
    request: Request,
    template: str,
    values: Mapping[str, Any],
    results: Callable[[], Awaitable[Mapping[str, Any]]],
) -> Response:
    """A page that is sent up to `_RESULTS` at once, and from there when the results are known.

    Nothing before `_RESULTS` in the template depends on the results.
    """

    async def parts() -> AsyncGenerator[str]:
        yield render(request, template, values).partition(_RESULTS)[0]
        try:
            whole = render(request, template, {**values, **await results()})
        except InforceError as error:
            whole = render(request, template, {**values, "problem": detail_of(error)})
        except HTTPException as error:  # too many at once, or too slow
            whole = render(request, template, {**values, "problem": error.detail})
        except Exception as error:  # a status was sent already: the page says that it failed
            problem = detail_of(InternalError(repr(error)))
            whole = render(request, template, {**values, "problem": problem})
        yield whole.partition(_RESULTS)[2]

    return StreamingResponse(parts(), headers=HEADERS, media_type="text/html; charset=utf-8")
