"""Law of another time in a run: what tools showed, and what the answer quotes.

LegalSearch-R1 measures whether queries name a time; it does not measure whether what comes back,
and what is passed on, was in force then. Only texts that say when they were in force are judged:
from a web page without dates nothing follows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
"""Of a text at the days asked about. ``past``: no longer in force. ``future``: not yet."""

_KINDEST_FIRST: tuple[Standing, ...] = ("in_force", "past", "future")
"""Words that are in several texts: those of the law of the time are no leak."""

LEAST_QUOTATION = 12
"""Characters; shorter phrases (依照前款的规定处罚) are in many texts and quote none."""

_DAY = r"\d{4}-\d{2}-\d{2}"
_IN_FORCE = re.compile(
    rf"in force (?:(?:always|ever)|since (?P<since>{_DAY})|(?P<onwards>{_DAY}) onwards"
    rf"|until (?P<until>{_DAY})|(?P<first>{_DAY})(?: to (?P<last>{_DAY}))?)(?:;.*)?"
)
"""How tools write the days of a text, those of the statutes and those of the other sources."""
_END_OF_PIECE = re.compile(r"[。！？；：!?;:\n“”「」『』\"]+")
_CITATION_MARK = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of the law, with the days it was in force."""

    id: str
    window: DateRange
    text: str

    def standing(self, as_of: DateRange) -> Standing:
        """Whether it was in force on any of these days, and else on which side it lies."""
        if self.window.overlaps(as_of):
            return "in_force"
        return "past" if self.window.start < as_of.start else "future"


@dataclass(frozen=True, slots=True)
class Placed:
    """Something shown or quoted, and how it stood then."""

    what: str
    """The id of what was shown; the words that were quoted."""
    standing: Standing


@dataclass(frozen=True, slots=True)
class Leakage:
    """The dated law in a run, each piece with how it was on the days asked about."""

    shown: tuple[Placed, ...]
    """Provisions that tools returned, each once."""
    quoted: tuple[Placed, ...]
    """Sentences of the answer that are verbatim in a text of the law, each once."""


def share(placed: Sequence[Placed], *standings: Standing) -> float | None:
    """The share of pieces that stood so; ``None`` where there is none to judge.

    >>> share([Placed("甲", "future"), Placed("乙", "in_force")], "past", "future")
    0.5
    >>> share([], "future") is None
    True
    """
    if not placed:
        return None
    return sum(one.standing in standings for one in placed) / len(placed)


def leakage(
    events: Iterable[Event],
    as_of: DateRange,
    *,
    said: str | None = None,
    known: Sequence[Passage] = (),
) -> Leakage:
    """Which dated law a run showed and quoted, and how it was on the days asked about.

    Args:
        events: the trace of a run of any benchmark.
        as_of: the days of the facts.
        said: the answer; read from the trace unless given.
        known: further texts that quotations are looked up in, shown or not.
    """
    happened = tuple(events)
    passages = {one.id: one for one in _shown(happened)}
    answer = _said(happened) if said is None else said
    return Leakage(
        tuple(Placed(one.id, one.standing(as_of)) for one in passages.values()),
        tuple(_quoted(answer, (*passages.values(), *known), as_of)),
    )


def days_in_force(evidence: Evidence) -> DateRange | None:
    """The days a text says it was in force; ``None`` where it does not.

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


def _shown(events: Iterable[Event]) -> Iterator[Passage]:
    for event in events:
        for one in event.evidence if isinstance(event, Observed) else ():
            window = days_in_force(one)
            if window is not None:
                yield Passage(one.id, window, one.text)


def _said(events: Sequence[Event]) -> str:
    """The agent's own last words: what was withheld from the reader was said all the same."""
    drafts = [one.text for one in events if isinstance(one, Noted) and one.kind == DRAFT]
    ends = [one.answer.text for one in events if isinstance(one, Finished)]
    return next(iter((*drafts[-1:], *ends[-1:])), "")


def _quoted(answer: str, passages: Sequence[Passage], as_of: DateRange) -> Iterator[Placed]:
    texts: dict[Standing, list[str]] = {one: [] for one in _KINDEST_FIRST}
    for one in passages:
        texts[one.standing(as_of)].append(_folded(one.text))
    for piece in dict.fromkeys(_END_OF_PIECE.split(_CITATION_MARK.sub("", answer))):
        words = _folded(piece)
        standing = _kindest(words, texts)
        if standing is not None and len(words) >= LEAST_QUOTATION:
            yield Placed(piece.strip(), standing)


def _kindest(words: str, texts: Mapping[Standing, Sequence[str]]) -> Standing | None:
    """How words stand that may be in several texts; ``None`` where they are in none."""
    for standing, said in texts.items():
        if any(words in text for text in said):
            return standing
    return None


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())
