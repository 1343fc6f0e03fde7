"""The parts of the networks: encoders of the facts, and what makes the three decisions.

TextCNN (Kim 2014) and a transformer decide the three on their own; TopJudge (Zhong et al. 2018)
reads with the same convolutions, and lets the article bear on the charge, and both on the term.
Needs torch: load this module only where it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from inforce.evals.judgment.vocabulary import PADDING


class Convolutions(nn.Module):
    """Convolutions over windows of a few words; of each filter the strongest response counts."""

    def __init__(
        self,
        vocabulary: int,
        *,
        dimension: int = 128,
        filters: int = 64,
        windows: Sequence[int] = (2, 3, 4),
    ) -> None:
        super().__init__()
        self.size = filters * len(windows)
        self.words = nn.Embedding(vocabulary, dimension, padding_idx=PADDING)
        self.filters = nn.ModuleList(nn.Conv1d(dimension, filters, one) for one in windows)
        self.longest = max(windows)
        self.dropout = nn.Dropout(0.3)

    def forward(self, words: Tensor) -> Tensor:
        """One vector a text."""
        present = (words != PADDING).unsqueeze(1)
        # Every word starts a window, of padding beyond the text; no window is of padding alone.
        padded = functional.pad(words, (0, self.longest - 1), value=PADDING)
        vectors = self.words(padded).transpose(1, 2)
        strongest = [
            (functional.relu(one(vectors))[:, :, : words.shape[1]] * present).amax(dim=2)
            for one in self.filters
        ]
        return self.dropout(torch.cat(strongest, dim=1))


class Transformer(nn.Module):
    """A small transformer encoder learned from nothing; its vectors are averaged."""

    def __init__(
        self, vocabulary: int, length: int, *, dimension: int = 64, layers: int = 1, heads: int = 2
    ) -> None:
        super().__init__()
        self.size = dimension
        self.words = nn.Embedding(vocabulary, dimension, padding_idx=PADDING)
        self.places = nn.Embedding(length, dimension)
        layer = nn.TransformerEncoderLayer(
            dimension, heads, 2 * dimension, dropout=0.2, batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.dropout = nn.Dropout(0.3)

    def forward(self, words: Tensor) -> Tensor:
        """One vector a text."""
        places = torch.arange(words.shape[1], device=words.device)
        absent = words == PADDING
        vectors = self.layers(
            self.dropout(self.words(words) + self.places(places)), src_key_padding_mask=absent
        )
        present = (~absent).unsqueeze(2)
        return (vectors * present).sum(dim=1) / present.sum(dim=1).clamp(min=1)


class Pretrained(nn.Module):
    """A pretrained encoder of transformers, fine-tuned; the vector of its first token counts."""

    def __init__(self, model: Any, *, padding: int) -> None:
        super().__init__()
        self.size = int(model.config.hidden_size)
        self.model = model
        self.padding = padding
        self.dropout = nn.Dropout(0.1)

    def forward(self, words: Tensor) -> Tensor:
        """One vector a text."""
        present = (words != self.padding).long()
        states = self.model(input_ids=words, attention_mask=present).last_hidden_state
        return self.dropout(states[:, 0])


class SeparateDecisions(nn.Module):
    """Each decision from the facts alone."""

    def __init__(self, size: int, targets: Sequence[int]) -> None:
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(size, target) for target in targets)

    def forward(self, facts: Tensor) -> list[Tensor]:
        """Scores by target."""
        return [head(facts) for head in self.heads]


class DecisionsInOrder(nn.Module):
    """Each decision from the facts and from those before it, as TopJudge has it.

    A decision is an LSTM cell that reads the facts; it starts from the states of the decisions it
    depends on, each through a linear map of its own.
    """

    def __init__(self, size: int, targets: Sequence[int], *, state: int = 256) -> None:
        super().__init__()
        self.state = state
        self.cells = nn.ModuleList(nn.LSTMCell(size, state) for _ in targets)
        self.before = nn.ModuleDict(
            {
                f"{earlier} to {place}": nn.Linear(2 * state, 2 * state)
                for place in range(len(targets))
                for earlier in range(place)
            }
        )
        self.heads = nn.ModuleList(nn.Linear(state, target) for target in targets)

    def forward(self, facts: Tensor) -> list[Tensor]:
        """Scores by target."""
        states: list[Tensor] = []
        for cell in self.cells:
            start = torch.chunk(self._start(facts, states), 2, dim=1)
            states.append(torch.cat(cell(facts, start), dim=1))
        return [
            head(state[:, : self.state]) for head, state in zip(self.heads, states, strict=True)
        ]

    def _start(self, facts: Tensor, earlier: Sequence[Tensor]) -> Tensor:
        """The first state of the next cell: zero, or a map of the states of earlier decisions."""
        start = facts.new_zeros(len(facts), 2 * self.state)
        for place, state in enumerate(earlier):
            start = start + self.before[f"{place} to {len(earlier)}"](state)
        return start
