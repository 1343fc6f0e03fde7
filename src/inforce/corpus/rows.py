"""Rows of the corpus file: values written into cells, read back unchanged, and found by law."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from inforce.dates import DateRange
from inforce.law.final_provisions import FinalProvisions, PartCommencement
from inforce.law.model import Act, Caption, Provision, Source, Validity, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import title_key

Row = Sequence[Any]
"""A row as SQLite returns it; the functions here give its cells their types back."""

RepealRow = tuple[str, str, str | None]
"""The key of a title, the title, and the day the law was made, where the clause states it."""

VERSION_COLUMNS = (
    "label",
    "starts",
    "ends",
    "status",
    "evidence",
    "promulgated",
    "instrument",
    "scope",
    "holes",
    "source_name",
    "source_path",
    "source_revision",
    "source_licence",
    "category",
    "note",
    "text_hash",
    "as_of",
    "text_as_of",
)

_VERSIONS_OF_WORK = f"""
    SELECT id, kinds, closing, {", ".join(VERSION_COLUMNS)} FROM version WHERE work_id = ?
"""
_ACTS_OF_WORK = """
    SELECT version_id, day, kind, body, decision FROM act
    JOIN version ON version.id = version_id WHERE work_id = ? ORDER BY version_id, position
"""
_PROVISIONS = """
    SELECT version.id, provision.number, body.text, heading.text FROM version
    JOIN provision ON provision.version_id = version.id
    JOIN text AS body ON body.id = provision.text_id
    JOIN text AS heading ON heading.id = provision.path_id
"""
_OF_NUMBER = f"{_PROVISIONS} WHERE version.work_id = ? AND provision.number = ?"
_OF_WORK = f"{_PROVISIONS} WHERE version.work_id = ? ORDER BY version.id, provision.position"
_OF_VERSION = f"{_PROVISIONS} WHERE version.key = ? ORDER BY provision.position"


class StoredVersion(NamedTuple):
    """A version as it is stored: its row, the record, and what was read from its text."""

    id: int
    version: Version
    kinds: frozenset[str]
    """The kinds of number that its provisions have."""
    final_provisions: FinalProvisions

    def denies(self, number: ProvisionNumber) -> bool:
        """Whether a record that lacks ``number`` says that the law had no such provision.

        A text numbered 一、二、三、 says nothing of articles. An extract answers for its scope.
        """
        comparable = self.version.scope is not None or number.kind in self.kinds
        return comparable and self.version.speaks_of(number)


# -- look-ups by law, number and version -----------------------------------------------------------


def work_id(db: sqlite3.Connection, title: str) -> int | None:
    """Return the row of a law, or ``None`` where no law of this title is held."""
    row = db.execute("SELECT id FROM work WHERE title = ?", (title,)).fetchone()
    return row[0] if row else None


def versions_of_work(db: sqlite3.Connection, work: str, row_id: int) -> list[StoredVersion]:
    """Return every version of a law as its source states it, in order of time."""
    acts: dict[int, list[Act]] = {}
    for version_id, day, kind, body, decision in db.execute(_ACTS_OF_WORK, (row_id,)):
        act = Act(date.fromisoformat(day), kind, body, decision)
        acts.setdefault(version_id, []).append(act)
    stored = [
        StoredVersion(
            version_id,
            _version_from(work, cells, tuple(acts.get(version_id, ()))),
            frozenset(kinds.split()),
            final_provisions_from(closing),
        )
        for version_id, kinds, closing, *cells in db.execute(_VERSIONS_OF_WORK, (row_id,))
    ]
    return sorted(stored, key=lambda one: by_time(one.version))


def by_time(version: Version) -> tuple[str, str, str]:
    """Sort key of versions: by first day, undated last, then by key so that the order is fixed."""
    validity = version.validity
    start = validity.start or version.promulgated
    return (start.isoformat() if start else "9999", validity.status, version.key)


def provisions_of_number(
    db: sqlite3.Connection, row_id: int, number: ProvisionNumber
) -> dict[int, Provision]:
    """Return what each version of a law has under one number, by the row of the version."""
    rows = db.execute(_OF_NUMBER, (row_id, number.iri))
    return {version_id: _provision(cells) for version_id, *cells in rows}


def has_wording(db: sqlite3.Connection, row_id: int, number: ProvisionNumber, text: str) -> bool:
    """Tell whether a version of a law has these words under a number."""
    found = db.execute(f"{_OF_NUMBER} AND body.text = ? LIMIT 1", (row_id, number.iri, text))
    return found.fetchone() is not None


def provisions_of_work(
    db: sqlite3.Connection, row_id: int
) -> Mapping[int, Mapping[ProvisionNumber, Provision]]:
    """Return every provision of every version of a law, by the row of the version, in order."""
    found: dict[int, dict[ProvisionNumber, Provision]] = {}
    for version_id, *cells in db.execute(_OF_WORK, (row_id,)):
        provision = _provision(cells)
        found.setdefault(version_id, {})[provision.number] = provision
    return found


def provisions_of_version(db: sqlite3.Connection, key: str) -> tuple[Provision, ...] | None:
    """Return the provisions of one version in order; ``None`` where it is not held."""
    if not db.execute("SELECT 1 FROM version WHERE key = ?", (key,)).fetchone():
        return None
    return tuple(_provision(cells) for _, *cells in db.execute(_OF_VERSION, (key,)))


def _provision(cells: Row) -> Provision:
    number, text, path = cells
    return Provision(number_from(number), text, path)


# -- values and cells ------------------------------------------------------------------------------


def version_row(version: Version) -> tuple[str | None, ...]:
    """Write a version into the cells of `VERSION_COLUMNS`."""
    validity, source = version.stated or version.validity, version.source
    return (
        version.label,
        iso(validity.start),
        iso(validity.end),
        validity.status,
        validity.evidence,
        iso(version.promulgated),
        version.instrument,
        None if version.scope is None else _numbers_json(version.scope),
        _numbers_json(version.holes),
        source.name,
        source.path,
        source.revision,
        source.licence,
        version.category,
        version.note,
        version.text_hash,
        iso(source.as_of),
        iso(version.text_as_of),
    )


def _version_from(work: str, cells: Row, history: tuple[Act, ...]) -> Version:
    label, starts, ends, status, evidence, promulgated, instrument, scope, holes = cells[:9]
    name, path, revision, licence, category, note, text_hash, as_of, text_as_of = cells[9:]
    return Version(
        work,
        label,
        Validity(day_from(starts), day_from(ends), status, evidence),
        promulgated=day_from(promulgated),
        instrument=instrument,
        scope=None if scope is None else _numbers_from(scope),
        holes=_numbers_from(holes),
        source=Source(name, path=path, revision=revision, licence=licence, as_of=day_from(as_of)),
        category=category,
        note=note,
        text_hash=text_hash,
        text_as_of=day_from(text_as_of),
        history=history,
    )


def act_row(act: Act) -> tuple[str, str, str, str]:
    """Write an act of a history: day, kind, body and decision."""
    return (act.day.isoformat(), act.kind, act.body, act.decision)


def final_provisions_cell(final_provisions: FinalProvisions) -> str:
    """Write the commencement clauses of a text as JSON; what it repeals has a table of its own."""
    fields: dict[str, object] = {}
    if final_provisions.commenced is not None:
        fields["commenced"] = final_provisions.commenced.isoformat()
    if final_provisions.on_promulgation:
        fields["on_promulgation"] = True
    if final_provisions.parts:
        fields["parts"] = [
            [part.day.isoformat(), [number.iri for number in part.numbers]]
            for part in final_provisions.parts
        ]
    return json.dumps(fields)


def final_provisions_from(cell: str) -> FinalProvisions:
    """Read the clauses written by `final_provisions_cell`."""
    fields: dict[str, Any] = json.loads(cell)
    return FinalProvisions(
        day_from(fields.get("commenced")),
        bool(fields.get("on_promulgation")),
        tuple(
            PartCommencement(tuple(map(number_from, iris)), date.fromisoformat(day))
            for day, iris in fields.get("parts", [])
        ),
    )


def repeal_rows(final_provisions: FinalProvisions) -> list[RepealRow]:
    """Write what the clauses of a text repeal."""
    return [
        (title_key(repeal.title), repeal.title, iso(repeal.made))
        for repeal in final_provisions.repeals
    ]


def caption_row(caption: Caption) -> tuple[str, str, str, str | None, str]:
    """Write a caption: number, name, first day, first day no longer official, authority."""
    window = caption.window
    starts, ends = window.start.isoformat(), iso(window.end)
    return (caption.number.iri, caption.name, starts, ends, caption.authority)


def caption_from(cells: Row) -> Caption:
    """Read a caption written by `caption_row`."""
    number, name, starts, ends, authority = cells
    return Caption(number_from(number), name, window_from(starts, ends), authority)


@lru_cache(maxsize=16_384)
def number_from(iri: str) -> ProvisionNumber:
    """Read a provision number from its ``iri``; the same few thousand occur in every law."""
    return ProvisionNumber.parse(iri)


def text_digest(text: str) -> bytes:
    """Return the SHA-256 by which the table of texts knows a wording."""
    return sha256(text.encode()).digest()


def iso(day: date | None) -> str | None:
    """Write a day as ``2021-01-01``."""
    return None if day is None else day.isoformat()


def day_from(text: str | None) -> date | None:
    """Read a day written by `iso`."""
    return None if text is None else date.fromisoformat(text)


def window_from(starts: str, ends: str | None) -> DateRange:
    """Read the days from a first day to a first day after."""
    return DateRange(date.fromisoformat(starts), day_from(ends))


def _numbers_json(numbers: Iterable[ProvisionNumber]) -> str:
    return json.dumps([number.iri for number in sorted(numbers)])


def _numbers_from(text: str) -> frozenset[ProvisionNumber]:
    iris: list[str] = json.loads(text)
    return frozenset(map(number_from, iris))
