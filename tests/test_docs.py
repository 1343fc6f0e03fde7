"""What the documentation says is what one gets: every command, every option, every transcript."""

from __future__ import annotations

import importlib
import pkgutil
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import typer

import inforce
from inforce.cli.commands import app
from inforce.errors import InforceError, MissingExtraError
from inforce.evals.catalogue import NAMES, open_benchmark

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

EVALUATION = "".join(
    (ROOT / "docs" / name).read_text(encoding="utf-8")
    for name in ("evaluation.md", "agents-react.md", "temporal-consistency.md")
)

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

DESIGN = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("design/*.md"))

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


CASES = list(commands(typer.main.get_command(app()), "inforce"))


def test_there_are_commands_to_document() -> None:
    assert len(CASES) == 31


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
    for module in pkgutil.walk_packages(inforce.__path__, "inforce."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError, MissingExtraError):  # of an optional library
                importlib.import_module(module.name)
    table = COMMANDS.partition("\n## Exit status\n")[2].partition("\n## ")[0]
    for error in set(kinds(InforceError)) - {InforceError}:
        if error.__module__.startswith("inforce."):
            assert f"| {error.exit_status} |" in table, error
            assert f"`{error.kind}`" in table, error


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_its_agents_measures_and_options_are_documented(name: str) -> None:
    benchmark = open_benchmark(name)
    for word in (name, benchmark.primary, *benchmark.agents):
        assert f"`{word}`" in EVALUATION, f"{name}: {word} is not in docs/evaluation.md"
    for option in benchmark.options:
        assert re.search(rf"`(--option )?{option}=", EVALUATION), f"{name}: option {option}"


def test_the_benchmark_of_ones_own_shown_is_a_task(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
    source = EVALUATION.partition("```python\n")[2].partition("```")[0]
    shown: dict[str, Any] = {"__name__": "mine"}
    exec(compile(source, "mine.py", "exec", dont_inherit=True), shown)
    (tmp_path / "questions.tsv").write_text("2010年，累犯能否适用缓刑？\t不\n", encoding="utf-8")
    task = shown["mine"](data=str(tmp_path / "questions.tsv"))
    assert [(one.input, one.target) for one in task.dataset] == [
        ("2010年，累犯能否适用缓刑？", "不")
    ]


def anchors(path: Path) -> set[str]:
    """The names by which GitHub links to the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("document", [*DOCUMENTS, *DESIGN, "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_leads_somewhere(document: str) -> None:
    page = ROOT / document
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), f"{document}: {link}"
        assert not anchor or anchor in anchors(target), f"{document}: {link}"


def test_every_document_is_on_the_list() -> None:
    there = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md")}
    there |= {path.name for path in ROOT.glob("README*.md")}
    assert there == set(DOCUMENTS)


LONG = {"README.zh-CN.md", "docs/commands.md", "docs/evaluation.md"}
"""Their sessions take longer than a change should wait for; README.md and others stand for them."""


@pytest.mark.parametrize(
    "document",
    [pytest.param(one, marks=pytest.mark.slow if one in LONG else ()) for one in DOCUMENTS],
)
def test_the_sessions_shown_are_what_one_gets(
    document: str, package_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check = runpy.run_path(str(ROOT / "recipes" / "transcripts.py"))["main"]
    status = check(["--check", "--made", str(package_home), document])
    assert status == 0, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_sessions_shown_are_what_one_gets_in_processes_of_their_own(document: str) -> None:
    line = [sys.executable, "recipes/transcripts.py", "--check", "--processes", document]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
