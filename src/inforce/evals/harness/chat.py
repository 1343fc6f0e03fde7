"""Inspect's models as ours: an agent talks to a `ChatModel`, whoever opened it.

A model of inspect-ai brings its cache, limits, roles and log; a rule (``offline``) or a recording
is asked directly, since there is nothing to cache, limit or pay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from decimal import Decimal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.util import LimitExceededError

from inforce.agents.registry import METHODS
from inforce.errors import InforceError, ModelError
from inforce.evals.conditions import CONDITIONS
from inforce.evals.harness.provider import InforceModel
from inforce.evals.legalagentbench.protocol import NoModel
from inforce.llm.chat import GREEDY, ChatModel, Finish, Message, Reply, Sampling, Usage
from inforce.llm.models import open_model
from inforce.llm.policy import OFFLINE
from inforce.llm.recorded import RecordedModel

_FINISH: dict[str, Finish] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
}


class InspectChat:
    """A model of inspect-ai that takes our agents' turns."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = str(model).removeprefix("inforce/")

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """The next turn.

        Raises:
            ModelError: if no reply could be had.
            LimitExceededError: if a limit of the sample is reached.
        """
        asked = [_message(one) for one in messages]
        try:
            output = await self._model.generate(asked, config=_config(sampling))
        except (LimitExceededError, InforceError, asyncio.CancelledError):
            raise
        except Exception as error:  # each provider has errors of its own
            raise ModelError(f"{self.name}: {error}") from error
        return _reply(output)


def chat_model(model: Model, agent: str) -> ChatModel:
    """Who takes the turns of an agent.

    Raises:
        ModelError: if the agent needs a model and there is none.
    """
    if not isinstance(model.api, InforceModel):
        return InspectChat(model)
    if model.api.id == OFFLINE:
        return _without_model(agent)
    inner = model.api.chat
    return inner if isinstance(inner, RecordedModel) else InspectChat(model)


def _without_model(agent: str) -> ChatModel:
    """The agent's own rule; what asks no model at all gets one that refuses."""
    if agent in METHODS:
        offline = METHODS[agent].offline
        return open_model(OFFLINE, policy=offline() if offline else None)
    return open_model(OFFLINE) if agent in CONDITIONS else NoModel()


def _message(message: Message) -> ChatMessage:
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.content)
        case "user":
            return ChatMessageUser(content=message.content)
        case "assistant":
            return ChatMessageAssistant(content=message.content)


def _config(sampling: Sampling) -> GenerateConfig:
    return GenerateConfig(
        temperature=sampling.temperature,
        max_tokens=sampling.max_tokens,
        stop_seqs=list(sampling.stop) or None,
        seed=sampling.seed,
    )


def _reply(output: ModelOutput) -> Reply:
    finish = _FINISH.get(output.stop_reason, "other")
    return Reply(output.completion, usage_of(output.usage), finish)


def usage_of(usage: ModelUsage | None) -> Usage:
    """What a call cost, as inspect-ai counted it."""
    if usage is None:
        return Usage(calls=1)
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    money = None if usage.total_cost is None else Decimal(str(usage.total_cost))
    return Usage(1, usage.input_tokens + cached, usage.output_tokens, money)
