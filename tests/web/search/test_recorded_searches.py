"""A recording is replayed as it was made; what it does not hold is not covered by it."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from inforce import network
from inforce.errors import InputError
from inforce.web.search.provider import SearchFailure
from inforce.web.search.recorded import BAR_PREFIX, LAW_PREFIX, Recorded
from json_service import JsonService

AT = "2026-03-26T08:45:44+00:00"
RESULT = {
    "title": "Lottery",
    "url": "https://www.uscis.gov/a",
    "snippet": "The lowest wage level applies.",
}
QUESTION = "Which wage level does USCIS use?"
BAR = "A testator revoked her will. " * 20


def line(query: str, *results: dict[str, str], at: str = AT) -> dict[str, Any]:
    return {"query": query, "fetched_at": at, "results": list(results), "file": "ignored.json"}


def write(path: Path, *lines: dict[str, Any] | str) -> Path:
    told = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in lines]
    path.write_text("\n".join(told) + "\n\n", encoding="utf-8")
    return path


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    lines = [
        line(LAW_PREFIX + QUESTION, RESULT),
        line(BAR_PREFIX + BAR[:200], RESULT),
        line("nothing there"),
    ]
    return Recorded(write(tmp_path / "searches.jsonl", *lines))


@pytest.mark.parametrize(
    "query",
    [
        LAW_PREFIX + QUESTION,
        QUESTION,
        "us law:   which wage level does uscis use",
        "Ｗhich wage level does USCIS use？",
        BAR,
        BAR[:200],
        BAR_PREFIX + BAR[:200],
        BAR_PREFIX + BAR,
    ],
)
async def test_a_query_is_found_as_it_was_recorded_or_in_the_forms_of_the_paper(
    recorded: Recorded, query: str
) -> None:
    with network.restrict("off"):
        page = await recorded.search(query)
    assert [one.url for one in page.results] == [RESULT["url"]]
    assert page.fetched_at == datetime(2026, 3, 26, 8, 45, 44, tzinfo=UTC)
    assert page.provider == "recorded"


async def test_what_was_not_recorded_is_not_covered_and_not_without_results(
    recorded: Recorded,
) -> None:
    with pytest.raises(SearchFailure) as caught:
        await recorded.search("Which wage level does the DOL use?")
    assert caught.value.reason == "not_recorded"


async def test_a_recorded_search_without_results_has_none(recorded: Recorded) -> None:
    assert (await recorded.search("nothing there")).results == ()


@pytest.mark.parametrize(
    ("bad", "number"),
    [
        ("{", 2),
        ("[]", 2),
        ('{"query": "q", "results": []}', 2),
        ('{"query": "q", "fetched_at": "2026-03-26T08:45:44", "results": []}', 2),
        ('{"query": "q", "fetched_at": "yesterday", "results": []}', 2),
        (json.dumps(line("q", {"title": "x"})), 2),
    ],
)
def test_a_file_that_is_no_recording_is_refused_with_its_line(
    tmp_path: Path, bad: str, number: int
) -> None:
    path = write(tmp_path / "bad.jsonl", line("q", RESULT), bad)
    with pytest.raises(InputError, match=f"bad.jsonl:{number}"):
        Recorded(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Recorded(tmp_path / "none.jsonl")


@pytest.mark.data
async def test_the_shared_recording_answers_every_question_it_was_made_for(
    shared_data: Path,
) -> None:
    recorded = Recorded(shared_data / "lmars" / "serper_cache.jsonl")
    assert len(recorded) == 143
    questions: list[dict[str, Any]] = json.loads(
        (shared_data / "lmars" / "legalsearchqa.json").read_text("utf-8")
    )
    found = [await recorded.search(one["question"]) for one in questions]
    assert len(found) == 25 and all(page.results for page in found)
    assert all(result.url and result.title for page in found for result in page.results)


@pytest.mark.data
async def test_the_shared_recording_answers_the_bar_questions_it_was_made_for(
    shared_data: Path,
) -> None:
    path = shared_data / "lmars" / "serper_cache.jsonl"
    recorded = Recorded(path)
    rows = [json.loads(row) for row in path.read_text("utf-8").splitlines()]
    wanted = {idx for row in rows for idx in row["barexam_idx"]}
    with (shared_data / "lmars" / "barexam_qa.csv").open(encoding="utf-8", newline="") as file:
        asked = [row["question"] for row in csv.DictReader(file) if row["idx"] in wanted]
    reached = [question for question in asked if await _has(recorded, question)]
    assert len(asked) == len(reached) == 47


async def _has(recorded: Recorded, query: str) -> bool:
    try:
        await recorded.search(query)
    except SearchFailure:
        return False
    return True


async def test_no_service_is_asked(recorded: Recorded, service: JsonService) -> None:
    await recorded.search(QUESTION)
    assert not service.asked
