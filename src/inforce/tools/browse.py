"""``browse_webpage``: open pages a search of this run returned, and take what bears on it.

Only addresses in the run's context are opened, so neither a page nor a model can send the run
elsewhere. What is on a page is data: it comes between marks the page cannot forge, without tags
an agent's protocol could read, and what looks like statutory text is the page's own or left out.
LegalSearch-R1, section 5.1 and figures 8 and 10.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from inforce.documents.untrusted import as_data, seal_of
from inforce.errors import InforceError, NetworkForbiddenError
from inforce.language import Language
from inforce.llm.chat import ChatModel, Message
from inforce.tools.browse_words import DESCRIPTIONS, WHY, WORDS
from inforce.tools.context import RunContext, SeenResult
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, Reach, ToolResult, ToolSpec, ToolStatus
from inforce.tools.web_search_text import AUTHORITY
from inforce.web.authority import authority_of
from inforce.web.excerpts import excerpts
from inforce.web.page import FetchFailure, WebText
from inforce.web.reader import WebReader
from inforce.web.reading import Ask, PageReading, ReadingLimits, ReadingPurpose, read_text
from inforce.web.search.urls import canonical_url, page_key

MAX_URLS: Final = 10
AT_ONCE: Final = 4
"""Pages of one call that are opened at the same time."""
SECONDS: Final = 90.0
"""In which a call is answered; pages not read by then have failed."""
MAX_TEXT: Final = 24_000
"""Characters of extracts in one answer, shared by its pages."""
MAX_PAGE_TEXT: Final = 8_000


class Opens(Protocol):
    """Opens a page: `WebReader`, or what a test puts in its place."""

    async def read(self, url: str) -> WebText | FetchFailure:
        """What is on a page, or why that is not known."""
        ...


@dataclass(frozen=True, slots=True)
class _Visit:
    """What became of one address."""

    url: str
    state: Literal["read", "unseen", "forbidden", "late", "failed"]
    seen: SeenResult | None = None
    page: WebText | None = None
    reading: PageReading | None = None
    kind: str = ""
    why: str = ""


@asynccontextmanager
async def open_browsing(
    *, language: Language = "zh", model: ChatModel | None = None
) -> AsyncGenerator[BrowseWebpage]:
    """The tool over the open web; connections and parsers end with the block.

    Args:
        language: of spec and answers.
        model: reads the pages; without one, passages are taken by rule.
    """
    async with WebReader() as web:
        yield BrowseWebpage(web, language=language, model=model)


class BrowseWebpage:
    """The tool.

    Args:
        web: opens pages.
        language: of spec and answers.
        model: reads the pages; without one, passages are taken by rule.
        seconds: in which a call is answered.
    """

    reach: Reach = "outward"

    def __init__(
        self,
        web: Opens,
        *,
        language: Language = "zh",
        model: ChatModel | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self.language: Language = language
        self._web = web
        self._ask = None if model is None else _asking(model)
        self._seconds = seconds
        self._words = WORDS[language]

    @property
    def spec(self) -> ToolSpec:
        """LegalSearch-R1, figure 10, in our words."""
        description, addresses = DESCRIPTIONS[self.language]
        url_list = {
            "type": "array",
            "description": addresses,
            "items": {"type": "string", "minLength": 1, "maxLength": 4_096},
            "minItems": 1,
            "maxItems": MAX_URLS,
        }
        return ToolSpec("browse_webpage", description, {"url_list": url_list})

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Open the pages at the same time; whatever becomes of one does not touch the others."""
        urls = list(dict.fromkeys(str(url).strip() for url in arguments["url_list"]))
        limits = ReadingLimits(extracts=min(MAX_PAGE_TEXT, MAX_TEXT // len(urls)))
        deadline = asyncio.get_running_loop().time() + self._seconds
        at_once = asyncio.Semaphore(AT_ONCE)

        async def visited(url: str) -> _Visit:
            try:
                async with asyncio.timeout_at(deadline), at_once:
                    return await self._open(url, context, limits)
            except TimeoutError:
                return _Visit(url, "late")

        found = await asyncio.gather(*(visited(url) for url in urls))
        texts = [
            self._text_of(one, number, len(found)) for number, one in enumerate(found, start=1)
        ]
        evidence = tuple(_evidence(one) for one in found if one.state == "read")
        return ToolResult(
            "\n\n".join(texts), _status(found), evidence, [_data_of(one) for one in found]
        )

    async def _open(self, url: str, context: RunContext, limits: ReadingLimits) -> _Visit:
        seen = _found_before(url, context)
        if seen is None:
            return _Visit(url, "unseen")
        try:
            page = await self._web.read(seen.url)
            if isinstance(page, FetchFailure):
                return _Visit(url, "failed", seen, kind=page.kind, why=self._why(page))
            purpose = ReadingPurpose(context.question, seen.query)
            reading = await read_text(
                page.text,
                purpose,
                title=page.title or seen.title,
                ask=self._ask,
                language=self.language,
                limits=limits,
            )
        except NetworkForbiddenError:
            return _Visit(url, "forbidden", seen)
        except InforceError as error:
            return _Visit(url, "failed", seen, kind=error.kind, why=f"{error}.")
        return _Visit(url, "read", seen, page, reading)

    def _why(self, failure: FetchFailure) -> str:
        status = f"HTTP {failure.status}: " if failure.status not in (None, 200) else ""
        return f"{status}{WHY[failure.kind]}" if self.language == "zh" else f"{failure.message}."

    def _text_of(self, one: _Visit, number: int, total: int) -> str:
        """What a model reads of one address."""
        title = _title(one) or self._words["untitled"]
        head = [
            self._words["page"].format(number=number, total=total, title=title),
            self._words["url"].format(url=as_data(one.page.url if one.page else one.url)[:2_048]),
        ]
        if one.page is None or one.reading is None:
            said = self._words["not_opened" if one.state == "failed" else one.state]
            return "\n".join([*head, said.format(why=as_data(one.why))])
        return "\n".join([*head, *self._content(one.page, one.reading)])

    def _content(self, page: WebText, reading: PageReading) -> list[str]:
        words = self._words
        day = page.published.isoformat() if page.published else ""
        lines = [
            words["facts"].format(
                authority=AUTHORITY[self.language][authority_of(page.url)],
                published=words["published"].format(day=day) if day else words["undated"],
                fetched=page.fetched_at.date().isoformat(),
            )
        ]
        if reading.extracts:
            retold = words["retold"]
            text = as_data(
                "\n".join(f"{'' if one.verbatim else retold}{one.text}" for one in reading.extracts)
            )
            seal = seal_of(text)
            lines += [words["data"].format(seal=seal), f"[{seal}]", text, f"[/{seal}]"]
        else:
            lines.append(words["nothing"])
        if reading.summary:
            lines.append(words["summary"].format(summary=_one_line(reading.summary)))
        notes = list(reading.notes)
        if page.shortened:
            notes.append(words["shortened"].format(what=page.shortened))
        return [*lines, *(words["note"].format(note=_one_line(note)) for note in notes)]


def _asking(model: ChatModel) -> Ask:
    """A model as `read_text` asks it."""

    async def ask(system: str, user: str) -> str:
        reply = await model.reply([Message("system", system), Message("user", user)])
        return reply.text

    return ask


def _found_before(url: str, context: RunContext) -> SeenResult | None:
    """The search result an address came from; fragments and tracking do not count."""
    exact = context.seen(url)
    if exact is not None:
        return exact
    canonical = canonical_url(url)
    if not canonical:
        return None
    known = context.seen(canonical)
    if known is not None:
        return known
    key = page_key(canonical)
    results = context.results.values()
    return next((one for one in results if page_key(canonical_url(one.url)) == key), None)


def _status(found: Sequence[_Visit]) -> ToolStatus:
    """``found`` if any page was read; else what the model or the person can do about it."""
    states = {one.state for one in found}
    if "read" in states:
        return "found"
    if states == {"unseen"}:
        return "invalid"
    return "not_checked" if "forbidden" in states else "failed"


def _evidence(one: _Visit) -> Evidence:
    """What may be quoted of a page: its own words only, never a model's."""
    assert one.page is not None
    assert one.reading is not None
    assert one.seen is not None
    published = f"published {one.page.published}" if one.page.published else "no date given"
    text = one.reading.verbatim or "\n".join(excerpts(one.page.text, one.seen.query).texts)
    return Evidence(
        id=one.seen.url,
        kind="web",
        title=_title(one),
        text=as_data(text),
        url=one.page.url,
        date=f"{published}; fetched {one.page.fetched_at.date().isoformat()}",
        status=f"{AUTHORITY['en'][authority_of(one.page.url)]}; not checked to be in force",
        origin="browse_webpage",
    )


def _data_of(one: _Visit) -> dict[str, Any]:
    """What became of one address as JSON values."""
    data: dict[str, Any] = {"url": one.url, "state": one.state}
    if one.kind:
        data |= {"kind": one.kind, "why": one.why}
    if one.page is not None and one.reading is not None:
        data |= {
            "final_url": one.page.url,
            "title": one.page.title,
            "published": one.page.published.isoformat() if one.page.published else None,
            "fetched_at": one.page.fetched_at.isoformat(),
            "extracts": [{"text": e.text, "verbatim": e.verbatim} for e in one.reading.extracts],
            "summary": one.reading.summary,
            "method": one.reading.method,
            "notes": list(one.reading.notes),
        }
    return data


def _title(one: _Visit) -> str:
    stated = one.page.title if one.page else ""
    return _one_line(stated or (one.seen.title if one.seen else ""))[:300]


def _one_line(text: str) -> str:
    return " ".join(as_data(text).split())
