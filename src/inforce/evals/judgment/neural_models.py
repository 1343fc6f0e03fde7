"""A network, its reader of texts and its training, put together for each predictor by name.

Needs torch: load this module only where it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch

from inforce.evals.encoders import PretrainedEncoder, load_pretrained
from inforce.evals.judgment.baselines import Prediction
from inforce.evals.judgment.neural_networks import (
    Convolutions,
    DecisionsInOrder,
    JudgmentNetwork,
    Pretrained,
    SeparateDecisions,
    Transformer,
)
from inforce.evals.judgment.neural_text import (
    Labels,
    Numbers,
    learn_labels,
    learn_vocabulary,
)
from inforce.evals.judgment.neural_training import Examples, Training, fit, predict
from inforce.scoring.cases import Case

if TYPE_CHECKING:
    from inforce.evals.judgment.neural import Name, NeuralPredictor

LENGTH = 256
"""Words of the facts that are read; with a pretrained encoder, twice as many tokens."""


RATES: dict[Name, float] = {"textcnn": 2e-3, "topjudge": 1e-3, "transformer": 2e-3}
"""How fast each network learns: of a few tried, what did best on validation cases."""


class _Reader(Protocol):
    """Turns texts into rows of numbers."""

    def encode(self, texts: Sequence[str]) -> Numbers: ...


@dataclass(frozen=True, slots=True)
class FittedModel:
    """A trained network with what turns facts into its numbers and its numbers into judgments."""

    network: JudgmentNetwork
    reader: _Reader
    labels: Labels
    training: Training

    def predict(self, facts: Sequence[str]) -> list[Prediction]:
        """A prediction for each fact, in order."""
        return self.labels.decode(predict(self.network, self.reader.encode(facts), self.training))


def learn(made: NeuralPredictor, train: Sequence[Case], valid: Sequence[Case]) -> FittedModel:
    """Train the network a predictor names; random numbers drawn elsewhere are left alone."""
    labels = learn_labels(train)
    with torch.random.fork_rng():
        torch.manual_seed(made.seed)
        model = _untrained(made, labels, [case.fact for case in train])
        model.network.to(made.device)
        fit(
            model.network,
            _examples(model, train),
            _examples(model, valid),
            model.training,
            name=made.name,
            seed=made.seed,
        )
    return model


def _untrained(made: NeuralPredictor, labels: Labels, facts: Sequence[str]) -> FittedModel:
    if made.weights is not None:
        return _pretrained(made.weights, labels, made.epochs)
    vocabulary = learn_vocabulary(facts, length=LENGTH)
    network = _network(made.network, vocabulary.size, labels.sizes)
    return FittedModel(network, vocabulary, labels, Training(made.epochs, RATES[made.network]))


def _network(name: Name, words: int, targets: tuple[int, int, int]) -> JudgmentNetwork:
    encoder = Transformer(words, LENGTH) if name == "transformer" else Convolutions(words)
    decide = DecisionsInOrder if name == "topjudge" else SeparateDecisions
    return JudgmentNetwork(encoder, decide(encoder.size, targets))


def _examples(model: FittedModel, cases: Sequence[Case]) -> Examples:
    return Examples(model.reader.encode([case.fact for case in cases]), model.labels.encode(cases))


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Reads with the tokenizer a pretrained encoder comes with."""

    encoder: PretrainedEncoder
    length: int

    def encode(self, texts: Sequence[str]) -> Numbers:
        if not texts:
            return np.zeros((0, self.length), dtype=np.int64)
        tokens = self.encoder.tokens(texts, padding="max_length", max_length=self.length)
        return np.array(tokens["input_ids"], dtype=np.int64)


def _pretrained(weights: Path, labels: Labels, epochs: int) -> FittedModel:
    encoder = load_pretrained(weights, purpose="a pretrained transformer")
    padding = int(encoder.tokenizer.pad_token_id)
    facts = Pretrained(encoder.model, padding=padding)
    network = JudgmentNetwork(facts, SeparateDecisions(facts.size, labels.sizes))
    training = Training(epochs, 2e-5, batch=16, padding=padding)
    return FittedModel(network, _Tokens(encoder, min(2 * LENGTH, encoder.length)), labels, training)
