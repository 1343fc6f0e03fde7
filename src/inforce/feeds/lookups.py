"""What a person looked up, and what of it reads otherwise now.

Nothing is recorded unless the person asked for it: the file in the data folder is the consent.
It is made for its owner alone (mode 0600), names provisions and days, no question and no facts,
and never leaves the machine; without the file nothing is written.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from inforce.dates import DateRange
from inforce.errors import InforceError
from inforce.files import make_folder, whole_lines
from inforce.law.timeline import Span
from inforce.lawbook import LawBook, ProvisionAt

if TYPE_CHECKING:
    from inforce.documents.json_records import JsonObject

FILE = "lookups.jsonl"

MOST = 10_000
"""Look-ups that are remembered: the latest of them."""


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A provision somebody looked up, for which days, and what was shown."""

    work: str
    number: str
    on: tuple[str, str] | None
    """The first and the last day asked for; ``None``: the law of the day itself."""
    asked: str
    """The day of the look-up."""
    answer: str
    shown: str
    """Names the wordings that were shown, so that others can be distinguished from them."""
    next_change: str | None
    """The first day of what was known to follow."""


@dataclass(frozen=True, slots=True)
class Affected:
    """A look-up that would show something else now."""

    lookup: LookedUp
    what: str
    """In a sentence."""


class Lookups:
    """What one person looked up."""

    def __init__(self, home: Path) -> None:
        self.path = home / FILE

    @property
    def enabled(self) -> bool:
        """Whether look-ups are recorded."""
        return self.path.is_file()

    def enable(self) -> None:
        """Record from now on, for the owner of the file alone."""
        make_folder(self.path.parent)
        self.path.touch(mode=0o600)
        self.path.chmod(0o600)

    def forget(self) -> None:
        """Record no longer, and delete what was recorded."""
        self.path.unlink(missing_ok=True)

    def record(self, shown: ProvisionAt, *, today: date) -> None:
        """Note what was shown, where that is wanted; a file that cannot be written is no error."""
        if self.enabled:
            entry = _looked_up(shown, today)
            line = json.dumps(asdict(entry), ensure_ascii=False) + "\n"
            with suppress(OSError), self.path.open("a+b") as file:
                if file.tell() and not _ends_line(file):
                    file.seek(0)
                    file.truncate(len(whole_lines(file.read())))
                file.write(line.encode())

    def entries(self) -> tuple[LookedUp, ...]:
        """The look-ups, each once with what was shown last; the latest come last.

        A last line that was cut off (a full disk, a machine switched off) is left out.

        Raises:
            InputError: if the file cannot be read.
        """
        if not self.enabled or not self.path.stat().st_size:
            return ()
        from inforce.documents.files import raise_problem  # recording needs none of it
        from inforce.documents.json_records import json_objects

        latest: dict[tuple[object, ...], LookedUp] = {}
        lines = io.BytesIO(whole_lines(self.path.read_bytes()))
        if not lines.getbuffer():
            return ()
        for record in json_objects(lines, path=self.path, on_problem=raise_problem):
            entry = _read(record)
            key = (entry.work, entry.number, entry.on)
            latest.pop(key, None)
            latest[key] = entry
        return tuple(latest.values())[-MOST:]

    def affected(self, book: LawBook) -> Iterator[Affected]:
        """The look-ups that would show something else now.

        Raises:
            InputError: if the file cannot be read.
        """
        for entry in self.entries():
            days = "today" if entry.on is None else _range(entry.on)
            try:
                now = book.at(entry.work, entry.number, on=days)
            except InforceError as problem:
                yield Affected(entry, f"cannot be looked up any more: {problem}")
                continue
            if what := _difference(entry, _looked_up(now, book.clock()), now):
                yield Affected(entry, what)


def _ends_line(file: BinaryIO) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _looked_up(shown: ProvisionAt, today: date) -> LookedUp:
    lookup = shown.lookup
    days, last = lookup.as_of, lookup.as_of.last
    is_today = days.is_single_day and days.start == today
    texts = "\x1e".join(span.provision.text for span in lookup.found if span.provision)
    following = shown.next_change
    return LookedUp(
        lookup.work,
        lookup.number.short,
        None if is_today or last is None else (days.start.isoformat(), last.isoformat()),
        today.isoformat(),
        lookup.answer,
        sha256(texts.encode()).hexdigest()[:16],
        following.window.start.isoformat() if following and _is_known(following) else None,
    )


def _is_known(span: Span) -> bool:
    """Whether a change is one of the law, and not only the end of what is known."""
    return span.state != "uncovered"


def _difference(before: LookedUp, now: LookedUp, found: ProvisionAt) -> str:
    """What is other than it was shown; empty if nothing is."""
    if before.answer != now.answer:
        reason = f" ({found.lookup.reason})" if found.lookup.reason else ""
        words = (text.replace("_", " ") for text in (before.answer, now.answer))
        return "was {}, is {} now".format(*words) + reason
    if before.shown != now.shown:
        since = max((span.window.start for span in found.lookup.found), default=None)
        return f"reads otherwise, in force since {since}"
    if now.next_change and now.next_change != before.next_change:
        return f"changes on {now.next_change}"
    return ""


def _range(days: tuple[str, str]) -> DateRange:
    start, last = map(date.fromisoformat, days)
    return DateRange(start, DateRange.day(last).end)


def _read(record: JsonObject) -> LookedUp:
    days = record.texts("on")
    if len(days) not in (0, 2):
        raise record.problem("'on' must be a first and a last day", field="on")
    try:
        on = (days[0], days[1]) if days else None
        if on:
            _range(on)
    except ValueError as error:
        raise record.problem(f"'on': {error}", field="on") from error
    return LookedUp(
        record.required_text("work"),
        record.required_text("number"),
        on,
        record.required_text("asked"),
        record.required_text("answer"),
        record.text("shown"),
        record.text("next_change") or None,
    )
