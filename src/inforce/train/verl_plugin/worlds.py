"""The worlds of a process: opened when the first episode needs one, kept until it ends.

Hundreds of episodes run in one worker of verl at a time; the law they search is opened once.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from inforce.agents.registry import AgentName, method_named
from inforce.evals.benchmark import Item
from inforce.evals.systems import open_system
from inforce.llm.chat import ChatModel
from inforce.llm.models import open_model
from inforce.llm.policy import OFFLINE
from inforce.train.episodes import Environment
from inforce.train.verl_plugin.settings import World


class Worlds:
    """Environments by agent and world, each opened once."""

    def __init__(self) -> None:
        self._opened: dict[tuple[AgentName, World], Environment] = {}
        self._kept = AsyncExitStack()
        self._opening: asyncio.Lock | None = None

    async def enter(self, agent: AgentName, world: World) -> Environment:
        """The environment of an agent in a world; limits and reward are the caller's.

        Raises:
            UserError: if the world cannot be had; the message says what is missing.
        """
        self._opening = self._opening or asyncio.Lock()
        async with self._opening:
            if (agent, world) not in self._opened:
                self._opened[agent, world] = await self._open(agent, world)
        return self._opened[agent, world]

    async def _open(self, agent: AgentName, world: World) -> Environment:
        opening = open_system(world.setup(agent), _reader(agent, world), language=world.language)
        system = await self._kept.enter_async_context(opening)
        researcher = system(_ANY)
        return Environment(researcher.agent, researcher.tools, world.today)

    async def close(self) -> None:
        """Let go of all of them; they can be entered anew."""
        self._opened.clear()
        await self._kept.aclose()
        self._kept, self._opening = AsyncExitStack(), None


WORLDS = Worlds()
"""Those of this process."""

_ANY = Item("", "", "", "")
"""The system of a method is the same for every item."""


def _reader(agent: AgentName, world: World) -> ChatModel:
    offline = method_named(agent).offline
    return open_model(world.reader or OFFLINE, policy=offline() if offline else None)
