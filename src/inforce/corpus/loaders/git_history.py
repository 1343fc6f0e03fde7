"""A git repository of laws is a timeline: every text it ever had, with the day it was current.

A commit says when the repository took a text over, not when the text came into force; the text's
own history and last articles say that. So of every text (of one law, made by one act) the last
print is kept, with the last day on which the repository showed it.

The repository is read with ``git``, which is told to run nothing and to reach no network: a
folder with ``.git``, a bare repository, or a bundle (one file).
"""

from __future__ import annotations

import os
import posixpath
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

from inforce.corpus.loaders.law_folder import VERSIONS, is_law_folder, parse_law_folder
from inforce.documents.files import OnProblem
from inforce.errors import InputError
from inforce.law.model import Source, VersionText

BUNDLE = b"# v2 git bundle\n", b"# v3 git bundle\n"
"""What a bundle begins with."""
MAX_BUNDLE = 512 * 2**20
MAX_COMMITS = 50_000
MAX_FILE = 16 * 2**20
"""Bytes one file of a repository may have; the longest law has about 400,000."""
TIMEOUT_S = 300

_SUFFIXES = (".md", ".txt")
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "file",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}


def is_repository(path: Path) -> bool:
    """Whether a folder is a git repository, with a working tree or bare."""
    return (path / ".git" / "HEAD").is_file() or (
        (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
    )


def is_bundle(head: bytes) -> bool:
    """Whether a file that begins so is a git bundle."""
    return head.startswith(BUNDLE)


def read_git_history(path: Path, *, name: str, on_problem: OnProblem) -> Iterator[VersionText]:
    """The texts of the laws in a repository or bundle, each with the last day it was current.

    Raises:
        InputError: if it is no repository, git is not installed, or it exceeds the limits.
    """
    with _opened(path) as repository:
        reading = _Reading(repository, name)
        for commit in repository.commits():
            reading.take(commit)
        yield from reading.finish(on_problem)


@dataclass(frozen=True, slots=True)
class _Commit:
    revision: str
    day: date
    changes: Mapping[str, str | None]
    """The content of each path that changed; ``None`` where it was removed."""


@dataclass(slots=True)
class _Seen:
    """One text of a law, as the repository showed it last."""

    text: VersionText
    last: date
    corrections: int = 0


@dataclass(slots=True)
class _Reading:
    """Walks the commits once, from the first to the last."""

    repository: _Repository
    name: str
    tree: dict[str, str] = field(default_factory=dict[str, str])
    seen: dict[tuple[str, str], _Seen] = field(default_factory=dict[tuple[str, str], _Seen])
    current: dict[str, tuple[tuple[str, str], ...]] = field(
        default_factory=dict[str, tuple[tuple[str, str], ...]]
    )
    """The texts each folder shows now."""
    unread: dict[str, list[InputError]] = field(default_factory=dict[str, list[InputError]])
    day: date | None = None
    revision: str = ""

    def take(self, commit: _Commit) -> None:
        """One commit: what was current until now was so on the day of the commit before."""
        for shown in self.current.values():
            for key in shown:
                self.seen[key].last = self.day or commit.day
        self.day, self.revision = commit.day, commit.revision
        folders = {_folder_of(path) for path in commit.changes}
        for path, blob in commit.changes.items():
            if blob is None:
                self.tree.pop(path, None)
            else:
                self.tree[path] = blob
        for folder in sorted(folders):
            self._read(folder)

    def _read(self, folder: str) -> None:
        names = {
            path[len(folder) + 1 :] if folder else path: blob
            for path, blob in self.tree.items()
            if _folder_of(path) == folder
        }
        before = self.current.pop(folder, ())
        self.unread.pop(folder, None)
        files = {name: self.repository.content(blob) for name, blob in names.items()}
        if not is_law_folder(files):
            return
        problems: list[InputError] = []
        source = Source(self.name, path=folder, revision=self.revision, as_of=self.day)
        texts = list(
            parse_law_folder(files, path=folder, source=source, on_problem=problems.append)
        )
        if problems:
            self.unread[folder] = problems
        assert self.day is not None
        self.current[folder] = tuple(self._see(text, before) for text in texts)

    def _see(self, text: VersionText, shown: tuple[tuple[str, str], ...]) -> tuple[str, str]:
        """Note that a text is shown today; one that lost its header is the one shown before."""
        assert self.day is not None
        key = _key(text)
        if not key[1]:
            key = next((one for one in shown if one[0] == key[0]), key)
        before = self.seen.get(key)
        if before is None:
            self.seen[key] = _Seen(text, self.day)
            return key
        same = before.text.version.text_hash == text.version.text_hash
        version = (
            text.version
            if _key(text) == key
            else replace(
                before.text.version, source=text.version.source, text_hash=text.version.text_hash
            )
        )
        self.seen[key] = _Seen(
            replace(text, version=version), self.day, before.corrections + (not same)
        )
        return key

    def finish(self, on_problem: OnProblem) -> Iterator[VersionText]:
        """The texts, by title and act; what the last state holds unreadable is reported."""
        shown = {key for keys in self.current.values() for key in keys}
        for problems in self.unread.values():
            for problem in problems:
                on_problem(problem)
        if not self.seen:
            on_problem(InputError("a repository without any law that can be read", path=self.name))
        present = {self.seen[key].text.version.text_hash for key in shown}
        for key, seen in sorted(self.seen.items()):
            gone = key not in shown
            if gone and (not key[1] or seen.text.version.text_hash in present):
                continue  # without any date, or shown now under its full title
            last = self.day if key in shown and self.day else seen.last
            version = seen.text.version
            note = version.note
            if seen.corrections:
                note = f"{note}; the last of {seen.corrections + 1} prints in the repository"
            source = replace(version.source, as_of=last)
            yield replace(seen.text, version=replace(version, source=source, note=note))


def _folder_of(path: str) -> str:
    """The folder of the law a file belongs to: editions are in a folder ``versions`` below it."""
    parts = posixpath.dirname(path).split("/")
    return "/".join(parts[: parts.index("versions")] if "versions" in parts else parts)


def _key(text: VersionText) -> tuple[str, str]:
    """A text is known by its law and the act that made it, whatever its print."""
    version = text.version
    made = version.promulgated or version.validity.start
    return version.work, made.isoformat() if made else version.label


class _Repository:
    """A repository open for reading: its commits, and the contents of files."""

    def __init__(self, git: str, folder: Path, path: Path) -> None:
        self._git = git
        self._folder = folder
        self._path = path
        self._contents: subprocess.Popen[bytes] | None = None

    def commits(self) -> Iterator[_Commit]:
        """The commits of the main line with the files of interest they changed, oldest first."""
        head = self._head()
        count = int(self._run("rev-list", "--count", "--first-parent", head))
        if count > MAX_COMMITS:
            raise InputError(f"more than {MAX_COMMITS} commits", path=self._path)
        output = self._run(
            "log", "--first-parent", "-m", "--reverse", "--raw", "--no-abbrev", "--no-renames",
            "-z", "--format=%x01%H %ct", head, "--", *(f"*{end}" for end in (*_SUFFIXES, ".json")),
        )  # fmt: skip
        last = self._run("log", "-1", "--format=%H %ct", head).decode().split()
        for entry in output.split(b"\x01")[1:]:
            title, *rest = entry.split(b"\0")
            revision, seconds = title.decode().split()[:2]
            changes: dict[str, str | None] = {}
            cells = [cell for cell in rest if cell.strip()]
            for what, path in zip(cells[::2], cells[1::2], strict=False):
                _, _, _, blob, kind = what.decode().split()[:5]
                name = path.decode("utf-8", errors="replace")
                if name.endswith(_SUFFIXES) or posixpath.basename(name) == VERSIONS:
                    changes[name] = None if kind.startswith("D") else blob
            yield _Commit(revision, _day(seconds), changes)
        yield _Commit(last[0], _day(last[1]), {})

    def content(self, blob: str) -> bytes:
        """A file's bytes.

        Raises:
            InputError: if it is larger than `MAX_FILE`, or missing.
        """
        process = self._batch()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{blob}\n".encode())
        process.stdin.flush()
        head = process.stdout.readline().split()
        if len(head) < 3 or int(head[2]) > MAX_FILE:
            raise InputError(f"a file that is missing or too large: {blob}", path=self._path)
        data = process.stdout.read(int(head[2]))
        process.stdout.read(1)
        return data

    def close(self) -> None:
        """End the process that hands out contents."""
        if self._contents is not None:
            self._contents.kill()
            self._contents.communicate()

    def _head(self) -> str:
        found = self._run("rev-parse", "--verify", "--quiet", "HEAD", check=False).decode().strip()
        if found:
            return found
        newest = self._run("for-each-ref", "--sort=-committerdate", "--format=%(objectname)")
        names = newest.decode().split()
        if not names:
            raise InputError("a repository without commits", path=self._path)
        return names[0]

    def _run(self, *arguments: str, check: bool = True) -> bytes:
        return _run([self._git, *arguments], self._folder, self._path, check=check)

    def _batch(self) -> subprocess.Popen[bytes]:
        if self._contents is None:
            self._contents = subprocess.Popen(
                [self._git, "cat-file", "--batch"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(self._folder),
            )
        return self._contents


def _day(seconds: str) -> date:
    return datetime.fromtimestamp(int(seconds), tz=UTC).date()


@contextmanager
def _opened(path: Path) -> Generator[_Repository]:
    git = shutil.which("git")
    if git is None:
        raise InputError("a git repository, and git is not installed: install git", path=path)
    with tempfile.TemporaryDirectory(prefix="inforce-git-") as temporary:
        folder = path / ".git" if (path / ".git").is_dir() else path
        if path.is_file():
            if path.stat().st_size > MAX_BUNDLE:
                raise InputError(f"a bundle of more than {MAX_BUNDLE // 2**20} MiB", path=path)
            folder = Path(temporary, "bare")
            _run([git, "clone", "--bare", "--quiet", str(path.absolute()), str(folder)], None, path)
        repository = _Repository(git, folder, path)
        try:
            yield repository
        finally:
            repository.close()


def _environment(folder: Path | None) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    where = {} if folder is None else {"GIT_DIR": str(folder.absolute())}
    return {**inherited, **_ENVIRONMENT, **where}


def _run(command: list[str], folder: Path | None, path: Path, *, check: bool = True) -> bytes:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            timeout=TIMEOUT_S,
            env=_environment(folder),
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(f"git took more than {TIMEOUT_S} s", path=path) from error
    if check and done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise InputError(f"git cannot read it: {said[-1] if said else '?'}", path=path)
    return done.stdout
