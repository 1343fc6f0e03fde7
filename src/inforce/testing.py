"""Small things to test with, for this library and for whoever builds on it.

>>> law = tiny_law("试验法", {"1": "甲", "2": "乙"}, start=date(1997, 10, 1))
>>> law.version.label, law.version.validity.status, len(law.provisions)
('1997', 'open', 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

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
    captions: Iterable[Caption] = (),
) -> VersionText:
    """One version of a made-up law, from its wording by article number (``"133-1"``, ``"三、"``).

    ``end`` is the first day no longer in force; with one the version is ``exact``, without it
    ``open``. The label is the year of ``start`` unless given.
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
        source=Source(source),
        text_hash=provisions_hash(provisions),
    )
    return VersionText(version, provisions, tuple(captions))
