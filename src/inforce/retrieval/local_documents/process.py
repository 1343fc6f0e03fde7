"""A process that works on foreign files: both ends of the pipe between it and its parent.

The parent writes a line of JSON (the job) and as many bytes as that announces; the process answers
with a line of JSON and waits for the next job. It ends when its input ends, when it needs more
memory than it may have, or when its parent kills it. Parsers of HTML, PDF and Word files can be
made to hang, to grow without bound or to crash: here nothing else suffers.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from typing import IO, BinaryIO, Protocol, TypeVar, cast

import msgspec

from inforce import network

Process = subprocess.Popen[bytes]


class Bounds(Protocol):
    """What one job may cost."""

    @property
    def seconds(self) -> float:
        """Seconds of this process's time."""
        ...

    @property
    def memory(self) -> int:
        """Bytes of address space, where the system can limit it."""
        ...


class Bounded(Protocol):
    """A job: as many bytes as it announces follow it."""

    @property
    def size(self) -> int:
        """Bytes that follow."""
        ...

    @property
    def limits(self) -> Bounds:
        """What it may cost."""
        ...


Job = TypeVar("Job", bound=Bounded)
Answer = TypeVar("Answer")


_KEPT = (
    "PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "LANG",
    "LC_ALL",
    "SYSTEMROOT",
    "TMPDIR",
)
"""Variables a parser may know; keys are not among them."""


def start(module: str) -> Process:
    """Start the process a module serves; it is told no secrets, and reaches no network."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    # -P: a docx.py in the folder the program was started from must not become part of it
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**environment, network.VARIABLE: "off"},
    )


def ask(process: Process, job: Bounded, data: bytes, *, answer: type[Answer]) -> Answer:
    """What the process makes of a job.

    Raises:
        OSError, EOFError, msgspec.DecodeError: if it is gone, or answers what is none.
    """
    jobs, answers = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
    jobs.write(msgspec.json.encode(job) + b"\n" + data)
    jobs.flush()
    line = answers.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    return msgspec.json.decode(line, type=answer)


def end(process: Process) -> None:
    """Kill the process and let go of its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        # what was still to be written to a process that is gone
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()


def serve(job: type[Job], parse: Callable[[Job, bytes], object]) -> None:
    """Answer jobs on standard input and output until there are no more.

    What libraries print goes nowhere near the answers.
    """
    jobs, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _answer_all(job, parse, jobs, answers)


def _answer_all(
    kind: type[Job], parse: Callable[[Job, bytes], object], jobs: BinaryIO, answers: BinaryIO
) -> None:
    while line := jobs.readline():
        job = msgspec.json.decode(line, type=kind)
        _limit(job.limits)
        answers.write(msgspec.json.encode(parse(job, jobs.read(job.size))) + b"\n")
        answers.flush()


def _limit(limits: Bounds) -> None:
    """Bound this process's memory and, should its parent be gone, its time."""
    try:
        import resource
    except ImportError:  # not on this system: the parent's clock still bounds the time
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + limits.seconds) + 2
    for kind, most in ((resource.RLIMIT_AS, limits.memory), (resource.RLIMIT_CPU, seconds)):
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (allowed, hard))
