"""What the documentation says is what one gets: every command, every option, every transcript."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from inforce.cli import app
from inforce.errors import InforceError

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

DOCUMENTS = (
    "README.md",
    "README.zh-CN.md",
    "docs/agents-r1.md",
    "docs/agents-react.md",
    "docs/agents.md",
    "docs/commands.md",
    "docs/corpus.md",
    "docs/index.md",
    "docs/legalagentbench.md",
    "docs/local-documents.md",
    "docs/models.md",
    "docs/search.md",
    "docs/sources.md",
    "docs/web-search.md",
    "docs/web.md",
)

COMMON = {"--json", "--help", "--version"}
"""Options explained once for all commands."""


def section(command: str) -> str:
    """What docs/commands.md says of a command."""
    _, found, rest = COMMANDS.partition(f"\n## `{command}`\n")
    assert found, f"docs/commands.md has no section on {command!r}"
    return rest.partition("\n## ")[0]


def commands(group: object, name: str) -> Iterator[tuple[str, list[str]]]:
    """Every command below a group with its options, as typer knows them."""
    for word, command in sorted(getattr(group, "commands", {}).items()):
        if hasattr(command, "commands"):
            yield from commands(command, f"{name} {word}")
        else:
            spelt = [
                one for param in command.params for one in (*param.opts, *param.secondary_opts)
            ]
            yield f"{name} {word}", [one for one in spelt if one.startswith("-")]


CASES = list(commands(typer.main.get_command(app), "inforce"))


def test_there_are_commands_to_document() -> None:
    assert len(CASES) == 16


@pytest.mark.parametrize(("command", "options"), CASES, ids=[name for name, _ in CASES])
def test_every_command_and_every_option_is_documented(command: str, options: list[str]) -> None:
    text = section(command)
    assert "```console\n$ inforce" in text
    for option in options:
        where = COMMANDS if option in COMMON else text
        assert f"`{option}" in where, f"{command} {option} is not in docs/commands.md"


def kinds(error: type[InforceError]) -> Iterator[type[InforceError]]:
    yield error
    for below in error.__subclasses__():
        yield from kinds(below)


def test_every_exit_status_and_every_kind_of_error_is_documented() -> None:
    table = COMMANDS.partition("\n## Exit status\n")[2].partition("\n## ")[0]
    for error in set(kinds(InforceError)) - {InforceError}:
        if error.__module__.startswith("inforce."):
            assert f"| {error.exit_status} |" in table, error
            assert f"`{error.kind}`" in table, error


def test_every_document_is_on_the_list() -> None:
    there = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/*.md")}
    there |= {path.name for path in ROOT.glob("README*.md")}
    assert there == set(DOCUMENTS)


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_sessions_shown_are_what_one_gets(document: str) -> None:
    check = [sys.executable, "recipes/transcripts.py", "--check", document]
    done = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
