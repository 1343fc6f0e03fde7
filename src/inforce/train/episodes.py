"""Episodes of the real agents, with their real tools, as tokens.

::

    question ─▶ agent (R1, MSR2) ◀─▶ TokenModel ◀─▶ Sampler        tokens in, tokens out
                      ▲
                      └──────▶ Toolbox                             the tools a person has

Nothing is imitated: an agent runs as it does for a person, only that nobody reads its answer, so
its support is not looked for. A tool that fails is an observation like any other; a policy that
fails ends the training.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Agent, Run
from inforce.agents.runtime.trace import Event
from inforce.errors import BudgetError, UserError
from inforce.evals.conduct import conduct
from inforce.tools.context import RunContext
from inforce.tools.toolbox import Toolbox
from inforce.train.episode_model import Limits, TokenModel
from inforce.train.episode_pace import Pace
from inforce.train.policy import ChatTokens, Sampler
from inforce.train.trajectory import Trajectory

FORGED = re.compile(r"</?\s*(?:tool_response|information)\b", re.IGNORECASE)
"""What only the world writes, in R1's protocol and in MSR2's."""


@dataclass(frozen=True, slots=True)
class Question:
    """What an episode is about, and what is right."""

    id: str
    text: str
    target: str = ""
    """The right answer, as the reward compares it."""
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What else a reward needs: the task, the article, the days asked about."""


Reward = Callable[[Trajectory, Question], Awaitable[float | None]]
"""What an episode was worth; ``None`` where that could not be measured."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Where episodes take place."""

    agent: Agent
    tools: Toolbox
    today: date
    """What "today" means in them."""
    reward: Reward | None = None
    limits: Limits = Limits()


async def collect(
    sampler: Sampler,
    tokens: ChatTokens,
    questions: Sequence[Question],
    environment: Environment,
    *,
    rollouts: int = 1,
) -> list[Trajectory]:
    """Episodes of every question, all at the same time, each with its reward.

    Args:
        sampler: the policy; it is asked by all episodes together, in their order.
        tokens: how turns become tokens.
        questions: what is asked; ids must differ.
        environment: agent, tools and reward.
        rollouts: episodes a question.

    Returns:
        The episodes of the first question, then those of the second, and so on.
    """
    asked = [question for question in questions for _ in range(rollouts)]
    pace = Pace(sampler, len(asked))

    async def run(place: int, question: Question) -> Trajectory:
        with pace.place(place) as policy:
            trajectory = await episode(question, policy, tokens, environment)
        return await _rewarded(trajectory, question, environment.reward)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run(*one)) for one in enumerate(asked)]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from errors
    return [task.result() for task in tasks]


async def episode(
    question: Question, sampler: Sampler, tokens: ChatTokens, environment: Environment
) -> Trajectory:
    """One run of the agent on a question, as tokens, without a reward yet.

    Raises:
        UserError: if the agent's conversation cannot be learnt from.
    """
    model = TokenModel(sampler, tokens, environment.limits)
    events: list[Event] = []
    context = RunContext(question.text, environment.today)
    run = Run(model, environment.tools, context, record=events.append)
    draft = await _draft(environment.agent, run)
    if not model.turns:
        raise UserError(f"the agent {environment.agent.name} asked the policy nothing")
    facts = _facts(environment.agent, draft, model, events)
    return Trajectory(question.id, tuple(model.spans), tuple(model.turns), facts=facts)


async def _draft(agent: Agent, run: Run) -> Draft:
    try:
        return await agent(run)
    except BudgetError as error:
        return Draft(run.partial, "budget", str(error))


async def _rewarded(
    trajectory: Trajectory, question: Question, reward: Reward | None
) -> Trajectory:
    if reward is None:
        return trajectory
    return replace(trajectory, reward=await reward(trajectory, question))


def _facts(
    agent: Agent, draft: Draft, model: TokenModel, events: Sequence[Event]
) -> dict[str, Any]:
    """How an episode went."""
    did = conduct(events)
    return {
        "agent": agent.name,
        "outcome": draft.outcome,
        "answer": draft.withheld or draft.text,
        "turns": len(model.turns),
        "tool_calls": sum(did.calls.values()),
        "dated_queries": sum(did.dated.values()),
        "calls": did.calls,
        "dated": did.dated,
        "forged": sum(1 for turn in model.turns if FORGED.search(turn)),
        "rewritten": model.is_rewritten,
        "cut_off": model.is_cut_off,
    }
