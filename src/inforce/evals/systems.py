"""The systems under evaluation: agents with their tools, baselines, and agents by rule."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from inforce.agents.runtime.research import Researcher
from inforce.errors import ModelError
from inforce.evals.baselines import baseline, uses_no_tool
from inforce.evals.benchmark import Setup, System
from inforce.evals.rule_agents import RULE_AGENTS, rule_agent
from inforce.llm.chat import GREEDY, ChatModel, Message, Reply, Sampling
from inforce.scoring.corpora import open_library_of
from inforce.tools.tool import Language
from inforce.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class NoModel:
    """The model of agents that ask none: it refuses every request."""

    name: str = "offline"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """Refuse.

        Raises:
            ModelError: always.
        """
        raise ModelError("this agent has no model to ask; name one with --model")


@asynccontextmanager
async def open_system(
    setup: Setup, model: ChatModel, *, language: Language = "zh"
) -> AsyncGenerator[System]:
    """Open an agent, a baseline or an agent by rule, with the tools it usually has.

    Args:
        setup: names the agent and its tools.
        model: takes the agent's turns, and is asked by tools that read or route.
        language: of tools and prompts.

    Raises:
        UserError: if there is no such agent, or it would ignore a setting or cannot have it.
    """
    agent = setup.agent

    def with_baseline(tools: Toolbox) -> System:  # its prompt may differ from item to item
        return lambda item: Researcher(baseline(agent, item), model, tools, setup.clock)

    if uses_no_tool(agent):
        setup.require_only()
        yield with_baseline(Toolbox([], language=language))
        return
    if agent in RULE_AGENTS:
        setup.require_only("corpus")
        from inforce.tools.statutes import statute_tools

        with open_library_of(setup.corpus, today=setup.today) as library:
            tools = Toolbox(statute_tools(library))
            by_rule = Researcher(rule_agent(agent, library), model, tools, setup.clock)
            yield lambda item: by_rule
        return
    settings = replace(setup.settings, language=language)
    is_baseline = agent == "naive-rag"
    if is_baseline:
        setup.require_only("corpus", "sources", "web", "documents", "world")
        settings = replace(settings, agent="r1")  # its one search is made with R1's tools
    with open_library_of(setup.corpus, today=setup.today) as library:
        async with library.researcher(settings, model=model) as researcher:
            if is_baseline:
                yield with_baseline(researcher.tools)
            else:
                yield lambda item: researcher
