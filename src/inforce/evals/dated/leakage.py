"""Law of another time in a run: in the results of tools, and in the quotations of the answer.

LegalSearch-R1 measures whether queries mention a time, but not whether the results, and what the
agent quotes from them, were in force then. Only texts that state when they were in force are
judged; a web page without dates is not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Literal

from inforce.agents.runtime.trace import Event, Finished, Noted, Observed
from inforce.dates import ALWAYS, DateRange
from inforce.errors import DateError
from inforce.evals.benchmark import DRAFT
from inforce.tools.evidence import Evidence

Standing = Literal["in_force", "past", "future"]
"""Of a text on the days in question. ``past``: no longer in force. ``future``: not yet."""

_STANDINGS: tuple[Standing, ...] = ("in_force", "past", "future")
"""In the order in which words that several texts share are judged: law of the time is no leak."""

LEAST_QUOTATION = 12
"""Characters; shorter phrases (依照前款的规定处罚) occur in many texts."""

_DAY = r"\d{4}-\d{2}-\d{2}"
_IN_FORCE = re.compile(
    rf"in force (?:(?:always|ever)|since (?P<since>{_DAY})|(?P<onwards>{_DAY}) onwards"
    rf"|until (?P<until>{_DAY})|(?P<first>{_DAY})(?: to (?P<last>{_DAY}))?)(?:;.*)?"
)
"""The dates of a text as tools write them, both for statutes and for other sources."""
_END_OF_PIECE = re.compile(r"[。！？；：!?;:\n“”「」『』\"]+")
_CITATION_MARK = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class DatedText:
    """A text of the law, with the days it was in force."""

    id: str
    window: DateRange
    text: str

    def standing(self, as_of: DateRange) -> Standing:
        """``in_force`` if it was in force on any of these days, else ``past`` or ``future``."""
        if self.window.overlaps(as_of):
            return "in_force"
        return "past" if self.window.start < as_of.start else "future"


@dataclass(frozen=True, slots=True)
class DatedPiece:
    """A provision that was shown or words that were quoted, with their standing."""

    what: str
    """The id of the provision, or the quoted words."""
    standing: Standing


@dataclass(frozen=True, slots=True)
class Leakage:
    """The dated law in a run, each piece with its standing on the days in question."""

    shown: tuple[DatedPiece, ...]
    """Provisions that tools returned, each once."""
    quoted: tuple[DatedPiece, ...]
    """Sentences of the answer that are verbatim in a text of the law, each once."""


def share(pieces: Sequence[DatedPiece], *standings: Standing) -> float | None:
    """The share of pieces with these standings; ``None`` if there are no pieces.

    >>> share([DatedPiece("甲", "future"), DatedPiece("乙", "in_force")], "past", "future")
    0.5
    >>> share([], "future") is None
    True
    """
    if not pieces:
        return None
    return sum(one.standing in standings for one in pieces) / len(pieces)


def leakage(
    events: Iterable[Event],
    as_of: DateRange,
    *,
    answer: str | None = None,
    known: Sequence[DatedText] = (),
) -> Leakage:
    """Find the dated law that a run showed and quoted.

    Args:
        events: the trace of a run of any benchmark.
        as_of: the days of the facts.
        answer: by default the agent's last words in the trace, withheld or not.
        known: further texts in which quotations are looked up, shown or not.
    """
    events = tuple(events)
    texts = {one.id: one for one in _shown(events)}
    if answer is None:
        drafts = [one.text for one in events if isinstance(one, Noted) and one.kind == DRAFT]
        ends = [one.answer.text for one in events if isinstance(one, Finished)]
        answer = next(iter((*drafts[-1:], *ends[-1:])), "")
    return Leakage(
        tuple(DatedPiece(one.id, one.standing(as_of)) for one in texts.values()),
        tuple(_quoted(answer, (*texts.values(), *known), as_of)),
    )


def _shown(events: Iterable[Event]) -> Iterator[DatedText]:
    for event in events:
        for one in event.evidence if isinstance(event, Observed) else ():
            window = days_in_force(one)
            if window is not None:
                yield DatedText(one.id, window, one.text)


def days_in_force(evidence: Evidence) -> DateRange | None:
    """The days on which a text was in force; ``None`` if it does not state them.

    >>> days_in_force(Evidence("甲", "statute", "", "", date="in force since 2011-05-01")).start
    datetime.date(2011, 5, 1)
    """
    match = _IN_FORCE.fullmatch(evidence.date)
    if match is None:
        return None
    with suppress(ValueError, DateError):
        return _days(match)
    return None


def _days(match: re.Match[str]) -> DateRange:
    if without_end := match["since"] or match["onwards"]:
        return DateRange(date.fromisoformat(without_end), None)
    if match["until"]:
        return DateRange.inclusive(date.min, date.fromisoformat(match["until"]))
    if match["first"] is None:
        return ALWAYS
    last = match["last"] or match["first"]
    return DateRange.inclusive(date.fromisoformat(match["first"]), date.fromisoformat(last))


def _quoted(answer: str, texts: Sequence[DatedText], as_of: DateRange) -> Iterator[DatedPiece]:
    by_standing: dict[Standing, list[str]] = {standing: [] for standing in _STANDINGS}
    for one in texts:
        by_standing[one.standing(as_of)].append(_folded(one.text))
    for piece in dict.fromkeys(_END_OF_PIECE.split(_CITATION_MARK.sub("", answer))):
        words = _folded(piece)
        if len(words) < LEAST_QUOTATION:
            continue
        for standing, folded in by_standing.items():
            if any(words in text for text in folded):
                yield DatedPiece(piece.strip(), standing)
                break


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())
