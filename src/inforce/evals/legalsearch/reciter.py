"""Who recites articles without a model: reads the question by rules and quotes the corpus."""

from __future__ import annotations

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.evals.lar import recite
from inforce.library import Library
from inforce.retrieval.analysis import RuleAnalyser

NAME = "reciter"


class Reciter:
    """Answers with the wording a law had at the time a question names; see `lar.recite`."""

    name = NAME

    def __init__(self, library: Library) -> None:
        self._library = library
        self._analyse = RuleAnalyser(titles=library.corpus.titles(), clock=library.clock)

    @property
    def settings(self) -> dict[str, str]:
        """It has none."""
        return {}

    async def __call__(self, run: Run) -> Draft:
        """The article asked for; none where the corpus does not hold it."""
        text = recite(self._library, run.question, analyse=self._analyse)
        return Draft(text) if text else Draft("", "abstained", "no such text at that time")
