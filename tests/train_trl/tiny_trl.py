"""A policy of a few thousand weights and trajectories written by hand, for tests with TRL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import PreTrainedModel
from trl.trainer.grpo_config import GRPOConfig

from inforce.train.chatml import ChatMl
from inforce.train.policy import ModelShape, new_model
from inforce.train.trajectory import Span, Trajectory
from inforce.train.trl_adapter.rollouts import Collect, Step, measured, rollout_function
from inforce.train.trl_adapter.settings import LEGALSEARCH_R1, MSR2, Recipe, arguments
from inforce.train.trl_adapter.trainer import EASGRPOTrainer, vocabulary

WARNINGS = [
    "ignore:.*gradient_checkpointing. is deprecated:FutureWarning",  # TRL with transformers 5.23
]

TINY = ModelShape(hidden=64, layers=2, heads=4, kv_heads=2, inner=128, context=128)
TOKENS = ChatMl.trained(["say 0123456789"] * 3, size=300)

CPU: dict[str, Any] = {
    "use_cpu": True,
    "bf16": False,
    "gradient_checkpointing": False,
    "logging_steps": 1,
    "disable_tqdm": True,
}

R1 = replace(LEGALSEARCH_R1, questions=2, rollouts=4)
SENTENCING = replace(MSR2, questions=2, rollouts=4, updates=1)


def tiny_model(*, seed: int = 0) -> PreTrainedModel:
    """It knows nothing."""
    return new_model(TOKENS.size, TINY, seed=seed)


def saved(model: PreTrainedModel, folder: Path) -> Path:
    """A model and its tokens in a folder."""
    model.save_pretrained(folder)
    TOKENS.save(folder)
    return folder


def episode(question: str, first: str, second: str, reward: float | None) -> Trajectory:
    """Two turns, and the world's answer between them."""
    opening = TOKENS.prompt([("user", f"say {question}")])
    between = TOKENS.observation([("tool", "0123"[: len(second)])], ended=True)
    spans = (
        Span("prompt", opening),
        _turn(first),
        Span("observed", between),
        _turn(second),
    )
    return Trajectory(question, spans, (first, second), reward=reward, facts={"tool_calls": 1})


def _turn(text: str) -> Span:
    tokens = (*TOKENS.encode(text), TOKENS.end)
    return Span("generated", tokens, (-5.0,) * len(tokens))


TRIED = [
    episode("7", "7", "7", 1.0),
    episode("7", "12", "345", 0.0),
    episode("7", "123", "4", 0.0),
    episode("7", "3", "77", 0.5),
    episode("8", "8888", "1", 1.0),
    episode("8", "1", "1", 0.0),
    episode("8", "31", "8", 1.0),
    episode("8", "1", "88", 0.0),
]
"""Two groups of four, of many lengths."""


def told(trajectories: Sequence[Trajectory]) -> Collect:
    """Every question gets its trajectories, whatever the policy would have written."""

    def collect(prompts: Sequence[str], _: Step) -> list[Trajectory]:
        asked = dict.fromkeys(prompts)
        return [one for question in asked for one in trajectories if one.question == question]

    return collect


def trainer(
    model: PreTrainedModel | str,
    collect: Collect,
    folder: Path,
    recipe: Recipe = R1,
    *,
    at_once: int = 4,
    **changed: Any,
) -> EASGRPOTrainer:
    """One of TRL's trainers that takes one step on a processor."""
    TOKENS.save(folder)
    given = {**CPU, "max_steps": 1, "save_strategy": "no", **changed}
    return EASGRPOTrainer(
        model=model,
        reward_funcs=measured,
        args=GRPOConfig(**arguments(recipe, folder / "checkpoints", at_once=at_once, **given)),
        train_dataset=Dataset.from_list([{"prompt": "7"}, {"prompt": "8"}]),
        processing_class=vocabulary(folder),
        rollout_func=rollout_function(collect),
        shaping=recipe.shaping,
        deviation=recipe.deviation,
    )


def inside(trl: EASGRPOTrainer) -> Any:
    """A trainer with what is not public of it."""
    return trl
