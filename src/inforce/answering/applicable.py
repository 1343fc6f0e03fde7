"""Which wording of a provision governs a case: the decision of `inforce.law`, fed from the corpus.

Extractive answers, tools and agents all decide by this one call.
"""

from __future__ import annotations

from inforce.dates import CaseDates
from inforce.law.applicability import Applicability, decide
from inforce.law.fines import states_a_penalty
from inforce.law.fitting import CaseFacts
from inforce.law.lineage import counterparts, is_renumbered
from inforce.law.new_offences import new_offence
from inforce.law.reach import Reach, read_reach
from inforce.law.reference_days import days_that_count
from inforce.law.registry import branch_of
from inforce.law.special_rules import special_rules
from inforce.law.timeline import Span, Timeline
from inforce.law.transition import CRIMINAL_LAW
from inforce.lawbook import LawBook

_FINAL_ARTICLES = 3
"""Articles at the end of an interpretation among which the one on its reach is."""


def applicability(
    book: LawBook, timeline: Timeline, dates: CaseDates, about: CaseFacts
) -> Applicability:
    """Which wording of a provision governs a case."""
    return decide(
        timeline,
        dates,
        facts=about,
        reach=_reach(book, timeline),
        later=_counterpart_at_trial(book, timeline, dates),
        former=former_offences(book, timeline),
    )


def former_offences(book: LawBook, timeline: Timeline) -> tuple[Timeline, ...]:
    """What punished the conduct before, where the provision is a new crime."""
    created = new_offence(timeline.number) if timeline.work == CRIMINAL_LAW else None
    numbers = created.former if created else ()
    return tuple(book.corpus.timeline(CRIMINAL_LAW, number) for number in numbers)


def _reach(book: LawBook, timeline: Timeline) -> Reach:
    """What the last articles of an interpretation say of the cases it reaches."""
    if not timeline.work.startswith("最高人民"):
        return "unstated"
    versions = [span.version for span in timeline.spans if span.provision and span.version]
    if not versions:
        return "unstated"
    last = book.corpus.provisions(versions[-1])[-_FINAL_ARTICLES:]
    return read_reach("\n".join(one.text for one in last))


def _counterpart_at_trial(book: LawBook, timeline: Timeline, dates: CaseDates) -> Span | None:
    """What a penalty reads at the trial or decision, where the law was renumbered since the act."""
    penal = branch_of(timeline.work) == "criminal" or states_a_penalty(timeline)
    if not penal or special_rules(timeline.work, timeline.number):
        return None
    counted = days_that_count(timeline.work, timeline.number, dates)
    if counted.trial is None or counted.trial.start < counted.days[0].start:
        return None
    act, trial = counted.days[0].start, counted.trial.start
    before, after = (book.text_on(timeline.work, day) for day in (act, trial))
    if before == after or not (before and after) or not is_renumbered(before, after):
        return None
    links = counterparts(timeline.number, before, after)
    if not links:
        reason = "no provision of the law at the trial was found that carries the rule"
        return Span(counted.trial, "uncovered", reason=reason)
    found = book.corpus.timeline(timeline.work, links[0].new).version_at(trial)
    return found.spans[0] if found.spans else None
