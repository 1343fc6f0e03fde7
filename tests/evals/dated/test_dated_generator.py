"""Dated questions from a corpus: which days, which answers, and always the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from changing_law import (
    FIRST,
    LAW,
    SECOND,
    SECOND_DAY,
    THIRD,
    THIRD_DAY,
    changing_library,
    versions,
)

from inforce.dates import DateRange
from inforce.errors import InputError, UnknownWorkError
from inforce.evals.dated.generator import Plan, generate
from inforce.evals.dated.questions import (
    FORMS,
    DatedQuestion,
    day_in_words,
    read_questions,
    write_questions,
)
from inforce.evals.legalsearch.items import read_items
from inforce.evals.rule_agents import recitation
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with changing_library(tmp_path_factory.mktemp("laws")) as opened:
        yield opened


def _of(questions: tuple[DatedQuestion, ...], kind: str) -> list[DatedQuestion]:
    return [one for one in questions if one.dated.kind == kind]


@pytest.mark.parametrize(
    ("change", "days"),
    [
        (
            SECOND_DAY,
            [
                ("2011-04-29", -2, FIRST),
                ("2011-04-30", -1, FIRST),
                ("2011-05-01", 0, SECOND),
                ("2011-05-02", 1, SECOND),
                ("2011-05-03", 2, SECOND),
            ],
        ),
        (
            THIRD_DAY,
            [
                ("2015-10-30", -2, SECOND),
                ("2015-10-31", -1, SECOND),
                ("2015-11-01", 0, THIRD),
                ("2015-11-02", 1, THIRD),
                ("2015-11-03", 2, THIRD),
            ],
        ),
    ],
)
def test_five_days_around_a_change_have_the_wording_of_each_day(
    library: Library, change: date, days: list[tuple[str, int, str]]
) -> None:
    around = [
        one
        for one in _of(generate(library), "boundary")
        if abs((one.dated.as_of.start - change).days) <= 2
    ]
    assert [(str(one.dated.as_of.start), one.dated.offset, one.answer) for one in around] == days
    assert len({one.dated.group for one in around}) == 1
    assert {one.dated.size for one in around} == {5}


def test_both_sides_of_a_change_are_asked_in_a_month_of_one_wording(library: Library) -> None:
    plain = _of(generate(library), "plain")
    assert sorted(one.answer for one in plain) == sorted([FIRST, SECOND, SECOND, THIRD])
    for one in plain:
        lookup = library.at(LAW, "1", on=one.dated.as_of).lookup
        assert [span.provision and span.provision.text for span in lookup.found] == [one.answer]
        assert not one.dated.as_of.is_single_day


def test_a_wording_shorter_than_a_month_is_asked_by_the_day(tmp_path: Path) -> None:
    laws = [
        tiny_law(LAW, {"1": FIRST}, start=date(2011, 5, 5), end=date(2011, 5, 20)),
        tiny_law(LAW, {"1": SECOND}, start=date(2011, 5, 20), end=date(2011, 6, 10)),
    ]
    with tiny_library(tmp_path, *laws) as short:
        assert all(one.dated.as_of.is_single_day for one in _of(generate(short), "plain"))
        assert len(_of(generate(short), "plain")) == 2


def test_a_series_asks_the_same_at_several_dates_spread_over_all_wordings(library: Library) -> None:
    series = _of(generate(library, Plan(dates=5)), "series")
    assert len(series) == 5
    assert len({one.dated.as_of for one in series}) == 5
    assert {one.answer for one in series} == {FIRST, SECOND, THIRD}
    assert max(Counter(one.answer for one in series).values()) == 2
    asked = {one.question.replace(day_in_words(one.dated.as_of), "…") for one in series}
    assert len(asked) == 1
    assert len({one.dated.group for one in series}) == 1


@pytest.mark.parametrize(
    ("today", "boundary"),
    [("2015-11-03", 10), ("2015-11-02", 5), ("2011-05-03", 5), ("2011-05-02", 0)],
)
def test_no_day_after_today_is_asked_about(tmp_path: Path, today: str, boundary: int) -> None:
    with changing_library(tmp_path, today=today) as early:
        questions = generate(early)
    assert len(_of(questions, "boundary")) == boundary
    assert all(str(one.dated.as_of.last) <= today for one in questions)


def test_days_around_a_change_are_asked_whole_or_not_at_all(tmp_path: Path) -> None:
    laws = [
        tiny_law(LAW, {"1": FIRST}, start=date(2011, 4, 30), end=SECOND_DAY),  # one day
        tiny_law(LAW, {"1": SECOND}, start=SECOND_DAY),
    ]
    with tiny_library(tmp_path, *laws) as short:
        assert not _of(generate(short), "boundary")


def test_a_question_knows_its_window_and_every_other_wording(library: Library) -> None:
    (middle,) = [
        one.dated for one in generate(library) if one.dated.as_of == DateRange.day(SECOND_DAY)
    ]
    assert (middle.valid_from, middle.valid_to) == (SECOND_DAY, THIRD_DAY)
    assert middle.version == f"/akn/cn/act/{LAW}/zho@2011-05-01/~art_1"
    assert [(one.text, one.valid_from, one.valid_to) for one in middle.others] == [
        (FIRST, date(2000, 1, 1), SECOND_DAY),
        (THIRD, THIRD_DAY, None),
    ]
    assert "number" in middle.reasons


def test_a_wording_that_came_back_is_no_other_wording(tmp_path: Path) -> None:
    back = tiny_law(LAW, {"1": FIRST}, start=THIRD_DAY)
    laws = [
        tiny_law(LAW, {"1": FIRST}, start=date(2000, 1, 1), end=SECOND_DAY),
        tiny_law(LAW, {"1": SECOND}, start=SECOND_DAY, end=THIRD_DAY),
        back,
    ]
    with tiny_library(tmp_path, *laws) as library:
        firsts = [one for one in generate(library) if one.answer == FIRST]
    assert firsts
    assert all([o.text for o in one.dated.others] == [SECOND] for one in firsts)


def test_the_same_plan_gives_the_same_questions_and_another_seed_others(library: Library) -> None:
    assert generate(library, Plan(seed=3)) == generate(library, Plan(seed=3))
    assert generate(library, Plan(seed=3)) != generate(library, Plan(seed=4))


def test_questions_are_sorted_and_none_is_there_twice(library: Library) -> None:
    questions = generate(library)
    starts = [one.dated.as_of.start for one in questions]
    assert starts == sorted(starts)
    assert len({one.id for one in questions}) == len(questions)


@pytest.mark.parametrize(("count", "made"), [(2, 2), (3, 2), (7, 7), (8, 7), (1, 0)])
def test_a_count_is_never_exceeded_and_no_set_is_broken(
    library: Library, count: int, made: int
) -> None:
    questions = generate(library, Plan(count=count))
    assert len(questions) == made
    groups = Counter(one.dated.group for one in questions if one.dated.group)
    assert all(groups[one.dated.group] == one.dated.size for one in questions if one.dated.group)


def test_laws_take_turns_however_much_of_one_is_held(tmp_path: Path) -> None:
    articles = {str(number): f"第{number}款：{FIRST}" for number in range(1, 9)}
    changed = {number: text.replace("三年", "九年") for number, text in articles.items()}
    laws = [
        *versions(),
        tiny_law("大法", articles, start=date(2000, 1, 1), end=SECOND_DAY),
        tiny_law("大法", changed, start=SECOND_DAY),
    ]
    with tiny_library(tmp_path, *laws) as library:
        for seed in range(5):
            questions = generate(library, Plan(count=24, seed=seed))
            assert {one.dated.law for one in questions} == {LAW, "大法"}


def test_only_the_laws_named_are_asked_about(library: Library) -> None:
    assert {one.dated.law for one in generate(library, Plan(laws=(LAW,)))} == {LAW}
    with pytest.raises(UnknownWorkError):
        generate(library, Plan(laws=("不存在的法",)))


def test_every_form_of_a_question_is_read_by_rules(library: Library) -> None:
    for form in FORMS:
        for time, text in [("2011年4月30日", FIRST), ("2011年5月", SECOND)]:
            question = form.format(time=time, law=LAW, article="第一条")
            found = recitation(library, question)
            assert found and found.text == text, question


def test_questions_survive_the_file_and_are_items_of_the_benchmark(
    library: Library, tmp_path: Path
) -> None:
    questions, path = generate(library), tmp_path / "new" / "dated.jsonl"
    write_questions(path, questions)
    assert tuple(read_questions(path)) == questions
    items = read_items(path, today=date(2026, 11, 20), tasks=["lar"])
    assert [(one.id, one.facts["plain_question"], one.target) for one in items] == [
        (one.id, one.question, one.answer) for one in questions
    ]


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("{", 2),
        ('{"id": "a", "type": "lar", "question": "?", "answer": "!"}', 2),
        ('"\\ud800"', 2),
    ],
)
def test_a_line_that_is_no_dated_question_is_named(
    library: Library, tmp_path: Path, line: str, where: int
) -> None:
    path = tmp_path / "dated.jsonl"
    write_questions(path, generate(library, Plan(count=2))[:1])
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_questions(path)
    assert error.value.line == where


def test_a_range_that_ends_before_it_begins_is_an_error_of_its_line(
    library: Library, tmp_path: Path
) -> None:
    path = tmp_path / "dated.jsonl"
    write_questions(path, generate(library, Plan(count=2))[:1])
    fields = json.loads(path.read_text(encoding="utf-8"))
    fields["dated"]["as_of"] = {"start": "2011-05-01", "end": "2011-05-01"}
    path.write_text(json.dumps(fields), encoding="utf-8")
    with pytest.raises(InputError, match="ends? .*begins"):
        read_questions(path)


def test_a_file_without_questions_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "dated.jsonl"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="no dated question"):
        read_questions(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_questions(tmp_path / "missing.jsonl")
