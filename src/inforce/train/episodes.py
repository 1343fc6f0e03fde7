"""Episodes of the real agents, with their real tools, as tokens.

::

    question ─▶ agent (R1, MSR2) ◀─▶ TokenModel ◀─▶ Sampler        tokens in, tokens out
                      ▲
                      └──────▶ Toolbox                             the tools a person has

The agent runs as it does for a person, except that the support of its answer is not checked. A tool
that fails is an observation like any other; a policy that fails ends the training.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any, Protocol

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Agent, Run
from inforce.agents.runtime.trace import Event
from inforce.errors import BudgetError, UserError
from inforce.llm.chat import GREEDY, Message, Reply, Sampling, Usage
from inforce.scoring.tool_use import tool_use
from inforce.tools.context import RunContext
from inforce.tools.toolbox import Toolbox
from inforce.train.trajectory import Span, Trajectory

FORGED = re.compile(r"</?\s*(?:tool_response|information)\b", re.IGNORECASE)
"""Tags that only the environment writes, in R1's protocol and in MSR2's."""


@dataclass(frozen=True, slots=True)
class Request:
    """A context for which the policy is to generate its next turn."""

    context: tuple[int, ...]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Completion:
    """A turn that a policy generated."""

    tokens: tuple[int, ...]
    """With the end-of-turn token, if the policy generated one."""
    logprobs: tuple[float, ...]
    """One for each token, under the distribution it was drawn from."""
    ended: bool
    """Whether the policy ended its turn; otherwise it was cut off."""


class Sampler(Protocol):
    """A policy that generates turns in batches: the seam between episodes and models."""

    def generate(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Generate the next turn after each context."""
        ...


NextTurn = Callable[[Request], Awaitable[Completion]]
"""Generates the next turn of a single episode."""


class ChatFormat(Protocol):
    """How the turns of a conversation become tokens, and back.

    Prefix-preserving by construction: the tokens of a longer conversation begin with those of the
    shorter one, whatever the policy generated in between.
    """

    @property
    def end(self) -> int:
        """The token that ends a turn of the policy."""
        ...

    def encode(self, text: str) -> Sequence[int]:
        """Tokenize a text by itself."""
        ...

    def decode(self, tokens: Sequence[int]) -> str:
        """Return a turn of the policy as text, without its end token."""
        ...

    def prompt(self, turns: Sequence[tuple[str, str]]) -> tuple[int, ...]:
        """Tokenize the first turns (role, text), and the beginning of the policy's own turn."""
        ...

    def observation(self, turns: Sequence[tuple[str, str]], *, ended: bool) -> tuple[int, ...]:
        """Tokenize what is between two turns of the policy.

        That is the rest of its first turn, the environment's turns, and the beginning of its next.
        ``ended``: whether the policy ended its first turn itself.
        """
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """What an episode is about, and the right answer."""

    id: str
    text: str
    target: str = ""
    """The right answer, as the reward compares it."""
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What else a reward needs: the task, the article, the days in question."""


Reward = Callable[[Trajectory, Question], Awaitable[float | None]]
"""The reward of an episode; ``None`` where it could not be measured."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an episode may become, in tokens."""

    response_tokens: int = 4096
    """Everything after the prompt, the environment's turns included."""
    turn_tokens: int = 1024
    """One turn of the policy."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Where episodes take place: an agent, its tools, and a reward."""

    agent: Agent
    tools: Toolbox
    today: date
    """The meaning of "today" in the episodes."""
    reward: Reward | None = None
    limits: Limits = Limits()


async def roll_out(
    sampler: Sampler,
    tokens: ChatFormat,
    questions: Sequence[Question],
    environment: Environment,
    *,
    rollouts: int = 1,
) -> list[Trajectory]:
    """Run episodes of every question, all at the same time, and reward them.

    Args:
        sampler: the policy; it gets the requests of all episodes together, in their order.
        tokens: how turns become tokens.
        questions: ids must differ.
        environment: agent, tools and reward.
        rollouts: episodes of each question.

    Returns:
        The episodes of the first question, then those of the second, and so on.
    """
    repeated = [question for question in questions for _ in range(rollouts)]
    batch = _Batch(sampler, episodes=len(repeated))

    async def run(number: int, question: Question) -> Trajectory:
        try:
            next_turn = partial(batch.generate, number)
            trajectory = await run_episode(question, next_turn, tokens, environment)
        finally:
            batch.leave(number)
        if environment.reward is None:
            return trajectory
        return replace(trajectory, reward=await environment.reward(trajectory, question))

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run(*numbered)) for numbered in enumerate(repeated)]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from errors
    return [task.result() for task in tasks]


class _Batch:
    """Collects a request of every running episode, and has the turns generated together.

    A batch is as large as it can be and always in the order of the episodes: it does not depend on
    which tool happened to answer first, so that the same seed gives the same episodes.
    """

    def __init__(self, sampler: Sampler, *, episodes: int) -> None:
        self._sampler = sampler
        self._running = episodes
        self._waiting: dict[int, tuple[Request, asyncio.Future[Completion]]] = {}

    async def generate(self, number: int, request: Request) -> Completion:
        """Generate the next turn of an episode, once all running episodes wait for theirs."""
        completion: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._waiting[number] = request, completion
        self._generate_if_all_wait()
        return await completion

    def leave(self, number: int) -> None:
        """End an episode: the others no longer wait for it."""
        self._waiting.pop(number, None)
        self._running -= 1
        self._generate_if_all_wait()

    def _generate_if_all_wait(self) -> None:
        if len(self._waiting) < self._running:
            return
        numbered = sorted(self._waiting.items())
        waiting = [pair for _, pair in numbered if not pair[1].done()]  # cancelled episodes are
        self._waiting.clear()
        if not waiting:
            return
        try:
            completions = self._sampler.generate([request for request, _ in waiting])
        except Exception as error:
            for _, future in waiting:
                future.set_exception(error)
            return
        for (_, future), completion in zip(waiting, completions, strict=True):
            future.set_result(completion)


async def run_episode(
    question: Question, next_turn: NextTurn, tokens: ChatFormat, environment: Environment
) -> Trajectory:
    """Run the agent once on a question; the trajectory has no reward yet.

    Raises:
        UserError: if the agent's conversation cannot be learnt from.
    """
    agent = environment.agent
    model = TokenModel(next_turn, tokens, environment.limits)
    events: list[Event] = []
    context = RunContext(question.text, environment.today)
    run = Run(model, environment.tools, context, record=events.append)
    try:
        draft = await agent(run)
    except BudgetError as error:
        draft = Draft(run.partial, "budget", str(error))
    if not model.turns:
        raise UserError(f"the agent {agent.name} asked the policy nothing")
    used = tool_use(events)
    facts = {
        "agent": agent.name,
        "outcome": draft.outcome,
        "answer": draft.own_words,
        "turns": len(model.turns),
        "tool_calls": sum(used.calls.values()),
        "dated_queries": sum(used.dated.values()),
        "calls": used.calls,
        "dated": used.dated,
        "forged": sum(1 for turn in model.turns if FORGED.search(turn)),
        "rewritten": model.is_rewritten,
        "cut_off": model.is_cut_off,
    }
    return Trajectory(question.id, tuple(model.spans), tuple(model.turns), facts=facts)


class TokenModel:
    """The policy as the `ChatModel` of one episode, which records the conversation as tokens.

    What the policy generated is never tokenised again, whatever the agent makes of it. Temperature
    and stop words are those of the policy; the agent's have no effect, since log-probabilities must
    be those of the policy itself.
    """

    name = "policy"

    def __init__(self, next_turn: NextTurn, tokens: ChatFormat, limits: Limits) -> None:
        self.spans: list[Span] = []
        self.turns: list[str] = []
        """The policy's turns as text."""
        self.is_rewritten = False
        """Whether the agent's conversation has other words than the policy generated."""
        self.is_cut_off = False
        """Whether a turn exceeded the limits."""
        self._next_turn, self._tokens, self._limits = next_turn, tokens, limits
        self._seen: tuple[Message, ...] = ()
        self._context: tuple[int, ...] = ()
        self._ended = True

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """Generate the policy's next turn.

        Raises:
            BudgetError: if the limits leave no token for another turn.
            UserError: if the agent does not go on with the conversation it began.
        """
        new = self._new_span(messages)
        response = sum(len(span.tokens) for span in self.spans[1:])
        added = len(new.tokens) if self.spans else 0
        max_tokens = min(self._limits.response_tokens - response - added, self._limits.turn_tokens)
        if max_tokens <= 0:
            self.is_cut_off = True
            raise BudgetError("the episode is as long as it may become")
        context = (*self._context, *new.tokens)
        completion = await self._next_turn(Request(context, max_tokens))
        self.spans += [new, Span("generated", completion.tokens, completion.logprobs)]
        self._context = (*context, *completion.tokens)
        self._seen, self._ended = tuple(messages), completion.ended
        self.is_cut_off = self.is_cut_off or not completion.ended
        self.turns.append(self._tokens.decode(completion.tokens))
        usage = Usage(1, len(context), len(completion.tokens))
        return Reply(self.turns[-1], usage, "stop" if completion.ended else "length")

    def _new_span(self, messages: Sequence[Message]) -> Span:
        """Tokenize the messages since the policy's last turn."""
        if not self.turns:
            return Span("prompt", self._tokens.prompt(_turns(messages)))
        known = len(self._seen)
        before, own, since = messages[:known], messages[known : known + 1], messages[known + 1 :]
        goes_on = tuple(before) == self._seen and [one.role for one in own] == ["assistant"]
        if not goes_on or any(one.role == "assistant" for one in since):
            raise UserError(
                "the agent does not go on with its conversation, so its tokens cannot be learnt "
                "from: train an agent that only adds turns, such as r1 or msr2"
            )
        self.is_rewritten = self.is_rewritten or own[0].content != self.turns[-1]
        return Span("observed", self._tokens.observation(_turns(since), ended=self._ended))


def tokenized(question: str, conversation: Sequence[Message], tokens: ChatFormat) -> Trajectory:
    """Return a conversation in text as if a policy had generated the assistant's turns.

    Args:
        question: its id.
        conversation: from its opening to its last turn, which is the assistant's.
        tokens: how turns become tokens.

    Raises:
        ValueError: if the assistant does not have the last word.
    """
    spans: list[Span] = []
    turns: list[str] = []
    before: list[Message] = []
    for message in conversation:
        if message.role != "assistant":
            before.append(message)
            continue
        if spans:
            spans.append(Span("observed", tokens.observation(_turns(before), ended=True)))
        else:
            spans.append(Span("prompt", tokens.prompt(_turns(before))))
        spans.append(Span("generated", (*tokens.encode(message.content), tokens.end)))
        turns.append(message.content)
        before = []
    if not spans or before:
        raise ValueError("a conversation to imitate ends with the assistant")
    return Trajectory(question, tuple(spans), tuple(turns))


def _turns(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in messages]
