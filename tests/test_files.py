"""Files are whole or not there, on disk before one goes on, and their owner's alone."""

from __future__ import annotations

import errno
import os
import random
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce import files
from inforce.errors import StorageError
from inforce.files import LineFile, make_folder, whole_lines, write_file

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes and limits of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o022, 0o000, 0o077], ids="umask {:o}".format)
def umask(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(files, "_umask_before", None)  # a command may have run in this process
    before = os.umask(request.param)
    request.addfinalizer(lambda: os.umask(before))
    return request.param


def test_private_files_are_private_under_any_umask(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "a" / "b" / "c.json"
    write_file(path, "甲", private=True)
    with LineFile(tmp_path / "a" / "d" / "t.jsonl") as lines:
        lines.append(b"1")
    assert {mode(tmp_path / "a"), mode(path.parent), mode(tmp_path / "a" / "d")} == {0o700}
    assert {mode(path), mode(lines.path)} == {0o600}


def test_a_report_has_the_mode_of_the_persons_umask(tmp_path: Path, umask: int) -> None:
    write_file(tmp_path / "report.html", "x")
    assert mode(tmp_path / "report.html") == 0o666 & ~umask


def test_a_command_keeps_what_it_stores_private_and_not_what_it_writes_for_others(
    tmp_path: Path,
) -> None:
    code = """
    import os
    from pathlib import Path
    os.umask(0o022)
    from inforce.files import keep_private, write_file
    keep_private(), keep_private()
    write_file(Path("report.html"), "x")
    Path("of a library").write_text("x")
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=tmp_path, check=True)
    assert mode(tmp_path / "report.html") == 0o644
    assert mode(tmp_path / "of a library") == 0o600


def test_a_file_that_is_replaced_keeps_its_mode_and_a_link_is_followed(tmp_path: Path) -> None:
    path, link = tmp_path / "a", tmp_path / "link"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    write_file(link, "after", private=True)
    assert (path.read_text(), mode(path), link.is_symlink()) == ("after", 0o640, True)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a", "link"]


def test_what_is_no_file_is_written_to() -> None:
    write_file(Path("/dev/null"), "x")
    assert Path("/dev/null").is_char_device()


def test_a_full_device_is_said_to_be_full() -> None:
    with pytest.raises(StorageError, match="the disk is full"):
        write_file(Path("/dev/full"), "x")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="Permission denied"):
        write_file(tmp_path / "a", "x")


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    with pytest.raises(StorageError):
        make_folder(tmp_path / "a")
    with pytest.raises(StorageError):
        write_file(tmp_path / "a" / "b" / "c", "x")


def test_a_failed_replacement_leaves_the_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_text("before")
    written = os.write

    def fails(handle: int, data: bytes) -> int:
        if len(data) < 5:
            raise OSError(errno.ENOSPC, "No space left on device")
        return written(handle, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", fails)
    with pytest.raises(StorageError, match="the disk is full"):
        write_file(path, "after, and longer than what fits")
    monkeypatch.undo()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


# --- lines ----------------------------------------------------------------------------------------


@given(st.lists(st.binary().filter(lambda one: b"\n" not in one and b"\0" not in one)), st.data())
def test_of_lines_cut_off_anywhere_and_filled_up_with_zeros_the_whole_ones_remain(
    lines: list[bytes], data: st.DataObject
) -> None:
    text = b"".join(line + b"\n" for line in lines)
    cut = data.draw(st.integers(0, len(text)))
    zeros = data.draw(st.integers(0, 9))
    kept = whole_lines(text[:cut] + b"\0" * zeros)
    assert kept == text[: text.rfind(b"\n", 0, cut) + 1]
    assert whole_lines(kept) == kept


@pytest.mark.parametrize("torn", [b"", b"tw", b"\0\0\0", b"tw\0\0", b"\0" * 5000])
def test_a_file_of_lines_is_repaired_when_it_is_opened(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"one\n" + torn)
    with LineFile(path) as lines:
        lines.append(b"two")
    assert path.read_bytes() == b"one\ntwo\n"
    assert list(tmp_path.iterdir()) == [path]


def test_the_repair_is_on_disk_before_it_takes_the_place_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"one\ntw")

    def fails(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(StorageError):
        LineFile(path)
    assert path.read_bytes() == b"one\ntw"
    monkeypatch.undo()
    LineFile(path).close()
    assert path.read_bytes() == b"one\n"


def test_two_writers_of_one_file_are_one_too_many(tmp_path: Path) -> None:
    with (
        LineFile(tmp_path / "t"),
        pytest.raises(StorageError, match="another process writes to this file"),
    ):
        LineFile(tmp_path / "t")
    LineFile(tmp_path / "t").close()


FULL = """
import resource, sys
from pathlib import Path
from inforce.errors import StorageError
from inforce.files import LineFile
limit, length = int(sys.argv[2]), int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
with LineFile(Path(sys.argv[1])) as lines:
    for number in range(10**6):
        try:
            lines.append(b"%d " % number + b"x" * length)
        except StorageError as error:
            print(number, error)
            break
"""


@pytest.mark.parametrize(("limit", "length"), [(2**20, 1_000), (9 * 2**20, 30_000), (700, 1_000)])
def test_on_a_full_disk_every_line_that_was_accepted_is_whole(
    tmp_path: Path, limit: int, length: int
) -> None:
    path = tmp_path / "t"
    run = [sys.executable, "-c", FULL, str(path), str(limit), str(length)]
    done = subprocess.run(run, check=True, capture_output=True, text=True)
    refused = int(done.stdout.split()[0])
    assert "the disk is full: what was written before is still there" in done.stdout
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert len(lines) in (refused, refused + 1)  # the last may be written, with no room after it
    assert [int(line.split()[0]) for line in lines] == list(range(len(lines)))
    assert {len(line.split(b" ", 1)[1]) for line in lines} <= {length}


WRITES = """
import sys
from pathlib import Path
from inforce.files import LineFile, write_file
folder = Path(sys.argv[1])
with LineFile(folder / "lines") as lines:
    number = int(sys.argv[2])
    while True:
        lines.append(b"%d " % number + b"x" * (number * 37 % 3_000))
        write_file(folder / "whole", b"%d\\n" % number * 2_000, private=True)
        print(number, flush=True)
        number += 1
"""


def killed(folder: Path, kills: int, seed: int) -> int:
    """Kill a writer again and again; how many lines there are in the end. Nothing may be lost."""
    drawn, said = random.Random(seed), 0
    path, whole = folder / "lines", folder / "whole"
    for _ in range(kills):
        run = [sys.executable, "-c", WRITES, str(folder), str(said)]
        with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline()
            time.sleep(drawn.random() / 50)
            writer.send_signal(signal.SIGKILL)
            rest = writer.stdout.read().split("\n")
        said = max([said, *(int(one) for one in rest[:-1])])
        lines = whole_lines(path.read_bytes()).splitlines()
        numbers = [int(line.split()[0]) for line in lines]
        assert set(range(said + 1)) <= set(numbers)
        assert all(
            len(line.split(b" ", 1)[1]) == n * 37 % 3_000
            for line, n in zip(lines, numbers, strict=True)
        )
        assert len(set(whole.read_bytes().splitlines())) == 1
        assert len(whole.read_bytes().splitlines()) == 2_000
        said = max(numbers) + 1
    return said


def test_a_writer_that_is_killed_loses_nothing_it_said_it_wrote(tmp_path: Path) -> None:
    assert killed(tmp_path, kills=3, seed=1) > 3


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_nor_in_300_kills(tmp_path: Path) -> None:
    assert killed(tmp_path, kills=300, seed=2) > 300
