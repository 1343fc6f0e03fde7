"""Episodes of the real agents, with their real tools, as tokens.

::

    question ─▶ agent (R1, MSR2) ◀─▶ TokenModel ◀─▶ Sampler        tokens in, tokens out
                      ▲
                      └──────▶ Toolbox                             the tools a person has

An agent runs as it does for a person, only that nobody reads its answer, so its support is not
looked for. A tool that fails is an observation like any other; a policy that fails ends the
training.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
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
"""What only the environment writes, in R1's protocol and in MSR2's."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a policy wrote after a context."""

    tokens: tuple[int, ...]
    """With the end-of-turn token, if it wrote one."""
    logprobs: tuple[float, ...]
    """One a token, under the distribution they were drawn from."""
    ended: bool
    """Whether it ended its turn; else it was cut off."""


class Sampler(Protocol):
    """A policy that writes: the seam between episodes and models."""

    async def generate(self, context: Sequence[int], *, max_tokens: int) -> Completion:
        """The next turn after a context; requests made at the same time may be batched."""
        ...


class ChatFormat(Protocol):
    """How turns of a conversation become tokens, and back.

    Prefix-preserving by construction: the tokens of a longer conversation begin with those of the
    shorter one, whatever the policy wrote in between.
    """

    @property
    def end(self) -> int:
        """The token that ends a turn of the policy."""
        ...

    def encode(self, text: str) -> Sequence[int]:
        """The tokens of a text by itself."""
        ...

    def decode(self, tokens: Sequence[int]) -> str:
        """What the policy wrote, without the end of its turn."""
        ...

    def prompt(self, turns: Sequence[tuple[str, str]]) -> tuple[int, ...]:
        """The first turns (role, text), and the beginning of the policy's own turn."""
        ...

    def observation(self, turns: Sequence[tuple[str, str]], *, ended: bool) -> tuple[int, ...]:
        """What is between two turns of the policy.

        That is the rest of its first one, the environment's turns, and the beginning of its next.
        ``ended``: whether the policy ended its turn itself.
        """
        ...


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
class Limits:
    """How long an episode may become."""

    response_tokens: int = 4096
    """Everything after the prompt, the environment's answers among it."""
    turn_tokens: int = 1024
    """What the policy may write in one turn."""


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
    tokens: ChatFormat,
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
    repeated = [question for question in questions for _ in range(rollouts)]
    lockstep = _Lockstep(sampler, len(repeated))

    async def run(number: int, question: Question) -> Trajectory:
        with lockstep.episode(number) as policy:
            trajectory = await episode(question, policy, tokens, environment)
        if environment.reward is None:
            return trajectory
        return replace(trajectory, reward=await environment.reward(trajectory, question))

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run(*one)) for one in enumerate(repeated)]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from errors
    return [task.result() for task in tasks]


async def episode(
    question: Question, sampler: Sampler, tokens: ChatFormat, environment: Environment
) -> Trajectory:
    """One run of the agent on a question, as tokens, without a reward yet.

    Raises:
        UserError: if the agent's conversation cannot be learnt from.
    """
    agent = environment.agent
    model = TokenModel(sampler, tokens, environment.limits)
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
    """The policy as the `ChatModel` of one episode: it records the conversation as tokens.

    What the policy wrote is never tokenised again, whatever the agent makes of it. Temperature and
    stop words are the sampler's: what an agent asks for in these has no effect, since
    log-probabilities must be those of the policy itself.
    """

    name = "policy"

    def __init__(self, sampler: Sampler, tokens: ChatFormat, limits: Limits) -> None:
        self.spans: list[Span] = []
        self.turns: list[str] = []
        """What the policy wrote, as text."""
        self.is_rewritten = False
        """Whether the agent's conversation holds something else than the policy wrote."""
        self.is_cut_off = False
        """Whether a turn did not fit."""
        self._sampler, self._tokens, self._limits = sampler, tokens, limits
        self._seen: tuple[Message, ...] = ()
        self._context: list[int] = []
        self._ended = True

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """The policy's next turn.

        Raises:
            BudgetError: if there is no room for another turn.
            UserError: if the agent does not go on with the conversation it began.
        """
        new = self._new_span(messages)
        response = sum(len(span.tokens) for span in self.spans[1:])
        added = len(new.tokens) if self.spans else 0
        new_tokens = min(self._limits.response_tokens - response - added, self._limits.turn_tokens)
        if new_tokens <= 0:
            self.is_cut_off = True
            raise BudgetError("the episode is as long as it may become")
        context = (*self._context, *new.tokens)
        completion = await self._sampler.generate(context, max_tokens=new_tokens)
        self.spans += [new, Span("generated", completion.tokens, completion.logprobs)]
        self._context = [*context, *completion.tokens]
        self._seen, self._ended = tuple(messages), completion.ended
        self.is_cut_off = self.is_cut_off or not completion.ended
        self.turns.append(self._tokens.decode(completion.tokens))
        usage = Usage(1, len(context), len(completion.tokens))
        return Reply(self.turns[-1], usage, "stop" if completion.ended else "length")

    def _new_span(self, messages: Sequence[Message]) -> Span:
        """What was said since the policy's last turn."""
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


def _turns(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in messages]


def tokenized(question: str, conversation: Sequence[Message], tokens: ChatFormat) -> Trajectory:
    """A conversation held in text as the trajectory of a policy that wrote the assistant's turns.

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


class _Lockstep:
    """Holds requests to a policy back until every running episode has made one.

    So all ask together, in the same order every time: a batch is as large as it can be, and does
    not depend on which tool happened to answer first. The same seed gives the same episodes.
    """

    def __init__(self, sampler: Sampler, episodes: int) -> None:
        self.sampler = sampler
        self._running = episodes
        self._waiting: dict[int, asyncio.Future[None]] = {}

    @contextmanager
    def episode(self, number: int) -> Generator[Sampler]:
        """The policy as the episode of this number sees it; afterwards nobody waits for it."""
        try:
            yield _InLockstep(self, number)
        finally:
            self._waiting.pop(number, None)
            self._running -= 1
            self._release()

    async def wait(self, number: int) -> None:
        """Until all have come this far, and it is the turn of this episode."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting[number] = turn
        self._release()
        await turn

    def _release(self) -> None:
        if len(self._waiting) < self._running:
            return
        ready = [self._waiting[number] for number in sorted(self._waiting)]
        self._waiting.clear()

        def let_go() -> None:
            for turn in ready:
                if not turn.done():  # its episode may have been cancelled
                    turn.set_result(None)

        if ready:  # not at once: whoever came last is still running, and would go first
            asyncio.get_running_loop().call_soon(let_go)


@dataclass(frozen=True, slots=True)
class _InLockstep:
    """One episode's view of the policy."""

    lockstep: _Lockstep
    number: int

    async def generate(self, context: Sequence[int], *, max_tokens: int) -> Completion:
        await self.lockstep.wait(self.number)
        return await self.lockstep.sampler.generate(context, max_tokens=max_tokens)
