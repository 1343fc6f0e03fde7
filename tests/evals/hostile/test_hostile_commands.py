"""Commands whose data, models and people do harm, as they are seen on a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from inforce.cli import main
from openai_server import Answer, OpenAIServer, openai_server

STEERING = {"\x1b", "\x9b", "\u202e", "\x07"}
EVIL = "\x1b[2J\x9b31m\u202e\x07"
EXAMPLE = Path(__file__).parents[3] / "examples" / "staff"


@dataclass(frozen=True, slots=True)
class Said:
    status: object
    out: str
    err: str


class Command(Protocol):
    """Runs a command in this process."""

    def __call__(self, *arguments: object) -> Said: ...


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("INFORCE_TODAY", "2026-11-20")

    def run(*arguments: object) -> Said:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(list(map(str, arguments)))
        out, err = capsys.readouterr()
        return Said(left.value.code, out, err)

    return run


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with openai_server(lambda messages: f"<answer>{EVIL}A</answer>") as running:
        yield running


def bar_exam(path: Path, subject: str) -> Path:
    head = "idx,subject,prompt,question,choice_a,choice_b,choice_c,choice_d,answer"
    rows = (f"{n},{subject},p,q{n},a,b,c,d,A" for n in range(2))
    path.write_text("\n".join([head, *rows]), encoding="utf-8")
    return path


def test_nothing_of_data_or_models_steers_the_terminal_of_a_run(
    command: Command, server: OpenAIServer, tmp_path: Path
) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
    bad = json.dumps({"error": {"message": f"{EVIL}\ninforce: all is well"}}).encode()
    server.script = lambda messages: (
        Answer(status=400, body=bad) if "q1" in messages[-1]["content"] else f"{EVIL}ANSWER: A"
    )
    data = bar_exam(tmp_path / "bar.csv", f"torts{EVIL}")
    arguments = ("--data", data, "--agent", "direct", "--model", server.model)
    for shape in ((), ("--json",)):
        output = tmp_path / f"out{len(shape)}"
        said = command("eval", "barexam", *arguments, "--output", output, *shape)
        assert said.status == 0
        assert not set(said.out + said.err) & STEERING
        assert "\ninforce: all is well" not in said.err
        assert list(json.loads(said.out.splitlines()[-1])["groups"]) == [f"torts{EVIL}"]
    shown = command("report", tmp_path / "out0")
    assert shown.status == 0 and not set(shown.out + shown.err) & STEERING


@pytest.mark.parametrize("file", ["/etc/passwd", "../people.csv", "in/../../people.csv"])
def test_tables_lie_in_their_folder(command: Command, tmp_path: Path, file: str) -> None:
    tables = tmp_path / "tables.yaml"
    text = (EXAMPLE / "tables.yaml").read_text(encoding="utf-8")
    assert "people.csv" in text
    tables.write_text(text.replace("people.csv", file), encoding="utf-8")
    said = command("construct", "world", "--world", EXAMPLE, "--tables", tables,
                   "--output", tmp_path / "out")  # fmt: skip
    assert said.status == 6 and "must lie in the folder" in said.err


@pytest.fixture
def made(command: Command, tmp_path: Path) -> Path:
    folder = tmp_path / "made"
    said = command("construct", "world", "--world", EXAMPLE, "--tables", EXAMPLE / "tables.yaml",
                   "--output", folder, "--count", 4)  # fmt: skip
    assert said.status == 0
    return folder


def edit(folder: Path, *changes: tuple[str, str]) -> None:
    path = folder / "review.yaml"
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


def test_a_verdict_on_a_task_whose_name_was_changed_is_not_lost_silently(
    command: Command, made: Path
) -> None:
    edit(made, ("name: ", "name: x"), ("verdict:", "verdict: accept"))
    said = command("construct", "review", made, "--apply", "--unreviewed")
    assert said.status == 6 and "which is no task here" in said.err
    assert not (made / "dataset.json").exists()


def test_a_task_whose_first_line_was_deleted_is_not_lost_silently(
    command: Command, made: Path
) -> None:
    edit(made, ("verdict:", "verdict: accept"), ("---\n", ""))
    said = command("construct", "review", made)
    assert said.status == 6 and "a task has to begin with ---" in said.err


def test_an_edited_review_counts_as_it_was_written(command: Command, made: Path) -> None:
    edit(made, ("verdict:", "verdict: accept"))
    said = command("construct", "review", made, "--apply", "--json")
    told = json.loads(said.out)
    assert (told["accepted"], told["written"]) == (1, 1)
