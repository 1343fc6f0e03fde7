"""One step of GRPO: advantages relative to the group, the clipped loss, one update an epoch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import torch
from torch import Tensor
from torch.optim import Optimizer
from transformers import PreTrainedModel

from inforce.errors import UserError
from inforce.train.advantages import group_advantages, shaped
from inforce.train.embedded.engine import autocast, next_logprobs
from inforce.train.embedded.settings import Grpo
from inforce.train.losses import policy_loss
from inforce.train.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Batch:
    """B trajectories of T tokens, from prompt to end, padded on the right."""

    tokens: Tensor
    """(B, T)."""
    mask: Tensor
    """(B, T), 1.0 for generated tokens."""
    rollout_logprobs: Tensor
    """(B, T), recorded when tokens were drawn; NaN where none were."""

    @classmethod
    def of(cls, trajectories: Sequence[Trajectory], device: torch.device) -> Batch:
        """Pad trajectories to the same length."""
        rows = [
            [
                (token, span.origin == "generated", logprob)
                for span in one.spans
                for token, logprob in zip(span.tokens, span.padded_logprobs, strict=True)
            ]
            for one in trajectories
        ]
        width = max(map(len, rows))
        padded = [[*row, *[(0, False, 0.0)] * (width - len(row))] for row in rows]
        tokens, mask, logprobs = torch.tensor(padded, dtype=torch.float64, device=device).unbind(-1)
        return cls(tokens.long(), mask.float(), logprobs.float())


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Scores of the generated tokens, 0 for the others."""

    logprobs: Tensor
    """(B, T)."""
    entropies: Tensor
    """(B, T), without gradient."""


def score(model: PreTrainedModel, batch: Batch, *, temperature: float = 1.0) -> TokenScores:
    """Compute log-probabilities and entropies of the generated tokens.

    Logits are computed for these alone, not for what the environment answered. ``temperature`` is
    that at which the tokens were drawn.
    """
    where = torch.nonzero(batch.mask, as_tuple=True)
    with autocast(model.device):
        distributions = next_logprobs(model, _preceding(model, batch), temperature=temperature)
    taken = distributions.gather(1, batch.tokens[where][:, None])[:, 0]
    with torch.no_grad():
        # A token that cannot be drawn adds nothing: 0 · -inf is 0 here.
        finite = distributions.clamp(min=torch.finfo(distributions.dtype).min)
        entropies = -(distributions.exp() * finite).sum(dim=1)
    zeros = torch.zeros_like(batch.mask)
    return TokenScores(zeros.index_put(where, taken), zeros.index_put(where, entropies))


def imitation_loss(model: PreTrainedModel, batch: Batch) -> Tensor:
    """Return minus the mean log-probability of the generated tokens: (), differentiable.

    The same as from `score`, without entropies and without storing whole distributions.
    """
    head = cast("torch.nn.Module", model.get_output_embeddings())
    with autocast(model.device):
        logits = head(_preceding(model, batch))
    return torch.nn.functional.cross_entropy(logits.float(), batch.tokens[batch.mask.bool()])


def _preceding(model: PreTrainedModel, batch: Batch) -> Tensor:
    """Return the last hidden state before each generated token: (tokens, hidden)."""
    rows, positions = torch.nonzero(batch.mask, as_tuple=True)
    # No attention mask: padding comes after the text, and attention is causal.
    hidden = model.base_model(input_ids=batch.tokens, use_cache=False).last_hidden_state
    return hidden[rows, positions - 1]


def by_length(trajectories: Sequence[Trajectory], size: int) -> Iterator[list[int]]:
    """Group the indices of trajectories of about the same length, longest first."""
    order = sorted(range(len(trajectories)), key=lambda place: -trajectories[place].length)
    return (order[start : start + size] for start in range(0, len(order), size))


@dataclass(frozen=True, slots=True)
class Update:
    """Figures of one step: means over the generated tokens, in the first epoch."""

    loss: float
    entropy: float
    """In nats, of the policy that generated the tokens."""
    shaping: float
    """The sum of psi divided by that of |A|."""
    clipped: float
    """Share of tokens in the last epoch; in the first, all ratios are 1."""
    kl: float
    """Divergence from the reference; 0.0 without one."""
    logprob_gap: float | None
    """The largest difference from the log-probabilities recorded when tokens were drawn. It is near
    0 unless generation and training compute them differently."""
    grad_norm: float
    """Before clipping."""


@dataclass(slots=True)
class _Part:
    """Trajectories that are computed together (a micro-batch)."""

    batch: Batch
    advantages: Tensor
    reference: Tensor | None = None
    """Log-probabilities under the reference policy."""
    old: TokenScores | None = None
    """Scores in the first epoch, under the policy that generated the tokens."""


def grpo_step(
    model: PreTrainedModel,
    optimizer: Optimizer,
    trajectories: Sequence[Trajectory],
    settings: Grpo,
    *,
    temperature: float = 1.0,
    reference: PreTrainedModel | None = None,
) -> Update | None:
    """Update the policy that generated trajectories, in place, by their rewards.

    Trajectories without a reward teach nothing and count in no mean.

    Args:
        model: the policy.
        optimizer: of its parameters.
        trajectories: with rewards; those of one question are a group.
        settings: how to learn.
        temperature: at which the tokens were drawn.
        reference: the policy divergence is measured from, where ``beta`` is not 0.

    Returns:
        Figures of the step; ``None`` if there was nothing to learn from and nothing changed.

    Raises:
        UserError: if a reward or the gradient is not finite; that update is not made.
    """
    for one in trajectories:
        if one.reward is not None and not math.isfinite(one.reward):
            raise UserError(
                f"the reward of question {one.question!r} is {one.reward}: make it a finite "
                "number, or None where it cannot be measured"
            )
    measured = [one for one in trajectories if one.reward is not None]
    tokens = sum(one.generated for one in measured)
    if not tokens:
        return None
    whole = float(tokens if settings.averaging == "token" else len(measured))
    advantages = group_advantages(
        torch.tensor([one.reward for one in measured], device=model.device),
        [one.question for one in measured],
        deviation=settings.deviation,
        epsilon=settings.epsilon,
    )
    parts: list[_Part] = []
    for positions in by_length(measured, settings.micro_batch):
        batch = Batch.of([measured[place] for place in positions], model.device)
        parts.append(_Part(batch, advantages[positions]))
        if reference is not None and settings.beta:
            with torch.no_grad():
                parts[-1].reference = score(reference, batch, temperature=temperature).logprobs
    updates: list[Update] = []
    for _ in range(settings.epochs):
        optimizer.zero_grad()
        sums = [_backward(model, part, settings, temperature, whole) for part in parts]
        norm = descend(model, optimizer, settings.max_grad_norm)
        updates.append(_update(sums, tokens, norm))
    return replace(updates[0], clipped=updates[-1].clipped)


def descend(model: PreTrainedModel, optimizer: Optimizer, max_grad_norm: float) -> float:
    """Clip the gradient, update the weights, and return the norm before clipping.

    Raises:
        UserError: if the gradient is not finite; the weights stay as they are.
    """
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
    if not norm.isfinite():
        raise UserError("training diverged (the gradient is not finite): lower the learning rate")
    optimizer.step()
    return float(norm)


def _backward(
    model: PreTrainedModel, part: _Part, settings: Grpo, temperature: float, whole: float
) -> dict[str, float]:
    """Add the gradients of a micro-batch; returns sums over its tokens."""
    mask = part.batch.mask
    new = score(model, part.batch, temperature=temperature)
    old = part.old = part.old or TokenScores(new.logprobs.detach(), new.entropies)
    plain = advantages = part.advantages[:, None] * mask
    if settings.shaping:
        advantages = shaped(part.advantages, old.entropies, mask, settings.shaping)
    loss = policy_loss(
        new.logprobs,
        old.logprobs,
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
    gaps = (part.batch.rollout_logprobs - old.logprobs).abs()[mask.bool()]
    known = cast("list[float]", gaps[~gaps.isnan()].tolist())
    return {
        "loss": loss.value.item(),
        "entropy": float(old.entropies.sum()),
        "psi": float((advantages - plain).sum()),
        "advantage": float(plain.abs().sum()),
        "clipped": loss.clipped * tokens,
        "kl": loss.kl * tokens,
        "gap": max(known, default=-math.inf),
    }


def _update(parts: Sequence[dict[str, float]], tokens: int, grad_norm: float) -> Update:
    total = {name: sum(one[name] for one in parts) for name in parts[0]}
    gap = max(one["gap"] for one in parts)
    return Update(
        loss=total["loss"],
        entropy=total["entropy"] / tokens,
        shaping=total["psi"] / total["advantage"] if total["advantage"] else 0.0,
        clipped=total["clipped"] / tokens,
        kl=total["kl"] / tokens,
        logprob_gap=gap if gap >= 0 else None,
        grad_norm=grad_norm,
    )
