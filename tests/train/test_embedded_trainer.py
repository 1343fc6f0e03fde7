from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from toy_policy import TOKENS, guessing_model, say_all, tiny_model

from inforce.errors import InputError, UserError
from inforce.train.embedded.checkpoints import Checkpoints
from inforce.train.embedded.metrics import Seconds, Step
from inforce.train.embedded.model import load_model, new_model
from inforce.train.embedded.settings import SMALL, Grpo, Plan, Sampling, Shaping, Training
from inforce.train.embedded.tokenizer import ChatMl
from inforce.train.embedded.trainer import Collect, Policy, Trainer
from inforce.train.policy import Sampler
from inforce.train.trajectory import Trajectory

pytestmark = pytest.mark.torch

DIGITS = list(range(10))
PLAN = Plan(
    sampling=Sampling(seed=3),
    grpo=Grpo(rate=1e-3, shaping=Shaping(), beta=0.01),
    training=Training(steps=6, questions=4, checkpoint_every=2),
)


class Interrupted(Exception):
    """Training was killed."""


async def by_chance(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
    """An environment that draws by chance of its own, from all sources of chance there are."""
    tried = await say_all(sampler, digits)
    drawn = (random.random(), float(np.random.random()), float(torch.rand(())))
    return [replace(one, facts={"drawn": sum(drawn)}) for one in tried]


def trainer(
    folder: Path, *, plan: Plan = PLAN, collect: Collect[int] = by_chance, kill: int | None = None
) -> Trainer[int]:
    """A trainer of an untrained policy; ``kill``: the step after which it is interrupted."""

    def listen(step: Step) -> None:
        if step.step == kill:
            raise Interrupted

    policy = Policy(tiny_model(), TOKENS)
    return Trainer(policy, DIGITS, collect, folder, plan=plan, listeners=[listen])


def chance(seed: int) -> None:
    """Set every source of chance."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def timeless(steps: Sequence[Step]) -> list[Step]:
    return [replace(one, seconds=Seconds(0.0, 0.0)) for one in steps]


async def test_reward_rises(tmp_path: Path) -> None:
    """From an answer that is little better than a guess."""
    plan = Plan(
        grpo=Grpo(rate=2e-3, shaping=Shaping()),
        training=Training(steps=40, questions=10, checkpoint_every=40),
    )
    toy = Trainer(Policy(guessing_model(), TOKENS), DIGITS, say_all, tmp_path, plan=plan)
    steps = await toy.train()
    rewards = [one.outcome.reward or 0.0 for one in steps]
    assert sum(rewards[-5:]) / 5 - sum(rewards[:5]) / 5 > 0.3
    gaps = [one.learnt.gap for one in steps if one.learnt and one.learnt.gap is not None]
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
    assert timeless(again.metrics.steps()) == timeless(whole)
    one, other = (load_model(tmp_path / name / "policy") for name in ("whole", "killed"))
    assert all(map(torch.equal, one.parameters(), other.parameters()))


async def test_training_that_was_finished_can_be_prolonged(tmp_path: Path) -> None:
    chance(1)
    whole = await trainer(tmp_path / "whole").train()
    chance(1)
    shorter = replace(PLAN, training=replace(PLAN.training, steps=3))
    await trainer(tmp_path / "short", plan=shorter).train()
    assert timeless(await trainer(tmp_path / "short").train()) == timeless(whole)


@pytest.mark.parametrize(
    ("plan", "differing"),
    [
        (replace(PLAN, grpo=replace(PLAN.grpo, rate=1.0)), "grpo rate"),
        (replace(PLAN, sampling=Sampling(seed=4)), "seed"),
        (replace(PLAN, training=replace(PLAN.training, questions=3)), "training questions"),
    ],
)
async def test_training_by_another_plan_is_not_gone_on_with(
    tmp_path: Path, plan: Plan, differing: str
) -> None:
    with pytest.raises(Interrupted):
        await trainer(tmp_path, kill=2).train()
    with pytest.raises(UserError, match=differing):
        await trainer(tmp_path, plan=plan).train()


async def test_a_step_without_a_question_for_everyone_is_refused(tmp_path: Path) -> None:
    plan = replace(PLAN, training=replace(PLAN.training, questions=11))
    with pytest.raises(UserError, match="11 questions; there are 10"):
        await trainer(tmp_path, plan=plan).train()


def test_no_question_comes_again_before_as_many_as_possible_came_once(tmp_path: Path) -> None:
    toy = trainer(tmp_path)
    steps = [toy.drawn(step) for step in range(1, 5)]
    assert len({*steps[0], *steps[1]}) == 8
    assert len({*steps[2], *steps[3]}) == 8
    assert steps[0] != steps[2]
    assert steps == [trainer(tmp_path).drawn(step) for step in range(1, 5)]


async def test_trying_changes_nothing_and_can_be_repeated(tmp_path: Path) -> None:
    toy = trainer(tmp_path, collect=say_all)
    before = [one.clone() for one in toy.policy.model.parameters()]
    tried = await toy.tried(DIGITS, name="before")
    assert await toy.tried(DIGITS, name="before") == tried
    assert await toy.tried(DIGITS, name="after") != tried
    assert all(map(torch.equal, before, toy.policy.model.parameters()))


async def test_a_step_without_a_reward_is_noted_and_changes_nothing(tmp_path: Path) -> None:
    async def unmeasured(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
        return [replace(one, reward=None) for one in await say_all(sampler, digits)]

    toy = trainer(tmp_path, collect=unmeasured)
    before = [one.clone() for one in toy.policy.model.parameters()]
    steps = await toy.train()
    assert {one.learnt for one in steps} == {None}
    assert {one.outcome.reward for one in steps} == {None}
    assert all(map(torch.equal, before, toy.policy.model.parameters()))


async def test_only_the_newest_checkpoints_and_the_first_stay(tmp_path: Path) -> None:
    toy = trainer(tmp_path, plan=replace(PLAN, training=replace(PLAN.training, keep=1)))
    await toy.train()
    assert toy.checkpoints.steps() == [0, 6]


async def test_the_trained_policy_is_kept_with_its_tokens(tmp_path: Path) -> None:
    toy = trainer(tmp_path)
    await toy.train()
    kept = load_model(tmp_path / "policy")
    assert all(map(torch.equal, kept.parameters(), toy.policy.model.parameters()))
    assert ChatMl.loaded(tmp_path / "policy").encoded("say 1") == TOKENS.encoded("say 1")


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
