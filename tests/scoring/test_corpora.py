"""Data of a run are hashed by what they hold; what would never end is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inforce.errors import InputError
from inforce.scoring import corpora
from inforce.scoring.corpora import digest


def test_a_folder_is_hashed_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("甲", encoding="utf-8")
    before = digest(tmp_path)
    (tmp_path / "b.txt").write_text("乙", encoding="utf-8")
    assert digest(tmp_path) != before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_data(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    with pytest.raises(InputError, match="not a regular file"):
        digest(pipe)


def test_a_folder_of_everything_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpora, "MOST_FILES", 2)
    for number in range(3):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(InputError, match="more than 2 files; name the folder that holds only"):
        digest(tmp_path)
