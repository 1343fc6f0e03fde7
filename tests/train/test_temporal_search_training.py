"""A whole run of temporal search, as small as it can be: what is kept, and how it goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from inforce.errors import UserError
from inforce.library import Library
from inforce.train.embedded.settings import Sft
from inforce.train.embedded.trainer import Step
from inforce.train.policy import ModelShape
from small_models.record import Choices, RunRecord, read_records
from small_models.runner import run
from small_models.task import CPU, Size, Task
from small_models.temporal_search import temporal_search

pytestmark = pytest.mark.torch

TINY = replace(
    CPU,
    shape=ModelShape(hidden=32, layers=1, heads=2, kv_heads=2, inner=64, context=1024),
    drill=Sft(steps=2, batch=4),
    warm=Sft(steps=2, batch=4),
    batch=2,
    rollouts=2,
    vocabulary=400,
)
SIZE = Size(drills=40, demonstrations=20, questions=12, held_out=4)
CHOICES = Choices("search", seed=3, steps=3, alpha=0.1)


class Interrupted(Exception):
    """Somebody pulled the plug."""


def pull_the_plug(step: Step) -> None:
    if step.step == 2:
        raise Interrupted


def without_seconds(record: RunRecord) -> RunRecord:
    return replace(record, seconds={})


async def tiny_task(library: Library, *, seed: int = 3) -> Task:
    return await temporal_search(library, seed=seed, size=SIZE)


async def test_a_run_that_was_interrupted_ends_as_if_it_had_not_been(
    sample_library: Library, tmp_path: Path
) -> None:
    task = await tiny_task(sample_library)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    straight = await run(task, CHOICES, whole, scale=TINY)
    with pytest.raises(Interrupted):
        await run(task, CHOICES, broken, scale=TINY, listeners=[pull_the_plug])
    resumed = await run(task, CHOICES, broken, scale=TINY)
    assert without_seconds(resumed) == without_seconds(straight)
    assert read_records(whole) == [straight]
    assert [one.step for one in straight.progress] == [1, 2, 3]
    assert straight.greedy.keys() == straight.after.keys()
    assert (whole / CHOICES.name / "policy" / "tokenizer.json").is_file()


async def test_runs_that_learn_from_the_same_demonstrations_share_their_warm_start(
    sample_library: Library, tmp_path: Path
) -> None:
    task, place = await tiny_task(sample_library), tmp_path
    said: list[str] = []
    shaped = await run(task, CHOICES, place, scale=TINY, say=said.append)
    assert [line.split(":")[0] for line in said] == [
        "warm start, drills",
        "warm start, demonstrations",
    ]
    plain = await run(task, replace(CHOICES, alpha=0.0), place, scale=TINY, say=said.append)
    assert len(said) == 2
    assert plain.before == shaped.before


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a card")
async def test_without_a_card_none_is_computed_on(sample_library: Library, tmp_path: Path) -> None:
    task = await tiny_task(sample_library)
    with pytest.raises(UserError, match="no card"):
        await run(task, CHOICES, tmp_path, device="cuda", scale=TINY)


async def test_a_folder_is_not_gone_on_with_on_other_law(
    sample_library: Library, tmp_path: Path
) -> None:
    place = tmp_path
    await run(await tiny_task(sample_library), CHOICES, place, scale=TINY)
    with pytest.raises(UserError, match="other questions"):
        await run(await tiny_task(sample_library, seed=4), CHOICES, place, scale=TINY)
