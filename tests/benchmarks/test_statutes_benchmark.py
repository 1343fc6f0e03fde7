from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "statutes.py"


def run_benchmark(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARK), *options]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def test_without_data_there_is_nothing_to_measure(tmp_path: Path) -> None:
    done = run_benchmark("--data", str(tmp_path / "none"))
    assert done.stdout == ""
    assert "no benchmark data" in done.stderr


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(1200)
def test_a_part_of_the_benchmark_reports_every_figure(shared_data: Path) -> None:
    fewest = ("--quick", "--questions", "60")  # the reference takes seconds a question
    lines = run_benchmark(*fewest, "--data", str(shared_data)).stdout.splitlines()
    measured: dict[str, Any] = json.loads(lines[-1])
    assert "p50 of 6 questions, ms" in "\n".join(lines[:-1])
    assert measured["build"]["articles"] == measured["chunks"] > measured["build"]["wordings"]
    assert measured["questions"] == 6
    assert measured["ratio"] > 1
    assert measured["p50_ms"]["ours"] <= measured["p95_ms"]["ours"]
    for figure in ("recitation_hit_1", "verbatim_hit_1", "cases_recall_10"):
        assert {"ours", "reference"} == measured[figure].keys()
        assert all(0 <= share <= 1 for share in measured[figure].values())
    assert measured["recitation_hit_1"]["ours"] >= measured["recitation_hit_1"]["reference"]
