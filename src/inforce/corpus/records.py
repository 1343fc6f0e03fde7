"""How versions, provisions and captions are written into rows, and read back unchanged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from inforce.dates import DateRange
from inforce.law.model import Caption, Provision, Source, Validity, Version
from inforce.law.numerals import ProvisionNumber

Row = Sequence[Any]
"""A row as SQLite returns it; the functions here give its cells their types back."""

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
)


class Held(NamedTuple):
    """A version as stored: its row, the record, and the kinds of number its text uses."""

    id: int
    version: Version
    kinds: frozenset[str]

    def denies(self, number: ProvisionNumber) -> bool:
        """Whether a record that lacks ``number`` says that the law had no such provision.

        A text numbered 一、二、三、 says nothing of articles. An extract answers for its scope.
        """
        comparable = self.version.scope is not None or number.kind in self.kinds
        return comparable and self.version.speaks_of(number)


def version_row(version: Version) -> tuple[str | None, ...]:
    """The cells of `VERSION_COLUMNS`."""
    validity, source = version.validity, version.source
    return (
        version.label,
        _iso(validity.start),
        _iso(validity.end),
        validity.status,
        validity.evidence,
        _iso(version.promulgated),
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
    )


def version_from(work: str, cells: Row) -> Version:
    """The version written by `version_row`."""
    label, starts, ends, status, evidence, promulgated, instrument, scope, holes = cells[:9]
    name, path, revision, licence, category, note, text_hash = cells[9:]
    return Version(
        work,
        label,
        Validity(_day(starts), _day(ends), status, evidence),
        promulgated=_day(promulgated),
        instrument=instrument,
        scope=None if scope is None else _numbers_from(scope),
        holes=_numbers_from(holes),
        source=Source(name, path=path, revision=revision, licence=licence),
        category=category,
        note=note,
        text_hash=text_hash,
    )


def caption_row(caption: Caption) -> tuple[str, str, str, str | None, str]:
    """Number, name, first day, first day no longer official, authority."""
    window = caption.window
    starts, ends = window.start.isoformat(), _iso(window.end)
    return (caption.number.iri, caption.name, starts, ends, caption.authority)


def caption_from(cells: Row) -> Caption:
    """The caption written by `caption_row`."""
    number, name, starts, ends, authority = cells
    window = DateRange(date.fromisoformat(starts), _day(ends))
    return Caption(number_from(number), name, window, authority)


def record_digest(version: Version, provisions: Iterable[Provision]) -> str:
    """A hash over everything a record says: equal digests are the same record."""
    digest = hashlib.sha256(json.dumps([version.work, *version_row(version)]).encode())
    for provision in provisions:
        digest.update(
            f"{provision.number.iri}\x1f{provision.path}\x1f{provision.hash}\x1e".encode()
        )
    return digest.hexdigest()


@lru_cache(maxsize=16_384)
def number_from(iri: str) -> ProvisionNumber:
    """The number whose ``iri`` this is; the same few thousand occur in every law."""
    return ProvisionNumber.parse(iri)


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _numbers_json(numbers: Iterable[ProvisionNumber]) -> str:
    return json.dumps([number.iri for number in sorted(numbers)])


def _numbers_from(text: str) -> frozenset[ProvisionNumber]:
    iris: list[str] = json.loads(text)
    return frozenset(map(number_from, iris))
