"""Advantages relative to the group, and their shaping by entropy.

Shapes: B trajectories, T tokens, padded on the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from torch import Tensor

Deviation = Literal["population", "sample", "none"]
"""Which standard deviation the rewards of a group are divided by. LegalSearch-R1's released code
has the population's, TRL and verl the sample's; for 8 rollouts they differ by sqrt(8/7)."""

EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Shaping:
    """Entropy-based advantage shaping (LegalSearch-R1, equation 5), as in its released code.

    Raises:
        ValueError: if kappa is not greater than 1, which could turn a penalty into praise.
    """

    alpha: float = 0.1
    """Strength; 0 leaves the advantages as they are."""
    kappa: float = 2.0

    def __post_init__(self) -> None:
        if not self.alpha >= 0:
            raise ValueError("alpha must be at least 0")
        if not self.kappa > 1:
            raise ValueError("kappa must be greater than 1, or a penalty could become a praise")


def group_advantages(
    rewards: Tensor,
    groups: Sequence[str],
    *,
    deviation: Deviation = "population",
    epsilon: float = EPSILON,
) -> Tensor:
    """Compute advantages: rewards relative to the other trajectories of the same question.

    A_i = (R_i - mean(R)) / (std(R) + epsilon)   (LegalSearch-R1, section 5.2; MSR2, equation 3)

    Args:
        rewards: (B,); NaN where a reward could not be measured. Such a trajectory has advantage 0
            and counts in no mean.
        groups: B ids of questions.
        deviation: the standard deviation to divide by.
        epsilon: keeps a group without differences finite.

    Returns:
        (B,): 0 where all rewards of a group are the same, or there is only one.
    """
    import torch

    rewards = rewards.float() if not rewards.is_floating_point() else rewards
    advantages = torch.zeros_like(rewards)
    for group in dict.fromkeys(groups):
        members = torch.tensor([one == group for one in groups], device=rewards.device)
        members &= ~rewards.isnan()
        if int(members.sum()) > 1:
            advantages[members] = _relative(rewards[members], deviation, epsilon)
    return advantages


def _relative(rewards: Tensor, deviation: Deviation, epsilon: float) -> Tensor:
    import torch

    if bool((rewards == rewards[0]).all()):  # rounding of the mean may exceed epsilon
        return torch.zeros_like(rewards)
    centred = rewards - rewards.mean()
    if deviation == "none":
        return centred
    return centred / (rewards.std(unbiased=deviation == "sample") + epsilon)


def shaped(advantages: Tensor, entropies: Tensor, mask: Tensor, shaping: Shaping) -> Tensor:
    """Compute advantages of tokens, raised where the policy was uncertain.

    psi(H) = min(alpha * detach(H), |A| / kappa),   A_EAS = A + psi   (LegalSearch-R1, equation 5)

    psi is never negative: it softens a penalty and cannot turn it (kappa > 1), and it is 0 where
    the advantage is.

    Args:
        advantages: (B,).
        entropies: (B, T), of the policy that generated the tokens, at the temperature it drew with.
        mask: (B, T), 1 for generated tokens.
        shaping: alpha and kappa.

    Returns:
        (B, T), 0 outside the mask.
    """
    import torch

    spread = advantages[:, None].expand_as(entropies)
    psi = torch.minimum(shaping.alpha * entropies.detach(), spread.abs() / shaping.kappa)
    return (spread + psi) * mask
