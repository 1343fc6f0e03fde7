"""What a person, a machine or an environment can do to the trainer that it was not asked for."""

from __future__ import annotations

import asyncio
import importlib
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from rich.console import Console
from toy_policy import TINY, TOKENS, asked, guessing_model, said, say_all, tiny_model

from inforce.errors import InputError, UserError
from inforce.train.embedded.decoding import Marks, Wanted, write_all
from inforce.train.embedded.grpo import learn
from inforce.train.embedded.metrics import MetricsFile, Outcome, Seconds, Step, table
from inforce.train.embedded.model import new_model
from inforce.train.embedded.replay import Replay, as_graph
from inforce.train.embedded.sampling import BatchedSampler
from inforce.train.embedded.settings import Grpo, Plan, Sampling, Shaping, Training, WarmStart
from inforce.train.embedded.trainer import Collect, Policy, Trainer
from inforce.train.embedded.warm_start import warm_start
from inforce.train.policy import Sampler
from inforce.train.trajectory import Span, Trajectory

pytestmark = pytest.mark.torch

DIGITS = list(range(10))
MARKS = Marks(end=TOKENS.end, padding=TOKENS.padding)
PLAN = Plan(training=Training(steps=4, questions=4, checkpoint_every=2))


def trainer(folder: Path, *, plan: Plan = PLAN, collect: Collect[int] = say_all) -> Trainer[int]:
    return Trainer(Policy(tiny_model(), TOKENS), DIGITS, collect, folder, plan=plan)


def timeless(steps: Sequence[Step]) -> list[Step]:
    return [replace(one, seconds=Seconds(0.0, 0.0)) for one in steps]


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


@pytest.mark.parametrize("left", [0, 3])
async def test_rows_that_are_missing_are_no_reason_to_count_anew(tmp_path: Path, left: int) -> None:
    """Else weights of step 4 would be trained from step 1 on, and nobody would know."""
    await trainer(tmp_path).train()
    rows = tmp_path / "metrics.jsonl"
    rows.write_bytes(b"".join(rows.read_bytes().splitlines(keepends=True)[:left]))
    with pytest.raises(InputError, match=f"{left} steps.*after step 4"):
        await trainer(tmp_path).train()


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

    steps = await trainer(tmp_path, collect=meanwhile).train()
    assert str(tmp_path) in second[0] and len(steps) == 4
    assert len(MetricsFile(tmp_path / "metrics.jsonl").steps()) == 4


# Rewards and facts


@pytest.mark.parametrize("reward", [math.nan, math.inf, -math.inf])
async def test_a_reward_that_is_no_number_stops_training_before_anything_is_learnt(
    tmp_path: Path, reward: float
) -> None:
    async def broken(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
        first, *rest = await say_all(sampler, digits)
        return [replace(first, reward=reward), *rest]

    toy = trainer(tmp_path, collect=broken)
    before = [one.clone() for one in toy.policy.model.parameters()]
    question = toy.drawn(1)[0]
    with pytest.raises(UserError, match=f"{question}.*None"):
        await toy.train()
    assert all(map(torch.equal, before, toy.policy.model.parameters()))
    assert toy.metrics.steps() == []


def test_a_fact_that_is_no_number_is_not_given() -> None:
    facts = [{"share": 0.5}, {"share": math.nan}, {"share": math.inf}, {"other": math.nan}]
    outcome = Outcome.of([replace(said(1, "1"), facts=one) for one in facts])
    assert outcome.facts == {"share": 0.5}


def test_a_huge_reward_beside_small_ones_is_still_learnt_from() -> None:
    tried = [replace(said(1, str(one)), reward=10.0**one) for one in (0, 9, 8, 1)]
    model = tiny_model()
    learnt = learn(model, torch.optim.AdamW(model.parameters()), tried, Grpo(shaping=Shaping()))
    assert learnt is not None and math.isfinite(learnt.loss) and learnt.gradient > 0


# Questions and contexts


async def test_no_questions_at_all_are_refused(tmp_path: Path) -> None:
    none: Trainer[int] = Trainer(Policy(tiny_model(), TOKENS), [], say_all, tmp_path, plan=PLAN)
    with pytest.raises(UserError, match="4 questions; there are 0"):
        await none.train()


async def test_questions_longer_than_the_model_can_look_at_are_named(tmp_path: Path) -> None:
    async def endless(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
        prompt = asked(1) * TINY.context
        written = [await sampler.write(prompt, max_tokens=4) for _ in digits]
        spans = [(Span("given", prompt), Span("generated", one.tokens)) for one in written]
        return [Trajectory("1", one, ("",), reward=0.0) for one in spans]

    with pytest.raises(UserError, match=f"wrote nothing.*{TINY.context} tokens"):
        await trainer(tmp_path, collect=endless).train()


async def test_an_environment_that_tries_nothing_stops_training(tmp_path: Path) -> None:
    async def idle(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
        return []

    with pytest.raises(UserError, match="wrote nothing"):
        await trainer(tmp_path, collect=idle).train()


# Settings


@pytest.mark.parametrize(
    "settings",
    [
        lambda: Sampling(batch=0),
        lambda: Sampling(patience=-1),
        lambda: Sampling(temperature=math.nan),
        lambda: Training(questions=0),
        lambda: Training(checkpoint_every=0),
        lambda: Training(keep=0),
        lambda: Training(steps=-1),
        lambda: Grpo(passes=0),
        lambda: Grpo(micro_batch=0),
        lambda: Grpo(beta=-0.1),
        lambda: Shaping(kappa=1.0),
        lambda: Shaping(alpha=-1.0),
        lambda: WarmStart(batch=0),
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
    [written] = write_all(model, [Wanted(asked(4), (draw,))], MARKS)
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
    wanted = [Wanted(long, (0.5,) * room), Wanted(asked(1), (0.5,) * (TINY.context - 10))]
    short, _ = write_all(model, wanted, MARKS)
    assert len(short.tokens) <= room
    assert max(furthest) < TINY.context


def test_every_room_is_compiled_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch leaves a function alone after eight sizes (here: two), without a word."""
    compiled: list[torch.fx.GraphModule] = []

    def as_they_are(graph: torch.fx.GraphModule, _: object, **__: object) -> Callable[..., Any]:
        compiled.append(graph)
        return graph.forward

    monkeypatch.setattr("inforce.train.embedded.replay.ROOM", 4)
    # It loads torch's own compiler, which takes longer than all the rest.
    monkeypatch.setattr(torch.compiler, "cudagraph_mark_step_begin", lambda: None)
    model = new_model(TOKENS.size, replace(TINY, layers=1))
    replay = Replay(model, compile_step=partial(as_graph, backend=as_they_are))
    compiler: Any = importlib.import_module("torch._dynamo.config")
    # Set by monkeypatch, it would be gone afterwards.
    with compiler.patch(recompile_limit=2):
        for room in range(4):
            wanted = [Wanted(asked(1), (0.5,) * (4 * room + 2))]
            [replayed], [plain] = (
                write_all(model, wanted, MARKS, replay=one) for one in (replay, None)
            )
            assert replayed.tokens == plain.tokens
    assert len(compiled) == 4


async def test_what_was_asked_before_an_interruption_is_not_written_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[int] = []

    def counted(*args: Any, **kwargs: Any) -> Any:
        sizes.append(len(args[1]))
        return write_all(*args, **kwargs)

    monkeypatch.setattr("inforce.train.embedded.sampling.write_all", counted)
    sampler = BatchedSampler(guessing_model(), TOKENS)
    given_up = [asyncio.create_task(sampler.write(asked(one), max_tokens=4)) for one in (1, 2)]
    await asyncio.sleep(0)
    for one in given_up:
        one.cancel()
    await sampler.write(asked(3), max_tokens=4)
    assert sizes == [1]


# Warm start


def test_imitation_that_falls_apart_says_so() -> None:
    model = tiny_model()
    with torch.no_grad():
        next(model.parameters())[0] = float("nan")
    with pytest.raises(UserError, match="lower the rate"):
        warm_start(model, [said(1, "1")], WarmStart(steps=2))


# What is shown


def test_large_figures_are_read_at_a_glance() -> None:
    outcome = Outcome.of([replace(said(1, "1"), reward=0.5, facts={"tool_calls": 12345.678})])
    shown = table([Step(1, outcome, None, Seconds(1234.0, 0.5))], steps=1)
    cells = [str(cell) for column in shown.columns for cell in column.cells]
    assert "12346" in cells and "1234" in cells and not any("e+" in cell for cell in cells)


@pytest.mark.parametrize("width", [72, 80, 140])
def test_figures_stay_whole_in_a_narrow_terminal(width: int) -> None:
    """Facts at the end are left out before the figures of training are folded or cut."""
    facts = dict.fromkeys(("cut_off", "dated_queries", "forged", "rewritten", "tool_calls"), 0.0312)
    outcome = Outcome.of([replace(said(1, "1"), reward=-0.0125, facts=facts)])
    screen = io.StringIO()
    shown = table([Step(7, outcome, None, Seconds(0.25, 0.0625))], steps=40)
    Console(file=screen, width=width).print(shown)
    told = screen.getvalue()
    for whole in ("7/40", "-0.0125", "0.312", "reward", "seconds"):
        assert whole in told
    assert ("tool" in told) == (width == 140)
