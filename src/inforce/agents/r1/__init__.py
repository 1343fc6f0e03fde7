"""R1: plan, search the law of the time, answer from what was found (LegalSearch-R1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inforce.agents.runtime.method import Method

if TYPE_CHECKING:
    from inforce.agents.runtime.run import Agent
    from inforce.llm.chat import Policy
    from inforce.tools.tool import Language


def _make(language: Language, max_turns: int | None) -> Agent:
    from inforce.agents.r1.agent import MAX_TURNS, R1

    return R1(language=language, max_turns=max_turns or MAX_TURNS)


def _offline() -> Policy:
    from inforce.agents.r1.offline import policy

    return policy


METHODS: Final = (
    Method(
        name="r1",
        summary="plans, searches, answers in tags, 15 rounds",
        usual=("statutes", "web"),
        make=_make,
        offline=_offline,
    ),
)
