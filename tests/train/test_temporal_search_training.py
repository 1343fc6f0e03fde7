"""A whole run of temporal search, as small as it can be: what is kept, and how it goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inforce.library import Library
from inforce.train.embedded.metrics import Step
from inforce.train.embedded.settings import Shape, WarmStart
from inforce.train.temporal_search.record import Choices, RunRecord, read_records
from inforce.train.temporal_search.training import CPU, run

pytestmark = pytest.mark.torch

TINY = replace(
    CPU,
    shape=Shape(hidden=32, layers=1, heads=2, kv_heads=2, inner=64, context=1024),
    drill=WarmStart(steps=2, batch=4),
    warm=WarmStart(steps=2, batch=4),
    drills=40,
    demonstrations=20,
    questions=12,
    examination=4,
    batch=2,
    rollouts=2,
    vocabulary=400,
)
CHOICES = Choices(seed=3, steps=3, alpha=0.1)


class Interrupted(Exception):
    """Somebody pulled the plug."""


def pull_the_plug(step: Step) -> None:
    if step.step == 2:
        raise Interrupted


def without_seconds(record: RunRecord) -> RunRecord:
    return replace(record, seconds={})


async def test_a_run_that_was_interrupted_ends_as_if_it_had_not_been(
    starter_library: Library, tmp_path: Path
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    straight = await run(starter_library, CHOICES, whole, scale=TINY)
    with pytest.raises(Interrupted):
        await run(starter_library, CHOICES, broken, scale=TINY, listeners=[pull_the_plug])
    resumed = await run(starter_library, CHOICES, broken, scale=TINY)
    assert without_seconds(resumed) == without_seconds(straight)
    assert len(read_records(tmp_path)) == 2
    assert [one.step for one in straight.progress] == [1, 2, 3]
    assert (whole / "policy" / "tokenizer.json").is_file()
