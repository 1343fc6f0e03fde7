"""``rag_retrieve``: dated queries over the statutes, each with its own answer.

Queries are independent of each other. One without a time is searched under the law of the days the
run was given, else of its day, and the answer says so. One that names a provision gets that
provision, or the reason why it did not apply; any other gets the provisions that speak to it under
the law of its time. What the index finds but shares no word with the query is not shown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from inforce.dates import DateRange, hull, scan_dates
from inforce.documents.untrusted import as_data
from inforce.law.timeline import Lookup, Span, Timeline
from inforce.lawbook import LawBook
from inforce.retrieval.statutes import Hit, SearchResult, StatuteSearch
from inforce.tools.context import RunContext
from inforce.tools.governing import ruled
from inforce.tools.statute_answers import (
    Shown,
    absence,
    evidence_of,
    heading,
    shown,
)
from inforce.tools.statute_text import show_days, show_wording
from inforce.tools.tool import Language, ToolResult, ToolStatus

_ORDER: tuple[ToolStatus, ...] = ("found", "not_in_force", "not_found", "not_covered", "invalid")
"""The status of a call is the first of these that any of its queries has."""

_BARE_YEAR = re.compile(r"(?<![\w.,-])(19[4-9]\d|20\d\d)(?![\w.,-])")
"""A year as queries to search engines have it: a number on its own."""

_WORDS: dict[Language, dict[str, str]] = {
    "zh": {
        "head": "检索{place}：“{query}” · {status}",
        "days": "按 {days} 有效的法律检索",
        "given": "查询没有写明时间，按给定的事实发生时间 {days} 有效的法律检索",
        "undated": "查询没有写明时间，按 {days} 有效的法律检索；事实发生在过去的，请写明时间",
        "dated_badly": "查询中的时间无法识别：{problem}。请写成 2010年6月1日、2010年6月或2010年",
        "empty": "查询是空的，请写明时间和法律用语",
        "not_held": "本库未收录：{laws}，不能据此判断其内容",
        "nothing": "收录的条文都没有使用查询中的词语；可换用法律用语，只写时间和两三个关键词",
        "not_then": "有相关条文，但都不在当时有效：{later}",
        "above": "{marks} 见上",
    },
    "en": {
        "head": "Query {place}: “{query}” · {status}",
        "days": "searched under the law in force {days}",
        "given": (
            "the query names no time; searched under the law in force on the given days of the "
            "facts, {days}"
        ),
        "undated": (
            "the query names no time; searched under the law in force {days}. "
            "If the facts are older, search again with their time"
        ),
        "dated_badly": "{problem} is no date. Write 2010-06-01, 2010-06 or 2010",
        "empty": "the query is empty: write a time and legal terms",
        "not_held": "not covered here: {laws}; nothing can be said about it",
        "nothing": (
            "no provision held uses these words; try legal terms in Chinese, "
            "a time and two or three keywords"
        ),
        "not_then": "provisions speak to this, but none was in force then: {later}",
        "above": "{marks} see above",
    },
}


@dataclass(frozen=True, slots=True)
class _Found:
    """What one query found."""

    query: str
    status: ToolStatus
    notes: tuple[str, ...] = ()
    wordings: tuple[Shown, ...] = ()


def retrieve(
    book: LawBook,
    queries: Sequence[str],
    *,
    context: RunContext,
    k: int,
    language: Language,
    judging: LawBook | None = None,
) -> ToolResult:
    """Answer each query under the law of its time.

    Args:
        book: where the law is.
        queries: in Chinese or English, each with its own time.
        context: the run: its given days, or else its day, are the time of a query without one.
        k: provisions a query returns at most.
        language: of the answer.
        judging: decides which wordings govern the case of the run's question; nothing is said of
            that without one.
    """
    search = _Search(book, book.statutes, context, k, language, judging)
    found = [search(query) for query in queries]
    status = _foremost({one.status for one in found})
    evidence = {one.wording.id: evidence_of(one) for each in found for one in each.wordings}
    text = "\n\n".join(_paragraphs(found, language))
    return ToolResult(text, status, tuple(evidence.values()), [_data(one) for one in found])


def _foremost(statuses: Collection[ToolStatus]) -> ToolStatus:
    return next(one for one in _ORDER if one in statuses)


def _paragraphs(found: Sequence[_Found], language: Language) -> Iterator[str]:
    """Every query with its wordings; one that was shown before is only named again."""
    words, places = _WORDS[language], dict[str, int]()
    for number, one in enumerate(found, 1):
        place = number if len(found) > 1 else ""
        head = words["head"].format(
            place=place, query=as_data(" ".join(one.query.split())), status=one.status
        )
        before = [f"[{places[s.wording.id]}]" for s in one.wordings if s.wording.id in places]
        again = [words["above"].format(marks=" ".join(before))] if before else []
        yield "\n".join([head, *one.notes, *again])
        for each in one.wordings:
            if each.wording.id not in places:
                places[each.wording.id] = len(places) + 1
                yield show_wording(each.wording, places[each.wording.id], language)


def _data(found: _Found) -> dict[str, Any]:
    ids = [one.wording.id for one in found.wordings]
    return {"query": found.query, "status": found.status, "provisions": ids}


@dataclass(frozen=True, slots=True)
class _Search:
    """One call's searches."""

    book: LawBook
    statutes: StatuteSearch
    context: RunContext
    k: int
    language: Language
    judging: LawBook | None

    def __call__(self, query: str) -> _Found:
        problem = self._problem(query)
        if problem:
            return _Found(query, "invalid", (problem,))
        understood = self.statutes.understood(query)
        chosen, origin = None, "days"
        if understood.time.origin == "today":
            chosen, origin = self._days_of_undated(query)
        days = chosen or hull(understood.time.during)
        then = self._say(origin, days=show_days(days, self.language))
        named = self.book.timelines(understood.analysis.provisions)
        if named:
            return self._named(query, named, days, then)
        result = self.statutes.search(understood.analysis, as_of=chosen, k=self.k)
        return self._searched(query, result, then)

    def _days_of_undated(self, query: str) -> tuple[DateRange, str]:
        """The days for a query without a date, and the sentence that says which they are."""
        year = self._bare_year(query)
        if year is not None:
            return year, "days"
        given = self.context.as_of
        return (given, "given") if given else (DateRange.day(self.today), "undated")

    @property
    def today(self) -> date:
        return self.context.today

    def _bare_year(self, query: str) -> DateRange | None:
        """The year a query names as a number on its own: ``2004 公证遗嘱``."""
        years = {int(year) for year in _BARE_YEAR.findall(query)}
        if len(years) == 1:
            year = years.pop()
            return DateRange(date(year, 1, 1), date(year + 1, 1, 1))
        return None

    def _problem(self, query: str) -> str:
        if not query.strip():
            return self._say("empty")
        scan = scan_dates(query, clock=lambda: self.today)
        if scan.unreadable and not scan.mentions:
            return self._say("dated_badly", problem=scan.unreadable[0].text)
        return ""

    def _named(
        self, query: str, timelines: Sequence[Timeline], days: DateRange, then: str
    ) -> _Found:
        """The provisions a query names, or why they did not apply."""
        lookups = [(timeline, timeline.versions_in(days)) for timeline in timelines]
        wordings = [one for each, lookup in lookups for one in self._judged(each, lookup.found)]
        missing = [self._absent(one) for _, one in lookups if not one.found]
        status = _foremost({one.answer for _, one in lookups})
        return _Found(query, status, (then, *missing), tuple(wordings))

    def _absent(self, lookup: Lookup) -> str:
        return f"{heading(lookup, self.language)}：{absence(lookup, self.language)}"

    def _searched(self, query: str, result: SearchResult, then: str) -> _Found:
        """The provisions that speak to a query, or why there is none."""
        missing = result.coverage.not_held
        notes = [then]
        if missing:
            notes.append(self._say("not_held", laws="、".join(missing)))
        if missing and not set(result.analysis.works) - set(missing):
            return _Found(query, "not_covered", tuple(notes))
        wordings = tuple(self._hits(result))
        if wordings:
            return _Found(query, "found", tuple(notes), wordings)
        return self._nothing(query, result, notes)

    def _nothing(self, query: str, result: SearchResult, notes: Sequence[str]) -> _Found:
        """Whether what speaks to a query was not in force then, or nothing does at all."""
        ever = self.statutes.search(result.analysis, k=self.k, when="any")
        later = [_name(hit, self.language) for hit in ever.hits if self._speaks(ever, hit)]
        if later:
            note = self._say("not_then", later="；".join(later))
            return _Found(query, "not_in_force", (*notes, note))
        return _Found(query, "not_found", (*notes, self._say("nothing")))

    def _hits(self, result: SearchResult) -> Iterator[Shown]:
        for hit in result.hits:
            if not self._speaks(result, hit) or hit.provision.window is None:
                continue
            one = hit.provision
            timeline = self.book.corpus.timeline(one.work, one.number)
            start = one.window.start if one.window else self.today
            spans = (span for span in timeline.spans if span.state == "in_force")
            span = next((span for span in spans if span.window.start == start), None)
            if span is not None:
                yield from self._judged(timeline, (span,))

    def _speaks(self, result: SearchResult, hit: Hit) -> bool:
        one = hit.provision
        read = " ".join((one.work, one.number.chinese, *one.captions, one.text))
        return self.statutes.support(result.analysis, read) > 0

    def _judged(self, timeline: Timeline, found: Sequence[Span]) -> Iterator[Shown]:
        """Wordings found, and those that govern the case of the question if others do."""
        decision = ruled(self.judging, timeline, self.context)
        governing = decision.wordings if found and decision else ()
        for span in dict.fromkeys((*found, *governing)):
            yield shown(timeline, span, today=self.today, language=self.language, decision=decision)

    def _say(self, what: str, **words: str) -> str:
        return as_data(_WORDS[self.language][what].format(**words))


def _name(hit: Hit, language: Language) -> str:
    one = hit.provision
    days = show_days(one.window, language) if one.window else "?"
    return f"《{one.work}》{one.number.chinese}（{days}）"
