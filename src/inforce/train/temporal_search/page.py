"""What a report on temporal search shows (LegalSearch-R1, figures 5 and 6)."""

from __future__ import annotations

from inforce.train.experiment.report import Column, Curve, Layout

PAGE = Layout(
    "Temporal search: learning to ask about the right time",
    "On questions about articles no training question was about; one episode each. *past*: "
    "a version governs that is no longer in force. *dated*: share of queries that name a time.",
    (
        Column("reward before", "reward", "before"),
        Column("reward after", "reward"),
        Column("rise", "reward", "rise"),
        Column("past", "past"),
        Column("present", "present"),
        Column("dated before", "dated", "before"),
        Column("dated after", "dated"),
        Column("tool calls", "tool_calls"),
    ),
    (
        Curve("reward", "Reward of a step's episodes", "reward"),
        Curve("tool-calls", "Tool calls an episode", "tool_calls", is_share=False),
        Curve("dated", "Share of queries that name a time", "dated"),
    ),
)
