"""What the pages share: what a form gave, and problems as pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from inforce.errors import InforceError, UnknownWorkError
from inforce.serve.problems import problem, refusal
from inforce.serve.rendering import page, wants_page

LONGEST: Final = 10_000
"""Characters of a question."""

Endpoint = Callable[[Request], Awaitable[Response]]


def given(request: Request, name: str) -> str:
    """A field of a form, or of an address."""
    return request.query_params.get(name, "").strip()[:LONGEST]


def shown_to_people(endpoint: Endpoint) -> Endpoint:
    """An endpoint whose errors are pages too."""

    @wraps(endpoint)
    async def shown(request: Request) -> Response:
        try:
            return await endpoint(request)
        except (InforceError, HTTPException) as error:
            return problem_page(request, error)

    return shown


async def on_problem(request: Request, error: Exception) -> Response:
    """For Starlette: what the library or HTTP refuses, as a page for a person with a browser."""
    assert isinstance(error, InforceError | HTTPException)
    if wants_page(request):
        return problem_page(request, error)
    return problem(error) if isinstance(error, InforceError) else refusal(error)


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
