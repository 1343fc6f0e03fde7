"""How long a command takes to start: only what it uses is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import command_line, environment

from inforce.cli.commands import COMMANDS

RUNS = 12
MOST = 2.5
"""Times the processor time of importing rich and typer; 2.0 was measured on a busy machine."""

FOREIGN = {
    "at": ("asyncio", "inforce.agents", "inforce.corpus.loaders", "inforce.dates.mentions"),
    "history": ("asyncio", "inforce.agents", "inforce.corpus.loaders"),
    "search": ("inforce.agents", "inforce.evals", "inforce.corpus.loaders"),
    "trace": ("inforce.evals", "inforce.corpus.loaders", "sqlite3"),
    "sources": ("inforce.agents", "inforce.evals"),
}
"""Modules a command does without."""


@pytest.mark.parametrize("name", FOREIGN)
def test_a_command_imports_no_other_commands_modules(name: str) -> None:
    code = (
        f"import sys; from inforce.cli import commands; commands.app({name!r}); print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert loaded.isdisjoint(FOREIGN[name])
    others = {f"inforce.cli.{module}" for command, module in COMMANDS.items() if command != name}
    assert len(loaded & others) <= 2  # `search` and `diff` show what `at` shows


def processor_seconds(command: Sequence[str], home: Path) -> float:
    """What a process takes of the processor."""
    process = subprocess.Popen(
        command, env=environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs wait4")
def test_looking_an_article_up_costs_little_more_than_importing_rich_and_typer(
    sample_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))  # compiled by the first run
    bare = [sys.executable, "-c", "import rich.console, typer"]
    article = command_line("at", "刑法", "74", "--on", "2010-06-01")
    pairs = [
        [processor_seconds(command, sample_home) for command in (article, bare)]
        for _ in range(RUNS)
    ]
    ratio = min(one for one, _ in pairs) / min(one for _, one in pairs)
    assert ratio <= MOST, f"{ratio:.2f} times"
