"""What a shell sees: pipes, signals, encodings, terminals, several processes at once."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import command_line, environment, run_process

ROOT = Path(__file__).resolve().parents[2]
AT_74 = ("at", "刑法", "74", "--on", "2010-06-01")


@pytest.fixture
def home(sample_home: Path, tmp_path: Path) -> Path:
    """A data folder of this test's own."""
    return Path(shutil.copytree(sample_home, tmp_path / "home"))


def test_the_answer_goes_to_standard_output_and_notices_to_standard_error(tmp_path: Path) -> None:
    ran = run_process(*AT_74, "--json", home=tmp_path / "new")
    assert ran.status == 0
    assert ran.json["lookup"]["answer"] == "found"
    assert "made one from the starter corpus" in ran.err
    assert run_process(*AT_74, "--json", home=tmp_path / "new").err == ""


def test_a_reader_that_leaves_is_no_error_message(sample_home: Path) -> None:
    for arguments in (("history", "刑法", "264"), ("history", "刑法", "264", "--json")):
        with subprocess.Popen(
            command_line(*arguments),
            env=environment(sample_home),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout and process.stderr
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 141


def test_a_full_disk_is_told_without_a_traceback(sample_home: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    for arguments in (AT_74, (*AT_74, "--json")):
        with full.open("w") as out:
            ran = subprocess.run(
                command_line(*arguments),
                env=environment(sample_home),
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert ran.returncode == 7
        assert ran.stderr.startswith("inforce: the system refused: ")
        assert "Traceback" not in ran.stderr


def test_an_output_that_is_not_utf_8_stops_no_answer(sample_home: Path) -> None:
    for encoding in ("ascii", "latin-1", "gb18030"):
        done = subprocess.run(
            command_line(*AT_74, "--json"),
            env=environment(sample_home, PYTHONIOENCODING=encoding),
            capture_output=True,
            check=True,
        )
        assert json.loads(done.stdout.decode("ascii"))["lookup"]["work"] == "中华人民共和国刑法"
    assert run_process(*AT_74, home=sample_home, PYTHONIOENCODING="ascii").status == 0


def test_an_argument_that_is_no_text_is_refused(sample_home: Path) -> None:
    line = [os.fsencode(word) for word in command_line("at")]
    done = subprocess.run(
        [*line, b"\xff", b"74"], env=environment(sample_home), capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"it is not UTF-8 text" in done.stderr


def test_a_file_whose_name_is_no_text_is_passed_over(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "laws"
    folder.mkdir()
    law = "示例法\n（2020年1月1日公布）\n第一条　甲。\n第二条　乙。\n"
    (folder / "b.txt").write_text(law, encoding="utf-8")
    try:
        Path(os.fsdecode(os.fsencode(folder / "a") + b"\xca\xbe\xc0\xfd.txt")).write_text(
            law, "utf-8"
        )
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    ran = run_process("corpus", "add", str(folder), "--json", home=home)
    assert ran.status == 6
    assert ran.json["report"]["versions_added"] == 1
    assert "its name is not UTF-8 text; rename it" in ran.json["problems"][0]


def on_a_terminal(*arguments: str, home: Path, **more: str) -> str:
    """What a command shows at a terminal."""
    here, there = pty.openpty()
    env = {**environment(home, TERM="xterm-256color"), **more}
    with subprocess.Popen(command_line(*arguments), env=env, stdout=there, stderr=there):
        os.close(there)
        shown = b""
        while chunk := _read(here):
            shown += chunk
    os.close(here)
    return shown.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""


DIFF_74 = ("diff", "刑法", "74", "--from", "2010-06-01", "--to", "2011-05-01")


def test_a_terminal_gets_colours_and_a_pipe_does_not(sample_home: Path) -> None:
    coloured = on_a_terminal(*DIFF_74, home=sample_home)
    assert "\x1b[32m{+和犯罪集团的首要分子+}\x1b[0m" in coloured
    assert "\x1b" not in run_process(*DIFF_74, home=sample_home).out


def test_no_color_is_heeded(sample_home: Path) -> None:
    shown = on_a_terminal(*DIFF_74, home=sample_home, NO_COLOR="1")
    assert "\x1b[3" not in shown
    assert "{+和犯罪集团的首要分子+}" in shown


def test_a_narrow_terminal_does_not_cut_the_law(sample_home: Path) -> None:
    shown = on_a_terminal("at", "刑法", "264", home=sample_home, COLUMNS="20", NO_COLOR="1")
    assert "盗窃公私财物，数额较大的，或者多次盗窃、入户盗窃、携带凶器盗窃、扒窃的，处三年" in shown


def test_json_at_a_terminal_is_plain(sample_home: Path) -> None:
    shown = on_a_terminal(*AT_74, "--json", home=sample_home)
    assert json.loads(shown)["lookup"]["answer"] == "found"


def slow_law(folder: Path) -> Path:
    """Enough laws to be interrupted while they are added."""
    path = folder / "many.jsonl"
    articles = [{"no": f"第{n}条", "path": "", "text": f"甲{n}。"} for n in range(1, 60)]
    with path.open("w", encoding="utf-8") as lines:
        for number in range(4000):
            record = {"law": f"试验法{number}", "version_label": "1", "valid_from": "2020-01-01"}
            print(json.dumps({**record, "articles": articles}), file=lines)
    return path


def wait_until_written(path: Path, *, size: int) -> None:
    """Wait until a file has grown: then a transaction is under way."""
    patience = time.monotonic() + 60
    while not (path.exists() and path.stat().st_size > size):
        assert time.monotonic() < patience, f"{path} did not grow"
        time.sleep(0.02)


@pytest.mark.slow
def test_an_interrupted_add_says_so_and_leaves_the_corpus_as_it_was(
    home: Path, tmp_path: Path
) -> None:
    before = run_process("corpus", "list", "--json", home=home).out
    line = command_line("corpus", "add", str(slow_law(tmp_path)), "--json")
    with subprocess.Popen(
        line, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_until_written(home / "corpus.db-wal", size=500_000)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out) == {
        "error": "interrupted",
        "message": "interrupted; what was committed stays",
    }
    assert err == ""
    assert run_process("corpus", "list", "--json", home=home).out == before


@pytest.mark.slow
def test_a_first_use_by_several_processes_at_once_is_one_starter_corpus(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            command_line("search", "累犯 缓刑", "--json"),
            env=environment(tmp_path / "new"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    answers = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], answers
    assert len({out for out, _ in answers}) == 1


@pytest.mark.slow
def test_two_adds_at_once_are_both_kept(home: Path, tmp_path: Path) -> None:
    processes: list[subprocess.Popen[bytes]] = []
    for name in ("甲", "乙"):
        path = tmp_path / f"{name}.txt"
        path.write_text(f"{name}法\n（2020年1月1日公布）\n第一条　甲。\n第二条　乙。\n", "utf-8")
        line = command_line("corpus", "add", str(path))
        processes.append(subprocess.Popen(line, env=environment(home), stdout=subprocess.DEVNULL))
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    listed = run_process("corpus", "list", "--json", home=home).json
    assert {"甲法", "乙法"} <= {work["title"] for work in listed}
    assert run_process("corpus", "index", "--json", home=home).json["action"] == "unchanged"


@pytest.mark.slow
def test_the_demo_runs_to_its_end(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "examples/demo.sh"],
        cwd=ROOT,
        env=environment(tmp_path / "demo", BIN=str(Path(sys.executable).parent)),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n$ inforce ") == 4
    assert "对于累犯，不适用缓刑。" in done.stdout
    assert "自书、代书、录音、口头遗嘱，不得撤销、变更公证遗嘱。" in done.stdout
