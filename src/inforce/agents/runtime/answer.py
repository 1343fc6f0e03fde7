"""The answer of a run: its sentences, the evidence that supports them, and how the run ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from inforce.llm.chat import Usage
from inforce.tools.evidence import Evidence

Outcome = Literal["answered", "abstained", "turn_limit", "budget", "invalid", "failed"]
"""``answered``: the agent gave its answer. ``abstained``: nothing supports one. ``turn_limit`` and
``budget``: it was stopped, and the answer is partial. ``invalid``: the model did not keep the
protocol. ``failed``: the model or every source could not be reached."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, and the evidence that supports it."""

    text: str
    support: tuple[str, ...] = ()
    """Ids of evidence; empty: nothing the run found supports it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The answer of an agent at the end of its protocol, before support is checked."""

    text: str
    outcome: Outcome = "answered"
    note: str = ""
    """Why it ended so, where that needs saying."""
    numbered: tuple[str, ...] = ()
    """Ids of evidence in the order of the numbers the text cites them by: [1] is the first."""
    withheld: str | None = None
    """The model's last words, where ``text`` is not the model's; empty: it said nothing."""

    @property
    def own_words(self) -> str:
        """The model's last words, withheld or not; the papers score these."""
        return self.text if self.withheld is None else self.withheld


@dataclass(frozen=True, slots=True)
class ResearchAnswer:
    """The answer of a run; sources and gaps beside it."""

    question: str
    agent: str
    model: str
    text: str
    outcome: Outcome
    sentences: tuple[Sentence, ...]
    evidence: tuple[Evidence, ...]
    """Everything found, in the order it was found; cited first."""
    usage: Usage
    note: str = ""

    @property
    def unsupported(self) -> tuple[Sentence, ...]:
        """Sentences without support."""
        return tuple(one for one in self.sentences if not one.support)
