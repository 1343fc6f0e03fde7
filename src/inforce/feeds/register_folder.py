"""The texts of the national register in a folder of one's own: a Word file each, and a note.

Each text is stored whole before it is named in its note, so that what is there is complete.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from inforce.corpus.loaders.single_law import parse_docx
from inforce.corpus.titles import split_edition
from inforce.documents.files import OnProblem, read_file
from inforce.documents.json_records import json_value
from inforce.errors import FeedError, InputError, UserError
from inforce.feeds.catalogue import Choice, Plan
from inforce.feeds.register import Entry, Register, is_titled
from inforce.files import write_file
from inforce.law.model import Source, Validity, VersionText
from inforce.web.addresses import AddressRule, is_loopback
from inforce.web.fetch import Fetcher

PAUSE = 1.0
"""Seconds between two requests to the register."""


@dataclass(frozen=True, slots=True)
class _Note:
    """The entry of a stored text in the register: ``KEY.json`` beside ``KEY.docx``."""

    entry: Entry
    versions: tuple[Entry, ...]
    day: date
    """The last day on which the register showed it so."""


class RegisterFolder:
    """A folder with the texts of the register, or those of the laws chosen."""

    def __init__(self, folder: Path, choice: Choice) -> None:
        if urlsplit(choice.address).scheme not in ("http", "https"):
            raise UserError(f"{choice.address!r} is no http(s) address")
        self._folder = folder / "texts"
        self._choice = choice

    def plan(self) -> Plan:
        """Compare what is stored with what the register lists; stores nothing.

        Raises:
            FeedError: if it cannot be reached, or answers in another form.
        """
        listed = asyncio.run(self._list())
        new = [entry for entry in listed if not self._has(entry)]
        held, there = _counted(len(self._keys())), f"{_counted(len(listed))}, {len(new)} new"
        return self._choice.plan(held=held, there=there, requests=3 * len(new))

    def fetch(self, *, today: date, progress: Callable[[int], None]) -> None:
        """Store the texts that are new, with the other versions of their laws.

        Raises:
            FeedError: if it cannot be reached, or answers in another form; what was fetched stays.
        """
        asyncio.run(self._fetch(today, progress))

    def texts(self, *, on_problem: OnProblem) -> Iterator[VersionText]:
        """The texts stored; what cannot be read is reported."""
        for key in self._keys():
            try:
                note = self._note(key)
                if note is None:
                    raise InputError("its note is damaged: fetch it again", path=f"{key}.json")
                source = Source(self._choice.feed.publisher, path=key, as_of=note.day)
                data, name = read_file(self._path(key)), f"{note.entry.title} ({key}.docx)"
                yield _registered(parse_docx(data, path=name, source=source), note.entry)
            except InputError as problem:
                on_problem(problem)

    # -- requests to the register ------------------------------------------------------------------

    async def _list(self) -> tuple[Entry, ...]:
        async with self._register() as register:
            return await self._listed(register, lambda _: None)

    async def _fetch(self, today: date, progress: Callable[[int], None]) -> None:
        async with self._register() as register:
            waiting = list(await self._listed(register, progress))
            met: set[str] = set()
            while waiting:
                entry = waiting.pop()
                if entry.key in met:
                    continue
                met.add(entry.key)
                if not self._has(entry):
                    details = await register.details(entry.key)
                    write_file(self._path(entry.key), await register.word_file(entry.key))
                    self._write_note(_Note(details.entry, details.versions, today))
                note = self._confirmed(entry, today)
                waiting += note.versions if note else ()
                progress(1)

    @asynccontextmanager
    async def _register(self) -> AsyncGenerator[Register]:
        """The register at the pace of one request a second; this machine only if it was named."""
        here = is_loopback(urlsplit(self._choice.address).hostname or "")
        rule = AddressRule(loopback="allowed" if here else "refused")
        async with Fetcher(rule=rule, pause=PAUSE, cookies=True) as fetcher:
            yield Register(self._choice.address, fetcher)

    async def _listed(
        self, register: Register, progress: Callable[[int], None]
    ) -> tuple[Entry, ...]:
        """The texts the register has: all national ones, or those of the laws chosen."""
        if not self._choice.only:
            return await _whole_list(register, "", progress)
        found: dict[str, Entry] = {}
        for name in self._choice.only:
            listed = await _whole_list(register, name, progress)
            entries = [entry for entry in listed if is_titled(entry.title, name)]
            if not entries:
                raise UserError(f"the register has no text of the title {name!r}")
            found.update({entry.key: entry for entry in entries})
        return tuple(found.values())

    # -- what is stored ----------------------------------------------------------------------------

    def _path(self, key: str, ending: str = "docx") -> Path:
        return self._folder / f"{key}.{ending}"

    def _keys(self) -> list[str]:
        """The register's names of the texts stored, sorted."""
        return sorted(path.stem for path in self._folder.glob("*.json"))

    def _has(self, entry: Entry) -> bool:
        """Whether the text is stored, and the register says nothing new of what it is."""
        note = self._note(entry.key)
        return note is not None and all(
            getattr(note.entry, field) == getattr(entry, field)
            for field in ("title", "promulgated", "commenced")
        )

    def _confirmed(self, entry: Entry, day: date) -> _Note | None:
        """Note that the register shows a stored text today, and in which state it is now."""
        note = self._note(entry.key)
        if note is not None and (note.day != day or note.entry.state != entry.state):
            note = replace(note, entry=replace(note.entry, state=entry.state), day=day)
            self._write_note(note)
        return note

    def _note(self, key: str) -> _Note | None:
        """The note of a stored text; one whose note is damaged counts as not stored."""
        path = self._path(key, "json")
        try:
            return json_value(path, _Note, what="a note of a text") if path.is_file() else None
        except InputError:
            return None

    def _write_note(self, note: _Note) -> None:
        written = json.dumps(asdict(note), ensure_ascii=False, default=str)
        write_file(self._path(note.entry.key, "json"), written)


async def _whole_list(
    register: Register, title: str, progress: Callable[[int], None]
) -> tuple[Entry, ...]:
    entries: dict[str, Entry] = {}
    number, total = 1, 1
    while len(entries) < total:
        page = await register.page(number, title=title)
        before, total = len(entries), page.total
        entries.update({entry.key: entry for entry in page.entries})
        progress(1)
        if len(entries) == before:
            break
        number += 1
    if len(entries) < total:
        raise FeedError(
            f"the register's list names {total} texts and gave {len(entries)}: it changed while it "
            "was read, or gives no more; nothing was added: try again"
        )
    return tuple(entries.values())


def _counted(texts: int) -> str:
    return "1 text" if texts == 1 else f"{texts} texts"


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
