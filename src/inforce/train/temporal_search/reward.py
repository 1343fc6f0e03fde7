"""What an episode of temporal search is worth: 1 for the right version in the right form, else 0.

The form is R1's (LegalSearch-R1, equation 6): each round thinks and then acts, the first one plans,
the last one answers, and nothing is written in the environment's place.
"""

from __future__ import annotations

from inforce.train.episodes import Question
from inforce.train.rewards import keeps_format
from inforce.train.trajectory import Trajectory


async def reward(trajectory: Trajectory, question: Question) -> float:
    """1.0 where the form was kept and the answer is, to the letter, the right citation."""
    return float(keeps_format(trajectory, gate="protocol") and is_right(trajectory, question))


def is_right(trajectory: Trajectory, question: Question) -> bool:
    """Whether the agent accepted an answer, and it is the right one."""
    answered = trajectory.facts.get("outcome") == "answered"
    return answered and trajectory.facts.get("answer") == question.target
