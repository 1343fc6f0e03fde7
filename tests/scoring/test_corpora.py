"""Data of a run are hashed by what they hold; what would never end is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from inforce.errors import InputError
from inforce.scoring import corpora
from inforce.scoring.corpora import corpus_of, digest

LAW = json.dumps(
    {
        "law": "试验法",
        "version_label": "2010",
        "valid_from": "2010-01-01",
        "articles": [{"no": "第一条", "text": "为了试验，制定本法。"}],
    },
    ensure_ascii=False,
)


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


def test_processes_that_load_the_same_statutes_at_once_do_not_disturb_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(tmp_path / "home"))
    source = tmp_path / "laws.jsonl"
    source.write_text(LAW, encoding="utf-8")
    loaded: list[Path] = []

    def meanwhile_another_process_loads_it(laws: int) -> None:
        if not loaded:
            loaded.append(corpus_of(source))

    path = corpus_of(source, progress=meanwhile_another_process_loads_it)
    assert [path] == loaded
    assert [one.name for one in path.parent.iterdir()] == ["corpus.db"]


def test_what_a_killed_load_left_behind_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(tmp_path / "home"))
    source = tmp_path / "laws.jsonl"
    source.write_text(LAW, encoding="utf-8")
    stored = tmp_path / "home" / "evals" / "corpora" / digest(source)[:16]
    stored.mkdir(parents=True)
    for name in ("corpus.tmp", "corpus.tmp-wal"):
        (stored / name).write_bytes(b"half a page")
    assert corpus_of(source).exists()
