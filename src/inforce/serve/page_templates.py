"""Pages, also of problems, from templates with escaped text, in the language of the client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache, partial, wraps
from http import HTTPStatus
from importlib.resources import files
from typing import Any, Final, NamedTuple, cast
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from inforce.agents.runtime.answer import ResearchAnswer, Sentence
from inforce.documents.untrusted import linkable
from inforce.errors import InforceError, UnknownWorkError
from inforce.language import Language, cited
from inforce.language.messages import N_, messages
from inforce.law import ids
from inforce.law.caveats import days_in_force, days_of, span_caveats
from inforce.law.diff import Piece
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import branch_of
from inforce.law.timeline import Lookup, Span, Timeline
from inforce.retrieval.provisions import ProvisionText
from inforce.serve.problems import detail_of, detail_of_http, problem, refusal, status_of
from inforce.serve.service import Endpoint

COOKIE: Final = "inforce_language"

LONGEST_FIELD: Final = 10_000
"""Characters of a field of a form, such as a question."""

HEADERS: Final = {"Vary": "Accept, Accept-Language, Cookie", "Cache-Control": "private, no-cache"}

ABSENCES: Final = {
    "found": N_("In force then, but it did not govern"),
    "not_in_force": N_("Not in force then"),
    "not_found": N_("Not found: no version of this law held here has such a provision"),
    "not_covered": N_("Not covered: this corpus cannot know"),
}
"""Why a provision is not quoted, by the answer of its look-up."""
TODAY: Final = {
    "unchanged": N_("the same wording"),
    "repealed": N_("no longer in force, no successor found"),
    "no_counterpart": N_("no provision of the law was found that carries it"),
    "not_covered": N_("not covered by this corpus"),
}
"""What became of a wording, where no provision of today is named."""
_AXIS: Final = 1000
"""Units the timeline is wide."""
_YEAR: Final = 366
"""Days shown before the first wording and after today."""
_STEP_WORDS: Final = (
    *(N_("agent"), N_("planner"), N_("solver"), N_("judge"), N_("query"), N_("summary")),
    *(N_("plan"), N_("preselection"), N_("asked"), N_("replied"), N_("found"), N_("not found")),
    *(N_("not in force"), N_("not covered"), N_("not checked"), N_("unknown"), N_("invalid")),
    *(N_("invalid reply"), N_("cut off"), N_("draft"), N_("failure"), N_("protocol")),
    *(N_("failed"), N_("answered"), N_("abstained"), N_("turn limit"), N_("budget")),
)
"""Titles and states of the steps of a run, beside the names of tools and agents."""
_FEWEST: Final = 6
"""Units of the narrowest bar: a wording of one week can still be clicked."""


class Bar(NamedTuple):
    """A span on the timeline."""

    span: Span
    x: float
    width: float
    day: date
    """Its first day, as far as the timeline goes back."""
    current: bool


class Axis(NamedTuple):
    """A timeline in the units of the drawing."""

    first: date
    last: date
    length: int
    """Days."""
    at: int
    """The day shown, from the first."""
    cursor: float
    bars: tuple[Bar, ...]
    unknown: float | None
    """From where on the last wording is only presumed to go on; ``None``: nowhere."""


def language_of(request: Request) -> Language:
    """The language of the cookie, else the first known one that the browser accepts."""
    accepted = request.headers.get("accept-language", "").lower().split(",")
    for tag in (request.cookies.get(COOKIE, ""), *accepted):
        if tag.strip().startswith("zh"):
            return "zh"
        if tag.strip().startswith("en"):
            return "en"
    return "en"


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
    """A page from a template."""
    text = render(request, template, values)
    kind = "text/markdown" if template.endswith(".md.j2") else "text/html"
    return Response(text, status, HEADERS, media_type=f"{kind}; charset=utf-8")


def render(request: Request, template: str, values: Mapping[str, Any]) -> str:
    """The text of a page."""
    language = language_of(request)
    here = _here(request)
    other = "en" if language == "zh" else "zh"
    return (
        _environment(language)
        .get_template(template)
        .render(
            language=language,
            path=request.url.path,
            other_language=f"/language?to={other}&next={quote(here, safe='')}",
            **values,
        )
    )


def _here(request: Request) -> str:
    """The address of a page on this server."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def wants_page(request: Request) -> bool:
    """Whether a browser asks: programs get JSON."""
    return "text/html" in request.headers.get("accept", "")


def address(work: str, number: ProvisionNumber, on: object = None) -> str:
    """The address of an article, on a day."""
    portion = ids.Portion(number)
    day = on if isinstance(on, date) else date.fromisoformat(on) if isinstance(on, str) else None
    law = ids.WorkId(work)
    of = law if day is None else ids.ExpressionId(law, max(day, date(1000, 1, 1)), "in_force")
    return quote(str(ids.ProvisionId(of, portion)), safe="/:~@")


def time_axis(timeline: Timeline, shown: date, today: date) -> Axis:
    """The drawing of a timeline: from a year before its first wording to a year from today."""
    begun = [span.window.start for span in timeline.spans if span.window.start > date.min]
    first = _add_days(min([*begun, shown, today]), -_YEAR)
    last = _add_days(max([*begun, shown, today]), _YEAR)
    days = (last - first).days
    bars: list[Bar] = []
    for span in timeline.spans:
        start = max(span.window.start, first)
        end = min(span.window.end or last, last)
        if start < end:
            x = (start - first).days * _AXIS / days
            width = max((end - start).days * _AXIS / days, _FEWEST)
            bars.append(Bar(span, round(x, 2), round(width, 2), start, shown in span.window))
    at = (shown - first).days
    known = timeline.spans[-1].as_of if timeline.spans else None
    unknown = None
    if known and known < last:
        unknown = round(max((known - first).days + 1, 0) * _AXIS / days, 2)
    return Axis(first, last, days, at, round(at * _AXIS / days, 2), tuple(bars), unknown)


def _add_days(day: date, days: int) -> date:
    """A day some days later, as far as the calendar goes."""
    ordinal = min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal())
    return date.fromordinal(ordinal)


def citation(lookup: Lookup, span: Span) -> str:
    """A citation in the style of a judgment: 《中华人民共和国刑法》（2011修正）第七十四条."""
    label = f"（{span.version.label}）" if span.version and span.version.label else ""
    return cited(lookup.work, f"{label}{lookup.number.chinese}", "zh")


def plain_citation(lookup: Lookup, span: Span) -> str:
    """The same with the days in force and the instrument, in the form of a note."""
    by = f"，{span.version.instrument}" if span.version and span.version.instrument else ""
    days = messages("zh").sentence(days_in_force(span))
    return f"{lookup.work}{lookup.number.chinese}（{days}{by}）"


def answer_paragraphs(answer: ResearchAnswer) -> Iterator[Sequence[Sentence]]:
    """The sentences of an agent's answer, paragraph by paragraph as it was written."""
    paragraph: list[Sentence] = []
    end = 0
    for sentence in answer.sentences:
        start = max(answer.text.find(sentence.text, end), end)
        if paragraph and "\n" in answer.text[end:start]:
            yield paragraph
            paragraph = []
        paragraph.append(sentence)
        end = start + len(sentence.text)
    if paragraph:
        yield paragraph


@cache
def _environment(language: Language) -> Environment:
    environment = Environment(
        loader=PackageLoader("inforce.serve"),
        autoescape=lambda name: not (name or "").endswith(".md.j2"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        auto_reload=False,
    )
    translated = messages(language)

    def days_of_hit(found: ProvisionText) -> str:
        if found.window is None:
            return translated.text("dates not known")
        days = days_of(found.window, found.begins, found.as_of, found.date_status)
        return translated.sentence(days)

    def days_of_span(span: Span) -> str:
        return translated.sentence(days_in_force(span))

    def caveats_of_span(span: Span) -> list[str]:
        return [translated.sentence(caveat) for caveat in span_caveats(span)]

    shared = cast("dict[str, Any]", environment.globals)
    shared.update(
        _=translated.text,
        gettext=translated.text,
        sentence=translated.sentence,
        days=translated.days,
        days_in_force=days_of_span,
        days_of=days_of_hit,
        caveats=caveats_of_span,
        address=address,
        cited=partial(cited, language=language),
        citation=citation,
        plain_citation=plain_citation,
        linkable=linkable,
        answer_paragraphs=answer_paragraphs,
        number=ProvisionNumber.parse,
        as_markdown=_pieces_as_markdown,
        absences=ABSENCES,
        today_labels=TODAY,
        step_words={word: translated.text(word) for word in _STEP_WORDS},
    )
    environment.filters["branch_of"] = branch_of
    return environment


def _pieces_as_markdown(pieces: Sequence[Piece]) -> str:
    """A difference as Markdown, each line by itself: ~~deleted~~ and **inserted**."""
    signs = {"deleted": "~~", "inserted": "**", "equal": ""}
    text = ""
    for piece in pieces:
        sign = signs[piece.kind]
        lines = (f"{sign}{line}{sign}" if line else "" for line in piece.text.split("\n"))
        text += "\n".join(lines)
    return text


@cache
def static(name: str) -> bytes | None:
    """A static file of the pages; ``None``: there is none of that name."""
    if name not in STATIC:
        return None
    if name == "verified.css":
        from inforce.verification.reports import style

        return style().encode()
    return files("inforce.serve").joinpath("static", name).read_bytes()


STATIC: Final = {
    "page.css": "text/css",
    "verified.css": "text/css",
    "page.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}


def field(request: Request, name: str) -> str:
    """A field of a form that is sent in the address; empty if it is not there."""
    return request.query_params.get(name, "").strip()[:LONGEST_FIELD]


def with_problem_pages(endpoint: Endpoint) -> Endpoint:
    """An endpoint whose errors are pages too."""

    @wraps(endpoint)
    async def wrapped(request: Request) -> Response:
        try:
            return await endpoint(request)
        except (InforceError, HTTPException) as error:
            return problem_page(request, error)

    return wrapped


async def on_problem(request: Request, error: Exception) -> Response:
    """Starlette's handler of errors of the library and of HTTP: a page for browsers, else JSON."""
    assert isinstance(error, InforceError | HTTPException)
    if wants_page(request):
        return problem_page(request, error)
    language = language_of(request)
    if isinstance(error, InforceError):
        return problem(error, language)
    return refusal(error, language)


_TITLES: Final[Mapping[int, str]] = {
    400: N_("This cannot be read"),
    401: N_("Log in first"),
    403: N_("Not allowed"),
    404: N_("Not here"),
    405: N_("Not possible here"),
    408: N_("Too slow"),
    409: N_("Not covered: this corpus cannot know"),
    413: N_("Too large"),
    422: N_("This cannot be read"),
    429: N_("Too often"),
    500: N_("The server could not answer"),
    501: N_("Not installed here"),
    502: N_("The model could not answer"),
    503: N_("Not now"),
    507: N_("The disk of the server is full"),
}


def problem_page(request: Request, error: InforceError | HTTPException) -> Response:
    """An error as a page, with the status it has for programs."""
    if isinstance(error, HTTPException):
        if error.status_code == 401 and request.method == "GET":
            return RedirectResponse(f"/login?{urlencode({'next': _here(request)})}", 303)
        status, detail = error.status_code, detail_of_http(error)
    else:
        status, detail = status_of(error), detail_of(error)
    suggestions = error.suggestions if isinstance(error, UnknownWorkError) else ()
    title = _TITLES.get(status) or HTTPStatus(status).phrase
    return page(
        request,
        "message.html.j2",
        status=status,
        title=title,
        detail=detail,
        suggestions=suggestions,
        is_law=isinstance(error, UnknownWorkError),
    )
