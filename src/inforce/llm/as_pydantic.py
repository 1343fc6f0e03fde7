"""Recorded, offline and cached models for agents of `pydantic-ai`."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from inforce.errors import MissingExtraError
from inforce.llm.chat import ChatModel, Message, Sampling


def as_pydantic(model: ChatModel) -> Any:
    """Return a `pydantic_ai.models.Model` that answers by a `ChatModel`; it calls no tools.

    Raises:
        MissingExtraError: if the extra ``llm`` is not installed.
    """
    try:
        functions: Any = import_module("pydantic_ai.models.function")
        library: Any = import_module("pydantic_ai.messages")
        usages: Any = import_module("pydantic_ai.usage")
    except ImportError as error:
        raise MissingExtraError("a model of pydantic-ai", "llm") from error

    async def respond(messages: list[Any], info: Any) -> Any:
        reply = await model.reply(_conversation(messages), _sampling(info.model_settings))
        usage = usages.RequestUsage(
            input_tokens=reply.usage.input_tokens, output_tokens=reply.usage.output_tokens
        )
        finish = None if reply.finish == "other" else reply.finish
        parts = [library.TextPart(reply.text)]
        return library.ModelResponse(parts=parts, usage=usage, finish_reason=finish)

    return functions.FunctionModel(respond, model_name=model.name)


def _conversation(messages: list[Any]) -> list[Message]:
    """Return the turns; instructions come first, and only the latest count."""
    given = [str(one.instructions) for one in messages if getattr(one, "instructions", None)]
    turns = [turn for message in messages for part in message.parts if (turn := _turn(part))]
    return [*(Message("system", one) for one in given[-1:]), *turns]


def _turn(part: Any) -> Message | None:
    match part.part_kind:
        case "system-prompt":
            return Message("system", part.content)
        case "user-prompt":
            return Message("user", _words(part.content))
        case "retry-prompt":
            return Message("user", part.model_response())
        case "text":
            return Message("assistant", part.content)
        case _:
            return None


def _words(content: Any) -> str:
    """Return the text a person wrote, without images and files."""
    if isinstance(content, str):
        return content
    return "\n".join(one for one in content if isinstance(one, str))


def _sampling(settings: Any) -> Sampling:
    given = cast("dict[str, Any]", settings or {})
    return Sampling(
        given.get("temperature") or 0.0,
        given.get("max_tokens"),
        tuple(given.get("stop_sequences") or ()),
        given.get("seed"),
    )
