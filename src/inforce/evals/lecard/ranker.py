"""A ranking as an agent: its answer is the ids of the documents it found, best first, one a line.

No model is asked and no tool called, so that a ranking is run, stored and compared as any agent is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run


@dataclass(frozen=True, slots=True)
class Ranker:
    """Ranks for one query."""

    name: str
    ranking: Callable[[], Sequence[str]]
    """The ids, best first. Raises ModelError where this ranking knows nothing of the query."""

    @property
    def settings(self) -> dict[str, str]:
        """None: the name says it."""
        return {}

    async def __call__(self, run: Run) -> Draft:
        """The ids, one a line."""
        return Draft("\n".join(self.ranking()))


def ranked_ids(text: str) -> tuple[str, ...]:
    r"""The ids of an answer, each once.

    >>> ranked_ids("17\n4\n17\n")
    ('17', '4')
    """
    return tuple(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))
