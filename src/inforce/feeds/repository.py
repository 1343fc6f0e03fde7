"""Git repositories of laws: brought up to date in a folder of one's own, and read.

Git is told to ask nobody, and to speak only the protocol of the address. History is fetched in
steps: what a step brought stays, and an interrupted fetch goes on from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from inforce import network
from inforce.corpus.loaders.git import Git, GitError
from inforce.corpus.loaders.git_history import commit_day, read_git_history
from inforce.corpus.loaders.single_law import parse_lawrefbook
from inforce.documents.files import OnProblem
from inforce.errors import FeedError, InputError, UserError
from inforce.feeds.catalogue import Feed
from inforce.law.model import Source, VersionText

STEP = 100
"""Commits that are fetched at a time."""

_BRANCH = "refs/heads/main"
_NAME = re.compile(r"HEAD|refs/heads/[^\s:?*\[\\^~]+")
"""Names of branches; a server may name others, which git itself would refuse to make."""
MAX_FILES = 100_000
"""Files whose newest state is read; the largest collection known has some thousands."""


@dataclass(frozen=True, slots=True)
class Revision:
    """The state of a repository: a commit, and its day."""

    commit: str
    day: date | None = None


class Repository:
    """A bare repository in a folder, filled from an address.

    Args:
        folder: where it is, or will be.
        address: an http(s) URL, or a repository or bundle on this machine.
    """

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self._address, self._protocol = _checked(address)
        self._here = Git(folder, protocol=self._protocol)
        self._branch = "HEAD"

    def remote(self) -> Revision:
        """What the address has now; nothing is fetched.

        Raises:
            FeedError: if it cannot be reached, or is no repository.
        """
        return Revision(self._head()[1])

    def _head(self) -> tuple[str, str]:
        """The name and the commit of the branch that counts: HEAD, or the first where none is."""
        listed = [line.split("\t") for line in self._git("ls-remote", self._address).splitlines()]
        heads = {line[1]: line[0] for line in listed if len(line) == 2 and _NAME.fullmatch(line[1])}
        branches = [name for name in heads if name.startswith("refs/heads/")]
        name = next((name for name in ("HEAD", *branches) if name in heads), None)
        if name is None:
            raise FeedError(f"{self._address}: a repository without commits")
        return name, heads[name]

    def local(self) -> Revision | None:
        """What the folder has."""
        if not (self.folder / "HEAD").is_file():
            return None
        try:
            revision, *seconds = self._here.run("log", "-1", "--format=%H %ct", _BRANCH).split()
        except GitError:
            return None
        with self._errors():
            name = revision.decode()
            return Revision(name, commit_day([one.decode() for one in seconds], name))

    def fetch(self, *, history: bool, progress: Callable[[int], None]) -> Revision:
        """Bring the folder up to date.

        Raises:
            FeedError: if the address cannot be reached, or is no repository.
        """
        if not (self.folder / "HEAD").is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._git("init", "--bare", "--quiet")
            self._git("symbolic-ref", "HEAD", _BRANCH)
        for unfinished in (self.folder / "objects" / "pack").glob("tmp_*"):
            unfinished.unlink()
        is_new = self.local() is None
        self._branch = self._head()[0]
        if not history:
            self._fetch("--depth=1")
        elif is_new:
            self._fetch(*(() if Path(self._address).is_file() else (f"--depth={STEP}",)))
        else:
            self._fetch()
        progress(1)
        while history and self._git("rev-parse", "--is-shallow-repository").strip() == "true":
            self._fetch(f"--deepen={STEP}")
            progress(1)
        found = self.local()
        if found is None:
            raise FeedError(f"{self._address}: a repository without commits")
        return found

    def _fetch(self, *options: str) -> None:
        target = f"+{self._branch}:{_BRANCH}"
        self._git("fetch", "--quiet", "--no-tags", "--force", *options, self._address, target)

    def files(self, end: str, *, on_problem: OnProblem) -> Iterator[tuple[str, bytes]]:
        """The files of the newest state whose names end so, with their contents.

        Raises:
            FeedError: if the folder is damaged, or holds more than `MAX_FILES`.
        """
        with self._errors():
            found = [(path, blob) for path, blob in self._here.files(_BRANCH) if path.endswith(end)]
        if len(found) > MAX_FILES:
            raise FeedError(f"{self._address}: more than {MAX_FILES} files: no collection of laws")
        with self._here.contents() as contents:
            for path, blob in found:
                try:
                    content = contents.read(blob)
                except GitError as error:
                    on_problem(InputError(str(error), path=path))
                else:
                    yield path, content

    def _git(self, *arguments: str) -> str:
        if self._protocol in ("http", "https"):
            network.check(self._address)
        with self._errors():
            return self._here.run(*arguments, seconds=None).decode("utf-8", errors="replace")

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


def repository_texts(
    feed: Feed, repository: Repository, *, on_problem: OnProblem
) -> Iterator[VersionText]:
    """The texts of the laws in a repository that was fetched."""
    if feed.kind == "history":
        return read_git_history(repository.folder, name=feed.publisher, on_problem=on_problem)
    return _newest_state(feed, repository, on_problem)


def _newest_state(
    feed: Feed, repository: Repository, on_problem: OnProblem
) -> Iterator[VersionText]:
    shown = repository.local()
    revision, day = (shown.commit, shown.day) if shown else ("", None)
    for name, content in repository.files(".md", on_problem=on_problem):
        if name.rpartition("/")[2].lower() in ("readme.md", "_index.md", "contributing.md"):
            continue
        source = Source(feed.publisher, path=name, revision=revision, as_of=day)
        try:
            yield parse_lawrefbook(content, path=name, source=source)
        except InputError as problem:
            on_problem(problem)
