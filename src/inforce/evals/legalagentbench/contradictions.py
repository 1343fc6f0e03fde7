"""Steps of a recording whose text cannot be what was carried out.

The harness asked the model twice a step, for a thought and for an action, and a recording holds one
text: the model's first, which mostly contains the action too. Where the second differed, what was
carried out is lost, and no replay can meet the observation. Such steps are found without looking at
what our tools answer: by the recording itself, and by what the world's records say of the call.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, Literal, cast

from inforce.agents.legalagentbench.action import Action, read_action
from inforce.evals.legalagentbench.observations import Contradicts
from inforce.evals.legalagentbench.protocol import FORMAT_COMPLAINT
from inforce.tools.legalagentbench import TABLE_TOOLS, TableTool, World
from inforce.tools.legalagentbench.catalogue import SCHEMAS
from inforce.tools.legalagentbench.wording import NO_DATA, NO_SUCH_COLUMN, WRONG_PARAMETERS

Contradiction = Literal["form", "arguments", "rows", "columns", "world"]
"""``form``: an action was found where none was read, or none where one was carried out.
``arguments``: a call the server refuses was answered. ``rows``: one row was answered where several
are, or the other way round. ``columns``: others were answered than asked for, or those of the table
were said not to exist. ``world``: the call is known to have rows and nothing was answered, or known
to have none and something was."""

_TOOLS = {tool.name: tool for tool in TABLE_TOOLS}
_REGION = ("prov", "city", "county")


def contradictions_in(world: World) -> Contradicts:
    """The check for a world: why an observation cannot belong to a model's text, if it cannot."""

    def contradicts(text: str, observation: str) -> Contradiction | None:
        action = read_action(text, "benchmark").action
        if (action is None) != observation.startswith(FORMAT_COMPLAINT):
            return "form"
        tool = _TOOLS.get(action.tool) if action else None
        if action is None or tool is None or not isinstance(action.input, dict):
            return None
        return _of_look_up(action, tool, observation, world)

    return contradicts


def _of_look_up(
    action: Action, tool: TableTool, observation: str, world: World
) -> Contradiction | None:
    given = cast(dict[str, Any], action.input)
    asked = cast(list[object], given.get("columns") or [])
    answered = _rows(observation)
    if answered is not None and tool.answer != "cell":
        if isinstance(answered, list) != (tool.answer == "rows"):
            return "rows"
        if asked and any(set(row) != set(asked) for row in _listed(answered)):
            return "columns"
    if observation.startswith(NO_SUCH_COLUMN) and set(asked) <= set(SCHEMAS[tool.table].columns):
        return "columns"
    return _of_world(tool, given, observation, world)


def _of_world(
    tool: TableTool, given: dict[str, Any], observation: str, world: World
) -> Contradiction | None:
    names = _REGION if tool.by_region else ("identifier",)
    identifier = [given.get(name) for name in names]
    if not all(isinstance(one, str) for one in identifier):
        return None if observation == WRONG_PARAMETERS else "arguments"
    known = world.look_up(tool, cast(Sequence[str], identifier)).knowledge
    is_empty = observation.startswith(NO_DATA)
    if known == "known" and (is_empty or observation == WRONG_PARAMETERS):
        return "world"
    return "world" if known == "nothing" and not is_empty else None


def _rows(observation: str) -> dict[str, Any] | list[dict[str, Any]] | None:
    """The rows of an answer; ``None`` where it has none."""
    try:
        value: Any = ast.literal_eval(observation)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None
    listed = cast(list[object], value if isinstance(value, list) else [value])
    if not listed or not all(isinstance(one, dict) for one in listed):
        return None
    return cast("dict[str, Any] | list[dict[str, Any]]", value)


def _listed(answered: dict[str, Any] | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return answered if isinstance(answered, list) else [answered]
