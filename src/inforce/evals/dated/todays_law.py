"""Who answers every question under today's law: what an assistant does that overlooks the date.

No product agent. It exists so that leakage can be seen where it must be high.
"""

from __future__ import annotations

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.library import Library
from inforce.retrieval.analysis import RuleAnalyser

NAME = "today"


class TodaysLaw:
    """Looks up the article a question names as it stands today, whatever time is asked about."""

    name = NAME

    def __init__(self, library: Library) -> None:
        self._analyse = RuleAnalyser(titles=library.corpus.titles(), clock=library.clock)

    @property
    def settings(self) -> dict[str, str]:
        """It has none."""
        return {}

    async def __call__(self, run: Run) -> Draft:
        """The article as it stands today; none where it no longer exists."""
        for asked in self._analyse(run.question).provisions:
            named = {"law": asked.work, "article": asked.number.chinese, "date": "today"}
            found = (await run.call("law_at", named)).evidence if asked.work else ()
            if found:
                return Draft(found[0].text)
        return Draft("", "abstained", "the law has no such article today")
