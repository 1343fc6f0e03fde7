"""L-MARS: query, search, judge and summary agents in one workflow (L-MARS, section 3).

In simple mode a question goes once through query, search and answer. In multi-turn mode
(algorithm 1) the person is asked what the question leaves open, and a judge sends the search back,
with what is missing, until the evidence is sufficient or the rounds are spent. What was blocked or
is empty never reaches the judge's credit or the summary; without evidence there is no answer.

The graph holds ids of evidence only: the texts are the run's, which also writes the trace.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from importlib import import_module
from operator import add
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

from inforce.agents.lmars.roles import ModelRoles
from inforce.agents.lmars.rules import (
    Case,
    Intent,
    RuleRoles,
    SearchSource,
    Understanding,
    Verdict,
    usable,
)
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.errors import MissingExtraError
from inforce.llm.chat import OFFLINE
from inforce.tools.evidence import Evidence
from inforce.tools.tool import ToolStatus

Mode = Literal["simple", "multi_turn"]

MAX_ROUNDS = 3
"""M of algorithm 1."""

READ_PER_ROUND = 3
"""m: pages opened in a round (section 3.3)."""


class WorkflowState(TypedDict, total=False):
    """(q, U, D) and the results of the agents (section 3.1)."""

    understanding: Understanding
    """Q: the question, parsed."""
    questions: list[str]
    """F: follow-up questions to the person."""
    replies: list[str]
    """U: the person's replies, one a question; empty: no answer."""
    intents: list[Intent]
    """S: the searches of this round."""
    found: Annotated[list[str], add]
    """R: ids of the evidence, round by round."""
    verdicts: Annotated[list[Verdict], add]
    """E: the judge's verdicts, round by round."""
    asked: Annotated[list[str], add]
    """Queries searched for before."""
    answer: str


class LMars:
    """The L-MARS workflow as an agent.

    Args:
        mode: one pass, or the judged loop.
        max_rounds: M, searches at most in the loop.
        judge: who judges: the model, or the rules of the checklist.
    """

    def __init__(
        self,
        mode: Mode = "simple",
        *,
        max_rounds: int = MAX_ROUNDS,
        judge: Literal["model", "rules"] = "model",
    ) -> None:
        self.mode: Mode = mode
        self.name = "lmars" if mode == "simple" else "lmars-multi"
        self._max_rounds = max_rounds
        self._judge = judge

    @property
    def settings(self) -> dict[str, str]:
        """Mode, rounds and judge."""
        return {"mode": self.mode, "max_rounds": str(self._max_rounds), "judge": self._judge}

    async def __call__(self, run: Run) -> Draft:
        """Walk the graph; an interrupt is a question to the person of the run."""
        roles = RuleRoles()
        if run.model.name != OFFLINE:
            roles = ModelRoles(run, judge_by_rules=self._judge == "rules")
        workflow = _Workflow(run, roles, self._max_rounds)
        library = _langgraph()
        graph = _graph(workflow, self.mode, library)
        steps = 10 * (self._max_rounds + 1)
        place = {"configurable": {"thread_id": "run"}, "recursion_limit": steps}
        state = await graph.ainvoke({}, place)
        while interrupts := state.get("__interrupt__"):
            replies = await run.ask_person(interrupts[0].value)
            state = await graph.ainvoke(library.types.Command(resume=list(replies)), place)
        return workflow.draft(state)


class _Workflow:
    """The nodes of the graph: each reads the state and returns its additions."""

    def __init__(self, run: Run, roles: RuleRoles, max_rounds: int) -> None:
        self._run = run
        self._roles = roles
        self._max_rounds = max_rounds
        self._statuses: list[ToolStatus] = []
        """Of every search made."""

    async def query(self, state: WorkflowState) -> WorkflowState:
        """Q <- QueryAgent(q)."""
        return {"understanding": await self._roles.understand(self._case(state))}

    async def follow_up(self, state: WorkflowState) -> WorkflowState:
        """F <- GenerateFollowUps(Q)."""
        return {"questions": await self._roles.follow_ups(self._case(state))}

    async def intents(self, state: WorkflowState) -> WorkflowState:
        """S <- GenSearchQueries(Q, R, E), less what was searched for before."""
        asked = set(state.get("asked", []))
        wanted = await self._roles.intents(self._case(state), state.get("verdicts", []))
        fresh = [one for one in wanted if one["query"] not in asked]
        return {"intents": fresh, "asked": [one["query"] for one in fresh]}

    async def search(self, state: WorkflowState) -> WorkflowState:
        """R_i: titles and snippets from every source."""
        return {"found": await self._searched(state.get("intents", []))}

    async def deep_search(self, state: WorkflowState) -> WorkflowState:
        """R_i <- DeepSearch(S, k = 3, with content)."""
        found = await self._searched(state.get("intents", []))
        return {"found": [*found, *await self._read(found)]}

    async def judge(self, state: WorkflowState) -> WorkflowState:
        """(sufficient, notes) <- JudgeAgent(R, T = 0), which grows lenient with the rounds."""
        number = len(state.get("verdicts", [])) + 1
        verdict = await self._roles.judge(self._case(state), self._usable(state), number)
        self._run.note("judge", f"round {number}: {_summary(verdict)}")
        return {"verdicts": [verdict]}

    async def answer(self, state: WorkflowState) -> WorkflowState:
        """A <- SummaryAgent(R), from usable evidence only."""
        evidence = self._usable(state)
        if not evidence:
            return {"answer": ""}
        return {"answer": await self._roles.summarise(self._case(state), evidence)}

    def goes_on(self, state: WorkflowState) -> Literal["intents", "answer"]:
        """Whether the judge's verdict sends the search back."""
        verdicts = state.get("verdicts", [])
        spent = len(verdicts) >= self._max_rounds
        return "answer" if spent or verdicts[-1]["sufficient"] else "intents"

    def found_a_query(self, state: WorkflowState) -> Literal["deep_search", "answer"]:
        """Nothing new to search for ends the loop."""
        return "deep_search" if state.get("intents") else "answer"

    def draft(self, state: WorkflowState) -> Draft:
        """The answer, or an abstention that says why."""
        verdicts = state.get("verdicts", [])
        note = "" if not verdicts or verdicts[-1]["sufficient"] else _summary(verdicts[-1])
        if not state.get("answer"):
            silent = bool(self._statuses) and set(self._statuses) <= {"failed", "not_checked"}
            outcome = "failed" if silent else "abstained"
            return Draft("", outcome, note or "no usable source was found")
        numbered = tuple(one.id for one in self._usable(state))
        return Draft(state.get("answer", ""), "answered", note, numbered)

    def _case(self, state: WorkflowState) -> Case:
        said = zip(state.get("questions", []), state.get("replies", []), strict=False)
        return Case(
            self._run.context,
            state.get("understanding"),
            tuple((question, reply) for question, reply in said if reply),
            tuple(source for source, tool in _SOURCES.items() if tool in self._run.tools),
        )

    def _usable(self, state: WorkflowState) -> list[Evidence]:
        known = self._run.evidence
        ids = dict.fromkeys(state.get("found", []))
        return [known[one] for one in ids if one in known and usable(known[one])]

    async def _searched(self, intents: Iterable[Intent]) -> list[str]:
        """Ids of what the sources returned, in the order of the intents."""
        calls = [call for call in _calls(intents) if call[0] in self._run.tools]
        results = await asyncio.gather(*(self._run.call(*call) for call in calls))
        self._statuses.extend(result.status for result in results)
        return list(dict.fromkeys(one.id for result in results for one in result.evidence))

    async def _read(self, found: Iterable[str]) -> list[str]:
        """Ids of the best web results again, once opened: their text is then the page's."""
        known = self._run.evidence
        pages = [known[one].url for one in found if one in known and known[one].kind == "web"]
        best = self._roles.worth_reading([known[one] for one in found if one in known])
        urls = [one.url for one in best if one.url in pages][:READ_PER_ROUND]
        if not urls or "browse_webpage" not in self._run.tools:
            return []
        result = await self._run.call("browse_webpage", {"url_list": urls})
        return [one.id for one in result.evidence]


_SOURCES: dict[SearchSource, str] = {
    "web_search": "web_search",
    "case_law": "case_law_search",
    "offline_rag": "search_documents",
}
"""Which tool serves which kind of search intent."""


def _calls(intents: Iterable[Intent]) -> list[tuple[str, dict[str, Any]]]:
    """Tool calls for search intents: one call takes all the web queries of a round."""
    wanted: dict[SearchSource, list[str]] = {}
    for one in intents:
        wanted.setdefault(one["source"], []).append(one["query"])
    calls: list[tuple[str, dict[str, Any]]] = []
    for source, queries in wanted.items():
        tool = _SOURCES[source]
        if source == "web_search":
            calls.append((tool, {"query": queries}))
        else:
            calls += [(tool, {"query": query}) for query in queries]
    return calls


def _summary(verdict: Verdict) -> str:
    checks = ", ".join(f"{one['check']} {one['result']}" for one in verdict["checks"])
    word = "sufficient" if verdict["sufficient"] else "insufficient"
    return f"{word} ({checks}): {verdict['reasoning']}"


class _LangGraph(NamedTuple):
    """The parts of LangGraph in use; it ships as an extra and takes a moment to load."""

    graph: Any
    types: Any
    memory: Any


def _langgraph() -> _LangGraph:
    names = ("langgraph.graph", "langgraph.types", "langgraph.checkpoint.memory")
    try:
        return _LangGraph(*map(import_module, names))
    except ImportError as error:
        raise MissingExtraError("the L-MARS workflow", "agents") from error


def _graph(workflow: _Workflow, mode: Mode, library: _LangGraph) -> Any:
    """The compiled graph of a mode (figure 1). Its memory lasts from an interrupt to the reply."""
    graph = library.graph.StateGraph(WorkflowState)
    for node in (workflow.query, workflow.intents, workflow.answer):
        graph.add_node(node.__name__, node)
    graph.add_edge(library.graph.START, "query")
    graph.add_edge("answer", library.graph.END)
    if mode == "simple":
        _add_single_pass(graph, workflow)
    else:
        _add_judged_loop(graph, workflow, library.types.interrupt)
    return graph.compile(checkpointer=library.memory.InMemorySaver())


def _add_single_pass(graph: Any, workflow: _Workflow) -> None:
    graph.add_node("search", workflow.search)
    graph.add_edge("query", "intents")
    graph.add_edge("intents", "search")
    graph.add_edge("search", "answer")


def _add_judged_loop(graph: Any, workflow: _Workflow, interrupt: Any) -> None:
    async def clarify(state: WorkflowState) -> WorkflowState:
        """Receive the person's replies U: the graph waits here for them."""
        questions = state.get("questions", [])
        return {"replies": list(interrupt(questions)) if questions else []}

    graph.add_node("follow_up", workflow.follow_up)
    graph.add_node("clarify", clarify)
    graph.add_node("deep_search", workflow.deep_search)
    graph.add_node("judge", workflow.judge)
    graph.add_edge("query", "follow_up")
    graph.add_edge("follow_up", "clarify")
    graph.add_edge("clarify", "intents")
    graph.add_conditional_edges("intents", workflow.found_a_query)
    graph.add_edge("deep_search", "judge")
    graph.add_conditional_edges("judge", workflow.goes_on)
