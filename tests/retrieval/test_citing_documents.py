"""Precedents and guidelines that cite an article: read, and each for its own day."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.corpus.store import Corpus
from inforce.documents.files import raise_problem
from inforce.library import Library, open_library
from inforce.retrieval.sources.loading import SourceFiles
from inforce.retrieval.sources.stored import add_files
from inforce.testing import tiny_law

LAW = "中华人民共和国灯塔法"
LIGHT = "灯塔管理人应当守夜，并且每夜记录灯光的强弱和过往的船只。"
OIL = "灯油由国家供给，任何单位和个人不得挪用或者变卖灯塔的灯油。"
MOVED = date(2018, 1, 1)
CASES = [
    ("before", "2015-05-01", f"依照《{LAW}》第二条判决如下。"),
    ("after", "2019-05-01", "依照《灯塔法》第三条第一款判决如下。"),
    ("other", "2019-05-01", f"依照《{LAW}》第二条判决如下。"),
    ("undated", None, f"依照《{LAW}》第三条判决如下。"),
    ("not citing", "2019-05-01", "原告主张灯塔法第三百条与本案无关，第三条合同约定灯油。"),
]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """In 2018 a new first article moved the others up by one."""
    old = tiny_law(LAW, {"1": LIGHT, "2": OIL}, start=date(2000, 1, 1), end=MOVED)
    new = tiny_law(LAW, {"1": "为了航行安全，制定本法。", "2": LIGHT, "3": OIL}, start=MOVED)
    cases = tmp_path / "cases.jsonl"
    lines = [
        json.dumps({"id": name, "title": name, "date": day, "text": text}, ensure_ascii=False)
        for name, day, text in CASES
    ]
    cases.write_text("\n".join(lines) + "\n", encoding="utf-8")
    home = tmp_path / "home"
    add_files(home, SourceFiles((cases,), "precedent", raise_problem), name="precedent")
    with Corpus.open(home / "corpus.db", mode="write") as corpus:
        corpus.add([old, new])
    with open_library(home, clock=lambda: date(2020, 1, 25)) as opened:
        yield opened


def cited(library: Library, number: str, on: str) -> list[tuple[str, str, bool]]:
    found = library.citing_documents("灯塔法", number, on=on)
    return [(one.id, one.portions[0].number.short, one.checked) for one in found]


def test_a_document_means_the_article_that_had_the_number_on_its_day(library: Library) -> None:
    assert cited(library, "3", "2019-06-01") == [
        ("after", "3", True),
        ("before", "2", True),
        ("undated", "3", False),
    ]
    assert cited(library, "2", "2019-06-01") == [("other", "2", True)]


def test_nothing_is_named_for_days_on_which_the_article_is_not_held(library: Library) -> None:
    assert cited(library, "3", "2017-12-31") == []


def test_without_a_source_there_is_none(sample_library: Library) -> None:
    assert sample_library.citing_documents("刑法", "74", on="2010") == ()
