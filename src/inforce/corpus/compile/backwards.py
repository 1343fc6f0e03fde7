"""The text before an instrument, from the one after it: what the instrument left alone.

Where only the later text is held, the instrument says which articles it changed, deleted or put in.
All others read before as they read after, under the numbers of then; what it changed is a hole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import NamedTuple

from inforce.corpus.compile.compiling import compile_law
from inforce.corpus.compile.instrument import Instrument
from inforce.corpus.compile.law_names import SameLaw
from inforce.corpus.compile.versions import HOW, CompiledVersion
from inforce.dates import DateRange
from inforce.law.final_provisions import read_final_provisions
from inforce.law.model import (
    Provision,
    Source,
    Validity,
    VersionText,
    provisions_hash,
    same_wording,
)
from inforce.law.numerals import ProvisionNumber

BACKWARDS = f"{HOW} backwards"
"""What the note of a text made so begins with."""

_MOST_DELETED = 60
"""Articles that an instrument may have deleted from a text at most."""

_OWN_REFERENCE = re.compile("(?:本(?:法|条例)|(?<![》典法例]))第[一二三四五六七八九十百]+条")
"""A reference to an article that no other law is named for."""


def text_before(
    later: VersionText, instrument: Instrument, window: DateRange, *, same_law: SameLaw
) -> VersionText | None:
    """The text of a law before an instrument.

    Args:
        later: the whole text that the instrument made.
        instrument: what made it.
        window: the days of the text that is not held, which ends where the later one begins; its
            first day may be the one on which the law was made. A text that came into force before
            is an older one, which another instrument amended since.
        same_law: whether a printed name means this law.

    Returns:
        The earlier text with its holes; ``None`` where it is not certain: an instruction cannot be
        applied, an article it states reads otherwise in the later text, or the last articles do not
        say when the earlier text came into force.
    """
    day = window.end
    assert day is not None
    after = {one.number: one for one in later.provisions if one.number.kind == "article"}
    if later.version.holes or set(after) != set(_articles(len(after))):
        return None
    applied = _applied_to_unknown_text(later, instrument, day, len(after), same_law)
    if applied is None or not _reads_as_stated(applied.made, after):
        return None
    known = dict(_left_alone(applied.made, after))
    provisions = tuple(known[number] for number in sorted(known))
    stated = read_final_provisions(later.version.work, provisions).commenced
    if stated is None or not window.start <= stated < day:
        return None
    version = replace(
        later.version,
        label=stated.isoformat(),
        validity=Validity(stated, day, "exact", "instrument"),
        promulgated=window.start if window.start < stated else None,
        instrument="",
        holes=frozenset(_articles(applied.articles)) - known.keys(),
        source=Source(f"compiled by inforce: what {instrument.title} left alone"),
        note=f"{BACKWARDS}; what {instrument.title} left alone of the text after it",
        text_hash=provisions_hash(provisions),
        text_as_of=None,
        history=(),
        stated=None,
    )
    return VersionText(version, provisions)


class _AppliedToUnknownText(NamedTuple):
    """An instrument applied to a text of which only the number of articles is known."""

    articles: int
    """Of the text before it."""
    made: CompiledVersion


def _applied_to_unknown_text(
    later: VersionText, instrument: Instrument, day: date, articles: int, same_law: SameLaw
) -> _AppliedToUnknownText | None:
    """The number of articles before is the one with which as many come out as there are now."""

    def applied(before: int) -> CompiledVersion | None:
        version = replace(
            later.version,
            label="before",
            validity=Validity(day - timedelta(days=1), None, "open"),
            holes=frozenset(_articles(before)),
        )
        made = compile_law(VersionText(version, ()), [instrument], same_law=same_law).versions
        return made[0] if len(made) == 1 else None

    many = articles + _MOST_DELETED
    tried = applied(many)
    if tried is None:
        return None
    before = articles - (len(_numbers(tried)) - many)
    made = applied(before) if before > 0 else None
    if made is None or made.refused or len(_numbers(made)) != articles:
        return None
    return _AppliedToUnknownText(before, made)


def _articles(count: int) -> Iterator[ProvisionNumber]:
    return (ProvisionNumber("article", number) for number in range(1, count + 1))


def _numbers(made: CompiledVersion) -> set[ProvisionNumber]:
    stated = {one.number for one in made.text.provisions}
    return {one for one in stated | made.text.version.holes if one.kind == "article"}


def _reads_as_stated(made: CompiledVersion, after: Mapping[ProvisionNumber, Provision]) -> bool:
    """Whether every article that the instrument states in full is so in the later text."""
    stated: Sequence[Provision] = [
        one for one in made.text.provisions if one.number.kind == "article"
    ]
    return bool(stated) and all(same_wording(one.text, after[one.number].text) for one in stated)


def _left_alone(
    made: CompiledVersion, after: Mapping[ProvisionNumber, Provision]
) -> Iterator[tuple[ProvisionNumber, Provision]]:
    """The articles no instruction touched, under their numbers of then.

    Where articles moved, one that refers to others by their numbers read otherwise then.
    """
    moved = any(change.kind == "renumbered" for change in made.changes)
    for change in made.changes:
        if change.old is None or change.new is None or change.instructions:
            continue
        if change.kind not in ("unchanged", "renumbered") or change.new not in after:
            continue
        provision = after[change.new]
        if not (moved and _OWN_REFERENCE.search(provision.text)):
            yield change.old, replace(provision, number=change.old)
