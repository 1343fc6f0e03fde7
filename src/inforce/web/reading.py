"""Reading a long page for a question, page by page (LegalSearch-R1, section 5.1 and figure 8).

A model says of each page what is new and useful, whether to go on, and what the page is about.
What it hands over as the words of a law is looked up on the page; what does not stand there is
dropped and noted. Without a model, or when it does not keep its form, articles and paragraphs are
taken by rule (`inforce.web.extractive`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from inforce.errors import BudgetError, ModelError
from inforce.web.extractive import LIMIT, excerpts
from inforce.web.reading_prompts import NOTES, NOTHING, USER, Language, system_prompt
from inforce.web.untrusted import as_data, seal_of
from inforce.web.verbatim import Extract, PageText

Ask = Callable[[str, str], Awaitable[str]]
"""Asks a model: the system's part and the user's part in, its reply out.

It may raise `ModelError` or `BudgetError`."""

_NAMED = 12
"""Characters by which a dropped passage is named."""


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How much of a page is read and kept."""

    page: int = 6_000
    """Characters the model reads at a time."""
    pages: int = 8
    kept: int = 8_000
    """Characters of extracts kept in all."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was taken from a page, and how."""

    extracts: tuple[Extract, ...]
    summary: str
    method: Literal["model", "extractive"]
    pages_read: int
    pages: int
    notes: tuple[str, ...] = ()
    """What a reader must know: what was dropped, what was not read, why a model was not used."""

    @property
    def text(self) -> str:
        """Everything taken, in order."""
        return "\n".join(one.text for one in self.extracts)

    @property
    def verbatim(self) -> str:
        """What stands on the page exactly so, and may be quoted."""
        return "\n".join(one.text for one in self.extracts if one.verbatim)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page is read for."""

    question: str
    """The main question of the run."""
    goal: str = ""
    """The current sub-question: the query that found the page."""

    @property
    def words(self) -> str:
        """Both as one query."""
        return self.question if self.goal in self.question else f"{self.question}\n{self.goal}"


async def read_text(
    text: str,
    asked: Asked,
    *,
    title: str = "",
    ask: Ask | None = None,
    language: Language = "zh",
    limits: ReadingLimits = ReadingLimits(),
) -> Reading:
    """Read a page for a question.

    Args:
        text: the text of the page.
        asked: what it is read for.
        title: of the page.
        ask: the model that reads; without one, reading is by rule.
        language: in which the model is spoken to.
        limits: how much is read and kept.
    """
    rule = _Rule(asked, language, limits)
    if ask is None:
        return await rule.read(text)
    pages = list(_pages(text, limits.page))
    reader = _Reader(asked, title, ask, language, limits, len(pages))
    for number, page in enumerate(pages[: limits.pages], start=1):
        try:
            going_on = await reader.read(number, page)
        except (ModelError, BudgetError, _FormlessError) as error:
            rest = "".join(pages[number - 1 :])
            return _joined(reader, await rule.read(rest), error)
        if not going_on:
            break
    return reader.reading()


class _FormlessError(Exception):
    """A model's reply that is not in the form it was told."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """Reading without a model."""

    asked: Asked
    language: Language
    limits: ReadingLimits

    async def read(self, text: str) -> Reading:
        limit = min(self.limits.kept, LIMIT)
        found = await asyncio.to_thread(excerpts, text, self.asked.words, limit=limit)
        words = NOTES[self.language]
        notes = [] if found.matched else [words["unmatched"]]
        notes += [words["cut"]] if found.cut else []
        pages = len(list(_pages(text, self.limits.page)))
        taken = tuple(Extract(one, verbatim=True) for one in found.texts)
        return Reading(taken, "", "extractive", pages, pages, tuple(notes))


@dataclass(slots=True)
class _Reader:
    """A model reading one page after the other."""

    asked: Asked
    title: str
    ask: Ask
    language: Language
    limits: ReadingLimits
    pages: int
    extracts: list[Extract] = field(default_factory=list[Extract])
    summaries: list[str] = field(default_factory=list[str])
    dropped: list[str] = field(default_factory=list[str])
    pages_read: int = 0
    finished: bool = False

    async def read(self, number: int, page: str) -> bool:
        """Read one page; whether to go on.

        Raises:
            ModelError: if the model cannot be asked.
            BudgetError: if it may not be asked any more.
            _FormlessError: if its reply is not in the form it was told.
        """
        shown = as_data(page)
        reply = _parse(await self.ask(system_prompt(self.language), self._prompt(number, shown)))
        self.pages_read = number
        source = PageText(shown)
        for passage in reply.extracts:
            checked = source.check(passage)
            self.extracts += [one for one in checked.kept if one not in self.extracts]
            self.dropped += checked.dropped
        if reply.summary and not source.check(reply.summary).dropped:
            self.summaries.append(reply.summary)
        self.finished = not reply.page_down
        return reply.page_down and self._size() < self.limits.kept

    def reading(self) -> Reading:
        kept = _within(self.extracts, self.limits.kept)
        words, notes = NOTES[self.language], list(self.dropped_note())
        if len(kept) < len(self.extracts):
            notes.append(words["full"].format(count=len(self.extracts) - len(kept)))
        if self.pages_read < self.pages and not self.finished:
            notes.append(words["unread"].format(first=self.pages_read + 1, total=self.pages))
        summary = " ".join(self.summaries)
        return Reading(kept, summary, "model", self.pages_read, self.pages, tuple(notes))

    def dropped_note(self) -> tuple[str, ...]:
        """What was left out, by its first words; the rest of it may be wrong."""
        if not self.dropped:
            return ()
        start = "; ".join(f"{one[:_NAMED]}…" for one in self.dropped[:5])
        note = NOTES[self.language]["dropped"]
        return (note.format(count=len(self.dropped), start=start),)

    def _prompt(self, number: int, page: str) -> str:
        gathered = "\n".join(one.text for one in self.extracts)[-2_000:]
        return USER[self.language].format(
            question=self.asked.question,
            goal=self.asked.goal or self.asked.question,
            gathered=as_data(gathered) or NOTHING[self.language],
            title=as_data(self.title)[:300],
            number=number,
            total=self.pages,
            seal=seal_of(page),
            page=page,
        )

    def _size(self) -> int:
        return sum(len(one.text) for one in self.extracts)


def _joined(reader: _Reader, ruled: Reading, error: Exception) -> Reading:
    """What the model took before it failed, and what the rule takes of the rest."""
    why = "formless" if isinstance(error, _FormlessError) else "unasked"
    note = NOTES[reader.language][why].format(first=reader.pages_read + 1)
    kept = _within([*reader.extracts, *ruled.extracts], reader.limits.kept)
    return Reading(
        kept,
        " ".join(reader.summaries),
        "extractive",
        reader.pages,
        reader.pages,
        (*reader.dropped_note(), note, *ruled.notes),
    )


@dataclass(frozen=True, slots=True)
class _Reply:
    extracts: tuple[str, ...]
    page_down: bool
    summary: str


_YES_NO = {"yes": True, "true": True, "是": True, "no": False, "false": False, "否": False}
_MOST_BRACES = 20


def _parse(reply: str) -> _Reply:
    """The JSON object of a reply, whatever stands around it."""
    found = _object(reply)
    extracts, page_down = found.get("extracted_info"), found.get("page_down")
    if isinstance(extracts, str):
        extracts = [extracts]
    if isinstance(page_down, str):
        page_down = _YES_NO.get(page_down.strip().lower())
    if not isinstance(extracts, list) or not isinstance(page_down, bool):
        raise _FormlessError("extracted_info or page_down is missing")
    passages = cast("list[Any]", extracts)
    if not all(isinstance(one, str) for one in passages):
        raise _FormlessError("extracted_info is not a list of texts")
    summary = found.get("short_summary")
    summary = summary if isinstance(summary, str) else ""
    return _Reply(tuple(passages), page_down, summary.strip()[:500])


def _object(reply: str) -> dict[str, Any]:
    """The first JSON object of a reply that has extracts in it."""
    at = reply.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            break
        with suppress(ValueError, RecursionError):
            found: dict[str, Any] = json.JSONDecoder().raw_decode(reply, at)[0]
            if "extracted_info" in found:
                return found
        at = reply.find("{", at + 1)
    raise _FormlessError("no JSON object with extracts")


def _pages(text: str, size: int) -> Iterator[str]:
    """The text in pieces of at most ``size`` characters, cut where a line or sentence ends."""
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        if end < len(text):
            end = _good_cut(text, start, end)
        yield text[start:end]
        start = end


def _good_cut(text: str, start: int, end: int) -> int:
    earliest = start + (end - start) // 2
    for mark in ("\n第", "\n", "。", ". "):
        at = text.rfind(mark, earliest, end)
        if at >= 0:
            return at + 1
    return end


def _within(extracts: list[Extract], most: int) -> tuple[Extract, ...]:
    """As many as fit, in order; the one that does not fit is left out whole, never cut."""
    kept, size = list[Extract](), 0
    for one in extracts:
        if size + len(one.text) <= most:
            kept.append(one)
            size += len(one.text)
    return tuple(kept)
