"""Episodes in the form TRL takes: tokens, which of them were generated, and rewards."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from inforce.errors import UserError
from inforce.train.embedded.settings import Sampling
from inforce.train.episodes import Environment, Question, roll_out
from inforce.train.trajectory import Span, Trajectory

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from inforce.train.chatml import ChatMl

LOGGED = ("turns", "tool_calls", "dated_queries")
"""Facts of episodes whose mean is logged at every step, beside the reward."""


class Step(Protocol):
    """The attributes of TRL's trainer that are read when episodes are collected."""

    temperature: float
    model: Any
    accelerator: Any
    state: Any


Collect = Callable[[Sequence[str], Step], Sequence[Trajectory]]
"""Runs one episode for every prompt, in their order.

A prompt is the id of a question. TRL repeats it for every trajectory of the group, side by side.
"""

RolloutFunction = Callable[[list[str], Step], dict[str, Any]]
"""TRL's ``rollout_func``."""


@contextmanager
def collecting(
    questions: Sequence[Question],
    environment: Environment,
    tokens: ChatMl,
    *,
    sampling: Sampling | None = None,
) -> Generator[Collect]:
    """Return a function that runs episodes of these questions with the model TRL is training.

    Args:
        questions: for training and for evaluation; ids must differ.
        environment: agent, tools and reward.
        tokens: how turns become tokens.
        sampling: how the policy draws; the temperature is TRL's.
    """
    from inforce.train.embedded.engine import Engine
    from inforce.train.policy import Policy

    by_id = {one.id: one for one in questions}
    with asyncio.Runner() as runner:

        def run(prompts: Sequence[str], trainer: Step) -> list[Trajectory]:
            batch = [by_id[one] for one in dict.fromkeys(prompts)]
            drawing = replace(sampling or Sampling(), temperature=trainer.temperature)
            purpose = "learn" if trainer.model.training else "evaluate"
            with evaluating(trainer) as model:
                engine = Engine(Policy(model, tokens), drawing)
                # The same step draws the same tokens again, also after an interruption.
                engine.start_round(f"{purpose}:{trainer.state.global_step}")
                rollouts = repeated(prompts)
                return runner.run(roll_out(engine, tokens, batch, environment, rollouts=rollouts))

        yield run


@contextmanager
def evaluating(trainer: Step) -> Generator[PreTrainedModel]:
    """Return the model TRL is training, with its adapters, in evaluation mode (no dropout)."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    if hasattr(model, "peft_config"):
        model = model.get_base_model()
    was_training = model.training
    model.eval()
    try:
        yield model
    finally:
        model.train(was_training)


def rollout_function(collect: Collect) -> RolloutFunction:
    """Return TRL's rollout function for a function that runs episodes.

    It raises ValueError where not every prompt got its own episode.
    """

    def roll_out(prompts: list[str], trainer: Step) -> dict[str, Any]:
        trajectories = collect(prompts, trainer)
        if [one.question for one in trajectories] != list(prompts):
            raise ValueError("there must be one trajectory for each prompt, in their order")
        return rows(trajectories)

    return roll_out


def rows(trajectories: Sequence[Trajectory]) -> dict[str, list[Any] | None]:
    """Return trajectories under TRL's names for their parts.

    Trajectories without a reward are masked: they teach nothing and count in no mean.
    """
    parts = [_with_response(one) for one in trajectories]
    generated = [span for one in trajectories for span in one.spans if span.origin == "generated"]
    is_recorded = all(len(span.logprobs) == len(span.tokens) for span in generated)
    return {
        "prompt_ids": [list(one.prompt) for one in parts],
        "completion_ids": [list(one.response) for one in parts],
        "env_mask": [[int(one.reward is not None) * bit for bit in one.mask] for one in parts],
        "logprobs": [list(one.logprobs) for one in parts] if is_recorded else None,
        "reward": [one.reward for one in trajectories],
        "facts": [dict(one.facts) for one in trajectories],
    }


def _with_response(trajectory: Trajectory) -> Trajectory:
    """Make the prompt's last token the response where there is none, since TRL needs one."""
    if trajectory.response:
        return trajectory
    first = trajectory.spans[0]
    spans = (Span("prompt", first.tokens[:-1]), Span("observed", first.tokens[-1:]))
    return replace(trajectory, spans=spans)


def measured(
    *,
    reward: Sequence[float | None],
    facts: Sequence[Mapping[str, Any]] = (),
    log_metric: Callable[[str, float], None] | None = None,
    **_: Any,
) -> list[float | None]:
    """Return the rewards of the episodes: the reward function for TRL."""
    for name in LOGGED if log_metric else ():
        values = [one[name] for one in facts if name in one]
        if log_metric and values:
            log_metric(f"episodes/{name}", sum(values) / len(values))
    return list(reward)


def repeated(prompts: Sequence[str]) -> int:
    """Return how often each prompt is in a batch.

    >>> repeated(["甲", "甲", "乙", "乙"])
    2

    Raises:
        UserError: if not every prompt is in it equally often.
    """
    counts = set(Counter(prompts).values())
    if len(counts) != 1:
        raise UserError(
            "a process has only part of a group of trajectories: choose `at_once` so that "
            "at_once × parts is a multiple of the trajectories a question"
        )
    return counts.pop()
