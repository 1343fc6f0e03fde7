from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "verify.py"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_small_run_reports_every_figure(sample_home: Path) -> None:
    command = [sys.executable, str(BENCHMARK), "--documents", "6", "--home", str(sample_home)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    *table, last = done.stdout.splitlines()
    measured: dict[str, Any] = json.loads(last)
    assert measured["documents"] == 6 and measured["errors"] + measured["right"] == 36
    assert measured["false_alarms"] == 0
    assert measured["long_cpu_s"] > 0 and measured["long_mb"] > 0
    assert "other_version" in "\n".join(table)


def test_without_data_there_is_nothing_to_measure(tmp_path: Path) -> None:
    command = [sys.executable, str(BENCHMARK), "--data", str(tmp_path / "none")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout == "" and "no benchmark data" in done.stderr
