"""Commands to run."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import patch

import pytest
from commands import TODAY, InProcess, Ran

from inforce.cli import main


@pytest.fixture
def inforce(
    sample_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> InProcess:
    monkeypatch.setenv("INFORCE_TODAY", TODAY)

    def run(*arguments: str, home: Path | None = None) -> Ran:
        monkeypatch.setenv("INFORCE_HOME", str(home or sample_home))
        capsys.readouterr()
        with (
            patch.dict(os.environ),  # --lang holds for a process, and this is many in one
            pytest.raises(SystemExit) as left,
        ):
            main(arguments)
        said = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, said.out, said.err)

    return run
