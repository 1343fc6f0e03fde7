"""How large the model of sentencing is: it reads more than that of temporal search."""

from __future__ import annotations

from dataclasses import replace

from inforce.train.embedded.settings import Shape, WarmStart
from inforce.train.experiment.scale import CARD as LARGE
from inforce.train.experiment.scale import CPU as SMALL

CPU = replace(
    SMALL,
    shape=Shape(hidden=128, layers=3, heads=4, kv_heads=2, inner=352, context=2048),
    drill=WarmStart(steps=250, batch=32),
    warm=WarmStart(steps=120, batch=32),
    vocabulary=4000,
    rate=3e-4,
    batch=12,
)
CARD = replace(LARGE, vocabulary=8000)
