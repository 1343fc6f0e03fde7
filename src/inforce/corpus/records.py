"""How versions, provisions and captions are written into rows, and read back unchanged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from inforce.dates import DateRange
from inforce.law.final_provisions import FinalProvisions, PartCommencement
from inforce.law.model import Act, Caption, Provision, Source, Validity, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import title_key

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
    "as_of",
    "text_as_of",
)


class Held(NamedTuple):
    """A version as stored: its row, the record, the kinds of number its text uses, its clauses."""

    id: int
    version: Version
    kinds: frozenset[str]
    final_provisions: FinalProvisions

    def denies(self, number: ProvisionNumber) -> bool:
        """Whether a record that lacks ``number`` says that the law had no such provision.

        A text numbered 一、二、三、 says nothing of articles. An extract answers for its scope.
        """
        comparable = self.version.scope is not None or number.kind in self.kinds
        return comparable and self.version.speaks_of(number)


def version_row(version: Version) -> tuple[str | None, ...]:
    """The cells of `VERSION_COLUMNS`."""
    validity, source = version.stated or version.validity, version.source
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
        _iso(source.as_of),
        _iso(version.text_as_of),
    )


def version_from(work: str, cells: Row, history: tuple[Act, ...] = ()) -> Version:
    """The version written by `version_row`, with the acts written by `act_row`."""
    label, starts, ends, status, evidence, promulgated, instrument, scope, holes = cells[:9]
    name, path, revision, licence, category, note, text_hash, as_of, text_as_of = cells[9:]
    return Version(
        work,
        label,
        Validity(_day(starts), _day(ends), status, evidence),
        promulgated=_day(promulgated),
        instrument=instrument,
        scope=None if scope is None else _numbers_from(scope),
        holes=_numbers_from(holes),
        source=Source(name, path=path, revision=revision, licence=licence, as_of=_day(as_of)),
        category=category,
        note=note,
        text_hash=text_hash,
        text_as_of=_day(text_as_of),
        history=history,
    )


def act_row(act: Act) -> tuple[str, str, str, str]:
    """Day, kind, body and decision."""
    return (act.day.isoformat(), act.kind, act.body, act.decision)


def act_from(cells: Row) -> Act:
    """The act written by `act_row`."""
    day, kind, body, decision = cells
    return Act(date.fromisoformat(day), kind, body, decision)


def final_provisions_cell(final_provisions: FinalProvisions) -> str:
    """The commencement clauses of a text as JSON; what it repeals has a table of its own."""
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


RepealRow = tuple[str, str, str | None]
"""The key of a title, the title, and the day the law was made, where that is said."""


def repeal_rows(final_provisions: FinalProvisions) -> list[RepealRow]:
    """What the clauses of a text repeal."""
    return [
        (title_key(one.title), one.title, one.made.isoformat() if one.made else None)
        for one in final_provisions.repeals
    ]


def final_provisions_from(cell: str) -> FinalProvisions:
    """The clauses written by `final_provisions_cell`."""
    fields: dict[str, Any] = json.loads(cell)
    return FinalProvisions(
        _day(fields.get("commenced")),
        bool(fields.get("on_promulgation")),
        tuple(
            PartCommencement(tuple(map(number_from, iris)), date.fromisoformat(day))
            for day, iris in fields.get("parts", [])
        ),
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
    *row, as_of, text_as_of = version_row(version)
    digest = hashlib.sha256(json.dumps([version.work, *row]).encode())
    if as_of or text_as_of or version.history:
        more = [as_of, text_as_of, *map(act_row, version.history)]
        digest.update(json.dumps(more).encode())
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
