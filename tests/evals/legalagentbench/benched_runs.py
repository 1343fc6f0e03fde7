"""Runs on LegalAgentBench as a harness makes them: through the system and the scorer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.trace import Event, read_trace
from inforce.evals.benchmark import Attempt, Item, ItemScore, Record, ScoreItem, Setup, System
from inforce.evals.legalagentbench.benchmark import BENCHMARK
from inforce.evals.legalagentbench.measures import scorer
from inforce.evals.legalagentbench.tasks import WRITING
from inforce.llm.chat import ChatModel

TODAY = date(2026, 11, 20)


def task(
    id: int,
    question: str,
    answer: str,
    key: Sequence[str],
    *,
    middle: Sequence[str] = (),
    way: Sequence[str] = (),
) -> Item:
    """An item as it is read from the data set; its hops are the tools of its way."""
    group = f"{len(way)}-hop" if way else WRITING
    facts = {"key": [*key], "key_middle": [*middle], "way": [*way], "hops": len(way)}
    return Item(str(id), group, question, answer, facts=facts)


async def ran(order: Setup, model: ChatModel, items: Sequence[Item]) -> list[Record]:
    """Each item, one after the other."""
    score = BENCHMARK.scorer(order)
    async with BENCHMARK.open_system(order, model) as system:
        return [await worked(system, item, score=score) for item in items]


async def worked(
    system: System,
    item: Item,
    *,
    score: ScoreItem | None = None,
    trace: Path | None = None,
) -> Record:
    """One item."""
    events: list[Event] = []
    given = await system(item).research(item.question, trace=trace, listener=events.append)
    attempt = Attempt(given, read_trace(trace) if trace else tuple(events))
    judged = score or scorer()
    return recorded_as(
        item, given, await judged(item, attempt, None) if attempt.is_scored else ItemScore({})
    )


def recorded_as(item: Item, given: ResearchAnswer, scored: ItemScore) -> Record:
    """What is stored of an item."""
    return Record(
        item.id,
        item.task,
        item.group,
        item.question,
        item.target,
        scored.answer,
        given.outcome,
        scored.values,
        note=given.note,
    )


def valued(id: int, task: str, **values: Any) -> Record:
    """A record with these values."""
    return Record(str(id), task, "", "问", "答", "", "answered", values)
