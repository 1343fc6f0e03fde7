"""Our models as Inspect's: ``--model inforce/ID`` with any id `inforce.llm.models` knows.

``inforce/openai:gpt-4o-mini``, ``inforce/http://host:port/v1#name``, ``inforce/recorded:FILE``,
``inforce/offline``. Models inspect-ai knows itself are named as it names them.
"""

from __future__ import annotations

from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from inforce.errors import ModelError
from inforce.llm.chat import ChatModel, Finish, Message, Reply, Role, Sampling
from inforce.llm.models import open_model
from inforce.llm.policy import OFFLINE

_STOP: dict[Finish, StopReason] = {
    "stop": "stop",
    "length": "max_tokens",
    "content_filter": "content_filter",
    "other": "unknown",
}


class InforceModel(ModelAPI):
    """One of our models behind Inspect's interface."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  # Inspect's own signature
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
        """The next turn; tools are named in the text, never beside it.

        Raises:
            ModelError: if no reply could be had, or for ``offline``, which is no model.
        """
        if self.id == OFFLINE:
            raise ModelError("offline is a rule of the agents, not a model that can be asked")
        reply = await self.chat.reply([_message(one) for one in input], _sampling(config))
        return _output(self.id, reply)


@modelapi(name="inforce")
def inforce() -> type[ModelAPI]:
    """The provider ``inforce``."""
    return InforceModel


def _message(message: ChatMessage) -> Message:
    role: Role = message.role if message.role != "tool" else "user"
    return Message(role, message.text)


def _sampling(config: GenerateConfig) -> Sampling:
    return Sampling(
        config.temperature or 0.0, config.max_tokens, tuple(config.stop_seqs or ()), config.seed
    )


def _output(name: str, reply: Reply) -> ModelOutput:
    output = ModelOutput.from_content(name, reply.text, _STOP[reply.finish])
    spent = reply.usage
    output.usage = ModelUsage(
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        total_tokens=spent.tokens,
        total_cost=None if spent.money is None else float(spent.money),
    )
    return output
