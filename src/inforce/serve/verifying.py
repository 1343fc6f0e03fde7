"""Documents checked over HTTP: as JSON, as pages, and as Word files with comments.

A document is parsed in a process that is killed when it must be (`inforce.documents.parsing`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import msgspec
from markupsafe import Markup
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from inforce.documents.document import Document, UnreadableDocumentError
from inforce.documents.limits import DEFAULT_LIMITS
from inforce.documents.parsing import shared_parser
from inforce.errors import UserError
from inforce.language import Language
from inforce.lawbook import day_of
from inforce.library import Library
from inforce.serve.http import Answering, parameters
from inforce.serve.operations import VerifyText
from inforce.serve.rendering import language_of, page, shown_to_people
from inforce.serve.research import caller_of
from inforce.serve.settings import ServeSettings
from inforce.serve.uploads import Upload, Uploads, file_name
from inforce.serve.word import WORD
from inforce.verification.annotation import annotate
from inforce.verification.findings import Verified
from inforce.verification.reports import as_markdown, as_page, as_section
from inforce.wire import as_wire

_FIELDS: Final = 4
_PASTED: Final = "text.txt"


@dataclass(frozen=True, slots=True)
class _Checked:
    """An upload, what was read of it, and what was found."""

    upload: Upload
    document: Document | None
    verified: Verified


class _Documents:
    """Receives documents, and has them read and checked."""

    def __init__(self, answering: Answering, settings: ServeSettings) -> None:
        self.work = answering.work
        self._library = answering.library
        self._receiving = asyncio.Semaphore(settings.max_uploads)

    async def received(self, request: Request) -> Upload:
        """The document in a form; few at a time, as each may be large.

        Raises:
            UserError: if there is none, or a date beside it cannot be read.
            HTTPException: 503 if too many are received already.
        """
        if self._receiving.locked():
            raise HTTPException(503, "too many documents at once: ask again in a moment")
        most = DEFAULT_LIMITS.characters
        async with (
            self._receiving,
            request.form(max_files=1, max_fields=_FIELDS, max_part_size=most) as form,
        ):
            upload = await _upload(form)
        if upload.on:
            self._library.when(upload.on)
        if upload.trial:
            day_of(upload.trial, clock=self._library.clock)
        return upload

    async def checked(self, upload: Upload) -> _Checked:
        """What is found in it."""
        return await self.work(lambda: _check(self._library, upload))


def routes(answering: Answering, uploads: Uploads, settings: ServeSettings) -> list[Route]:
    """The routes of documents."""
    documents = _Documents(answering, settings)

    async def verify(request: Request) -> Response:
        """A text as JSON or a document as a form; findings in the form that is accepted."""
        if request.headers.get("content-type", "").startswith("multipart/form-data"):
            upload = await documents.received(request)
        else:
            asked: VerifyText = await parameters(request, VerifyText)
            upload = Upload(_PASTED, asked.text.encode(), asked.on, asked.trial)
        found = await documents.checked(upload)
        language = language_of(request)
        return await documents.work(lambda: _negotiated(request, found, language))

    return [
        Route("/v1/verify", verify, methods=["POST"]),
        *_page_routes(documents, uploads),
    ]


def _page_routes(documents: _Documents, uploads: Uploads) -> list[Route]:
    async def begin(request: Request) -> Response:
        """The form, and what is sent with it."""
        if request.method == "GET":
            return page(request, "verify.html.j2", problem="")
        try:
            upload = await documents.received(request)
        except UserError as error:
            return page(request, "verify.html.j2", status=400, problem=str(error))
        name = uploads.put(caller_of(request), upload)
        return RedirectResponse(f"/verify/{name}", 303)

    async def marked(request: Request) -> Response:
        """The document with its marks, and the findings beside it."""
        name = request.path_params["upload"]
        try:
            found = await documents.checked(uploads.get(caller_of(request), name))
        except UserError as error:
            return page(request, "verify.html.j2", status=422, problem=str(error))
        return await documents.work(lambda: _marked(request, name, found))

    async def download(request: Request) -> Response:
        """The findings as a file."""
        name, kind = (request.path_params[part] for part in ("upload", "kind"))
        if kind not in _FORMS:
            raise HTTPException(404)
        found = await documents.checked(uploads.get(caller_of(request), name))
        return await documents.work(lambda: _file(found, _FORMS[kind], language_of(request)))

    async def forget(request: Request) -> Response:
        uploads.remove(caller_of(request), request.path_params["upload"])
        return RedirectResponse("/verify", 303)

    return [
        Route("/verify", shown_to_people(begin), methods=["GET", "POST"]),
        Route("/verify/{upload}", shown_to_people(marked)),
        Route("/verify/{upload}/forget", shown_to_people(forget), methods=["POST"]),
        Route("/verify/{upload}/{kind}", shown_to_people(download)),
    ]


def _marked(request: Request, name: str, found: _Checked) -> Response:
    section = as_section(found.document, found.verified, language_of(request))
    return page(
        request,
        "verified.html.j2",
        verified=found.verified,
        upload=name,
        section=Markup(section),  # escaped by its own template
        is_word=bool(found.document and found.document.format == "docx"),
    )


async def _upload(form: FormData) -> Upload:
    """What a form holds: a file, or pasted text.

    Raises:
        UserError: if it holds neither.
    """
    given = form.get("file")
    on, trial = (str(form.get(name) or "").strip() or None for name in ("on", "trial"))
    if isinstance(given, UploadFile) and given.filename:
        data = await given.read(DEFAULT_LIMITS.bytes + 1)
        return Upload(file_name(given.filename), data, on, trial)
    text = str(form.get("text") or "")
    if not text.strip():
        raise UserError("there is no document: choose a file, or paste a text")
    return Upload(_PASTED, text.encode(errors="replace"), on, trial)


def _check(library: Library, upload: Upload) -> _Checked:
    """Read a document and check it.

    Raises:
        UserError: if it cannot be read; says why.
    """
    try:
        document = shared_parser().parse(upload.data, name=upload.name)
    except UnreadableDocumentError as error:
        if error.cause != "no_text":  # its message names the file, which the asker named
            raise UserError(f"{upload.name} was not read: {error.reason}") from error
        return _Checked(upload, None, library.verify_nothing(upload.name, error.reason))
    return _Checked(upload, document, library.verify(document, on=upload.on, trial=upload.trial))


class _Form(msgspec.Struct, frozen=True):
    """A form in which findings are sent."""

    ending: str
    media: str
    make: Callable[[_Checked, Language], bytes]


def _as_word(found: _Checked, language: Language) -> bytes:
    if found.document is None or found.document.format != "docx":
        raise UserError("only a Word file (.docx) can have comments")
    return annotate(found.upload.data, found.document, found.verified, language=language)


def _as_page(found: _Checked, language: Language) -> bytes:
    return as_page(found.document, found.verified, language).encode()


def _as_markdown(found: _Checked, language: Language) -> bytes:
    return as_markdown(found.verified, language).encode()


def _as_json(found: _Checked, _: Language) -> bytes:
    return msgspec.json.encode(as_wire(found.verified))


_FORMS: Final[dict[str, _Form]] = {
    "json": _Form("findings.json", "application/json", _as_json),
    "docx": _Form("checked.docx", WORD, _as_word),
    "html": _Form("findings.html", "text/html; charset=utf-8", _as_page),
    "md": _Form("findings.md", "text/markdown; charset=utf-8", _as_markdown),
}


def _file(found: _Checked, form: _Form, language: Language) -> Response:
    name = f"{found.upload.name.rpartition('.')[0] or found.upload.name}.{form.ending}"
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "Cache-Control": "private, no-store",
    }
    return Response(form.make(found, language), headers=headers, media_type=form.media)


_STANDALONE: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The policy of the page that needs nothing else: its style is in it, and it runs nothing."""


def _negotiated(request: Request, found: _Checked, language: Language) -> Response:
    accepted = request.headers.get("accept", "")
    kind = next(
        (name for name, one in _FORMS.items() if one.media.partition(";")[0] in accepted), "json"
    )
    form = _FORMS[kind]
    headers: dict[str, Any] = {"Cache-Control": "no-store", "Vary": "Accept, Accept-Language"}
    if kind == "html":
        headers["Content-Security-Policy"] = _STANDALONE
    return Response(form.make(found, language), headers=headers, media_type=form.media)
