"""Settings of the embedded trainer; the defaults are a laptop's."""

from __future__ import annotations

from dataclasses import dataclass, field

from inforce.train.advantages import EPSILON, Deviation, Shaping
from inforce.train.losses import CLIP, Averaging


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are drawn, always from the whole vocabulary (top-p is 1)."""

    temperature: float = 1.0
    seed: int = 0
    batch: int = 128
    """Most sequences generated together."""

    def __post_init__(self) -> None:
        _require(self, temperature=1e-6, batch=1)


@dataclass(frozen=True, slots=True)
class Sft:
    """Supervised fine-tuning on demonstrations, before anything is rewarded."""

    steps: int = 400
    batch: int = 32
    lr: float = 2e-3
    """The highest learning rate; it falls to 0 along a cosine."""
    warm_up: int = 20
    """Steps in which the learning rate rises linearly."""
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        _require(self, batch=1)


@dataclass(frozen=True, slots=True)
class Grpo:
    """One step of GRPO."""

    lr: float = 1e-4
    weight_decay: float = 0.0
    clip: float = CLIP
    averaging: Averaging = "token"
    deviation: Deviation = "population"
    epsilon: float = EPSILON
    shaping: Shaping | None = None
    """Of advantages by entropy; ``None``: every token has the advantage of its trajectory."""
    beta: float = 0.0
    """Weight of the KL divergence from the policy training began with."""
    epochs: int = 1
    """Updates on the same trajectories."""
    micro_batch: int = 32
    """Trajectories computed at a time; their gradients add up to those of the whole step."""
    max_grad_norm: float = 1.0

    def __post_init__(self) -> None:
        _require(self, beta=0, epochs=1, micro_batch=1)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a training run."""

    sampling: Sampling = field(default_factory=Sampling)
    grpo: Grpo = field(default_factory=Grpo)
    steps: int = 40
    questions: int = 16
    """Per step; their order follows from the seed."""
    seed: int = 0
    checkpoint_every: int = 10
    keep: int = 2
    """Number of checkpoints that are kept; older ones are deleted."""

    def __post_init__(self) -> None:
        _require(self, steps=0, questions=1, checkpoint_every=1, keep=1)


def _require(settings: object, **least: float) -> None:
    """Raise ValueError if a setting is less than it can be."""
    for name, value in least.items():
        if not getattr(settings, name) >= value:  # NaN is refused as well
            raise ValueError(f"{name} must be at least {value:g}")
