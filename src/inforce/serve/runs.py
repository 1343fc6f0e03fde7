"""Runs of research: started by one request, watched by others, resumed after a crash.

A run is a folder with the question and the trace of the agent, so any process can show it. The
process that works on it has a lock on it; the system frees the lock when that process dies, and
the next process that is asked for the run resumes it from the trace. A run belongs to its caller.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
import shutil
from collections.abc import AsyncGenerator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from filelock import FileLock, Timeout
from msgspec import Meta
from starlette.exceptions import HTTPException

from inforce.agents.registry import METHODS
from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.trace import Event, decode, read_trace, usage_of
from inforce.agents.runtime.trace_view import NOT_SHOWN, Step, step_listener
from inforce.agents.settings import ResearchOptions, ResearchSettings
from inforce.errors import InforceError, InputError, InternalError
from inforce.files import make_folder, write_file
from inforce.language import Language
from inforce.lawbook import require_question
from inforce.library import Library
from inforce.llm.chat import Usage
from inforce.serve.operations import Date, Parameters, Question
from inforce.serve.problems import detail_of
from inforce.serve.settings import ServeSettings

log = logging.getLogger("inforce.serve")

Status = Literal["running", "finished", "stopped", "interrupted", "failed"]

_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_POLL_S: Final = 0.1
"""Seconds between two looks at a trace another process may be writing."""
_LOCK_S: Final = 0.1
"""Seconds to wait for the lock of a run: `_is_locked` of another process takes it for a moment."""
_DAY: Final = timedelta(days=1)
_MOST_RUNS: Final = 200
"""Of one caller; the oldest are removed."""


class Research(Parameters, frozen=True):
    """A question for an agent."""

    question: Question
    agent: Annotated[str, Meta(max_length=40, description=f"One of {', '.join(METHODS)}.")] = "r1"
    as_of: Annotated[Date | None, Meta(description="The days of the facts.")] = None
    trial: Annotated[Date | None, Meta(description="The day of the trial.")] = None
    sources: Annotated[tuple[str, ...], Meta(max_length=10)] | None = None
    language: Language = "zh"
    max_turns: Annotated[int, Meta(ge=1, le=100)] | None = None


@dataclass(frozen=True, slots=True)
class RunState:
    """The state of a run."""

    run: str
    question: str
    agent: str
    status: Status
    created: str
    """Day and time, UTC."""
    steps: int
    answer: ResearchAnswer | None
    """Of a run that has ended."""
    problem: str = ""
    """Why a run failed to start."""


class _Request(msgspec.Struct, frozen=True):
    """The request of a run, stored beside its trace."""

    created: str
    asked: Research


class Runs:
    """The runs of a server's data folder."""

    def __init__(self, library: Library, settings: ServeSettings, folder: Path) -> None:
        self._library = library
        self._settings = settings
        self._folder = folder
        self._tasks: dict[Path, asyncio.Task[None]] = {}

    async def start(self, caller: str, query: Research) -> str:
        """Start a run and return its id.

        Raises:
            UserError, DateError: if the settings are impossible.
            HTTPException: 503 if as many run already as may, 429 if the caller's runs of the day
                have spent what they may.
        """
        require_question(query.question)
        self._settings_of(query).check()
        await self._require_allowance(caller)
        self._require_capacity()
        run = secrets.token_urlsafe(16)
        folder = self._folder_of_caller(caller) / run
        make_folder(folder)
        request = _Request(datetime.now(UTC).isoformat(timespec="seconds"), query)
        write_file(folder / "run.json", msgspec.json.encode(request), private=True)
        self._work_on(folder)
        self._remove_oldest(caller)
        return run

    def state(self, caller: str, run: str) -> RunState:
        """The state of a run.

        Raises:
            HTTPException: 404 if this caller has no such run.
        """
        folder = self._folder_of(caller, run)
        trace = folder / "trace.jsonl"
        try:
            request = _read_request(folder)
            events = read_trace(trace) if trace.exists() else ()
        except InputError as error:
            modified = datetime.fromtimestamp(folder.stat().st_mtime, tz=UTC)
            created = modified.isoformat(timespec="seconds")
            return RunState(run, "", "", "failed", created, 0, None, detail_of(error))
        query = request.asked
        last = events[-1] if events else None
        answer: ResearchAnswer | None = getattr(last, "answer", None)
        steps = sum(not isinstance(event, NOT_SHOWN) for event in events)
        problem = folder / "problem.txt"
        text = problem.read_text(encoding="utf-8") if problem.exists() else ""
        status = self._status(folder, answer)
        return RunState(
            run, query.question, query.agent, status, request.created, steps, answer, text
        )

    def state_or_restart(self, caller: str, run: str) -> RunState:
        """The state of a run; one whose process died is resumed, as soon as there is capacity.

        Raises:
            HTTPException: 404 if this caller has no such run.
        """
        state = self.state(caller, run)
        if state.status != "interrupted":
            return state
        with suppress(HTTPException):  # as many run already as may
            self._work_on(self._folder_of(caller, run))
        return self.state(caller, run)

    def steps(self, caller: str, run: str) -> tuple[Step, ...]:
        """The steps of a run so far.

        Raises:
            HTTPException: 404 if this caller has no such run.
        """
        steps: list[Step] = []
        listen = step_listener(steps.append)
        for event in _Tail(self._folder_of(caller, run) / "trace.jsonl").events():
            listen(event)
        return tuple(steps)

    async def states(self, caller: str) -> tuple[RunState, ...]:
        """The runs of a caller, the newest first; their traces are read beside the event loop."""
        return await asyncio.to_thread(self._states, caller)

    def _states(self, caller: str) -> tuple[RunState, ...]:
        found: list[RunState] = []
        for folder in self._folders(caller):
            with suppress(HTTPException):  # removed since, by another process
                found.append(self.state(caller, folder.name))
        return tuple(sorted(found, key=lambda state: state.created, reverse=True))

    def stop(self, caller: str, run: str) -> RunState:
        """Stop a run, whichever process works on it; its trace stays.

        Raises:
            HTTPException: 404 if this caller has no such run.
        """
        folder = self._folder_of(caller, run)
        (folder / "stop").touch()
        if task := self._tasks.get(folder):
            task.cancel()
        return self.state(caller, run)

    async def resume(self, caller: str, run: str) -> RunState:
        """Resume a run that was stopped, failed or spent its budget.

        Raises:
            HTTPException: 404 if this caller has no such run; else as `start`.
        """
        folder = self._folder_of(caller, run)
        await self._require_allowance(caller)
        (folder / "stop").unlink(missing_ok=True)
        (folder / "problem.txt").unlink(missing_ok=True)
        self._work_on(folder)
        return self.state(caller, run)

    async def events(self, caller: str, run: str, *, after: int = 0) -> AsyncGenerator[Step]:
        """The steps of a run as they happen; one that was interrupted is resumed.

        Args:
            caller: whose run it is.
            run: its id.
            after: the number of the last step already seen.

        Raises:
            HTTPException: 404 if this caller has no such run.
        """
        folder = self._folder_of(caller, run)
        steps: list[Step] = []
        listen = step_listener(steps.append)
        tail = _Tail(folder / "trace.jsonl")
        while True:
            # The status before the trace is read: nothing is missed. The trace of a run that
            # somebody works on is not read for its status.
            is_running = self._is_worked_on(folder)
            status = "running" if is_running else self.state(caller, run).status
            if status == "interrupted":
                self._work_on(folder)
            for event in tail.events():
                listen(event)
            for step in steps:
                if step.number > after:
                    yield step
            steps.clear()
            if status in ("finished", "stopped", "failed"):
                return
            await asyncio.sleep(_POLL_S)

    async def close(self) -> None:
        """Stop working on runs; they may be resumed later."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _require_capacity(self) -> None:
        if len(self._tasks) >= self._settings.max_runs:
            most = self._settings.max_runs
            raise HTTPException(503, f"{most} runs at once are enough: ask again later")

    async def _require_allowance(self, caller: str) -> None:
        if not self._has_allowance:
            return
        tokens, dollars = self._settings.caller_tokens, self._settings.caller_dollars
        spent, money = await asyncio.to_thread(self._spent, caller)
        if (tokens is not None and spent >= tokens) or (
            dollars is not None and money >= Decimal(dollars)
        ):
            raise HTTPException(
                429,
                "the runs of the last 24 hours have spent what they may: ask again later",
                {"Retry-After": "3600"},
            )

    @property
    def _has_allowance(self) -> bool:
        """Whether what a caller's runs may spend is limited."""
        settings = self._settings
        return settings.caller_tokens is not None or settings.caller_dollars is not None

    def _spent(self, caller: str) -> tuple[int, Decimal]:
        """Tokens and dollars that all runs of a caller have spent in the last 24 hours."""
        spent = [_spent_today(folder) for folder in self._folders(caller)]
        money = sum((usage.money or Decimal(0) for usage in spent), Decimal(0))
        return sum(usage.tokens for usage in spent), money

    def _work_on(self, folder: Path) -> None:
        """Work on a run, unless this or another process does."""
        if folder in self._tasks:
            return
        self._require_capacity()
        lock = FileLock(folder / "lock", timeout=_LOCK_S)
        try:
            lock.acquire(poll_interval=_LOCK_S / 20)
        except Timeout:
            return
        task = asyncio.create_task(self._work(folder, lock))
        self._tasks[folder] = task
        task.add_done_callback(lambda _: self._tasks.pop(folder, None))

    async def _work(self, folder: Path, lock: FileLock) -> None:
        try:
            query = _read_request(folder).asked
            trace: ResearchOptions = {"trace": folder / "trace.jsonl"}
            settings = self._settings_of(query).with_options(trace)
            work = asyncio.create_task(self._library.aresearch(query.question, settings))
            try:
                while not work.done():
                    await asyncio.wait([work], timeout=_POLL_S)
                    if (folder / "stop").exists():
                        work.cancel()
                await work
            finally:  # whoever cancels this task leaves no agent behind that goes on spending
                work.cancel()
                await asyncio.wait([work])
        except asyncio.CancelledError:
            log.info("a run was stopped")
        except InforceError as error:
            write_file(folder / "problem.txt", detail_of(error), private=True)
        except Exception as error:  # a defect: unrecorded, the run would be restarted for ever
            log.exception("a run failed")
            problem = detail_of(InternalError(repr(error)))
            write_file(folder / "problem.txt", problem, private=True)
        finally:
            lock.release()

    def _settings_of(self, query: Research) -> ResearchSettings:
        server = self._settings
        options: ResearchOptions = {
            "agent": query.agent,
            "model": server.model,
            "web": server.web,
            "as_of": query.as_of,
            "trial": query.trial,
            "sources": query.sources,
            "language": query.language,
            "max_turns": query.max_turns,
            "max_tokens": server.caller_tokens if server.run_tokens is None else server.run_tokens,
            "max_dollars": server.run_dollars or server.caller_dollars,
            "max_seconds": server.run_seconds,
        }
        return ResearchSettings().with_options(options, clock=self._library.clock)

    def _is_worked_on(self, folder: Path) -> bool:
        """Whether this process, or another living one, works on a run."""
        return folder in self._tasks or _is_locked(folder / "lock")

    def _status(self, folder: Path, answer: ResearchAnswer | None) -> Status:
        if self._is_worked_on(folder):
            return "running"
        if answer is not None:
            return "finished"
        if (folder / "problem.txt").exists():
            return "failed"
        return "stopped" if (folder / "stop").exists() else "interrupted"

    def _folder_of_caller(self, caller: str) -> Path:
        return self._folder / hashlib.sha256(caller.encode()).hexdigest()[:32]

    def _folder_of(self, caller: str, run: str) -> Path:
        folder = self._folder_of_caller(caller) / run
        if not _ID.fullmatch(run) or not (folder / "run.json").exists():
            raise HTTPException(404, "there is no such run")
        return folder

    def _folders(self, caller: str) -> list[Path]:
        """The folders of a caller's runs, the newest first."""
        found: list[tuple[float, Path]] = []
        for path in self._folder_of_caller(caller).glob("*/run.json"):
            with suppress(FileNotFoundError):  # removed since, by another process
                found.append((path.stat().st_mtime, path.parent))
        return [folder for _, folder in sorted(found, reverse=True)]

    def _remove_oldest(self, caller: str) -> None:
        """Remove the oldest runs, except those that still run or count for the allowance."""
        for folder in self._folders(caller)[_MOST_RUNS:]:
            counts = self._has_allowance and _spent_today(folder).calls
            if not counts and not self._is_worked_on(folder):
                shutil.rmtree(folder, ignore_errors=True)


class _Tail:
    """Reads a trace while it grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0

    def events(self) -> Iterator[Event]:
        """The events written since the last call; half a line waits for its other half."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._at)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self._at += len(line)
                try:
                    event = decode(line) if line.strip() else None
                except ValueError:  # the state of the run says that it is damaged
                    continue
                if event is not None:
                    yield event


def _read_request(folder: Path) -> _Request:
    """Read the request of a run.

    Raises:
        InputError: if the file is damaged.
    """
    path = folder / "run.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Request)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"a run that cannot be read: {error}", path=path) from error


def _spent_today(folder: Path) -> Usage:
    """What a run has spent on models in the last 24 hours."""
    since = datetime.now(UTC) - _DAY
    events = _Tail(folder / "trace.jsonl").events()
    return usage_of([event for event in events if event.at >= since])


def _is_locked(path: Path) -> bool:
    """Whether a living process works on a run."""
    probe = FileLock(path, blocking=False)
    try:
        with probe:
            return False
    except Timeout:
        return True


def event(name: str, data: Any, *, number: int | None = None) -> bytes:
    """One server-sent event."""
    lines = [] if number is None else [f"id: {number}"]
    text = msgspec.json.encode(data).decode()
    return "\n".join([*lines, f"event: {name}", f"data: {text}", "", ""]).encode()
