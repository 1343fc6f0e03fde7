"""The recipes as commands, up to the beginning of training."""

from __future__ import annotations

import argparse
import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from small_models import command
from small_models.record import Choices
from small_models.sentencing import CPU

RECIPES = Path(__file__).parents[2] / "recipes"
CASE = '{"fact": "被告人甲致人轻伤", "meta": {"accusation": ["故意伤害"]}}\n'


def started(recipe: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": sys.executable, "INFORCE_HOME": str(folder / "home")}
    command = ["sh", str(RECIPES / f"{recipe}.sh"), *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def ended(work: Callable[[], int]) -> object:
    """The status with which a recipe leaves; anything else that is raised is a defect."""
    try:
        return work()
    except SystemExit as left:
        return left.code


@pytest.mark.parametrize("recipe", ["temporal_search", "sentencing"])
def test_a_recipe_prints_its_options(recipe: str, tmp_path: Path) -> None:
    done = started(recipe, "--help", folder=tmp_path)
    assert done.returncode == 0
    assert all(option in done.stdout for option in ("--seed", "--steps", "--alpha", "--corpus"))


@pytest.mark.parametrize(
    ("recipe", "arguments", "status", "said"),
    [
        ("temporal_search", ["--corpus", "nowhere.db"], 6, "nowhere.db"),
        ("temporal_search", ["--seed", "one"], 2, "--seed"),
        ("temporal_search", ["--steps", "0"], 2, "--steps: a whole number, at least 1"),
        ("temporal_search", ["--steps", "two"], 2, "--steps: a whole number, at least 1"),
        ("temporal_search", ["--alpha=-1"], 2, "--alpha: a number, at least 0"),
        ("sentencing", [], 2, "cases"),
        ("sentencing", ["nowhere.jsonl"], 6, "nowhere.jsonl"),
        ("sentencing", ["one.jsonl"], 2, "too few"),
        ("sentencing", ["broken.jsonl"], 6, "broken.jsonl:1"),
        ("sentencing", ["one.jsonl", "--judge", "m", "--outcome-only"], 2, "not allowed with"),
    ],
)
def test_wrong_input_is_reported_in_a_line(
    recipe: str,
    arguments: list[str],
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "one.jsonl").write_text(CASE, encoding="utf-8")
    (tmp_path / "broken.jsonl").write_text("{\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INFORCE_HOME", str(tmp_path / "home"))
    main = runpy.run_path(str(RECIPES / f"{recipe}.py"))["main"]
    assert ended(lambda: main(arguments)) == status
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("recipe", ["temporal_search", "sentencing"])
def test_a_recipe_runs_on_the_first_python_if_no_environment_was_made_for_it(
    recipe: str, tmp_path: Path
) -> None:
    (tmp_path / "recipes").mkdir()
    script = Path(shutil.copy(RECIPES / f"{recipe}.sh", tmp_path / "recipes"))
    first = tmp_path / "python"
    first.write_text('#!/bin/sh\necho "$OMP_NUM_THREADS" "$@"\n')
    first.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", str(script), "--seed", "1"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"1 {tmp_path}/recipes/{recipe}.py --seed 1\n"


def test_without_torch_a_recipe_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere(name: str) -> None:
        """Nothing is installed."""

    monkeypatch.setattr(command, "find_spec", nowhere)
    task: Any = None  # which is not reached
    choices, asked = Choices("search"), argparse.Namespace()
    train = partial(command.train, task, choices, asked, scale=CPU, console=Console())
    assert command.exit_status(lambda: print(train())) != 0
    assert "pip install 'inforce[train]'" in capsys.readouterr().err


def test_runs_judged_by_two_models_have_two_names() -> None:
    kind = runpy.run_path(str(RECIPES / "sentencing.py"))["_kind"]
    asked = [argparse.Namespace(outcome_only=False, judge=name) for name in ("a", "b", "")]
    assert [kind("all sources", options=one) for one in asked] == [
        "all sources, judged by a",
        "all sources, judged by b",
        "all sources",
    ]


def test_training_with_trl_says_in_a_line_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = runpy.run_path(str(RECIPES / "temporal_search_trl.py"))["main"]
    nowhere = str(tmp_path / "nowhere")
    assert main([nowhere, str(tmp_path / "run"), "--corpus", nowhere]) != 0
    message = capsys.readouterr().err
    assert message.startswith("error: ")
    assert nowhere in message or "inforce[trl]" in message
