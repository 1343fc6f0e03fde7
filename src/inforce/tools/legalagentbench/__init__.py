"""LegalAgentBench's environment: 14 tables, 3 collections, and the 37 tools that work on them."""

from __future__ import annotations

from inforce.tools.legalagentbench.arithmetic import arithmetic_tools
from inforce.tools.legalagentbench.catalogue import TABLE_TOOLS, TABLES, TableSchema, TableTool
from inforce.tools.legalagentbench.retrievers import retriever_tools
from inforce.tools.legalagentbench.table_tools import table_tools
from inforce.tools.legalagentbench.texts import WRONG_PARAMETERS
from inforce.tools.legalagentbench.world import World
from inforce.tools.tool import Arguments, FunctionTool, Language, Tool, ToolResult, ToolSpec

__all__ = [
    "TABLES",
    "TABLE_TOOLS",
    "TableSchema",
    "TableTool",
    "World",
    "legalagentbench_tools",
]


_FINISH: dict[Language, tuple[str, str]] = {
    "zh": ("汇总已有信息，给出最终答案", "字符串：最终答案"),
    "en": ("sum up what was found and give the final answer", "string: the final answer"),
}


async def _finish(arguments: Arguments) -> ToolResult:
    """``finish``: the agent is done, and gives its answer; an empty one is none."""
    answer = arguments.get("answer")
    if not isinstance(answer, str) or not answer.strip():
        return ToolResult(WRONG_PARAMETERS, "invalid")
    return ToolResult(answer)


def legalagentbench_tools(world: World, *, language: Language = "zh") -> tuple[Tool, ...]:
    """The 37 tools over a world.

    Args:
        world: the data; may be shared by runs.
        language: of descriptions and of our own remarks; the server's texts are unchanged.
    """
    said, answer = _FINISH[language]
    finish = ToolSpec("finish", said, {"answer": {"description": answer}}, required=())
    return (
        *table_tools(world, language=language),
        *retriever_tools(world, language=language),
        *arithmetic_tools(language=language),
        FunctionTool(finish, "local", _finish),
    )
