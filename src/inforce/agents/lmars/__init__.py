"""L-MARS: query, search, judge and summary agents in one workflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inforce.agents.runtime.method import Method, SourceKind

if TYPE_CHECKING:
    from inforce.agents.runtime.run import Agent
    from inforce.llm.chat import Policy
    from inforce.tools.tool import Language

_SOURCES: Final[tuple[SourceKind, ...]] = ("web", "case-law", "documents")


def _simple(language: Language, max_turns: int | None) -> Agent:
    from inforce.agents.lmars.workflow import LMars

    return LMars("simple")


def _multi_turn(language: Language, max_turns: int | None) -> Agent:
    from inforce.agents.lmars.workflow import MAX_ROUNDS, LMars

    return LMars("multi_turn", max_rounds=max_turns or MAX_ROUNDS)


def _offline() -> Policy:
    return lambda messages: ""  # its roles are played by rules, which ask no model


METHODS: Final = (
    Method(
        name="lmars",
        summary="query, search, cited summary, once through",
        usual=_SOURCES,
        sources=_SOURCES,
        make=_simple,
        offline=_offline,
        ignores=("max_turns",),
    ),
    Method(
        name="lmars-multi",
        summary="asks back, searches, has the evidence judged, at most 3 times",
        usual=_SOURCES,
        sources=_SOURCES,
        make=_multi_turn,
        offline=_offline,
        deep_search=True,
    ),
)
