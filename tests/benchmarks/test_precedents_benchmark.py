from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "precedents.py"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_small_run_reports_every_figure_without_any_data(tmp_path: Path) -> None:
    command = [sys.executable, str(BENCHMARK), "--documents", "3000", "--questions", "30"]
    done = subprocess.run(
        [*command, "--data", str(tmp_path)], check=True, capture_output=True, text=True
    )
    assert "made from the starter statutes" in done.stderr
    *table, last = done.stdout.splitlines()
    measured: dict[str, Any] = json.loads(last)
    assert "new document found, ms" in "\n".join(table)
    assert measured["build"]["documents"] == 3_000
    assert measured["build"]["documents_per_s"] > 0
    assert measured["questions"] == 30
    assert measured["slower"] > 0
    for figure in ("idle_ms", "during_single_ms", "during_bulk_ms", "visible_ms"):
        assert 0 < measured[figure]["p50"] <= measured[figure]["p95"]
