"""GRPO by TRL, with advantages and their shaping by entropy as in `inforce.train.advantages`.

Three methods of TRL's trainer that are not public are used (checked with 1.10 and 1.16): the one
that generates and scores, which this class completes, the one that calculates rewards, whose result
it keeps, and the one that gives entropies. TRL takes an advantage for every token as readily as one
for every trajectory.
"""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor
from trl.trainer.grpo_trainer import GRPOTrainer

from inforce.train.advantages import Deviation, group_advantages, shaped
from inforce.train.embedded.settings import Shaping
from inforce.train.trl_adapter.episodes import writing
from inforce.train.trl_adapter.settings import LEGALSEARCH_R1


class EASGRPOTrainer(GRPOTrainer):
    """TRL's GRPO with the group advantages and the entropy-based shaping of LegalSearch-R1.

    TRL's own way with rewards (``scale_rewards``) has no effect on what is learnt.

    Args:
        shaping: how advantages are shaped; ``None``: not at all, and no entropies are computed.
        deviation: what rewards of a group are divided by.
        given: everything else is TRL's.
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
        """Rewards of all processes by all reward functions, kept for the advantages."""
        self._rewarded = cast(Tensor, super()._calculate_rewards(*given, **named))
        return self._rewarded

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        """Trajectories with our advantages in place of TRL's."""
        scored: dict[str, Any] = super()._generate_and_score_completions(inputs)
        advantages = self._advantages(len(inputs))
        if self.shaping is None:
            return {**scored, "advantages": advantages}
        alpha, kappa = self.shaping.alpha, self.shaping.kappa
        mask = _written(scored)
        raised = shaped(advantages, self._entropies(scored), mask, alpha=alpha, kappa=kappa)
        self._note(raised, advantages[:, None] * mask)
        return {**scored, "advantages": raised}

    def _advantages(self, count: int) -> Tensor:
        """Of this process's trajectories, relative to their groups in all processes: (B,)."""
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
        """Trajectories a question."""
        size = self.num_generations if self._is_learning else self.num_generations_eval
        return cast(int, size)

    @torch.no_grad()
    def _entropies(self, scored: dict[str, Any]) -> Tensor:
        """Of the policy that wrote, at the temperature it wrote with: (B, T)."""
        texts = torch.cat([scored["prompt_ids"], scored["completion_ids"]], dim=1)
        seen = torch.cat([scored["prompt_mask"], scored["completion_mask"]], dim=1)
        with writing(cast(Any, self)):
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
        """Log by how much of the advantages' size shaping raised them."""
        sums = torch.stack([(raised - plain).sum(), plain.abs().sum()])
        whole = cast(Tensor, self.accelerator.reduce(sums, reduction="sum"))
        psi, size = float(whole[0]), float(whole[1])
        mode = "train" if self._is_learning else "eval"
        self._metrics[mode]["eas/share"].append(psi / size if size else 0.0)


def _written(scored: dict[str, Any]) -> Tensor:
    """1 for what the policy wrote: (B, T)."""
    answered = scored["completion_mask"]
    return answered * scored["tool_mask"] if "tool_mask" in scored else answered


def _weighted(rewards: Tensor, weights: Tensor) -> Tensor:
    """Rewards of all functions as one, NaN where none of them could say: (B,)."""
    summed = (rewards * weights).nansum(dim=1)
    return summed.masked_fill(rewards.isnan().all(dim=1), float("nan"))
