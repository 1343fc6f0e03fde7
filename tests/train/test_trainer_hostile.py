"""What a person, a machine or an environment can do to the trainer that it was not asked for."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from rich.console import Console
from toy_policy import (
    TINY,
    TOKENS,
    asked,
    policy_of,
    said,
    say_all,
    stored,
    timeless,
    tiny_model,
)

from inforce.errors import InputError, UserError
from inforce.train.advantages import Shaping
from inforce.train.embedded.engine import generate
from inforce.train.embedded.grpo import grpo_step
from inforce.train.embedded.settings import Grpo, Sampling, Settings, Sft
from inforce.train.embedded.sft import imitate
from inforce.train.embedded.trainer import Rollout, Step, Trainer
from inforce.train.episodes import Request, Sampler
from inforce.train.trajectory import RolloutStats, Span, Trajectory
from small_models.command import table

pytestmark = pytest.mark.torch

DIGITS = list(range(10))
SETTINGS = Settings(steps=4, questions=4, checkpoint_every=2)


def trainer(
    folder: Path, *, settings: Settings = SETTINGS, rollout: Rollout[int] = say_all
) -> Trainer[int]:
    return Trainer(policy_of(tiny_model()), DIGITS, rollout, folder, settings=settings)


# Damaged and missing files


async def test_a_damaged_checkpoint_says_what_to_do_and_that_helps(tmp_path: Path) -> None:
    whole = await trainer(tmp_path).train()
    newest = tmp_path / "checkpoints" / "step-000004.pt"
    newest.write_bytes(newest.read_bytes()[:-1000])
    with pytest.raises(InputError, match="delete it") as caught:
        await trainer(tmp_path).train()
    assert caught.value.path == str(newest)
    newest.unlink()
    assert timeless(await trainer(tmp_path).train()) == timeless(whole)


@pytest.mark.parametrize("rows", [b"", b"{}\n", b"\xff"])
async def test_rows_that_are_missing_or_damaged_are_written_again_from_the_checkpoint(
    tmp_path: Path, rows: bytes
) -> None:
    whole = await trainer(tmp_path).train()
    (tmp_path / "metrics.jsonl").write_bytes(rows)
    assert await trainer(tmp_path).train() == whole == stored(tmp_path)


async def test_rows_without_a_checkpoint_are_not_overwritten(tmp_path: Path) -> None:
    await trainer(tmp_path).train()
    for path in (tmp_path / "checkpoints").iterdir():
        path.unlink()
    before = (tmp_path / "metrics.jsonl").read_bytes()
    with pytest.raises(InputError, match="no checkpoint"):
        await trainer(tmp_path).train()
    assert (tmp_path / "metrics.jsonl").read_bytes() == before


async def test_something_else_by_the_name_of_a_checkpoint_is_none(tmp_path: Path) -> None:
    toy = trainer(tmp_path)
    await toy.train()
    torch.save({"other": torch.zeros(1)}, tmp_path / "checkpoints" / "step-000005.pt")
    with pytest.raises(InputError, match="not a checkpoint"):
        await trainer(tmp_path).train()


def test_a_million_steps_are_not_the_end(tmp_path: Path) -> None:
    toy = trainer(tmp_path)
    model, optimizer = toy.policy.model, torch.optim.AdamW(toy.policy.model.parameters())
    for step in (999_999, 1_000_000):
        toy.checkpoints.save(step, model, optimizer, {})
    assert toy.checkpoints.steps() == [999_999, 1_000_000]


async def test_two_trainings_in_one_folder_do_not_mix(tmp_path: Path) -> None:
    second: list[str] = []

    async def meanwhile(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
        if not second:
            with pytest.raises(UserError) as caught:
                await trainer(tmp_path).train()
            second.append(str(caught.value))
        return await say_all(sampler, digits)

    steps = await trainer(tmp_path, rollout=meanwhile).train()
    assert str(tmp_path) in second[0] and len(steps) == 4
    assert len(stored(tmp_path)) == 4


# Rewards and facts


@pytest.mark.parametrize("reward", [math.nan, math.inf, -math.inf])
async def test_a_reward_that_is_no_number_stops_training_before_anything_is_learnt(
    tmp_path: Path, reward: float
) -> None:
    async def broken(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
        first, *rest = await say_all(sampler, digits)
        return [replace(first, reward=reward), *rest]

    toy = trainer(tmp_path, rollout=broken)
    before = [one.clone() for one in toy.policy.model.parameters()]
    question = toy.questions_of(1)[0]
    with pytest.raises(UserError, match=f"{question}.*None"):
        await toy.train()
    assert all(map(torch.equal, before, toy.policy.model.parameters()))
    assert toy.metrics.read_bytes() == b""


def test_a_fact_that_is_no_number_is_not_given() -> None:
    facts = [{"share": 0.5}, {"share": math.nan}, {"share": math.inf}, {"other": math.nan}]
    stats = RolloutStats.of([replace(said(1, "1"), facts=one) for one in facts])
    assert stats.facts == {"share": 0.5}


def test_a_huge_reward_beside_small_ones_is_still_learnt_from() -> None:
    tried = [replace(said(1, str(one)), reward=10.0**one) for one in (0, 9, 8, 1)]
    model = tiny_model()
    learnt = grpo_step(model, torch.optim.AdamW(model.parameters()), tried, Grpo(shaping=Shaping()))
    assert learnt is not None and math.isfinite(learnt.loss) and learnt.grad_norm > 0


# Questions and contexts


async def test_no_questions_at_all_are_refused(tmp_path: Path) -> None:
    none: Trainer[int] = Trainer(policy_of(tiny_model()), [], say_all, tmp_path, settings=SETTINGS)
    with pytest.raises(UserError, match="4 questions; there are 0"):
        await none.train()


async def test_questions_longer_than_the_model_can_look_at_are_named(tmp_path: Path) -> None:
    async def endless(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
        prompt = asked(1) * TINY.context
        written = sampler.generate([Request(prompt, 4) for _ in digits])
        spans = [(Span("prompt", prompt), Span("generated", one.tokens)) for one in written]
        return [Trajectory("1", one, ("",), reward=0.0) for one in spans]

    with pytest.raises(UserError, match=f"wrote nothing.*{TINY.context} tokens"):
        await trainer(tmp_path, rollout=endless).train()


async def test_an_environment_that_tries_nothing_stops_training(tmp_path: Path) -> None:
    async def idle(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
        return []

    with pytest.raises(UserError, match="wrote nothing"):
        await trainer(tmp_path, rollout=idle).train()


# Settings


@pytest.mark.parametrize(
    "settings",
    [
        lambda: Sampling(batch=0),
        lambda: Sampling(temperature=0.0),
        lambda: Sampling(temperature=math.nan),
        lambda: Settings(questions=0),
        lambda: Settings(checkpoint_every=0),
        lambda: Settings(keep=0),
        lambda: Settings(steps=-1),
        lambda: Grpo(epochs=0),
        lambda: Grpo(micro_batch=0),
        lambda: Grpo(beta=-0.1),
        lambda: Shaping(kappa=1.0),
        lambda: Shaping(alpha=-1.0),
        lambda: Sft(batch=0),
    ],
)
def test_settings_that_can_mean_nothing_are_refused_at_once(settings: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        settings()


# Drawing


@pytest.mark.parametrize("draw", [1 - 2**-53, 1 - 2**-26])
def test_a_token_that_cannot_be_is_never_drawn(draw: float) -> None:
    """Draws this near to 1 are 1 in single precision, beyond every share."""
    model = tiny_model()
    last = TOKENS.size - 1

    def impossible(_: Any, __: Any, scores: torch.Tensor) -> torch.Tensor:
        return scores.index_fill(-1, torch.tensor([last - 1, last]), -math.inf)

    cast("torch.nn.Module", model.get_output_embeddings()).register_forward_hook(impossible)
    [written] = generate(policy_of(model), [asked(4)], [(draw,)])
    assert written.tokens[0] < last - 1
    assert math.isfinite(written.logprobs[0])


def test_nobody_writes_on_beyond_its_room_because_others_may() -> None:
    """Positions beyond the model's context are never read."""
    model = tiny_model()
    furthest: list[int] = []

    def look(_: Any, __: Any, given: dict[str, Any]) -> None:
        furthest.append(int(given["position_ids"].max()))

    model.base_model.register_forward_pre_hook(look, with_kwargs=True)
    long = asked(1) * (TINY.context // len(asked(1)))
    room = TINY.context - len(long)
    draws = [(0.5,) * room, (0.5,) * (TINY.context - 10)]
    short, _ = generate(policy_of(model), [long, asked(1)], draws)
    assert len(short.tokens) <= room
    assert max(furthest) < TINY.context


# Warm start


def test_imitation_that_falls_apart_says_so() -> None:
    model = tiny_model()
    with torch.no_grad():
        next(model.parameters())[0] = float("nan")
    with pytest.raises(UserError, match="lower the learning rate"):
        imitate(model, [said(1, "1")], Sft(steps=2))


# What is shown


def test_large_figures_are_read_at_a_glance() -> None:
    stats = RolloutStats.of([replace(said(1, "1"), reward=0.5, facts={"tool_calls": 12345.678})])
    shown = table([Step(1, stats, None, 1234.0, 0.5)], steps=1)
    cells = [str(cell) for column in shown.columns for cell in column.cells]
    assert "12346" in cells and "1234" in cells and not any("e+" in cell for cell in cells)


@pytest.mark.parametrize("width", [72, 80, 140])
def test_figures_stay_whole_in_a_narrow_terminal(width: int) -> None:
    """Facts at the end are left out before the figures of training are folded or cut."""
    facts = dict.fromkeys(("cut_off", "dated_queries", "forged", "rewritten", "tool_calls"), 0.0312)
    stats = RolloutStats.of([replace(said(1, "1"), reward=-0.0125, facts=facts)])
    screen = io.StringIO()
    shown = table([Step(7, stats, None, 0.25, 0.0625)], steps=40)
    Console(file=screen, width=width).print(shown)
    told = screen.getvalue()
    for whole in ("7/40", "-0.0125", "0.312", "reward", "seconds"):
        assert whole in told
    assert ("tool" in told) == (width == 140)
