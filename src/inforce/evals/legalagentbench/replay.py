"""Run an agent over LegalAgentBench's tasks: many at once, resumable, scored and compared.

With a folder for traces, every task has a file in it. A run that is interrupted goes on from there;
tasks that have their answer are not asked again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from inforce.agents.answer import ResearchAnswer
from inforce.agents.closing import final_of, summary_of
from inforce.agents.research import Research, research
from inforce.agents.run import Agent
from inforce.agents.trace import Event, read_trace
from inforce.errors import ModelError
from inforce.evals.legalagentbench.observations import Contradicts, Match, compare, observations_of
from inforce.evals.legalagentbench.scoring import Attempt, Rates, by_group, rates, score
from inforce.evals.legalagentbench.tasks import Task
from inforce.llm.chat import ChatModel, Usage
from inforce.llm.recorded import RecordedModel, Recording
from inforce.tools.context import RunContext
from inforce.tools.toolbox import Toolbox

AT_ONCE = 8
"""Tasks that are worked on at the same time."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Who works on the tasks, and with what."""

    agent: Callable[[Task], Agent]
    model: ChatModel
    tools: Callable[[Task], Toolbox]
    today: date
    traces: Path | None = None
    at_once: int = AT_ONCE
    contradicts: Contradicts = lambda text, observation: None


@dataclass(frozen=True, slots=True)
class Report:
    """What the tasks came to together; see `inforce.evals.legalagentbench.scoring`."""

    agent: str
    model: str
    n: int
    """Tasks that were scored."""
    success_rate: float | None
    process_rate: float | None
    solved_rate: float | None
    observation_match: float | None
    """Share of observations that are as recorded, contradictory steps set aside; ``None`` without a
    recording, as the next three."""
    observation_match_all: float | None
    """The same with contradictory steps."""
    format_match: float | None
    """Share of replies read as in the recorded run, as an action or as none."""
    contradictory: int | None
    """Steps whose recorded observation cannot belong to what is recorded of the reply."""
    groups: dict[str, Rates]
    """By number of hops."""
    outcomes: dict[str, int]
    """How the runs ended; ``failed`` and ``budget`` are not scored."""
    usage: Usage
    failures: tuple[str, ...] = ()
    """Why tasks were not scored, each reason once, with the first task it befell."""


@dataclass(slots=True)
class _Worked:
    """One task after its run."""

    attempt: Attempt
    match: Match
    agent: str


@dataclass(frozen=True, slots=True)
class _Recorded:
    """The recordings of a model, by question and by task."""

    by_question: dict[str, Recording] = field(default_factory=dict[str, Recording])
    by_id: dict[str, Recording] = field(default_factory=dict[str, Recording])

    @classmethod
    def of(cls, model: ChatModel) -> _Recorded:
        kept = cls()
        for one in model.recordings if isinstance(model, RecordedModel) else ():
            kept.by_question.setdefault(one.question, one)
            kept.by_id.setdefault(str(one.id), one)
        return kept

    def of_task(self, task: Task) -> Recording | None:
        """The recording of a task; some were asked in other words than the data set has now."""
        return self.by_question.get(task.question) or self.by_id.get(str(task.id))


async def run_tasks(
    tasks: Sequence[Task], bench: Bench, *, progress: Callable[[int], None] = lambda steps: None
) -> Report:
    """Work on all tasks, and report.

    Raises:
        ModelError: if not one task could be scored.
        InputError, UserError: if a trace is damaged, or of another run.
    """
    recorded = _Recorded.of(bench.model)
    slots = asyncio.Semaphore(bench.at_once)

    async def work(task: Task) -> _Worked:
        async with slots:
            worked = await _work(task, bench, recorded.of_task(task))
        progress(1)
        return worked

    return _report(await asyncio.gather(*map(work, tasks)), bench)


async def _work(task: Task, bench: Bench, recording: Recording | None) -> _Worked:
    agent = bench.agent(task)
    events: list[Event] = []
    trace = bench.traces / f"{task.id}.jsonl" if bench.traces else None
    question = recording.question if recording else task.question
    answer = await research(
        agent,
        Research(
            bench.model,
            bench.tools(task),
            RunContext(question, bench.today),
            trace,
            listeners=(events.append,),
        ),
    )
    happened = read_trace(trace) if trace else tuple(events)
    match = Match()
    if recording:
        match = compare(observations_of(happened), recording, bench.contradicts)
    return _Worked(_attempt(task, answer, happened), match, agent.name)


def _attempt(task: Task, answer: ResearchAnswer, events: Sequence[Event]) -> Attempt:
    final = final_of(events) or answer.text
    return Attempt(
        task, answer.outcome, final, summary_of(events) or final, answer.usage, answer.note
    )


def _report(done: Sequence[_Worked], bench: Bench) -> Report:
    attempts = [one.attempt for one in done]
    failures = _failures(attempts)
    scores = [score(one.task, one.final, one.summary) for one in attempts if one.is_scored]
    if attempts and not scores:
        raise ModelError(f"no task could be scored: {failures[0]}")
    overall = rates(scores)
    match = sum((one.match for one in done), Match())
    return Report(
        done[0].agent if done else "",
        bench.model.name,
        overall.n,
        overall.success_rate,
        overall.process_rate,
        overall.solved_rate,
        match.observation_match,
        match.observation_match_all,
        match.format_match,
        match.observed - match.comparable if match.observed else None,
        by_group(scores),
        dict(sorted(Counter(one.outcome for one in attempts).items())),
        sum((one.usage for one in attempts), Usage()),
        failures,
    )


def _failures(attempts: Sequence[Attempt]) -> tuple[str, ...]:
    reasons: dict[str, int] = {}
    for one in attempts:
        if not one.is_scored:
            reasons.setdefault(one.note or one.outcome, one.task.id)
    return tuple(f"task {number}: {reason}" for reason, number in reasons.items())
