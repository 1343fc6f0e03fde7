"""GRPO by TRL, with advantages and their shaping by entropy as in `inforce.train.advantages`.

Three private methods of TRL's trainer are used (checked with 1.10 and 1.16): the one that generates
and scores, the one that calculates rewards, and the one that computes entropies. TRL accepts an
advantage for every token as well as one for every trajectory.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import torch
from datasets import Dataset
from torch import Tensor
from transformers import PreTrainedTokenizerFast, trainer_utils
from trl.trainer.grpo_config import GRPOConfig
from trl.trainer.grpo_trainer import GRPOTrainer

from inforce.train.advantages import Deviation, Shaping, group_advantages, shaped
from inforce.train.chatml import END, FILE, PADDING, ChatMl
from inforce.train.embedded.settings import Sampling
from inforce.train.episodes import Environment, Question
from inforce.train.trl_adapter.rollouts import collecting, evaluating, measured, rollout_function
from inforce.train.trl_adapter.settings import LEGALSEARCH_R1, Recipe, arguments, check_questions


class EASGRPOTrainer(GRPOTrainer):
    """TRL's GRPO with the group advantages and the entropy-based shaping of LegalSearch-R1.

    TRL's own scaling of rewards (``scale_rewards``) has no effect on the loss.

    Args:
        shaping: of advantages; ``None``: none, and no entropies are computed.
        deviation: the standard deviation that rewards of a group are divided by.
        given: all other arguments are TRL's.
    """

    def __init__(
        self,
        *given: Any,
        shaping: Shaping | None = LEGALSEARCH_R1.shaping,
        deviation: Deviation = "population",
        **named: Any,
    ) -> None:
        super().__init__(*given, **named)
        self.shaping = shaping
        self.deviation: Deviation = deviation
        self._rewarded: Tensor = torch.empty(0, 1)

    def _calculate_rewards(self, *given: Any, **named: Any) -> Tensor:
        """Calculate the rewards of all processes, and remember them for the advantages."""
        self._rewarded = cast(Tensor, super()._calculate_rewards(*given, **named))
        return self._rewarded

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        """Replace TRL's advantages by ours."""
        scored: dict[str, Any] = super()._generate_and_score_completions(inputs)
        advantages = self._advantages(len(inputs))
        if self.shaping is None:
            return {**scored, "advantages": advantages}
        mask = scored["completion_mask"] * scored.get("tool_mask", 1)
        raised = shaped(advantages, self._entropies(scored), mask, self.shaping)
        self._note(raised, advantages[:, None] * mask)
        return {**scored, "advantages": raised}

    def _advantages(self, count: int) -> Tensor:
        """Compute the advantages of this process's trajectories in their groups: (B,)."""
        rewards = _weighted(self._rewarded, self.reward_weights.to(self._rewarded.device))
        groups = [str(place // self._group) for place in range(len(rewards))]
        every = group_advantages(rewards, groups, deviation=self.deviation)
        start: int = self.accelerator.process_index * count
        return every[start : start + count]

    @property
    def _is_learning(self) -> bool:
        return bool(cast(Any, self.model).training)

    @property
    def _group(self) -> int:
        """Trajectories per question."""
        size = self.num_generations if self._is_learning else self.num_generations_eval
        return cast(int, size)

    @torch.no_grad()
    def _entropies(self, scored: dict[str, Any]) -> Tensor:
        """Compute entropies of the policy at the temperature it drew with: (B, T)."""
        texts = torch.cat([scored["prompt_ids"], scored["completion_ids"]], dim=1)
        seen = torch.cat([scored["prompt_mask"], scored["completion_mask"]], dim=1)
        with evaluating(cast(Any, self)):
            found = cast(Any, self)._get_per_token_logps_and_entropies(
                self.model,
                texts,
                seen,
                scored["completion_ids"].shape[1],
                batch_size=self.args.per_device_train_batch_size,
                compute_entropy=True,
            )
        return cast(Tensor, found[1])

    def _note(self, raised: Tensor, plain: Tensor) -> None:
        """Log by what share of their size shaping raised the advantages."""
        sums = torch.stack([(raised - plain).sum(), plain.abs().sum()])
        whole = cast(Tensor, self.accelerator.reduce(sums, reduction="sum"))
        psi, size = float(whole[0]), float(whole[1])
        mode = "train" if self._is_learning else "eval"
        self._metrics[mode]["eas/share"].append(psi / size if size else 0.0)


def _weighted(rewards: Tensor, weights: Tensor) -> Tensor:
    """Sum the rewards of all functions, NaN where all of them are unknown: (B,)."""
    summed = (rewards * weights).nansum(dim=1)
    return summed.masked_fill(rewards.isnan().all(dim=1), float("nan"))


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
    """Train a model; training that was interrupted in the folder is resumed.

    Episodes are generated by our own engine with the weights that are trained, not by vLLM or TRL.

    Args:
        model: a folder in the format of Hugging Face, with a fast tokenizer that has ChatML's
            special tokens.
        questions: to learn from; ids must differ.
        environment: agent, tools, reward and limits; a paper's turns and limits are in its recipe.
        folder: for checkpoints, and in the end the model (``policy/``).
        recipe: hyperparameters of a paper.
        at_once: trajectories computed at a time on each device.
        sampling: how the policy draws.
        adapter: PEFT's configuration (``LoraConfig``), to train and store an adapter instead of
            the model's own weights; the adapter names the model it belongs to.
        changed: other arguments of TRL's configuration.

    Returns:
        The folder of the trained model.

    Raises:
        InputError: if the model's tokenizer cannot be used.
        UserError: if there are too few questions or two of the same id, an update cannot be
            computed in parts of this size, or a changed argument has no effect.
    """
    check_questions([one.id for one in questions], recipe)
    tokens = ChatMl.load(model)
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
    """Load the tokenizer of a model for TRL, which pads with it and decodes for its logs."""
    return PreTrainedTokenizerFast(
        tokenizer_file=str(folder / FILE), eos_token=END, pad_token=PADDING
    )


def _last_checkpoint(folder: Path) -> str | None:
    library: Any = trainer_utils
    return library.get_last_checkpoint(str(folder)) if folder.is_dir() else None
