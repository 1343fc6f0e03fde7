"""The file of a corpus: refused where it is not one, shared by readers and writers, copied."""

from __future__ import annotations

import errno
import io
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from trial_law import FIRST, LAW, SECOND, stated

from inforce.corpus.connection import Mode
from inforce.corpus.migrations import MIGRATIONS
from inforce.corpus.store import Corpus
from inforce.errors import CorpusError
from inforce.law.model import (
    VersionText,
)
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Timeline
from inforce.testing import tiny_law

number = ProvisionNumber.parse


def test_a_missing_file_says_how_to_make_one(path: Path) -> None:
    with pytest.raises(CorpusError, match="inforce corpus add FILE"):
        Corpus.open(path)
    assert not path.exists()


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_file_of_0_bytes_is_refused_and_never_filled(path: Path, mode: Mode) -> None:
    path.touch()
    with pytest.raises(CorpusError, match="has 0 bytes: it was emptied, or is none; restore it"):
        Corpus.open(path, mode=mode)
    assert path.stat().st_size == 0


def test_a_corpus_that_was_never_filled_says_how_to_fill_it(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 0")
        other.execute("VACUUM")
    with pytest.raises(CorpusError, match="is empty; make one with"):
        Corpus.open(path)


def test_a_file_of_another_kind_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("第一条 这不是数据库。" * 100, encoding="utf-8")
    before = path.read_bytes()
    for mode in ("read", "write"):
        with pytest.raises(CorpusError, match="not a corpus; name another file"):
            Corpus.open(path, mode=mode)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    run_sql(path, "CREATE TABLE law (text)")
    before = path.read_bytes()
    for mode in ("read", "write"):
        with pytest.raises(CorpusError, match="a database but not a corpus"):
            Corpus.open(path, mode=mode)
    assert path.read_bytes() == before


def test_a_file_of_a_newer_version_is_refused(corpus: Corpus, path: Path) -> None:
    run_sql(path, "INSERT INTO migration VALUES ('m999_later')")
    for mode in ("read", "write"):
        with pytest.raises(CorpusError, match="newer inforce; upgrade"):
            Corpus.open(path, mode=mode)


def test_adding_to_a_corpus_open_for_reading_is_refused(corpus: Corpus, path: Path) -> None:
    with Corpus.open(path) as reader, pytest.raises(CorpusError, match="open for reading only"):
        reader.add([FIRST])


def test_a_damaged_file_is_an_error_and_never_an_answer(path: Path) -> None:
    with Corpus.open(path, mode="write") as corpus:
        corpus.add(tiny_law("试验法", {str(n): "条" * n}, label=str(n)) for n in range(1, 200))
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(CorpusError, match="it is damaged"), Corpus.open(path) as corpus:
        corpus.versions("试验法")


def test_a_second_writer_waits_and_is_then_refused_with_the_reason(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inforce.corpus.connection.PATIENCE_S", 0.05)
    with Corpus.open(path, mode="write") as corpus, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CorpusError, match="another process is adding to it"):
            corpus.add([SECOND])
        other.rollback()
        assert corpus.titles() == ()


def test_others_read_and_add_while_the_records_of_a_call_are_still_read(
    corpus: Corpus, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inforce.corpus.connection.PATIENCE_S", 0.05)

    def slow() -> Iterator[VersionText]:
        yield FIRST
        with Corpus.open(path, mode="write") as other, ThreadPoolExecutor(1) as pool:
            other.add([SECOND])
            assert pool.submit(corpus.titles).result(timeout=10) == ("试验法",)

    corpus.add(slow())
    assert stated(corpus, "试验法") == [FIRST.version, SECOND.version]


def test_records_that_wait_in_a_file_are_stored_like_those_in_memory(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.add(LAW)
    monkeypatch.setattr("inforce.corpus.adding.IN_MEMORY", 100)
    with Corpus.open(tmp_path / "other.db", mode="write") as other:
        report = other.add(LAW)
        assert (report.versions_added, other.snapshot()) == (len(LAW), corpus.snapshot())
        assert list(other.texts("试验法")) == list(corpus.texts("试验法"))


def test_without_space_for_what_was_read_nothing_is_added(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.BytesIO):
        def __init__(self, **_: object) -> None:
            super().__init__()

        def write(self, *_: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("inforce.corpus.adding.SpooledTemporaryFile", Full)
    with pytest.raises(CorpusError, match="No space left on device.*nothing was added"):
        corpus.add(LAW)
    assert corpus.titles() == ()


def test_a_path_with_signs_of_its_own_is_taken_literally(tmp_path: Path) -> None:
    path = tmp_path / "新 文件夹" / "a?mode=memory#1 %41.db"
    with Corpus.open(path, mode="write") as corpus:
        corpus.add([FIRST])
    assert path.is_file()
    with Corpus.open(path) as corpus:
        assert corpus.titles() == ("试验法",)


def test_migrations_are_numbered_without_a_gap() -> None:
    names = [step.__name__ for step in MIGRATIONS]
    assert [name.split("_")[0] for name in names] == [f"m{n:03}" for n in range(1, len(names) + 1)]


def test_a_copy_holds_the_same_and_needs_no_file_beside_it(corpus: Corpus, tmp_path: Path) -> None:
    corpus.add(LAW)
    path = tmp_path / "copy" / "corpus.db"
    path.parent.mkdir()
    assert corpus.save_copy(path) == corpus.snapshot()
    with Corpus.open(path) as copy:
        assert list(copy.texts("试验法")) == list(corpus.texts("试验法"))
        assert copy.damage() == ()
        assert list(path.parent.iterdir()) == [path]  # while it is open, too
    with pytest.raises(CorpusError, match="already; name a new one"):
        corpus.save_copy(path)
    with pytest.raises(CorpusError, match="unable to open"):
        corpus.save_copy(tmp_path / "no such folder" / "corpus.db")


def test_threads_may_share_one_corpus(corpus: Corpus) -> None:
    corpus.add(LAW)

    def ask(article: ProvisionNumber) -> Timeline:
        return corpus.timeline("试验法", article)

    with ThreadPoolExecutor(8) as pool:
        timelines = list(pool.map(ask, [number("2")] * 64))
    assert set(timelines) == {ask(number("2"))}


def test_opening_a_corpus_loads_nothing_heavy() -> None:
    code = (
        "import sys, inforce.corpus.store, inforce.corpus.home;"
        "heavy = {'numpy', 'scipy', 'sklearn', 'faiss', 'tantivy', 'docx', 'lxml', 'platformdirs'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def run_sql(path: Path, statement: str) -> None:
    """Change the file behind the store's back."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()
