"""Real tools, told briefly: a small model reads a line or two, not provisions and judgments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from inforce.tools.context import RunContext
from inforce.tools.tool import Arguments, Tool, ToolResult, ToolSpec


@dataclass(frozen=True, slots=True)
class Brief:
    """A tool whose answers are put shorter.

    It searches, fails and refuses as the tool does, and has its status and its evidence.
    """

    tool: Tool
    shortened: Callable[[ToolResult], str]
    """What a model is shown of a result."""

    @property
    def spec(self) -> ToolSpec:
        """The tool's own."""
        return self.tool.spec

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """What the tool found, in short."""
        result = await self.tool(arguments, context)
        return replace(result, text=self.shortened(result))
