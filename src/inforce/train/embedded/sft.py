"""Imitating demonstrations, so that a policy knows the format before it is rewarded.

Only what the demonstrator wrote is imitated: neither questions nor what the environment answered.
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
"""Batches whose demonstrations are sorted by length together."""


def imitate(
    model: PreTrainedModel,
    demonstrations: Sequence[Trajectory],
    settings: Sft | None = None,
    *,
    report: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Supervised fine-tuning of a model in place; gives the mean loss of a token, step by step.

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
    """The share of the highest rate at a step, from 0: up in a line, down along a cosine."""
    if step < settings.warm_up:
        return (step + 1) / settings.warm_up
    done = (step - settings.warm_up) / max(settings.steps - settings.warm_up, 1)
    return (1 + math.cos(math.pi * done)) / 2


def _batches(demonstrations: Sequence[Trajectory], settings: Sft) -> Iterator[list[Trajectory]]:
    """Batches without end, each of demonstrations of about one length."""
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
