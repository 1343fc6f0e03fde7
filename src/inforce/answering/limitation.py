"""Limitation as a step of an answer: which provisions state the period, and whether it ran out."""

from __future__ import annotations

import re

from inforce.answering.applicable import applicability
from inforce.dates import CaseDates
from inforce.law.applicability import Applicability
from inforce.law.fitting import CaseFacts, choose_offence, fit
from inforce.law.limitation import (
    Limitation,
    asks_about_limitation,
    limitation_of_claim,
    limitation_of_prosecution,
)
from inforce.law.numerals import ProvisionNumber
from inforce.law.offences import article_of, likely_offences
from inforce.law.penalties import PenaltyRange
from inforce.law.tiers import read_offences
from inforce.law.timeline import Timeline
from inforce.law.transition import CRIMINAL_LAW
from inforce.lawbook import LawBook

_OF_A_CRIME = re.compile(
    "追究刑|刑事责任|犯罪|判刑|被抓|归案|坐牢|prosecut"
    "|(?:警察|公安|派出所|检察)[^，。；？]{0,8}(?:追究|追责|抓|管|找)"
)
_PROSECUTED, _PENALISED = "追诉", re.compile("(?:行政|治安)(?:管理)?处罚")
_FIRST_OFFENCE = 102
"""The first article of 刑法 that states an offence."""


def asked_limitation(book: LawBook, dates: CaseDates, about: CaseFacts) -> Limitation | None:
    """The limitation a question asks about; ``None`` where it asks about something else."""
    if not asks_about_limitation(about.text):
        return None
    offence = _offence(book, about.text)
    if offence is None and not _is_of_a_crime(about.text):
        return limitation_of_claim(about.text, dates)
    ruled = applicability(book, offence, dates, about) if offence else None
    tiers = _tiers(ruled, offence.number, about) if ruled and offence else ()
    return limitation_of_prosecution(tiers, about.text, dates)


def _is_of_a_crime(text: str) -> bool:
    """Whether a prosecution may be too late; 追诉 is said of administrative penalties too."""
    prosecuted = _PROSECUTED in text and not _PENALISED.search(text)
    return prosecuted or _OF_A_CRIME.search(text) is not None


def _offence(book: LawBook, text: str) -> Timeline | None:
    """The article of the offence the words point to, where 刑法 is held."""
    named = [article_of(one) for one in likely_offences(text)[:1]]
    held = CRIMINAL_LAW in book.corpus.titles()
    return book.corpus.timeline(CRIMINAL_LAW, named[0]) if held and named and named[0] else None


def of_offence(
    work: str, number: ProvisionNumber, ruled: Applicability, dates: CaseDates, about: CaseFacts
) -> Limitation | None:
    """Whether an act could still be prosecuted under the article that governs it.

    ``None`` for provisions that state no offence, and for cases without a step of prosecution.
    """
    if work != CRIMINAL_LAW or number.main < _FIRST_OFFENCE:
        return None
    stepped = dates.of("investigation", "filing", "trial", "judgment") or dates.trial
    tiers = _tiers(ruled, number, about) if stepped else ()
    return limitation_of_prosecution(tiers, about.text, dates) if tiers else None


def _tiers(
    ruled: Applicability, number: ProvisionNumber, about: CaseFacts
) -> tuple[PenaltyRange, ...]:
    """The ranges the facts may fall under: all of the article where they do not tell."""
    provision, days = ruled.span.provision if ruled.span else None, ruled.governing
    offences = read_offences(provision.text) if provision else ()
    offence = choose_offence(offences, about)
    if offence is None or days is None:
        return tuple(tier.range for one in offences for tier in one.tiers)
    fitting = fit(offence, about, article=number.main, day=days.start)
    return tuple(tier.range for tier in fitting.tiers)
