"""The five parts of the U-Score weighed into one, and what they say to a reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from inforce.evals.legalsearchqa.uscore.authority import citations
from inforce.evals.legalsearchqa.uscore.conclusion import decisiveness
from inforce.evals.legalsearchqa.uscore.place import Jurisdiction, jurisdiction
from inforce.evals.legalsearchqa.uscore.wording import hedging, temporal_vagueness

Band = Literal["highly certain", "good", "moderate", "high uncertainty", "very high uncertainty"]


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts."""

    hedging: float
    temporal_vagueness: float
    citations: float
    jurisdiction: float
    decisiveness: float


CODE: Final = Weights(0.20, 0.10, 0.25, 0.20, 0.25)
"""As the released evaluation weighs."""

PAPER: Final = Weights(0.25, 0.20, 0.25, 0.15, 0.15)
"""As equation 1 weighs; its 1-C, 1-J and 1-D are the parts here."""


@dataclass(frozen=True, slots=True)
class Parts:
    """How uncertain an answer is in five respects, each from 0 (certain) to 1."""

    hedging: float
    temporal_vagueness: float
    citations: float
    jurisdiction: float
    decisiveness: float

    def weighed(self, weights: Weights = CODE) -> float:
        """The U-Score; lower is better."""
        return (
            weights.hedging * self.hedging
            + weights.temporal_vagueness * self.temporal_vagueness
            + weights.citations * self.citations
            + weights.jurisdiction * self.jurisdiction
            + weights.decisiveness * self.decisiveness
        )


_BANDS: tuple[tuple[float, Band], ...] = (
    (0.2, "highly certain"),
    (0.4, "good"),
    (0.6, "moderate"),
    (0.8, "high uncertainty"),
)
_TOO_MUCH = 0.6
"""A part above it is worth a word of advice."""


def parts_of(
    text: str, *, sources: Sequence[str] = (), expected: Jurisdiction | None = None
) -> Parts:
    """The five parts of an answer.

    Args:
        text: the answer.
        sources: what it rests on; the addresses in the text unless given. The papers' figures were
            made from the text alone.
        expected: where the question is at home, if that is to count.
    """
    return Parts(
        hedging(text),
        temporal_vagueness(text),
        citations(text, sources),
        jurisdiction(text, expected),
        decisiveness(text),
    )


def band(score: float) -> Band:
    """What a U-Score means in words.

    >>> band(0.19), band(0.2), band(0.8)
    ('highly certain', 'good', 'very high uncertainty')
    """
    for below, word in _BANDS:
        if score < below:
            return word
    return "very high uncertainty"


def recommendations(parts: Parts) -> tuple[str, ...]:
    """What would make the answer more certain, part by part; nothing where all are in order."""
    advice = (
        (parts.hedging, "say it with fewer reservations"),
        (parts.temporal_vagueness, "give dates"),
        (parts.citations, "cite primary sources: statutes, regulations, decisions"),
        (parts.jurisdiction, "name the jurisdiction"),
        (parts.decisiveness, "come to a conclusion, with its conditions"),
    )
    return tuple(words for value, words in advice if value > _TOO_MUCH)
