"""Our tools for verl's own ``tool_agent`` loop, declared in a YAML file (``configs/tools.yaml``).

For whoever wants verl's loop and its chat templates; our own loops need none of this. Raise
``multi_turn.max_tool_response_length``: by default verl keeps 256 characters of an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from pydantic import ConfigDict
from verl.tools.base_tool import BaseTool
from verl.tools.schemas import (
    OpenAIFunctionParametersSchema,
    OpenAIFunctionPropertySchema,
    OpenAIFunctionSchema,
    OpenAIFunctionToolSchema,
    ToolResponse,
)

from inforce.errors import UserError
from inforce.tools.context import RunContext
from inforce.tools.specs import built_in_specs
from inforce.tools.tool import ToolSpec
from inforce.train.verl_plugin.settings import World, read_world
from inforce.train.verl_plugin.worlds import WORLDS


class _Property(OpenAIFunctionPropertySchema):
    """With all a JSON schema may say: verl's own knows no ``items``."""

    model_config = ConfigDict(extra="allow")


class _Parameters(OpenAIFunctionParametersSchema):
    properties: Any  # of the type it holds, so that all of that is shown


class _Function(OpenAIFunctionSchema):
    parameters: Any = None


class _Schema(OpenAIFunctionToolSchema):
    function: Any


class ResearchTool(BaseTool):
    """One of our tools.

    Its ``config`` names it (``name``) and says in which ``world`` it works. What the model is told
    is the ``tool_schema`` of the file; a tool of the statutes has its own description without one.
    """

    _runs: WeakKeyDictionary[Any, RunContext] = WeakKeyDictionary()
    """What each conversation has seen, shared by all its tools."""

    def get_openai_tool_schema(self) -> OpenAIFunctionToolSchema:
        """What the model is told where the YAML file says nothing."""
        return schema_of(_spec(self.config))

    async def execute(
        self, instance_id: str, parameters: dict[str, Any], **kwargs: Any
    ) -> tuple[ToolResponse, float, dict[str, Any]]:
        """The tool's answer; there is always one the model can act on, and no reward for it."""
        world = _world(self.config)
        environment = await WORLDS.enter("r1", world)
        context = self._context(kwargs.get("agent_data"), world)
        result = await environment.tools.call(self.name, parameters, context)
        return ToolResponse(text=result.text), 0.0, {"status": result.status}

    def _context(self, conversation: Any, world: World) -> RunContext:
        if conversation is None:
            return RunContext("", world.today)
        if conversation not in self._runs:
            self._runs[conversation] = RunContext(_question(conversation), world.today)
        return self._runs[conversation]


def schema_of(spec: ToolSpec) -> OpenAIFunctionToolSchema:
    """What a model is told about a tool, in verl's form."""
    properties = {name: _Property(**schema) for name, schema in spec.parameters.items()}
    parameters = _Parameters(type="object", properties=properties, required=spec.schema["required"])
    told = _Function(name=spec.name, description=spec.description, parameters=parameters)
    return _Schema(type="function", function=told)


def _spec(config: Mapping[str, Any]) -> ToolSpec:
    known = built_in_specs(_world(config).language)
    name = str(config.get("name"))
    if name not in known:
        raise UserError(
            f"the tool {name!r} needs a tool_schema in its file; only these have one of their "
            f"own: {', '.join(known)}"
        )
    return known[name]


def _world(config: Mapping[str, Any]) -> World:
    return read_world(config.get("world") or {})


def _question(conversation: Any) -> str:
    asked = [one["content"] for one in conversation.messages if one.get("role") == "user"]
    return str(asked[-1]) if asked else ""
