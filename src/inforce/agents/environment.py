"""How the world around a model takes its actions and answers them.

How an action is read, what is said where one went wrong and what happens to arguments a tool does
not have: models act on all of it, so it is a value. `PLAIN` is ours; an evaluation may bring the
environment it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from inforce.agents.action import Action, Reading, ReadingRule, arguments, read_action
from inforce.agents.json_values import json_value, sayable
from inforce.agents.run import Run
from inforce.tools.tool import ToolResult, ToolSpec, ToolStatus
from inforce.tools.untrusted import as_data

OBSERVATION = "observation"
"""Kind of the notes that hold what the model was told where it is more than the tool's answer."""

INVALID_REPLY = "invalid_reply"
"""Kind of the notes on replies that break the form, whether or not they could be read."""


@dataclass(frozen=True, slots=True)
class Environment:
    """How actions are taken and answered."""

    name: str
    """Tells runs apart."""
    illegal_action: str
    """Said in place of an observation where no action could be read."""
    reading: ReadingRule = "lenient"
    hints: Mapping[str, str] = field(default_factory=dict[str, str])
    """Appended to a tool's answer: by its exact text, else by its status."""
    unknown_tool: str = ""
    """Said in place of the toolbox's own words where a tool does not exist."""
    extra_arguments: Literal["refused", "ignored"] = "refused"
    """What happens to arguments a tool does not have; ignoring them may change what is asked."""

    answers: Literal["as_data", "as_is"] = "as_data"
    """Whether a tool's words are kept from passing for a protocol's or a chat template's."""

    def hint(self, result: ToolResult) -> str:
        """What is appended to an answer."""
        return self.hints.get(result.text) or self.hints.get(result.status, "")

    def told(self, result: ToolResult) -> str:
        """A tool's answer as the model reads it."""
        text = as_data(result.text) if self.answers == "as_data" else result.text
        return text + self.hint(result)

    def arguments(self, action: Action, spec: ToolSpec | None) -> Any:
        """The arguments of a call, as this environment hands them on."""
        given = arguments(action, spec)
        if self.extra_arguments == "refused" or spec is None or not isinstance(given, dict):
            return given
        named = cast(dict[str, Any], given)
        return {name: value for name, value in named.items() if name in spec.parameters}


PLAIN = Environment(
    "plain",
    illegal_action=(
        "行动格式非法：没有读到可执行的行动。每次只写一个行动，放在一个```json代码块里，"
        '内容是能被标准JSON解析的对象，形如{"action": "工具名", "action_input": {…}}，'
        "代码块之后不要再写内容。请按此格式重写本步行动。"
    ),
    hints={
        "not_found": "（提示：请核对标识是否完整、准确，或换一个能得到所需字段的工具。）",
        "unknown": "（提示：现有数据无法判断，这不等于不存在；请换一条路径，或在回答中说明。）",
    },
)


@dataclass(frozen=True, slots=True)
class Observation:
    """What a model is told, and what the tool said of it."""

    text: str
    status: ToolStatus


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a reply: the answer that ends the run, or an observation."""

    observation: Observation | None = None
    answer: str = ""


async def take(run: Run, reply: str, environment: Environment) -> Taken:
    """Do what a reply asks for; how it breaks the form is noted in the trace."""
    reading = _sayable(read_action(reply, environment.reading))
    if not reading.is_strict:
        run.note(INVALID_REPLY, "; ".join(reading.problems))
    if reading.action and reading.action.is_final:
        run.partial = reading.action.answer
        return Taken(answer=reading.action.answer)
    return Taken(await _observed(run, reading, environment))


def _sayable(reading: Reading) -> Reading:
    """The same with an action that can be written down, whatever notation it came in."""
    if reading.action is None:
        return reading
    action = Action(sayable(reading.action.tool), json_value(reading.action.input))
    return replace(reading, action=action)


async def _observed(run: Run, reading: Reading, environment: Environment) -> Observation:
    action = reading.action
    if action is None:
        run.note(OBSERVATION, environment.illegal_action)
        return Observation(environment.illegal_action, "invalid")
    spec = next((one for one in run.tools if one.name == action.tool), None)
    result = await run.call(action.tool, environment.arguments(action, spec))
    text = environment.told(result)
    if spec is None and environment.unknown_tool:
        text = environment.unknown_tool
    if text != result.text:
        run.note(OBSERVATION, text)
    return Observation(text, result.status)
