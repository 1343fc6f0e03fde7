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
from inforce.serve.http import Answering, etag_of, is_known
from inforce.serve.pages import provision_page
from inforce.serve.problems import ANSWER_STATUS
from inforce.serve.rendering import shown_to_people, wants_page
from inforce.wire import as_wire

_LINKS: Final = "application/link-format"


def routes(answering: Answering) -> list[Route]:
    """The routes of identifiers."""

    async def provision(request: Request) -> Response:
        """A page for a person, JSON for a program."""
        answer = shown_to_people(endpoint) if wants_page(request) else endpoint
        return await answer(request)

    async def endpoint(request: Request) -> Response:
        found = _read(request.path_params["path"])
        if found.day is None:
            day = _accepted(request) or answering.library.clock()
            headers = {"Vary": "Accept-Datetime", "Link": _links(found)}
            return RedirectResponse(_address(found.on(day)), 302, headers)
        if not wants_page(request):
            result = await answering.work(partial(found.answer, answering.library))
            return _memento(request, found, result)
        day, number, library = found.day, found.portion.number, answering.library
        work = library.corpus.resolve(found.work.title)
        response = await answering.work(
            partial(provision_page, request, library, work, number, day)
        )
        response.headers["Link"] = _links(found)
        lookup = await answering.work(lambda: found.answer(library).lookup)
        response.headers["Inforce-Answer"] = lookup.answer
        if lookup.found:
            response.headers["Memento-Datetime"] = _http_date(lookup.found[0].window.start)
        return response

    async def timemap(request: Request) -> Response:
        found = _read(request.path_params["path"])
        timeline = await answering.work(lambda: found.timeline(answering.library))
        return Response(_timemap(found, timeline), media_type=_LINKS)

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

    def answer(self, library: Library) -> ProvisionAt:
        """What it said on its day."""
        assert self.day is not None
        return library.at(self.work.title, self.portion.number.short, on=self.day)

    def timeline(self, library: Library) -> Timeline:
        """What it said on every day."""
        work = library.corpus.resolve(self.work.title)
        return library.corpus.timeline(work, self.portion.number)


def _read(path: str) -> Address:
    """Read an identifier of an article.

    Raises:
        IdentifierError: if it is none, or of something else.
    """
    text = f"/akn/{path}"
    found = ids.parse(text)
    if not isinstance(found, ids.ProvisionId):
        raise IdentifierError(text, "not an article (try …/zho:2010-06-01/~art_74)")
    if found.portion.paragraph or found.portion.item:
        raise IdentifierError(text, "only whole articles can be opened")
    if isinstance(found.of, ids.WorkId):
        return Address(found.of, found.portion)
    return Address(found.of.work, found.portion, found.of.day)


def _accepted(request: Request) -> date | None:
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


def _memento(request: Request, address: Address, result: ProvisionAt) -> Response:
    lookup = result.lookup
    headers = {
        "Link": _links(address),
        "Inforce-Answer": lookup.answer,
        "Cache-Control": "private, no-cache",
        "Vary": "Accept",
    }
    if lookup.found:
        [span, *_] = lookup.found
        headers["Memento-Datetime"] = _http_date(span.window.start)
    body = msgspec.json.encode(as_wire(result))
    headers["ETag"] = etag = etag_of(body)
    if is_known(request, etag):
        return Response(status_code=304, headers=headers)
    return Response(body, ANSWER_STATUS[lookup.answer], headers, media_type="application/json")


def _links(address: Address) -> str:
    original = _address(ids.ProvisionId(address.work, address.portion))
    return (
        f'<{original}>; rel="original timegate", '
        f'</timemap{original}>; rel="timemap"; type="{_LINKS}"'
    )


def _timemap(address: Address, timeline: Timeline) -> str:
    original = _address(ids.ProvisionId(address.work, address.portion))
    lines = [
        f'<{original}>; rel="original timegate"',
        f'</timemap{original}>; rel="self"; type="{_LINKS}"',
    ]
    for span in timeline.spans:
        if span.state == "in_force":
            memento = _address(address.on(span.window.start))
            day = _http_date(span.window.start)
            lines.append(f'<{memento}>; rel="memento"; datetime="{day}"')
    return ",\n".join(lines) + "\n"


def _address(identifier: ids.ProvisionId) -> str:
    return quote(str(identifier), safe="/:~@")


def _http_date(day: date) -> str:
    return format_datetime(datetime.combine(day, time(), UTC), usegmt=True)
