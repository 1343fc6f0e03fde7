"""Timeline JSON: one law in all its versions, written so that a person can read and mend it.

A file lists the versions of a law and, for each provision, only the texts at which it changed::

    {"format": "inforce-timeline/1",
     "law": "中华人民共和国刑法",
     "source": {"name": "…", "path": "…", "revision": "…", "licence": "…",
                "as_of": "2026-07-17"},
     "versions": [
       {"label": "1997修订", "valid_from": "1997-10-01", "valid_to": "2011-04-30",
        "valid_to_status": "exact", "promulgated": "1997-03-14", "instrument": "…"},
       {"label": "2011修正", "valid_from": "2011-05-01", "valid_to": null}],
     "provisions": [
       {"no": "第七十四条", "path": "第一编 总则 / …",
        "texts": [{"since": "1997修订", "text": "…"}, {"since": "2011修正", "text": "…"}]}],
     "captions": [
       {"no": "第二百六十四条", "name": "盗窃罪", "valid_from": "1997-12-16", "valid_to": null,
        "authority": "法释〔1997〕9号"}]}

* ``valid_to`` is the last day, included; ``null`` means still in force. ``valid_to_status`` may be
  left out (``exact`` with a last day, ``open`` without), or be ``presumed`` or ``unknown``.
* A text holds from its version until the next one listed. ``"text": null`` says that the law had no
  such provision from that version on. Before its first text the file says nothing of a provision.
* A version with ``"whole": true`` is the whole law: what it does not list, the law did not have,
  but for the numbers in its ``missing``. ``history`` are the dated lines above its text.
* ``as_of`` is the day up to which the file knows every act; the last day it names where left out.
* ``path`` gives the headings above a provision; a text may carry its own where they differ.
* ``category``, ``note`` and ``differences`` are for people; ``captions`` may also have a file
  of their own, with ``"format": "inforce-captions/1"`` and ``law``, which `parse_captions` reads.

Dates are taken from the instruments themselves, so a version counts as evidence of the best kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import get_args

from inforce.dates import DateRange
from inforce.documents.json_records import JsonFile, JsonObject
from inforce.errors import IdentifierError
from inforce.law.history import read_history
from inforce.law.model import (
    Caption,
    DateStatus,
    Provision,
    Source,
    Validity,
    Version,
    VersionText,
    provisions_hash,
)
from inforce.law.numerals import ProvisionNumber

FORMAT = "inforce-timeline/1"
"""The ``format`` field of a timeline file."""

CAPTIONS_FORMAT = "inforce-captions/1"
"""The ``format`` field of a captions file."""


@dataclass(frozen=True, slots=True)
class CaptionList:
    """The captions of the provisions of one law."""

    work: str
    captions: tuple[Caption, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """One provision across the versions of its file."""

    number: ProvisionNumber
    first: int
    """The place of the first version for which the file states this provision."""
    wordings: tuple[Provision | None, ...]
    """The wording in that version and in each later one; ``None`` where the law had none."""


def parse_timeline(file: JsonFile) -> tuple[VersionText, ...]:
    """Every version of the law in a timeline file, oldest first.

    Raises:
        InputError: if anything in the file is wrong; then nothing of it is returned.
    """
    document = _document(file, FORMAT)
    versions = _versions(document)
    rows = _rows(document, [version.label for version in versions])
    texts = tuple(_text(version, place, rows) for place, version in enumerate(versions))
    return with_captions(texts, _captions(document))


def parse_captions(file: JsonFile) -> CaptionList:
    """The captions in a file of their own.

    Raises:
        InputError: if anything in the file is wrong.
    """
    document = _document(file, CAPTIONS_FORMAT)
    return CaptionList(document.required_text("law"), _captions(document))


def with_captions(
    texts: Iterable[VersionText], captions: Sequence[Caption]
) -> tuple[VersionText, ...]:
    """The same versions, each with the captions that were in use while it was in force."""
    captioned: list[VersionText] = []
    for text in texts:
        window = text.version.validity.window
        in_use = [one for one in captions if window is None or one.window.overlaps(window)]
        captioned.append(replace(text, captions=(*text.captions, *in_use)))
    return tuple(captioned)


def _document(file: JsonFile, wanted: str) -> JsonObject:
    document = file.parse()
    written = document.values.get("format")
    if written != wanted:
        reason = f"the format is {written!r:.40}; this reader knows {wanted!r}"
        raise document.problem(reason, field="format")
    return document


def _versions(document: JsonObject) -> tuple[Version, ...]:
    records = document.objects("versions")
    if not records:
        raise document.problem("a law needs at least one version", field="versions")
    work, origin = document.required_text("law"), document.object("source")
    source = Source(
        origin.required_text("name"),
        path=origin.text("path"),
        revision=origin.text("revision"),
        licence=origin.text("licence") or Source("").licence,
        as_of=origin.day("as_of"),
    )
    category = document.text("category")
    versions = [_version(record, work, source, category) for record in records]
    _check_order(records, versions)
    return tuple(versions)


def _version(record: JsonObject, work: str, source: Source, category: str) -> Version:
    label = record.required_text("label")
    return Version(
        work,
        label,
        _validity(record.named(f"the version {label!r}")),
        promulgated=record.day("promulgated"),
        instrument=record.text("instrument"),
        source=source,
        category=category,
        note=record.text("note"),
        scope=None if record.value("whole") is True else frozenset(),
        holes=frozenset(_read_number(text, record) for text in record.texts("missing")),
        history=read_history(record.texts("history")),
    )


def _validity(record: JsonObject) -> Validity:
    start, end = record.required_day("valid_from"), _end(record)
    status = record.text("valid_to_status") or ("exact" if end else "open")
    known: dict[str, DateStatus] = {one: one for one in get_args(DateStatus)}
    if status not in known:
        names = ", ".join(known)
        raise record.problem(f"the status {status!r} is none of {names}", field="valid_to_status")
    try:
        return Validity(start, end, known[status], "instrument")
    except ValueError as error:
        raise record.problem(str(error), field="valid_to") from None


def _end(record: JsonObject) -> date | None:
    """The first day no longer in force, from the last day as written."""
    last = record.day("valid_to")
    return None if last is None else DateRange.day(last).end


def _check_order(records: Sequence[JsonObject], versions: Sequence[Version]) -> None:
    labels: set[str] = set()
    for record, version in zip(records, versions, strict=True):
        if version.label in labels:
            raise record.problem(f"the label {version.label!r} occurs twice", field="label", nth=2)
        labels.add(version.label)
    for record, (earlier, later) in zip(records[1:], pairwise(versions), strict=True):
        if not _follows(earlier.validity, later.validity):
            reason = f"{later.label!r} begins before {earlier.label!r} has ended"
            raise record.problem(reason, field="valid_from")


def _follows(earlier: Validity, later: Validity) -> bool:
    """Whether the later window can come after the earlier; an end nobody knows is no obstacle."""
    if earlier.start is None or later.start is None or later.start <= earlier.start:
        return False
    if earlier.end is None:
        return earlier.status == "unknown"
    return earlier.end <= later.start


def _rows(document: JsonObject, labels: Sequence[str]) -> tuple[_Row, ...]:
    records = document.objects("provisions")
    rows = [_row(record, labels) for record in records]
    for record, (earlier, later) in zip(records[1:], pairwise(rows), strict=True):
        if later.number == earlier.number:
            raise record.problem(f"{later.number} occurs twice", field="no", nth=2)
        if later.number < earlier.number:
            reason = f"{later.number} comes after {earlier.number}; put it before"
            raise record.problem(reason, field="no")
    return tuple(rows)


def _row(record: JsonObject, labels: Sequence[str]) -> _Row:
    number = _number(record)
    named = record.named(f"the provision {number}")
    path = named.text("path")
    texts = named.objects("texts")
    if not texts:
        raise named.problem("has no text; give at least one", field="texts")
    places: list[int] = []
    for text in texts:
        since = text.required_text("since")
        if since not in labels:
            raise text.problem(f"no version is labelled {since!r}", field="since", nth=1)
        places.append(labels.index(since))
    for text, (earlier, later) in zip(texts[1:], pairwise(places), strict=True):
        if later <= earlier:
            reason = f"{labels[later]!r} does not come after {labels[earlier]!r}"
            raise text.problem(reason, field="since")
    wordings = [_wording(text, number, path) for text in texts]
    until = [*places[1:], len(labels)]
    spread = zip(wordings, places, until, strict=True)
    return _Row(number, places[0], tuple(w for w, start, end in spread for _ in range(start, end)))


def _number(record: JsonObject) -> ProvisionNumber:
    return _read_number(record.required_text("no"), record)


def _read_number(text: str, where: JsonObject) -> ProvisionNumber:
    try:
        return ProvisionNumber.parse(text)
    except IdentifierError as error:
        raise where.problem(str(error), field="no") from None


def _wording(record: JsonObject, number: ProvisionNumber, path: str) -> Provision | None:
    if "text" not in record.values:
        reason = "'text' is missing; write null where the law had none"
        raise record.problem(reason, field="since")
    if record.value("text") is None:
        return None
    return Provision(number, record.required_text("text"), record.text("path") or path)


def _text(version: Version, place: int, rows: Sequence[_Row]) -> VersionText:
    known = [row for row in rows if row.first <= place]
    wordings = (row.wordings[place - row.first] for row in known)
    provisions = tuple(wording for wording in wordings if wording is not None)
    scope = None if version.scope is None else frozenset(row.number for row in known)
    digest = provisions_hash(provisions)
    return VersionText(replace(version, scope=scope, text_hash=digest), provisions)


def _captions(document: JsonObject) -> tuple[Caption, ...]:
    captions: list[Caption] = []
    for record in document.objects("captions"):
        name = record.required_text("name")
        named = record.named(f"the caption {name!r}")
        start, end = named.required_day("valid_from"), _end(named)
        if end is not None and end <= start:
            raise named.problem("ends before it begins", field="valid_to")
        number, authority = _number(named), named.required_text("authority")
        captions.append(Caption(number, name, DateRange(start, end), authority))
    return tuple(captions)
