"""What a single text says of its own dates: its history lines, and its last articles.

An amended law keeps the commencement clause of the text last published whole, so a clause older
than the last act says nothing about the text at hand. What the other texts of a law add to this is
worked out by `inforce.corpus.dating`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from inforce.documents.json_records import calendar_day
from inforce.errors import DateError, InputError
from inforce.law.final_provisions_reading import (
    FINAL_ARTICLES,
    FinalProvisions,
    read_final_provisions,
)
from inforce.law.history import enactments, read_history
from inforce.law.model import Act, DateEvidence, Provision, Validity

_DAY = r"[0-9]{4}\s*年\s*[0-9]{1,2}\s*月\s*[0-9]{1,2}\s*日"
_WRITTEN_DAY = re.compile(_DAY)
_BEGUN = re.compile(rf"本[^，。；\s]{{1,12}}自\s*({_DAY})")
_NOTE = re.compile(
    rf"[（(]|(?:根据)?\s*{_DAY}|本\S{{1,12}}自\s*{_DAY}|\S{{2,20}}(?:令|公告)?[第〔\[]\S{{0,12}}号"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A line of a file, or a whole article, with the line it begins on."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Dating:
    """What a text says about its own dates."""

    history: tuple[Act, ...] = ()
    promulgated: date | None = None
    commenced: date | None = None
    evidence: DateEvidence = "unstated"

    @property
    def validity(self) -> Validity:
        """The window of a text that no later one is known to have replaced."""
        return Validity(self.commenced, None, "open", self.evidence)


def read_dates(
    title: str,
    header: Sequence[Passage],
    articles: Sequence[Passage],
    provisions: Sequence[Provision],
    *,
    path: Path | str,
    named: date | None = None,
) -> Dating:
    """The dates a law states about itself.

    Args:
        title: the law's.
        header: the lines between the title and the first article.
        articles: the articles, in order, with the lines they begin on.
        provisions: the same articles.
        path: the file, for messages.
        named: the date in the file's name, used where the header has none.

    Raises:
        InputError: if one of these dates is on no calendar.
    """
    for passage in header:
        _check(_WRITTEN_DAY, passage, path)
    for article in articles[-FINAL_ARTICLES:]:
        _check(_BEGUN, article, path)
    acts = read_history([passage.text for passage in header])
    made = enactments(acts)
    last = made[-1] if made else None
    promulgated = (last.promulgated or last.passed) if last else named
    begun = [act.day for act in acts if act.kind == "in force"]
    current = [day for day in begun if promulgated is None or day >= promulgated]
    if current:
        return Dating(acts, promulgated, max(current), "header")
    clause = _own_clause(read_final_provisions(title, provisions), acts, promulgated)
    if clause is not None and (promulgated is None or clause >= promulgated):
        return Dating(acts, promulgated, clause, "clause")
    return Dating(acts, promulgated, None, "header" if acts else "unstated")


def is_dated_note(text: str) -> bool:
    """Whether a line above a text is part of its history rather than of the law."""
    return _NOTE.match(text) is not None


def _own_clause(
    final: FinalProvisions, acts: Sequence[Act], promulgated: date | None
) -> date | None:
    """The day the clause gives, or that of promulgation where a first text begins with it.

    An act of the National People's Congress is published on the day it is passed.
    """
    if final.commenced is not None or not final.on_promulgation:
        return final.commenced
    at_once = any(act.kind == "promulgated" or "全国人民代表大会" in act.body for act in acts)
    return promulgated if at_once and len(enactments(acts)) == 1 else None


def _check(pattern: re.Pattern[str], passage: Passage, path: Path | str) -> None:
    for match in pattern.finditer(passage.text):
        try:
            calendar_day("".join(match[match.re.groups].split()))
        except DateError as error:
            raise InputError(str(error), path=path, line=passage.line) from error
