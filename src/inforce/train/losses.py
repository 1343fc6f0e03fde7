"""The loss of GRPO as both papers define it: clipped, averaged over tokens or over trajectories.

Shapes: B trajectories, T tokens, padded on the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from torch import Tensor

Averaging = Literal["token", "trajectory"]
"""``token``: the sum over all generated tokens of the step divided by their number (LegalSearch-R1,
equation 4). ``trajectory``: the mean over trajectories of the mean over their tokens (MSR2,
equation
6: 1/G sum_i 1/L_i sum_t)."""

CLIP = 0.2

MOST_LOG_RATIO = 20.0
"""Log-ratios are clamped to ± this, as in the released code and in verl, so that exp stays
finite."""

MOST_KL = 10.0
"""The divergence of one token is clamped to this, as in the released code and in verl."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss to minimise, with figures to report."""

    value: Tensor
    """(), differentiable."""
    clipped: float
    """Share of the generated tokens whose ratio was clipped."""
    kl: float
    """Mean KL divergence from the reference over the generated tokens; 0.0 without a reference."""


def policy_loss(
    logprobs: Tensor,
    old_logprobs: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    averaging: Averaging = "token",
    clip: float = CLIP,
    beta: float = 0.0,
    reference: Tensor | None = None,
    whole: float | None = None,
) -> Loss:
    """Compute minus the objective of GRPO.

    r = exp(logprobs - old_logprobs)
    J = mean[min(r A, clip(r, 1 - eps, 1 + eps) A) - beta D_KL]   (LegalSearch-R1, equation 4; MSR2,
    equations 5 and 6)

    Args:
        logprobs: (B, T), of the policy that learns.
        old_logprobs: (B, T), of the policy that generated the tokens.
        advantages: (B, T).
        mask: (B, T), 1 for generated tokens: nothing else is learnt from.
        averaging: over tokens or over trajectories.
        clip: eps.
        beta: weight of the divergence from the reference.
        reference: (B, T), log-probabilities of the reference policy; needed where beta is not 0.
        whole: for a micro-batch, the number of tokens or trajectories of the whole step, to divide
            by; without it, the arguments are the whole step.

    Raises:
        ValueError: if beta is not 0 and there is no reference.
    """
    import torch

    ratio = torch.exp((logprobs - old_logprobs).clamp(-MOST_LOG_RATIO, MOST_LOG_RATIO))
    bounded = ratio.clamp(1 - clip, 1 + clip)
    objective = torch.minimum(ratio * advantages, bounded * advantages)
    divergence = torch.zeros_like(logprobs)
    if beta:
        if reference is None:
            raise ValueError("a divergence needs the log-probabilities of a reference")
        divergence = kl(logprobs, reference)
        objective = objective - beta * divergence
    value = -averaged(objective, mask, averaging=averaging, whole=whole)
    is_clipped = ((ratio * advantages) > (bounded * advantages)).float()
    return Loss(value, _share(is_clipped, mask), _share(divergence.detach(), mask))


def kl(logprobs: Tensor, reference: Tensor) -> Tensor:
    """Estimate the divergence from a reference, token by token; it is never negative.

    D = exp(ref - logp) - (ref - logp) - 1   (Schulman's k3, which GRPO uses), clamped
    """
    import torch

    difference = (reference - logprobs).clamp(-MOST_LOG_RATIO, MOST_LOG_RATIO)
    return (torch.exp(difference) - difference - 1).clamp(max=MOST_KL)


def averaged(
    values: Tensor, mask: Tensor, *, averaging: Averaging, whole: float | None = None
) -> Tensor:
    """Average token values over the generated tokens; 0 where there are none.

    Args:
        values: (B, T).
        mask: (B, T).
        averaging: over tokens, or over trajectories.
        whole: number of tokens or trajectories of the whole step.
    """
    if averaging == "token":
        return (values * mask).sum() / (whole or mask.sum().clamp(min=1))
    each = (values * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
    return each.sum() / (whole or max(len(each), 1))


def _share(values: Tensor, mask: Tensor) -> float:
    return float((values * mask).sum() / mask.sum().clamp(min=1))
