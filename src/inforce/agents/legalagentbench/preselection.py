"""Selecting the tools and tables a question needs, so that the model reads of these only.

"The model first determines which tools are needed" (LegalAgentBench, section 4.1.1). A choice only
shortens what the model reads; a tool that was not chosen can still be called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from inforce.agents.runtime.prompts import prompt
from inforce.agents.runtime.run import Run
from inforce.llm.chat import Message
from inforce.tools.tool import ToolSpec

Preselection = Literal["none", "rules", "model"]
"""``none``: everything is shown. ``rules``: the tables whose fields or names the question mentions.
``model``: the tables the model asks for."""

FEW_TOOLS = 6
"""Up to this many tools there is nothing to choose between."""


@dataclass(frozen=True, slots=True)
class DataTable:
    """A data table that tools read."""

    name: str
    fields: tuple[str, ...]
    """Its columns."""
    tools: tuple[str, ...]
    """Tools that read it."""
    about: str = ""
    """Its content, in words a question may use."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The tools and tables a model is shown."""

    tools: tuple[ToolSpec, ...]
    tables: tuple[DataTable, ...] = ()

    @property
    def names(self) -> str:
        """The names of the tools."""
        return "、".join(spec.name for spec in self.tools)

    @property
    def tools_text(self) -> str:
        """The tools, one a paragraph."""
        paragraphs: list[str] = []
        for spec in self.tools:
            parameters = json.dumps(dict(spec.parameters), ensure_ascii=False)
            paragraphs.append(f"{spec.name}：{spec.description}\n参数：{parameters}")
        return "\n\n".join(paragraphs)

    @property
    def tables_text(self) -> str:
        """The tables with their fields; a remark where there are none."""
        lines = [f"{table.name}：{'、'.join(table.fields)}" for table in self.tables]
        return "\n".join(lines) or "（没有数据表）"


async def preselect(
    run: Run, how: Preselection, tables: Sequence[DataTable], always: Iterable[str] = ()
) -> Selection:
    """The tools and tables for the question of a run.

    Args:
        run: the run; ``model`` asks its model once.
        how: the strategy.
        tables: all tables there are; tools that read none of them are always shown.
        always: names of tables that are shown in any case.
    """
    everything = Selection(tuple(run.tools), tuple(tables))
    if how == "none" or len(run.tools) <= FEW_TOOLS or not tables:
        return everything
    named = (
        _mentioned(run.question, tables) if how == "rules" else await _chosen_by_model(run, tables)
    )
    chosen = named | set(always) if named else set[str]()
    run.note("preselection", "、".join(sorted(chosen)) or "all tables")
    return _with(everything, chosen) if chosen else everything


def _with(everything: Selection, chosen: set[str]) -> Selection:
    tables = tuple(table for table in everything.tables if table.name in chosen)
    read = {tool for table in tables for tool in table.tools}
    others = {tool for table in everything.tables for tool in table.tools} - read
    return Selection(tuple(spec for spec in everything.tools if spec.name not in others), tables)


def _mentioned(question: str, tables: Sequence[DataTable]) -> set[str]:
    """Tables of which the question uses a field's name or a word of their content."""
    return {
        table.name
        for table in tables
        if any(field in question for field in table.fields if len(field) > 1)
        or any(word in question for word in table.about.split())
    }


async def _chosen_by_model(run: Run, tables: Sequence[DataTable]) -> set[str]:
    """Tables the model asks for; whatever form it answers in, names are what counts."""
    listed = "\n".join(
        f"{table.name}（{table.about}）：{'、'.join(table.fields)}" for table in tables
    )
    messages = [
        Message("system", prompt("legalagentbench", "preselection").substitute(tables=listed)),
        Message("user", run.question),
    ]
    reply = await run.reply(messages, role="preselection")
    words = set(re.findall(r"\w+", reply.text, re.ASCII))
    return {table.name for table in tables if table.name in words}
