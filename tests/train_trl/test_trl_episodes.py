from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from tiny_trl import (
    CPU,
    R1,
    SENTENCING,
    TOKENS,
    TRIED,
    WARNINGS,
    inside,
    saved,
    tiny_model,
    told,
    trainer,
)
from transformers import PreTrainedModel
from trl.trainer.grpo_config import GRPOConfig

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.errors import UserError
from inforce.llm.chat import Message
from inforce.tools.toolbox import Toolbox
from inforce.train.chatml import ChatMl
from inforce.train.embedded.settings import Sampling
from inforce.train.episodes import Environment, Limits, Question
from inforce.train.policy import load_model
from inforce.train.trajectory import Span, Trajectory
from inforce.train.trl_adapter.rollouts import Collect, Step, collecting, evaluating
from inforce.train.trl_adapter.trainer import train

pytestmark = [pytest.mark.trl, *map(pytest.mark.filterwarnings, WARNINGS)]


class Twice:
    """An agent that says what the policy says, after asking a second time."""

    name = "twice"
    settings: dict[str, str] = {}

    async def __call__(self, run: Run) -> Draft:
        said = [Message("user", run.question)]
        for _ in range(2):
            reply = await run.reply(said)
            said += [Message("assistant", reply.text), Message("user", "again")]
        return Draft(said[-2].content)


async def evenness(trajectory: Trajectory, _: Question) -> float:
    """Tokens of even number are good: a reward any policy is paid differently by."""
    written = [token for token, by in zip(trajectory.response, trajectory.mask, strict=True) if by]
    return sum(token % 2 == 0 for token in written) / len(written)


QUESTIONS = [Question("7", "say 7"), Question("8", "say 8")]
WORLD = Environment(Twice(), Toolbox([]), date(2026, 11, 20), evenness, Limits(60, 12))


class Kept:
    """Keeps what was collected."""

    def __init__(self, collect: Collect) -> None:
        self.steps: list[list[Trajectory]] = []
        self._collect = collect

    def __call__(self, prompts: Sequence[str], trainer: Step) -> list[Trajectory]:
        self.steps.append(list(self._collect(prompts, trainer)))
        return self.steps[-1]


def test_the_policy_that_is_trained_writes_the_episodes(tmp_path: Path) -> None:
    model = tiny_model()
    before = deepcopy(model.state_dict())
    with collecting(QUESTIONS, WORLD, TOKENS) as collect:
        kept = Kept(collect)
        trl = trainer(model, kept, tmp_path, max_steps=2, learning_rate=1e-2)
        trl.train()
    assert [len(step) for step in kept.steps] == [8, 8]
    for step in kept.steps:
        assert {one.question for one in step} == {"7", "8"}
        assert len({one.response for one in step}) == 8
        assert all(len(one.turns) == 2 for one in step)
    assert not torch.equal(before["lm_head.weight"], model.state_dict()["lm_head.weight"])
    assert trl.state.log_history[0]["episodes/turns"] == 2.0


def test_the_policy_comes_to_do_what_is_rewarded(tmp_path: Path) -> None:
    with collecting(QUESTIONS, WORLD, TOKENS) as collect:
        trl = trainer(tiny_model(), collect, tmp_path, max_steps=20, learning_rate=5e-3)
        trl.train()
    rewards = [step["reward"] for step in trl.state.log_history[:20]]
    assert sum(rewards[-3:]) / 3 > sum(rewards[:3]) / 3 + 0.25


def test_what_was_noted_when_drawn_is_what_trl_computes_again(tmp_path: Path) -> None:
    with collecting(QUESTIONS, WORLD, TOKENS) as collect:
        recipe = replace(R1, arguments={**R1.arguments, "temperature": 0.8})
        trl = trainer(tiny_model(), collect, tmp_path, recipe)
        prompts = [{"prompt": one.question} for one in TRIED]
        found = inside(trl)._generate_and_score_completions(prompts)
    whole = torch.cat([found["prompt_ids"], found["completion_ids"]], dim=1)
    seen = torch.cat([found["prompt_mask"], found["completion_mask"]], dim=1)
    with torch.no_grad():
        again, *_ = inside(trl)._get_per_token_logps_and_entropies(
            trl.model, whole, seen, found["completion_ids"].shape[1]
        )
    mask = found["completion_mask"] * found["tool_mask"]
    assert 0 < mask.sum() < found["completion_mask"].sum()
    noted = found["sampling_per_token_logps"]
    torch.testing.assert_close(noted * mask, again * mask, atol=1e-4, rtol=0)


def test_a_step_draws_the_same_again_and_the_next_one_otherwise(tmp_path: Path) -> None:
    with collecting(QUESTIONS, WORLD, TOKENS, sampling=Sampling(seed=3)) as collect:
        trl = trainer(tiny_model(), collect, tmp_path)
        first, again = collect(["7", "7"], trl), collect(["7", "7"], trl)
        trl.state.global_step += 1
        other = collect(["7", "7"], trl)
    assert first == again
    assert [one.response for one in first] != [one.response for one in other]


def test_evaluation_draws_otherwise_than_training(tmp_path: Path) -> None:
    with collecting(QUESTIONS, WORLD, TOKENS) as collect:
        trl = trainer(tiny_model(), collect, tmp_path)
        inside(trl).model.train()
        learnt = collect(["7"], trl)
        inside(trl).model.eval()
        assert [one.response for one in collect(["7"], trl)] != [one.response for one in learnt]


@pytest.mark.parametrize("learns", [True, False])
def test_while_it_writes_nothing_is_dropped_out(tmp_path: Path, learns: bool) -> None:
    trl = trainer(tiny_model(), told(TRIED), tmp_path)
    inside(trl).model.train(learns)
    with evaluating(trl) as model:
        assert not model.training
    assert inside(trl).model.training == learns


def test_the_reference_is_the_model_training_began_with(tmp_path: Path) -> None:
    """MSR2's divergence: 0 where the policy is still the reference, then not."""
    folder = saved(tiny_model(), tmp_path / "model")
    trl = trainer(str(folder), told(TRIED), tmp_path, SENTENCING, max_steps=2, learning_rate=1e-2)
    trl.train()
    first, second = (step["kl"] for step in trl.state.log_history[:2])
    assert first == pytest.approx(0.0, abs=1e-6)
    assert second > 1e-3


def test_training_goes_on_where_it_stopped_as_if_never_interrupted(tmp_path: Path) -> None:
    model = saved(tiny_model(), tmp_path / "model")
    whole = trained(model, tmp_path / "whole", max_steps=4)
    trained(model, tmp_path / "stopped", max_steps=2)
    resumed = trained(model, tmp_path / "stopped", max_steps=4)
    for name, weights in whole.state_dict().items():
        torch.testing.assert_close(resumed.state_dict()[name], weights, atol=1e-6, rtol=1e-5)
    begun = load_model(model).state_dict()["model.norm.weight"]
    assert not torch.equal(begun, whole.state_dict()["model.norm.weight"])


def test_an_adapter_is_trained_and_the_model_stays_as_it_is(tmp_path: Path) -> None:
    model = saved(tiny_model(), tmp_path / "model")
    before = (model / "model.safetensors").read_bytes()
    lora = LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM", lora_dropout=0.1)
    given: dict[str, Any] = {
        "recipe": R1,
        "at_once": 4,
        "adapter": lora,
        "learning_rate": 1e-2,
        **CPU,
    }
    folder = tmp_path / "run"
    policy = train(model, QUESTIONS, WORLD, folder, **given, max_steps=1)
    train(model, QUESTIONS, WORLD, folder, **given, max_steps=2)
    assert (model / "model.safetensors").read_bytes() == before
    adapter: Any = PeftModel.from_pretrained(load_model(model), str(policy))
    learnt = [one for name, one in adapter.named_parameters() if "lora_B" in name]
    assert learnt
    assert all(one.abs().max() > 0 for one in learnt)  # they begin as zeros
    assert (folder / "checkpoint-2" / "adapter_model.safetensors").is_file()
    assert not (folder / "checkpoint-2" / "model.safetensors").exists()


def test_an_adapter_takes_part_in_what_is_written(tmp_path: Path) -> None:
    lora = LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM", lora_dropout=0.5)
    adapted: Any = get_peft_model(cast(Any, tiny_model()), lora)
    with collecting(QUESTIONS, WORLD, TOKENS) as collect:
        trl = trainer(adapted, collect, tmp_path)
        inside(trl).model.train()
        plain = collect(["7"], trl)
        assert plain == collect(["7"], trl)  # nothing is dropped out
        for name, weights in adapted.named_parameters():
            if "lora_B" in name:
                torch.nn.init.normal_(weights, generator=torch.Generator().manual_seed(0))
        changed = collect(["7"], trl)
    assert [one.response for one in plain] != [one.response for one in changed]


def test_entropies_that_shape_are_those_of_the_policy_that_wrote(tmp_path: Path) -> None:
    """With an adapter's dropout, they would be those of another policy every time."""
    lora = LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM", lora_dropout=0.5)
    adapted: Any = get_peft_model(cast(Any, tiny_model()), lora)
    for name, weights in adapted.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weights, generator=torch.Generator().manual_seed(0))
    trl = trainer(adapted, told(TRIED), tmp_path)
    inside(trl).model.train()
    rows = [{"prompt": one.question} for one in TRIED]
    first, again = (inside(trl)._generate_and_score_completions(rows) for _ in range(2))
    torch.testing.assert_close(first["advantages"], again["advantages"], atol=1e-6, rtol=0)


def test_questions_too_few_for_a_step_are_refused_and_nothing_is_left(tmp_path: Path) -> None:
    model = saved(tiny_model(), tmp_path / "model")
    with pytest.raises(UserError, match="too few"):
        train(model, QUESTIONS[:1], WORLD, tmp_path / "run", recipe=R1, at_once=4, **CPU)
    assert not (tmp_path / "run").exists()


def test_an_episode_longer_than_trls_own_limit_is_kept_whole(tmp_path: Path) -> None:
    longer = GRPOConfig.max_completion_length or 0
    long = [replace(one, spans=(*one.spans, Span("observed", (5,) * longer))) for one in TRIED]
    trl = trainer(tiny_model(), told(long), tmp_path)
    found = inside(trl)._generate_and_score_completions([{"prompt": one.question} for one in long])
    assert found["completion_ids"].shape[1] == max(len(one.response) for one in long) > longer > 0


def trained(model: Path, folder: Path, *, max_steps: int) -> PreTrainedModel:
    """The model training ends with."""
    rate = {"learning_rate": 1e-2, "max_steps": max_steps, "save_steps": 2}
    policy = train(model, QUESTIONS, WORLD, folder, recipe=R1, at_once=4, **rate, **CPU)
    assert ChatMl.load(policy).size == TOKENS.size
    return load_model(policy)
