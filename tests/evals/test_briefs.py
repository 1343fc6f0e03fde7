"""Documents with known errors: made the same each time, and their errors are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brief_scores import Scores
from inforce.documents.plain import read_text
from inforce.errors import UserError
from inforce.evals.briefs.generator import EXPECTED, Brief, Plan, briefs, write_briefs
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library


@pytest.fixture(scope="module")
def made(sample_library: Library) -> list[Brief]:
    return list(briefs(sample_library, Plan(count=25, share=0.6)))


def test_the_same_plan_gives_the_same_documents(sample_library: Library, made: list[Brief]) -> None:
    assert list(briefs(sample_library, Plan(count=3, share=0.6))) == made[:3]
    assert list(briefs(sample_library, Plan(count=3, share=0.6, seed=2))) != made[:3]


def test_items_are_where_they_are_said_to_be(made: list[Brief]) -> None:
    for brief in made:
        assert len(brief.items) == 6
        for item in brief.items:
            paragraph = brief.text[item.start : item.end]
            assert str(item.day.year) in paragraph and "\n" not in paragraph.strip()


def test_nearly_every_kind_of_error_is_made_of_the_starter_corpus(made: list[Brief]) -> None:
    kinds = {item.error for brief in made for item in brief.items if item.error}
    assert len(kinds) >= len(EXPECTED) - 1


def test_errors_are_found_and_what_is_right_is_not_accused(
    sample_library: Library, made: list[Brief]
) -> None:
    scores = Scores()
    for brief in made:
        document = read_text(brief.text.encode(), name=brief.id)
        scores.add(brief, sample_library.verify(document))
    # Extracts of eleven laws cannot show that there is no such law or article: never passed.
    invented = ("invented_law", "invented_article")
    unknown = sum(scores.errors[one] for one in invented)
    assert sum(scores.unchecked[one] for one in invented) == unknown
    assert scores.found.total() >= 0.97 * (scores.errors.total() - unknown), scores.mistakes
    assert scores.accused == 0, scores.mistakes
    assert scores.precision == 1.0


def test_documents_are_written_with_what_is_wrong_in_them(
    made: list[Brief], tmp_path: Path
) -> None:
    write_briefs(tmp_path, made[:2])
    lines = (tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["brief-00000", "brief-00001"]
    assert (tmp_path / "brief-00000.txt").read_text(encoding="utf-8") == made[0].text


def test_a_corpus_of_which_nothing_can_be_made_says_what_to_do(tmp_path: Path) -> None:
    with (
        tiny_library(tmp_path, tiny_law("测试法", {"2020": "甲。"})) as library,
        pytest.raises(UserError, match="two well-dated texts"),
    ):
        list(briefs(library, Plan(count=1)))
