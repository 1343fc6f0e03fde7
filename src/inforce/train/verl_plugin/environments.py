"""Environments of episodes in a process of verl, opened at the first episode and then shared.

Hundreds of episodes run in one worker at a time; the law they search is opened once. verl goes on
without episodes that fail, so that a misspelt path or address would cost a night: `check` opens
everything once before the run begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager

from inforce.agents.registry import AgentName, method_named
from inforce.errors import InforceError, UserError
from inforce.llm.chat import OFFLINE, Message, Sampling
from inforce.llm.models import ModelOptions, open_model
from inforce.llm.served import CallOptions
from inforce.scoring.corpora import open_library_of
from inforce.train.episodes import Environment
from inforce.train.verl_plugin.settings import NODE, Settings, World

_ONE_CALL = ModelOptions(call=CallOptions(timeout=60, attempts=2))


class Environments:
    """Opens environments, each once, by agent and settings."""

    def __init__(self) -> None:
        self._environments: dict[tuple[AgentName, World], Environment] = {}
        self._stack = AsyncExitStack()
        self._lock: asyncio.Lock | None = None

    async def enter(self, agent: AgentName, world: World) -> Environment:
        """Return the environment of an agent, without limits and reward.

        Raises:
            UserError: if it cannot be opened; the message says what is missing.
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
        """Close all environments; they can be opened again."""
        self._environments.clear()
        await self._stack.aclose()
        self._stack, self._lock = AsyncExitStack(), None


ENVIRONMENTS = Environments()
"""The environments of this process."""


async def check(agent: AgentName | None, settings: Settings) -> None:
    """Open the environment once, and call the judge once.

    Args:
        agent: of the run; ``None``: none of ours, and no environment is opened.
        settings: of the run.

    Raises:
        UserError: if one of them does not work; names the part of the configuration.
    """
    if agent:
        with _naming("world"):
            environments = Environments()
            try:
                await environments.enter(agent, settings.world)
            finally:
                await environments.close()
    if settings.judge:
        with _naming("judge"):
            judge = open_model(settings.judge, options=_ONE_CALL)
            await judge.reply([Message("user", "1 + 1 = ?")], Sampling(max_tokens=16))


@contextmanager
def _naming(part: str) -> Generator[None]:
    """Add the part of the configuration to an error.

    The result is a plain UserError, which Ray can carry to the terminal; others it would lose.
    """
    try:
        yield
    except InforceError as error:
        raise UserError(f"{NODE}.{part}: {error}") from error
