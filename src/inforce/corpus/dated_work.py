"""A law of the corpus with its dates worked out: which version answers on which days."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from inforce.corpus import rows
from inforce.corpus.dating import Dating, Record, RepealedBy, date_work
from inforce.corpus.rows import StoredVersion
from inforce.dates import DateRange
from inforce.law.model import Provision, Source, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import find_work, title_key
from inforce.law.timeline import Claim, Span, Timeline
from inforce.law.timeline_builder import TimelineBuilder

_NEWEST_OF_SOURCE = """
    SELECT max(promulgated) FROM version WHERE source_name = ? AND source_revision = ?
"""
_REPEALS = """
    SELECT DISTINCT work.id, work.title, version.key, repeal.made FROM repeal
    JOIN version ON version.id = version_id JOIN work ON work.id = work_id WHERE repeal.key = ?
    ORDER BY work.title, version.key
"""
_LAST_ARTICLES = """
    SELECT promulgated, closing FROM version JOIN work ON work.id = work_id WHERE work.key = ?
"""


@dataclass(frozen=True)
class DatedWork:
    """Every version held of a law, each in force for the days that all of them together show."""

    id: int
    title: str
    stored: tuple[StoredVersion, ...]
    dating: Dating

    @property
    def versions(self) -> tuple[Version, ...]:
        """The versions, in order of time as their sources state it."""
        return tuple(one.version for one in self.stored)

    @cached_property
    def editions(self) -> tuple[Span, ...]:
        """The versions that answer for the law's days, in order of time.

        Versions compete as the claims on one provision do: the better dated wins each day. One that
        holds some articles only counts where no text of the whole law is held.
        """
        whole, versions = ProvisionNumber("whole"), self.versions
        texts = [version for version in versions if version.scope is None] or versions
        claims = [Claim(version, Provision(whole, version.text_hash)) for version in texts]
        timeline = TimelineBuilder(self.title).build(whole, claims)
        return tuple(span for span in timeline.spans if span.state == "in_force")

    def timeline(self, number: ProvisionNumber, provisions: Mapping[int, Provision]) -> Timeline:
        """Build the timeline of one provision from what each version (by its row) says under it."""
        claims = (
            Claim(self._version_of(stored, number), provisions.get(stored.id))
            for stored in self.stored
            if stored.id in provisions or stored.denies(number)
        )
        return self._builder.build(number, claims)

    @cached_property
    def _builder(self) -> TimelineBuilder:
        dating = self.dating
        return TimelineBuilder(
            self.title,
            commenced=dating.commenced,
            passed=dating.passed,
            ended=dating.ended,
            unheld=dating.unheld,
        )

    def _version_of(self, stored: StoredVersion, number: ProvisionNumber) -> Version:
        """A version as far as one article is concerned, which may have begun earlier or later.

        Later where the last articles set its commencement apart; earlier where the acts that made
        the text are known to have left it alone.
        """
        validity = stored.version.validity
        start, by = validity.start, validity.begins_by
        for earlier in self.dating.earlier.get(stored.version.key, ()):
            if number in earlier.changed:
                break
            start, by = earlier.start, earlier.by
        for part in stored.final_provisions.parts:
            after = start is None or part.day > start
            if number in part.numbers and after and (not validity.end or part.day < validity.end):
                start, by = part.day, f"its last articles, for {number}"
        if start == validity.start:
            return stored.version
        moved = replace(validity, start=start, start_presumed=False, begins_by=by)
        stated = stored.version.stated or validity
        return replace(stored.version, validity=moved, stated=stated)


def dated_work(db: sqlite3.Connection, row_id: int, title: str) -> DatedWork:
    """Date a law from everything the file holds of it, and from what other laws say repeals it."""
    stored = rows.versions_of_work(db, title, row_id)
    known = find_work(title)
    records = _records(db, stored)
    dating = date_work(
        title,
        records,
        known=known if known is not None and known.title == title else None,
        repeals=list(_repeals(db, title, records)),
        instruments=_commencements(db, records),
    )
    return DatedWork(row_id, title, tuple(_with_days(one, dating) for one in stored), dating)


def _with_days(stored: StoredVersion, dating: Dating) -> StoredVersion:
    version = stored.version
    validity = dating.validity.get(version.key)
    if validity is None:
        return stored
    return stored._replace(version=replace(version, validity=validity, stated=version.validity))


def _records(db: sqlite3.Connection, stored: Iterable[StoredVersion]) -> list[Record]:
    """The versions with the day on which each source was current, stated or at the earliest."""
    records: list[Record] = []
    for one in stored:
        version, source = one.version, one.version.source
        if source.as_of is None and (newest := _newest_of_source(db, source)) is not None:
            version = replace(version, source=replace(source, as_of=newest))
        records.append(Record(version, one.final_provisions, source.as_of))
    return records


def _newest_of_source(db: sqlite3.Connection, source: Source) -> date | None:
    """The newest act a repository knew in one of its states: it was current then at the earliest.

    Only a state of a repository is one source; files that were put into a folder are many.
    """
    if not source.revision:
        return None
    return rows.day_from(
        db.execute(_NEWEST_OF_SOURCE, (source.name, source.revision)).fetchone()[0]
    )


def _repeals(db: sqlite3.Connection, title: str, own: list[Record]) -> Iterator[RepealedBy]:
    """The repeals of a law by the texts held, its own later ones included."""
    for row_id, by, version_key, made in db.execute(_REPEALS, (title_key(title),)).fetchall():
        records = own if by == title else _records(db, rows.versions_of_work(db, by, row_id))
        dating = date_work(by, records, known=find_work(by))
        for place, edition in enumerate(dating.editions):
            # The clause takes effect when the text does that was last published whole.
            until_then = reversed(dating.editions[: place + 1])
            whole = next((one for one in until_then if one.is_whole), edition)
            for record in edition.records:
                day = record.final_provisions.commenced or whole.commenced
                if record.version.key == version_key and day is not None:
                    yield RepealedBy(by, day, whole.passed, rows.day_from(made))


def _commencements(db: sqlite3.Connection, records: Iterable[Record]) -> dict[str, date]:
    """When the decisions that the histories name came into force, as far as they are held."""
    acts = {act for record in records for act in record.version.history if act.decision}
    found: dict[str, date] = {}
    for act in acts:
        days: list[date] = []
        for promulgated, cell in db.execute(_LAST_ARTICLES, (title_key(act.decision),)):
            commenced = rows.final_provisions_from(cell).commenced
            if promulgated == act.day.isoformat() and commenced is not None:
                days.append(commenced)
        if days:
            found[act.decision] = max(days)
    return found


def count_versions(records: Iterable[Version]) -> int:
    """Count the versions among records of one law: equal texts of the same days are one version.

    A text that came back after another one had replaced it is a version of its own.
    """
    windows: defaultdict[str, list[DateRange]] = defaultdict(list)
    for record in records:
        window = record.validity.window
        windows[record.text_hash] += [window] if window else []
    count = 0
    for of_text in windows.values():
        separate, until = 0, date.min
        for window in sorted(of_text, key=lambda one: one.start):
            separate += window.start >= until
            until = max(until, window.end or date.max)
        count += max(separate, 1)
    return count
