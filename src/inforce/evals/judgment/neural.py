"""Neural predictors of judgments: TextCNN, TopJudge and a transformer, trained on the spot.

Training takes a minute or two for some thousand cases on a laptop. Needs torch (the extra
``train``): `inforce.evals.judgment.predictors` loads this module where one of them is chosen.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from inforce.evals.encoders import load_pretrained
from inforce.evals.judgment.networks import (
    Convolutions,
    DecisionsInOrder,
    Pretrained,
    SeparateDecisions,
    Transformer,
)
from inforce.evals.judgment.predictors import NeuralName, Prediction
from inforce.evals.judgment.vocabulary import (
    UNSEEN,
    Labels,
    Numbers,
    learn_labels,
    learn_vocabulary,
)
from inforce.scoring.cases import Case

LENGTH = 256
"""Words of the facts that are read; with a pretrained encoder, twice as many tokens."""

EPOCHS = 12
"""Passes through the training cases at most; early stopping mostly ends sooner."""

RATES: dict[NeuralName, float] = {"textcnn": 2e-3, "topjudge": 1e-3, "transformer": 2e-3}
"""Learning rates: of a few tried, what did best on validation cases."""


Encode = Callable[[Sequence[str]], Numbers]
"""Turns texts into rows of numbers."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Texts and their decisions as numbers, one row each."""

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


@dataclass(frozen=True, slots=True)
class NeuralPredictor:
    """A network with the encoder of its input and the labels of its output."""

    network: nn.Sequential
    """Scores every article, charge and class of terms from the numbers of a text."""
    encode: Encode
    labels: Labels
    training: Training

    def examples(self, cases: Sequence[Case]) -> Examples:
        """Cases as numbers."""
        return Examples(self.encode([case.fact for case in cases]), self.labels.encode(cases))

    def __call__(self, facts: Sequence[str]) -> list[Prediction]:
        """A prediction for each fact, in order."""
        return self.labels.decode(predict(self.network, self.encode(facts), self.training))


def learn(
    train: Sequence[Case],
    valid: Sequence[Case] = (),
    *,
    network: NeuralName,
    seed: int = 0,
    device: str = "cpu",
    epochs: int = EPOCHS,
    weights: Path | None = None,
) -> NeuralPredictor:
    """Train a network on cases with one article, one charge and a term each; reports progress.

    Args:
        train: the cases to learn from.
        valid: decide when learning ends; without any, all epochs are run.
        network: ``textcnn`` (Kim 2014), ``topjudge`` (Zhong et al. 2018) or ``transformer``.
        seed: the same seed gives the same predictions on the same machine.
        device: where to compute.
        epochs: passes through the training cases at most.
        weights: a folder with a pretrained encoder to start the transformer from.

    Raises:
        MissingExtraError: if transformers is needed and not installed.
        ModelError: if the pretrained encoder cannot be loaded.
    """
    with torch.random.fork_rng():  # random numbers drawn elsewhere are left alone
        torch.manual_seed(seed)
        labels = learn_labels(train)
        if weights is None:
            model = _untrained(network, labels, [case.fact for case in train], epochs)
        else:
            model = _pretrained(weights, labels, epochs)
        model.network.to(device)
        name = network if weights is None else f"{network}:{weights.name}"
        examples = model.examples(train), model.examples(valid)
        fit(model.network, *examples, model.training, name=name, seed=seed)
    return model


def _untrained(
    name: NeuralName, labels: Labels, facts: Sequence[str], epochs: int
) -> NeuralPredictor:
    vocabulary = learn_vocabulary(facts, length=LENGTH)
    words = vocabulary.size
    encoder = Transformer(words, LENGTH) if name == "transformer" else Convolutions(words)
    decide = DecisionsInOrder if name == "topjudge" else SeparateDecisions
    network = nn.Sequential(encoder, decide(encoder.size, labels.sizes))
    return NeuralPredictor(network, vocabulary.encode, labels, Training(epochs, RATES[name]))


def _pretrained(weights: Path, labels: Labels, epochs: int) -> NeuralPredictor:
    encoder = load_pretrained(weights, purpose="a pretrained transformer")
    padding = int(encoder.tokenizer.pad_token_id)
    length = min(2 * LENGTH, encoder.length)

    def encode(texts: Sequence[str]) -> Numbers:
        if not texts:
            return np.zeros((0, length), dtype=np.int64)
        tokens = encoder.tokens(texts, padding="max_length", max_length=length)
        return np.array(tokens["input_ids"], dtype=np.int64)

    facts = Pretrained(encoder.model, padding=padding)
    network = nn.Sequential(facts, SeparateDecisions(facts.size, labels.sizes))
    return NeuralPredictor(network, encode, labels, Training(epochs, 2e-5, 16, padding=padding))


def fit(
    network: nn.Module,
    train: Examples,
    valid: Examples,
    training: Training,
    *,
    name: str,
    seed: int,
) -> None:
    """Train a network; its state of the last epoch that did best on the validation cases stays.

    Without validation cases, every epoch is run and the last state stays.
    """
    order = np.random.default_rng(seed)
    optimizer = torch.optim.AdamW(network.parameters(), lr=training.rate, weight_decay=0.01)
    best, best_state, waited = -1.0, None, 0
    for epoch in range(1, training.epochs + 1):
        loss = _epoch(network, train, optimizer, order, training)
        reached = accuracy(network, valid, training)
        score = "" if reached is None else f", right on validation cases {reached:.3f}"
        progress = f"{name}: epoch {epoch}/{training.epochs}, loss {loss:.3f}{score}"
        print(progress, file=sys.stderr, flush=True)
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
    """One pass through the cases in random order, by batches of texts of about one length.

    Returns:
        The mean loss.
    """
    network.train()
    lengths = (train.texts != training.padding).sum(axis=1)
    batches = [
        batch
        for pool in _batches(order.permutation(len(lengths)), 16 * training.batch)
        for batch in _batches(pool[np.argsort(lengths[pool], kind="stable")], training.batch)
    ]
    losses: list[float] = []
    shuffled: list[int] = order.permutation(len(batches)).tolist()
    for place in shuffled:
        rows: Numbers = batches[place]
        scores = network(_batch(network, train.texts[rows], training.padding))
        decisions = torch.from_numpy(train.decisions[rows]).to(scores[0].device)
        each = [
            functional.cross_entropy(one, decisions[:, target], ignore_index=UNSEEN)
            for target, one in enumerate(scores)
        ]
        loss = torch.stack(each).sum()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def _batches(rows: Numbers, size: int) -> Iterator[Numbers]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _batch(network: nn.Module, texts: Numbers, padding: int) -> Tensor:
    """The texts, less the padding that all of them have, where the network is."""
    longest = max(int((texts != padding).sum(axis=1).max()), 1)
    return torch.from_numpy(texts[:, :longest]).to(next(network.parameters()).device)
