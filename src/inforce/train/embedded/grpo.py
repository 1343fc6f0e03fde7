"""One step of GRPO: from rewarded trajectories to a changed policy.

Advantages relative to the group (`inforce.train.advantages`), the clipped loss
(`inforce.train.losses`), gradients added up over parts of the step, one update a pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedModel

from inforce.errors import UserError
from inforce.train.advantages import group_advantages, shaped
from inforce.train.embedded.batches import Batch, Scores, by_length, scores
from inforce.train.embedded.model import device_of
from inforce.train.embedded.settings import Grpo
from inforce.train.losses import policy_loss
from inforce.train.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a step did to the policy; means are over the tokens it wrote, in the first pass.

    Only clipping is that of the last pass: in the first, no ratio has left 1.
    """

    loss: float
    entropy: float
    """In nats, of the policy that wrote."""
    shaping: float
    """By how much of the advantages' size shaping raised them: the sum of psi by that of |A|."""
    clipped: float
    """Share of tokens."""
    divergence: float
    """From the reference; 0.0 without one."""
    gap: float | None
    """The largest difference between a log-probability noted when a token was drawn and the one
    computed again; far from 0, something is not computed as it was drawn."""
    gradient: float
    """Its norm before it was clipped."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Trajectories that are computed together."""

    batch: Batch
    advantages: Tensor
    """(B,)."""
    before: Scores | None
    """Of the policy that wrote; ``None`` where it is still the one that learns."""
    reference: Tensor | None


@dataclass(frozen=True, slots=True)
class _Sums:
    """Over the tokens of a part."""

    loss: float
    tokens: float
    entropy: float
    psi: float
    size: float
    """Of the advantages."""
    clipped: float
    divergence: float
    gap: float
    """The largest; NaN where no log-probabilities were noted."""


@dataclass(frozen=True, slots=True)
class _Pass:
    """Every trajectory learnt from once."""

    sums: list[_Sums]
    gradient: float


def learn(
    model: PreTrainedModel,
    optimizer: torch.optim.Optimizer,
    trajectories: Sequence[Trajectory],
    settings: Grpo,
    *,
    temperature: float = 1.0,
    reference: PreTrainedModel | None = None,
) -> Learnt | None:
    """Change a policy by what its trajectories were worth.

    Args:
        model: the policy, which wrote the trajectories; changed in place.
        optimizer: of its weights.
        trajectories: of all questions of the step; those without a reward teach nothing and count
            in no mean.
        settings: how.
        temperature: at which they were drawn.
        reference: the policy from which divergence is measured; needed where ``beta`` is not 0.

    Returns:
        What it did; ``None`` if there was nothing to learn from, and nothing was changed.

    Raises:
        UserError: if a reward or the gradient is not finite; the policy is as it was before that
            update.
    """
    measured = [one for one in trajectories if _is_measured(one)]
    if not any(one.generated for one in measured):
        return None
    parts = _parts(model, measured, settings, temperature, reference)
    whole = _whole(measured, settings)
    passes = [
        _pass(model, optimizer, parts, settings, temperature, whole) for _ in range(settings.passes)
    ]
    return _learnt(passes[0], passes[-1])


def rewards_of(trajectories: Iterable[Trajectory]) -> Tensor:
    """Rewards of trajectories, NaN where there is none: (B,)."""
    return torch.tensor(
        [float("nan") if one.reward is None else one.reward for one in trajectories]
    )


def _is_measured(trajectory: Trajectory) -> bool:
    """Whether it has a reward; one that is not finite is an error of whoever gave it."""
    if trajectory.reward is None:
        return False
    if not math.isfinite(trajectory.reward):
        raise UserError(
            f"the reward of question {trajectory.question!r} is {trajectory.reward}: make it a "
            "finite number, or None where it cannot be measured"
        )
    return True


def _parts(
    model: PreTrainedModel,
    trajectories: Sequence[Trajectory],
    settings: Grpo,
    temperature: float,
    reference: PreTrainedModel | None,
) -> list[_Part]:
    device = device_of(model)
    advantages = group_advantages(
        rewards_of(trajectories),
        [one.question for one in trajectories],
        deviation=settings.deviation,
        epsilon=settings.epsilon,
    ).to(device)
    lengths = [len(one.prompt) + len(one.response) for one in trajectories]
    parts: list[_Part] = []
    for places in by_length(lengths, settings.micro_batch):
        batch = Batch.of([trajectories[place] for place in places], device)
        with torch.no_grad():
            before = scores(model, batch, temperature=temperature) if settings.passes > 1 else None
            compared = (
                scores(reference, batch, temperature=temperature).logprobs
                if reference is not None and settings.beta
                else None
            )
        parts.append(_Part(batch, advantages[places], before, compared))
    return parts


def _whole(trajectories: Sequence[Trajectory], settings: Grpo) -> float:
    """What the sum over the step is divided by, however many parts it is computed in."""
    if settings.averaging == "token":
        return float(sum(one.generated for one in trajectories))
    return float(len(trajectories))


def _pass(
    model: PreTrainedModel,
    optimizer: torch.optim.Optimizer,
    parts: Sequence[_Part],
    settings: Grpo,
    temperature: float,
    whole: float,
) -> _Pass:
    """Gradients of all parts, and one update."""
    optimizer.zero_grad()
    sums = [_backward(model, part, settings, temperature, whole) for part in parts]
    gradient = torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip_norm)
    if not gradient.isfinite():
        raise UserError("the policy fell apart (its gradient is not finite): lower the rate")
    optimizer.step()
    return _Pass(sums, float(gradient))


def _backward(
    model: PreTrainedModel, part: _Part, settings: Grpo, temperature: float, whole: float
) -> _Sums:
    mask = part.batch.mask
    now = scores(model, part.batch, temperature=temperature)
    before = part.before or now.detached()
    plain = part.advantages[:, None] * mask
    advantages = _shaped(part.advantages, before.entropies, mask, settings)
    loss = policy_loss(
        now.logprobs,
        before.logprobs,
        advantages,
        mask,
        averaging=settings.averaging,
        clip=settings.clip,
        beta=settings.beta,
        reference=part.reference,
        whole=whole,
    )
    loss.value.backward()
    tokens = float(mask.sum())
    return _Sums(
        loss=loss.value.item(),
        tokens=tokens,
        entropy=float(before.entropies.sum()),
        psi=float((advantages - plain).sum()),
        size=float(plain.abs().sum()),
        clipped=loss.clipped * tokens,
        divergence=loss.divergence * tokens,
        gap=_gap(part.batch, before),
    )


def _shaped(advantages: Tensor, entropies: Tensor, mask: Tensor, settings: Grpo) -> Tensor:
    if settings.shaping is None:
        return advantages[:, None] * mask
    alpha, kappa = settings.shaping.alpha, settings.shaping.kappa
    return shaped(advantages, entropies, mask, alpha=alpha, kappa=kappa)


def _gap(batch: Batch, before: Scores) -> float:
    apart = (batch.rollout - before.logprobs).abs()[batch.mask.bool()]
    noted = apart[~apart.isnan()]
    return float(noted.max()) if len(noted) else float("nan")


def _learnt(first: _Pass, last: _Pass) -> Learnt:
    tokens = sum(one.tokens for one in first.sums)
    size = sum(one.size for one in first.sums)
    gaps = [one.gap for one in first.sums if not math.isnan(one.gap)]
    return Learnt(
        loss=sum(one.loss for one in first.sums),
        entropy=sum(one.entropy for one in first.sums) / tokens,
        shaping=sum(one.psi for one in first.sums) / size if size else 0.0,
        clipped=sum(one.clipped for one in last.sums) / tokens,
        divergence=sum(one.divergence for one in first.sums) / tokens,
        gap=max(gaps, default=None),
        gradient=first.gradient,
    )
