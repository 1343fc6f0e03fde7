"""Reading on with everything in its fixed place, so that a step can be compiled and replayed.

On a card a replayed step is one CUDA graph: what it costs to start each of its operations, which is
most of the time a small model takes for a token, is paid once. All texts stay until the last has
ended, and batches and rooms come in few sizes, each compiled at its first use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer

from inforce.train.embedded.kept import Kept
from inforce.train.embedded.reading import Opened, seen

ROOM = 256
"""Rooms hold a multiple of this many tokens."""

Compile = Callable[[Callable[..., Tensor]], Callable[..., Tensor]]


def as_graph(
    step: Callable[..., Tensor], *, backend: str | Callable[..., Any] = "inductor"
) -> Callable[..., Tensor]:
    """A step compiled for one room, on a card as a CUDA graph."""
    # Its overloads leave out how recompilations are counted.
    compiled: Callable[..., Tensor] = cast("Any", torch).compile(
        step,
        backend=backend,
        mode="reduce-overhead",
        dynamic=False,
        # Counted together, rooms after the eighth would be left uncompiled without a word.
        isolate_recompiles=True,
    )

    def replayed(*given: Any) -> Tensor:
        torch.compiler.cudagraph_mark_step_begin()
        # The next replay writes its result to the same place.
        return compiled(*given).clone()

    return replayed


class Replay:
    """The rooms in which a model's step is replayed, each with the step compiled for it."""

    def __init__(self, model: PreTrainedModel, *, compile_step: Compile = as_graph) -> None:
        self._model, self._compile = model, compile_step
        self._rooms: dict[tuple[int, int], _Room] = {}

    def reading(self, opened: Opened, *, room: int) -> Replaying:
        """Go on from contexts that were read, by up to ``room`` tokens."""
        count, length = opened.mask.shape
        size = 1 << max(count - 1, 0).bit_length(), -(-(length + room) // ROOM) * ROOM
        if size not in self._rooms:
            self._rooms[size] = _Room(opened.kept, *size, step=self._compile(seen))
        self._rooms[size].fill(opened)
        return Replaying(self._model, self._rooms[size], opened)


class Replaying:
    """One batch that is read on; implements `inforce.train.embedded.reading.Reading`."""

    def __init__(self, model: PreTrainedModel, room: _Room, opened: Opened) -> None:
        self._model, self._room = model, room
        self.states = opened.states

    def read(self, tokens: Tensor) -> None:
        """Show it one more token of each text."""
        room = self._room
        room.take(tokens)
        states = room.step(self._model, room.tokens, room.mask, room.positions, room)
        self.states = states[: len(tokens)]

    def keep(self, rows: Tensor) -> bool:
        """All have to stay: another number of texts would be another graph."""
        return False


class _Room(Cache):
    """Keys and values of a fixed number of texts of a fixed length, and what the step is given."""

    def __init__(self, like: Kept, count: int, length: int, *, step: Callable[..., Tensor]) -> None:
        self.step = step
        device = like.states()[0].keys.device
        self.at = torch.zeros(1, dtype=torch.long, device=device)
        blanks = [
            (_blank(one.keys, count, length), _blank(one.values, count, length))
            for one in like.states()
        ]
        self._layers = [_FixedLayer(keys, values, self.at) for keys, values in blanks]
        super().__init__(layers=list(self._layers))
        self.tokens = torch.zeros((count, 1), dtype=torch.long, device=device)
        self.positions = torch.zeros((count, 1), dtype=torch.long, device=device)
        self.mask = torch.zeros((count, 1, 1, length), dtype=torch.bool, device=device)
        self._next = 0

    def fill(self, opened: Opened) -> None:
        """Begin anew, with contexts that were read."""
        count, length = opened.mask.shape
        for layer, states in zip(self._layers, opened.kept.states(), strict=True):
            assert layer.keys is not None and layer.values is not None
            layer.keys[:count, :, :length] = states.keys
            layer.values[:count, :, :length] = states.values
        self.mask.zero_()
        self.mask[:count, 0, 0, :length] = opened.mask.bool()
        self.positions.zero_()
        self.positions[:count, 0] = opened.mask.sum(dim=1) - 1
        self._next = length

    def take(self, tokens: Tensor) -> None:
        """Lay out one more token of each text."""
        self.tokens[: len(tokens), 0] = tokens
        self.positions += 1
        self.mask[..., self._next] = True
        self.at.fill_(self._next)
        self._next += 1


class _FixedLayer(DynamicLayer):
    def __init__(self, keys: Tensor, values: Tensor, at: Tensor) -> None:
        super().__init__()
        self.keys, self.values, self._at = keys, values, at
        self.dtype, self.device = keys.dtype, keys.device
        self.is_initialized = True

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        assert self.keys is not None and self.values is not None
        self.keys.index_copy_(2, self._at, key_states)
        self.values.index_copy_(2, self._at, value_states)
        return self.keys, self.values


def _blank(states: Tensor, count: int, length: int) -> Tensor:
    """Zeros: what was never written is masked, but must be a number."""
    _, heads, _, width = states.shape
    blank = torch.zeros((count, heads, length, width), dtype=states.dtype, device=states.device)
    # Nothing public says so: a graph writes here, in place, at every replay.
    torch._dynamo.mark_static_address(blank)  # pyright: ignore[reportPrivateUsage]
    return blank
