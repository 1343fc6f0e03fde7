"""Every method of research, by the name of its agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from inforce.agents import legalagentbench, lmars, msr2, r1
from inforce.agents.runtime.method import Method
from inforce.errors import UserError

AgentName = str
"""A key of `METHODS`; no `Literal`, so that adding a method touches its own folder only."""

EXTRACTIVE: Final = "extractive"
"""The agent of `inforce.answering`, which quotes and does no research: `Library.ask`."""

METHODS: Final[Mapping[str, Method]] = {
    method.name: method
    for folder in (r1, msr2, lmars, legalagentbench)
    for method in folder.METHODS
}
"""A new method needs its folder, and the folder's name here."""


def method_named(name: str) -> Method:
    """Return the method of an agent's name.

    Raises:
        UserError: if there is none; names those there are.
    """
    if name not in METHODS:
        raise UserError(f"no agent is called {name!r}: use {', '.join((EXTRACTIVE, *METHODS))}")
    return METHODS[name]
