"""The recipes as a person starts them, up to where training would begin."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RECIPES = Path(__file__).parents[2] / "recipes"
CASE = '{"fact": "被告人甲致人轻伤", "meta": {"accusation": ["故意伤害"]}}\n'


def started(recipe: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    told = {**os.environ, "PYTHON": sys.executable, "INFORCE_HOME": str(folder / "home")}
    command = ["sh", str(RECIPES / f"{recipe}.sh"), *arguments]
    return subprocess.run(
        command, cwd=folder, env=told, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("recipe", ["temporal_search", "sentencing"])
def test_a_recipe_tells_its_options(recipe: str, tmp_path: Path) -> None:
    done = started(recipe, "--help", folder=tmp_path)
    assert done.returncode == 0
    assert all(option in done.stdout for option in ("--seed", "--steps", "--alpha", "--corpus"))


@pytest.mark.parametrize(
    ("recipe", "arguments", "status", "said"),
    [
        ("temporal_search", ["--corpus", "nowhere.db"], 6, "nowhere.db"),
        ("temporal_search", ["--seed", "one"], 2, "--seed"),
        ("temporal_search", ["--steps", "0"], 2, "--steps"),
        ("sentencing", [], 2, "cases"),
        ("sentencing", ["nowhere.jsonl"], 6, "nowhere.jsonl"),
        ("sentencing", ["one.jsonl"], 2, "too few"),
        ("sentencing", ["broken.jsonl"], 6, "broken.jsonl:1"),
        ("sentencing", ["one.jsonl", "--judge", "m", "--outcome-only"], 2, "not allowed with"),
    ],
)
def test_wrong_input_is_told_in_a_line(
    recipe: str, arguments: list[str], status: int, said: str, tmp_path: Path
) -> None:
    (tmp_path / "one.jsonl").write_text(CASE, encoding="utf-8")
    (tmp_path / "broken.jsonl").write_text("{\n", encoding="utf-8")
    done = started(recipe, *arguments, folder=tmp_path)
    assert done.returncode == status, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
