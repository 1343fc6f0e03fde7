"""What can be chosen about a model and its training; the defaults are a laptop's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from inforce.train.advantages import ALPHA, EPSILON, KAPPA, Deviation
from inforce.train.losses import CLIP, Averaging

Device = Literal["cpu", "cuda"]

Stepping = Literal["eager", "graph"]
"""How the next token is computed: operation by operation, or compiled once for each shape and
replayed, on a card as a CUDA graph."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a decoder that is built from nothing (the architecture of Qwen2)."""

    hidden: int
    layers: int
    heads: int
    kv_heads: int
    inner: int
    """Width of the feed-forward layers."""
    context: int
    """Tokens it can look at."""


SMALL = Shape(hidden=192, layers=4, heads=4, kv_heads=2, inner=512, context=2048)
"""About 1.7 million parameters with a vocabulary of 600: for two cores of a processor."""

LARGE = Shape(hidden=768, layers=12, heads=12, kv_heads=4, inner=2048, context=4096)
"""About 82 million parameters with a vocabulary of 8,000: for one large card."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the policy draws its tokens: from all of them (top-p is 1), at a temperature."""

    temperature: float = 1.0
    seed: int = 0
    batch: int = 128
    """Requests written together, at most."""
    patience: int = 8
    """Turns of the event loop without a new request after which those waiting are written."""
    stepping: Stepping = "eager"

    def __post_init__(self) -> None:
        _demand(
            {
                "temperature must be greater than 0: a policy has to draw": self.temperature > 0,
                "batch must be at least 1": self.batch >= 1,
                "patience must be at least 0": self.patience >= 0,
            }
        )


@dataclass(frozen=True, slots=True)
class WarmStart:
    """How demonstrations are imitated before anything is rewarded."""

    steps: int = 400
    batch: int = 32
    """Demonstrations a step."""
    rate: float = 2e-3
    """Of learning, at its highest; it falls to nothing along a cosine."""
    warm_up: int = 20
    """Steps in which the rate rises."""
    decay: float = 0.01
    clip_norm: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        _demand({"batch must be at least 1": self.batch >= 1})


@dataclass(frozen=True, slots=True)
class Shaping:
    """Entropy-based advantage shaping (LegalSearch-R1, equation 5)."""

    alpha: float = ALPHA
    kappa: float = KAPPA

    def __post_init__(self) -> None:
        _demand(
            {
                "alpha must be at least 0": self.alpha >= 0,
                "kappa must be greater than 1": self.kappa > 1,
            }
        )


@dataclass(frozen=True, slots=True)
class Grpo:
    """How one step of GRPO learns from the trajectories of its questions."""

    rate: float = 1e-4
    """Of learning (AdamW)."""
    decay: float = 0.0
    clip: float = CLIP
    averaging: Averaging = "token"
    deviation: Deviation = "population"
    epsilon: float = EPSILON
    shaping: Shaping | None = None
    """``None``: every token has the advantage of its trajectory."""
    beta: float = 0.0
    """Weight of the divergence from the policy training began with."""
    passes: int = 1
    """How often the same trajectories are learnt from. From the second on, ratios leave 1 and
    clipping begins to matter."""
    micro_batch: int = 32
    """Trajectories computed at a time; their gradients add up to those of the whole step."""
    clip_norm: float = 1.0

    def __post_init__(self) -> None:
        _demand(
            {
                "beta must be at least 0": self.beta >= 0,
                "passes must be at least 1": self.passes >= 1,
                "micro_batch must be at least 1": self.micro_batch >= 1,
            }
        )


@dataclass(frozen=True, slots=True)
class Training:
    """How long, on how many questions a step, and how often it is kept."""

    steps: int = 40
    questions: int = 16
    """A step."""
    seed: int = 0
    """Of the order of the questions."""
    checkpoint_every: int = 10
    keep: int = 2
    """Checkpoints that stay; older ones are deleted."""

    def __post_init__(self) -> None:
        _demand(
            {
                "steps must be at least 0": self.steps >= 0,
                "questions must be at least 1": self.questions >= 1,
                "checkpoint_every must be at least 1": self.checkpoint_every >= 1,
                "keep must be at least 1": self.keep >= 1,
            }
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """All of it."""

    sampling: Sampling = field(default_factory=Sampling)
    grpo: Grpo = field(default_factory=Grpo)
    training: Training = field(default_factory=Training)


def _demand(demands: Mapping[str, bool]) -> None:
    """Refuse settings that can mean nothing: what is demanded, and whether it is so."""
    for demand, is_met in demands.items():
        if not is_met:
            raise ValueError(demand)
