"""Replay the console sessions of the documentation, so that what it shows is what one gets.

A block fenced as ``console`` holds commands (``$ inforce …``) and what they print. Each document is
replayed from top to bottom in a data folder of its own, with "today" fixed to `TODAY`. Run

    python recipes/transcripts.py            to write the outputs as they are now
    python recipes/transcripts.py --check    to fail, with a diff, where they differ

Commands run in this process, which saves the second each would take to start; with ``--processes``
each is a process of its own, as for a reader. ``--made`` saves making the starter corpus and its
search index once for every document; a document that shows how the corpus is made makes it.

A line ``…`` in an output stands for any number of lines that are left out.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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
    "docs/mcp.md",
    "docs/models.md",
    "docs/reports.md",
    "docs/search.md",
    "docs/security.md",
    "docs/serving.md",
    "docs/sources.md",
    "docs/starter.md",
    "docs/task-construction.md",
    "docs/temporal-consistency.md",
    "docs/training.md",
    "docs/verify.md",
    "docs/web-search.md",
    "docs/web.md",
    "docs/zh/ask.md",
    "docs/zh/corpus.md",
    "docs/zh/serve.md",
    "docs/zh/start.md",
    "docs/zh/verify.md",
)
TODAY = "2026-11-20"
ELISION = "…"
MAKING = ("no corpus yet", "the corpus was new", "corpus add")
"""What a document says that begins without a corpus."""

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


class Printed(NamedTuple):
    """What a command printed on both streams, and its exit status."""

    out: str
    err: str
    status: int


Runner = Callable[[Sequence[str], Path, dict[str, str]], Printed]
"""Runs a command line in a folder under environment variables."""


def in_process(line: Sequence[str], folder: Path, environment: dict[str, str]) -> Printed:
    """Call the command line's entry point here."""
    from inforce.cli import main as inforce

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    streams = (contextlib.redirect_stdout(out), contextlib.redirect_stderr(err))
    status: object = 0
    with contextlib.chdir(folder), environment_of(environment), streams[0], streams[1]:
        try:
            inforce(line[1:])
        except SystemExit as exit_:
            status = exit_.code
    return Printed(_printed(out), _printed(err), status if isinstance(status, int) else 0)


def _printed(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


@contextlib.contextmanager
def environment_of(variables: dict[str, str]) -> Generator[None]:
    """Set environment variables for as long as the block lasts."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def in_a_process(line: Sequence[str], folder: Path, environment: dict[str, str]) -> Printed:
    """Start the command as a reader would."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        line,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **environment, "PATH": path},
        check=False,
    )
    return Printed(done.stdout, done.stderr, done.returncode)


def run(command: str, home: Path, runner: Runner) -> str:
    """What a command prints, standard error last; ``exit status N`` is added where N is not 0.

    It runs in an empty folder beside the data, with the examples at hand: what a session writes
    stays out of the repository.
    """
    folder = home / "desk"
    if not folder.exists():
        folder.mkdir()
        (folder / "examples").symlink_to(ROOT / "examples")
    environment = {
        "INFORCE_HOME": str(home),
        "INFORCE_TODAY": TODAY,
        "INFORCE_LANG": "en",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    line = shlex.split(command)
    printed = (runner if line[0] == "inforce" else in_a_process)(line, folder, environment)
    status = f"exit status {printed.status}\n" if printed.status else ""
    output = (printed.out + printed.err).replace(str(home), "~/.local/share/inforce")
    if "Traceback (most recent call last)" in output:
        raise SystemExit(f"{command}: a defect, not something to show\n{output}")
    return "".join(f"{line.rstrip()}\n" for line in output.splitlines()) + status


def replay(text: str, home: Path, runner: Runner) -> str:
    """A document with the outputs of its sessions as they are now; kept where an elision fits."""

    def block(match: re.Match[str]) -> str:
        lines = [f"$ {step.command}\n{_output(step, home, runner)}" for step in steps(match[1])]
        return f"```console\n{''.join(lines)}```"

    return _BLOCK.sub(block, text)


def _output(step: Step, home: Path, runner: Runner) -> str:
    now = run(step.command, home, runner)
    trailing = "\n" if step.shown.endswith("\n\n") else ""
    return step.shown if fits(step.shown, now) else abridged(step.shown, now) + trailing


def abridged(shown: str, now: str) -> str:
    """The output of now with the lines left out that the document left out before."""
    old, new = shown.strip("\n").splitlines(), now.splitlines()
    lines: list[str] = []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "replace" and ELISION in old[i:j]:
            lines += _chosen(old[i:j], new[k:m])
        elif kind == "delete":
            lines += [line for line in old[i:j] if line == ELISION]
        else:
            lines += new[k:m]
    return "".join(f"{line}\n" for line in lines)


def _chosen(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Of new lines those most like the old ones that were shown."""
    start = 0
    for line in old:
        if line == ELISION:
            yield line
        elif like := difflib.get_close_matches(line, new[start:], n=1):
            start = new.index(like[0], start) + 1
            yield like[0]


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
    parser.add_argument("--processes", action="store_true", help="start each command anew")
    parser.add_argument("--made", type=Path, help="a data folder of the starter corpus to copy")
    parser.add_argument("documents", nargs="*", default=DOCUMENTS)
    options = parser.parse_args(arguments)
    runner = in_a_process if options.processes else in_process
    stale = 0
    for name in options.documents:
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as home:
            if options.made:
                shutil.copytree(options.made / "index", Path(home, "index"))
                if not any(said in before for said in MAKING):
                    shutil.copy(options.made / "corpus.db", home)
            after = replay(before, Path(home), runner)
        if before != after and options.check:
            stale += 1
            print("\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), name)))
        elif before != after:
            path.write_text(after, encoding="utf-8")
            print(f"{name}: outputs written anew")
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
