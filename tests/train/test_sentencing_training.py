"""A whole run of sentencing, as small as it can be."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from inforce.errors import UserError
from inforce.library import Library
from inforce.scoring.cases import Case
from inforce.scoring.factors import judge_by_rule
from inforce.train.embedded.settings import Sft
from inforce.train.episodes import Question
from inforce.train.policy import ModelShape
from inforce.train.trajectory import Trajectory
from small_models.record import Choices, read_records
from small_models.report import write_report
from small_models.runner import Device, claim, run
from small_models.sentencing import CPU, REPORT, open_sources, sentencing, sides
from small_models.task import Size

pytestmark = pytest.mark.torch

TODAY = date(2026, 11, 20)
TINY = replace(
    CPU,
    shape=ModelShape(hidden=32, layers=1, heads=2, kv_heads=2, inner=64, context=1024),
    drill=Sft(steps=2, batch=4),
    warm=Sft(steps=2, batch=4),
    vocabulary=400,
    batch=2,
    rollouts=2,
)
SIZE = Size(drills=10, demonstrations=10, questions=10, held_out=4)
CASES = tuple(
    Case(f"c{n}", f"2014年{n}月，被告人甲{n}致人轻伤。", (234,), ("故意伤害",), 6 + n % 30)
    for n in range(1, 61)
)


async def unknown(trajectory: Trajectory, question: Question) -> None:
    """A judge that fails leaves every reward unknown."""


async def test_without_its_judge_a_run_does_not_begin(
    sample_library: Library, tmp_path: Path
) -> None:
    parts = sides(CASES)
    sources = open_sources(sample_library, parts.known, None, tmp_path / "sources")
    task = await sentencing(parts, sources, today=TODAY, seed=0, judge=None, size=SIZE)
    judged = replace(task, environment=replace(task.environment, reward=unknown))
    with pytest.raises(UserError, match="judge"):
        await run(judged, Choices("all sources"), tmp_path, scale=TINY)
    assert not read_records(tmp_path)


async def test_what_a_processor_began_no_card_goes_on_with(
    sample_library: Library, tmp_path: Path
) -> None:
    parts = sides(CASES)
    sources = open_sources(sample_library, parts.known, None, tmp_path / "sources")
    task = await sentencing(parts, sources, today=TODAY, seed=0, judge=None, size=SIZE)
    devices: tuple[Device, ...] = ("cpu", "cuda")
    for device in devices:
        claim(tmp_path / device, task, device)
        claim(tmp_path / device, task, device)
    for folder, device in zip(reversed(devices), devices, strict=True):
        with pytest.raises(UserError, match="another device"):
            claim(tmp_path / folder, task, device)


async def test_runs_with_and_without_the_process_reward_share_a_warm_start_and_a_report(
    sample_library: Library, tmp_path: Path
) -> None:
    parts = sides(CASES)
    sources = open_sources(sample_library, parts.known, None, tmp_path / "sources")
    for kind, judge in (("all sources", judge_by_rule), ("all sources, outcome only", None)):
        task = await sentencing(parts, sources, today=TODAY, seed=0, judge=judge, size=SIZE)
        await run(task, Choices(kind, steps=2), tmp_path, scale=TINY)
    first, second = read_records(tmp_path)
    assert [one.choices.kind for one in (first, second)] == [
        "all sources",
        "all sources, outcome only",
    ]
    assert first.before["factors"] == second.before["factors"]
    assert [one.step for one in first.progress] == [1, 2]
    assert [path.name for path in (tmp_path / "warm").iterdir()] == ["all-sources-seed-0"]
    page = write_report([first, second], REPORT, tmp_path).read_text(encoding="utf-8")
    assert "| all sources, outcome only, 2 steps | 1 |" in page
    assert sorted(path.stem for path in tmp_path.glob("*.svg")) == [
        "factors",
        "precedents",
        "reward",
        "right",
    ]
