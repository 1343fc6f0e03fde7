"""``inforce sources``: from files to answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import InProcess, Ran

GUIDELINE = {
    "id": "g1",
    "title": "量刑指导意见",
    "text": "对于自首情节，可以减少基准刑的40%以下。",
    "date": "2021-06-17",
    "implement_date": "2021-07-01",
    "status": "现行有效",
    "issuer": "最高人民法院",
}
CASE = {"id": "c1", "fact": "被告人张某盗窃电动车", "meta": {"accusation": ["盗窃"]}}

Sources = Callable[..., Ran]


@pytest.fixture
def sources(inforce: InProcess, tmp_path: Path) -> Sources:
    """``inforce sources …`` in an empty data folder."""
    return lambda *arguments: inforce("sources", *map(str, arguments), home=tmp_path / "home")


def written(path: Path, *records: object) -> Path:
    path.write_text("\n".join(json.dumps(one) for one in records), encoding="utf-8")
    return path


def test_files_become_a_source_that_answers(sources: Sources, tmp_path: Path) -> None:
    ran = sources("add", "guideline", written(tmp_path / "g.jsonl", GUIDELINE))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("guideline: made, 1 document added; 1 in all")
    ran = sources("search", "guideline", "自首", "--during", "2022")
    assert ran.status == 0
    assert "1. 量刑指导意见" in ran.out
    assert "dated 2021-06-17 · in force since 2021-07-01" in ran.out
    assert sources("search", "guideline", "自首", "--during", "2020").status == 4
    assert "guideline  1 document, " in sources("list").out


def test_json_has_everything(sources: Sources, tmp_path: Path) -> None:
    added = sources("add", "guideline", written(tmp_path / "g.jsonl", GUIDELINE), "--json").json
    assert added["report"]["documents"] == 1
    assert (added["excluded"], added["problems"]) == (0, [])
    found = sources("search", "guideline", "自首", "-k", "1", "--json").json
    (hit,) = found["hits"]
    assert hit["document"]["text"] == GUIDELINE["text"]
    assert hit["document"]["valid"]["from"] == "2021-07-01"
    assert hit["document"]["details"]["status"] == "现行有效"
    (kept,) = sources("list", "--json").json
    assert (kept["name"], kept["documents"], kept["state"]) == ("guideline", 1, "ready")


def test_facts_of_an_evaluation_are_kept_out(sources: Sources, tmp_path: Path) -> None:
    cases = written(tmp_path / "c.jsonl", CASE, {**CASE, "id": "c2", "fact": "被告人李某盗窃"})
    tests = written(tmp_path / "t.jsonl", {"fact": "被告人张某 盗窃电动车"})
    ran = sources("add", "precedent", cases, "--exclude", tests)
    assert "excluded: 1 fact of the evaluation" in ran.out
    assert [
        hit["document"]["id"]
        for hit in sources("search", "precedent", "盗窃", "--json").json["hits"]
    ] == ["c2"]


def test_what_cannot_be_read_is_told_with_its_line(sources: Sources, tmp_path: Path) -> None:
    path = written(tmp_path / "c.jsonl", {"title": "x"}, CASE, *[{"title": "y"}] * 30)
    ran = sources("add", "precedent", path)
    assert ran.status == 6
    assert f"left out: {path}:1: no 'text'" in ran.err
    assert "left out: 11 more" in ran.err
    assert "1 document added" in ran.out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (
            ("search", "precedent", "盗窃"),
            7,
            "has not been made: make it with: inforce sources add",
        ),
        (("search", "statute", "盗窃"), 2, "'statute' is not one of"),
        (("add", "precedent", "/none.jsonl"), 6, "/none.jsonl: cannot be read"),
        (("add", "precedent"), 2, "Missing argument"),
        (("remove", "book"), 4, ""),
    ],
)
def test_mistakes_say_what_to_do(
    sources: Sources, arguments: tuple[str, ...], status: int, message: str
) -> None:
    ran = sources(*arguments)
    assert ran.status == status
    assert message in ran.err


def test_a_date_that_is_none_is_told(sources: Sources, tmp_path: Path) -> None:
    sources("add", "precedent", written(tmp_path / "c.jsonl", CASE))
    ran = sources("search", "precedent", "盗窃", "--during", "soon")
    assert ran.status == 2
    assert "cannot read 'soon' as a date" in ran.err


def test_a_source_is_removed(sources: Sources, tmp_path: Path) -> None:
    sources("add", "precedent", written(tmp_path / "c.jsonl", CASE))
    assert sources("remove", "precedent").out == "precedent: removed\n"
    assert sources("list").out.startswith("no sources yet")
    assert sources("remove", "precedent", "--json").json == {
        "source": "precedent",
        "removed": False,
    }
