"""MSR2: from the facts of a criminal case to a sentence, with sources named in each request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inforce.agents.runtime.method import STORED, Method, SourceKind

if TYPE_CHECKING:
    from inforce.agents.runtime.run import Agent
    from inforce.llm.chat import Policy
    from inforce.tools.tool import Language

_SOURCES: Final[tuple[SourceKind, ...]] = ("statutes", *STORED)


def _make(language: Language, max_turns: int | None) -> Agent:
    from inforce.agents.msr2.agent import MAX_TURNS, MSR2

    return MSR2(language, max_turns=max_turns or MAX_TURNS)


def _offline() -> Policy:
    from inforce.agents.msr2.offline import policy

    return policy


METHODS: Final = (
    Method(
        name="msr2",
        summary="facts to sentence in months, sources named in each request, 8 turns",
        usual=_SOURCES,
        sources=_SOURCES,
        make=_make,
        offline=_offline,
        routes_statutes=True,
    ),
)
