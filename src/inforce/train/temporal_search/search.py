"""The real statute search, told briefly: a small model reads citations, not provisions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inforce.law.numerals import ProvisionNumber
from inforce.tools.context import RunContext
from inforce.tools.statute_text import Wording, read_wordings
from inforce.tools.tool import Arguments, Tool, ToolResult, ToolSpec
from inforce.train.temporal_search.questions import article_name, citation

MOST_CITED = 3
"""Citations shown of one answer."""

NOTHING = "没有当时有效的条文"


@dataclass(frozen=True, slots=True)
class Cited:
    """A statute tool whose answer shows only what it found, not what that says.

    It searches, fails and refuses as the tool does, and has its status and its evidence.
    """

    tool: Tool

    @property
    def spec(self) -> ToolSpec:
        """The tool's own."""
        return self.tool.spec

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """What the tool found, as citations."""
        result = await self.tool(arguments, context)
        return replace(result, text=cited(result.text))


def cited(text: str) -> str:
    """The versions a statute tool shows, a line each."""
    found = [_line(one) for one in read_wordings(text)[:MOST_CITED]]
    return "\n".join(found) or NOTHING


def _line(one: Wording) -> str:
    article = article_name(one.law, ProvisionNumber.parse(one.article))
    return citation(article, one.window.start)
