"""Addresses of the law at a date: Akoma Ntoso identifiers that can be opened (RFC 7089, Memento).

``/akn/cn/act/TITLE/zho:2010-06-01/~art_74`` is what an article said on a day: a memento.
``/akn/cn/act/TITLE/~art_74`` is the article as such: with ``Accept-Datetime`` it leads to the
memento of that day, without to today's. ``/timemap/akn/…`` lists all of them.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from email.utils import format_datetime, parsedate_to_datetime
from functools import partial
from typing import Final
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from inforce.errors import IdentifierError
from inforce.law import ids
from inforce.law.timeline import Timeline
from inforce.lawbook import ProvisionAt
from inforce.library import Library
from inforce.serve.law_pages import provision_page
from inforce.serve.page_templates import wants_page, with_problem_pages
from inforce.serve.problems import ANSWER_STATUS
from inforce.serve.service import Service, etag_of, is_unchanged
from inforce.wire import as_wire

_LINKS: Final = "application/link-format"


def routes(service: Service) -> list[Route]:
    """The routes of identifiers."""
    library = service.library

    async def provision(request: Request) -> Response:
        """A page for a browser, JSON for a program."""
        if wants_page(request):
            return await with_problem_pages(page)(request)
        article = _read_address(request)
        if article.day is None:
            return redirect(request, article)
        result = await service.run(lambda: _look_up(library, article))
        return _memento(request, article, result)

    async def page(request: Request) -> Response:
        article = _read_address(request)
        if article.day is None:
            return redirect(request, article)
        work = library.corpus.resolve(article.work.title)
        number = article.portion.number
        response = await service.run(
            partial(provision_page, request, library, work, number, article.day)
        )
        result = await service.run(lambda: _look_up(library, article))
        response.headers.update(_memento_headers(article, result))
        return response

    def redirect(request: Request, article: Address) -> Response:
        """To the memento of the day of ``Accept-Datetime``, or of today."""
        day = _accepted_day(request) or library.clock()
        headers = {"Vary": "Accept-Datetime", "Link": _links(article)}
        return RedirectResponse(_quoted(article.on(day)), 302, headers)

    async def timemap(request: Request) -> Response:
        article = _read_address(request)

        def timeline() -> Timeline:
            work = library.corpus.resolve(article.work.title)
            return library.corpus.timeline(work, article.portion.number)

        return Response(_timemap(article, await service.run(timeline)), media_type=_LINKS)

    return [
        Route("/akn/{path:path}", provision),
        Route("/timemap/akn/{path:path}", timemap),
    ]


class Address(msgspec.Struct, frozen=True):
    """An article, perhaps on a day."""

    work: ids.WorkId
    portion: ids.Portion
    day: date | None = None

    def on(self, day: date) -> ids.ProvisionId:
        """The identifier of what it said on a day."""
        return ids.ProvisionId(ids.ExpressionId(self.work, day, "in_force"), self.portion)

    @property
    def original(self) -> str:
        """The address of the article without a day."""
        return _quoted(ids.ProvisionId(self.work, self.portion))


def _look_up(library: Library, article: Address) -> ProvisionAt:
    assert article.day is not None
    return library.at(article.work.title, article.portion.number.short, on=article.day)


def _read_address(request: Request) -> Address:
    """Read the identifier of an article from the path of a request.

    Raises:
        IdentifierError: if it is none, or of something else.
    """
    text = f"/akn/{request.path_params['path']}"
    found = ids.parse(text)
    if not isinstance(found, ids.ProvisionId):
        raise IdentifierError(text, "not an article (try …/zho:2010-06-01/~art_74)")
    if found.portion.paragraph or found.portion.item:
        raise IdentifierError(text, "only whole articles can be opened")
    if isinstance(found.of, ids.WorkId):
        return Address(found.of, found.portion)
    return Address(found.of.work, found.portion, found.of.day)


def _accepted_day(request: Request) -> date | None:
    """The day of ``Accept-Datetime``.

    Raises:
        IdentifierError: if it is no HTTP date.
    """
    text = request.headers.get("accept-datetime")
    if text is None:
        return None
    try:
        return parsedate_to_datetime(text).date()
    except (ValueError, TypeError, OverflowError) as error:
        raise IdentifierError(text, "Accept-Datetime is no HTTP date") from error


def _memento_headers(article: Address, result: ProvisionAt) -> dict[str, str]:
    lookup = result.lookup
    headers = {"Link": _links(article), "Inforce-Answer": lookup.answer}
    if lookup.found:
        headers["Memento-Datetime"] = _http_date(lookup.found[0].window.start)
    return headers


def _memento(request: Request, article: Address, result: ProvisionAt) -> Response:
    body = msgspec.json.encode(as_wire(result))
    headers = {
        **_memento_headers(article, result),
        "Cache-Control": "private, no-cache",
        "Vary": "Accept",
        "ETag": etag_of(body),
    }
    if is_unchanged(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    status = ANSWER_STATUS[result.lookup.answer]
    return Response(body, status, headers, media_type="application/json")


def _links(article: Address) -> str:
    return (
        f'<{article.original}>; rel="original timegate", '
        f'</timemap{article.original}>; rel="timemap"; type="{_LINKS}"'
    )


def _timemap(article: Address, timeline: Timeline) -> str:
    """Every wording of an article as link format (RFC 6690)."""
    lines = [
        f'<{article.original}>; rel="original timegate"',
        f'</timemap{article.original}>; rel="self"; type="{_LINKS}"',
    ]
    for span in timeline.spans:
        if span.state == "in_force":
            memento = _quoted(article.on(span.window.start))
            day = _http_date(span.window.start)
            lines.append(f'<{memento}>; rel="memento"; datetime="{day}"')
    return ",\n".join(lines) + "\n"


def _quoted(identifier: ids.ProvisionId) -> str:
    return quote(str(identifier), safe="/:~@")


def _http_date(day: date) -> str:
    return format_datetime(datetime.combine(day, time(), UTC), usegmt=True)
