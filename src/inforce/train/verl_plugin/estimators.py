"""The advantages of a group as verl's estimators, unknown rewards left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor
from verl.trainer.ppo.core_algos import register_adv_est

from inforce.train.advantages import Deviation, group_advantages


@register_adv_est("inforce_population")
def population(
    token_level_rewards: Tensor, response_mask: Tensor, index: Sequence[Any], **_: Any
) -> tuple[Tensor, Tensor]:
    """Divided by the population's standard deviation, as LegalSearch-R1's released code does."""
    return _spread(token_level_rewards, response_mask, index, "population")


@register_adv_est("inforce_sample")
def sample(
    token_level_rewards: Tensor, response_mask: Tensor, index: Sequence[Any], **_: Any
) -> tuple[Tensor, Tensor]:
    """Divided by the sample's standard deviation: verl's ``grpo``."""
    return _spread(token_level_rewards, response_mask, index, "sample")


def _spread(
    rewards: Tensor, mask: Tensor, groups: Sequence[Any], deviation: Deviation
) -> tuple[Tensor, Tensor]:
    """The same advantage for every token the policy wrote; verl wants returns beside it."""
    each = group_advantages(rewards.sum(dim=-1), list(map(str, groups)), deviation=deviation)
    spread = each[:, None] * mask
    return spread, spread
