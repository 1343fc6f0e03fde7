"""Git repositories of laws for tests: commits of given days, by nobody."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path


def run_git(*arguments: str, folder: Path, day: str = "2020-01-01") -> None:
    """Run git in a folder as if it were noon of a day."""
    stamp = f"{day}T12:00:00+00:00"
    who = {f"GIT_{role}_{what}": "nobody@example.org"
           for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}  # fmt: skip
    environment = {**os.environ, **who, "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    subprocess.run(["git", *arguments], cwd=folder, check=True, env=environment)


def new_repository(path: Path) -> Path:
    """An empty repository in a new folder."""
    run_git("init", "--quiet", "--initial-branch=main", str(path), folder=path.parent)
    return path


def bundle_of(repository: Path, path: Path, *, branch: str = "main") -> Path:
    """A bundle of a branch in a new file."""
    run_git("bundle", "create", "--quiet", str(path), branch, folder=repository)
    return path


def commit_files(repository: Path, day: str, files: Mapping[str, str | None]) -> None:
    """Commit files with these contents; ``None`` removes one."""
    for name, text in files.items():
        path = repository / name
        if text is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    run_git("add", "--all", folder=repository, day=day)
    run_git("commit", "--quiet", "--allow-empty", "-m", day, folder=repository, day=day)
