"""Reading the questions of LegalSearchQA and of the bar exam."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from us_questions import DOORS, LAMPS, bar_row, barexam_file, legalsearchqa_file, setup_for

from inforce.errors import InputError, UserError
from inforce.evals.baselines import Prompt
from inforce.evals.legalsearchqa.items import read_barexam, read_legalsearchqa


def test_a_question_is_put_with_lettered_choices_and_says_how_to_end(tmp_path: Path) -> None:
    first, second = read_legalsearchqa(setup_for(legalsearchqa_file(tmp_path)))
    assert first.facts["plain_question"] == (
        "By when must lamps be lit in the state of Examplia\n\n"
        "A. At noon\nB. At dusk\nC. At midnight\nD. Never"
    )
    assert first.question.startswith(first.facts["plain_question"])
    assert first.question.endswith("ANSWER: X")
    assert (first.id, first.task, first.target, first.group) == (
        *("q1", "legalsearchqa", "B", "lamp_law"),
    )
    assert (second.target, second.facts["gold"]) == ("C", "Owners")
    assert first.facts["search_query"] == f"US law: {LAMPS['question']}"
    assert {name: first.facts[name] for name in ("category", "difficulty", "source_url")} == {
        name: LAMPS[name] for name in ("category", "difficulty", "source_url")
    }


def test_facts_are_json_types(tmp_path: Path) -> None:
    for item in read_legalsearchqa(setup_for(legalsearchqa_file(tmp_path))):
        assert json.loads(json.dumps(item.facts)) == item.facts


def test_a_folder_stands_for_the_file_in_it(tmp_path: Path) -> None:
    legalsearchqa_file(tmp_path)
    barexam_file(tmp_path, bar_row("mbe_1"))
    assert len(read_legalsearchqa(setup_for(tmp_path))) == 2
    assert len(read_barexam(setup_for(tmp_path))) == 1


def test_the_bar_exam_keeps_the_rows_that_name_a_subject(tmp_path: Path) -> None:
    path = barexam_file(
        tmp_path,
        bar_row("mbe_1", subject=""),
        bar_row("mbe_2", prompt="A sues B.", question="Who wins? " * 30),
        bar_row("mbe_3", subject=" "),
        bar_row("mbe_4", subject="EVIDENCE", answer="A"),
    )
    second, fourth = read_barexam(setup_for(path))
    assert (second.id, second.target, second.group) == ("mbe_2", "C", "TORTS")
    assert (fourth.id, fourth.target, fourth.group) == ("mbe_4", "A", "EVIDENCE")
    assert second.question.startswith("A sues B.\n\nWho wins?")
    assert fourth.question.startswith("Q?\n\nA. choice a")
    assert second.facts["search_query"] == f"US law bar exam: {('Who wins? ' * 30)[:200]}"


def test_a_model_asked_directly_has_ten_tokens_and_a_thousand_to_reason(tmp_path: Path) -> None:
    path = legalsearchqa_file(tmp_path)
    item = read_legalsearchqa(setup_for(path))[0]
    assert (Prompt.of(item).max_tokens, Prompt.of(item, "cot").max_tokens) == (10, 1_024)
    longer = read_legalsearchqa(setup_for(path, answer_tokens="300"))[0]
    assert Prompt.of(longer).max_tokens == 300


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"gold": 4}, "gold"),
        ({"gold": "B"}, "gold"),
        ({"choices": ["a", "b", "c"]}, "choices"),
        ({"question": None}, "question"),
        ({"id": "q2"}, "two questions"),
    ],
)
def test_a_question_that_cannot_be_asked_is_named(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    path = legalsearchqa_file(tmp_path, {**LAMPS, **change}, DOORS)
    with pytest.raises(InputError, match=reason) as caught:
        read_legalsearchqa(setup_for(path))
    assert caught.value.path == str(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "not json", '[{"id": "q1"}]'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "legalsearchqa.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        read_legalsearchqa(setup_for(path))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (bar_row("mbe_2", answer="E"), "'E'"),
        (bar_row("mbe_2", answer=""), "''"),
        (bar_row("mbe_2", answer="AB"), "'AB'"),
        (bar_row("mbe_2", question=""), "without its question"),
        (bar_row(""), "without its question or idx"),
    ],
)
def test_a_row_that_cannot_be_asked_is_named_by_its_line(
    tmp_path: Path, row: dict[str, str], reason: str
) -> None:
    path = barexam_file(tmp_path, bar_row("mbe_1"), row)
    with pytest.raises(InputError, match=reason) as caught:
        read_barexam(setup_for(path))
    assert caught.value.line == 3


def test_a_table_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "barexam_qa.csv"
    path.write_text("idx,question\n1,Q?\n", encoding="utf-8")
    with pytest.raises(InputError, match="subject"):
        read_barexam(setup_for(path))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_barexam(setup_for(tmp_path / "none.csv"))


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ({"votes": "2"}, "votes=2: use an odd number"),
        ({"votes": "0"}, "votes cannot be '0'"),
        ({"sources": "all"}, "sources cannot be 'all': text or found"),
        ({"unknown": "1"}, "unknown.*the options are .*votes"),
    ],
)
def test_options_there_are_not_are_refused(
    tmp_path: Path, option: dict[str, str], reason: str
) -> None:
    with pytest.raises(UserError, match=reason):
        read_legalsearchqa(setup_for(legalsearchqa_file(tmp_path), **option))


@pytest.mark.data
def test_the_given_halves_have_the_published_shape(shared_data: Path) -> None:
    questions = read_legalsearchqa(setup_for(shared_data / "lmars"))
    assert len(questions) == 25
    assert sum(one.target == "B" for one in questions) == 16
    exam = read_barexam(setup_for(shared_data / "lmars"))
    assert len(exam) == 294
    assert {one.group for one in exam} == {
        *("CONTRACTS", "TORTS", "CONST. LAW", "EVIDENCE", "REAL PROP.", "CRIM. LAW"),
    }
