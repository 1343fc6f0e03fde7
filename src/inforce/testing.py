"""Small things to test with, for this library and for whoever builds on it.

>>> law = tiny_law("试验法", {"1": "甲", "2": "乙"}, start=date(1997, 10, 1))
>>> law.version.label, law.version.validity.status, len(law.provisions)
('1997', 'open', 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from inforce.corpus.store import Corpus
from inforce.dates import Clock
from inforce.law.history import read_history
from inforce.law.model import (
    Caption,
    DateEvidence,
    DateStatus,
    Provision,
    Source,
    Validity,
    Version,
    VersionText,
    provisions_hash,
)
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library


def tiny_law(
    title: str,
    articles: Mapping[str, str],
    *,
    start: date | None = None,
    end: date | None = None,
    status: DateStatus | None = None,
    label: str | None = None,
    evidence: DateEvidence = "instrument",
    promulgated: date | None = None,
    instrument: str = "",
    scope: Iterable[str] | None = None,
    holes: Iterable[str] = (),
    source: str = "tiny laws",
    as_of: date | None = None,
    history: Iterable[str] = (),
    captions: Iterable[Caption] = (),
) -> VersionText:
    """One version of a made-up law, from its wording by article number (``"133-1"``, ``"三、"``).

    ``end`` is the first day no longer in force; with one the version is ``exact``, without it
    ``open``. The label is the year of ``start`` unless given. ``history`` are dated lines as they
    are printed above a text, ``as_of`` the day on which the source was current.
    """
    provisions = tuple(
        Provision(ProvisionNumber.parse(number), text, path="第一编 总则")
        for number, text in articles.items()
    )
    version = Version(
        title,
        label if label is not None else f"{start.year}" if start else "undated",
        Validity(start, end, status or ("exact" if end else "open"), evidence),
        promulgated=promulgated,
        instrument=instrument,
        scope=None if scope is None else frozenset(map(ProvisionNumber.parse, scope)),
        holes=frozenset(map(ProvisionNumber.parse, holes)),
        source=Source(source, as_of=as_of),
        history=read_history(history),
        text_hash=provisions_hash(provisions),
    )
    return VersionText(version, provisions, tuple(captions))


def fixed_clock(day: str | date) -> Clock:
    """A clock that always says the same day.

    >>> fixed_clock("2020-01-25")()
    datetime.date(2020, 1, 25)
    """
    always = date.fromisoformat(day) if isinstance(day, str) else day
    return lambda: always


def tiny_library(folder: Path, *laws: VersionText, today: str = "2020-01-25") -> Library:
    """A library that holds these versions, in a folder of your own; its corpus takes more."""
    corpus = Corpus.open(folder / "corpus.sqlite", mode="write")
    corpus.add(laws)
    return Library(corpus, folder / "index", clock=fixed_clock(today))


class ScriptedModel:
    """A model that gives prepared replies in order, and remembers what it was asked.

    >>> model = ScriptedModel("甲", "乙")
    >>> model("first?"), model("second?"), model.prompts
    ('甲', '乙', ['first?', 'second?'])
    """

    def __init__(self, *replies: str) -> None:
        self._replies = list(replies)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        """The next reply; an AssertionError where none is left."""
        self.prompts.append(prompt)
        if len(self.prompts) > len(self._replies):
            raise AssertionError(f"asked {len(self.prompts)} times, only scripted for fewer")
        return self._replies[len(self.prompts) - 1]
