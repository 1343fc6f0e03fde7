"""Keys and values of the tokens read so far, in room set aside beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer


@dataclass(frozen=True, slots=True)
class States:
    """Keys and values of one layer, of the tokens read so far: (B, heads, tokens, width)."""

    keys: Tensor
    values: Tensor


class Kept(Cache):
    """What attention has computed, for as many tokens as there is room for.

    A cache that grows copies itself at every token; this one writes into its free places.
    """

    def __init__(self, model: PreTrainedModel, *, room: int) -> None:
        config: Any = model.config
        self._layers = [_Layer(room) for _ in range(config.num_hidden_layers)]
        super().__init__(layers=list(self._layers))

    def select(self, rows: Tensor) -> None:
        """Go on with these texts only, in this order; one may be named more than once."""
        for layer in self._layers:
            layer.batch_select_indices(rows)

    def states(self) -> list[States]:
        """What is kept, layer by layer."""
        return [layer.states() for layer in self._layers]


class _Layer(DynamicLayer):
    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room
        self._used = 0

    def lazy_initialization(self, key_states: Tensor, value_states: Tensor) -> None:
        self.dtype, self.device = key_states.dtype, key_states.device
        self.keys = _room_for(key_states, self._room)
        self.values = _room_for(value_states, self._room)
        self.is_initialized = True

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start, self._used = self._used, self._used + key_states.shape[-2]
        every = self.states()
        every.keys[:, :, start:] = key_states
        every.values[:, :, start:] = value_states
        return every.keys, every.values

    def get_seq_length(self) -> int:
        return self._used

    def states(self) -> States:
        assert self.keys is not None and self.values is not None
        return States(self.keys[:, :, : self._used], self.values[:, :, : self._used])


def _room_for(states: Tensor, room: int) -> Tensor:
    rows, heads, _, width = states.shape
    return torch.empty((rows, heads, room, width), dtype=states.dtype, device=states.device)
