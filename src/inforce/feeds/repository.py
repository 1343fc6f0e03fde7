"""Git repositories of laws: brought up to date in a folder of one's own, and read.

Git asks nobody for a password, and speaks only the protocol of the address. History is fetched in
steps: what a step brought stays, and an interrupted fetch goes on from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from inforce import network
from inforce.corpus.loaders.git import Git, GitError
from inforce.corpus.loaders.git_history import commit_day, read_git_history
from inforce.corpus.loaders.single_law import parse_lawrefbook
from inforce.documents.files import OnProblem
from inforce.errors import FeedError, InputError, UserError
from inforce.feeds.catalogue import Choice, Plan
from inforce.law.model import Source, VersionText

STEP = 100
"""Commits that are fetched at a time."""

_BRANCH = "refs/heads/main"
_NAME = re.compile(r"HEAD|refs/heads/[^\s:?*\[\\^~]+")
"""Names of branches; a server may name others, which git itself would refuse to make."""
MAX_FILES = 100_000
"""Files whose newest state is read; the largest collection known has some thousands."""
_NO_LAWS = ("readme.md", "_index.md", "contributing.md")


class _Revision(NamedTuple):
    """The state of a repository: a commit, and its day."""

    commit: str
    day: date | None


class Repository:
    """A bare repository in a folder of a source, filled from an address.

    Args:
        folder: of the source; the repository is, or will be, in it.
        choice: the source, and its address: an http(s) URL, or a repository or bundle on this
            machine.
    """

    def __init__(self, folder: Path, choice: Choice) -> None:
        self._folder = folder / "repository.git"
        self._choice, self._feed = choice, choice.feed
        self._address, self._protocol = _checked(choice.address)
        self._git = Git(self._folder, protocol=self._protocol)

    def plan(self) -> Plan:
        """Compare what was fetched with what the address has now; nothing is fetched.

        Raises:
            FeedError: if it cannot be reached, or is no repository.
        """
        local = self._local()
        held = f"commit {local.commit[:12]} of {local.day}" if local else "nothing"
        return self._choice.plan(held=held, there=f"commit {self._remote_head()[1][:12]}")

    def fetch(self, *, today: date, progress: Callable[[int], None]) -> None:
        """Bring the folder up to date.

        Raises:
            FeedError: if the address cannot be reached, or is no repository.
        """
        if not (self._folder / "HEAD").is_file():
            self._folder.mkdir(parents=True, exist_ok=True)
            self._run("init", "--bare", "--quiet")
            self._run("symbolic-ref", "HEAD", _BRANCH)
        for unfinished in (self._folder / "objects" / "pack").glob("tmp_*"):
            unfinished.unlink()
        is_new, is_bundle = self._local() is None, Path(self._address).is_file()
        with_history, branch = self._feed.kind == "history", self._remote_head()[0]
        if not with_history:
            self._fetch(branch, "--depth=1")
        elif is_new and not is_bundle:
            self._fetch(branch, f"--depth={STEP}")
        else:
            self._fetch(branch)
        progress(1)
        while with_history and self._run("rev-parse", "--is-shallow-repository").strip() == "true":
            self._fetch(branch, f"--deepen={STEP}")
            progress(1)
        if self._local() is None:
            raise FeedError(f"{self._address}: a repository without commits")

    def texts(self, *, on_problem: OnProblem) -> Iterator[VersionText]:
        """The texts of the laws in the repository; what cannot be read is reported."""
        name = self._feed.publisher
        if self._feed.kind == "history":
            yield from read_git_history(self._folder, name=name, on_problem=on_problem)
            return
        local = self._local() or _Revision("", None)
        for path, content in self._files(".md", on_problem=on_problem):
            if path.rpartition("/")[2].lower() in _NO_LAWS:
                continue
            source = Source(name, path=path, revision=local.commit, as_of=local.day)
            try:
                yield parse_lawrefbook(content, path=path, source=source)
            except InputError as problem:
                on_problem(problem)

    def _remote_head(self) -> tuple[str, str]:
        """The name and the commit of the branch that counts: HEAD, or the first where none is."""
        listed = [line.split("\t") for line in self._run("ls-remote", self._address).splitlines()]
        heads = {line[1]: line[0] for line in listed if len(line) == 2 and _NAME.fullmatch(line[1])}
        branches = [name for name in heads if name.startswith("refs/heads/")]
        name = next((name for name in ("HEAD", *branches) if name in heads), None)
        if name is None:
            raise FeedError(f"{self._address}: a repository without commits")
        return name, heads[name]

    def _local(self) -> _Revision | None:
        """The newest commit in the folder."""
        if not (self._folder / "HEAD").is_file():
            return None
        try:
            line = self._git.run("log", "-1", "--format=%H %ct", _BRANCH).decode()
        except GitError:
            return None
        with self._errors():
            commit, *seconds = line.split()
            return _Revision(commit, commit_day(seconds, commit))

    def _fetch(self, branch: str, *options: str) -> None:
        target = f"+{branch}:{_BRANCH}"
        self._run("fetch", "--quiet", "--no-tags", "--force", *options, self._address, target)

    def _files(self, ending: str, *, on_problem: OnProblem) -> Iterator[tuple[str, bytes]]:
        """The files of the newest state whose names end so, with their contents."""
        with self._errors():
            files = [
                (path, blob) for path, blob in self._git.files(_BRANCH) if path.endswith(ending)
            ]
        if len(files) > MAX_FILES:
            raise FeedError(f"{self._address}: more than {MAX_FILES} files: no collection of laws")
        with self._git.contents() as read:
            for path, blob in files:
                try:
                    content = read(blob)
                except GitError as error:
                    on_problem(InputError(str(error), path=path))
                else:
                    yield path, content

    def _run(self, *arguments: str) -> str:
        if self._protocol in ("http", "https"):
            network.check(self._address)
        with self._errors():
            return self._git.run(*arguments, seconds=None).decode("utf-8", errors="replace")

    @contextmanager
    def _errors(self) -> Generator[None]:
        try:
            yield
        except GitError as error:
            raise FeedError(
                f"{self._address}: git could not read it ({error}); what was fetched stays, and "
                "the next fetch goes on from there"
            ) from error


def _checked(address: str) -> tuple[str, str]:
    """An address as git takes it, and the one protocol that git may speak."""
    scheme = urlsplit(address).scheme if "://" in address else ""
    if scheme in ("http", "https", "file"):
        return address, scheme
    path = Path(address)
    if scheme or not path.exists():
        raise UserError(f"{address!r} is no http(s) address, and no repository on this machine")
    return (path.absolute().as_uri() if path.is_dir() else str(path.absolute())), "file"
