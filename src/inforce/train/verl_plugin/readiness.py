"""Whether a run can begin: its world opens, and its judge answers.

verl plays hundreds of episodes in other processes and goes on without those that fail, so that a
misspelt path or an address nobody listens at would cost a night. Here it costs a minute.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from inforce.agents.registry import AgentName
from inforce.errors import InforceError, UserError
from inforce.llm.chat import Message, Sampling
from inforce.llm.models import ModelOptions, open_model
from inforce.llm.served import CallOptions
from inforce.train.verl_plugin.settings import NODE, Settings
from inforce.train.verl_plugin.worlds import Worlds

_ONCE = ModelOptions(call=CallOptions(timeout=60, attempts=2))

_FEW = Sampling(max_tokens=16)


async def check(agent: AgentName | None, settings: Settings) -> None:
    """Open the world once, and ask the judge once.

    Args:
        agent: who works in the world; ``None``: none of ours, and no world is opened.
        settings: of the run.

    Raises:
        UserError: if something cannot be had; says which part of the configuration names it.
    """
    if agent:
        with _telling("world"):
            await _open(agent, settings)
    if settings.judge:
        with _telling("judge"):
            await _ask(settings.judge)


@contextmanager
def _telling(part: str) -> Generator[None]:
    """Say which part of the configuration an error is about.

    It becomes a plain UserError, which Ray can carry to the terminal; others it would lose.
    """
    try:
        yield
    except InforceError as error:
        raise UserError(f"{NODE}.{part}: {error}") from error


async def _open(agent: AgentName, settings: Settings) -> None:
    worlds = Worlds()
    try:
        await worlds.enter(agent, settings.world)
    finally:
        await worlds.close()


async def _ask(judge: str) -> None:
    await open_model(judge, options=_ONCE).reply([Message("user", "1 + 1 = ?")], _FEW)
