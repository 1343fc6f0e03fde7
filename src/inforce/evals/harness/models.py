"""Models in both directions: inspect-ai's models for our agents, and ours for inspect-ai.

``--model inforce/ID`` takes any id of `inforce.llm.models`: ``inforce/openai:gpt-4o-mini``,
``inforce/http://host:port/v1#name``, ``inforce/recorded:FILE``, ``inforce/offline``. A model of
inspect-ai brings its cache, limits, roles and log; a rule (``offline``) or a recording is asked
directly, since there is nothing to cache, limit or pay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import LimitExceededError

from inforce.agents.registry import METHODS
from inforce.errors import InforceError, ModelError
from inforce.evals.baselines import BASELINES
from inforce.evals.systems import NoModel
from inforce.llm.chat import GREEDY, OFFLINE, ChatModel, Finish, Message, Reply, Sampling, Usage
from inforce.llm.models import open_model
from inforce.llm.recorded import RecordedModel

_FINISH: dict[str, Finish] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
}
_STOP: dict[Finish, StopReason] = {
    "stop": "stop",
    "length": "max_tokens",
    "content_filter": "content_filter",
    "other": "unknown",
}
_MESSAGES = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


class InspectChat:
    """A model of inspect-ai that takes our agents' turns."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = str(model).removeprefix("inforce/")

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """Return the next turn.

        Raises:
            ModelError: if no reply could be had.
            LimitExceededError: if a limit of the sample is reached.
        """
        conversation: list[ChatMessage] = [
            _MESSAGES[one.role](content=one.content) for one in messages
        ]
        config = GenerateConfig(
            temperature=sampling.temperature,
            max_tokens=sampling.max_tokens,
            stop_seqs=list(sampling.stop) or None,
            seed=sampling.seed,
        )
        try:
            output = await self._model.generate(conversation, config=config)
        except (LimitExceededError, InforceError, asyncio.CancelledError):
            raise
        except Exception as error:  # each provider has errors of its own
            raise ModelError(f"{self.name}: {error}") from error
        finish = _FINISH.get(output.stop_reason, "other")
        return Reply(output.completion, usage_of(output.usage), finish)


def chat_model(model: Model, agent: str) -> ChatModel:
    """Return the model that takes the turns of an agent.

    Raises:
        ModelError: if the agent needs a model and there is none.
    """
    if not isinstance(model.api, InforceModel):
        return InspectChat(model)
    if model.api.id != OFFLINE:
        inner = model.api.chat
        return inner if isinstance(inner, RecordedModel) else InspectChat(model)
    if agent in METHODS:  # the agent's own rule
        offline = METHODS[agent].offline
        return open_model(OFFLINE, policy=offline() if offline else None)
    return open_model(OFFLINE) if agent in BASELINES else NoModel()


def usage_of(usage: ModelUsage | None) -> Usage:
    """The cost of a call, as inspect-ai counted it."""
    if usage is None:
        return Usage(calls=1)
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    money = None if usage.total_cost is None else Decimal(str(usage.total_cost))
    return Usage(1, usage.input_tokens + cached, usage.output_tokens, money)


class InforceModel(ModelAPI):
    """One of our models as a model of inspect-ai."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self.id = model_name
        self._chat: ChatModel | None = None

    @property
    def chat(self) -> ChatModel:
        """The model itself.

        Raises:
            ModelError, InputError, MissingExtraError: as `inforce.llm.models.open_model`.
        """
        if self._chat is None:
            self._chat = open_model(self.id)
        return self._chat

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Return the next turn; tools are named in the text, never beside it.

        Raises:
            ModelError: if no reply could be had, or for ``offline``, which is no model.
        """
        if self.id == OFFLINE:
            raise ModelError("offline is a rule of the agents, not a model that can be asked")
        messages = [Message("user" if one.role == "tool" else one.role, one.text) for one in input]
        stop = tuple(config.stop_seqs or ())
        sampling = Sampling(config.temperature or 0.0, config.max_tokens, stop, config.seed)
        reply = await self.chat.reply(messages, sampling)
        output = ModelOutput.from_content(self.id, reply.text, _STOP[reply.finish])
        spent = reply.usage
        output.usage = ModelUsage(
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            total_tokens=spent.tokens,
            total_cost=None if spent.money is None else float(spent.money),
        )
        return output


@modelapi(name="inforce")
def inforce() -> type[ModelAPI]:
    """The provider ``inforce``."""
    return InforceModel
