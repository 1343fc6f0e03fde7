"""The practice exam: what counts as quoted, right and precise."""

from __future__ import annotations

import json
from collections.abc import Generator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.errors import InputError
from inforce.evals.practice import examine, read_exam, score, scores_by
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library

LAW = "试验刑法"
CHANGE = date(2011, 5, 1)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Library]:
    before = tiny_law(LAW, {"74": "对于累犯，不适用缓刑。"}, start=date(1997, 10, 1), end=CHANGE)
    after = tiny_law(LAW, {"74": "对于累犯和首要分子，不适用缓刑。"}, start=CHANGE)
    with tiny_library(tmp_path_factory.mktemp("h"), before, after, today="2026-11-22") as library:
        yield library


def wanted(on: str, *, article: str = "74", law: str = LAW) -> dict[str, str]:
    return {"law": law, "article": article, "on": on}


def exam(folder: Path, **changes: Any) -> Path:
    item: dict[str, Any] = {
        "id": "p1",
        "branch": "criminal",
        "style": "article",
        "question": f"2010年《{LAW}》第七十四条怎么规定？",
        "as_of": None,
        "trial": None,
        "gold": [],
        "must_not": [],
        "verdict": "applies",
        "why": "left out",
        "source": "left out",
    }
    path = folder / "exam.jsonl"
    path.write_text(json.dumps(item | changes, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("changes", "gold", "avoid", "right", "fine"),
    [
        ({"gold": [[wanted("2010-06-15")]]}, True, True, True, 1),
        ({"gold": [[wanted("2011-04-30")]]}, True, True, True, 1),
        ({"gold": [[wanted("2011-05-01")]]}, False, True, False, 0),
        ({"gold": [[wanted("2010-06-15", article="75")]]}, False, True, False, 0),
        ({"gold": [[wanted("2010-06-15", law="不存在的法")]]}, False, True, False, 0),
        (
            {"gold": [[wanted("2010-06-15", article="75"), wanted("2010-06-15")]]},
            True,
            True,
            True,
            1,
        ),
        (
            {"gold": [[wanted("2010-06-15")], [wanted("2010-06-15", article="75")]]},
            False,
            True,
            False,
            1,
        ),
        (
            {"gold": [[wanted("2010-06-15")]], "must_not": [wanted("2010-06-15")]},
            True,
            False,
            False,
            1,
        ),
        (
            {"gold": [[wanted("2010-06-15")]], "must_not": [wanted("2011-05-01")]},
            True,
            True,
            True,
            1,
        ),
        ({}, None, True, False, 0),
        ({"accept": [wanted("2010-06-15")]}, None, True, True, 1),
    ],
)
def test_a_provision_counts_as_quoted_in_a_wording_in_force_on_the_day(
    library: Library,
    tmp_path: Path,
    changes: dict[str, Any],
    gold: bool | None,
    avoid: bool,
    right: bool,
    fine: int,
) -> None:
    [mark] = examine(library, read_exam(exam(tmp_path, **changes)))
    assert (mark.gold, mark.avoid, mark.right, mark.fine) == (gold, avoid, right, fine)
    assert mark.quoted == (f"{LAW} 74",)


def test_a_question_that_cannot_be_answered_is_wrong_and_quotes_nothing(
    library: Library, tmp_path: Path
) -> None:
    path = exam(tmp_path, question="怎么规定？", as_of="2010-02-30", gold=[[wanted("2010-06-15")]])
    [mark] = examine(library, read_exam(path))
    assert "2010-02" in mark.error
    assert (mark.gold, mark.avoid, mark.right, mark.quoted) == (False, True, False, ())


def test_shares_are_of_what_they_name(library: Library, tmp_path: Path) -> None:
    items = [
        *read_exam(exam(tmp_path, gold=[[wanted("2010-06-15")]])),
        *read_exam(exam(tmp_path, style="plain", gold=[[wanted("2015-06-15")]])),
        *read_exam(exam(tmp_path, style="plain", question="量子纠缠是什么？")),
    ]
    marks = list(examine(library, items))
    whole = score(marks)
    assert (whole.n, whole.right, whole.avoid, whole.gold) == (3, 2 / 3, 1.0, 0.5)
    assert whole.precise == 0.5
    assert {name: one.n for name, one in scores_by(marks, lambda item: item.style).items()} == {
        "article": 1,
        "plain": 2,
    }
    assert score([]).right is None


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"gold": [[wanted("2010-13-01")]]}, "not an item of a practice exam"),
        ({"must_not": [wanted("2010-06-15", article="条")]}, "条"),
        ({"question": None}, "not an item of a practice exam"),
    ],
)
def test_a_line_that_is_no_item_is_named(
    tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError, match=says) as caught:
        read_exam(exam(tmp_path, **changes))
    assert caught.value.line == 1
