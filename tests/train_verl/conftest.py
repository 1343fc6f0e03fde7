"""What needs verl is collected only where verl is; the rest of the plug-ins is plain Python."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest

HAS_VERL = find_spec("verl") is not None
collect_ignore_glob = [] if HAS_VERL else ["test_verl_*.py"]

if HAS_VERL:
    import os

    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with warnings.catch_warnings():  # verl's own imports warn of engines that are not there
        warnings.simplefilter("ignore")
        import inforce.train.verl_plugin.registration as registration
    assert registration


@pytest.fixture
def starter_world(sample_home: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The world of the starter corpus, as a configuration has it."""
    monkeypatch.setenv("INFORCE_HOME", str(sample_home))
    return {"today": "2020-01-25", "sources": "statutes"}
