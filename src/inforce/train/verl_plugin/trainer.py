"""Advantages in verl: our estimators, and its synchronous trainer with shaping by entropy.

verl computes the entropies with the old log-probabilities, at the sampling temperature, but passes
them to no estimator; so the advantages are shaped one step later, where the entropies are available
(LegalSearch-R1, equation 5).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import transfer_queue as tq
from omegaconf import DictConfig, OmegaConf
from tensordict import TensorDict
from torch import Tensor
from verl.trainer.ppo.core_algos import register_adv_est
from verl.trainer.ppo.v1.trainer_base import register_trainer
from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync
from verl.workers.utils.padding import response_to_nested

from inforce.errors import UserError
from inforce.train.advantages import Deviation, Shaping, group_advantages, shaped
from inforce.train.verl_plugin.environments import check
from inforce.train.verl_plugin.reward import check_choices
from inforce.train.verl_plugin.settings import read_node

if TYPE_CHECKING:
    from inforce.agents.registry import AgentName

_AGENTS: Final[Mapping[str, AgentName]] = {
    "inforce_r1": "r1",
    "inforce_msr2": "msr2",
}
"""Our agents by agent loop."""


@register_trainer("inforce")
class ShapedTrainer(PPOTrainerSync):
    """GRPO as both papers have it: shaped advantages, and rewards that may be unknown.

    Raises:
        UserError: if the configuration is wrong, the environment cannot be opened, or the judge
            does not answer.
    """

    def __init__(self, config: DictConfig) -> None:
        self._shaping = shaping_of(config)
        check_choices(OmegaConf.select(config, "reward.custom_reward_function.reward_kwargs") or {})
        asyncio.run(check(_AGENTS.get(_loop_of(config)), read_node(config)))
        # verl treats a trainer of any other name as asynchronous: it would sample while episodes
        # still run, and forever replace those that fail.
        config.trainer.v1.trainer_mode = "sync"
        super().__init__(config)

    def _init_dataloader(self) -> None:
        super()._init_dataloader()
        for name, data in (("train", self.train_dataset), ("val", self.val_dataset)):
            check_loops(
                getattr(data, "dataframe", None), _loop_of(self.config), f"data.{name}_files"
            )

    def _val_metrics_update(
        self, sources: Any, uids: Any, infos: Mapping[str, list[Any]], *given: Any, **named: Any
    ) -> dict[str, float]:
        """Compute the figures of a validation over the known rewards."""
        known = {name: list(map(_known, values)) for name, values in infos.items()}
        return super()._val_metrics_update(sources, uids, known, *given, **named)

    def _compute_advantage(self, batch: Any, metrics: dict[str, Any]) -> Any:
        batch = super()._compute_advantage(batch, metrics)
        self._fill_unknown(batch, metrics)
        return self._shape(batch, metrics) if self._shaping.alpha else batch

    def _shape(self, batch: Any, metrics: dict[str, Any]) -> Any:
        nested = _read(batch, "advantages", "entropy", "response_mask")
        data = nested.to_padded_tensor()
        mask = data["response_mask"].float()
        before = data["advantages"]
        after = shaped(
            of_trajectories(before, mask),
            data["entropy"],
            mask,
            self._shaping,
        )
        metrics.update(_measured(before, after, mask))
        return _write(batch, "advantages", response_to_nested(after, nested["response_mask"]))

    def _fill_unknown(self, batch: Any, metrics: dict[str, Any]) -> None:
        """Replace unknown rewards by the mean of the others, once advantages are computed.

        From here on rewards are only reported, and one NaN would make every figure NaN.
        """
        nested = _read(batch, "rm_scores")["rm_scores"]
        values = nested.to_padded_tensor(0.0)
        scores = values.sum(dim=1)[[not tag.get("is_padding", False) for tag in batch.tags]]
        unknown = scores.isnan()
        metrics["inforce/unknown_rewards"] = float(unknown.float().mean())
        if unknown.any() and not unknown.all():
            known = values.nan_to_num(nan=float(scores[~unknown].mean()))
            _write(batch, "rm_scores", response_to_nested(known, nested))


def shaping_of(config: DictConfig) -> Shaping:
    """Return how advantages are shaped by a configuration.

    Raises:
        UserError: if its node ``inforce`` is missing or wrong, or verl would compute no entropies.
    """
    given = read_node(config).shaping
    try:
        shaping = Shaping(given.alpha, given.kappa)
    except ValueError as error:
        raise UserError(f"inforce.shaping: {error}") from error
    correction = OmegaConf.select(config, "algorithm.rollout_correction.bypass_mode")
    if shaping.alpha and correction:
        raise UserError(
            "shaping needs the entropies verl computes with the old log-probabilities: set "
            "algorithm.rollout_correction.bypass_mode=false"
        )
    return shaping


def check_loops(rows: Any, loop: str, where: str) -> None:
    """Refuse data for another agent loop: verl prefers what a row names to the configuration.

    Args:
        rows: verl's data, as a table of `datasets`.
        loop: the agent loop of the configuration.
        where: the key of the data in the configuration.

    Raises:
        UserError: if a row names another agent loop.
    """
    if "agent_name" not in getattr(rows, "column_names", ()):
        return
    others = sorted(set(map(str, rows.unique("agent_name"))) - {loop})
    if others:
        raise UserError(
            f"{where}: rows are for the agent loop {', '.join(others)}, and this run trains {loop}"
        )


def of_trajectories(advantages: Tensor, mask: Tensor) -> Tensor:
    """Return the advantages of trajectories from those of their tokens, which are all the same.

    Args:
        advantages: (B, T).
        mask: (B, T), 1 for generated tokens.

    Returns:
        (B,): that of the first generated token.
    """
    return advantages.gather(1, mask.argmax(dim=1, keepdim=True)).squeeze(1)


def _loop_of(config: DictConfig) -> str:
    return str(config.actor_rollout_ref.rollout.agent.default_agent_loop)


def _known(value: Any) -> Any:
    """Return ``None``, which verl leaves out, for NaN, which would make every mean NaN."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _measured(before: Tensor, after: Tensor, mask: Tensor) -> dict[str, float]:
    count = mask.sum().clamp(min=1)
    psi = float(((after - before) * mask).abs().sum() / count)
    size = float((before * mask).abs().sum() / count)
    return {"inforce/psi": psi, "inforce/psi_share": psi / size if size else 0.0}


def _read(batch: Any, *fields: str) -> TensorDict:
    return tq.kv_batch_get(
        keys=batch.keys, partition_id=batch.partition_id, select_fields=list(fields)
    )


def _write(batch: Any, field: str, values: Tensor) -> Any:
    stored = TensorDict({field: values}, batch_size=len(batch.keys))
    return tq.kv_batch_put(keys=batch.keys, partition_id=batch.partition_id, fields=stored)


@register_adv_est("inforce_population")
def population(
    token_level_rewards: Tensor, response_mask: Tensor, index: Sequence[Any], **_: Any
) -> tuple[Tensor, Tensor]:
    """Divide by the population's standard deviation, as LegalSearch-R1's released code does."""
    return _spread(token_level_rewards, response_mask, index, "population")


@register_adv_est("inforce_sample")
def sample(
    token_level_rewards: Tensor, response_mask: Tensor, index: Sequence[Any], **_: Any
) -> tuple[Tensor, Tensor]:
    """Divide by the sample's standard deviation, as verl's ``grpo`` does."""
    return _spread(token_level_rewards, response_mask, index, "sample")


def _spread(
    rewards: Tensor, mask: Tensor, groups: Sequence[Any], deviation: Deviation
) -> tuple[Tensor, Tensor]:
    """Return advantages and returns, the same for every generated token of a trajectory."""
    each = group_advantages(rewards.sum(dim=-1), list(map(str, groups)), deviation=deviation)
    spread = each[:, None] * mask
    return spread, spread
