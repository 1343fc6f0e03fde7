"""Files are read within limits, line by line, and never from outside their folder."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path

import pytest

from inforce.documents import files, limits
from inforce.documents.files import (
    folder_entries,
    numbered_lines,
    open_file,
    read_file,
    read_stream,
)
from inforce.errors import InputError


def lines(data: bytes) -> tuple[list[tuple[int, bytes]], list[str]]:
    problems: list[InputError] = []
    stream = io.BytesIO(data)
    found = [
        (line.number, line.data)
        for line in numbered_lines(stream, path="f", on_problem=problems.append)
    ]
    return found, [problem.reason for problem in problems]


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_lines_have_their_numbers_and_blank_ones_are_passed_over(pack: type[bytes]) -> None:
    assert lines(pack(b"a\n\n \r\nb")) == ([(1, b"a\n"), (4, b"b")], [])


def test_an_empty_file_is_reported() -> None:
    assert lines(b" \n\n") == ([], ["an empty file"])


def test_a_line_too_long_is_reported_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 10)
    assert lines(b"x" * 50 + b"\nb\n") == ([(2, b"b\n")], ["a line of more than 0 MiB"])


def test_a_bomb_stops_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXPANSION_FLOOR", 1_000)
    found, problems = lines(gzip.compress(b"a\n" * 200_000))
    assert len(found) < 200_000
    assert problems == ["expands to more than 200 times its size; reading stopped here"]


def test_damaged_compression_is_reported_where_it_begins() -> None:
    packed = gzip.compress(os.urandom(9_000).hex().encode() + b"\n")
    assert "cut short or damaged here" in lines(packed[:-2_000])[1][0]
    with pytest.raises(InputError, match="cut short or damaged"):
        read_stream(io.BytesIO(packed[:-2_000]), path="f")


def test_what_is_too_large_or_empty_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(gzip.compress(bytes(range(1, 200)) * 100))
    with pytest.raises(InputError, match="split it"):
        read_file(path, limit=1_000)
    path.write_bytes(b" \n")
    with pytest.raises(InputError, match="an empty file"):
        read_file(path)


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "nul"])
def test_what_is_no_regular_file_is_refused_and_never_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ("a\0b" if kind == "nul" else kind)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(InputError, match="cannot be read|not a regular file"):
        open_file(path)


def test_entries_of_a_folder_leave_out_hidden_files_and_links(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "b.txt").touch()
    (root / "a").mkdir()
    (root / ".hidden").touch()
    (root / "inside").symlink_to(root / "b.txt")
    (root / "outside").symlink_to(tmp_path)
    Path(os.fsdecode(os.fsencode(root) + b"/\xff.txt")).touch()
    problems: list[InputError] = []
    found = folder_entries(root, root=root, on_problem=problems.append)
    assert [path.name for path in found] == ["a", "b.txt"]
    assert [problem.reason for problem in problems] == [
        "skipped: a link out of the folder",
        "skipped: its name is not UTF-8 text; rename it",
    ]
    folder_entries(root / "gone", root=root, on_problem=problems.append)
    assert "cannot be read" in problems[-1].reason


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files in /proc")
def test_a_folder_that_is_refused_leaves_no_file_open(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        with pytest.raises(InputError, match="not a regular file"):
            open_file(tmp_path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_link_is_not_followed_where_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("甲", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with open_file(tmp_path / "link") as stream:
        assert stream.read().decode() == "甲"
    with pytest.raises(InputError, match="cannot be read"):
        open_file(tmp_path / "link", follow_links=False)
