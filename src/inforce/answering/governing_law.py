"""Which wording of a provision governs a case: the rules of `inforce.law` applied to a corpus.

Extractive answers, tools and agents all decide by this one call.
"""

from __future__ import annotations

from inforce.dates import CaseDates
from inforce.law.applicability import Applicability, decide
from inforce.law.applicability.days import relevant_days
from inforce.law.applicability.interpretations import read_reached_cases
from inforce.law.applicability.special_rules import special_rules
from inforce.law.applicability.values import ReachedCases
from inforce.law.lineage import counterparts, is_renumbered
from inforce.law.penalties.amounts import CaseFacts
from inforce.law.penalties.fines import states_a_penalty
from inforce.law.penalties.offences import new_offence
from inforce.law.registry import branch_of
from inforce.law.rules import CRIMINAL_LAW
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook

_FINAL_ARTICLES = 3
"""Articles at the end of an interpretation, one of which says in which cases it is applied."""


def governing_law(
    book: LawBook, timeline: Timeline, dates: CaseDates, facts: CaseFacts
) -> Applicability:
    """Which wording of a provision governs a case."""
    return decide(
        timeline,
        dates,
        facts=facts,
        reached_cases=_reached_cases(book, timeline),
        counterpart=_counterpart_at_trial(book, timeline, dates),
        former_offences=former_offences(book, timeline),
    )


def former_offences(book: LawBook, timeline: Timeline) -> tuple[Timeline, ...]:
    """What punished the conduct before, where the provision is a new crime."""
    created = new_offence(timeline.number) if timeline.work == CRIMINAL_LAW else None
    numbers = created.former if created else ()
    return tuple(book.corpus.timeline(CRIMINAL_LAW, number) for number in numbers)


def _reached_cases(book: LawBook, timeline: Timeline) -> ReachedCases:
    """In which cases an interpretation is applied, by its last articles."""
    if not timeline.work.startswith("最高人民"):
        return "unstated"
    versions = [span.version for span in timeline.spans if span.provision and span.version]
    if not versions:
        return "unstated"
    last = book.corpus.provisions(versions[-1])[-_FINAL_ARTICLES:]
    return read_reached_cases("\n".join(provision.text for provision in last))


def _counterpart_at_trial(book: LawBook, timeline: Timeline, dates: CaseDates) -> Span | None:
    """The wording of a penalty at the trial or decision, where the law was renumbered since."""
    penal = branch_of(timeline.work) == "criminal" or states_a_penalty(timeline)
    if not penal or special_rules(timeline.work, timeline.number):
        return None
    relevant = relevant_days(timeline.work, timeline.number, dates)
    if relevant.trial is None or relevant.trial.start < relevant.days[0].start:
        return None
    act, trial = relevant.days[0].start, relevant.trial.start
    before, after = (book.text_on(timeline.work, day) for day in (act, trial))
    if before == after or not (before and after) or not is_renumbered(before, after):
        return None
    links = counterparts(timeline.number, before, after)
    if not links:
        reason = "no provision of the law at the trial was found that carries the rule"
        return Span(relevant.trial, "uncovered", reason=reason)
    found = book.corpus.timeline(timeline.work, links[0].new).version_at(trial)
    return found.spans[0] if found.spans else None
