"""Where episodes take place in a process of verl: opened at the first episode, then shared.

Hundreds of episodes run in one worker at a time; the law they search is opened once. verl goes on
without episodes that fail, so a misspelt path or an address nobody listens at would cost a night:
`check` opens everything once before the run begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager

from inforce.agents.registry import AgentName, method_named
from inforce.errors import InforceError, UserError
from inforce.llm.chat import Message, Sampling
from inforce.llm.models import ModelOptions, open_model
from inforce.llm.policy import OFFLINE
from inforce.llm.served import CallOptions
from inforce.scoring.corpora import open_library_of
from inforce.train.episodes import Environment
from inforce.train.verl_plugin.settings import NODE, Settings, World

_ONE_CALL = ModelOptions(call=CallOptions(timeout=60, attempts=2))


class Worlds:
    """Environments by agent and world, each opened once."""

    def __init__(self) -> None:
        self._environments: dict[tuple[AgentName, World], Environment] = {}
        self._stack = AsyncExitStack()
        self._lock: asyncio.Lock | None = None

    async def enter(self, agent: AgentName, world: World) -> Environment:
        """The environment of an agent in a world; limits and reward are the caller's.

        Raises:
            UserError: if the world cannot be had; the message says what is missing.
        """
        self._lock = self._lock or asyncio.Lock()
        async with self._lock:
            if (agent, world) not in self._environments:
                self._environments[agent, world] = await self._open(agent, world)
        return self._environments[agent, world]

    async def _open(self, agent: AgentName, world: World) -> Environment:
        offline = method_named(agent).offline
        reader = open_model(world.reader or OFFLINE, policy=offline() if offline else None)
        library = self._stack.enter_context(open_library_of(world.corpus_path, today=world.today))
        opening = library.researcher(world.research(agent), model=reader)
        researcher = await self._stack.enter_async_context(opening)
        return Environment(researcher.agent, researcher.tools, world.today)

    async def close(self) -> None:
        """Close all of them; they can be entered anew."""
        self._environments.clear()
        await self._stack.aclose()
        self._stack, self._lock = AsyncExitStack(), None


WORLDS = Worlds()
"""Those of this process."""


async def check(agent: AgentName | None, settings: Settings) -> None:
    """Open the world once, and ask the judge once.

    Args:
        agent: who works in the world; ``None``: none of ours, and no world is opened.
        settings: of the run.

    Raises:
        UserError: if something cannot be had; says which part of the configuration names it.
    """
    if agent:
        with _naming("world"):
            worlds = Worlds()
            try:
                await worlds.enter(agent, settings.world)
            finally:
                await worlds.close()
    if settings.judge:
        with _naming("judge"):
            judge = open_model(settings.judge, options=_ONE_CALL)
            await judge.reply([Message("user", "1 + 1 = ?")], Sampling(max_tokens=16))


@contextmanager
def _naming(part: str) -> Generator[None]:
    """Say which part of the configuration an error is about.

    It becomes a plain UserError, which Ray can carry to the terminal; others it would lose.
    """
    try:
        yield
    except InforceError as error:
        raise UserError(f"{NODE}.{part}: {error}") from error
