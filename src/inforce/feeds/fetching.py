"""Fetching from a public source into a folder of one's own, and reading what is there.

A folder of the data folder belongs to each source. What is fetched is stored piece by piece, so
that an interrupted fetch goes on where it stopped; the corpus changes only when all is there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

from inforce import network
from inforce.documents.files import OnProblem
from inforce.documents.json_records import JsonFile
from inforce.errors import FeedError, InputError, UserError
from inforce.feeds.catalogue import FEEDS, Choice, Feed, Plan
from inforce.feeds.register import is_titled
from inforce.feeds.register_folder import RegisterFolder
from inforce.feeds.repository import Repository
from inforce.files import make_folder, write_file
from inforce.law.model import VersionText

_STATE = "state.json"
"""The name of the note of the last fetch, in the folder of a source."""


class LastFetch(NamedTuple):
    """The last fetch from a source."""

    choice: Choice
    finished: str
    """The day on which it was finished; empty where it was not."""


class FeedFolder:
    """The folder of one source in the data folder of a person."""

    def __init__(self, home: Path, choice: Choice) -> None:
        if "://" in choice.address:  # it is stored, and shown
            what, instead = "a source of laws", "~/.netrc"
            network.require_no_secret(choice.address, what=what, instead=instead)
        if not all(name.strip() for name in choice.only):
            raise UserError("--only needs the title of a law")
        self.choice = choice
        self.folder = home / "feeds" / choice.feed.name
        source = RegisterFolder if choice.feed.kind == "register" else Repository
        self._source = source(self.folder, choice)

    def plan(self) -> Plan:
        """Compare the source with what was fetched; stores nothing.

        Raises:
            FeedError: if it cannot be reached, or answers in another form.
        """
        return self._source.plan()

    def fetch(self, *, today: date, progress: Callable[[int], None]) -> None:
        """Bring the folder up to date with the source.

        That something was fetched from it is noted once it answers: `fetched_before` then names it.

        Raises:
            FeedError: if it cannot be reached, or answers in another form; what was fetched stays.
        """
        make_folder(self.folder)
        before = None
        with suppress(InputError):  # of a damaged note: it is written anew
            before = _last_fetch(self.folder, self.choice.feed)
        is_noted = False

        def note_first_answer(steps: int) -> None:
            nonlocal is_noted
            if not is_noted:
                self._note(before, finished="")
                is_noted = True
            progress(steps)

        self._source.fetch(today=today, progress=note_first_answer)
        self._note(before, finished=today.isoformat())

    def texts(self, *, on_problem: OnProblem) -> Iterator[VersionText]:
        """The texts that were fetched, those of the laws chosen.

        Raises:
            FeedError: at the end, where more cannot be read than can: the source has another form
                now, and what adds the texts in one transaction adds none.
        """
        problems = found = 0

        def count(problem: InputError) -> None:
            nonlocal problems
            problems += 1
            on_problem(problem)

        missing = set(self.choice.only)
        for text in self._source.texts(on_problem=count):
            found += 1
            names = [name for name in self.choice.only if is_titled(text.version.work, name)]
            if names or not self.choice.only:
                missing -= set(names)
                yield text
        for name in sorted(missing):
            on_problem(InputError("no law of this title there", path=name))
        if problems > found:
            raise FeedError(
                f"{self.choice.address}: {problems} files cannot be read as laws and {found} texts "
                "can: it has another form than this release knows; nothing was added"
            )

    def _note(self, before: LastFetch | None, *, finished: str) -> None:
        """Note the fetch; laws fetched before are still brought up to date by the next update."""
        choice = self.choice
        here = Path(choice.address)
        address = str(here.absolute()) if here.exists() else choice.address
        only = choice.only
        if before is not None and before.choice.address == address and only:
            earlier = before.choice.only
            only = tuple(dict.fromkeys((*earlier, *only))) if earlier else ()
        note = {"feed": choice.feed.name, "address": address, "only": only, "fetched": finished}
        text = json.dumps(note, ensure_ascii=False)
        write_file(self.folder / _STATE, text, private=True)


def fetched_before(home: Path) -> Iterator[LastFetch]:
    """The last fetch from each source that something was fetched from, by name.

    Raises:
        InputError: if the note of a fetch cannot be read.
    """
    for name, feed in FEEDS.items():
        if (last := _last_fetch(home / "feeds" / name, feed)) is not None:
            yield last


def _last_fetch(folder: Path, feed: Feed) -> LastFetch | None:
    if not (folder / _STATE).is_file():
        return None
    try:
        note = JsonFile.read(folder / _STATE).parse()
        choice = Choice(feed, note.required_text("address"), note.texts("only"))
        return LastFetch(choice, note.text("fetched"))
    except InputError as problem:
        remedy = f"fetch it again: inforce corpus fetch {feed.name}"
        raise InputError(f"{problem.reason}; {remedy}", path=problem.path) from problem
