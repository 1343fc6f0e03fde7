"""Reading the benchmark's files."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from inforce.errors import InputError
from inforce.evals.legalsearch.items import read_items
from inforce.scoring.tasks import IN_DOMAIN, OUT_OF_DOMAIN, RELEASED_FILES, TASKS

TODAY = date(2026, 11, 20)
LAR = {
    "id": 7,
    "type": "lar",
    "question": "\n在2004年3月，《试验法》第一条说了什么？\n",
    "answer": " 甲。\n",
    "deepresearch_task_prompt": "\n请背诵。\n",
    "task_prompt": "\n请背诵，写在标签里。\n",
    "system_prompt": "答。",
    "system_prompt_cot": "想，再答。",
}
KQA = {"id": "kqa_1", "type": "kqa", "question": "2004年的问题", "answer": "AC"}


def written(path: Path, *lines: object) -> Path:
    texts = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_an_agent_is_given_the_instruction_and_the_question(tmp_path: Path) -> None:
    item, other = read_items(written(tmp_path / "a.jsonl", LAR, "", KQA), today=TODAY)
    assert (item.id, item.task, item.target) == ("7", "lar", "甲。")
    assert item.question == "请背诵。\n在2004年3月，《试验法》第一条说了什么？"
    assert (other.id, other.question, other.target) == ("kqa_1", "2004年的问题", "AC")


def test_the_words_for_a_model_alone_are_kept(tmp_path: Path) -> None:
    (item,) = read_items(written(tmp_path / "a.jsonl", LAR), today=TODAY)
    assert item.facts == {
        "plain_question": "在2004年3月，《试验法》第一条说了什么？",
        "task_prompt": "\n请背诵，写在标签里。\n",
        "system_prompt": "答。",
        "system_prompt_cot": "想，再答。",
        "year": 2004,
    }


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("2025年4月1日时《试验法》第二条", "2025"),
        ("二〇一三年的《试验法》第二条", "2013"),
        ("今年的《试验法》第二条", "2026"),
        ("《试验法》第二条", ""),
    ],
)
def test_recitations_are_grouped_by_the_year_asked_for(
    tmp_path: Path, question: str, year: str
) -> None:
    (item,) = read_items(written(tmp_path / "a.jsonl", LAR | {"question": question}), today=TODAY)
    assert (item.group, str(item.facts.get("year", ""))) == (year, year)


def test_other_tasks_have_no_year(tmp_path: Path) -> None:
    (item,) = read_items(written(tmp_path / "a.jsonl", KQA), today=TODAY)
    assert item.group == "" and "year" not in item.facts


def test_only_the_tasks_asked_for_are_read(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", LAR, KQA, LAR | {"id": 8})
    assert [item.id for item in read_items(path, today=TODAY, tasks=["lar"])] == ["7", "8"]
    assert [item.id for item in read_items(path, today=TODAY)] == ["7", "kqa_1", "8"]


def test_a_folder_is_read_as_its_two_released_files(tmp_path: Path) -> None:
    written(tmp_path / RELEASED_FILES[1], KQA | {"id": "nje_1", "type": "nje"})
    assert [item.id for item in read_items(tmp_path, today=TODAY)] == ["nje_1"]
    written(tmp_path / RELEASED_FILES[0], LAR)
    written(tmp_path / "else.jsonl", "no item at all")
    assert [item.id for item in read_items(tmp_path, today=TODAY)] == ["7", "nje_1"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "not an item of the 13-task benchmark"),
        ("[]", "not an item of the 13-task benchmark"),
        ('{"id": "1", "type": "kqa", "question": "问"}', "missing required field `answer`"),
        ('{"id": "1", "type": "kqa", "question": 1, "answer": "A"}', r"\$.question"),
        ('{"id": "1", "type": "mbe", "question": "问", "answer": "A"}', "Invalid enum value 'mbe'"),
        ('{"id": "1", "type": "kqa", "question": "\\ud800", "answer": "A"}', "not an item"),
        ("[" * 100_000, "not an item of the 13-task benchmark"),
        (json.dumps(KQA), "the id 'kqa_1' occurs twice"),
    ],
)
def test_a_line_that_is_no_item_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = written(tmp_path / "a.jsonl", KQA, "", line)
    with pytest.raises(InputError, match=told) as refused:
        read_items(path, today=TODAY)
    assert refused.value.line == 3


def test_bytes_that_are_no_text_are_no_item(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "1", "type": "kqa", "question": "\xff", "answer": "A"}')
    with pytest.raises(InputError, match="not an item of the 13-task benchmark"):
        read_items(path, today=TODAY)


def test_a_file_without_what_was_asked_for_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", KQA)
    with pytest.raises(InputError, match="holds no item of type 'lar' or 'ccp'"):
        read_items(path, today=TODAY, tasks=["lar", "ccp"])
    with pytest.raises(InputError, match="no items"):
        read_items(written(tmp_path / "empty.jsonl", ""), today=TODAY)
    with pytest.raises(InputError, match="cannot be read"):
        read_items(tmp_path / "nowhere.jsonl", today=TODAY)
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="holds neither legalsearch_evaluation.jsonl nor"):
        read_items(tmp_path / "folder", today=TODAY)


@pytest.mark.data
def test_the_released_files_are_read_whole(shared_data: Path) -> None:
    folder = shared_data / "legalsearch_r1"
    items = read_items(folder, today=TODAY)
    counts = Counter(item.task for item in items)
    assert set(counts) == set(TASKS) and len(set(counts.values())) == 1
    assert len({item.id for item in items}) == len(items)
    in_domain = read_items(folder / RELEASED_FILES[0], today=TODAY)
    assert {item.task for item in in_domain} == set(IN_DOMAIN)
    assert {item.task for item in items[len(in_domain) :]} == set(OUT_OF_DOMAIN)
    assert all(item.facts["system_prompt"] for item in items)
    years = {item.group for item in items if item.task == "lar"}
    assert years <= {str(year) for year in range(2000, 2026)} and len(years) > 10
