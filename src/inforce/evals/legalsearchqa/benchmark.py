"""The two benchmarks of L-MARS, LegalSearchQA and the bar exam: their systems and scores.

Searches are recorded by question. An agent that words its own queries would find none of them, so
with a recording every search of a run is the search for its question, whatever the agent's query:
the released L-MARS does the same, whose query agent hands the question on as it is. The trace shows
the agent's query; the text of the result names the query that was used. A question whose search was
not recorded was not searched at all, and a run that depends on that search fails.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from inforce.agents.runtime.research import Researcher
from inforce.agents.settings import RECORDED
from inforce.evals import systems
from inforce.evals.baselines import BASELINES
from inforce.evals.benchmark import (
    Attempt,
    Benchmark,
    Item,
    ItemScore,
    ScoreItem,
    Setup,
    System,
)
from inforce.evals.legalsearchqa.items import OPTIONS, options_of, read_barexam, read_legalsearchqa
from inforce.evals.legalsearchqa.quality import VALUES, judge, supporting_evidence
from inforce.evals.legalsearchqa.tables import barexam_tables, legalsearchqa_tables
from inforce.evals.legalsearchqa.uscore import PAPER, band, expected_in, parts_of
from inforce.evals.summary import by_group, summary_of_means
from inforce.llm.chat import ChatModel
from inforce.scoring.answers import PARSE_ERROR, choice_letter
from inforce.tools.context import RunContext
from inforce.tools.tool import Arguments, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

AGENTS: Final = ("lmars", "lmars-multi", "r1", *BASELINES, "always-b")
"""Most answers of LegalSearchQA are B: the constant B has 58 % of the published 50."""

MEASURES = (
    *("accuracy", "parse_error", "u_score", "u_score_paper"),
    *("hedging", "temporal_vagueness", "citations", "jurisdiction", "decisiveness"),
    "quality",
)
"""All measures, the primary one first. ``u_score`` has the weights of the released code."""

_SEARCH = "web_search"


@asynccontextmanager
async def open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    """Open an agent or a baseline with its tools, in English.

    Raises:
        UserError: if there is none of that name, or it cannot have a setting.
    """
    queries, settings = options_of(setup).queries, setup.settings
    if setup.agent == "naive-rag" and settings.sources is None:
        setup = replace(setup, settings=replace(settings, sources=("web",)))
    async with systems.open_system(setup, model, language="en") as system:

        def searching_its_question(item: Item) -> Researcher:
            researcher = system(item)
            tools = searching_for(str(item.facts["search_query"]), researcher.tools)
            return replace(researcher, tools=tools)

        is_recorded = not queries and settings.web.startswith(RECORDED)
        yield searching_its_question if queries == "question" or is_recorded else system


def searching_for(query: str, tools: Toolbox) -> Toolbox:
    """The same tools, with a web search that replaces every query by this one."""
    if _SEARCH not in tools:
        return tools

    def relayed(spec: ToolSpec) -> _Relayed:
        if spec.name == _SEARCH:  # takes a whole case for a query: the real query is short
            parameter: Any = spec.parameters["query"]
            unlimited = {"query": {**parameter, "items": {"type": "string"}}}
            spec = replace(spec, parameters=unlimited)
        return _Relayed(spec, tools, query)

    return Toolbox(map(relayed, tools), language=tools.language)


@dataclass(frozen=True, slots=True)
class _Relayed:
    """A tool of another toolbox; the web search is always for the same query."""

    spec: ToolSpec
    tools: Toolbox
    query: str

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        if self.spec.name != _SEARCH:
            return await self.tools.call(self.spec.name, dict(arguments), context)
        result = await self.tools.call(_SEARCH, {"query": [self.query]}, context)
        if result.status != "not_covered":
            return result
        return replace(result, status="not_checked")  # a run that could not search has no score


def scorer(setup: Setup) -> ScoreItem:
    """Scores the letter of an answer, how uncertain it sounds, and its rating by a judge.

    Raises:
        UserError: if an option is wrong.
    """
    options = options_of(setup)

    async def score(item: Item, attempt: Attempt, model: ChatModel | None) -> ItemScore:
        verdict = await judge(item, attempt, model, votes=options.votes) if model else None
        quality = verdict.quality if verdict else None
        letter = choice_letter(attempt.text)
        is_placed = options.jurisdiction == "question"
        found = [one.url or one.title for one in supporting_evidence(attempt)]
        parts = parts_of(
            attempt.text,
            sources=found if options.sources == "found" else (),
            expected=expected_in(item.facts["stem"]) if is_placed else None,
        )
        values = {
            "accuracy": float(letter == item.target),
            "parse_error": float(letter == PARSE_ERROR),
            "u_score": parts.weighed(),
            "u_score_paper": parts.weighed(PAPER),
            **asdict(parts),
            "quality": VALUES[quality] if quality else None,
        }
        labels = {"certainty": band(parts.weighed())} | ({"quality": quality} if quality else {})
        return ItemScore(values, letter, labels, verdict.why if verdict else "")

    return score


LEGALSEARCHQA: Final = Benchmark(
    name="legalsearchqa",
    title="LegalSearchQA: current US law, four choices (L-MARS, section 4)",
    agents=AGENTS,
    primary=MEASURES[0],
    read=read_legalsearchqa,
    open_system=open_system,
    scorer=scorer,
    summarise=summary_of_means(MEASURES, by=by_group),
    tables=legalsearchqa_tables,
    options=OPTIONS,
    is_judged=True,
    without_model=("always-b",),
)

BAREXAM: Final = replace(
    LEGALSEARCHQA,
    name="barexam",
    title="Bar Exam QA: the multistate bar exam, four choices (evaluation of L-MARS)",
    read=read_barexam,
    tables=barexam_tables,
)

BENCHMARKS: Final = (LEGALSEARCHQA, BAREXAM)
