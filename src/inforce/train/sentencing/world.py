"""Where episodes of sentencing take place: MSR2, its sources, and the reward."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from inforce.agents.msr2.agent import MSR2, SEARCH_TOOL
from inforce.agents.runtime.run import Run
from inforce.llm.chat import Message
from inforce.retrieval.sources.source import Source, SourceName
from inforce.tools.sources import SearchSource
from inforce.tools.toolbox import Toolbox
from inforce.train.episode_model import Limits
from inforce.train.episodes import Environment, Reward
from inforce.train.experiment.brief import Brief
from inforce.train.sentencing.sources import told

MAX_TURNS = 4

SHOWN = 5
"""Documents a source returns."""

LIMITS = Limits(response_tokens=320, turn_tokens=112)


class BriefMSR2(MSR2):
    """MSR2 without its instructions, for a model that knows the protocol from its warm start."""

    def opening(self, run: Run) -> list[Message]:
        """The facts alone."""
        return [Message("user", run.question)]


def environment(
    sources: Mapping[SourceName, Source], reward: Reward, *, today: date, limits: Limits = LIMITS
) -> Environment:
    """MSR2 with these sources.

    Args:
        sources: by the name they are asked by.
        reward: of an episode.
        today: the day of the episodes.
        limits: how long an episode may become.
    """
    tool = Brief(SearchSource(sources, k=SHOWN, name=SEARCH_TOOL), told)
    return Environment(BriefMSR2(max_turns=MAX_TURNS), Toolbox([tool]), today, reward, limits)
