"""Which tools and tables a question needs: chosen first, so that the model reads of these only.

"The model first determines which tools are needed" (LegalAgentBench, section 4.1.1). A choice only
shortens what the model is told; a tool that was not chosen can still be called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from inforce.agents.prompts import prompt
from inforce.agents.run import Run
from inforce.llm.chat import Message
from inforce.tools.tool import ToolSpec

Preselection = Literal["none", "rules", "model"]
"""``none``: everything is told. ``rules``: the tables whose fields or names the question mentions.
``model``: the tables the model asks for."""

FEW_TOOLS = 6
"""Up to this many tools there is nothing to choose between."""


@dataclass(frozen=True, slots=True)
class Table:
    """A data table that tools read."""

    name: str
    fields: tuple[str, ...]
    """Its columns; any of them may be asked for."""
    tools: tuple[str, ...]
    """Tools that read it."""
    about: str = ""
    """What it holds, in words a question may use."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a model is told of."""

    tools: tuple[ToolSpec, ...]
    tables: tuple[Table, ...] = ()

    @property
    def names(self) -> str:
        """The names of the tools."""
        return "、".join(spec.name for spec in self.tools)

    @property
    def told_tools(self) -> str:
        """The tools, one a paragraph."""
        return "\n\n".join(_told(spec) for spec in self.tools)

    @property
    def told_tables(self) -> str:
        """The tables with their fields; a remark where there are none."""
        told = [f"{table.name}：{'、'.join(table.fields)}" for table in self.tables]
        return "\n".join(told) or "（没有数据表）"


async def preselect(
    run: Run, how: Preselection, tables: Sequence[Table], always: Iterable[str] = ()
) -> Selection:
    """The tools and tables for the question of a run.

    Args:
        run: the run; ``model`` asks its model once.
        how: the strategy.
        tables: all tables there are; tools that read none of them are always told.
        always: names of tables that are told in any case.
    """
    everything = Selection(tuple(run.tools), tuple(tables))
    if how == "none" or len(run.tools) <= FEW_TOOLS or not tables:
        return everything
    named = _mentioned(run.question, tables) if how == "rules" else await _asked(run, tables)
    chosen = named | set(always) if named else set[str]()
    run.note("preselection", "、".join(sorted(chosen)) or "all tables")
    return _with(everything, chosen) if chosen else everything


def _with(everything: Selection, chosen: set[str]) -> Selection:
    tables = tuple(table for table in everything.tables if table.name in chosen)
    read = {tool for table in tables for tool in table.tools}
    others = {tool for table in everything.tables for tool in table.tools} - read
    return Selection(tuple(spec for spec in everything.tools if spec.name not in others), tables)


def _mentioned(question: str, tables: Sequence[Table]) -> set[str]:
    """Tables of which the question uses a field's name or a word of what they are about."""
    return {
        table.name
        for table in tables
        if any(field in question for field in table.fields if len(field) > 1)
        or any(word in question for word in table.about.split())
    }


async def _asked(run: Run, tables: Sequence[Table]) -> set[str]:
    """Tables the model asks for; whatever form it answers in, names are what counts."""
    told = "\n".join(
        f"{table.name}（{table.about}）：{'、'.join(table.fields)}" for table in tables
    )
    messages = [
        Message("system", prompt("react_preselection").substitute(tables=told)),
        Message("user", run.question),
    ]
    reply = await run.reply(messages, role="preselection")
    words = set(re.findall(r"\w+", reply.text, re.ASCII))
    return {table.name for table in tables if table.name in words}


def _told(spec: ToolSpec) -> str:
    parameters = json.dumps(dict(spec.parameters), ensure_ascii=False)
    return f"{spec.name}：{spec.description}\n参数：{parameters}"
