"""``rag_retrieve``: dated queries over the statutes, each with its own answer.

Queries are independent of each other. One without a time is searched under the law of the days of
the facts that a person gave for the run, else of today, and the answer says so. A query that names
a provision gets that provision, or the reason why it was not in force; any other gets the relevant
provisions under the law of its time. Hits of the index that share no word with the query are not
shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from inforce.dates import DateRange, hull, scan_dates
from inforce.documents.untrusted import as_data
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook
from inforce.retrieval.statutes import Hit, SearchResult
from inforce.tools.context import RunContext
from inforce.tools.statute_answers import (
    ShownWording,
    absence,
    applicable_wording,
    heading,
    shown_wordings,
)
from inforce.tools.statute_text import show_days, show_wording
from inforce.tools.tool import Language, ToolResult, ToolStatus, overall_status

_BARE_YEAR = re.compile(r"(?<![\w.,-])(19[4-9]\d|20\d\d)(?![\w.,-])")
"""A year as queries to search engines have it: a number on its own (``2004 公证遗嘱``)."""

_TEXTS: dict[Language, dict[str, str]] = {
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
class _Answer:
    """The answer to one query."""

    query: str
    status: ToolStatus
    notes: tuple[str, ...] = ()
    wordings: tuple[ShownWording, ...] = ()


def retrieve(
    book: LawBook,
    queries: Sequence[str],
    *,
    context: RunContext,
    k: int,
    language: Language,
    judged: bool,
) -> ToolResult:
    """Answer each query under the law of its time.

    Args:
        book: the statutes.
        queries: in Chinese or English, each with its own time.
        context: the run: its days of the facts, or else its day, are the time of a query without
            one.
        k: provisions a query returns at most.
        language: of the answer.
        judged: whether wordings have notes on whether they apply to the case of the run's question.
    """
    search = _Search(book, context, k, language, judged)
    answers = [search.answer(query) for query in queries]
    evidence = {one.wording.id: one.evidence for each in answers for one in each.wordings}
    data = [
        {
            "query": one.query,
            "status": one.status,
            "provisions": [shown.wording.id for shown in one.wordings],
        }
        for one in answers
    ]
    status = overall_status(one.status for one in answers)
    text = "\n\n".join(_paragraphs(answers, language))
    return ToolResult(text, status, tuple(evidence.values()), data)


def _paragraphs(answers: Sequence[_Answer], language: Language) -> Iterator[str]:
    """Every query with its wordings; one that was shown before is only named again."""
    texts, places = _TEXTS[language], dict[str, int]()
    for number, answer in enumerate(answers, 1):
        query = as_data(" ".join(answer.query.split()))
        place = number if len(answers) > 1 else ""
        lines = [texts["head"].format(place=place, query=query, status=answer.status)]
        lines += answer.notes
        ids = [one.wording.id for one in answer.wordings]
        if again := [f"[{places[id]}]" for id in ids if id in places]:
            lines.append(texts["above"].format(marks=" ".join(again)))
        yield "\n".join(lines)
        for one in answer.wordings:
            if one.wording.id not in places:
                places[one.wording.id] = len(places) + 1
                yield show_wording(one.wording, places[one.wording.id], language)


@dataclass(frozen=True, slots=True)
class _Search:
    """The searches of one call."""

    book: LawBook
    context: RunContext
    k: int
    language: Language
    judged: bool

    def answer(self, query: str) -> _Answer:
        if not query.strip():
            return _Answer(query, "invalid", (self._say("empty"),))
        scan = scan_dates(query, clock=lambda: self.context.today)
        if scan.unreadable and not scan.mentions:
            problem = self._say("dated_badly", problem=scan.unreadable[0].text)
            return _Answer(query, "invalid", (problem,))
        understood = self.book.statutes.understood(query)
        chosen, key = None, "days"
        if understood.time.origin == "today":
            chosen, key = self._days_of_undated(query)
        days = chosen or hull(understood.time.during)
        searched_under = self._say(key, days=show_days(days, self.language))
        if named := self.book.timelines(understood.analysis.provisions):
            return self._named(query, named, days, searched_under)
        result = self.book.statutes.search(understood.analysis, as_of=chosen, k=self.k)
        return self._searched(query, result, searched_under)

    def _days_of_undated(self, query: str) -> tuple[DateRange, str]:
        """The days for a query without a date, and the key of the sentence that says which."""
        years = {int(year) for year in _BARE_YEAR.findall(query)}
        if len(years) == 1:
            year = years.pop()
            return DateRange(date(year, 1, 1), date(year + 1, 1, 1)), "days"
        if self.context.as_of is not None:
            return self.context.as_of, "given"
        return DateRange.day(self.context.today), "undated"

    def _named(
        self, query: str, timelines: Sequence[Timeline], days: DateRange, searched_under: str
    ) -> _Answer:
        """The provisions a query names, or why they were not in force."""
        notes, wordings, statuses = [searched_under], list[ShownWording](), list[ToolStatus]()
        for timeline in timelines:
            lookup = timeline.versions_in(days)
            statuses.append(lookup.answer)
            wordings += self._shown(timeline, lookup.found)
            if not lookup.found:
                why = absence(lookup, self.language)
                notes.append(f"{heading(lookup, self.language)}：{why}")
        return _Answer(query, overall_status(statuses), tuple(notes), tuple(wordings))

    def _searched(self, query: str, result: SearchResult, searched_under: str) -> _Answer:
        """The provisions relevant to a query, or why there is none."""
        notes, missing = [searched_under], result.coverage.not_held
        if missing:
            notes.append(self._say("not_held", laws="、".join(missing)))
            if not set(result.analysis.works) - set(missing):
                return _Answer(query, "not_covered", tuple(notes))
        wordings: list[ShownWording] = []
        for hit in result.hits:
            one = hit.provision
            if one.window is None or not self._is_relevant(result, hit):
                continue
            timeline = self.book.corpus.timeline(one.work, one.number)
            spans = (span for span in timeline.spans if span.state == "in_force")
            span = next((span for span in spans if span.window.start == one.window.start), None)
            if span is not None:
                wordings += self._shown(timeline, (span,))
        if wordings:
            return _Answer(query, "found", tuple(notes), tuple(wordings))
        ever = self.book.statutes.search(result.analysis, k=self.k, when="any")
        others: list[str] = []
        for hit in ever.hits:
            if self._is_relevant(ever, hit):
                one = hit.provision
                days = show_days(one.window, self.language) if one.window else "?"
                others.append(f"《{one.work}》{one.number.chinese}（{days}）")
        if others:
            notes.append(self._say("not_then", later="；".join(others)))
            return _Answer(query, "not_in_force", tuple(notes))
        return _Answer(query, "not_found", (*notes, self._say("nothing")))

    def _is_relevant(self, result: SearchResult, hit: Hit) -> bool:
        one = hit.provision
        text = " ".join((one.work, one.number.chinese, *one.captions, one.text))
        return self.book.statutes.support(result.analysis, text) > 0

    def _shown(self, timeline: Timeline, spans: Sequence[Span]) -> list[ShownWording]:
        judged = self.judged
        return shown_wordings(
            timeline,
            spans,
            today=self.context.today,
            language=self.language,
            decision=applicable_wording(self.book, timeline, self.context) if judged else None,
        )

    def _say(self, key: str, **words: str) -> str:
        return as_data(_TEXTS[self.language][key].format(**words))
