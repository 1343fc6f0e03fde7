from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "compiler.py"


def run_benchmark(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARK), *options]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def measured(shared_data: Path, *parts: str) -> dict[str, Any]:
    only = [word for part in parts for word in ("--only", part)]
    lines = run_benchmark(*only, "--data", str(shared_data)).stdout.splitlines()
    assert any("instructions read in full" in line for line in lines)
    return json.loads(lines[-1])


def test_without_data_there_is_nothing_to_measure(tmp_path: Path) -> None:
    done = run_benchmark("--data", str(tmp_path / "none"))
    assert done.stdout == ""
    assert "no benchmark data" in done.stderr


@pytest.mark.data
def test_the_criminal_law_and_the_constitution_compile_to_every_text_held(
    shared_data: Path,
) -> None:
    found = measured(shared_data, "criminal-law", "constitution")
    for part, articles in (("criminal-law", 7_400), ("constitution", 280)):
        one = found[part]
        assert one["parsed"] == one["instructions"] > 50
        assert "refused" not in one["clauses"] and "failed" not in one["clauses"]
        assert one["unexplained"] == [] and one["left_out"] == []
        assert one["equal"] > articles
    assert found["criminal-law"]["versions"] == 14
    assert found["criminal-law"]["texts"] == 16
    assert len(found["criminal-law"]["explained"]) == 2
    assert found["constitution"]["explained"] == {}


@pytest.mark.slow
@pytest.mark.data
def test_every_instruction_of_the_court_is_read_and_none_is_applied_wrongly(
    shared_data: Path,
) -> None:
    one = measured(shared_data, "court")["court"]
    assert one["instructions"] > 500
    assert one["parsed"] / one["instructions"] >= 0.97
    assert one["unexplained"] == []
    assert one["equal"] == one["articles"] > 250


@pytest.mark.slow
@pytest.mark.data
def test_two_texts_of_a_law_drafted_into_instructions_compile_to_the_later_one(
    shared_data: Path,
) -> None:
    found = measured(shared_data, "round-trip", "words")
    assert found["round-trip"]["texts"] > 200
    assert found["round-trip"]["unexplained"] == []
    assert found["words"]["texts"] > 100
    # A copy that closes a quotation with the wrong mark cannot be quoted.
    assert len(found["words"]["unexplained"]) <= 1
