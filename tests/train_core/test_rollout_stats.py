"""What trajectories came to, by hand."""

from __future__ import annotations

from dataclasses import replace

from inforce.train.trajectory import RolloutStats, Span, Trajectory


def said(digit: int, answer: str) -> Trajectory:
    """An answer of one token a character, and the end of its turn."""
    spans = (Span("prompt", (1, 2)), Span("generated", (3,) * (len(answer) + 1)))
    return Trajectory(str(digit), spans, (answer,))


def test_statistics_by_hand() -> None:
    """Question 1 is flat, question 2 is not, question 3 has one measured trajectory."""
    one = said(1, "1")
    longer = replace(said(2, "22"), spans=(*said(2, "22").spans, Span("observed", (5, 6, 7))))
    stats = RolloutStats.of(
        [
            replace(one, reward=1.0, facts={"dated": True, "end": "answer", "calls": 2}),
            replace(one, reward=1.0, facts={"dated": False, "calls": 4}),
            replace(longer, reward=0.25),
            replace(longer, reward=0.0, facts={"dated": True}),
            replace(longer, reward=0.25, facts={"dated": False}),
            replace(said(3, "3"), reward=0.5),
            replace(said(3, "3"), reward=None),
            replace(said(3, "3"), reward=None),
        ]
    )
    assert stats == RolloutStats(
        trajectories=8,
        measured=6,
        reward=0.5,
        flat=0.5,
        generated=(5 * 2 + 3 * 3) / 8,
        response=(5 * 2 + 3 * 6) / 8,
        turns=1.0,
        facts={"calls": 3.0, "dated": 0.5},
    )
