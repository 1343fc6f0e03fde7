"""The four agents of L-MARS played by a model (L-MARS, appendix A)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, TypeVar

from inforce.agents.lmars.rules import Case, Intent, RuleRoles, Understanding, Verdict
from inforce.agents.runtime.prompts import prompt
from inforce.agents.runtime.run import Run
from inforce.agents.runtime.support import cited_numbers, supported
from inforce.documents.untrusted import as_observation
from inforce.llm.chat import GREEDY, Message
from inforce.llm.json_replies import read_as
from inforce.tools.evidence import Evidence

T = TypeVar("T")

_QUOTED = 2500
"""Characters of one source shown to the judge and the summary."""

_ATTEMPTS = 2
"""Replies of a model that are read for a value of the form asked for."""

_AGAIN = (
    "Your reply could not be used: {problem}. Reply again with one JSON object of the form asked "
    "for, and nothing else."
)


class _Questions(TypedDict):
    questions: list[str]


class _Intents(TypedDict):
    queries: list[Intent]


class ModelRoles(RuleRoles):
    """The agents played by a model; where its reply has no usable form, the rules take over.

    No model is needed to prefer a court to a forum: results are opened in the order of the rules.
    """

    def __init__(self, run: Run, *, judge_by_rules: bool) -> None:
        self._run = run
        self._judge_by_rules = judge_by_rules

    async def understand(self, case: Case) -> Understanding:
        """Query agent: issue, entities, jurisdiction and time window of the question."""
        read = await self._ask_for(Understanding, _prompt("understand", case), role="query")
        return read or await super().understand(case)

    async def follow_ups(self, case: Case) -> list[str]:
        """Query agent: ask what only the person can tell, at most three questions."""
        read = await self._ask_for(_Questions, _prompt("follow_up", case), role="query")
        return read["questions"][:3] if read else []

    async def intents(self, case: Case, verdicts: Sequence[Verdict]) -> list[Intent]:
        """Query agent: two to four searches; those of the judge where the model names none."""
        asked = _prompt(
            "queries",
            case,
            sources=", ".join(case.sources),
            missing="\n".join(map(_missing, verdicts)) or "(first round)",
        )
        read = await self._ask_for(_Intents, asked, role="query")
        intents = read["queries"] if read else []
        usable = [one for one in intents if one["source"] in case.sources and one["query"].strip()]
        return usable[:4] or await super().intents(case, verdicts)

    async def judge(self, case: Case, evidence: Sequence[Evidence], number: int) -> Verdict:
        """Judge agent: is the evidence sufficient, in round ``number``?

        A model cannot find nothing sufficient: without evidence the rules decide.
        """
        if not self._judge_by_rules and evidence:
            asked = _prompt("judge", case, round=number, evidence=_numbered(evidence))
            if read := await self._ask_for(Verdict, asked, role="judge"):
                return read
        return await super().judge(case, evidence, number)

    async def summarise(self, case: Case, evidence: Sequence[Evidence]) -> str:
        """Summary agent: the answer, each statement with the number of its source.

        The rules quote instead where it names no source, and no source supports it.
        """
        asked = _prompt("summary", case, evidence=_numbered(evidence))
        text = (await self._run.reply(asked, role="summary")).text
        cites = any(0 < number <= len(evidence) for number in cited_numbers(text))
        if cites or any(one.support for one in supported(text, evidence)):
            return text.strip()
        self._run.note("invalid_reply", "summary: it names no source, and none found supports it")
        return await super().summarise(case, evidence)

    async def _ask_for(self, shape: type[T], asked: list[Message], *, role: str) -> T | None:
        """A value from the model's JSON, or ``None`` if it never gives one.

        The model is told once what is wrong with its reply, and the trace has a note of it.
        """
        turns = list(asked)
        for _ in range(_ATTEMPTS):
            reply = await self._run.reply(turns, GREEDY, role=role)
            try:
                return read_as(shape, reply.text)
            except ValueError as error:
                self._run.note("invalid_reply", f"{role}: {error}")
                again = Message("user", _AGAIN.format(problem=error))
                turns += [Message("assistant", reply.text), again]
        return None


def _prompt(name: str, case: Case, **gaps: object) -> list[Message]:
    """The conversation that asks for one thing about a case."""
    words = prompt("lmars", name)
    text = words.substitute(question=case.question, context=case.context, **gaps)
    return [Message("user", text)]


def _numbered(evidence: Sequence[Evidence]) -> str:
    """Sources as a model reads them: numbered, dated, and marked as data."""
    sources: list[str] = []
    for number, one in enumerate(evidence, start=1):
        head = " | ".join(part for part in (one.title, one.url, one.date, one.status) if part)
        text = one.text if len(one.text) <= _QUOTED else f"{one.text[:_QUOTED]} […]"
        shown = f"{as_observation(head)}\n{as_observation(text)}"
        sources.append(f'<source n="{number}">\n{shown}\n</source>')
    return "\n\n".join(sources)


def _missing(verdict: Verdict) -> str:
    failed = [
        f"{one['check']}: {one['why']}" for one in verdict["checks"] if one["result"] == "fail"
    ]
    return "\n".join([*failed, *(f"suggested: {one}" for one in verdict["refinements"])])
