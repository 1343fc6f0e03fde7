"""What a report on sentencing shows (MSR2, table 4)."""

from __future__ import annotations

from inforce.train.experiment.report import Column, Curve, Layout

PAGE = Layout(
    "Sentencing: learning what to ask, and what a sentence depends on",
    "On cases no training question was about; one episode each. *right*: the term is in the right "
    "one of ten classes. *factors*: F1 of the factors listed, by rule. *precedents*: share of the "
    "searches that ask for precedents. *outcome only*: without the process reward.",
    (
        Column("right before", "right", "before"),
        Column("right after", "right"),
        Column("rise", "right", "rise"),
        Column("factors before", "factors", "before"),
        Column("factors after", "factors"),
        Column("rise", "factors", "rise"),
        Column("precedents before", "precedents", "before"),
        Column("precedents after", "precedents"),
        Column("searches", "searches"),
    ),
    (
        Curve("reward", "Reward of a step's episodes", "reward", is_share=False),
        Curve("right", "Share of the terms that are right", "right"),
        Curve("factors", "F1 of the factors", "factors"),
        Curve("precedents", "Share of the searches for precedents", "precedents"),
    ),
)
