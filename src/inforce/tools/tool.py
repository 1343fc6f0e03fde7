"""A tool: a name, a description and typed arguments for the model; an answer it can act on.

A tool answers with a `ToolResult` whatever happens. "Not found", "not in force then", "not covered"
and "not checked" are different statuses; an upstream failure is ``failed`` and a call the model
must correct is ``invalid``, each with a text that says what to do. No answer is an empty list.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from inforce.language import Language as Language
from inforce.tools.context import RunContext
from inforce.tools.disclosure import Reach as Reach
from inforce.tools.evidence import Evidence

ToolStatus = Literal[
    "found",
    "not_found",
    "not_in_force",
    "not_covered",
    "unknown",
    "not_checked",
    "invalid",
    "failed",
]
"""``found``: there is an answer. ``not_found``: the source is complete and has none.
``not_in_force``, ``not_covered``: see `inforce.law.timeline.Lookup`. ``unknown``: the data at hand
cannot tell. ``not_checked``: nothing was looked up. ``invalid``: the model must change the call.
``failed``: the source could not be reached or did not answer properly."""

_PRECEDENCE: Final[tuple[ToolStatus, ...]] = (
    "found",
    "failed",
    "unknown",
    "not_checked",
    "not_covered",
    "invalid",
    "not_in_force",
    "not_found",
)


def overall_status(statuses: Iterable[ToolStatus]) -> ToolStatus:
    """The status of a call with several parts: ``found`` if any of them is.

    As long as one part was not answered, it is not said that there is nothing.

    >>> overall_status(["not_found", "failed"]), overall_status(["not_found", "not_found"])
    ('failed', 'not_found')
    """
    return min(statuses, key=_PRECEDENCE.index)


Arguments = Mapping[str, Any]
"""A tool call's arguments, checked against the tool's JSON schema."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """The description of a tool for a model."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """JSON schema of each argument by name (LegalSearch-R1, figure 10)."""
    required: tuple[str, ...] | None = None
    """Arguments that must be given; all of them where ``None``."""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments as one object."""
        needed = list(self.parameters) if self.required is None else list(self.required)
        return {
            "type": "object",
            "properties": dict(self.parameters),
            "required": needed,
            "additionalProperties": False,
        }


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer of a tool."""

    text: str
    """For the model, in the tool's language; data, never instructions."""
    status: ToolStatus = "found"
    evidence: tuple[Evidence, ...] = ()
    data: Any = None
    """The same answer as JSON values, for programs; ``None``: there is only the text."""


class Tool(Protocol):
    """A tool of an agent.

    A tool that reads private or published texts, or sends its arguments to others, has an attribute
    ``reach`` (see `reach_of`).
    """

    @property
    def spec(self) -> ToolSpec:
        """The description for the model."""
        ...

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Answer a call, for one run.

        Raises:
            ToolFailure: if the source could not answer; the toolbox turns it into ``failed``.
        """
        ...


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A tool made of its description and the function that answers, whatever the run."""

    spec: ToolSpec
    reach: Reach
    answer: Callable[[Arguments], Awaitable[ToolResult]]

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Answer a call."""
        return await self.answer(arguments)


def reach_of(tool: Tool) -> Reach:
    """The reach of a tool; without an attribute ``reach`` it works on this machine only."""
    return getattr(tool, "reach", "local")


class ToolFailure(Exception):
    """A source that could not answer now; its text is a message to the model."""
