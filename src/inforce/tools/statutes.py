"""Tools over the dated statutes: retrieve, look up an article, its history, its differences.

`statute_tools` gives all four over one `LawBook`. They answer under the law of the time that is
asked about, with the text verbatim, the days it was in force and what became of it; a date that
cannot be read is a message to the model, never "today" in silence.

The law book is synchronous, and its first search may build an index. Calls therefore run in threads
beside the event loop (an article takes about 2 ms, a search of 60,000 provisions 3 to 15 ms, a
history 45 ms).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from inforce.dates import ALWAYS, DateRange, parse_when
from inforce.documents.untrusted import as_data
from inforce.errors import DateError, IdentifierError, UnknownWorkError
from inforce.law.applicability import Applicability
from inforce.law.timeline import Lookup, Timeline
from inforce.lawbook import LawBook, ProvisionDiff
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.governing import ruled
from inforce.tools.rag_retrieve import retrieve
from inforce.tools.specs import built_in_specs
from inforce.tools.statute_answers import absence, blocks, evidence_of, heading, shown
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


def statute_tools(
    book: LawBook, *, language: Language = "zh", k: int = DEFAULT_K, judged: bool = True
) -> tuple[Tool, ...]:
    """``rag_retrieve``, ``law_at``, ``history`` and ``diff`` over one book.

    Args:
        book: where the law is; safe to share between runs.
        language: of specs and answers.
        k: provisions a query of ``rag_retrieve`` returns at most.
        judged: whether each wording is shown with what the dates of the run's question make of it;
            not where a model is to learn that itself.
    """
    judging = book if judged else None

    def tool(name: str, answer: _Answer) -> StatuteTool:
        return StatuteTool(built_in_specs(language)[name], language, answer)

    def retrieval(call: _Call) -> ToolResult:
        queries = tuple(call.arguments["query"])
        return retrieve(
            book, queries, context=call.context, k=k, language=language, judging=judging
        )

    return (
        tool("rag_retrieve", retrieval),
        tool("law_at", lambda call: _law_at(book, call, judging)),
        tool("history", lambda call: _history(book, call)),
        tool("diff", lambda call: _diff(book, call)),
    )


@dataclass(frozen=True, slots=True)
class _Call:
    """A call: its arguments, its run, and the language of its answer."""

    arguments: Arguments
    context: RunContext
    language: Language

    @property
    def today(self) -> date:
        return self.context.today

    def when(self, name: str) -> DateRange:
        """The days of a date argument; "today" is the day of the run."""
        return parse_when(self.arguments[name], clock=lambda: self.today)


_Answer = Callable[[_Call], ToolResult]


@dataclass(frozen=True, slots=True)
class StatuteTool:
    """One look-up in the dated statutes."""

    reach: ClassVar[Reach] = "published"

    spec: ToolSpec
    language: Language
    answer: _Answer

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Look it up; mistakes in names, numbers and dates are answered in the tool's language."""
        return await asyncio.to_thread(self._answered, _Call(arguments, context, self.language))

    def _answered(self, call: _Call) -> ToolResult:
        try:
            return self.answer(call)
        except DateError as error:
            return self._refused("invalid", "date", error.text)
        except IdentifierError as error:
            return self._refused("invalid", "article", error.text)
        except UnknownWorkError as error:
            names = "、".join(error.suggestions)
            hint = _REFUSALS[self.language]["hint"].format(names=names) if names else ""
            return self._refused("not_covered", "law", error.name, hint=hint)

    def _refused(self, status: ToolStatus, why: str, text: str, **more: str) -> ToolResult:
        words = _REFUSALS[self.language][why].format(text=text, **more)
        return ToolResult(as_data(words), status, data={"status": status})


def _law_at(book: LawBook, call: _Call, judging: LawBook | None) -> ToolResult:
    days = call.when("date")
    law, article = call.arguments["law"], call.arguments["article"]
    lookup = book.lookup(law, article, on=days)
    timeline = book.corpus.timeline(lookup.work, lookup.number)
    return _wordings(timeline, lookup, call, decision=ruled(judging, timeline, call.context))


def _history(book: LawBook, call: _Call) -> ToolResult:
    found = book.history(call.arguments["law"], call.arguments["article"])
    result = _wordings(found.timeline, found.timeline.versions_in(ALWAYS), call)
    steps = [_moved(descent.lineage.numbers, descent.days) for descent in found.descent]
    if not steps:
        return result
    label = "条号变动（由文本比对得出）" if call.language == "zh" else "renumbered (computed)"
    text = "\n\n".join([result.text, *(f"{label}：{step}" for step in steps)])
    return ToolResult(text, result.status, result.evidence, {**result.data, "renumbered": steps})


def _moved(numbers: Sequence[Any], days: Sequence[date]) -> str:
    pairs = zip(numbers, days, strict=True)
    return " → ".join(f"{number.chinese}（{day}）" for number, day in pairs)


def _diff(book: LawBook, call: _Call) -> ToolResult:
    earlier, later = call.when("earlier"), call.when("later")
    law, article = call.arguments["law"], call.arguments["article"]
    found = book.diff(law, article, earlier=earlier, later=later)
    timeline = book.corpus.timeline(found.earlier.work, found.earlier.number)
    sides = [_wordings(timeline, lookup, call) for lookup in (found.earlier, found.later)]
    evidence: dict[str, Evidence] = {one.id: one for side in sides for one in side.evidence}
    status = sides[0].status if sides[0].status != "found" else sides[1].status
    text = _changes(found, call.language) if status == "found" else ""
    parts = [text] if text else [side.text for side in sides]
    data = {"earlier": sides[0].data, "later": sides[1].data, "changed_share": found.changed_share}
    return ToolResult("\n\n".join(parts), status, tuple(evidence.values()), data)


def _changes(found: ProvisionDiff, language: Language) -> str:
    """The difference in one text; nothing where the wording changed inside one of the dates."""
    if not found.pieces:
        return ""
    marks = {"equal": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
    marked = "".join(marks[piece.kind].format(piece.text) for piece in found.pieces)
    same = all(piece.kind == "equal" for piece in found.pieces)
    labels = {
        "zh": ("两个时间的文本相同：", "[-删去-] {+增加+}："),
        "en": ("The same wording at both times:", "[-deleted-] {+inserted+}:"),
    }
    lines = [heading(found.earlier, language), heading(found.later, language)]
    return "\n".join([*lines, labels[language][0 if same else 1], as_data(marked)])


def _wordings(
    timeline: Timeline, lookup: Lookup, call: _Call, *, decision: Applicability | None = None
) -> ToolResult:
    """The wordings of a look-up, or why there is none."""
    head, language = heading(lookup, call.language), call.language
    governing = decision.wordings if decision and lookup.found else ()
    found = [
        shown(timeline, span, today=call.today, language=language, decision=decision)
        for span in dict.fromkeys((*lookup.found, *governing))
    ]
    shown_blocks = blocks(found, language) if found else [absence(lookup, language)]
    changed = [f"{day}" for day in lookup.changes] if found else []
    if changed and lookup.as_of != ALWAYS:
        days = "、".join(changed)
        note = {
            "zh": f"注意：这段时间内文本有变动（{days}），请按事实发生的日期选用。",
            "en": f"Note: the law changed within these days ({days}); choose by the day.",
        }
        shown_blocks.insert(0, note[language])
    data = {
        "status": lookup.answer,
        "wordings": [
            {"id": one.wording.id, "text": one.wording.text, "in_force": str(one.wording.window)}
            for one in found
        ],
    }
    evidence = tuple(evidence_of(one) for one in found)
    return ToolResult("\n\n".join([head, *shown_blocks]), lookup.answer, evidence, data)
