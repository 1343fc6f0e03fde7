"""How large models and steps are: for two cores of a processor, and for one large card."""

from __future__ import annotations

from dataclasses import dataclass

from inforce.train.embedded.settings import LARGE, SMALL, Shape, WarmStart


@dataclass(frozen=True, slots=True)
class Scale:
    """How large everything is."""

    shape: Shape
    drill: WarmStart
    warm: WarmStart
    rate: float
    """Of GRPO."""
    batch: int = 16
    """Questions a step."""
    rollouts: int = 8
    vocabulary: int = 512
    micro_batch: int = 32


CPU = Scale(SMALL, WarmStart(steps=300, batch=48), WarmStart(steps=150), rate=1e-4)
CARD = Scale(
    LARGE,
    WarmStart(steps=300, batch=128, rate=5e-4),
    WarmStart(steps=150, batch=64, rate=3e-4),
    rate=2e-5,
    batch=64,
    micro_batch=128,
)
