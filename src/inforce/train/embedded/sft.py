"""Supervised fine-tuning on demonstrations: a policy has to know the format before it is rewarded.

Only the demonstrator's own tokens are learnt, neither questions nor what the environment answered.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from transformers import PreTrainedModel

from inforce.errors import UserError
from inforce.train.embedded.grpo import Batch, descend, imitation_loss
from inforce.train.embedded.settings import Sft
from inforce.train.trajectory import Trajectory

POOL = 8
"""Number of batches whose demonstrations are sorted by length together."""


def imitate(
    model: PreTrainedModel,
    demonstrations: Sequence[Trajectory],
    settings: Sft | None = None,
    *,
    report: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Fine-tune a model in place; returns the mean loss of a token, step by step.

    Raises:
        UserError: if there is nothing to imitate, or the gradient is not finite.
    """
    settings = settings or Sft()
    demonstrations = [one for one in demonstrations if one.generated]
    if not demonstrations:
        raise UserError("there are no demonstrations in which anything is generated")
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=settings.lr, weight_decay=settings.weight_decay, betas=(0.9, 0.95)
    )
    losses: list[float] = []
    for step, chosen in zip(
        range(settings.steps), _batches(demonstrations, settings), strict=False
    ):
        for group in optimizer.param_groups:
            group["lr"] = settings.lr * lr_share(step, settings)
        batch = Batch.of(chosen, model.device)
        loss = imitation_loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        descend(model, optimizer, settings.max_grad_norm)
        losses.append(loss.item())
        if report:
            report(step + 1, losses[-1])
    return losses


def lr_share(step: int, settings: Sft) -> float:
    """Return the share of the highest learning rate at a step, counted from 0."""
    if step < settings.warm_up:
        return (step + 1) / settings.warm_up
    done = (step - settings.warm_up) / max(settings.steps - settings.warm_up, 1)
    return (1 + math.cos(math.pi * done)) / 2


def _batches(demonstrations: Sequence[Trajectory], settings: Sft) -> Iterator[list[Trajectory]]:
    """Yield batches without end, each of demonstrations of about the same length."""
    random = np.random.default_rng(settings.seed)
    lengths = np.array([one.length for one in demonstrations])
    while True:
        order = random.permutation(len(demonstrations))
        for start in range(0, len(order), POOL * settings.batch):
            pool = order[start : start + POOL * settings.batch]
            pool = pool[np.argsort(lengths[pool], kind="stable")]
            starts = range(0, len(pool), settings.batch)
            for place in random.permutation(len(starts)):
                chosen = pool[starts[place] : starts[place] + settings.batch]
                yield [demonstrations[one] for one in chosen]
