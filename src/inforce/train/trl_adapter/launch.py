"""Training a model with TRL, from a folder into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import PreTrainedTokenizerFast, trainer_utils
from trl.trainer.grpo_config import GRPOConfig

from inforce.train.embedded.settings import Sampling
from inforce.train.embedded.tokenizer import END, FILE, PADDING, ChatMl
from inforce.train.episodes import Environment, Question
from inforce.train.trl_adapter.episodes import collecting
from inforce.train.trl_adapter.rollouts import measured, rollout_function
from inforce.train.trl_adapter.settings import LEGALSEARCH_R1, Recipe, arguments, check_questions
from inforce.train.trl_adapter.trainer import EASGRPOTrainer

POLICY = "policy"


def train(
    model: Path,
    questions: Sequence[Question],
    environment: Environment,
    folder: Path,
    *,
    recipe: Recipe = LEGALSEARCH_R1,
    at_once: int = 8,
    sampling: Sampling | None = None,
    adapter: Any = None,
    **changed: Any,
) -> Path:
    """Train a model; training that was interrupted in the folder goes on.

    Episodes are written by the very weights that are trained, with transformers: neither vLLM nor
    TRL's own generation takes part.

    Args:
        model: a folder in the format of Hugging Face, with a fast tokenizer that has the marks of
            ChatML.
        questions: to learn from; ids must differ.
        environment: agent, tools, reward and limits; a paper's turns and limits are in its recipe.
        folder: where checkpoints go, and in the end the model (``policy/``).
        recipe: of a paper.
        at_once: trajectories computed at a time on each device.
        sampling: how the policy draws.
        adapter: PEFT's configuration (``LoraConfig``), to train an adapter and leave the model as
            it is; the result is the adapter then, which names the model it belongs to.
        changed: what is to be otherwise in TRL's configuration.

    Returns:
        The folder of the trained model.

    Raises:
        InputError: if the model's tokenizer cannot be used.
        UserError: if there are too few questions or two of the same id, an update cannot be
            computed in parts of this size, or something is to be otherwise that has no effect.
    """
    check_questions([one.id for one in questions], recipe)
    tokens = ChatMl.loaded(model)
    config = GRPOConfig(**arguments(recipe, folder, at_once=at_once, **changed))
    with collecting(questions, environment, tokens, sampling=sampling) as collect:
        trainer = EASGRPOTrainer(
            model=str(model),
            reward_funcs=measured,
            args=config,
            train_dataset=Dataset.from_list([{"prompt": one.id} for one in questions]),
            processing_class=vocabulary(model),
            rollout_func=rollout_function(collect),
            peft_config=adapter,
            shaping=recipe.shaping,
            deviation=recipe.deviation,
        )
        trainer.train(resume_from_checkpoint=_last_checkpoint(folder))
    trainer.save_model(str(folder / POLICY))
    return folder / POLICY


def vocabulary(folder: Path) -> PreTrainedTokenizerFast:
    """The tokenizer beside a model, as TRL wants it: to pad, and to show what was written."""
    return PreTrainedTokenizerFast(
        tokenizer_file=str(folder / FILE), eos_token=END, pad_token=PADDING
    )


def _last_checkpoint(folder: Path) -> str | None:
    kept: Any = trainer_utils
    return kept.get_last_checkpoint(str(folder)) if folder.is_dir() else None
