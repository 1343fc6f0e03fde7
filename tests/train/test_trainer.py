from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from toy_policy import (
    TOKENS,
    by_chance,
    guessing_model,
    policy_of,
    say_all,
    stored,
    timeless,
    tiny_model,
)

from inforce.errors import InputError, UserError
from inforce.train.advantages import Shaping
from inforce.train.chatml import ChatMl
from inforce.train.embedded.checkpoints import Checkpoints
from inforce.train.embedded.settings import Grpo, Sampling, Settings
from inforce.train.embedded.trainer import Rollout, Step, Trainer
from inforce.train.episodes import Sampler
from inforce.train.policy import SMALL, load_model, new_model
from inforce.train.trajectory import Trajectory

pytestmark = pytest.mark.torch

DIGITS = list(range(10))
SETTINGS = Settings(
    sampling=Sampling(seed=3),
    grpo=Grpo(lr=1e-3, shaping=Shaping(), beta=0.01),
    steps=6,
    questions=4,
    checkpoint_every=2,
)


class Interrupted(Exception):
    """Training was killed."""


def trainer(
    folder: Path,
    *,
    settings: Settings = SETTINGS,
    rollout: Rollout[int] = by_chance,
    kill: int | None = None,
) -> Trainer[int]:
    """A trainer of an untrained policy; ``kill``: the step after which it is interrupted."""

    def listen(step: Step) -> None:
        if step.step == kill:
            raise Interrupted

    policy = policy_of(tiny_model())
    return Trainer(policy, DIGITS, rollout, folder, settings=settings, listeners=[listen])


def chance(seed: int) -> None:
    """Set every source of chance."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


async def test_reward_rises(tmp_path: Path) -> None:
    """From an answer that is little better than a guess."""
    grpo = Grpo(lr=2e-3, shaping=Shaping())
    settings = Settings(grpo=grpo, steps=40, questions=10, checkpoint_every=40)
    policy = policy_of(guessing_model())
    toy = Trainer(policy, DIGITS, say_all, tmp_path, settings=settings)
    steps = await toy.train()
    rewards = [one.rollout.reward or 0.0 for one in steps]
    assert sum(rewards[-5:]) / 5 - sum(rewards[:5]) / 5 > 0.3
    gaps = [
        one.update.logprob_gap for one in steps if one.update and one.update.logprob_gap is not None
    ]
    assert len(gaps) == 40 and max(gaps) < 1e-4


@pytest.mark.parametrize("kill", [1, 2, 3, 5])
async def test_killed_after_any_step_training_goes_on_to_the_same_numbers(
    tmp_path: Path, kill: int
) -> None:
    chance(1)
    whole = await trainer(tmp_path / "whole").train()
    chance(1)
    with pytest.raises(Interrupted):
        await trainer(tmp_path / "killed", kill=kill).train()
    chance(2)
    again = trainer(tmp_path / "killed")
    assert timeless(await again.train()) == timeless(whole)
    assert timeless(stored(tmp_path / "killed")) == timeless(whole)
    one, other = (load_model(tmp_path / name / "policy") for name in ("whole", "killed"))
    assert all(map(torch.equal, one.parameters(), other.parameters()))


async def test_training_that_was_finished_can_be_prolonged(tmp_path: Path) -> None:
    chance(1)
    whole = await trainer(tmp_path / "whole").train()
    chance(1)
    shorter = replace(SETTINGS, steps=3)
    await trainer(tmp_path / "short", settings=shorter).train()
    assert timeless(await trainer(tmp_path / "short").train()) == timeless(whole)


@pytest.mark.parametrize(
    ("settings", "differing"),
    [
        (replace(SETTINGS, grpo=replace(SETTINGS.grpo, lr=1.0)), "grpo"),
        (replace(SETTINGS, sampling=Sampling(seed=4)), "sampling"),
        (replace(SETTINGS, questions=3), "questions"),
    ],
)
async def test_training_by_other_settings_is_not_resumed(
    tmp_path: Path, settings: Settings, differing: str
) -> None:
    with pytest.raises(Interrupted):
        await trainer(tmp_path, kill=2).train()
    with pytest.raises(UserError, match=differing):
        await trainer(tmp_path, settings=settings).train()


async def test_a_step_without_a_question_for_everyone_is_refused(tmp_path: Path) -> None:
    settings = replace(SETTINGS, questions=11)
    with pytest.raises(UserError, match="11 questions; there are 10"):
        await trainer(tmp_path, settings=settings).train()


def test_no_question_comes_again_before_as_many_as_possible_came_once(tmp_path: Path) -> None:
    toy = trainer(tmp_path)
    steps = [toy.questions_of(step) for step in range(1, 5)]
    assert len({*steps[0], *steps[1]}) == 8
    assert len({*steps[2], *steps[3]}) == 8
    assert steps[0] != steps[2]
    assert steps == [trainer(tmp_path).questions_of(step) for step in range(1, 5)]


async def test_a_round_changes_nothing_and_can_be_repeated(tmp_path: Path) -> None:
    toy = trainer(tmp_path, rollout=say_all)
    before = [one.clone() for one in toy.policy.model.parameters()]
    tried: list[list[Trajectory]] = []
    for name in ("before", "before", "after"):
        toy.engine.start_round(name)
        tried.append(await toy.rollout(toy.engine, DIGITS))
    assert tried[0] == tried[1] != tried[2]
    assert all(map(torch.equal, before, toy.policy.model.parameters()))


async def test_a_step_without_a_reward_is_noted_and_changes_nothing(tmp_path: Path) -> None:
    async def unmeasured(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
        return [replace(one, reward=None) for one in await say_all(sampler, digits)]

    toy = trainer(tmp_path, rollout=unmeasured)
    before = [one.clone() for one in toy.policy.model.parameters()]
    steps = await toy.train()
    assert {one.update for one in steps} == {None}
    assert {one.rollout.reward for one in steps} == {None}
    assert all(map(torch.equal, before, toy.policy.model.parameters()))


async def test_only_the_newest_checkpoints_and_the_first_stay(tmp_path: Path) -> None:
    toy = trainer(tmp_path, settings=replace(SETTINGS, keep=1))
    await toy.train()
    assert toy.checkpoints.steps() == [0, 6]


async def test_the_trained_policy_is_kept_with_its_tokens(tmp_path: Path) -> None:
    toy = trainer(tmp_path)
    await toy.train()
    kept = load_model(tmp_path / "policy")
    assert all(map(torch.equal, kept.parameters(), toy.policy.model.parameters()))
    assert ChatMl.load(tmp_path / "policy").encode("say 1") == TOKENS.encode("say 1")


def test_a_half_written_checkpoint_is_none(tmp_path: Path) -> None:
    (tmp_path / "step-000004.unfinished").write_bytes(b"half")
    assert Checkpoints(tmp_path).steps() == []


def test_a_damaged_checkpoint_and_one_of_another_model_are_named(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    model, other = tiny_model(), new_model(TOKENS.size, SMALL)
    optimizer = torch.optim.AdamW(model.parameters())
    checkpoints.save(1, model, optimizer, {})
    with pytest.raises(InputError, match="another model"):
        checkpoints.restore(1, other, torch.optim.AdamW(other.parameters()))
    (tmp_path / "step-000002.pt").write_bytes(b"damaged")
    with pytest.raises(InputError, match="not a checkpoint"):
        checkpoints.restore(2, model, optimizer)
