"""The routes of documents: checked and shown as JSON, as pages, and as Word files with comments.

A document is parsed in a process that is killed when it must be (`inforce.documents.parsing`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
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
from inforce.serve.answer_docx import DOCX
from inforce.serve.operations import VERIFY, VerifyText
from inforce.serve.page_templates import language_of, page, with_problem_pages
from inforce.serve.research import caller_of
from inforce.serve.service import Service, read_parameters
from inforce.serve.settings import ServeSettings
from inforce.serve.uploads import Upload, Uploads, file_name
from inforce.verification.annotation import annotate
from inforce.verification.findings import Verified
from inforce.verification.reports import as_markdown, as_page, as_section
from inforce.wire import as_wire

_FIELDS: Final = 4
_PASTED: Final = "text.txt"
_STANDALONE: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The content security policy of the self-contained page: its style is inline, and nothing runs."""


@dataclass(frozen=True, slots=True)
class _Checked:
    """An upload with its document, where it could be read, and its findings."""

    upload: Upload
    document: Document | None
    verified: Verified

    @property
    def is_word(self) -> bool:
        return self.document is not None and self.document.format == "docx"


class _Documents:
    """Receives documents, and has them read and checked."""

    def __init__(self, service: Service, settings: ServeSettings) -> None:
        self.run = service.run
        self._library = service.library
        self._receiving = asyncio.Semaphore(settings.max_uploads)

    async def receive(self, request: Request) -> Upload:
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
            upload = await _read_form(form)
        if upload.on:
            self._library.when(upload.on)
        if upload.trial:
            day_of(upload.trial, clock=self._library.clock)
        return upload

    async def check(self, upload: Upload) -> _Checked:
        """Read a document and check it.

        Raises:
            UserError: if it cannot be read; says why.
        """
        return await self.run(lambda: _check(self._library, upload))


def routes(service: Service, uploads: Uploads, settings: ServeSettings) -> list[Route]:
    """The routes of documents."""
    documents = _Documents(service, settings)

    async def verify(request: Request) -> Response:
        """A text as JSON or a document as a form; findings in the form that is accepted."""
        if request.headers.get("content-type", "").startswith("multipart/form-data"):
            upload = await documents.receive(request)
        else:
            query: VerifyText = await read_parameters(request, VERIFY.parameters)
            upload = Upload(_PASTED, query.text.encode(), query.on, query.trial)
        checked = await documents.check(upload)
        return await documents.run(lambda: _negotiated(request, checked))

    return [
        Route(VERIFY.path, verify, methods=[VERIFY.method]),
        *_page_routes(documents, uploads),
    ]


def _page_routes(documents: _Documents, uploads: Uploads) -> list[Route]:
    async def form(request: Request) -> Response:
        """The form, and the document that is sent with it."""
        if request.method == "GET":
            return page(request, "verify.html.j2", problem="")
        try:
            upload = await documents.receive(request)
        except UserError as error:
            return page(request, "verify.html.j2", status=400, problem=str(error))
        name = uploads.put(caller_of(request), upload)
        return RedirectResponse(f"/verify/{name}", 303)

    async def findings(request: Request) -> Response:
        """The document with its marks, and the findings beside it."""
        name = request.path_params["upload"]
        try:
            checked = await documents.check(uploads.get(caller_of(request), name))
        except UserError as error:
            return page(request, "verify.html.j2", status=422, problem=str(error))
        return await documents.run(lambda: _findings_page(request, name, checked))

    async def download(request: Request) -> Response:
        """The findings as a file."""
        name, kind = (request.path_params[part] for part in ("upload", "kind"))
        if kind not in _FORMS:
            raise HTTPException(404)
        checked = await documents.check(uploads.get(caller_of(request), name))
        return await documents.run(lambda: _file(checked, _FORMS[kind], language_of(request)))

    async def forget(request: Request) -> Response:
        uploads.remove(caller_of(request), request.path_params["upload"])
        return RedirectResponse("/verify", 303)

    return [
        Route("/verify", with_problem_pages(form), methods=["GET", "POST"]),
        Route("/verify/{upload}", with_problem_pages(findings)),
        Route("/verify/{upload}/forget", with_problem_pages(forget), methods=["POST"]),
        Route("/verify/{upload}/{kind}", with_problem_pages(download)),
    ]


def _findings_page(request: Request, name: str, checked: _Checked) -> Response:
    section = as_section(checked.document, checked.verified, language_of(request))
    return page(
        request,
        "verified.html.j2",
        verified=checked.verified,
        upload=name,
        section=Markup(section),  # escaped by its own template
        is_word=checked.is_word,
    )


async def _read_form(form: FormData) -> Upload:
    """The file, or the pasted text, in a form.

    Raises:
        UserError: if there is neither.
    """
    file = form.get("file")
    on, trial = (str(form.get(name) or "").strip() or None for name in ("on", "trial"))
    if isinstance(file, UploadFile) and file.filename:
        data = await file.read(DEFAULT_LIMITS.bytes + 1)
        return Upload(file_name(file.filename), data, on, trial)
    text = str(form.get("text") or "")
    if not text.strip():
        raise UserError("there is no document: choose a file, or paste a text")
    return Upload(_PASTED, text.encode(errors="replace"), on, trial)


def _check(library: Library, upload: Upload) -> _Checked:
    try:
        document = shared_parser().parse(upload.data, name=upload.name)
    except UnreadableDocumentError as error:
        if error.cause != "no_text":
            raise UserError(f"{upload.name} was not read: {error.reason}") from error
        return _Checked(upload, None, library.verify_nothing(upload.name, error.reason))
    return _Checked(upload, document, library.verify(document, on=upload.on, trial=upload.trial))


class _Form(msgspec.Struct, frozen=True):
    """A form in which findings are sent."""

    ending: str
    media: str
    make: Callable[[_Checked, Language], bytes]


def _as_word(checked: _Checked, language: Language) -> bytes:
    if checked.document is None or not checked.is_word:
        raise UserError("only a Word file (.docx) can have comments")
    return annotate(checked.upload.data, checked.document, checked.verified, language=language)


_FORMS: Final[dict[str, _Form]] = {
    "json": _Form(
        "findings.json",
        "application/json",
        lambda checked, _: msgspec.json.encode(as_wire(checked.verified)),
    ),
    "docx": _Form("checked.docx", DOCX, _as_word),
    "html": _Form(
        "findings.html",
        "text/html; charset=utf-8",
        lambda checked, language: as_page(checked.document, checked.verified, language).encode(),
    ),
    "md": _Form(
        "findings.md",
        "text/markdown; charset=utf-8",
        lambda checked, language: as_markdown(checked.verified, language).encode(),
    ),
}


def _file(checked: _Checked, form: _Form, language: Language) -> Response:
    name = f"{checked.upload.name.rpartition('.')[0] or checked.upload.name}.{form.ending}"
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "Cache-Control": "private, no-store",
    }
    return Response(form.make(checked, language), headers=headers, media_type=form.media)


def _negotiated(request: Request, checked: _Checked) -> Response:
    """The findings in the form that the client accepts; JSON if it accepts none."""
    accepted = request.headers.get("accept", "")
    kind = next(
        (name for name, one in _FORMS.items() if one.media.partition(";")[0] in accepted), "json"
    )
    form = _FORMS[kind]
    headers = {"Cache-Control": "no-store", "Vary": "Accept, Accept-Language"}
    if kind == "html":
        headers["Content-Security-Policy"] = _STANDALONE
    body = form.make(checked, language_of(request))
    return Response(body, headers=headers, media_type=form.media)
