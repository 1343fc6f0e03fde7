"""Reciting an article as it stood at a date, and reading the benchmark's questions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.errors import InputError
from inforce.evals.lar import Item, evaluate, read_items, recite, summarise
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library

LAW = "试验管理条例"
FIRST, SECOND, THIRD = "甲，不适用缓刑。", "乙，不适用缓刑。", "丙，不适用缓刑。"
CHANGES = (date(2000, 1, 1), date(2011, 5, 1), date(2015, 11, 10))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    starts, ends = CHANGES, (*CHANGES[1:], None)
    laws = [
        tiny_law(LAW, {"1": text, "133-1": f"之一：{text}"}, start=start, end=end)
        for text, start, end in zip((FIRST, SECOND, THIRD), starts, ends, strict=True)
    ]
    with tiny_library(tmp_path_factory.mktemp("laws"), *laws) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("2011年4月30日的《试验管理条例》第一条", FIRST),
        ("2011年5月1日的《试验管理条例》第一条", SECOND),
        ("2011年5月2日的《试验管理条例》第一条", SECOND),
        ("2015年11月9日的《试验管理条例》第一条", SECOND),
        ("2015年11月10日的《试验管理条例》第一条", THIRD),
        ("在2011年4月，《试验管理条例》第1条的内容", FIRST),
        ("在2011年5月，《试验管理条例》第1条的内容", SECOND),
        ("《试验管理条例》第一条", THIRD),  # today
        ("2005年《试验管理条例》第一百三十三条之一", f"之一：{FIRST}"),
    ],
)
def test_the_wording_of_the_time_is_recited(library: Library, question: str, expected: str) -> None:
    assert recite(library, question) == expected


@pytest.mark.parametrize(
    ("month", "expected"),
    [
        ("2015年10月", SECOND),
        ("2015年11月", THIRD),  # nine days of the second wording, twenty-one of the third
        ("2015年12月", THIRD),
        ("2015年", SECOND),  # 313 days of the second
        ("2011年", SECOND),  # 120 days of the first, 245 of the second
    ],
)
def test_where_the_law_changed_inside_the_time_the_wording_of_most_days_is_recited(
    library: Library, month: str, expected: str
) -> None:
    assert recite(library, f"{month}的《试验管理条例》第一条是什么") == expected


@pytest.mark.parametrize(
    "question",
    [
        "1999年《试验管理条例》第一条",  # before it commenced
        "2005年《试验管理条例》第二条",  # it has no such article
        "2005年《不存在的法》第一条",
        "第一条是什么",
        "《试验管理条例》说了什么",
        "",
    ],
)
def test_what_cannot_be_recited_is_empty_not_guessed(library: Library, question: str) -> None:
    assert recite(library, question) == ""


def test_an_item_without_an_answer_counts_zero_and_is_listed(library: Library) -> None:
    items = [
        Item("right", "2005年《试验管理条例》第一条", f"【标题】{FIRST}"),
        Item("missing", "2005年《试验管理条例》第二条", FIRST),
    ]
    right, missing = evaluate(library, items)
    assert (right.text, right.rouge_l_text, missing.text) == (FIRST, 1.0, "")
    assert 0.5 < right.rouge_l < 1.0  # the heading is missing
    report = summarise([right, missing])
    assert (report.n, report.misses, report.rouge_l_text) == (2, ("missing",), 0.5)
    assert report.rouge_l == pytest.approx(right.rouge_l / 2)


# --- the benchmark's file ---------------------------------------------------------------------

LAR = {"id": 7, "type": "lar", "question": "问", "answer": "答"}
OTHER = {"id": 8, "type": "kqa", "question": "问", "answer": "A"}


def written(path: Path, *lines: object) -> Path:
    texts = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_the_lar_items_of_a_file_are_read_and_other_tasks_passed_over(tmp_path: Path) -> None:
    path = written(tmp_path / "items.jsonl", LAR, "", OTHER, LAR | {"id": "x"}, "")
    assert read_items(path) == [Item("7", "问", "答"), Item("x", "问", "答")]


def test_a_line_ends_where_json_lines_end_and_nowhere_else(tmp_path: Path) -> None:
    path = written(tmp_path / "items.jsonl", LAR | {"question": "一\u2028二\x85三"})
    assert read_items(path)[0].question == "一\u2028二\x85三"


def test_a_file_with_carriage_returns_is_read(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(f"{json.dumps(LAR)}\r\n{json.dumps(OTHER)}\r\n".encode())
    assert len(read_items(path)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "3",
        json.dumps({"id": 1}),
        json.dumps({"type": "lar", "question": "问", "answer": "答"}),
        json.dumps({"type": "lar", "id": 1, "question": "问"}),
        json.dumps(LAR | {"question": None}),
        json.dumps(LAR | {"answer": ["答"]}),
    ],
)
def test_a_line_that_is_no_item_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    path = written(tmp_path / "items.jsonl", LAR, "", line)
    with pytest.raises(InputError) as raised:
        read_items(path)
    assert (raised.value.path, raised.value.line) == (str(path), 3)


@pytest.mark.parametrize("lines", [(), (OTHER,)])
def test_a_file_without_lar_items_is_an_error(tmp_path: Path, lines: tuple[object, ...]) -> None:
    with pytest.raises(InputError, match="no item of type 'lar'"):
        read_items(written(tmp_path / "items.jsonl", *lines))


def test_a_file_that_cannot_be_read_is_an_error_that_names_it(tmp_path: Path) -> None:
    gbk = tmp_path / "gbk.jsonl"
    gbk.write_bytes(json.dumps(LAR, ensure_ascii=False).encode("gbk"))
    for path in (gbk, tmp_path / "missing.jsonl", tmp_path):
        with pytest.raises(InputError, match=path.name):
            read_items(path)


@pytest.mark.data
def test_all_lar_items_of_the_benchmark_are_read(shared_data: Path) -> None:
    counts = {
        path.name: len(read_items(path))
        for path in sorted((shared_data / "legalsearch_r1").glob("*.jsonl"))
        if '"lar"' in path.read_text(encoding="utf-8")
    }
    assert counts and all(counts.values())
