"""A task of LegalAgentBench as an item of a benchmark, and back."""

from __future__ import annotations

import msgspec

from inforce.evals.benchmark import Item
from inforce.evals.legalagentbench.tasks import Task


def item_of(task: Task) -> Item:
    """The item of a task; it belongs to its number of hops."""
    facts = {
        "key": list(task.key),
        "key_middle": list(task.key_middle),
        "way": list(task.way),
        "hops": task.hops,
    }
    return Item(str(task.id), task.group, task.question, task.answer, facts=facts)


def task_of(item: Item) -> Task:
    """The task an item was made of.

    >>> task = Task(7, "谁？", "周青", ("周青",), (), 1, ("get_company_info",))
    >>> task_of(item_of(task)) == task
    True
    """
    told = {"id": int(item.id), "question": item.question, "answer": item.target}
    return msgspec.convert({**told, **item.facts}, Task)
