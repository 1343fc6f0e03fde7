"""Tasks of LegalAgentBench's world: what issue and paper ask of the construction."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from time import process_time

import pytest

from inforce.evals.construction.project import TASKS, construct, read_asked, review
from inforce.evals.construction.tasks import TaskPlan
from inforce.evals.legalagentbench.tasks import read_tasks

pytestmark = [pytest.mark.data, pytest.mark.slow]


async def test_200_tasks_over_all_tools_and_hops_stand_and_can_be_read(
    shared_data: Path, tmp_path: Path
) -> None:
    begun = process_time()
    made = await construct(shared_data / "legalagentbench", tmp_path, TaskPlan())
    assert process_time() - begun < 60
    assert made.n >= 200 and set(made.hops) == {1, 2, 3, 4, 5}
    assert made.tools_used == made.tools == 28
    assert made.verified_share == 1.0 and made.refuted == ()
    assert made.parallel >= 20
    review(tmp_path, apply=True, unreviewed=True)
    tasks = read_tasks(tmp_path)
    starts = Counter(one.made.start for one in read_asked(tmp_path / TASKS))
    assert max(starts.values()) <= 0.05 * made.n
    for task in tasks:
        clauses = re.split("[，。；？]", task.question)
        assert max(clause.count("的") for clause in clauses) <= 4, task.question
        assert "审理法院" not in task.question  # of a case that is executed another is meant
        for key in task.facts["key"]:
            assert not re.fullmatch(r"\d+[件家条份]|[\d.]+元|\d{1,4}", key)
    assert len(tasks) == made.n
    assert Counter(task.facts["hops"] for task in tasks) == made.hops
    assert all(
        one["key"] and len(one["way"]) >= one["hops"] for one in (task.facts for task in tasks)
    )
