"""Provisions that a person looked up, and those of them that read otherwise now.

Nothing is recorded unless the person asked for it: the file in the data folder is the consent.
It is made for its owner alone (mode 0600), names provisions and days, no question and no facts,
and never leaves the machine; without the file nothing is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path

from inforce.dates import DateRange
from inforce.errors import DateError, InforceError, InputError
from inforce.files import make_folder, whole_lines
from inforce.lawbook import LawBook, ProvisionAt

FILE = "lookups.jsonl"

MOST = 10_000
"""Look-ups that are remembered: the latest of them."""


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A provision somebody looked up, for which days, and what was shown."""

    work: str
    number: str
    on: tuple[date, date] | None
    """The first and the last day it was looked up for; ``None``: the law of the day itself."""
    asked: date
    """The day of the look-up."""
    answer: str
    shown: str = ""
    """Names the wordings that were shown, so that others can be distinguished from them."""
    next_change: date | None = None
    """The first day of what was known to follow."""


@dataclass(frozen=True, slots=True)
class Affected:
    """A look-up that would show something else now."""

    lookup: LookedUp
    what: str
    """In a sentence."""


class Lookups:
    """The look-ups of one person."""

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
        if not self.enabled:
            return
        line = json.dumps(asdict(_looked_up(shown, today)), ensure_ascii=False, default=str)
        with suppress(OSError), self.path.open("a+b") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":  # the last line was cut off
                    file.seek(0)
                    file.truncate(len(whole_lines(file.read())))
            file.write(f"{line}\n".encode())

    def entries(self) -> tuple[LookedUp, ...]:
        """The look-ups, each once with what was shown last; the latest come last.

        A last line that was cut off (a full disk, a machine switched off) is left out.

        Raises:
            InputError: if the file cannot be read.
        """
        if not self.enabled:
            return ()
        import msgspec  # recording does without it

        decode = msgspec.json.Decoder(LookedUp).decode
        latest: dict[tuple[object, ...], LookedUp] = {}
        for number, line in enumerate(whole_lines(self.path.read_bytes()).split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                entry = decode(line)
                if entry.on is not None:
                    DateRange.inclusive(*entry.on)
            except (msgspec.MsgspecError, ValueError, DateError) as error:
                reason = f"not a look-up: {error}"
                raise InputError(reason, path=self.path, line=number) from error
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
            days = "today" if entry.on is None else DateRange.inclusive(*entry.on)
            try:
                now = book.at(entry.work, entry.number, on=days)
            except InforceError as problem:
                yield Affected(entry, f"cannot be looked up any more: {problem}")
                continue
            if what := _difference(entry, _looked_up(now, book.clock()), now):
                yield Affected(entry, what)


def _looked_up(shown: ProvisionAt, today: date) -> LookedUp:
    lookup, following = shown.lookup, shown.next_change
    days, last = lookup.as_of, lookup.as_of.last
    is_today = days.is_single_day and days.start == today
    texts = "\x1e".join(span.provision.text for span in lookup.found if span.provision)
    if following is not None and following.state == "uncovered":
        following = None  # the end of what is known is no change of the law
    return LookedUp(
        lookup.work,
        lookup.number.short,
        None if is_today or last is None else (days.start, last),
        today,
        lookup.answer,
        sha256(texts.encode()).hexdigest()[:16],
        following.window.start if following else None,
    )


def _difference(before: LookedUp, now: LookedUp, found: ProvisionAt) -> str:
    """Say what is other than it was shown; empty if nothing is."""
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
