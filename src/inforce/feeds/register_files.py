"""Texts of the national register as they were fetched: a Word file each, and what is known of it.

Each text is stored whole before it is named in its note, so that what is there is complete.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, cast

from inforce.corpus.loaders.single_law import parse_docx
from inforce.corpus.titles import split_edition
from inforce.documents.files import OnProblem, read_file
from inforce.documents.json_records import JsonFile, JsonObject
from inforce.errors import InputError
from inforce.feeds.register import Details, Entry, State
from inforce.files import write_file
from inforce.law.model import Source, Validity, VersionText


@dataclass(frozen=True, slots=True)
class _Note:
    """What is known of a stored text."""

    entry: Entry
    versions: tuple[Entry, ...]
    day: date
    """The last day on which the register showed it so."""


class RegisterFiles:
    """The texts in a folder: ``KEY.docx`` with ``KEY.json``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "texts"
        self._notes: dict[str, _Note] = {}

    def keys(self) -> tuple[str, ...]:
        """The register's names of the texts stored, sorted."""
        return tuple(sorted(path.stem for path in self._folder.glob("*.json")))

    def has(self, entry: Entry) -> bool:
        """Whether the text is stored, and the register says nothing new of what it is."""
        note = self._note(entry.key)
        return note is not None and _same_text(note.entry, entry)

    def versions(self, key: str) -> tuple[Entry, ...]:
        """The other texts of its law that the register names."""
        note = self._note(key)
        return note.versions if note else ()

    def store(self, details: Details, content: bytes, *, day: date) -> None:
        """Store a text."""
        write_file(self._folder / f"{details.entry.key}.docx", content)
        self._write_note(_Note(details.entry, details.versions, day))

    def confirm(self, entry: Entry, *, day: date) -> None:
        """Note that the register shows a stored text today, and in which state it is now."""
        note = self._note(entry.key)
        if note is not None and (note.day != day or note.entry.state != entry.state):
            self._write_note(replace(note, entry=replace(note.entry, state=entry.state), day=day))

    def texts(self, publisher: str, *, on_problem: OnProblem) -> Iterator[VersionText]:
        """The texts stored; what cannot be read is reported."""
        for key in self.keys():
            path = self._folder / f"{key}.docx"
            try:
                note = self._note(key)
                if note is None:
                    raise InputError("its note is damaged: fetch it again", path=f"{key}.json")
                source = Source(publisher, path=key, as_of=note.day)
                name = f"{note.entry.title} ({key}.docx)"
                yield _registered(parse_docx(read_file(path), path=name, source=source), note.entry)
            except InputError as problem:
                on_problem(problem)

    def _note(self, key: str) -> _Note | None:
        """What is known of a stored text; one whose note is damaged counts as not stored."""
        if key not in self._notes:
            path = self._folder / f"{key}.json"
            try:
                note = _read_note(path) if path.is_file() else None
            except InputError:
                note = None
            if note is None:
                return None
            self._notes[key] = note
        return self._notes[key]

    def _write_note(self, note: _Note) -> None:
        self._notes[note.entry.key] = note
        written = json.dumps(asdict(note), ensure_ascii=False, default=str)
        write_file(self._folder / f"{note.entry.key}.json", written)


def _read_note(path: Path) -> _Note:
    record = JsonFile.read(path).parse()
    return _Note(
        _entry(record.object("entry")),
        tuple(map(_entry, record.objects("versions"))),
        record.required_day("day"),
    )


def _same_text(left: Entry, right: Entry) -> bool:
    return (left.title, left.promulgated, left.commenced) == (
        right.title,
        right.promulgated,
        right.commenced,
    )


def _registered(text: VersionText, entry: Entry) -> VersionText:
    """A text under the title and with the dates the register gives it."""
    work, label = split_edition(entry.title)
    made = entry.promulgated or text.version.promulgated
    begins = entry.commenced or text.version.validity.start
    in_force = entry.state in (3, 4)
    version = replace(
        text.version,
        work=work,
        label=label or (made.isoformat() if made else text.version.label),
        promulgated=made,
        validity=Validity(begins, None, "open" if in_force else "unknown", "register"),
        category=entry.kind,
        note="" if in_force else "the register calls it amended or repealed, without a day",
    )
    return replace(text, version=version)


def _entry(record: JsonObject) -> Entry:
    state: Any = record.value("state")
    return Entry(
        record.required_text("key"),
        record.required_text("title"),
        record.day("promulgated"),
        record.day("commenced"),
        cast("State", state),
        record.text("issuer"),
        record.text("kind"),
    )
