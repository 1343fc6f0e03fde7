"""The days on which each record was in force, and those for which a known text is not held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property

from inforce.corpus.dating.commencement import Commencement, Conflict, commencements
from inforce.corpus.dating.editions import SLIP, Edition, Record, editions_of
from inforce.dates import DateRange
from inforce.law.model import EVIDENCE_RANK, DateStatus, Validity, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import KnownWork
from inforce.law.timeline import Unheld


@dataclass(frozen=True, slots=True)
class RepealedBy:
    """A clause of another text that repeals the law."""

    title: str
    """The text that has the clause."""
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
    """The dates of a law, worked out from everything held."""

    validity: Mapping[str, Validity]
    """The days of each record, by the key of its version; undated records are left out."""
    unheld: tuple[Unheld, ...] = ()
    """Days for which the text of a known act is not held."""
    conflicts: tuple[Conflict, ...] = ()
    commenced: date | None = None
    """The first day the law was ever in force, where known."""
    passed: date | None = None
    """The day its first text was made, where a history begins with it."""
    ended: date | None = None
    """The first day it was no longer in force, where it has been repealed."""
    editions: tuple[Edition, ...] = ()
    earlier: Mapping[str, tuple[EarlierText, ...]] = field(
        default_factory=dict[str, tuple[EarlierText, ...]]
    )
    """For each record, by the key of its version: the texts before it that are not held and differ
    from it in known provisions only, the nearest first."""


@dataclass(frozen=True, slots=True)
class _End:
    """The first day an edition was no longer in force, and how that is known."""

    day: date | None
    status: DateStatus
    by: str = ""
    as_of: date | None = None


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
    return _Work(
        tuple(editions[place] for place in order),
        [begins[place] for place in order],
        known,
        repeals,
        conflicts,
    ).dating()


@dataclass
class _Work:
    """One law while it is dated: its editions in the order in which they came into force."""

    editions: tuple[Edition, ...]
    begins: Sequence[Commencement]
    known: KnownWork | None
    repeals: Sequence[RepealedBy]
    conflicts: list[Conflict]

    @cached_property
    def ends(self) -> list[_End]:
        return [self._end(place) for place in range(len(self.editions))]

    def dating(self) -> Dating:
        validity: dict[str, Validity] = {}
        earlier: dict[str, tuple[EarlierText, ...]] = {}
        for place, (edition, begun) in enumerate(zip(self.editions, self.begins, strict=True)):
            edition.commenced = None if begun.presumed else begun.day
            before = tuple(self._earlier_texts(place))
            for record in edition.records:
                validity[record.version.key] = self._validity(place, record)
                if before:
                    earlier[record.version.key] = before
        ended = self.known.ended if self.known else None
        if self.ends and self.ends[-1].by.startswith("repealed by "):
            ended = self.ends[-1].day
        return Dating(
            validity,
            tuple(self._unheld()),
            tuple(dict.fromkeys(self.conflicts)),
            self._commenced(),
            self._first_passed(),
            ended,
            self.editions,
            earlier,
        )

    # -- the end of an edition ---------------------------------------------------------------------

    def _end(self, place: int) -> _End:
        edition, begun = self.editions[place], self.begins[place]
        repeal = self._repeal_of(place)
        has_successor = place + 1 < len(self.editions)
        if has_successor and (repeal is None or self.begins[place + 1].day < repeal.day):
            return self._succeeded(place)
        if repeal is not None and repeal.day > begun.day:
            return _End(repeal.day, "exact", f"repealed by {repeal.title}")
        return _last_end(edition, begun)

    def _succeeded(self, place: int) -> _End:
        """Ended by the next edition, on the day it came into force, if nothing came between."""
        edition, following = self.editions[place], self.editions[place + 1]
        begun, begins = self.begins[place], self.begins[place + 1]
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

    def _repeal_of(self, place: int) -> RepealedBy | None:
        """The first repeal that puts an end to an edition, not to an older law of its title."""
        edition = self.editions[place]
        found = [
            repeal
            for repeal in self.repeals
            if edition.passed + SLIP < repeal.passed and self._is_meant(repeal)
        ]
        known, is_last = self.known, place == len(self.editions) - 1
        if known and known.ended and is_last and known.ended > self.begins[place].day:
            by = "、".join(known.succeeded_by) or "its successor"
            found.append(RepealedBy(by, known.ended, known.ended))
        return min(found, key=lambda one: (one.day, one.title), default=None)

    def _is_meant(self, repeal: RepealedBy) -> bool:
        """Whether a repeal that names the law with a day means the one these editions are of."""
        if repeal.made is None:
            return True
        first = self.editions[0]
        known = {day for edition in self.editions for day in edition.days}
        named = any(abs(repeal.made - day) <= SLIP for day in known)
        return named or (first.kind is None and repeal.made < first.passed)

    # -- the validity of a record ------------------------------------------------------------------

    def _validity(self, place: int, record: Record) -> Validity:
        stated, begun, end = record.version.validity, self.begins[place], self.ends[place]
        if record.version.scope is not None and stated.start is not None:
            return self._validity_of_extract(place, record.version)
        by_instruments = stated.evidence == "instrument" and stated.status == "exact"
        if by_instruments and stated.start is not None:
            if stated.end != end.day and end.status == "exact":
                about = f"end of {self.editions[place].name}"
                taken, left = f"{stated.end} (instrument)", f"{end.day} ({end.by})"
                self.conflicts.append(Conflict(about, taken, left))
            ends_by = f"as {record.version.source.name} states"
            return replace(stated, begins_by=begun.by, ends_by=ends_by)
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

    def _validity_of_extract(self, place: int, version: Version) -> Validity:
        """An extract was made knowing all acts up to a day; only later ones end what is left open.

        What is between its versions it has looked at: acts that left its provisions alone.
        """
        stated, last = version.validity, self.ends[-1]
        if stated.status != "open":
            return stated
        as_of = max(filter(None, (version.source.as_of, version.promulgated, stated.start)))
        for later in range(place + 1, len(self.editions)):
            if self.editions[later].passed > as_of:
                end = self._succeeded(later - 1)
                return replace(stated, end=end.day, status=end.status, ends_by=end.by)
        if last.status == "exact" and last.day is not None and last.day > as_of:
            return replace(stated, end=last.day, status="exact", ends_by=last.by)
        known = max(filter(None, (as_of, last.as_of)))
        return replace(stated, as_of=known, begins_by="the instrument")

    # -- texts that are not held -------------------------------------------------------------------

    def _earlier_texts(self, place: int) -> Iterator[EarlierText]:
        """The texts not held before an edition that differ from it in known provisions only."""
        while place > 0:
            edition, before = self.editions[place], self.editions[place - 1]
            whole = any(record.version.scope is None for record in before.records)
            if whole or edition.only is None or self.begins[place - 1].presumed:
                return
            by = f"the act of {edition.passed} left it as it was"
            yield EarlierText(self.begins[place - 1].day, edition.only, by)
            place -= 1

    def _unheld(self) -> Iterator[Unheld]:
        """Days of editions whose text is not held, or not known to have begun."""
        last = len(self.editions) - 1
        for place, (edition, begun) in enumerate(zip(self.editions, self.begins, strict=True)):
            if edition.records and not begun.presumed:
                continue
            start = edition.passed if begun.presumed else begun.day
            end = self.begins[place + 1].day if place < last else self.ends[place].day
            if end is not None and end <= start:
                continue
            why = f"{edition.name} is not held"
            if edition.records:
                why = f"{edition.name} is held, but not known to have been in force yet"
            yield Unheld(DateRange(start, end), why)

    # -- the life of the law -----------------------------------------------------------------------

    def _commenced(self) -> date | None:
        """The first day the law was ever in force: no text of its title is older."""
        if self.known is not None and self.known.commenced is not None:
            return self.known.commenced
        return self.editions[0].commenced if self._first_passed() else None

    def _first_passed(self) -> date | None:
        """The day the first text was made, if a history begins with it and it replaced no other."""
        if not self.editions or self.editions[0].kind != "original":
            return None
        first = self.editions[0].passed
        if any(repeal.made is not None and repeal.made < first - SLIP for repeal in self.repeals):
            return None
        recorded = self.known.commenced if self.known else None
        return first if recorded is None or recorded >= first else None


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


def _shown_on(record: Record) -> date | None:
    """The last day on which a source showed the text in force, if it did."""
    version, validity = record.version, record.version.validity
    if validity.status != "open":
        return version.text_as_of
    known = [day for day in (version.source.as_of, version.promulgated) if day is not None]
    return max(known, default=validity.start)
