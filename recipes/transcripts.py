"""Replay the console sessions of the documentation, so that what it shows is what one gets.

A block fenced as ``console`` holds commands (``$ inforce …``) and what they print. Each document is
replayed from top to bottom in a data folder of its own, with "today" fixed to `TODAY`. Run

    python recipes/transcripts.py            to write the outputs as they are now
    python recipes/transcripts.py --check    to fail, with a diff, where they differ

A line ``…`` in an output stands for any number of lines that are left out.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = (
    "README.md",
    "README.zh-CN.md",
    "docs/agents-r1.md",
    "docs/agents-react.md",
    "docs/agents.md",
    "docs/commands.md",
    "docs/corpus.md",
    "docs/evaluation.md",
    "docs/index.md",
    "docs/legalagentbench.md",
    "docs/local-documents.md",
    "docs/models.md",
    "docs/reports.md",
    "docs/search.md",
    "docs/sources.md",
    "docs/task-construction.md",
    "docs/temporal-consistency.md",
    "docs/training.md",
    "docs/web-search.md",
    "docs/web.md",
)
TODAY = "2026-11-20"
ELISION = "…"

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a session and the output the document shows for it."""

    command: str
    shown: str


def steps(block: str) -> list[Step]:
    """The commands of a block with the output shown below each."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [Step(*part.partition("\n")[::2]) for part in parts]


def run(command: str, home: Path) -> str:
    """What a command prints, standard error last; ``exit status N`` is added where N is not 0.

    It runs in an empty folder beside the data, with the examples at hand: what a session writes
    stays out of the repository.
    """
    desk = home / "desk"
    if not desk.exists():
        desk.mkdir()
        (desk / "examples").symlink_to(ROOT / "examples")
    environment = {
        **os.environ,
        "INFORCE_HOME": str(home),
        "INFORCE_TODAY": TODAY,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    done = subprocess.run(
        shlex.split(command), capture_output=True, text=True, cwd=desk, env=environment, check=False
    )
    status = f"exit status {done.returncode}\n" if done.returncode else ""
    output = (done.stdout + done.stderr).replace(str(home), "~/.local/share/inforce")
    if "Traceback (most recent call last)" in output:
        raise SystemExit(f"{command}: a defect, not something to show\n{output}")
    return "".join(f"{line.rstrip()}\n" for line in output.splitlines()) + status


def replay(text: str, home: Path) -> str:
    """A document with the outputs of its sessions as they are now; kept where an elision fits."""

    def block(match: re.Match[str]) -> str:
        lines = [f"$ {step.command}\n{_output(step, home)}" for step in steps(match[1])]
        return f"```console\n{''.join(lines)}```"

    return _BLOCK.sub(block, text)


def _output(step: Step, home: Path) -> str:
    now = run(step.command, home)
    trailing = "\n" if step.shown.endswith("\n\n") else ""
    return step.shown if fits(step.shown, now) else now + trailing


def fits(shown: str, now: str) -> bool:
    """Whether an output shown is the one printed now, elisions aside."""
    pieces = [
        re.escape(piece)
        for piece in re.split(rf"^{ELISION}\n", shown.strip("\n") + "\n", flags=re.MULTILINE)
    ]
    return re.fullmatch("(?:.*\n)*".join(pieces), now.strip("\n") + "\n") is not None


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay every document; with ``--check`` only say what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="fail where a document differs")
    parser.add_argument("documents", nargs="*", default=DOCUMENTS)
    options = parser.parse_args(arguments)
    stale = 0
    for name in options.documents:
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as home:
            after = replay(before, Path(home))
        if before != after and options.check:
            stale += 1
            print("\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), name)))
        elif before != after:
            path.write_text(after, encoding="utf-8")
            print(f"{name}: outputs written anew")
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
