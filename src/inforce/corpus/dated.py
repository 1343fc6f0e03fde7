"""A law with its dates worked out: what the store answers from."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from inforce.corpus import queries
from inforce.corpus.dating import Dating, Record, RepealedBy, date_work
from inforce.corpus.records import Held
from inforce.law.model import Provision, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import find_work
from inforce.law.timeline import Claim, Span, Timeline, TimelineBuilder, build_timeline


@dataclass(frozen=True)
class DatedWork:
    """Every record held of a law, each in force for the days that all of them together show."""

    title: str
    held: tuple[Held, ...]
    dating: Dating

    @property
    def versions(self) -> tuple[Version, ...]:
        """The records, in order of time as their sources state it."""
        return tuple(one.version for one in self.held)

    @property
    def editions(self) -> tuple[Span, ...]:
        """The records that answer for the law's days, in order of time.

        Records compete as the claims on one provision do: the better dated wins each day. One that
        holds some articles only counts where no text of the whole law is held.
        """
        whole, versions = ProvisionNumber("whole"), self.versions
        texts = [version for version in versions if version.scope is None] or versions
        claims = [Claim(version, Provision(whole, version.text_hash)) for version in texts]
        timeline = build_timeline(self.title, whole, claims)
        return tuple(span for span in timeline.spans if span.state == "in_force")

    def timeline(self, number: ProvisionNumber, provisions: Mapping[int, Provision]) -> Timeline:
        """What one provision said on every day, from what each record (by row) has under it."""
        return self._builder.build(number, self._claims(number, provisions))

    @cached_property
    def _builder(self) -> TimelineBuilder:
        dating = self.dating
        return TimelineBuilder(
            self.title,
            commenced=dating.commenced,
            passed=dating.passed,
            last_known_end=dating.ended,
            unheld=dating.unheld,
        )

    def _claims(
        self, number: ProvisionNumber, provisions: Mapping[int, Provision]
    ) -> Iterator[Claim]:
        for held in self.held:
            provision = provisions.get(held.id)
            if provision is not None:
                yield Claim(self._of_number(held, number), provision)
            elif held.denies(number):
                yield Claim(self._of_number(held, number), None)

    def _of_number(self, held: Held, number: ProvisionNumber) -> Version:
        """The record as far as one article is concerned: it may have begun earlier or later.

        Later where the last articles set its commencement apart; earlier where the acts that made
        the text are known to have left it alone.
        """
        validity = held.version.validity
        start, by = validity.start, validity.begins_by
        for back in self.dating.back.get(held.version.key, ()):
            if number in back.but:
                break
            start, by = back.start, back.by
        for part in held.final_provisions.parts:
            after = start is None or part.day > start
            if number in part.numbers and after and (not validity.end or part.day < validity.end):
                start, by = part.day, f"its last articles, for {number}"
        if start == validity.start:
            return held.version
        moved = replace(validity, start=start, start_presumed=False, begins_by=by)
        stated = held.version.stated or validity
        return replace(held.version, validity=moved, stated=stated)


def dated_work(db: sqlite3.Connection, title: str, row_id: int) -> DatedWork:
    """Date a law from everything the file holds of it, and from what other laws say repeals it."""
    held = queries.held_versions(db, title, row_id)
    known = find_work(title)
    known = known if known is not None and known.title == title else None
    records = _records(db, held)
    clauses = queries.repeals_of(db, title)
    repeals: list[RepealedBy] = []
    for clause in clauses:
        repeals += _repealed_by(db, clause, records if clause.work == title else None)
    dating = date_work(
        title, records, known=known, repeals=repeals, instruments=_instruments(db, records)
    )
    return DatedWork(title, tuple(_derived(one, dating) for one in held), dating)


def _records(db: sqlite3.Connection, held: list[Held]) -> list[Record]:
    """The records with the day on which each source was current, stated or at the earliest."""
    found: list[Record] = []
    for one in held:
        source = one.version.source
        if source.as_of is None and (newest := queries.newest_of_source(db, source)) is not None:
            source = replace(source, as_of=newest)
        version = replace(one.version, source=source)
        found.append(Record(version, one.final_provisions, one.version.source.as_of))
    return found


def _instruments(db: sqlite3.Connection, records: list[Record]) -> dict[str, date]:
    """When the decisions that the histories name came into force, as far as they are held."""
    acts = {act for record in records for act in record.version.history if act.decision}
    found: dict[str, date] = {}
    for act in acts:
        for made, commenced in queries.commencements_of(db, act.decision):
            if made == act.day:
                found[act.decision] = commenced
    return found


def _derived(held: Held, dating: Dating) -> Held:
    version = held.version
    validity = dating.validity.get(version.key)
    if validity is None:
        return held
    return held._replace(version=replace(version, validity=validity, stated=version.validity))


def _repealed_by(
    db: sqlite3.Connection, clause: queries.RepealClause, own: list[Record] | None
) -> Iterator[RepealedBy]:
    """When the text that holds a repeal clause came into force, and so the repeal took effect."""
    row_id = queries.work_id(db, clause.work)
    assert row_id is not None
    records = own or _records(db, queries.held_versions(db, clause.work, row_id))
    known = find_work(clause.work)
    dating = date_work(clause.work, records, known=known)
    for place, edition in enumerate(dating.editions):
        for record in edition.records:
            if record.version.key != clause.version_key:
                continue
            whole = next(
                (one for one in reversed(dating.editions[: place + 1]) if one.is_whole), edition
            )
            begun = dating.begins.get(id(whole))
            day = record.final_provisions.commenced or begun
            if day is not None:
                yield RepealedBy(clause.work, day, whole.passed, clause.made)
