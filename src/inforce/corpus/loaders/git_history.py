"""A git repository of laws is a timeline: every text it ever had, with the day it was current.

A commit says when the repository took a text over, not when the text came into force; the text's
own history and last articles say that. So of every text (of one law, made by one act) the last
print is taken, with the last day on which the repository showed it.

The repository is read with ``git`` (`inforce.corpus.loaders.git`), which runs nothing of it and
reaches no network: a folder with ``.git``, a bare repository, or a bundle (one file).
"""

from __future__ import annotations

import posixpath
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from inforce.corpus.loaders.git import Git, GitError, is_file, isolated
from inforce.corpus.loaders.law_folder import VERSIONS, is_law_folder, parse_law_folder
from inforce.documents.files import OnProblem
from inforce.errors import InputError
from inforce.law.model import Source, VersionText

BUNDLE = b"# v2 git bundle\n", b"# v3 git bundle\n"
"""The first bytes of a bundle."""
MAX_BUNDLE = 512 * 2**20
MAX_COMMITS = 50_000
_SUFFIXES = (".md", ".txt")


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
    try:
        with _opened(path) as (git, head), git.contents() as content:
            history = _History(content, name)
            for commit in _commits(git, head):
                history.add(commit)
        yield from history.texts(on_problem)
    except GitError as error:
        raise InputError(f"git cannot read it: {error}", path=path) from error


@dataclass(frozen=True, slots=True)
class _Commit:
    revision: str
    day: date
    changes: Mapping[str, str | None]
    """The content of each path that changed; ``None`` where it was removed."""


class _Key(NamedTuple):
    """Identifies a text, whatever its print: by its law and the act that made it."""

    work: str
    made: str
    """The day of the act, or the label of the text; empty where it has neither."""


@dataclass(slots=True)
class _Shown:
    """One text of a law, as the repository showed it last."""

    text: VersionText
    last: date
    corrections: int = 0


class _History:
    """The texts that a repository showed, from its first commit to its last."""

    def __init__(self, content: Callable[[str], bytes], name: str) -> None:
        self._content = content
        self._name = name
        self._tree: dict[str, str] = {}
        """The content of every path, as of the last commit added."""
        self._shown: dict[_Key, _Shown] = {}
        self._current: dict[str, tuple[_Key, ...]] = {}
        """The texts each folder shows now."""
        self._problems: dict[str, list[InputError]] = {}
        """What cannot be read in each folder, as it is now."""
        self._day = date.min
        self._revision = ""

    def add(self, commit: _Commit) -> None:
        """Add a commit: what was current until now was so on the day of the commit before."""
        for keys in self._current.values():
            for key in keys:
                self._shown[key].last = self._day
        self._day, self._revision = commit.day, commit.revision
        for path, blob in commit.changes.items():
            if blob is None:
                self._tree.pop(path, None)
            else:
                self._tree[path] = blob
        for folder in sorted({_folder_of(path) for path in commit.changes}):
            self._read(folder)

    def _read(self, folder: str) -> None:
        names = {
            path[len(folder) + 1 :] if folder else path: blob
            for path, blob in self._tree.items()
            if _folder_of(path) == folder
        }
        before = self._current.pop(folder, ())
        self._problems.pop(folder, None)
        try:
            files = {name: self._content(blob) for name, blob in names.items()}
        except GitError as error:
            self._problems[folder] = [InputError(str(error), path=folder)]
            return
        if not is_law_folder(files):
            return
        problems: list[InputError] = []
        source = Source(self._name, path=folder, revision=self._revision, as_of=self._day)
        texts = list(
            parse_law_folder(files, path=folder, source=source, on_problem=problems.append)
        )
        if problems:
            self._problems[folder] = problems
        self._current[folder] = tuple(self._show(text, before) for text in texts)

    def _show(self, text: VersionText, shown_before: tuple[_Key, ...]) -> _Key:
        """Note that a text is shown today; one that lost its header is the one shown before."""
        version = text.version
        made = version.promulgated or version.validity.start
        own = key = _Key(version.work, made.isoformat() if made else version.label)
        if not own.made:
            key = next((one for one in shown_before if one.work == own.work), own)
        before = self._shown.get(key)
        if before is None:
            self._shown[key] = _Shown(text, self._day)
            return key
        is_corrected = before.text.version.text_hash != version.text_hash
        if own != key:
            dated = before.text.version
            version = replace(dated, source=version.source, text_hash=version.text_hash)
        corrections = before.corrections + is_corrected
        self._shown[key] = _Shown(replace(text, version=version), self._day, corrections)
        return key

    def texts(self, on_problem: OnProblem) -> Iterator[VersionText]:
        """The texts, by title and act; what the last state holds unreadable is reported."""
        for problems in self._problems.values():
            for problem in problems:
                on_problem(problem)
        if not self._shown:
            on_problem(InputError("a repository without any law that can be read", path=self._name))
        current = {key for keys in self._current.values() for key in keys}
        present = {self._shown[key].text.version.text_hash for key in current}
        for key, shown in sorted(self._shown.items()):
            version = shown.text.version
            if key not in current and (not key.made or version.text_hash in present):
                continue  # without any date, or shown now under its full title
            last = self._day if key in current else shown.last
            note = version.note
            if shown.corrections:
                note = f"{note}; the last of {shown.corrections + 1} prints in the repository"
            source = replace(version.source, as_of=last)
            yield replace(shown.text, version=replace(version, source=source, note=note))


def _folder_of(path: str) -> str:
    """The folder of the law a file belongs to: editions are in a folder ``versions`` below it."""
    parts = posixpath.dirname(path).split("/")
    return "/".join(parts[: parts.index("versions")] if "versions" in parts else parts)


def _commits(git: Git, head: str) -> Iterator[_Commit]:
    """The commits of the main line with the files of interest they changed, oldest first."""
    count = int(git.run("rev-list", "--count", "--first-parent", head))
    if count > MAX_COMMITS:
        raise GitError(f"more than {MAX_COMMITS} commits")
    output = git.run(
        "log", "--first-parent", "-m", "--reverse", "--raw", "--no-abbrev", "--no-renames",
        "-z", "--format=%H %ct", head, "--", *(f"*{end}" for end in (*_SUFFIXES, ".json")),
    )  # fmt: skip
    cells = iter(output.decode("utf-8", errors="replace").split("\0"))
    title, changes = "", dict[str, str | None]()
    for cell in map(str.strip, cells):
        if cell.startswith(":"):
            _, mode, _, blob, _ = cell.split()
            path = next(cells)
            if path.endswith(_SUFFIXES) or posixpath.basename(path) == VERSIONS:
                changes[path] = blob if is_file(mode) else None  # links count as not being there
        elif cell:
            if title:
                yield _commit(title, changes)
            title, changes = cell, {}
    if title:
        yield _commit(title, changes)
    yield _commit(git.run("log", "-1", "--format=%H %ct", head).decode(), {})


def _commit(title: str, changes: Mapping[str, str | None]) -> _Commit:
    revision, *seconds = title.split()
    return _Commit(revision, commit_day(seconds, revision), changes)


def commit_day(seconds: Sequence[str], revision: str) -> date:
    """The day of a commit, from its seconds since 1970.

    Raises:
        GitError: if it has none, or one that no calendar has.
    """
    try:
        return datetime.fromtimestamp(int(seconds[0]), tz=UTC).date()
    except (IndexError, ValueError, OverflowError, OSError):
        raise GitError(f"the commit {revision[:12]} has no day that can be read") from None


@contextmanager
def _opened(path: Path) -> Generator[tuple[Git, str]]:
    if not path.is_file():
        with isolated(path / ".git" if (path / ".git").is_dir() else path) as opened:
            yield opened
        return
    if path.stat().st_size > MAX_BUNDLE:
        raise GitError(f"a bundle of more than {MAX_BUNDLE // 2**20} MiB")
    with tempfile.TemporaryDirectory(prefix="inforce-git-") as temporary:
        folder = Path(temporary, "bare")
        Git(None).run("clone", "--bare", "--quiet", str(path.absolute()), str(folder))
        with isolated(folder) as opened:
            yield opened
