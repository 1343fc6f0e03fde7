"""Our agents as verl's agent loops: they run as for a person, and their tokens are recorded.

Nothing is tokenised twice. A row of the data has only the question; the agent adds its own
instructions about tools and protocol.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4
from weakref import WeakKeyDictionary

from tokenizers import Tokenizer
from verl.experimental.agent_loop.agent_loop import (
    AgentLoopBase,
    AgentLoopMetrics,
    AgentLoopOutput,
    register,
)

from inforce.train.chatml import ChatMl
from inforce.train.data.rows import question_of
from inforce.train.episodes import Environment, Limits, Question, run_episode
from inforce.train.verl_plugin.environments import ENVIRONMENTS
from inforce.train.verl_plugin.server import ServerSampler
from inforce.train.verl_plugin.settings import read_node

if TYPE_CHECKING:
    from inforce.agents.registry import AgentName
    from inforce.train.trajectory import Trajectory

_TOKENS: WeakKeyDictionary[Any, ChatMl] = WeakKeyDictionary()
"""By tokenizer: copying a vocabulary takes a second, and every episode has its own loop object."""


class ResearchLoop(AgentLoopBase):
    """One episode of one of our agents."""

    agent: ClassVar[AgentName]

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """Run the episode of a row.

        Raises:
            UserError: if the row, the environment or the prompt is wrong; verl then leaves out the
                episodes of the question.
        """
        question = question_of(row)
        tokens = chat_tokens(self.tokenizer)
        sampler = ServerSampler(
            self.server_manager,
            sampling_params,
            end=tokens.end,
            episode=uuid4().hex,
            longest_prompt=self.rollout_config.prompt_length,
        )
        began = time.monotonic()
        environment = await self._environment()
        trajectory = await run_episode(question, sampler.next_turn, tokens, environment)
        return _output(question, trajectory, sampler, time.monotonic() - began)

    async def _environment(self) -> Environment:
        settings = read_node(self.config)
        length = int(self.rollout_config.response_length)
        limits = Limits(length, settings.turn_tokens or length)
        return replace(await ENVIRONMENTS.enter(self.agent, settings.world), limits=limits)


@register("inforce_r1")
class R1Loop(ResearchLoop):
    """R1 (LegalSearch-R1)."""

    agent = "r1"


@register("inforce_msr2")
class MSR2Loop(ResearchLoop):
    """MSR2."""

    agent = "msr2"


def chat_tokens(tokenizer: Any) -> ChatMl:
    """Return the vocabulary of a fast Hugging Face tokenizer, as a copy with our own options.

    Raises:
        InputError: if it lacks ChatML's special tokens.
    """
    if tokenizer not in _TOKENS:
        copied = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
        _TOKENS[tokenizer] = ChatMl(copied, path=str(tokenizer.name_or_path))
    return _TOKENS[tokenizer]


def _output(
    question: Question, trajectory: Trajectory, sampler: ServerSampler, seconds: float
) -> AgentLoopOutput:
    has_logprobs = any(span.logprobs for span in trajectory.spans)
    return AgentLoopOutput(
        prompt_ids=list(trajectory.prompt),
        response_ids=list(trajectory.response),
        response_mask=list(trajectory.mask),
        response_logprobs=list(trajectory.logprobs) if has_logprobs else None,
        num_turns=2 * len(trajectory.turns),
        metrics=AgentLoopMetrics(
            generate_sequences=sampler.seconds, tool_calls=max(seconds - sampler.seconds, 0.0)
        ),
        extra_fields={
            # Read by the rewards:
            "turns": list(trajectory.turns),
            "facts": dict(trajectory.facts),
            "asked": question.text,
            # Read by verl's trainer, which versions of the weights were used:
            "min_global_steps": min(sampler.versions, default=None),
            "max_global_steps": max(sampler.versions, default=None),
        },
    )
