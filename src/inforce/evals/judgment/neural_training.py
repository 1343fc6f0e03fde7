"""Training a network on judged cases until it stops getting better, and asking it.

Needs torch: load this module only where it is used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from inforce.evals.judgment.neural_text import UNSEEN, Numbers


@dataclass(frozen=True, slots=True)
class Examples:
    """Texts and their decisions, one row of numbers each."""

    texts: Numbers
    decisions: Numbers


@dataclass(frozen=True, slots=True)
class Training:
    """How a network is trained."""

    epochs: int
    """Passes through the cases at most."""
    rate: float
    """Of learning (AdamW)."""
    batch: int = 32
    patience: int = 3
    """Epochs without a better result after which training ends."""
    padding: int = 0
    """The number that fills up short texts."""


def fit(
    network: nn.Module,
    train: Examples,
    valid: Examples,
    training: Training,
    *,
    name: str,
    seed: int,
) -> None:
    """Train a network; keep its state of the last epoch that did best on the validation cases.

    Without validation cases, every epoch is run and the last state stays.
    """
    order = np.random.default_rng(seed)
    optimizer = torch.optim.AdamW(network.parameters(), lr=training.rate, weight_decay=0.01)
    best, best_state, waited = -1.0, None, 0
    for epoch in range(1, training.epochs + 1):
        loss = _epoch(network, train, optimizer, order, training)
        reached = accuracy(network, valid, training)
        _report(f"{name}: epoch {epoch}/{training.epochs}, loss {loss:.3f}", reached)
        if reached is None:
            continue
        waited = 0 if reached > best else waited + 1
        if reached >= best:
            best, best_state = reached, deepcopy(network.state_dict())
        if waited >= training.patience:
            break
    if best_state is not None:
        network.load_state_dict(best_state)


def predict(network: nn.Module, texts: Numbers, training: Training) -> Numbers:
    """The likeliest decisions, one row a text."""
    network.eval()
    # Texts of a length go together: little padding to compute. The rows are put back in order.
    by_length = np.argsort((texts != training.padding).sum(axis=1), kind="stable")
    decided = np.zeros((len(texts), 3), dtype=np.int64)
    with torch.inference_mode():
        for rows in _batches(by_length, 4 * training.batch):
            scores = network(_batch(network, texts[rows], training.padding))
            decided[rows] = torch.stack([one.argmax(dim=1) for one in scores], dim=1).cpu().numpy()
    return decided


def accuracy(network: nn.Module, examples: Examples, training: Training) -> float | None:
    """The mean of the three accuracies; ``None`` where there are no examples."""
    if not len(examples.texts):
        return None
    decided = predict(network, examples.texts, training)
    return float((decided == examples.decisions).mean())


def _epoch(
    network: nn.Module,
    train: Examples,
    optimizer: torch.optim.Optimizer,
    order: np.random.Generator,
    training: Training,
) -> float:
    """One pass through the cases, shuffled; gives the mean loss."""
    network.train()
    losses: list[float] = []
    for rows in _shuffled(train, order, training):
        scores = network(_batch(network, train.texts[rows], training.padding))
        loss = _loss(scores, torch.from_numpy(train.decisions[rows]).to(scores[0].device))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def _shuffled(train: Examples, order: np.random.Generator, training: Training) -> list[Numbers]:
    """Batches in random order; each is of texts of about one length, for little padding."""
    lengths = (train.texts != training.padding).sum(axis=1)
    batches = [
        batch
        for pool in _batches(order.permutation(len(lengths)), 16 * training.batch)
        for batch in _batches(pool[np.argsort(lengths[pool], kind="stable")], training.batch)
    ]
    return [batches[place] for place in order.permutation(len(batches))]


def _loss(scores: list[Tensor], decisions: Tensor) -> Tensor:
    losses = [
        functional.cross_entropy(one, decisions[:, place], ignore_index=UNSEEN)
        for place, one in enumerate(scores)
    ]
    return torch.stack(losses).sum()


def _batches(rows: Numbers, size: int) -> Iterator[Numbers]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _batch(network: nn.Module, texts: Numbers, padding: int) -> Tensor:
    """The texts, less the padding that all of them have, where the network is."""
    longest = max(int((texts != padding).sum(axis=1).max()), 1)
    return torch.from_numpy(texts[:, :longest]).to(next(network.parameters()).device)


def _report(progress: str, reached: float | None) -> None:
    valid = "" if reached is None else f", right on validation cases {reached:.3f}"
    print(f"{progress}{valid}", file=sys.stderr, flush=True)
