"""The systems papers compare: an agent with its tools, or a condition, over the law of a corpus."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

from inforce.agents.runtime.research import Researcher
from inforce.errors import UserError
from inforce.evals.benchmark import Item, Setup, System
from inforce.evals.conditions import CONDITIONS, condition
from inforce.llm.chat import ChatModel
from inforce.scoring.corpora import open_library_of
from inforce.tools.tool import Language
from inforce.tools.toolbox import Toolbox


@asynccontextmanager
async def open_system(
    setup: Setup, model: ChatModel, *, language: Language = "zh"
) -> AsyncGenerator[System]:
    """An agent, or a condition agents are compared with, with the tools it usually has.

    Args:
        setup: who works, with what.
        model: who takes the agent's turns, and whom tools ask that read or route.
        language: of tools and prompts.

    Raises:
        UserError: if nobody has that name, or what was asked for cannot be had or would be ignored.
    """
    settings = replace(setup.settings, language=language)
    if setup.agent in ("direct", "direct-cot"):
        setup.require_only()
        yield condition_system(setup, model, Toolbox([], language=language))
        return
    is_condition = setup.agent in CONDITIONS
    if is_condition:
        setup.require_only("corpus", "sources", "web", "documents", "world")
        settings = replace(settings, agent="r1")  # its one search is made with R1's tools
    with open_library_of(setup.corpus, today=setup.today) as library:
        async with library.researcher(settings, model=model) as researcher:
            if is_condition:
                yield condition_system(setup, model, researcher.tools)
            else:
                yield lambda item: researcher


def condition_system(setup: Setup, model: ChatModel, tools: Toolbox) -> System:
    """A condition, whose words may differ from item to item."""

    def system(item: Item) -> Researcher:
        agent = condition(setup.agent, item)
        if agent is None:
            raise UserError(f"no agent is called {setup.agent!r}")
        return Researcher(agent, model, tools, setup.clock)

    return system
