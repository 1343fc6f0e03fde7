"""An extractive answer: quotations, absences with their reasons, and what was searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from inforce.answering.today import Today
from inforce.law.applicability import Applicability
from inforce.law.limitation import Limitation
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Lookup, Span
from inforce.retrieval.analysis import QueryAnalysis
from inforce.retrieval.statutes import Coverage, TimeContext


@dataclass(frozen=True, slots=True)
class Quotation:
    """A provision that governed, verbatim, with the rule that selected it."""

    work: str
    number: ProvisionNumber
    applicability: Applicability
    wordings: tuple[Span, ...]
    """The wording that governed; several where the rules cannot decide between them."""
    today: Today
    captions: tuple[str, ...] = ()
    named: bool = False
    """Whether the question itself names the provision."""
    support: float = 1.0
    """The chance that it is one of the provisions that answer, 0 to 1; 1 where the question names
    it, and of what a decision rests on."""
    limitation: Limitation | None = None
    """Whether the act could still be prosecuted, where it is the foremost offence."""
    is_authority: bool = False
    """Whether it is quoted because it decides which law governs another quotation."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A provision that did not apply then, why, and what it came to say later."""

    lookup: Lookup
    later: Span | None
    """Its first wording after the days asked about; ``None`` where it has none."""
    applicability: Applicability
    """By which rule it did not apply, and what might still bring it to the case."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An extractive answer to a question."""

    question: str
    analysis: QueryAnalysis
    time: TimeContext
    quotations: tuple[Quotation, ...]
    absences: tuple[Absence, ...]
    """Provisions named, or found to speak to the question, that did not apply; with the reason."""
    coverage: Coverage
    limitation: Limitation | None = None
    """Where the question asks about a period of limitation: how long it is, and its days."""
    method: Literal["extractive"] = "extractive"

    @property
    def abstains(self) -> bool:
        """Whether nothing could be quoted."""
        return not self.quotations

    @property
    def found_nothing(self) -> bool:
        """Whether nothing held answers the question, and no law that would is missing."""
        return not (self.quotations or self.absences or self.limitation or self.coverage.not_held)
