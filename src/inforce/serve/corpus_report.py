"""The report on what the corpus holds and what the doctor finds: made once for each of its states.

It takes a minute for all statutes, so it is made in a process of its own, of low priority, and
stored in the data folder. Run as a program, this module is that process.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
from filelock import FileLock, Timeout

from inforce.corpus.coverage import FIRST_YEAR, YearCount, by_year
from inforce.corpus.doctor import Report, examine
from inforce.corpus.store import Corpus
from inforce.corpus.titles import importance
from inforce.files import make_folder, write_file
from inforce.library import Library

_FORM: Final = 1
"""Raised whenever the same corpus gives another report: stored ones are then made anew."""
_LONGEST_LIST: Final = 30


class SourceHeld(msgspec.Struct, frozen=True):
    """The laws that come from one source."""

    name: str
    as_of: date | None
    """The last day on which it is known to have shown its texts in force."""
    laws: int
    records: int


class Missing(msgspec.Struct, frozen=True):
    """A text that is known to have existed and is not in the corpus."""

    law: str
    days: str
    why: str


class CorpusReport(msgspec.Struct, frozen=True):
    """What a corpus holds, and how completely."""

    snapshot: str
    laws: int
    provisions: int
    years: tuple[YearCount, ...]
    sources: tuple[SourceHeld, ...]
    problems: Mapping[str, int]
    missing: tuple[Missing, ...]
    """Those of the best-known laws first."""


def report_on(corpus: Corpus, *, today: date) -> CorpusReport:
    """Examine a corpus, except for damage of its file: `inforce corpus doctor` looks for that."""
    report = examine(corpus, file=False)
    laws = [law.coverage for law in report.laws]
    counts = [one for one in by_year(laws, today=today) if one.held or one.partly or one.missing]
    return CorpusReport(
        corpus.snapshot(),
        len(report.laws),
        sum(law.provisions for law in report.laws),
        tuple(one for one in counts if one.year >= FIRST_YEAR),
        _sources(corpus),
        {kind: count for kind, count in report.problems.items() if kind != "damage"},
        _missing(report),
    )


class CorpusReports:
    """Has the report on a library's corpus made in a process of its own."""

    def __init__(self, library: Library, folder: Path) -> None:
        self._library = library
        self._folder = folder
        self._task: asyncio.Task[None] | None = None

    def current(self) -> CorpusReport | None:
        """The report on the corpus as it is; ``None`` while it is being made."""
        path = self._path()
        with suppress(FileNotFoundError, msgspec.DecodeError):
            return msgspec.json.decode(path.read_bytes(), type=CorpusReport)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._make(path))
        return None

    async def close(self) -> None:
        """Stop the process, if it runs."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _path(self) -> Path:
        name = f"{self._library.corpus.snapshot()[:32]}-{_FORM}.json"
        return self._folder / "examined" / name

    async def _make(self, path: Path) -> None:
        make_folder(path.parent)
        lock = FileLock(path.with_suffix(".lock"), blocking=False)
        try:
            lock.acquire()
        except Timeout:  # another process of this server makes it
            await asyncio.sleep(5)
            return
        try:
            await self._run_process(path)
        finally:
            lock.release()

    async def _run_process(self, path: Path) -> None:
        corpus, today = str(self._library.corpus.path), self._library.clock().isoformat()
        line = (sys.executable, "-P", "-m", __name__, corpus, today)
        process = await asyncio.create_subprocess_exec(*line, stdout=asyncio.subprocess.PIPE)
        try:
            found, _ = await process.communicate()
        except asyncio.CancelledError:
            process.kill()
            await process.wait()
            raise
        if process.returncode == 0:
            write_file(path, found, private=True)
            for old in path.parent.glob("*.json"):
                if old != path:
                    old.unlink(missing_ok=True)


def _sources(corpus: Corpus) -> tuple[SourceHeld, ...]:
    records: dict[tuple[str, date | None], list[str]] = {}
    for title in corpus.titles():
        for version in corpus.versions(title):
            source = version.source
            records.setdefault((source.name, source.as_of), []).append(title)
    return tuple(
        SourceHeld(name, as_of, len(set(titles)), len(titles))
        for (name, as_of), titles in sorted(records.items(), key=lambda one: -len(one[1]))
    )


def _missing(report: Report) -> tuple[Missing, ...]:
    laws = sorted(report.laws, key=lambda law: importance(law.work))
    found = (Missing(law.work, str(one.window), one.why) for law in laws for one in law.missing)
    return tuple(found)[:_LONGEST_LIST]


def main() -> None:
    """Print the report on the corpus named on the command line, as JSON."""
    os.nice(10)
    with Corpus.open(Path(sys.argv[1])) as corpus:
        report = report_on(corpus, today=date.fromisoformat(sys.argv[2]))
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    main()
