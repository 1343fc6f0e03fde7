"""Episodes as TRL takes them: tokens, which of them the policy wrote, and rewards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from inforce.errors import UserError
from inforce.train.trajectory import Span, Trajectory

LOGGED = ("turns", "tool_calls", "dated_queries")
"""Facts of episodes whose mean is logged at every step, beside the reward."""


class Step(Protocol):
    """What is read of a trainer when episodes are collected."""

    temperature: float
    model: Any
    accelerator: Any
    state: Any


Collect = Callable[[Sequence[str], Step], Sequence[Trajectory]]
"""Runs one episode for every prompt, in their order.

A prompt is the id of a question. TRL repeats it for every trajectory of the group, side by side.
"""

RolloutFunction = Callable[[list[str], Step], dict[str, Any]]
"""What TRL calls ``rollout_func``."""


def rollout_function(collect: Collect) -> RolloutFunction:
    """What TRL calls to have prompts answered, by whoever runs the episodes.

    The returned function raises ValueError where not every prompt got its own episode.
    """

    def roll_out(prompts: list[str], trainer: Step) -> dict[str, Any]:
        trajectories = collect(prompts, trainer)
        if [one.question for one in trajectories] != list(prompts):
            raise ValueError("there must be one trajectory for each prompt, in their order")
        return rows(trajectories)

    return roll_out


def rows(trajectories: Sequence[Trajectory]) -> dict[str, list[Any] | None]:
    """Trajectories under the names TRL has for their parts.

    What could not be rewarded is masked throughout: it teaches nothing and counts in no mean.
    """
    parts = [_begun(one) for one in trajectories]
    noted = all(_is_noted(one) for one in trajectories)
    return {
        "prompt_ids": [list(one.prompt) for one in parts],
        "completion_ids": [list(one.response) for one in parts],
        "env_mask": [_mask(one) for one in parts],
        "logprobs": [list(one.logprobs) for one in parts] if noted else None,
        "reward": [one.reward for one in trajectories],
        "facts": [dict(one.facts) for one in trajectories],
    }


def measured(
    *,
    reward: Sequence[float | None],
    facts: Sequence[Mapping[str, Any]] = (),
    log_metric: Callable[[str, float], None] | None = None,
    **_: Any,
) -> list[float | None]:
    """The rewards the episodes came with: the reward function to give to TRL."""
    for name in LOGGED if log_metric else ():
        values = [one[name] for one in facts if name in one]
        if log_metric and values:
            log_metric(f"episodes/{name}", sum(values) / len(values))
    return list(reward)


def repeated(prompts: Sequence[str]) -> int:
    """How often each prompt is there.

    >>> repeated(["甲", "甲", "乙", "乙"])
    2

    Raises:
        UserError: if not every prompt is there equally often.
    """
    counts = set(Counter(prompts).values())
    if len(counts) != 1:
        raise UserError(
            "a process has only part of a group of trajectories: choose `at_once` so that "
            "at_once × parts is a multiple of the trajectories a question"
        )
    return counts.pop()


def _begun(trajectory: Trajectory) -> Trajectory:
    """One with a response, which TRL needs: where there is none, the prompt's last token is it."""
    if trajectory.response:
        return trajectory
    first = trajectory.spans[0]
    spans = (Span("given", first.tokens[:-1]), Span("observed", first.tokens[-1:]))
    return replace(trajectory, spans=spans)


def _mask(trajectory: Trajectory) -> list[int]:
    return [int(trajectory.reward is not None) * written for written in trajectory.mask]


def _is_noted(trajectory: Trajectory) -> bool:
    """Whether the log-probabilities of everything the policy wrote were noted."""
    written = (span for span in trajectory.spans if span.origin == "generated")
    return all(len(span.logprobs) == len(span.tokens) for span in written)
