"""Tools over the dated statutes: retrieve, look up an article, its history, its differences.

They answer under the law of the time that is asked about, with the text verbatim, the days it was
in force and what became of it; a date that cannot be read is a message to the model, never silently
"today".

The law book is synchronous, and its first search may build an index. Calls therefore run in threads
beside the event loop (an article takes about 2 ms, a search of 60,000 provisions 3 to 15 ms, a
history 45 ms).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from inforce.dates import ALWAYS, DateRange, parse_when
from inforce.documents.untrusted import as_data
from inforce.errors import DateError, IdentifierError, UnknownWorkError
from inforce.law.timeline import Lookup, Timeline
from inforce.lawbook import LawBook, ProvisionDiff
from inforce.tools.context import RunContext
from inforce.tools.rag_retrieve import retrieve
from inforce.tools.specs import built_in_specs
from inforce.tools.statute_answers import absence, applicable_wording, heading, shown_wordings
from inforce.tools.statute_text import show_wording
from inforce.tools.tool import Arguments, Language, Reach, Tool, ToolResult, ToolSpec, ToolStatus

DEFAULT_K = 5
"""Provisions a query of ``rag_retrieve`` returns at most."""

_REFUSALS: dict[Language, dict[str, str]] = {
    "zh": {
        "date": (
            "无法识别时间“{text}”。请写成 2010-06-01、2010年6月、2010、2010..2011-05-01 或 today。"
        ),
        "article": "无法识别条号“{text}”。请写成第七十四条、74 或 133-1。",
        "law": "本库未收录“{text}”（not_covered），不能据此判断这部法律的内容。{hint}",
        "hint": "名称相近的有：{names}。",
    },
    "en": {
        "date": (
            "{text!r} is no date. Write 2010-06-01, 2010-06, 2010, 2010..2011-05-01 or today."
        ),
        "article": "{text!r} is no article number. Write 74, 133-1 or 第七十四条.",
        "law": "{text!r} is not covered here (not_covered); nothing can be said about it.{hint}",
        "hint": " Similar names: {names}.",
    },
}


_CHANGED: dict[Language, str] = {
    "zh": "注意：这段时间内文本有变动（{days}），请按事实发生的日期选用。",
    "en": "Note: the law changed within these days ({days}); choose by the day.",
}


def statute_tools(
    book: LawBook, *, language: Language = "zh", k: int = DEFAULT_K, judged: bool = True
) -> tuple[Tool, ...]:
    """``rag_retrieve``, ``law_at``, ``history`` and ``diff`` over one law book.

    Args:
        book: the statutes; safe to share between runs.
        language: of specs and answers.
        k: provisions a query of ``rag_retrieve`` returns at most.
        judged: whether each wording has a note on whether it applies to the case of the run's
            question; not where a model is to learn that itself.
    """

    def rag_retrieve(arguments: Arguments, context: RunContext) -> ToolResult:
        queries = tuple(arguments["query"])
        return retrieve(book, queries, context=context, k=k, language=language, judged=judged)

    look_ups = _LookUps(book, language, judged)
    return tuple(
        StatuteTool(built_in_specs(language)[name], language, call)
        for name, call in (
            ("rag_retrieve", rag_retrieve),
            ("law_at", look_ups.law_at),
            ("history", look_ups.history),
            ("diff", look_ups.diff),
        )
    )


@dataclass(frozen=True, slots=True)
class StatuteTool:
    """One of the tools over the dated statutes."""

    reach: ClassVar[Reach] = "published"

    spec: ToolSpec
    language: Language
    look_up: Callable[[Arguments, RunContext], ToolResult]

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Look it up; mistakes in names, numbers and dates are answered in the tool's language."""
        return await asyncio.to_thread(self._answer, arguments, context)

    def _answer(self, arguments: Arguments, context: RunContext) -> ToolResult:
        try:
            return self.look_up(arguments, context)
        except DateError as error:
            return self._refused("invalid", "date", error.text)
        except IdentifierError as error:
            return self._refused("invalid", "article", error.text)
        except UnknownWorkError as error:
            names = "、".join(error.suggestions)
            hint = _REFUSALS[self.language]["hint"].format(names=names) if names else ""
            return self._refused("not_covered", "law", error.name, hint=hint)

    def _refused(self, status: ToolStatus, key: str, text: str, **more: str) -> ToolResult:
        message = _REFUSALS[self.language][key].format(text=text, **more)
        return ToolResult(as_data(message), status, data={"status": status})


@dataclass(frozen=True, slots=True)
class _LookUps:
    """Look-ups of one article in a law book."""

    book: LawBook
    language: Language
    judged: bool

    def law_at(self, arguments: Arguments, context: RunContext) -> ToolResult:
        days = _days(arguments["date"], context)
        lookup = self.book.lookup(arguments["law"], arguments["article"], on=days)
        timeline = self.book.corpus.timeline(lookup.work, lookup.number)
        return self._wordings(timeline, lookup, context, judged=self.judged)

    def history(self, arguments: Arguments, context: RunContext) -> ToolResult:
        found = self.book.history(arguments["law"], arguments["article"])
        lookup = found.timeline.versions_in(ALWAYS)
        result = self._wordings(found.timeline, lookup, context, judged=False)
        renumbered: list[str] = []
        for descent in found.descent:
            pairs = zip(descent.lineage.numbers, descent.days, strict=True)
            steps = (f"{number.chinese}（{day}）" for number, day in pairs)
            renumbered.append(" → ".join(steps))
        if not renumbered:
            return result
        is_chinese = self.language == "zh"
        label = "条号变动（由文本比对得出）" if is_chinese else "renumbered (computed)"
        text = "\n\n".join([result.text, *(f"{label}：{one}" for one in renumbered)])
        data = {**result.data, "renumbered": renumbered}
        return ToolResult(text, result.status, result.evidence, data)

    def diff(self, arguments: Arguments, context: RunContext) -> ToolResult:
        found = self.book.diff(
            arguments["law"],
            arguments["article"],
            earlier=_days(arguments["earlier"], context),
            later=_days(arguments["later"], context),
        )
        timeline = self.book.corpus.timeline(found.earlier.work, found.earlier.number)
        earlier, later = (
            self._wordings(timeline, lookup, context, judged=False)
            for lookup in (found.earlier, found.later)
        )
        status = earlier.status if earlier.status != "found" else later.status
        text = self._changes(found) if status == "found" else ""
        data = {
            "earlier": earlier.data,
            "later": later.data,
            "changed_share": found.changed_share,
        }
        evidence = {one.id: one for one in (*earlier.evidence, *later.evidence)}
        text = text or f"{earlier.text}\n\n{later.text}"
        return ToolResult(text, status, tuple(evidence.values()), data)

    def _changes(self, found: ProvisionDiff) -> str:
        """The difference in one text; empty where the wording changed within one of the dates."""
        if not found.pieces:
            return ""
        marks = {"equal": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
        marked = "".join(marks[piece.kind].format(piece.text) for piece in found.pieces)
        is_same = all(piece.kind == "equal" for piece in found.pieces)
        labels = {
            "zh": ("两个时间的文本相同：", "[-删去-] {+增加+}："),
            "en": ("The same wording at both times:", "[-deleted-] {+inserted+}:"),
        }
        headings = [heading(lookup, self.language) for lookup in (found.earlier, found.later)]
        return "\n".join([*headings, labels[self.language][0 if is_same else 1], as_data(marked)])

    def _wordings(
        self, timeline: Timeline, lookup: Lookup, context: RunContext, *, judged: bool
    ) -> ToolResult:
        """The wordings of a look-up, or why there is none."""
        found = shown_wordings(
            timeline,
            lookup.found,
            today=context.today,
            language=self.language,
            decision=applicable_wording(self.book, timeline, context) if judged else None,
        )
        parts = [heading(lookup, self.language)]
        if not found:
            parts.append(absence(lookup, self.language))
        elif lookup.changes and lookup.as_of != ALWAYS:
            days = "、".join(map(str, lookup.changes))
            parts.append(_CHANGED[self.language].format(days=days))
        parts += [
            show_wording(one.wording, place, self.language) for place, one in enumerate(found, 1)
        ]
        data = {
            "status": lookup.answer,
            "wordings": [
                {
                    "id": one.wording.id,
                    "text": one.wording.text,
                    "in_force": str(one.wording.window),
                }
                for one in found
            ],
        }
        evidence = tuple(one.evidence for one in found)
        return ToolResult("\n\n".join(parts), lookup.answer, evidence, data)


def _days(text: str, context: RunContext) -> DateRange:
    """The days of a date argument; "today" is the day of the run."""
    return parse_when(text, clock=lambda: context.today)
