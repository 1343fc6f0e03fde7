"""The four agents of L-MARS as roles, and the roles played by a model (L-MARS, appendix A)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict

from inforce.agents.runtime.prompts import given_dates, prompt
from inforce.agents.runtime.run import Run
from inforce.agents.runtime.structured import ask_for
from inforce.agents.runtime.support import cited_numbers, supported
from inforce.documents.untrusted import as_observation
from inforce.llm.chat import Message
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence

SearchSource = Literal["web_search", "case_law", "offline_rag"]

CheckName = Literal["support", "source_quality", "date", "jurisdiction", "contradiction"]

_QUOTED = 2500
"""Characters of one source shown to the judge and the summary."""


class Understanding(TypedDict):
    """What the query agent reads out of a question; empty where it does not say."""

    issue: str
    entities: list[str]
    jurisdiction: str
    time_window: str


class Intent(TypedDict):
    """One search to make, and where."""

    source: SearchSource
    query: str


class Check(TypedDict):
    """One point of the judge's checklist."""

    check: CheckName
    result: Literal["pass", "fail", "not_checked"]
    why: str


class Verdict(TypedDict):
    """Whether the evidence is sufficient, point by point, and what to search for if it is not."""

    reasoning: str
    checks: list[Check]
    sufficient: bool
    refinements: list[str]


class _Questions(TypedDict):
    questions: list[str]


class _Intents(TypedDict):
    queries: list[Intent]


@dataclass(frozen=True, slots=True)
class Case:
    """The question with everything known about it."""

    run: RunContext
    understanding: Understanding | None = None
    said: tuple[tuple[str, str], ...] = ()
    """What the person was asked and replied."""
    sources: tuple[SearchSource, ...] = ()
    """Where this run can search."""

    @property
    def question(self) -> str:
        """What is asked."""
        return self.run.question

    @property
    def context(self) -> str:
        """All of it in words."""
        parts = [f"Today is {self.run.today.isoformat()}."]
        parts += filter(None, [given_dates(self.run, "en")])
        if self.understanding:
            known = {name: value for name, value in self.understanding.items() if value}
            parts.append(f"Understood: {known}")
        parts += [f"Asked: {question}\nThe person said: {reply}" for question, reply in self.said]
        return "\n".join(parts)


class Roles(Protocol):
    """The agents of the workflow, whoever plays them."""

    async def understand(self, case: Case) -> Understanding:
        """Query agent: issue, entities, jurisdiction and time window of the question."""
        ...

    async def follow_ups(self, case: Case) -> list[str]:
        """Query agent: what only the person can tell; none where nothing is missing."""
        ...

    async def intents(self, case: Case, verdicts: Sequence[Verdict]) -> list[Intent]:
        """Query agent: what to search for, given what the judge found missing."""
        ...

    def worth_reading(self, found: Sequence[Evidence]) -> list[Evidence]:
        """Search agent: results in the order in which they should be opened."""
        ...

    async def judge(self, case: Case, evidence: Sequence[Evidence], number: int) -> Verdict:
        """Judge agent: is this sufficient, in round ``number`` (from 1)?"""
        ...

    async def summarise(self, case: Case, evidence: Sequence[Evidence]) -> str:
        """Summary agent: the answer, each statement with the number of its source."""
        ...


class ModelRoles:
    """The roles played by a model; where its reply has no usable form, the rules take over."""

    def __init__(self, run: Run, *, fallback: Roles, judge_by_rules: bool) -> None:
        self._run = run
        self._fallback = fallback
        self._judge_by_rules = judge_by_rules

    async def understand(self, case: Case) -> Understanding:
        """The question, parsed; by rule if the model gives no parse."""
        asked = _prompt("understand", case)
        read = await ask_for(self._run, Understanding, asked, role="query")
        return read or await self._fallback.understand(case)

    async def follow_ups(self, case: Case) -> list[str]:
        """At most three questions."""
        asked = _prompt("follow_up", case)
        read = await ask_for(self._run, _Questions, asked, role="query")
        return read["questions"][:3] if read else []

    async def intents(self, case: Case, verdicts: Sequence[Verdict]) -> list[Intent]:
        """Two to four searches; what the judge asked for where the model names none."""
        asked = _prompt(
            "queries",
            case,
            sources=", ".join(case.sources),
            missing="\n".join(_missing(one) for one in verdicts) or "(first round)",
        )
        read = await ask_for(self._run, _Intents, asked, role="query")
        named = read["queries"] if read else []
        usable = [one for one in named if one["source"] in case.sources and one["query"].strip()]
        return usable[:4] or await self._fallback.intents(case, verdicts)

    def worth_reading(self, found: Sequence[Evidence]) -> list[Evidence]:
        """By authority, as the rules have it: no model is needed to prefer a court to a forum."""
        return self._fallback.worth_reading(found)

    async def judge(self, case: Case, evidence: Sequence[Evidence], number: int) -> Verdict:
        """The model's verdict; that of the rules where it gives none, or where they are to judge.

        A model cannot find nothing sufficient: without evidence the rules decide.
        """
        if self._judge_by_rules or not evidence:
            return await self._fallback.judge(case, evidence, number)
        asked = _prompt("judge", case, round=number, evidence=numbered(evidence))
        read = await ask_for(self._run, Verdict, asked, role="judge")
        return read or await self._fallback.judge(case, evidence, number)

    async def summarise(self, case: Case, evidence: Sequence[Evidence]) -> str:
        """The model's answer; what was found, quoted, where it says nothing that rests on it."""
        asked = _prompt("summary", case, evidence=numbered(evidence))
        reply = await self._run.reply(asked, role="summary")
        if _rests_on(reply.text, evidence):
            return reply.text.strip()
        self._run.note("invalid_reply", "summary: it names no source, and none found supports it")
        return await self._fallback.summarise(case, evidence)


def _prompt(name: str, case: Case, **gaps: object) -> list[Message]:
    """The conversation that asks for one thing about a case."""
    words = prompt("lmars", name)
    text = words.substitute(question=case.question, context=case.context, **gaps)
    return [Message("user", text)]


def numbered(evidence: Sequence[Evidence]) -> str:
    """Sources as a model reads them: numbered, dated, and marked as data."""
    return "\n\n".join(_source(number, one) for number, one in enumerate(evidence, start=1))


def _rests_on(text: str, evidence: Sequence[Evidence]) -> bool:
    """Whether a summary names one of its sources, or says what one of them says."""
    if any(0 < number <= len(evidence) for number in cited_numbers(text)):
        return True
    return any(one.support for one in supported(text, evidence))


def _source(number: int, one: Evidence) -> str:
    head = " | ".join(part for part in (one.title, one.url, one.date, one.status) if part)
    text = one.text if len(one.text) <= _QUOTED else f"{one.text[:_QUOTED]} […]"
    return f'<source n="{number}">\n{as_observation(head)}\n{as_observation(text)}\n</source>'


def _missing(verdict: Verdict) -> str:
    failed = [
        f"{one['check']}: {one['why']}" for one in verdict["checks"] if one["result"] == "fail"
    ]
    return "\n".join([*failed, *(f"suggested: {one}" for one in verdict["refinements"])])
