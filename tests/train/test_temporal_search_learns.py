"""That learning works where it matters: from nothing, in the real environment, by its rewards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inforce.library import Library
from inforce.train.embedded.settings import Sft
from small_models.record import Choices
from small_models.runner import run
from small_models.task import Measures, Size
from small_models.temporal_search import SCALE, temporal_search

pytestmark = [pytest.mark.torch, pytest.mark.slow, pytest.mark.timeout(900)]

# The recipe's model, which begins with heads that copy, and fewer lessons: what is left to be
# learnt from rewards is the same, to name the day.
QUICK = replace(
    SCALE, drill=Sft(steps=40, batch=32), warm=Sft(steps=120, batch=24), lr=3e-4, batch=8
)
SIZE = Size(drills=1280, demonstrations=2400, questions=500, held_out=128)
CHOICES = Choices("search", seed=0, steps=14)


async def test_rewards_teach_to_ask_about_the_right_day_and_to_be_right_about_unseen_articles(
    sample_library: Library, tmp_path: Path
) -> None:
    task = await temporal_search(sample_library, seed=CHOICES.seed, size=SIZE)
    record = await run(task, CHOICES, tmp_path, scale=QUICK)
    assert rise(record.before, record.after, of="reward") >= 0.2
    assert rise(record.before, record.after, of="exact_day") >= 0.2


def rise(before: Measures, after: Measures, *, of: str) -> float:
    """By how much a measure rose; both have to have been measured."""
    first, last = before[of], after[of]
    assert first is not None and last is not None, f"{of} was not measured"
    return last - first
