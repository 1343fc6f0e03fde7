"""The day an edition came into force, by the best evidence there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from inforce.corpus.dating.editions import SLIP, Edition
from inforce.law.model import EVIDENCE_RANK, LAST_ARTICLES, SOURCE_CURRENT, DateEvidence
from inforce.law.omnibus_decisions import Omnibus, decision_commencement
from inforce.law.registry import KnownWork

_FIRST_COMMENCES_WITHIN = timedelta(days=3 * 365)


@dataclass(frozen=True, slots=True)
class Commencement:
    """The first day in force of an edition, and how it is known."""

    day: date
    evidence: DateEvidence
    by: str
    presumed: bool = False

    def __str__(self) -> str:
        return f"{self.day} ({self.by})"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two pieces of evidence that cannot both be right: which was taken, and which was not."""

    about: str
    taken: str
    left: str


def commencements(
    editions: Sequence[Edition],
    known: KnownWork | None,
    title: str,
    instruments: Mapping[str, date],
) -> tuple[list[Commencement], list[Conflict]]:
    """The commencement of each edition, and where the evidence for one disagrees.

    Where nobody states it, the day the edition was made is presumed: it was not in force before.
    """
    found: list[Commencement] = []
    conflicts: list[Conflict] = []
    for place, edition in enumerate(editions):
        candidates = [*_candidates(editions, place, known, title)]
        decided = instruments.get(edition.decision)
        if decided is not None:
            by = f"the last article of 《{edition.decision}》"
            candidates.append(Commencement(decided, "instrument", by))
        possible = _possible(edition, candidates)
        if not possible:
            made = max(edition.passed, edition.published or edition.passed)
            by = SOURCE_CURRENT if edition.is_seen else "the day it was made"
            found.append(Commencement(made, "unstated", by, presumed=True))
            continue
        best = possible[0]
        found.append(best)
        others = {one.day: one for one in reversed(possible) if one.day != best.day}
        conflicts += [
            Conflict(f"commencement of {edition.name}", str(best), str(other))
            for other in others.values()
            if not other.presumed
        ]
    return found, conflicts


def _possible(edition: Edition, candidates: Sequence[Commencement]) -> list[Commencement]:
    """The candidates that can be right, the best evidence first, then by how many sources agree.

    Nothing is in force before it was made, unless all sources say so and it is a matter of days.
    """
    after = [one for one in candidates if one.day >= edition.passed]
    near = [one for one in candidates if one.day >= edition.passed - SLIP]
    sources = Counter((one.evidence, one.day) for one in candidates)
    return sorted(
        [*after, *(one for one in near if one not in after)] if after else near,
        key=lambda one: (
            one.presumed,
            bool(after) and one.day < edition.passed,
            EVIDENCE_RANK[one.evidence],
            -sources[one.evidence, one.day],
            one.day,
        ),
    )


def _candidates(
    editions: Sequence[Edition], place: int, known: KnownWork | None, title: str
) -> Iterator[Commencement]:
    edition = editions[place]
    yield from _recorded(edition, known, first=place == 0)
    decided = decision_commencement(
        edition.decision, edition.days, title, omnibus=_omnibus(editions, edition, title)
    )
    if decided is not None:
        by = f"《{edition.decision}》" if edition.decision else f"the decision of {edition.passed}"
        yield Commencement(decided, "instrument", by)
    yield from _stated(edition)
    yield from _by_clause(editions, place)
    if edition.header_commenced is not None:
        by = "the history lines of its text"
        yield Commencement(edition.header_commenced, "header", by)


def _recorded(edition: Edition, known: KnownWork | None, *, first: bool) -> Iterator[Commencement]:
    """Candidates from the registry of known works."""
    if known is None:
        return
    for amendment in known.amendments:
        if amendment.promulgated in edition.days:
            yield Commencement(amendment.commenced, "instrument", amendment.instrument)
    commenced = known.commenced
    if commenced is None or not first or edition.kind not in (None, "original"):
        return
    if edition.passed <= commenced <= edition.passed + _FIRST_COMMENCES_WITHIN:
        yield Commencement(commenced, "instrument", known.title)


def _stated(edition: Edition) -> Iterator[Commencement]:
    for record in edition.records:
        validity = record.version.validity
        if validity.start is None:
            continue
        evidence = validity.evidence
        if evidence == "clause" and edition.kind == "amended" and validity.start in edition.days:
            # The clause of an amended law is that of its first text and says nothing of this one.
            yield Commencement(
                validity.start, "unstated", record.version.source.name, presumed=True
            )
        else:
            yield Commencement(validity.start, evidence, f"{record.version.source.name}")


def _by_clause(editions: Sequence[Edition], place: int) -> Iterator[Commencement]:
    """The clause of the text itself; a law amended since keeps that of the text published whole."""
    edition = editions[place]
    for later in editions[place:]:
        if later is not edition and (later.is_whole or not edition.is_whole):
            return
        # Of a text published whole its own last article decides; registers often have another day.
        is_own = later is edition and edition.is_whole
        until = min((one.passed for one in editions[place + 1 :]), default=date.max)
        for record in later.records:
            final = record.final_provisions
            by = LAST_ARTICLES if later is edition else "the last articles of a later text"
            if final.commenced is not None:
                if later is edition or final.commenced < until:
                    # A text without any history may be a later one that keeps the first clause.
                    evidence: DateEvidence = "instrument" if is_own else "clause"
                    yield Commencement(final.commenced, evidence, by, presumed=edition.undated)
            elif final.on_promulgation and (edition.is_whole or edition.kind is None):
                yield from _on_promulgation(edition, by)


def _on_promulgation(edition: Edition, by: str) -> Iterator[Commencement]:
    """In force when published, which is as certain as the day of publication."""
    if edition.published is not None:
        yield Commencement(edition.published, "clause", f"{by}: on promulgation")
    elif edition.kind is not None:
        day = max(edition.days)
        yield Commencement(day, "unstated", f"{by}: on promulgation", presumed=True)


def _omnibus(editions: Sequence[Edition], edition: Edition, title: str) -> Omnibus:
    """The kind of decision that may have amended the law without being named in its history."""
    if edition.is_whole:
        return ""
    if title.startswith(("最高人民法院", "最高人民检察院")):
        return "interpretation"
    regulation = any(
        one.body.endswith("国务院")
        or one.body.startswith("国务院第")
        or any("行政法规" in record.version.category for record in one.records)
        for one in editions
    )
    return "regulation" if regulation else ""
