"""From a question to an answer: one run of an agent, traced, within its budget, resumable."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice
from pathlib import Path

import inforce
from inforce.agents.answer import Draft, ResearchAnswer
from inforce.agents.grounds import grounded
from inforce.agents.run import (
    Agent,
    Listener,
    Now,
    Person,
    Recorded,
    Run,
    TraceFile,
    nobody,
    utc_now,
)
from inforce.agents.support import supported
from inforce.agents.trace import Event, Finished, Started, read_trace
from inforce.errors import BudgetError, InputError, ModelError, UserError
from inforce.llm.chat import ChatModel
from inforce.tools.context import RunContext
from inforce.tools.toolbox import Toolbox

_MOST_GAPS = 3
_GAP_LENGTH = 300
"""Tools without an answer that are told, and characters told of each."""


@dataclass(frozen=True, slots=True)
class Research:
    """Everything a run needs beside its agent.

    With a ``trace`` file that already holds part of the run, the run goes on where it ends, on the
    day it began: "today" stays what it was. One that has its answer gives it again. A run that
    failed or spent its budget may go on.
    """

    model: ChatModel
    tools: Toolbox
    context: RunContext
    trace: Path | None = None
    person: Person = nobody
    now: Now = utc_now
    listeners: tuple[Listener, ...] = field(default=())


async def research(agent: Agent, task: Research) -> ResearchAnswer:
    """Run an agent on a question, to its answer.

    Never raises for what happens on the way: a budget that is spent, a model that cannot be
    reached or a protocol that is not kept are outcomes of the answer.

    Raises:
        InputError: if the trace cannot be read.
        UserError: if the trace is of another question, agent or model.
    """
    old = read_trace(task.trace) if task.trace and task.trace.exists() else ()
    _require_same_run(old, agent, task)
    ends = [event.answer for event in old if isinstance(event, Finished)]
    if ends and ends[-1].outcome not in ("failed", "budget"):
        return ends[-1]
    task = _on_its_day(task, old)
    file = TraceFile(task.trace) if task.trace else None
    record = _told_to(*([file] if file else []), *task.listeners)
    try:
        return await _work(agent, task, old, record)
    finally:
        if file:
            file.close()


async def stream(agent: Agent, task: Research) -> AsyncGenerator[Event]:
    """The events of a run as they happen; the last one is its `Finished`."""
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    listened = replace(task, listeners=(*task.listeners, queue.put_nowait))
    running = asyncio.create_task(research(agent, listened))
    running.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await running
    finally:
        running.cancel()


async def _work(
    agent: Agent, task: Research, old: tuple[Event, ...], record: Listener
) -> ResearchAnswer:
    began = time.monotonic()
    if not old:
        record(_started(agent, task))
    run = Run(
        task.model,
        task.tools,
        task.context,
        recorded=Recorded.of(old),
        record=record,
        person=task.person,
        now=task.now,
    )
    answer = _answer(agent, run, await _draft(agent, run))
    record(Finished(answer, round(time.monotonic() - began, 3), task.now()))
    return answer


async def _draft(agent: Agent, run: Run) -> Draft:
    """The agent's draft, or what remains of its work where it had to stop."""
    try:
        return await agent(run)
    except BudgetError as error:
        run.note("budget", str(error))
        return Draft(run.partial, "budget", str(error))
    except ModelError as error:
        run.note("failure", str(error))
        return Draft(run.partial, "failed", str(error))


def _answer(agent: Agent, run: Run, draft: Draft) -> ResearchAnswer:
    evidence = tuple(run.evidence.values())
    sentences = supported(draft.text, evidence, numbered=draft.numbered)
    final = grounded(draft, sentences, evidence, cut_off=run.cut_off)
    said = draft.withheld or draft.text
    if final.text != said:
        run.note("draft", said)  # what was withheld can still be read, and scored
    sentences = sentences if final.text == draft.text else ()
    cited = dict.fromkeys(one for sentence in sentences for one in sentence.support)
    ranked = sorted(evidence, key=lambda one: one.id not in cited)
    return ResearchAnswer(
        run.question,
        agent.name,
        run.model.name,
        final.text,
        final.outcome,
        sentences,
        tuple(ranked),
        run.usage,
        "; ".join(filter(None, [final.note, *_gaps(run)])),
    )


def _gaps(run: Run) -> Iterator[str]:
    """Where the run looked and was not answered: a reader must not take it for "nothing there"."""
    for tool, result in islice(run.unanswered.items(), _MOST_GAPS):
        said = " ".join(result.text.split())
        cut = f"{said[:_GAP_LENGTH]} …" if len(said) > _GAP_LENGTH else said
        yield f"{tool} gave no answer ({result.status.replace('_', ' ')}): {cut}"


def _started(agent: Agent, task: Research) -> Started:
    return Started(
        agent.name,
        task.model.name,
        task.context.question,
        task.context.today.isoformat(),
        agent.settings,
        task.now(),
        inforce.__version__,
    )


def _on_its_day(task: Research, old: tuple[Event, ...]) -> Research:
    """The task on the day its trace began: what was asked then must mean the same."""
    day = next((event.today for event in old if isinstance(event, Started)), None)
    if day is None:
        return task
    try:
        began = date.fromisoformat(day)
    except ValueError as error:
        raise InputError(f"no day: {day!r}", path=task.trace or "") from error
    return replace(task, context=replace(task.context, today=began))


def _require_same_run(old: tuple[Event, ...], agent: Agent, task: Research) -> None:
    """A trace is only gone on with by the run that wrote it."""
    start = next((event for event in old if isinstance(event, Started)), None)
    if start is None:
        return
    asked = (agent.name, task.model.name, task.context.question, agent.settings)
    if (start.agent, start.model, start.question, start.settings) != asked:
        raise UserError(
            f"the trace {task.trace} is of another run ({start.agent}, {start.model}, "
            f"{start.question!r}): name another file, or ask the same again to go on with it"
        )


def _told_to(*listeners: Listener) -> Listener:
    def tell(event: Event) -> None:
        for listener in listeners:
            listener(event)

    return tell
