"""The benchmark: who is asked, what it comes to, and that the date decides."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from changing_law import LAW, SECOND_DAY, changing_library

from inforce.agents.runtime.trace import Event
from inforce.agents.settings import ResearchSettings
from inforce.errors import UserError
from inforce.evals.benchmark import Attempt, Item, Record, Setup
from inforce.evals.catalogue import open_benchmark
from inforce.evals.dated.benchmark import BENCHMARK
from inforce.evals.dated.generator import Plan, generate
from inforce.evals.dated.questions import read_questions, write_questions
from inforce.evals.dated.tables import sets_right
from inforce.evals.run_config import parse_setup
from inforce.evals.systems import NoModel
from inforce.law.alignment import similarity
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library

TODAY = date(2026, 11, 20)


def _record(
    id: str,
    correct: float | None,
    *,
    kind: str = "plain",
    group: str = "",
    size: int = 1,
    offset: int | None = None,
    year: int = 2012,
    epoch: int = 1,
) -> Record:
    facts: dict[str, Any] = {"kind": kind, "group": group, "size": size, "offset": offset}
    facts["valid_from"] = f"{year}-03-01"
    values = {"correct": correct, "rouge_l": correct}
    return Record(id, "dated", kind, "?", "!", "", "answered", values, facts=facts, epoch=epoch)


def _days(group: str, *correct: float | None, epoch: int = 1) -> list[Record]:
    return [
        _record(f"{group}{n}", one, kind="boundary", group=group, size=5, offset=n - 2, epoch=epoch)
        for n, one in enumerate(correct)
    ]


@pytest.mark.parametrize(
    ("records", "right"),
    [
        (_days("a", 1, 1, 1, 1, 1), [1.0]),
        (_days("a", 1, 1, 0, 1, 1), [0.0]),
        (_days("a", 1, 1, 1, 1), [None]),  # one was not asked
        (_days("a", 1, 1, None, 1, 1), [None]),  # one could not be scored
        (_days("a", 1, 0, None, 1, 1), [0.0]),  # yet one is wrong
        ([*_days("a", 1, 1, 1, 1, 1), *_days("b", 0, 0, 0, 0, 0)], [1.0, 0.0]),
        ([*_days("a", 1, 1, 1, 1, 1), *_days("a", 1, 1, 1, 1, 0, epoch=2)], [1.0, 0.0]),
        ([_record("a", 1)], []),
    ],
)
def test_a_set_is_right_only_as_a_whole(
    records: Sequence[Record], right: list[float | None]
) -> None:
    assert sets_right(records, "boundary") == right


RECORDS = [
    *_days("a", 1, 1, 1, 1, 1),
    *_days("b", 1, 0, 0, 1, 1),
    _record("p", 1, year=2004),
    _record("q", None, year=2004),
]


def test_the_summary_shows_kinds_offsets_and_years() -> None:
    summary = BENCHMARK.summarise(RECORDS)
    assert next(iter(summary.values)) == BENCHMARK.primary
    values = {name: one and one.value for name, one in summary.values.items()}
    assert values["correct"] == pytest.approx(9 / 11)  # the one without a score does not count
    assert (values["days_right"], values["series_right"]) == (0.5, None)
    groups = {name: of["correct"] for name, of in summary.groups.items()}
    told = {name: (one.value, one.n) for name, one in groups.items() if one}
    assert told == {
        "change amended": (9 / 11, 11),
        "kind boundary": (0.8, 10),
        "kind plain": (1.0, 1),
        "offset -2": (1.0, 2),
        "offset -1": (0.5, 2),
        "offset 0": (0.5, 2),
        "offset +1": (1.0, 2),
        "offset +2": (1.0, 2),
        "year 2004": (1.0, 1),
        "year 2012": (0.8, 10),
    }


def test_the_tables_have_a_row_for_the_run() -> None:
    overall, changes, around, years = BENCHMARK.tables(RECORDS, "r1")
    found = (overall, changes, around, years)
    assert {row.name for table in found for row in table.rows} == {"r1"}
    for table in found:
        assert all(len(row.cells) == len(table.columns) for row in table.rows)
    assert around.columns == ("-2", "-1", "0", "+1", "+2")
    assert changes.columns == ("Amended",)
    assert years.columns == ("2004", "2012")


def test_changes_and_their_size_are_scored_apart() -> None:
    def record(id: str, change: str, changed: float, right: int) -> Record:
        one = _record(id, right)
        return replace(one, facts={**one.facts, "change": change, "changed": changed})

    records = [
        record("a", "amended", 0.04, 0),
        record("b", "amended", 0.5, 1),
        record("c", "renamed", 0.2, 1),
        record("d", "moved", 0.0, 0),
    ]
    summary = BENCHMARK.summarise(records)
    told = {name: of["correct"].value for name, of in summary.groups.items() if of["correct"]}
    assert {name: told[name] for name in told if name.startswith("change")} == {
        "change amended": 0.5,
        "change moved": 0.0,
        "change renamed": 1.0,
        "changed 10 to 30 %": 1.0,
        "changed over 30 %": 1.0,
        "changed to 10 %": 0.0,
    }
    table = BENCHMARK.tables(records, "r1")[1]
    heads = ("Amended", "Crime renamed", "Number", "to 10 %", "10 to 30 %", "over 30 %")
    assert table.columns == heads


PUBLISHED_SHA256 = "136253ccfa42dc403b18f08de6c791426ae00f8ac0b59cc17af1f01aa8e212ad"


def test_the_published_set_is_the_one_whose_hash_is_printed() -> None:
    """1,000 questions that never change: figures on it can be compared."""
    assert BENCHMARK.published
    content = gzip.decompress(BENCHMARK.published.read_bytes())
    assert hashlib.sha256(content).hexdigest() == PUBLISHED_SHA256
    made = read_questions(BENCHMARK.published)
    assert len(made) == len({one.id for one in made}) == 1_000
    changes = Counter(one.dated.change for one in made)
    assert set(changes) == {"amended", "threshold", "renamed", "moved"}
    assert min(changes.values()) >= 60
    assert len({one.dated.law for one in made}) > 150
    for one in made:
        if one.dated.kind != "number":  # an amendment: most of a rule stays
            nearest = max(similarity(one.answer, other.text) for other in one.dated.others)
            assert nearest >= 0.4


def test_without_a_file_the_published_set_is_asked() -> None:
    setup = parse_setup(BENCHMARK, data="", agent="reciter")
    assert setup.data == BENCHMARK.published
    with pytest.raises(UserError, match="--data"):
        parse_setup(open_benchmark("lar"), data="")


@pytest.mark.parametrize(
    ("agent", "correct", "leaks"), [("reciter", [1, 1], [0, 0]), ("today", [0, 1], [1, 0])]
)
def test_the_number_of_a_rule_that_moved_is_asked_before_and_after(
    tmp_path: Path, agent: str, correct: list[int], leaks: list[int]
) -> None:
    rule = "试验机构应当具备相应的场所和设备，并在开业前向主管部门备案。"
    first = {"1": "为了保护试验人员的合法权益，制定本条例。", "2": rule}
    then = {"1": first["1"], "2": "国家鼓励公众参与试验成果的推广。", "3": rule}
    laws = [
        tiny_law(LAW, first, start=date(2000, 1, 1), end=SECOND_DAY),
        tiny_law(LAW, then, start=SECOND_DAY),
    ]
    (tmp_path / "laws").mkdir()
    with tiny_library(tmp_path / "laws", *laws, today=str(TODAY)) as library:
        made = [one for one in generate(library) if one.dated.kind == "number"]
    assert [(one.answer, one.dated.change) for one in made] == [
        ("第二条", "moved"),
        ("第三条", "moved"),
    ]
    assert all(one.question.endswith(rule) for one in made)
    write_questions(tmp_path / "dated.jsonl", made)
    setup = _setup(tmp_path / "dated.jsonl", agent, tmp_path / "laws" / "corpus.sqlite")
    records = asyncio.run(_records(setup))
    assert [one.values["correct"] for one in records] == correct
    assert [one.values["leak_future"] for one in records] == leaks
    assert {one.values["rouge_l"] for one in records} == {None}


def _setup(data: Path, agent: str, corpus: Path | None = None) -> Setup:
    settings = ResearchSettings(agent=agent, network=False)
    return Setup(data=data, today=TODAY, settings=settings, corpus=corpus)


async def _records(setup: Setup) -> list[Record]:
    """Every question of a file put to an agent, as the harness does."""
    score, records = BENCHMARK.scorer(setup), list[Record]()
    async with BENCHMARK.open_system(setup, NoModel()) as system:
        for item in BENCHMARK.read(setup):
            events: list[Event] = []
            answer = await system(item).research(item.question, listener=events.append)
            attempt = Attempt(answer, tuple(events))
            records.append(_as_record(item, attempt, (await score(item, attempt, None)).values))
    return records


def _as_record(item: Item, attempt: Attempt, values: Any) -> Record:
    said, facts = attempt.text, item.facts
    return Record(
        *(item.id, item.task, item.group, item.question, item.target, said),
        attempt.answer.outcome,
        values,
        facts=facts,
    )


def _value(records: Sequence[Record], measure: str) -> float:
    estimate = BENCHMARK.summarise(records).values[measure]
    assert estimate is not None
    return estimate.value


@pytest.fixture(scope="module")
def questions(sample_library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("questions") / "dated.jsonl"
    write_questions(path, generate(sample_library, Plan(count=300)))
    return path


@pytest.fixture
def at_sample_home(sample_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(sample_home))


@pytest.mark.usefixtures("at_sample_home")
def test_the_reciter_is_right_every_day_and_leaks_nothing(questions: Path) -> None:
    records = asyncio.run(_records(_setup(questions, "reciter")))
    assert len(records) >= 290
    for measure in ("correct", "rouge_l", "days_right", "series_right"):
        assert _value(records, measure) == 1, measure
    for measure in ("leak_answer", "leak_past", "leak_future", "quoted_leak"):
        assert _value(records, measure) == 0, measure


@pytest.mark.usefixtures("at_sample_home")
def test_todays_law_leaks_into_the_past(questions: Path) -> None:
    records = asyncio.run(_records(_setup(questions, "today")))
    assert _value(records, "leak_future") > 0.3
    assert _value(records, "leak_past") == 0
    assert _value(records, "shown_future") == pytest.approx(_value(records, "shown_leak"))
    assert _value(records, "shown_leak") > 0.3
    assert _value(records, "series_right") == 0


@pytest.mark.parametrize(
    ("agent", "correct", "leaks"),
    [
        ("reciter", [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]),
        ("today", [0, 0, 1, 1, 1], [1, 1, 0, 0, 0]),
    ],
)
def test_the_date_decides_to_the_day(
    tmp_path: Path, agent: str, correct: list[int], leaks: list[int]
) -> None:
    (tmp_path / "laws").mkdir()
    with changing_library(tmp_path / "laws", today=str(TODAY)) as library:
        wanted = [
            one
            for one in generate(library)
            if one.dated.kind == "boundary" and one.dated.as_of.start.year == 2015
        ]
    write_questions(tmp_path / "dated.jsonl", wanted)
    setup = _setup(tmp_path / "dated.jsonl", agent, tmp_path / "laws" / "corpus.sqlite")
    records = asyncio.run(_records(setup))
    assert [one.facts["offset"] for one in records] == [-2, -1, 0, 1, 2]
    assert [one.values["correct"] for one in records] == correct
    assert [one.values["leak_future"] for one in records] == leaks


def test_items_are_questions_with_their_instruction_and_whole_facts(tmp_path: Path) -> None:
    with changing_library(tmp_path) as library:
        made = generate(library)
    write_questions(tmp_path / "dated.jsonl", made)
    items = BENCHMARK.read(_setup(tmp_path / "dated.jsonl", "reciter"))
    assert [one.id for one in items] == [one.id for one in made]
    for item, one in zip(items, made, strict=True):
        assert item.question.endswith(one.question)
        assert item.facts["law"] == LAW
        assert item.facts["plain_question"] == one.question
        assert item.target == one.answer


@pytest.mark.data
@pytest.mark.slow
def test_all_real_statutes_give_questions_the_reciter_answers_word_for_word(
    shared_data: Path, tmp_path: Path
) -> None:
    from inforce.corpus.loaders import load
    from inforce.corpus.store import Corpus
    from inforce.evals.rule_agents import find_number, recitation
    from inforce.retrieval.analysis import RuleAnalyser

    statutes = shared_data / "statutes" / "versions.jsonl.gz"
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add(load(statutes, on_problem=lambda problem: pytest.fail(str(problem))))
    with Library(Corpus.open(tmp_path / "corpus.db"), tmp_path / "index") as library:
        made = generate(library)
        assert len(made) > 10_000
        analyse = RuleAnalyser(titles=library.corpus.titles(), clock=library.clock)

        def answered(question: str) -> str:
            found = recitation(library, question, analyse=analyse)
            number = find_number(library, question, analyse=analyse)
            return number or (found.text if found else "")

        wrong = [one.question for one in made[::50] if answered(one.question) != one.answer]
    assert not wrong
