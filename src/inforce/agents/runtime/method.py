"""A method of research: its name, its sources, and how its agent is made.

Each folder of `inforce.agents` beside this one exports ``METHODS``, one value for each agent name;
`inforce.agents.registry` collects them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from inforce.agents.runtime.run import Agent
    from inforce.llm.chat import Policy
    from inforce.tools.tool import Language

SourceKind = Literal[
    "statutes",
    "guidelines",
    "precedents",
    "interpretations",
    "books",
    "web",
    "case-law",
    "documents",
    "tables",
]
"""The sources an agent may search."""

SOURCE_KINDS: Final[tuple[SourceKind, ...]] = get_args(SourceKind)

STORED: Final[tuple[SourceKind, ...]] = ("guidelines", "precedents", "interpretations", "books")
"""The sources a person stores with ``inforce sources add``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method of research, under the name of its agent."""

    name: str
    summary: str
    """In one line."""
    usual: tuple[SourceKind, ...]
    """The sources its paper gives it."""
    make: Callable[[Language, int | None], Agent]
    """Makes its agent, given the language of its prompts and the most rounds or steps; without a
    number those of the paper."""
    sources: tuple[SourceKind, ...] = SOURCE_KINDS
    """The sources it can search."""
    offline: Callable[[], Policy] | None = None
    """Imports the rule that takes the model's turns where there is no model."""
    ignores: tuple[str, ...] = ()
    """Settings (see `inforce.agents.settings`) that mean nothing to it."""
    routes_statutes: bool = False
    """Whether it searches the statutes, too, through ``search_source``."""
    deep_search: bool = False
    """Whether its web search reads what it finds in the same step (L-MARS, section 3.3)."""
