"""Fetching from a public source into a folder of one's own, and reading what is there.

A folder of the data folder belongs to each source. What is fetched is stored piece by piece, so
that an interrupted fetch goes on where it stopped; the corpus changes only when all is there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from inforce import network
from inforce.documents.files import OnProblem
from inforce.documents.json_records import JsonFile
from inforce.errors import FeedError, InputError, UserError
from inforce.feeds.catalogue import FEEDS, Feed
from inforce.feeds.register import DETAILS, Entry, Register, is_titled, titled
from inforce.feeds.register_files import RegisterFiles
from inforce.feeds.repository import Repository, repository_texts
from inforce.files import make_folder, write_file
from inforce.law.model import VersionText
from inforce.web.addresses import AddressRule
from inforce.web.fetch import Fetcher

Progress = Callable[[int], None]

_WEB = ("http", "https")

_STATE = "state.json"
"""What is known of the last fetch, in the folder of a source."""

PAUSE = 1.0
"""Seconds between two requests to a server."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is fetched: a source, from where, and which laws of it."""

    feed: Feed
    address: str
    only: tuple[str, ...] = ()
    """Titles or short names of laws; empty for all."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a fetch would do, without doing it."""

    feed: str
    address: str
    licence: str
    pace: str
    held: str
    """What of it is in the data folder: a commit and its day, or a number of texts; or nothing."""
    there: str
    """What the source has now: a commit, or a number of texts."""
    requests: int | None
    """How many requests the register would be asked at least, as earlier texts are named only with
    the text that took their place; ``None`` for a repository."""


@dataclass(frozen=True, slots=True)
class State:
    """What is known of the last fetch from a source."""

    feed: str
    address: str
    only: tuple[str, ...]
    fetched: str
    """When it was finished: a day; empty where it was not."""


class FeedFolder:
    """What was fetched from one source, in the data folder of a person."""

    def __init__(self, home: Path, choice: Choice) -> None:
        if "://" in choice.address:  # it is stored, and shown
            what, instead = "a source of laws", "~/.netrc"
            network.require_no_secret(choice.address, what=what, instead=instead)
        if choice.feed.kind == "register" and urlsplit(choice.address).scheme not in _WEB:
            raise UserError(f"{choice.address!r} is no http(s) address")
        if not all(name.strip() for name in choice.only):
            raise UserError("--only needs the title of a law")
        self.choice = choice
        self.folder = home / "feeds" / choice.feed.name

    def plan(self) -> Plan:
        """What a fetch would do; asks the source what it has, and stores nothing.

        Raises:
            FeedError: if it cannot be reached, or answers in another form.
        """
        feed, requests = self.choice.feed, None
        if feed.kind == "register":
            files = RegisterFiles(self.folder)
            listed = asyncio.run(self._listed(lambda _: None))
            new = [one for one in listed if not files.has(one)]
            held, there = _texts(len(files.keys())), f"{_texts(len(listed))}, {len(new)} new"
            requests = 3 * len(new)
        else:
            repository = self._repository()
            local = repository.local()
            held = f"commit {local.commit[:12]} of {local.day}" if local else "nothing"
            there = f"commit {repository.remote().commit[:12]}"
        return Plan(feed.name, self.choice.address, feed.licence, feed.pace, held, there, requests)

    def fetch(self, *, today: date, progress: Progress) -> None:
        """Bring the folder up to date with the source.

        That something was fetched from it is noted once it answers: `fetched_before` then names it.

        Raises:
            FeedError: if it cannot be reached, or answers in another form; what was fetched stays.
        """
        make_folder(self.folder)
        before = _state(self.folder)
        is_noted = False

        def answered(steps: int) -> None:
            nonlocal is_noted
            if not is_noted:
                self._note(before, fetched="")
                is_noted = True
            progress(steps)

        if self.choice.feed.kind == "register":
            asyncio.run(self._fetch_texts(today, answered))
        else:
            history = self.choice.feed.kind == "history"
            self._repository().fetch(history=history, progress=answered)
        self._note(before, fetched=today.isoformat())

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
        for text in self._all_texts(count):
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

    def _all_texts(self, on_problem: OnProblem) -> Iterator[VersionText]:
        if self.choice.feed.kind == "register":
            feed = self.choice.feed
            return RegisterFiles(self.folder).texts(feed.publisher, on_problem=on_problem)
        return repository_texts(self.choice.feed, self._repository(), on_problem=on_problem)

    def _repository(self) -> Repository:
        return Repository(self.folder / "repository.git", self.choice.address)

    async def _listed(self, progress: Progress) -> tuple[Entry, ...]:
        async with _fetcher(self.choice.address) as fetcher:
            return await _listed(Register(self.choice.address, fetcher), self.choice, progress)

    async def _fetch_texts(self, today: date, progress: Progress) -> None:
        files = RegisterFiles(self.folder)
        async with _fetcher(self.choice.address) as fetcher:
            register = Register(self.choice.address, fetcher)
            waiting = list(await _listed(register, self.choice, progress))
            met: set[str] = set()
            while waiting:
                entry = waiting.pop()
                if entry.key in met:
                    continue
                met.add(entry.key)
                if not files.has(entry):
                    details = await register.details(entry.key)
                    if details.entry.key != entry.key:
                        raise FeedError(
                            f"{DETAILS}: asked for {entry.key}, answered with {details.entry.key}"
                        )
                    content = await register.word_file(entry.key)
                    files.store(details, content, day=today)
                files.confirm(entry, day=today)
                waiting += files.versions(entry.key)
                progress(1)

    def _note(self, before: State | None, *, fetched: str) -> None:
        """Note the fetch. Laws fetched before are still kept up to date by the next update."""
        choice = self.choice
        here = Path(choice.address)
        address = str(here.absolute()) if here.exists() else choice.address
        only = choice.only
        if before is not None and before.address == address and only:
            only = tuple(dict.fromkeys((*before.only, *only))) if before.only else ()
        state = State(choice.feed.name, address, only, fetched)
        text = json.dumps(asdict(state), ensure_ascii=False)
        write_file(self.folder / _STATE, text, private=True)


def _texts(number: int) -> str:
    return "1 text" if number == 1 else f"{number} texts"


def fetched_before(home: Path) -> Iterator[tuple[Choice, State]]:
    """The sources that something was fetched from, by name.

    Raises:
        InputError: if the note of a fetch cannot be read.
    """
    for name, feed in FEEDS.items():
        folder = home / "feeds" / name
        if (folder / _STATE).is_file():
            state = _read_state(folder)
            yield Choice(feed, state.address, state.only), state


def _state(folder: Path) -> State | None:
    """What is known of the last fetch; ``None`` where there was none, or its note is damaged."""
    try:
        return _read_state(folder) if (folder / _STATE).is_file() else None
    except InputError:
        return None


def _read_state(folder: Path) -> State:
    try:
        record = JsonFile.read(folder / _STATE).parse()
        address, only = record.required_text("address"), record.texts("only")
        return State(folder.name, address, only, record.text("fetched"))
    except InputError as problem:
        remedy = f"fetch it again: inforce corpus fetch {folder.name}"
        raise InputError(f"{problem.reason}; {remedy}", path=problem.path) from problem


async def _listed(register: Register, choice: Choice, progress: Progress) -> tuple[Entry, ...]:
    """The texts the register has: all national ones, or those of the laws chosen."""
    if not choice.only:
        return await _whole_list(register, "", progress)
    found: dict[str, Entry] = {}
    for name in choice.only:
        entries = titled(await _whole_list(register, name, progress), name)
        if not entries:
            raise UserError(f"the register has no text of the title {name!r}")
        found.update({one.key: one for one in entries})
    return tuple(found.values())


async def _whole_list(register: Register, title: str, progress: Progress) -> tuple[Entry, ...]:
    entries: dict[str, Entry] = {}
    number, total = 1, 1
    while len(entries) < total:
        page = await register.page(number, title=title)
        before, total = len(entries), page.total
        entries.update({one.key: one for one in page.entries})
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


def _fetcher(address: str) -> Fetcher:
    """Asks one server at the pace of one request a second; this machine only if it was named."""
    host = urlsplit(address).hostname or ""
    here = host in ("localhost", "127.0.0.1", "::1")
    rule = AddressRule(loopback="allowed" if here else "refused")
    return Fetcher(rule=rule, pause=PAUSE, cookies=True)
