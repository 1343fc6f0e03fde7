"""Reading a long page for a question, page by page (LegalSearch-R1, section 5.1 and figure 8).

A model takes from each page what is new and useful, says whether to go on, and summarises. Lines
it gives as the words of a law are looked up on the page; those that are not there are dropped and
noted. Without a model, or when its reply does not have the form asked for, articles and paragraphs
are taken by rule (`inforce.web.excerpts`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast

from inforce.documents.untrusted import as_data, seal_of
from inforce.errors import BudgetError, ModelError
from inforce.language import Language
from inforce.llm.chat import ChatModel, Message
from inforce.llm.json_replies import json_objects
from inforce.web.excerpts import LIMIT, excerpts
from inforce.web.quotations import Extract, PageText

_YES_NO = {"yes": True, "true": True, "是": True, "no": False, "false": False, "否": False}
_SHOWN = 12
"""Characters shown of a dropped passage."""


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How much of a page is read and taken."""

    page: int = 6_000
    """Characters the model reads at a time."""
    pages: int = 8
    extracts: int = 8_000
    """Characters taken in all."""


@dataclass(frozen=True, slots=True)
class PageReading:
    """The extracts and the summary of a page, and how they were made."""

    extracts: tuple[Extract, ...]
    summary: str
    method: Literal["model", "extractive"]
    pages_read: int
    pages: int
    notes: tuple[str, ...] = ()
    """Remarks: what was dropped, what was not read, why a model was not used."""

    @property
    def text(self) -> str:
        """Everything taken, in order."""
        return "\n".join(one.text for one in self.extracts)

    @property
    def verbatim(self) -> str:
        """The extracts that are the page's own text, and may be quoted."""
        return "\n".join(one.text for one in self.extracts if one.verbatim)


@dataclass(frozen=True, slots=True)
class ReadingPurpose:
    """The questions a page is read for."""

    question: str
    """The main question of the run."""
    goal: str = ""
    """The current sub-question: the query that found the page."""


async def read_text(
    text: str,
    purpose: ReadingPurpose,
    *,
    title: str = "",
    model: ChatModel | None = None,
    language: Language = "zh",
    limits: ReadingLimits = ReadingLimits(),
) -> PageReading:
    """Read a page for a question.

    Args:
        text: the text of the page.
        purpose: the question.
        title: of the page.
        model: reads; without one, reading is by rule.
        language: of the model's prompts.
        limits: how much is read and taken.
    """
    if model is None:
        return await _read_by_rule(text, purpose, language, limits)
    pages = list(_pages(text, limits.page))
    reader = _Reader(purpose, title, model, language, limits, len(pages))
    for number, page in enumerate(pages[: limits.pages], start=1):
        try:
            goes_on = await reader.read(number, page)
        except (ModelError, BudgetError) as error:
            rest = "".join(pages[number - 1 :])
            return reader.joined(await _read_by_rule(rest, purpose, language, limits), error)
        if not goes_on:
            break
    return reader.reading()


class FormlessReplyError(ModelError):
    """A model's reply that does not have the form asked for."""


async def _read_by_rule(
    text: str, purpose: ReadingPurpose, language: Language, limits: ReadingLimits
) -> PageReading:
    query = purpose.question
    if purpose.goal not in query:
        query = f"{query}\n{purpose.goal}"
    found = await asyncio.to_thread(excerpts, text, query, limit=min(limits.extracts, LIMIT))
    notes = [] if found.matched else [_NOTES[language]["unmatched"]]
    notes += [_NOTES[language]["cut"]] if found.cut else []
    pages = len(list(_pages(text, limits.page)))
    extracts = tuple(Extract(one, verbatim=True) for one in found.texts)
    return PageReading(extracts, "", "extractive", pages, pages, tuple(notes))


@dataclass(slots=True)
class _Reader:
    """A model reading one page after the other."""

    purpose: ReadingPurpose
    title: str
    model: ChatModel
    language: Language
    limits: ReadingLimits
    pages: int
    extracts: list[Extract] = field(default_factory=list[Extract])
    summaries: list[str] = field(default_factory=list[str])
    dropped: list[str] = field(default_factory=list[str])
    pages_read: int = 0
    finished: bool = False

    async def read(self, number: int, page: str) -> bool:
        """Read one page, and return whether to go on.

        Raises:
            ModelError: if the model cannot be asked.
            BudgetError: if it may not be asked any more.
            FormlessReplyError: if its reply does not have the form asked for.
        """
        shown = as_data(page)
        prompt = self._prompt(number, shown)
        asked = [Message("system", _system_prompt(self.language)), Message("user", prompt)]
        reply = parse_reply((await self.model.reply(asked)).text)
        self.pages_read = number
        source = PageText(shown)
        for passage in reply.extracts:
            checked = source.check(passage)
            self.extracts += [one for one in checked.extracts if one not in self.extracts]
            self.dropped += checked.dropped
        if reply.summary and not source.check(reply.summary).dropped:
            self.summaries.append(reply.summary)
        self.finished = not reply.page_down
        size = sum(len(one.text) for one in self.extracts)
        return reply.page_down and size < self.limits.extracts

    def reading(self) -> PageReading:
        """The extracts of the model."""
        taken = _within(self.extracts, self.limits.extracts)
        words, notes = _NOTES[self.language], list(self._dropped_note())
        if len(taken) < len(self.extracts):
            notes.append(words["full"].format(count=len(self.extracts) - len(taken)))
        if self.pages_read < self.pages and not self.finished:
            notes.append(words["unread"].format(first=self.pages_read + 1, total=self.pages))
        summary = " ".join(self.summaries)
        return PageReading(taken, summary, "model", self.pages_read, self.pages, tuple(notes))

    def joined(self, by_rule: PageReading, error: Exception) -> PageReading:
        """The extracts of the model before it failed, and those by rule of the rest."""
        why = "formless" if isinstance(error, FormlessReplyError) else "unasked"
        note = _NOTES[self.language][why].format(first=self.pages_read + 1)
        return PageReading(
            _within([*self.extracts, *by_rule.extracts], self.limits.extracts),
            " ".join(self.summaries),
            "extractive",
            self.pages,
            self.pages,
            (*self._dropped_note(), note, *by_rule.notes),
        )

    def _dropped_note(self) -> Iterator[str]:
        """A note on dropped passages: only their first words, as the rest may be wrong."""
        if self.dropped:
            start = "; ".join(f"{one[:_SHOWN]}…" for one in self.dropped[:5])
            note = _NOTES[self.language]["dropped"]
            yield note.format(count=len(self.dropped), start=start)

    def _prompt(self, number: int, page: str) -> str:
        gathered = "\n".join(one.text for one in self.extracts)[-2_000:]
        return _USER[self.language].format(
            question=self.purpose.question,
            goal=self.purpose.goal or self.purpose.question,
            gathered=as_data(gathered) or _NOTHING[self.language],
            title=as_data(self.title)[:300],
            number=number,
            total=self.pages,
            seal=seal_of(page),
            page=page,
        )


@dataclass(frozen=True, slots=True)
class PageReply:
    """A model's reply about one page."""

    extracts: tuple[str, ...]
    page_down: bool
    summary: str


def parse_reply(reply: str) -> PageReply:
    """Read the JSON object of a reply; other text around it is ignored.

    Raises:
        FormlessReplyError: if there is none, or a field is missing or of another type.
    """
    objects = (one for one in json_objects(reply) if "extracted_info" in one)
    found: dict[str, Any] | None = next(objects, None)
    if found is None:
        raise FormlessReplyError("no JSON object with extracts")
    extracts, page_down = found.get("extracted_info"), found.get("page_down")
    if isinstance(extracts, str):
        extracts = [extracts]
    if isinstance(page_down, str):
        page_down = _YES_NO.get(page_down.strip().lower())
    if not isinstance(extracts, list) or not isinstance(page_down, bool):
        raise FormlessReplyError("extracted_info or page_down is missing")
    passages = cast("list[Any]", extracts)
    if not all(isinstance(one, str) for one in passages):
        raise FormlessReplyError("extracted_info is not a list of texts")
    summary = found.get("short_summary")
    summary = summary if isinstance(summary, str) else ""
    return PageReply(tuple(passages), page_down, summary.strip()[:500])


def _pages(text: str, size: int) -> Iterator[str]:
    """The text in pieces of at most ``size`` characters, cut where a line or sentence ends."""
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        if end < len(text):
            middle = start + (end - start) // 2
            cuts = (text.rfind(mark, middle, end) for mark in ("\n第", "\n", "。", ". "))
            end = next((at + 1 for at in cuts if at >= 0), end)
        yield text[start:end]
        start = end


def _within(extracts: Iterable[Extract], most: int) -> tuple[Extract, ...]:
    """The extracts that fit, in order; one that does not is left out whole, never cut."""
    taken, size = list[Extract](), 0
    for one in extracts:
        if size + len(one.text) <= most:
            taken.append(one)
            size += len(one.text)
    return tuple(taken)


@cache
def _system_prompt(language: Language) -> str:
    """The rules of reading and the form of the reply, in our own words (after figure 8)."""
    path = files("inforce.web").joinpath("prompts", f"reading_{language}.md")
    return path.read_text(encoding="utf-8").strip()


_USER: dict[Language, str] = {
    "zh": """\
主要问题：{question}
当前子问题：{goal}
已摘录的内容：
{gathered}

网页标题：{title}
以下为第 {number} 页（共 {total} 页），位于标记 {seal} 之间：
[{seal}]
{page}
[/{seal}]""",
    "en": """\
Main question: {question}
Current sub-question: {goal}
Already taken:
{gathered}

Title: {title}
Below is page {number} of {total}, between the marks {seal}:
[{seal}]
{page}
[/{seal}]""",
}

_NOTHING: dict[Language, str] = {"zh": "（无）", "en": "(nothing)"}

_NOTES: dict[Language, dict[str, str]] = {
    "zh": {
        "dropped": "有 {count} 处被当作条文或引文的内容不见于网页，已略去：{start}",
        "unread": "共 {total} 页，第 {first} 页以后没有阅读",
        "full": "摘录已满，另有 {count} 段未收入",
        "unmatched": "网页上没有与问题相符的内容，以下是网页开头",
        "cut": "最相关的一段超过了摘录长度，以下是它的开头",
        "unasked": "阅读模型无法使用，从第 {first} 页起按规则摘录",
        "formless": "阅读模型没有按格式回答，从第 {first} 页起按规则摘录",
    },
    "en": {
        "dropped": (
            "{count} passage(s) given as statutory text or quotation are not on the page "
            "and were left out: {start}"
        ),
        "unread": "pages {first} to {total} of {total} were not read",
        "full": "{count} more passage(s) did not fit",
        "unmatched": "nothing on the page matches the question; this is its beginning",
        "cut": "the best passage is longer than an extract may be; this is its beginning",
        "unasked": "the reading model could not be asked; taken by rule from page {first}",
        "formless": "the reading model's reply had not its form; taken by rule from page {first}",
    },
}
"""Remarks on how a page was read."""
