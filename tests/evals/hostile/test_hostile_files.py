"""Files that are not what they should be: each is refused with its path, none is a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.agents.settings import ResearchSettings
from inforce.errors import InputError
from inforce.evals.benchmark import Setup
from inforce.evals.construction.project import read_asked, read_review
from inforce.evals.construction.worlds import open_world
from inforce.evals.dated.questions import read_questions
from inforce.evals.lecard.files import (
    Candidate,
    read_candidates,
    read_judgements,
    read_queries,
    read_rankings,
)
from inforce.evals.legalagentbench.tasks import read_tasks
from inforce.evals.legalsearch.items import read_items
from inforce.evals.legalsearchqa.items import read_barexam, read_legalsearchqa
from inforce.evals.results import read_results
from inforce.scoring.cases import read_cases
from stored_runs import record, stored

TODAY = date(2026, 11, 20)
DEEP = b"[" * 60_000 + b"]" * 60_000
SURROGATE = rb"\ud800"


def _setup(path: Path) -> Setup:
    return Setup(data=path, today=TODAY, settings=ResearchSettings())


def _thirteen(path: Path) -> object:
    return read_items(path, today=TODAY)


def _us(path: Path) -> object:
    return read_legalsearchqa(_setup(path))


LINE: dict[str, Any] = {"id": "1", "type": "kqa", "question": "q", "answer": "A"}
CASE = {"fact": "q", "meta": {"relevant_articles": [264], "accusation": ["盗窃"]}}
QUESTION = {"id": "1", "question": "q", "choices": ["a", "b", "c", "d"], "gold": 1, "domain": "t"}
TASK = {"id": 1, "question": "q", "answer": "a", "key": ["k"]}
QUERY = {"id": 1, "query": "q"}

READERS: dict[str, tuple[Callable[[Path], object], bytes]] = {
    "13 tasks": (_thirteen, json.dumps(LINE).encode()),
    "cases": (read_cases, json.dumps(CASE, ensure_ascii=False).encode()),
    "US questions": (_us, json.dumps([QUESTION]).encode()),
    "LegalAgentBench": (read_tasks, json.dumps([TASK]).encode()),
    "queries": (read_queries, json.dumps(QUERY).encode()),
}

WRONG: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda good: b"",
    "not JSON": lambda good: b"<html>",
    "not UTF-8": lambda good: good.replace(b'"q"', b'"\xff"'),
    "a lone surrogate": lambda good: good.replace(b'"q"', b'"' + SURROGATE + b'"'),
    "nested without end": lambda good: good.replace(b'"q"', b'"q", "more": ' + DEEP),
    "cut short": lambda good: good[:-3],
    "not a number": lambda good: good.replace(b'"q"', b"NaN"),
    "another shape": lambda good: b'{"a": 1}',
    "a null character": lambda good: b"\0",
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_file_is_refused_by_its_name(tmp_path: Path, reader: str, what: str) -> None:
    read, good = READERS[reader]
    path = tmp_path / "data.json"
    path.write_bytes(good)
    assert read(path)
    path.write_bytes(WRONG[what](good))
    with pytest.raises(InputError, match="data.json"):
        read(path)


def test_lines_may_end_as_on_windows(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    line = READERS["13 tasks"][1]
    path.write_bytes(line + b"\r\n" + line.replace(b'"1"', b'"2"') + b"\r\n")
    assert [one.id for one in read_items(path, today=TODAY)] == ["1", "2"]


@pytest.mark.parametrize(
    "line", [b"1 0 a inf", b"1 0 a nan", b"1 0 a", b"1 0 a x", b"1 0 a 1e999", b"1 0 a 1\n1 0 a 3"]
)
def test_a_judgement_that_is_none_or_said_twice_is_refused(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "qrels.trec"
    path.write_bytes(b"2 0 a 1\n" + line)
    with pytest.raises(InputError, match=r"qrels.trec:[23]"):
        read_judgements(path)


def test_a_ranking_has_no_place_for_what_is_no_number(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(b"1 Q0 a 1 nan x\n1 Q0 b 2 1 x\n")
    with pytest.raises(InputError, match=r"run.trec:1"):
        read_rankings(path)


def test_a_candidate_of_nothing_but_white_space_has_no_text(tmp_path: Path) -> None:
    path = tmp_path / "candidates.json"
    path.write_text('{"pid": 1, "qw": "盗窃"}\n{"pid": 2, "qw": " \\n"}', encoding="utf-8")
    candidates = read_candidates(path)
    assert next(candidates) == Candidate("1", "盗窃")
    with pytest.raises(InputError, match="without an id or a text"):
        next(candidates)


def test_a_task_that_any_answer_would_solve_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps([{**TASK, "key": [""]}]), encoding="utf-8")
    with pytest.raises(InputError, match="no key to score by"):
        read_tasks(path)


def test_a_dated_question_nested_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dated.jsonl"
    path.write_bytes(b'{"more": ' + DEEP + b"}")
    with pytest.raises(InputError, match=r"dated.jsonl:1"):
        read_questions(path)


def test_a_cell_of_the_bar_exam_may_be_long_but_not_without_end(tmp_path: Path) -> None:
    path = tmp_path / "bar.csv"
    head = "idx,subject,prompt,question,choice_a,choice_b,choice_c,choice_d,answer\n"
    path.write_text(f"{head}1,torts,{'x' * 140_000},q,a,b,c,d,A\n", encoding="utf-8")
    with pytest.raises(InputError, match="bar.csv"):
        read_barexam(_setup(path))


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "not UTF-8": lambda good: good.replace(b"question a", b"\xff"),
    "nested without end": lambda good: good.replace(b'"facts":{}', b'"facts":{"a":' + DEEP + b"}"),
    "another outcome": lambda good: good.replace(b'"answered"', b'"won"'),
    "a value beyond numbers": lambda good: good.replace(b'"right":1.0', b'"right":1e999'),
    "cut short": lambda good: good[:-5],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_records_are_refused_by_their_line(tmp_path: Path, damage: str) -> None:
    stored(tmp_path, record("a"))
    path = tmp_path / "records.jsonl"
    good = path.read_bytes()
    path.write_bytes(good + DAMAGE[damage](good))
    with pytest.raises(InputError, match=r"records.jsonl:2"):
        read_results(tmp_path)


@pytest.mark.parametrize("content", [b"", b"[]", b'{"benchmark": "\xff"}', DEEP, b"null"])
def test_damaged_results_are_refused(tmp_path: Path, content: bytes) -> None:
    stored(tmp_path, record("a"))
    (tmp_path / "results.json").write_bytes(content)
    with pytest.raises(InputError, match=r"results.json"):
        read_results(tmp_path)


TABLES = """\
kinds: {staff: {opening: "员工{}"}}
tables:
  people:
    file: FILE
    noun: 人
    links: [{columns: [name], kind: staff}]
    asks: {office: 办公室}
tools:
  find: {table: people, by: [name], arguments: [name], answer: row}
"""
UNUSUAL = "甲\u2028乙\x85丙\x0b丁"
"""Signs that end a line for Python, and neither in JSON nor in CSV."""


@pytest.mark.parametrize("file", ["people.jsonl", "people.csv"])
def test_a_cell_may_hold_signs_that_look_like_line_ends(tmp_path: Path, file: str) -> None:
    row = {"name": "a", "office": UNUSUAL}
    text = f"name,office\na,{UNUSUAL}\n"
    if file.endswith("jsonl"):
        text = json.dumps(row, ensure_ascii=False).replace("\x0b", "\\u000b")
    (tmp_path / file).write_text(text, encoding="utf-8", newline="")
    tables = tmp_path / "tables.yaml"
    tables.write_text(TABLES.replace("FILE", file), encoding="utf-8")
    with open_world(tmp_path, tables) as world:
        assert world.starts(_branch()) == (("a",),)


def _branch() -> Any:
    from inforce.evals.construction.paths import Branch

    return Branch("find", "staff")


@pytest.mark.parametrize("content", [DEEP, b'{"a": "\xff"}', b"{}", b'{"made": {"name": "\xff"}}'])
def test_damaged_tasks_in_the_making_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"tasks.jsonl"):
        read_asked(path)


DOCUMENT = "---\nname: aa\nquestion: q\nverdict: accept\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: aa\nquestion: q\nverdict: accept\n", r"yaml:1: a task has to begin with ---"),
        (f"# head\nname: bb\nquestion: q\n{DOCUMENT}", r"yaml:2: a task has to begin"),
        (DOCUMENT + DOCUMENT, "judges the task aa twice"),
        (DOCUMENT.replace("accept", "Accept"), "verdict is accept, reject or nothing"),
        (DOCUMENT.replace("accept", "!!python/object/apply:os.system [ls]"), r"yaml:"),
        (DOCUMENT.replace("accept", "*a"), "aliases are not read"),
        (DOCUMENT.replace("q\n", "&a [*a]\n"), "aliases are not read"),
        (DOCUMENT.replace("q\n", f"{'[' * 50}{']' * 50}\n"), "nested too deeply"),
    ],
)
def test_a_review_that_was_edited_wrongly_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "review.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read_review(path)


def test_a_review_saved_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "review.yaml"
    path.write_text(f"\ufeff# head\r\n{DOCUMENT}".replace("\n", "\r\n"), encoding="utf-8")
    assert read_review(path)["aa"].verdict == "accept"
