"""Where episodes of temporal search take place: R1, the statute search, and the reward."""

from __future__ import annotations

from inforce.agents.r1.agent import R1
from inforce.agents.runtime.run import Run
from inforce.library import Library
from inforce.llm.chat import Message
from inforce.tools.statutes import statute_tools
from inforce.tools.toolbox import Toolbox
from inforce.train.episode_model import Limits
from inforce.train.episodes import Environment
from inforce.train.experiment.brief import Brief
from inforce.train.temporal_search.reward import reward
from inforce.train.temporal_search.search import cited

TOOL = "rag_retrieve"

MAX_TURNS = 4

LIMITS = Limits(response_tokens=320, turn_tokens=112)


class BriefR1(R1):
    """R1 without its instructions, for a model that knows the protocol from its warm start.

    The instructions are a thousand tokens, and a model of a few million parameters cannot read.
    """

    def opening(self, run: Run) -> list[Message]:
        """The question alone."""
        return [Message("user", run.question)]


def environment(
    library: Library, *, has_search: bool = True, limits: Limits = LIMITS
) -> Environment:
    """R1 with the temporal statute search of a library.

    Args:
        library: the law; its clock says what "today" is.
        has_search: without it, the policy answers from memory.
        limits: how long an episode may become.
    """
    tools = [
        Brief(one, cited)
        for one in statute_tools(library, k=3, judged=False)
        if one.spec.name == TOOL
    ]
    return Environment(
        BriefR1(max_turns=MAX_TURNS),
        Toolbox(tools if has_search else []),
        library.clock(),
        reward,
        limits,
    )
