"""From when to when each record answers, and for which days the text of a known act is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from inforce.corpus.dating.commencement import Commencement, Conflict, commencements
from inforce.corpus.dating.editions import SLIP, Edition, Record, editions_of
from inforce.dates import DateRange
from inforce.law.known_works import KnownWork
from inforce.law.model import EVIDENCE_RANK, DateStatus, Validity, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Unheld


@dataclass(frozen=True, slots=True)
class RepealedBy:
    """Another text says that it puts an end to the law."""

    title: str
    """The text that says so."""
    day: date
    """The first day no longer in force."""
    passed: date
    """The day that text was passed; what was made afterwards under the same title lives on."""
    made: date | None = None
    """The day of the text repealed, where it is recognised by it."""


@dataclass(frozen=True, slots=True)
class EarlierText:
    """An older text that is not held, whose words are those of the next one but for a few."""

    start: date
    """The first day that text was in force."""
    changed: frozenset[ProvisionNumber]
    """The provisions that the act between them changed."""
    by: str


@dataclass(frozen=True, slots=True)
class Dating:
    """What is known of a law's dates, worked out from everything held."""

    validity: Mapping[str, Validity]
    """Of each record, by the key of its version; undated records are not in it."""
    unheld: tuple[Unheld, ...] = ()
    """Days for which the text of a known act is not held."""
    conflicts: tuple[Conflict, ...] = ()
    commenced: date | None = None
    """The first day the law was ever in force, where known."""
    passed: date | None = None
    """The day its first text was made, where a history begins with it."""
    ended: date | None = None
    """The first day it was no longer in force, where it has been repealed."""
    ended_by: str = ""
    editions: tuple[Edition, ...] = ()
    earlier: Mapping[str, tuple[EarlierText, ...]] = field(
        default_factory=dict[str, tuple[EarlierText, ...]]
    )
    """How far each record's words run back over texts not held, the nearest text first."""
    begins: Mapping[int, date] = field(default_factory=dict[int, date])
    """The first day in force of each edition (by its ``id``) of which that is known."""


@dataclass(frozen=True, slots=True)
class _End:
    """The first day an edition was no longer in force, and how that is known."""

    day: date | None
    status: DateStatus
    by: str = ""
    as_of: date | None = None


@dataclass(slots=True)
class _Work:
    """One law while it is being dated."""

    title: str
    known: KnownWork | None
    editions: tuple[Edition, ...]
    begins: list[Commencement]
    repeals: Sequence[RepealedBy]
    conflicts: list[Conflict]
    ends: list[_End] = field(default_factory=list[_End])


def date_work(
    title: str,
    records: Sequence[Record],
    *,
    known: KnownWork | None = None,
    repeals: Sequence[RepealedBy] = (),
    instruments: Mapping[str, date] | None = None,
) -> Dating:
    """Work out when each record of a law was in force.

    Args:
        title: the law's.
        records: every version held, as its source states it.
        known: what the registry of known works says of the law.
        repeals: what the clauses of other texts, and of its own later ones, put an end to.
        instruments: the first days in force of amending decisions, by their titles.
    """
    editions = editions_of(records, known)
    begins, conflicts = commencements(editions, known, title, instruments or {})
    order = sorted(range(len(editions)), key=lambda place: (begins[place].day, place))
    work = _Work(
        title,
        known,
        tuple(editions[place] for place in order),
        [begins[place] for place in order],
        repeals,
        conflicts,
    )
    work.ends = [_end_of(work, place) for place in range(len(editions))]
    validity = {
        record.version.key: _validity(work, place, record)
        for place, edition in enumerate(work.editions)
        for record in edition.records
    }
    ended, ended_by = _ended(work)
    return Dating(
        validity,
        tuple(_unheld(work)),
        tuple(dict.fromkeys(work.conflicts)),
        _commenced(work),
        _first_passed(work),
        ended,
        ended_by,
        work.editions,
        {
            record.version.key: back
            for place, edition in enumerate(work.editions)
            if (back := tuple(_back(work, place)))
            for record in edition.records
        },
        {
            id(edition): begun.day
            for edition, begun in zip(work.editions, work.begins, strict=True)
            if not begun.presumed
        },
    )


def _end_of(work: _Work, place: int) -> _End:
    edition, begun = work.editions[place], work.begins[place]
    repeal = _repeal_of(work, place)
    following = place + 1 < len(work.editions)
    if following and (repeal is None or work.begins[place + 1].day < repeal.day):
        return _succeeded(work, place)
    if repeal is not None and repeal.day > begun.day:
        return _End(repeal.day, "exact", f"repealed by {repeal.title}")
    return _last_end(edition, begun)


def _succeeded(work: _Work, place: int) -> _End:
    """Ended by the next edition, on the day that one came into force, if nothing came between."""
    edition, following = work.editions[place], work.editions[place + 1]
    begun, begins = work.begins[place], work.begins[place + 1]
    both = edition.listed_by.keys() & following.listed_by.keys()
    if begins.presumed and (both or not edition.records):
        day = max(following.passed, begun.day + timedelta(days=1))
        by = f"{following.name}: when that came into force is not known"
        return _End(day, "at_least", by)
    if begins.day <= begun.day:
        return _last_end(edition, begun)
    if both:
        label = edition.listed_by[min(both)]
        by = f"the history of the text of {label} names no act in between"
        return _End(begins.day, "exact", by)
    stated = _stated_end(edition, begun)
    if stated is not None:
        return stated
    by = "the next text held (one in between cannot be excluded)"
    if not following.records:
        by = f"{following.name} (one in between cannot be excluded)"
    return _End(begins.day, "presumed", by)


def _stated_end(edition: Edition, begun: Commencement) -> _End | None:
    """The day a source says it ended on."""
    closed = [
        record.version
        for record in edition.records
        if record.version.validity.status == "exact" and record.version.scope is None
    ]
    best = min(
        closed, key=lambda one: (EVIDENCE_RANK[one.validity.evidence], one.key), default=None
    )
    if best is None or best.validity.end is None or best.validity.end <= begun.day:
        return None
    return _End(best.validity.end, "exact", f"as {best.source.name} states")


def _repeal_of(work: _Work, place: int) -> RepealedBy | None:
    """The first repeal that puts an end to an edition: not of an older law of the same title."""
    edition = work.editions[place]
    found = [
        repeal
        for repeal in work.repeals
        if edition.passed + SLIP < repeal.passed and _is_meant(work, repeal)
    ]
    ended = work.known.ended if work.known else None
    if ended is not None and place == len(work.editions) - 1 and ended > work.begins[place].day:
        by = "、".join(work.known.succeeded_by) if work.known else ""
        found.append(RepealedBy(by or "its successor", ended, ended))
    return min(found, key=lambda one: (one.day, one.title), default=None)


def _is_meant(work: _Work, repeal: RepealedBy) -> bool:
    """Whether a repeal that tells the law by a day means the one these editions are of."""
    if repeal.made is None:
        return True
    first = work.editions[0]
    known = {day for edition in work.editions for day in edition.days}
    named = any(abs(repeal.made - day) <= SLIP for day in known)
    return named or (first.kind is None and repeal.made < first.passed)


def _last_end(edition: Edition, begun: Commencement) -> _End:
    """The end of an edition after which nothing is known: as its sources state it."""
    versions = [record.version for record in edition.records]
    shown = [day for record in edition.records if (day := _shown_on(record)) is not None]
    as_of = max(shown, default=None)
    stated = _stated_end(edition, begun)
    if stated is not None:
        return stated
    if any(version.validity.status == "open" for version in versions):
        return _End(None, "open", as_of=as_of)
    presumed = [one for one in versions if one.validity.status == "presumed"]
    for version in sorted(presumed, key=lambda one: one.key):
        end = version.validity.end
        if end is not None and end > begun.day:
            return _End(end, "presumed", f"as {version.source.name} states")
    if as_of is not None and as_of >= begun.day:
        day = as_of + timedelta(days=1)
        return _End(day, "at_least", "the day its source was current")
    return _End(None, "unknown")


def _shown_on(record: Record) -> date | None:
    """The last day on which a source showed the text in force, if it did."""
    version, validity = record.version, record.version.validity
    if validity.status != "open":
        return version.text_as_of
    known = [day for day in (version.source.as_of, version.promulgated) if day is not None]
    return max(known, default=validity.start)


def _validity(work: _Work, place: int, record: Record) -> Validity:
    stated, begun, end = record.version.validity, work.begins[place], work.ends[place]
    if record.version.scope is not None and stated.start is not None:
        return _of_extract(work, place, record.version)
    # The instruments on both sides say so.
    if stated.evidence == "instrument" and stated.status == "exact" and stated.start is not None:
        if stated.end != end.day and end.status == "exact":
            about = f"end of {work.editions[place].name}"
            work.conflicts.append(
                Conflict(about, f"{stated.end} (instrument)", f"{end.day} ({end.by})")
            )
        return replace(
            stated, begins_by=begun.by, ends_by=f"as {record.version.source.name} states"
        )
    return _made(begun, end)


def _made(begun: Commencement, end: _End) -> Validity:
    if end.day is not None and end.day <= begun.day:
        end = _End(None, "unknown")
    return Validity(
        begun.day,
        end.day,
        end.status,
        begun.evidence,
        start_presumed=begun.presumed,
        as_of=end.as_of,
        begins_by=begun.by,
        ends_by=end.by,
    )


def _of_extract(work: _Work, place: int, version: Version) -> Validity:
    """An extract was made knowing all acts up to a day; only a later one ends what it leaves open.

    What is between its versions it has looked at: acts that left its provisions alone.
    """
    stated, last = version.validity, work.ends[-1]
    if stated.status != "open":
        return stated
    as_of = max(filter(None, (version.source.as_of, version.promulgated, stated.start)))
    for later in range(place + 1, len(work.editions)):
        if work.editions[later].passed > as_of:
            end = _succeeded(work, later - 1)
            return replace(stated, end=end.day, status=end.status, ends_by=end.by)
    if last.status == "exact" and last.day is not None and last.day > as_of:
        return replace(stated, end=last.day, status="exact", ends_by=last.by)
    known = max(filter(None, (as_of, last.as_of)))
    return replace(stated, as_of=known, begins_by="the instrument")


def _back(work: _Work, place: int) -> Iterator[EarlierText]:
    """The texts before an edition that are not held and differ from it in known provisions only."""
    while place > 0:
        edition, before = work.editions[place], work.editions[place - 1]
        whole = any(record.version.scope is None for record in before.records)
        if whole or edition.only is None or work.begins[place - 1].presumed:
            return
        by = f"the act of {edition.passed} left it as it was"
        yield EarlierText(work.begins[place - 1].day, edition.only, by)
        place -= 1


def _unheld(work: _Work) -> Iterator[Unheld]:
    """Days of editions whose text is not held, or not known to have begun."""
    last = len(work.editions) - 1
    for place, edition in enumerate(work.editions):
        begun = work.begins[place]
        if edition.records and not begun.presumed:
            continue
        start = edition.passed if begun.presumed else begun.day
        end = work.begins[place + 1].day if place < last else work.ends[place].day
        if end is not None and end <= start:
            continue
        why = f"{edition.name} is not held"
        if edition.records:
            why = f"{edition.name} is held, but not known to have been in force yet"
        yield Unheld(DateRange(start, end), why)


def _commenced(work: _Work) -> date | None:
    """The first day the law was ever in force: no text of its title is older."""
    if work.known is not None and work.known.commenced is not None:
        return work.known.commenced
    if _first_passed(work) is None:
        return None
    return None if work.begins[0].presumed else work.begins[0].day


def _first_passed(work: _Work) -> date | None:
    """The day the first text was made, if a history begins with it and it replaced no namesake."""
    if not work.editions or work.editions[0].kind != "original":
        return None
    first = work.editions[0].passed
    if any(repeal.made is not None and repeal.made < first - SLIP for repeal in work.repeals):
        return None
    recorded = work.known.commenced if work.known else None
    return first if recorded is None or recorded >= first else None


def _ended(work: _Work) -> tuple[date | None, str]:
    if not work.ends or not work.ends[-1].by.startswith("repealed by "):
        return (work.known.ended if work.known else None), ""
    return work.ends[-1].day, work.ends[-1].by
