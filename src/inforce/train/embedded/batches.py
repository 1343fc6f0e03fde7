"""Trajectories as tensors, and what a policy gives for them.

Shapes: B trajectories, T response tokens, padded on the right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedModel

from inforce.train.embedded.model import device_of, hidden_states, precision, scores_of
from inforce.train.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Batch:
    """Trajectories, each from its prompt to its end."""

    tokens: Tensor
    """(B, prompt and response)."""
    written: Tensor
    """(B, T) places in the row of what stands in the response; 0 where there is nothing."""
    mask: Tensor
    """(B, T), 1.0 for what the policy wrote."""
    rollout: Tensor
    """(B, T), log-probabilities noted when it was written; NaN where none were."""

    @classmethod
    def of(cls, trajectories: Sequence[Trajectory], device: torch.device) -> Batch:
        """Trajectories side by side."""
        rows = [[*one.prompt, *one.response] for one in trajectories]
        places = [range(len(one.prompt), len(one.prompt) + len(one.mask)) for one in trajectories]
        return cls(
            tokens=_rows(rows, device, torch.long),
            written=_rows(places, device, torch.long),
            mask=_rows([one.mask for one in trajectories], device),
            rollout=_rows([_noted(one) for one in trajectories], device),
        )


@dataclass(frozen=True, slots=True)
class Scores:
    """What a policy gives for each token of the responses; 0 for what it did not write."""

    logprobs: Tensor
    """(B, T)."""
    entropies: Tensor
    """(B, T), in nats; never differentiable."""

    def detached(self) -> Scores:
        """The same, as constants."""
        return Scores(self.logprobs.detach(), self.entropies)


def scores(model: PreTrainedModel, batch: Batch, *, temperature: float = 1.0) -> Scores:
    """Log-probabilities and entropies of what the policy wrote, at the temperature it drew with.

    Only there is the vocabulary looked at: what the world answered costs no scores.
    """
    rows, columns = torch.nonzero(batch.mask, as_tuple=True)
    places = batch.written[rows, columns]
    with precision(device_of(model)):
        states = hidden_states(model, batch.tokens)[rows, places - 1]
        every = scores_of(model, states, temperature=temperature)
    taken = every.gather(1, batch.tokens[rows, places][:, None])[:, 0]
    with torch.no_grad():
        # A token that cannot be drawn adds nothing: 0 · -inf is 0 here.
        entropies = -(every.exp() * every.clamp(min=torch.finfo(every.dtype).min)).sum(dim=1)
    blank = torch.zeros_like(batch.mask)
    where = (rows, columns)
    return Scores(blank.index_put(where, taken), blank.index_put(where, entropies))


def by_length(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Places of texts of about the same length together, longest first, so many at a time."""
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    for start in range(0, len(order), size):
        yield order[start : start + size]


def _rows(
    rows: Sequence[Sequence[float]], device: torch.device, dtype: torch.dtype = torch.float32
) -> Tensor:
    width = max([1, *map(len, rows)])
    filled = [[*row, *[0] * (width - len(row))] for row in rows]
    return torch.tensor(filled, dtype=dtype, device=device)


def _noted(trajectory: Trajectory) -> list[float]:
    """Log-probabilities of the response, NaN where the policy wrote and none were noted."""
    return [
        logprob
        for span in trajectory.spans[1:]
        for logprob in span.logprobs
        or [float("nan") if span.origin == "generated" else 0.0] * len(span.tokens)
    ]
