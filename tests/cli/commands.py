"""Running commands: in this process for speed, or as a person would where the process matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

TODAY = "2026-11-20"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)


class InProcess(Protocol):
    """Runs a command in this process, in the data folder of the starter corpus unless told."""

    def __call__(self, *arguments: str, home: Path | None = None) -> Ran: ...


def environment(home: Path, **more: str) -> Mapping[str, str]:
    return {**os.environ, "INFORCE_HOME": str(home), "INFORCE_TODAY": TODAY, **more}


def command_line(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "inforce.cli", *arguments]


def run_process(*arguments: str, home: Path, **more: str) -> Ran:
    """Run a command as a process of its own, with nobody at a terminal."""
    done = subprocess.run(
        command_line(*arguments),
        env=environment(home, **more),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
