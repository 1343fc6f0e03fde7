"""Research: runs of an agent from question to answer, traced and resumable."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import inforce
from inforce.agents.runtime.answer import Draft, ResearchAnswer
from inforce.agents.runtime.run import (
    Agent,
    Listener,
    Now,
    Person,
    Recorded,
    Run,
    nobody,
    utc_now,
)
from inforce.agents.runtime.support import reviewed, supported
from inforce.agents.runtime.trace import Event, Finished, Started, TraceFile, read_trace
from inforce.dates import Clock, DateRange
from inforce.errors import BudgetError, InputError, ModelError, UserError
from inforce.llm.chat import ChatModel
from inforce.tools.context import RunContext
from inforce.tools.toolbox import Toolbox

T = TypeVar("T")

_MOST_GAPS = 3
_GAP_LENGTH = 300
"""Tools without an answer that a note names, and characters of what each said."""


@dataclass(frozen=True, slots=True)
class Researcher:
    """An agent with its model and its tools; researches any number of questions, also at once.

    Args:
        agent: the method.
        model: who takes the agent's turns; a budget around it is shared by all questions.
        tools: what may be searched.
        clock: the day a run begins on; "today" in its question means it.
        now: the time of what happens in a run.
    """

    agent: Agent
    model: ChatModel
    tools: Toolbox
    clock: Clock
    now: Now = utc_now

    async def research(
        self,
        question: str,
        *,
        as_of: DateRange | None = None,
        trial: date | None = None,
        trace: Path | None = None,
        person: Person = nobody,
        listener: Listener | None = None,
    ) -> ResearchAnswer:
        """Work on a question, to its answer.

        With a trace file that already holds part of the run, the run goes on where it ends, on the
        day it began: "today" stays what it was. One that has its answer gives it again. A run that
        failed or spent its budget may go on.

        Never raises for what happens on the way: a budget that is spent, a model that cannot be
        reached or a protocol that is broken are outcomes of the answer.

        Args:
            question: the question.
            as_of: the days of the facts; win over dates in the question.
            trial: the day of the trial.
            trace: the file each step is written to.
            person: who answers questions of the agent.
            listener: called with every event of the run.

        Raises:
            InputError: if the trace cannot be read.
            UserError: if the trace is of another question, agent or model.
        """
        context = RunContext(question, self.clock(), as_of, trial)
        old = read_trace(trace) if trace and trace.exists() else ()
        self._require_same_run(old, context, trace)
        last = old[-1] if old else None
        if isinstance(last, Finished) and last.answer.outcome not in ("failed", "budget"):
            if listener:
                listener(last)
            return last.answer
        context.today = _day_begun(old, trace) or context.today
        file = TraceFile(trace) if trace else None
        try:
            return await self._work(context, old, person, _to_all(file, listener))
        finally:
            if file:
                file.close()

    async def _work(
        self, context: RunContext, old: tuple[Event, ...], person: Person, record: Listener
    ) -> ResearchAnswer:
        began = time.monotonic()
        if not old:
            record(self._started(context))
        run = Run(
            self.model,
            self.tools,
            context,
            recorded=Recorded(old),
            record=record,
            person=person,
            now=self.now,
        )
        answer = _answer(self.agent, run, await _draft(self.agent, run))
        record(Finished(answer, round(time.monotonic() - began, 3), self.now()))
        return answer

    def _started(self, context: RunContext) -> Started:
        return Started(
            self.agent.name,
            self.model.name,
            context.question,
            context.today.isoformat(),
            self.agent.settings,
            self.now(),
            inforce.__version__,
            context.as_of,
            context.trial,
        )

    def _require_same_run(
        self, old: Sequence[Event], context: RunContext, trace: Path | None
    ) -> None:
        """Refuse to go on with the trace of another run."""
        start = next((event for event in old if isinstance(event, Started)), None)
        if start is None or _identity(start) == _identity(self._started(context)):
            return
        dated = (context.as_of or context.trial) and not (start.as_of or start.trial)
        if dated and start.question.startswith(f"{context.question}\n"):
            raise UserError(
                f"the trace {trace} was written by an earlier inforce, which put the given dates "
                "into the question: it can be read, but not gone on with; name another file"
            )
        dates = "".join(f", {one}" for one in (start.as_of, start.trial) if one)
        raise UserError(
            f"the trace {trace} is of another run ({start.agent}, {start.model}, "
            f"{start.question!r}{dates}): name another file, or ask the same again to go on with it"
        )


async def streamed(
    start: Callable[[Callable[[T], None]], Coroutine[Any, Any, object]],
) -> AsyncGenerator[T]:
    """Stream the reports of a piece of work as they happen; leaving the stream stops the work.

    The work is started with the function it reports with.
    """
    queue: asyncio.Queue[tuple[T] | None] = asyncio.Queue()
    work = asyncio.create_task(start(lambda value: queue.put_nowait((value,))))
    work.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (reported := await queue.get()) is not None:
            yield reported[0]
        await work
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


def _identity(start: Started) -> tuple[object, ...]:
    dates = (start.as_of, start.trial)
    return (start.agent, start.model, start.question, start.settings, *dates)


async def _draft(agent: Agent, run: Run) -> Draft:
    """The agent's draft, or its partial answer where it had to stop."""
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
    final = reviewed(draft, sentences, evidence, cut_off=run.cut_off)
    said = draft.own_words
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
    """Searches that got no answer, which must not be taken for "nothing was found"."""
    for tool, result in islice(run.unanswered.items(), _MOST_GAPS):
        said = " ".join(result.text.split())
        cut = f"{said[:_GAP_LENGTH]} …" if len(said) > _GAP_LENGTH else said
        yield f"{tool} gave no answer ({result.status.replace('_', ' ')}): {cut}"


def _day_begun(events: Sequence[Event], trace: Path | None) -> date | None:
    """The day a trace began: "today" must mean the same when the run goes on."""
    day = next((event.today for event in events if isinstance(event, Started)), None)
    try:
        return date.fromisoformat(day) if day is not None else None
    except ValueError as error:
        raise InputError(f"no day: {day!r}", path=trace or "") from error


def _to_all(*listeners: Listener | None) -> Listener:
    def record(event: Event) -> None:
        for listener in listeners:
            if listener:
                listener(event)

    return record
