"""Contexts the model has read, and going on from there token by token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import Cache

from inforce.train.embedded.kept import Kept
from inforce.train.embedded.model import device_of


@dataclass(frozen=True, slots=True)
class Opened:
    """Contexts that were read: padded on the left, so that all go on at the same place."""

    states: Tensor
    """What the model makes of the last token of each: (B, hidden)."""
    mask: Tensor
    """(B, longest), 0 for padding."""
    kept: Kept


class Reading(Protocol):
    """A batch of texts the model reads on."""

    @property
    def states(self) -> Tensor:
        """What the model makes of the last token of each text: (B, hidden)."""
        ...

    def read(self, tokens: Tensor) -> None:
        """Show it one more token of each: (B,)."""
        ...

    def keep(self, rows: Tensor) -> bool:
        """Go on with these texts only; whether that was done, or all have to stay."""
        ...


class Growing:
    """Reads operation by operation, with exactly as many texts as go on."""

    def __init__(self, model: PreTrainedModel, opened: Opened) -> None:
        self._model, self._kept = model, opened.kept
        self._mask = opened.mask
        self.states = opened.states

    def read(self, tokens: Tensor) -> None:
        """Show it one more token of each text."""
        position = self._mask.sum(dim=1, keepdim=True)
        self._mask = torch.cat([self._mask, torch.ones_like(position)], dim=1)
        self.states = seen(self._model, tokens[:, None], self._mask, position, self._kept)

    def keep(self, rows: Tensor) -> bool:
        """Go on with these texts only."""
        self._mask, self.states = self._mask[rows], self.states[rows]
        self._kept.select(rows)
        return True


def opened(
    model: PreTrainedModel, texts: Sequence[tuple[int, ...]], *, padding: int, room: int
) -> Opened:
    """Read contexts; those that are the same (rollouts of one question) only once.

    Args:
        model: reads them.
        texts: the contexts, as tokens.
        padding: the token that fills up short ones.
        room: how many more tokens may follow.
    """
    different = list(dict.fromkeys(texts))
    mask, tokens = (one.to(device_of(model)) for one in _padded(different, padding))
    positions = (mask.cumsum(dim=1) - 1).clamp(min=0)
    kept = Kept(model, room=mask.shape[1] + room)
    states = seen(model, tokens, mask, positions, kept)
    place = {text: row for row, text in enumerate(different)}
    rows = torch.tensor([place[text] for text in texts], device=mask.device)
    kept.select(rows)
    return Opened(states[rows], mask[rows], kept)


def seen(
    model: PreTrainedModel, tokens: Tensor, mask: Tensor, positions: Tensor, kept: Cache
) -> Tensor:
    """What the model makes of the last of these tokens, beside what was kept of earlier ones."""
    read = model.base_model(
        input_ids=tokens,
        attention_mask=mask,
        position_ids=positions,
        past_key_values=kept,
        use_cache=True,
    )
    return read.last_hidden_state[:, -1]


def _padded(texts: Sequence[tuple[int, ...]], padding: int) -> tuple[Tensor, Tensor]:
    """The mask, and the tokens."""
    longest = max(map(len, texts))
    lengths = torch.tensor([len(one) for one in texts])
    mask = (torch.arange(longest)[None] >= longest - lengths[:, None]).long()
    tokens = torch.full((len(texts), longest), padding)
    tokens[mask.bool()] = torch.tensor([token for one in texts for token in one])
    return mask, tokens
