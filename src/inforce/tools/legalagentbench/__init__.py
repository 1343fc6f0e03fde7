"""LegalAgentBench's environment: 14 tables, 3 collections, and the 37 tools that work on them."""

from __future__ import annotations

from inforce.tools.legalagentbench.arithmetic import arithmetic_tools
from inforce.tools.legalagentbench.catalogue import TABLE_TOOLS, TABLES, TableSchema, TableTool
from inforce.tools.legalagentbench.finish import Finish
from inforce.tools.legalagentbench.retrievers import retriever_tools
from inforce.tools.legalagentbench.table_tools import TableLookUp
from inforce.tools.legalagentbench.world import World
from inforce.tools.tool import Language, Tool

__all__ = [
    "TABLES",
    "TABLE_TOOLS",
    "TableSchema",
    "TableTool",
    "World",
    "legalagentbench_tools",
]


def legalagentbench_tools(world: World, *, language: Language = "zh") -> tuple[Tool, ...]:
    """The 37 tools over a world.

    Args:
        world: the data; may be shared by runs.
        language: of descriptions and of our own remarks; the server's words stay as they were.
    """
    lookups = [TableLookUp(tool, world, language=language) for tool in TABLE_TOOLS]
    return (
        *lookups,
        *retriever_tools(world, language=language),
        *arithmetic_tools(language=language),
        Finish(language=language),
    )
