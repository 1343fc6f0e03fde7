"""``inforce construct dated``: questions from the laws that are held, in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from commands import TODAY

from inforce.cli.construct import dated
from inforce.errors import InputError, UnknownWorkError, UserError
from inforce.evals.dated.questions import read_questions
from inforce.testing import tiny_law, tiny_library


@pytest.fixture(autouse=True)
def starter(sample_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(sample_home))
    monkeypatch.setenv("INFORCE_TODAY", TODAY)


def run(*arguments: str) -> None:
    app = typer.Typer()
    app.command("dated")(dated)
    command = typer.main.get_command(app)
    with command.make_context("dated", list(arguments)) as context:
        command.invoke(context)


def test_questions_about_ones_own_corpus_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "questions.jsonl"
    run("--count", "60", "--output", str(path))
    questions = read_questions(path)
    assert 55 <= len(questions) <= 60
    said = capsys.readouterr().out
    assert said.startswith(f"{len(questions)} questions (") and said.rstrip().endswith(str(path))


def test_json_tells_what_was_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "questions.jsonl"
    run("--law", "刑法", "--count", "40", "--output", str(path), "--json")
    told, questions = json.loads(capsys.readouterr().out), read_questions(path)
    assert told["questions"] == len(questions) == sum(told["kinds"].values())
    assert told["laws"] == 1
    assert {one.dated.law for one in questions} == {"中华人民共和国刑法"}


def test_the_same_seed_writes_the_same_file_and_another_another(tmp_path: Path) -> None:
    for name, seed in [("a", "5"), ("b", "5"), ("c", "6")]:
        run("--count", "20", "--seed", seed, "--output", str(tmp_path / name))
    first, second, third = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == second != third


def test_a_corpus_file_of_ones_own_is_read(tmp_path: Path) -> None:
    (tmp_path / "laws").mkdir()
    with tiny_library(tmp_path / "laws", tiny_law("试验法", {"1": "甲"})):
        pass
    corpus = tmp_path / "laws" / "corpus.sqlite"
    with pytest.raises(UserError, match="nothing to ask about"):
        run("--corpus", str(corpus), "--output", str(tmp_path / "none.jsonl"))
    assert not (tmp_path / "none.jsonl").exists()


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    out = ("--output", str(tmp_path / "q.jsonl"))
    with pytest.raises(UnknownWorkError):
        run("--law", "不存在的法", *out)
    with pytest.raises(InputError, match="no such corpus"):
        run("--corpus", str(tmp_path / "missing"), *out)


@pytest.mark.parametrize("bad", [("--count", "1"), ("--dates", "1"), ("--count", "many")])
def test_numbers_that_make_no_sense_are_refused(tmp_path: Path, bad: tuple[str, str]) -> None:
    with pytest.raises(typer.BadParameter):
        run(*bad, "--output", str(tmp_path / "q.jsonl"))
