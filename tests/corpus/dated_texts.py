"""Texts of laws that say when they were made and began, and what a corpus answers of them."""

from __future__ import annotations

from datetime import date

from inforce.corpus.store import Corpus
from inforce.law.model import DateEvidence, DateStatus, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Lookup
from inforce.testing import tiny_law

ONE = ProvisionNumber.parse("1")
NPC = "第十三届全国人民代表大会常务委员会第一次会议"


def at(corpus: Corpus, law: str, day: str, number: ProvisionNumber = ONE) -> Lookup:
    return corpus.timeline(law, number).version_at(date.fromisoformat(day))


def reads(corpus: Corpus, law: str, day: str) -> str:
    """The words of art. 1 on a day, or else the answer."""
    lookup = at(corpus, law, day)
    (span,) = lookup.found or (None,)
    return span.provision.text if span and span.provision else lookup.answer


def text(
    law: str,
    words: str,
    *history: str,
    start: str = "",
    made: str = "",
    clause: str = "",
    status: DateStatus | None = None,
    evidence: DateEvidence = "register",
    as_of: str = "",
) -> VersionText:
    """A text of a law whose art. 1 says ``words``, with its history and its last article."""
    return tiny_law(
        law,
        {"1": words, "2": clause or "本法的解释权属于制定机关。"},
        start=date.fromisoformat(start) if start else None,
        status=status,
        evidence=evidence if start else "unstated",
        promulgated=date.fromisoformat(made) if made else None,
        history=history,
        label=made or words,
        as_of=date.fromisoformat(as_of) if as_of else None,
    )
