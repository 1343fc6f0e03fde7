"""Git on untrusted repositories: it runs no program that they name, and its work is bounded.

The settings of a repository may name programs (``gpg.program``, a filter), and some hundred bytes
of it may unfold into billions of files. So only the objects of a foreign repository are read, from
an empty one of our own; its settings are not used, and what git reads is bounded in bytes, memory
and time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import IO, Final

MAX_FILE: Final = 16 * 2**20
"""Bytes one file of a repository may have; the longest law has about 400,000."""
MAX_OUTPUT: Final = 256 * 2**20
MAX_MEMORY: Final = 2 * 2**30
TIMEOUT_S: Final = 300.0

_SETTINGS: Final = (
    *("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60", "-c", "gc.auto=0"),
    *("-c", "core.packedGitLimit=256m", "-c", "core.packedGitWindowSize=32m"),
)
"""A transfer without progress for a minute is given up; a pack is not mapped as a whole."""
_ENVIRONMENT: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_LAST_BYTES: Final = 4096
"""Bytes of git's error output that are read for its reason."""
_LINKS: Final = ("120000", "160000")
"""Modes of symbolic links and of other repositories, which are no files."""


class GitError(Exception):
    """Git cannot read a repository; says why, for the caller's own error."""


class Git:
    """Git in one repository.

    Args:
        folder: a bare repository of our own, or one whose settings are known to be harmless;
            ``None`` before there is one.
        protocol: the only one it may speak.
    """

    def __init__(self, folder: Path | None, *, protocol: str = "file") -> None:
        self._folder = folder
        self._protocol = protocol

    def run(self, *arguments: str, check: bool = True, seconds: float | None = TIMEOUT_S) -> bytes:
        """Run a command and return what it prints.

        Args:
            arguments: the command.
            check: whether a command that fails is an error.
            seconds: how long it may take; ``None`` for what reaches out, which stops by itself
                when nothing comes any more, and takes what memory it needs.

        Raises:
            GitError: if git is missing, fails, or exceeds a limit.
        """
        with self._started(*arguments) as process, ThreadPoolExecutor(1) as beside:
            if seconds is not None:
                _bound_memory(process)
            assert process.stdout is not None and process.stderr is not None
            reason = beside.submit(_last_line, process.stderr)
            timer = Timer(seconds or 0.0, process.kill)
            if seconds is not None:
                timer.start()
            output = process.stdout.read(MAX_OUTPUT + 1)
            if len(output) > MAX_OUTPUT:
                process.kill()
            status = process.wait()
            is_late = seconds is not None and not timer.is_alive()
            timer.cancel()
        if len(output) > MAX_OUTPUT:
            raise GitError(f"it unfolds into more than {MAX_OUTPUT // 2**20} MiB of names")
        if is_late:
            raise GitError(f"git took more than {seconds:.0f} s")
        if check and status:
            raise GitError(reason.result() or "no reason given")
        return output

    def files(self, revision: str) -> Iterator[tuple[str, str]]:
        """The paths of the files of a revision, each with the name of its content.

        Raises:
            GitError: as `run`.
        """
        for line in self.run("ls-tree", "-r", "-z", revision).split(b"\0"):
            entry, tab, path = line.partition(b"\t")
            mode, _, blob = entry.decode().partition(" ")
            if tab and is_file(mode):
                yield path.decode("utf-8", errors="replace"), blob.split()[-1]

    @contextmanager
    def contents(self) -> Generator[Callable[[str], bytes]]:
        """A function that reads files by the names of their contents, one after the other.

        It raises `GitError` for a file that is larger than `MAX_FILE`, missing, or no file.
        """
        with self._started("cat-file", "--batch", reads=True) as process:
            assert process.stdin is not None and process.stdout is not None
            try:
                _bound_memory(process)
                yield partial(_content, process.stdin, process.stdout)
            finally:
                process.kill()

    def _started(self, *arguments: str, reads: bool = False) -> subprocess.Popen[bytes]:
        git = shutil.which("git")
        if git is None:
            raise GitError("git is not installed: install git")
        inherited = {name: one for name, one in os.environ.items() if not name.startswith("GIT_")}
        where = {} if self._folder is None else {"GIT_DIR": str(self._folder.absolute())}
        return subprocess.Popen(
            [git, *_SETTINGS, *arguments],
            stdin=subprocess.PIPE if reads else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if reads else subprocess.PIPE,
            env={**inherited, **_ENVIRONMENT, **where, "GIT_ALLOW_PROTOCOL": self._protocol},
        )


def _content(requests: IO[bytes], answers: IO[bytes], blob: str) -> bytes:
    try:
        requests.write(f"{blob}\n".encode())
        requests.flush()
    except BrokenPipeError:
        raise GitError(f"git cannot read {blob}") from None
    head = answers.readline().split()
    if len(head) != 3:
        raise GitError(f"a file that is missing: {blob}")
    size = int(head[2])
    if size > MAX_FILE:
        left = size + 1
        while left > 0 and (piece := answers.read(min(left, 2**20))):
            left -= len(piece)
        raise GitError(f"a file of more than {MAX_FILE // 2**20} MiB: {blob}")
    data = answers.read(size)
    answers.read(1)
    if len(data) < size:
        raise GitError(f"a file that is damaged: {blob}")
    return data


def is_file(mode: str) -> bool:
    """Whether a mode as git writes it is that of a file with a content of its own."""
    return mode not in _LINKS and mode.startswith("100")


@contextmanager
def isolated(repository: Path) -> Generator[tuple[Git, str]]:
    """An empty repository of our own that reads another's objects, and its newest commit.

    Raises:
        GitError: if it has none, or cannot be read.
    """
    there = Git(repository)
    head = there.run("rev-parse", "--verify", "--quiet", "HEAD", check=False).decode().strip()
    heads = [head] if head else there.run("for-each-ref", "--format=%(objectname)").decode().split()
    if not heads:
        raise GitError("a repository without commits")
    with TemporaryDirectory(prefix="inforce-git-") as temporary:
        folder = Path(temporary, "isolated")
        kind = "sha256" if len(heads[0]) == 64 else "sha1"
        here = Git(folder)
        here.run("init", "--bare", "--quiet", f"--object-format={kind}", "--template=")
        alternates = folder / "objects" / "info" / "alternates"
        alternates.parent.mkdir(parents=True, exist_ok=True)
        alternates.write_text(_quoted(repository.absolute() / "objects"), encoding="utf-8")
        if (shallow := repository / "shallow").is_file():
            (folder / "shallow").write_bytes(shallow.read_bytes())
        newest = here.run("rev-list", "--no-walk=sorted", "--max-count=1", *heads)
        yield here, newest.decode().strip()


def _quoted(path: Path) -> str:
    """A path as the list of alternates has it: in quotes, so that none of it begins a comment."""
    text = str(path).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"\n'


def _last_line(stream: IO[bytes]) -> str:
    """The last line of a stream; what comes before it is read and forgotten."""
    last = b""
    while piece := stream.read(_LAST_BYTES):
        last = (last + piece)[-_LAST_BYTES:]
    lines = last.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def _bound_memory(process: subprocess.Popen[bytes]) -> None:
    try:
        from resource import RLIMIT_AS, prlimit  # Linux has it
    except ImportError:
        return
    try:
        prlimit(process.pid, RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    except (OSError, ValueError):
        return  # it has ended, or may do even less
