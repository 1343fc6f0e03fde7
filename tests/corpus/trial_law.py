"""A law with three texts, to fill a corpus with."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from inforce.corpus.store import Corpus
from inforce.law.model import Version
from inforce.testing import tiny_law

# 试验法: art. 2 reworded and art. 3 added in 2011, art. 1 repealed in 2015.
FIRST = tiny_law("试验法", {"1": "甲", "2": "乙"}, start=date(1997, 10, 1), end=date(2011, 5, 1))
SECOND = tiny_law(
    "试验法",
    {"1": "甲", "2": "乙二", "3": "丙"},
    start=date(2011, 5, 1),
    end=date(2015, 11, 1),
    instrument="试验法修正案",
)
THIRD = tiny_law("试验法", {"2": "乙二", "3": "丙"}, start=date(2015, 11, 1))
LAW = (FIRST, SECOND, THIRD)


def stated(corpus: Corpus, work: str) -> list[Version]:
    """The records of a law as their sources state them, before they are dated together."""
    versions = corpus.versions(work)
    return [replace(one, validity=one.stated or one.validity, stated=None) for one in versions]
