"""A method of research: its name, what it works with, and how its agent is made.

Each folder of `inforce.agents` beside this one exports ``METHODS``, one value for each agent name;
`inforce.agents.registry` collects them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol, get_args

if TYPE_CHECKING:
    from inforce.agents.runtime.run import Agent
    from inforce.llm.policy import Policy
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
"""What an agent may search."""

SOURCE_KINDS: Final[tuple[SourceKind, ...]] = get_args(SourceKind)

STORED: Final[tuple[SourceKind, ...]] = ("guidelines", "precedents", "interpretations", "books")
"""Those a person stores with ``inforce sources add``."""


class MakeAgent(Protocol):
    """Makes the agent of a method."""

    def __call__(self, *, language: Language, max_turns: int | None) -> Agent:
        """An agent.

        Args:
            language: of its prompts, where it has them in both.
            max_turns: rounds or steps at most; the paper's number without one.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A way of researching a question, under the name people call its agent by."""

    name: str
    summary: str
    """What it does, in one line."""
    usual: tuple[SourceKind, ...]
    """The sources its paper gives it."""
    make: MakeAgent
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
