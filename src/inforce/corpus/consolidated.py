"""The consolidated text of a law on a day, with the articles that this corpus does not cover."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from inforce.corpus.store import Corpus
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Answer


@dataclass(frozen=True, slots=True)
class ConsolidatedText:
    """The articles of a law in force on one day, in its order."""

    work: str
    day: date
    answer: Answer
    """``found`` if any article was in force; else what is true of the whole law."""
    provisions: tuple[Provision, ...]
    not_covered: tuple[ProvisionNumber, ...] = ()
    """Articles of which this corpus cannot say whether and how they read that day."""
    as_far_as_known: date | None = None
    """Where the day is later than that: the last day on which its sources are known to have shown
    all these articles in force."""


def text_on(corpus: Corpus, work: str, day: date) -> ConsolidatedText:
    """Return the text of a law on a day.

    Raises:
        UnknownWorkError: if no law of this title is held.
    """
    provisions: list[Provision] = []
    unknown: list[ProvisionNumber] = []
    known: set[date | None] = set()
    for timeline in corpus.timelines(work):
        lookup = timeline.version_at(day)
        provisions += [span.provision for span in lookup.found if span.provision]
        known.add(lookup.as_far_as_known)
        if lookup.answer == "not_covered":
            unknown.append(timeline.number)
    answer: Answer = "not_covered" if unknown else "not_in_force"
    return ConsolidatedText(
        work,
        day,
        "found" if provisions else answer,
        tuple(provisions),
        tuple(unknown),
        min((one for one in known if one is not None), default=None),
    )
