"""Errors as problem documents (RFC 9457), and the status of each of the four answers.

The four answers of a lookup are results, not errors: the body is the result, and the status tells
them apart. 404: the law never had such a provision. 410: it had one, but not on those days. 409:
this corpus cannot know; the law, or the days, are not held.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from inforce.errors import InforceError, InternalError, UnknownWorkError
from inforce.language import Language
from inforce.language.messages import N_, messages
from inforce.law.timeline import Answer

log = logging.getLogger("inforce.serve")

ANSWER_STATUS: Final[Mapping[Answer, int]] = {
    "found": 200,
    "not_found": 404,
    "not_in_force": 410,
    "not_covered": 409,
}

PROBLEM_TYPE: Final = "application/problem+json"
NAMESPACE: Final = "urn:inforce:problem:"
"""Before the kind of a problem in its ``type``."""

RETRY_AFTER: Final = 1
"""Seconds after which a client that was refused for lack of capacity may ask again."""

_STATUS: Final[Mapping[str, int]] = {
    "usage": 400,
    "bad_date": 400,
    "bad_identifier": 400,
    "bad_input": 400,
    "unknown_work": 409,
    "model": 502,
    "budget": 429,
    "missing_extra": 501,
    "corpus": 503,
    "storage": 507,
    "index": 503,
    "network": 503,
    "internal": 500,
}
_KINDS: Final[Mapping[int, str]] = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "no_such_address",
    405: "no_such_method",
    408: "too_slow",
    413: "too_large",
    415: "not_json",
    429: "too_often",
    503: "busy",
}
"""The kinds of errors of HTTP itself. ``not_found`` is an answer about the law, and not here."""

_INTERNAL: Final = frozenset(
    ("corpus", "storage", "index", "network", "model", "bad_input", "internal")
)
"""Kinds whose messages name files or addresses of the server: they are logged, not sent."""


class Problem(msgspec.Struct, omit_defaults=True):
    """A problem document (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    kind: str
    """The word that names the failure, as in ``--json`` output of the command line."""
    answer: str = ""
    """``not_covered`` where the corpus does not have the law."""
    suggestions: tuple[str, ...] = ()
    """Titles of laws that may have been meant."""


def respond(
    status: int,
    kind: str,
    detail: str,
    *,
    language: Language = "en",
    headers: Mapping[str, str] | None = None,
    answer: str = "",
    suggestions: tuple[str, ...] = (),
) -> Response:
    """A problem document as a response, its detail in the language of the client."""
    title = HTTPStatus(status).phrase
    detail = messages(language).sentence(detail)
    body = Problem(f"{NAMESPACE}{kind}", title, status, detail, kind, answer, suggestions)
    extra = {"Content-Language": language}
    if status in (429, 503):
        extra["Retry-After"] = str(RETRY_AFTER)
    return Response(
        msgspec.json.encode(body),
        status,
        headers={"Cache-Control": "no-store", **extra, **(headers or {})},
        media_type=PROBLEM_TYPE,
    )


def detail_of(error: InforceError) -> str:
    """The message of an error for the client; one that names the server's own files is logged."""
    if error.kind not in _INTERNAL:
        return str(error)
    log.error("%s: %s", error.kind, error)
    return N_("the server could not answer; whoever runs it finds the reason in its log")


def status_of(error: InforceError) -> int:
    """The HTTP status of an error of the library."""
    return _STATUS.get(error.kind, 400)


def problem(error: InforceError, language: Language = "en") -> Response:
    """The response to an error of the library."""
    unknown = error if isinstance(error, UnknownWorkError) else None
    return respond(
        status_of(error),
        error.kind,
        detail_of(error),
        language=language,
        answer="not_covered" if unknown else "",
        suggestions=unknown.suggestions if unknown else (),
    )


_DETAILS: Final[Mapping[int, str]] = {
    404: N_("there is nothing at this address"),
    405: N_("this address does not answer this kind of request"),
}


def detail_of_http(error: HTTPException) -> str:
    """The message of an error of HTTP; the router's own are phrases of the protocol."""
    is_phrase = error.detail == HTTPStatus(error.status_code).phrase
    return _DETAILS.get(error.status_code, error.detail) if is_phrase else error.detail


def refusal(error: HTTPException, language: Language = "en") -> Response:
    """The response to an error of HTTP itself."""
    status, kind = error.status_code, _KINDS.get(error.status_code, "refused")
    detail = detail_of_http(error)
    return respond(status, kind, detail, language=language, headers=error.headers)


async def on_defect(_request: Request, error: Exception) -> Response:
    """Starlette's handler of defects: their texts may name anything and are not sent."""
    return problem(InternalError(repr(error)))
