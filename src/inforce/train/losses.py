"""The loss of GRPO, as both papers have it: clipped, over what the policy wrote, per token or text.

Shapes: B trajectories, T tokens, padded on the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from torch import Tensor

Averaging = Literal["token", "trajectory"]
"""``token``: every token of the step counts the same (LegalSearch-R1, equation 4: the sum over all
generated tokens by their number). ``trajectory``: the mean of each trajectory's own mean (MSR2,
equation 6: 1/G sum_i 1/L_i sum_t)."""

CLIP = 0.2

MOST_LOG_RATIO = 20.0
"""Log-ratios are clamped to it on both sides, as released and as verl does: exp(100) is no loss."""

MOST_KL = 10.0
"""Of one token, as released and as verl does."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss to minimise, and what it consists of."""

    value: Tensor
    """(), differentiable."""
    clipped: float
    """Share of the policy's tokens whose ratio was clipped."""
    kl: float
    """Mean KL divergence from the reference over the policy's tokens; 0.0 without one."""


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
    """Minus the objective of GRPO.

    r = exp(logprobs - old_logprobs)
    J = mean[min(r A, clip(r, 1 - eps, 1 + eps) A) - beta D_KL]   (LegalSearch-R1, equation 4; MSR2,
    equations 5 and 6)

    Args:
        logprobs: (B, T), of the policy that learns.
        old_logprobs: (B, T), of the policy that wrote.
        advantages: (B, T).
        mask: (B, T), 1 for what the policy wrote: nothing else is learnt from.
        averaging: what the mean is over.
        clip: eps.
        beta: weight of the divergence from the reference.
        reference: (B, T), log-probabilities of the reference policy; needed where beta is not 0.
        whole: what to divide by if these are part of a step: the tokens, or the trajectories, of
            the whole step. Without it, those given are the whole.

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
    """The divergence from a reference, token by token, never negative.

    D = exp(ref - logp) - (ref - logp) - 1   (Schulman's k3, which GRPO uses), clamped
    """
    import torch

    difference = (reference - logprobs).clamp(-MOST_LOG_RATIO, MOST_LOG_RATIO)
    return (torch.exp(difference) - difference - 1).clamp(max=MOST_KL)


def averaged(
    values: Tensor, mask: Tensor, *, averaging: Averaging, whole: float | None = None
) -> Tensor:
    """The mean of token values over what the policy wrote; 0 where it wrote nothing.

    Args:
        values: (B, T).
        mask: (B, T).
        averaging: over tokens, or over trajectories.
        whole: tokens or trajectories of the whole step; those given without it.
    """
    if averaging == "token":
        return (values * mask).sum() / (whole or mask.sum().clamp(min=1))
    each = (values * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
    return each.sum() / (whole or max(len(each), 1))


def _share(values: Tensor, mask: Tensor) -> float:
    return float((values * mask).sum() / mask.sum().clamp(min=1))
