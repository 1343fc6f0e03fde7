"""Imitating demonstrations, so that a policy knows the form before it is rewarded.

Only what the demonstrator wrote is imitated: neither questions nor what the world answered.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from transformers import PreTrainedModel

from inforce.errors import UserError
from inforce.train.embedded.batches import Batch, scores
from inforce.train.embedded.model import device_of
from inforce.train.embedded.settings import WarmStart
from inforce.train.trajectory import Trajectory

POOL = 8
"""Batches whose demonstrations are sorted by length together; between pools, order is random."""


def warm_start(
    model: PreTrainedModel,
    demonstrations: Sequence[Trajectory],
    settings: WarmStart | None = None,
    *,
    report: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Train a model on demonstrations; the same seed gives the same model.

    Args:
        model: changed in place.
        demonstrations: trajectories; what they call generated is imitated.
        settings: how long and how fast.
        report: is told the step, from 1, and its loss.

    Returns:
        The mean loss of a token, step by step.

    Raises:
        UserError: if there is nothing to imitate, or the gradient is not finite.
    """
    settings = settings or WarmStart()
    shown = [one for one in demonstrations if one.generated]
    if not shown:
        raise UserError("there are no demonstrations in which anything is generated")
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=settings.rate, weight_decay=settings.decay, betas=(0.9, 0.95)
    )
    losses: list[float] = []
    for step, batch in zip(range(settings.steps), _drawn(shown, settings), strict=False):
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * pace(step, settings)
        losses.append(_imitated(model, batch, optimizer, settings.clip_norm))
        if report:
            report(step + 1, losses[-1])
    return losses


def pace(step: int, settings: WarmStart) -> float:
    """The share of the highest rate at a step, from 0: up in a line, down along a cosine."""
    if step < settings.warm_up:
        return (step + 1) / settings.warm_up
    done = (step - settings.warm_up) / max(settings.steps - settings.warm_up, 1)
    return (1 + math.cos(math.pi * done)) / 2


def _imitated(
    model: PreTrainedModel,
    trajectories: Sequence[Trajectory],
    optimizer: torch.optim.Optimizer,
    clip_norm: float,
) -> float:
    batch = Batch.of(trajectories, device_of(model))
    loss = -scores(model, batch).logprobs.sum() / batch.mask.sum()
    optimizer.zero_grad()
    loss.backward()
    if not torch.nn.utils.clip_grad_norm_(model.parameters(), clip_norm).isfinite():
        raise UserError("imitation fell apart (its gradient is not finite): lower the rate")
    optimizer.step()
    return loss.item()


def _drawn(shown: Sequence[Trajectory], settings: WarmStart) -> Iterator[list[Trajectory]]:
    """Batches without end, each of demonstrations of about one length."""
    random = np.random.default_rng(settings.seed)
    lengths = np.array([len(one.prompt) + len(one.response) for one in shown])
    while True:
        order = random.permutation(len(shown))
        for start in range(0, len(order), POOL * settings.batch):
            pool = order[start : start + POOL * settings.batch]
            pool = pool[np.argsort(lengths[pool], kind="stable")]
            starts = range(0, len(pool), settings.batch)
            for place in random.permutation(len(starts)):
                chosen = pool[starts[place] : starts[place] + settings.batch]
                yield [shown[one] for one in chosen]
