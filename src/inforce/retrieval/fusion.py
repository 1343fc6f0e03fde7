"""Weighted reciprocal rank fusion: three ranked lists become one.

LegalSearch-R1, equation 3: ``score(d) = Σ_c w_c / (K + r_c(d))`` over the channels c that found d,
with r the rank from 1 and K = 60; the weights are 3 (keyword), 2 (dense) and 1 (BM25).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Channel = Literal["keyword", "dense", "bm25"]

CHANNELS: tuple[Channel, ...] = ("keyword", "dense", "bm25")
WEIGHTS: Mapping[Channel, float] = MappingProxyType({"keyword": 3.0, "dense": 2.0, "bm25": 1.0})
SMOOTHING = 60


@dataclass(frozen=True, slots=True)
class Fused:
    """One document of the fused ranking, with the rank each channel gave it."""

    row: int
    score: float
    ranks: Mapping[Channel, int]


def weighted_rrf(
    rankings: Mapping[Channel, Sequence[int]],
    *,
    weights: Mapping[Channel, float] = WEIGHTS,
    smoothing: int = SMOOTHING,
) -> list[Fused]:
    """Fuse ranked lists of rows, best first; ties go to the lower row, so that order is fixed.

    >>> [fused.row for fused in weighted_rrf({"keyword": [7], "bm25": [3, 7]})]
    [7, 3]
    """
    scores: dict[int, float] = {}
    ranks: dict[int, dict[Channel, int]] = {}
    for channel in sorted(rankings):  # a fixed order, so that sums of floats are the same
        for rank, row in enumerate(rankings[channel], 1):
            scores[row] = scores.get(row, 0.0) + weights[channel] / (smoothing + rank)
            ranks.setdefault(row, {})[channel] = rank
    order = sorted(scores, key=lambda row: (-scores[row], row))
    return [Fused(row, scores[row], ranks[row]) for row in order]
