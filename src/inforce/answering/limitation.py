"""The limitation a question asks about, and that of an offence that is quoted."""

from __future__ import annotations

import re

from inforce.answering.governing_law import governing_law
from inforce.dates import CaseDates
from inforce.law.applicability import Applicability
from inforce.law.limitation import (
    Limitation,
    asks_about_limitation,
    limitation_of_claim,
    limitation_of_prosecution,
)
from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.amounts import CaseFacts
from inforce.law.penalties.offences import article_of, likely_offences
from inforce.law.penalties.ranges import PenaltyRange
from inforce.law.penalties.tier_selection import choose_offence, select_tiers
from inforce.law.penalties.tiers import read_offences
from inforce.law.rules import CRIMINAL_LAW
from inforce.law.timeline import Timeline
from inforce.lawbook import LawBook

_OF_A_CRIME = re.compile(
    "追究刑|刑事责任|犯罪|判刑|被抓|归案|坐牢|prosecut"
    "|(?:警察|公安|派出所|检察)[^，。；？]{0,8}(?:追究|追责|抓|管|找)"
)
_PENALISED = re.compile("(?:行政|治安)(?:管理)?处罚")
"""追诉 is said of administrative penalties too."""
_FIRST_OFFENCE = 102
"""The first article of 刑法 that states an offence."""


def asked_limitation(book: LawBook, dates: CaseDates, facts: CaseFacts) -> Limitation | None:
    """The limitation a question asks about; ``None`` where it asks about something else."""
    text = facts.text
    if not asks_about_limitation(text):
        return None
    offences = likely_offences(text)
    article = article_of(offences[0]) if offences else None
    if article is not None and CRIMINAL_LAW in book.corpus.titles():
        timeline = book.corpus.timeline(CRIMINAL_LAW, article)
        ruled = governing_law(book, timeline, dates, facts)
        return limitation_of_prosecution(_ranges(ruled, article, facts), text, dates)
    prosecuted = "追诉" in text and not _PENALISED.search(text)
    if prosecuted or _OF_A_CRIME.search(text):
        return limitation_of_prosecution((), text, dates)
    return limitation_of_claim(text, dates)


def limitation_of_offence(
    timeline: Timeline, ruled: Applicability, dates: CaseDates, facts: CaseFacts
) -> Limitation | None:
    """Whether an act could still be prosecuted under the article that governs it.

    ``None`` for provisions that state no offence, and for cases without a step of prosecution.
    """
    if timeline.work != CRIMINAL_LAW or timeline.number.main < _FIRST_OFFENCE:
        return None
    if not (dates.of("investigation", "filing", "trial", "judgment") or dates.trial):
        return None
    ranges = _ranges(ruled, timeline.number, facts)
    return limitation_of_prosecution(ranges, facts.text, dates) if ranges else None


def _ranges(
    ruled: Applicability, article: ProvisionNumber, facts: CaseFacts
) -> tuple[PenaltyRange, ...]:
    """The ranges the facts may fall under: all of the article where they do not tell."""
    text, days = ruled.span.text if ruled.span else None, ruled.governing
    offences = read_offences(text) if text else ()
    offence = choose_offence(offences, facts)
    if offence is None or days is None:
        return tuple(tier.range for candidate in offences for tier in candidate.tiers)
    selected = select_tiers(offence, facts, article=article.main, day=days.start)
    return tuple(tier.range for tier in selected.tiers)
