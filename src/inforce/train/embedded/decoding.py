"""Writing the next tokens of many contexts at once, with what was computed before kept.

A token is drawn by a number between 0 and 1 that was fixed beforehand: it falls into the share of
one token. So what a request gets does not depend on which others are written beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor
from transformers import PreTrainedModel

from inforce.train.embedded.model import device_of, precision, scores_of
from inforce.train.embedded.reading import Growing, Reading, opened
from inforce.train.embedded.replay import Replay
from inforce.train.policy import Written

STRIDE = 8
"""Tokens between two looks at who has ended."""

_BLANK = -1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written after one context."""

    context: tuple[int, ...]
    draws: tuple[float, ...]
    """Numbers in [0, 1), one for each token that may be written."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Tokens with a meaning of their own."""

    end: int
    padding: int


@torch.inference_mode()
def write_all(
    model: PreTrainedModel,
    wanted: Sequence[Wanted],
    marks: Marks,
    *,
    temperature: float = 1.0,
    replay: Replay | None = None,
) -> list[Written]:
    """What the model writes after each context, until it ends its turn or may write no more.

    Args:
        model: writes.
        wanted: contexts, and draws.
        marks: of its vocabulary.
        temperature: at which tokens are drawn.
        replay: of the model, if steps are to be replayed instead of computed one by one.
    """
    longest = max(len(one.draws) for one in wanted)
    texts = [one.context for one in wanted]
    with precision(device_of(model)):
        begun = opened(model, texts, padding=marks.padding, room=longest)
        reading = replay.reading(begun, room=longest) if replay else Growing(model, begun)
        paper = _Paper(model, reading, wanted, marks.end)
        paper.fill(temperature)
    return [
        _cut(row, len(one.draws), marks.end) for row, one in zip(paper.rows(), wanted, strict=True)
    ]


class _Paper:
    """A batch that is being written: rows whose turn or room has ended are taken out on the way."""

    def __init__(
        self, model: PreTrainedModel, reading: Reading, wanted: Sequence[Wanted], end: int
    ) -> None:
        self._model, self._reading, self._end = model, reading, end
        device = reading.states.device
        self._draws = _draws(wanted, device)
        self._rooms = torch.tensor([len(one.draws) for one in wanted], device=device)
        # Nobody writes beyond its own room: there, the model can no longer look.
        self._ends = {len(one.draws) for one in wanted}
        self._tokens = torch.full(self._draws.shape, _BLANK, device=device)
        self._logprobs = torch.zeros(self._draws.shape, device=device)
        self._alive = torch.arange(len(wanted), device=device)

    def fill(self, temperature: float) -> None:
        """Write until all have ended, or there is no room left."""
        for place in range(self._tokens.shape[1]):
            self._write(place, temperature)
            looks = (place + 1) % STRIDE == 0 or place + 1 in self._ends
            if looks and not self._clear_away(place + 1):
                return
            self._reading.read(self._tokens[self._alive, place])

    def _write(self, place: int, temperature: float) -> None:
        """Draw the next token of every row."""
        scores = scores_of(self._model, self._reading.states, temperature=temperature)
        drawn = _drawn(scores, self._draws[self._alive, place])
        self._tokens[self._alive, place] = drawn
        self._logprobs[self._alive, place] = scores.gather(1, drawn[:, None])[:, 0]

    def _clear_away(self, written: int) -> bool:
        """Take out the rows that have ended after so many tokens; whether any is left."""
        ended = (self._tokens[self._alive] == self._end).any(dim=1)
        ended |= self._rooms[self._alive] <= written
        left = torch.nonzero(~ended)[:, 0]
        if 0 < len(left) < len(self._alive) and self._reading.keep(left):
            self._alive = self._alive[left]
        return len(left) > 0

    def rows(self) -> list[_Row]:
        """What was written, with what lies beyond the end."""
        columns = (cast("list[Any]", one.tolist()) for one in (self._tokens, self._logprobs))
        return [_Row(*row) for row in zip(*columns, strict=True)]


@dataclass(frozen=True, slots=True)
class _Row:
    tokens: list[int]
    logprobs: list[float]


def _draws(wanted: Sequence[Wanted], device: torch.device) -> Tensor:
    longest = max(len(one.draws) for one in wanted)
    rows = [[*one.draws, *[0.0] * (longest - len(one.draws))] for one in wanted]
    return torch.tensor(rows, device=device)


def _drawn(scores: Tensor, draws: Tensor) -> Tensor:
    """The token into whose share of the probability each draw falls."""
    upto = scores.exp().cumsum(dim=1)
    whole = upto[:, -1:].contiguous()
    places = torch.searchsorted(upto, draws[:, None] * whole, right=True)
    # A draw next to 1 rounds to 1, beyond every share: the last token that has one gets it.
    return torch.minimum(places, torch.searchsorted(upto, whole))[:, 0]


def _cut(row: _Row, limit: int, end: int) -> Written:
    ended = end in row.tokens[:limit]
    length = row.tokens.index(end) + 1 if ended else limit
    return Written(tuple(row.tokens[:length]), tuple(row.logprobs[:length]), ended)
