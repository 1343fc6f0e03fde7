"""The hyperparameters of both papers, in the terms of TRL.

Both keep the learning rate constant, draw at temperature 1 from all tokens, and have eight
trajectories per question. What TRL does beyond the papers by default is switched off here.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inforce.errors import UserError
from inforce.train.advantages import Deviation, Shaping
from inforce.train.episodes import Limits


@dataclass(frozen=True, slots=True)
class Recipe:
    """Hyperparameters of a paper."""

    questions: int
    """Questions per step."""
    rollouts: int
    """Trajectories per question."""
    updates: int
    """Updates per step, each on its part of the trajectories."""
    shaping: Shaping | None
    """Of advantages, by entropy."""
    deviation: Deviation
    turns: int
    """Most turns of an episode, a setting of the environment's agent."""
    limits: Limits
    """How long an episode may become, a setting of the environment."""
    arguments: Mapping[str, Any]
    """Arguments of TRL's configuration."""


_SHARED: Mapping[str, Any] = {
    "temperature": 1.0,
    "top_p": 1.0,
    "epsilon": 0.2,
    "use_bias_correction_kl": False,
    "learning_rate": 1e-6,
    "lr_scheduler_type": "constant",
    "max_grad_norm": 1.0,
    "mask_truncated_completions": False,
    "save_total_limit": 2,
    "report_to": "none",
}

_WITHOUT_EFFECT = frozenset(
    {
        "cache_implementation",
        "generation_kwargs",
        "max_completion_length",
        "min_p",
        "repetition_penalty",
        "top_k",
        "top_p",
        "use_transformers_continuous_batching",
        "use_vllm",
    }
)
"""Options of TRL's own generation. Our episodes are drawn by our own engine, from all tokens."""

LEGALSEARCH_R1 = Recipe(
    questions=64,
    rollouts=8,
    updates=1,
    shaping=Shaping(alpha=0.1, kappa=2.0),
    deviation="population",
    turns=15,
    limits=Limits(response_tokens=28_671, turn_tokens=28_671),
    arguments={
        **_SHARED,
        "loss_type": "dapo",
        "beta": 0.0,
        "max_steps": 112,
        "save_steps": 10,
    },
)
"""LegalSearch-R1, table 3. Its loss is over all tokens of a step (equation 4), which TRL calls
``dapo``; the standard deviation is its released code's."""

MSR2 = Recipe(
    questions=256,
    rollouts=8,
    updates=2,
    shaping=None,
    deviation="sample",
    turns=8,
    limits=Limits(response_tokens=8_192, turn_tokens=8_192),
    arguments={
        **_SHARED,
        "loss_type": "grpo",
        "beta": 0.001,
        "num_train_epochs": 1,
        "save_steps": 40,
    },
)
"""MSR2, section 4.3.1: 256 questions in mini-batches of 128, the loss a mean over trajectories
(equation 6). The text gives neither the learning rate, nor beta, nor the kind of standard
deviation: these three are defaults of verl, with which it was trained."""


def arguments(recipe: Recipe, folder: Path, *, at_once: int, **changed: Any) -> dict[str, Any]:
    """Return the arguments of TRL's ``GRPOConfig`` for a recipe.

    Args:
        recipe: `LEGALSEARCH_R1`, `MSR2`, or one of these with changes.
        folder: for checkpoints.
        at_once: trajectories computed at a time on each device; their gradients add up to those of
            the whole update.
        changed: other arguments of TRL.

    Raises:
        UserError: if an update cannot be computed in parts of this size, or a changed argument has
            no effect here.
    """
    if idle := sorted(name for name in _WITHOUT_EFFECT & changed.keys() if changed[name]):
        raise UserError(
            f"{', '.join(idle)}: without effect, since episodes are drawn by inforce's sampler and "
            "not by TRL or vLLM; how long they become is for the environment's limits to say"
        )
    parts = _parts(recipe, at_once * int(os.environ.get("WORLD_SIZE", "1")))
    return {
        "output_dir": str(folder),
        "num_generations": recipe.rollouts,
        "per_device_train_batch_size": at_once,
        "gradient_accumulation_steps": parts,
        "steps_per_generation": parts * recipe.updates,
        **recipe.arguments,
        **changed,
    }


def check_questions(ids: Sequence[str], recipe: Recipe) -> None:
    """Refuse questions that make no step; with too few prompts TRL stops without an error.

    Raises:
        UserError: if there are too few questions for a step, or two with the same id.
    """
    if len(ids) < recipe.questions:
        raise UserError(
            f"{len(ids)} questions are too few for a step of {recipe.questions}: give more, or a "
            "recipe with fewer (dataclasses.replace(recipe, questions=…))"
        )
    twice = [one for one, times in Counter(ids).items() if times > 1]
    if twice:
        raise UserError(f"two questions have the id {twice[0]!r}: ids must differ")


def _parts(recipe: Recipe, together: int) -> int:
    update, left = divmod(recipe.questions * recipe.rollouts, recipe.updates)
    parts, rest = divmod(update, together)
    if left or rest:
        raise UserError(
            f"{recipe.questions} questions with {recipe.rollouts} trajectories each are not "
            f"{recipe.updates} updates of parts of {together}: choose `at_once` so that they are"
        )
    return parts
