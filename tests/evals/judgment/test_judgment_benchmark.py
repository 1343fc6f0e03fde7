from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.agents.msr2 import offline as msr2_offline
from inforce.agents.settings import ResearchSettings
from inforce.errors import InputError, UserError
from inforce.evals.benchmark import Attempt, Item, ItemScore, Record, Setup
from inforce.evals.judgment.benchmark import BENCHMARK, require_unseen, score_answer
from inforce.evals.judgment.dataset import CAIL, CJO, dataset_of
from inforce.evals.published import published_table
from inforce.llm.chat import ChatModel, Message, PolicyModel
from inforce.retrieval.sources.exclusion import read_exclusions
from inforce.retrieval.sources.loading import SourceFiles
from inforce.retrieval.sources.stored import add_files
from inforce.scoring.answers import ChargeNames, read_judgment
from inforce.scoring.estimate import Estimate
from judged_cases import case, many, write

TODAY = date(2026, 11, 20)
CHARGES = ChargeNames(frozenset({"盗窃", "诈骗"}), frozenset({"盗窃", "诈骗"}))
PREDICTORS = ("tfidf-svm", "nearest", "most-frequent")


def _setup(data: Path, agent: str = "tfidf-svm", **options: str) -> Setup:
    settings = ResearchSettings(agent=agent, network=False)
    return Setup(data=data, today=TODAY, settings=settings, options=options)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A hundred and twenty cases and four of CJO22."""
    apart = [
        case(
            f"被告人{who}秘密窃取他人手机一部。",
            id=f"cjo{who}",
            months=months,
            sources=("cjo22_test",),
        )
        for who, months in zip("甲乙丙丁", (6, 7, 36, 121), strict=True)
    ]
    return write(tmp_path / "cases.jsonl", [*many(), *apart])


def _silent(messages: Sequence[Message]) -> str:
    raise AssertionError("a predictor asks no model")


async def _records(setup: Setup, model: ChatModel | None = None) -> list[Record]:
    speaker = model or PolicyModel(_silent)
    score = BENCHMARK.scorer(setup)
    records: list[Record] = []
    async with BENCHMARK.open_system(setup, speaker) as system:
        for item in BENCHMARK.read(setup):
            answer = await system(item).research(item.question)
            scored = await score(item, Attempt(answer, ()), None)
            records.append(_record(item, scored))
    return records


def _record(item: Item, scored: ItemScore) -> Record:
    told = (item.id, item.task, item.group, item.question, item.target, scored.answer)
    return Record(*told, "answered", scored.values, scored.labels, item.facts)


def _item(**facts: Any) -> Item:
    stated = {"articles": [264], "charges": ["盗窃"], "months": 8, "life_or_death": False}
    return Item("c", "ljp", "?", "", CAIL, {**stated, **facts})


def _scored(text: str, **facts: Any) -> ItemScore:
    return score_answer(_item(**facts), read_judgment(text, CHARGES))


@pytest.mark.parametrize("name", PREDICTORS)
async def test_a_predictor_answers_every_item_of_the_test_set(data: Path, name: str) -> None:
    setup = _setup(data, name)
    records = await _records(setup)
    assert [one.id for one in records] == [one.id for one in dataset_of(setup).sides.test]
    figures = BENCHMARK.summarise(records).values
    assert next(iter(figures)) == BENCHMARK.primary
    accuracy = figures["term_correct"]
    assert accuracy
    assert accuracy.n == len(records)
    if name != "most-frequent":
        assert accuracy.value == 1.0


async def test_both_test_sets_make_one_row_of_table_2(data: Path) -> None:
    records = await _records(_setup(data, "nearest", split="all"))
    table, of_cjo, of_cail = BENCHMARK.tables(records, "nearest")
    row = table.rows[-1]
    assert (row.name, row.origin, len(row.cells)) == ("nearest", "ours", 8)
    assert all(isinstance(cell, Estimate) for cell in row.cells)
    assert [one.origin for one in table.rows[:-1]] == ["published"] * 21
    # of 6, 7, 36 and 121 months the neighbours, thefts of 8 months, are right about 7
    assert isinstance(row.cells[0], Estimate)
    assert (row.cells[0].value, row.cells[0].n) == (0.25, 4)
    assert [CJO in of_cjo.title, CAIL in of_cail.title] == [True, True]
    assert "off by 36.0 months" in of_cjo.note  # (2 + 1 + 28 + 113) / 4


async def test_a_set_that_was_not_asked_is_a_dash(data: Path) -> None:
    records = await _records(_setup(data, "most-frequent"))
    row = BENCHMARK.tables(records, "x")[0].rows[-1]
    assert row.cells[:4] == (None,) * 4
    assert BENCHMARK.tables([], "x")[0].rows[-1].cells == (None,) * 8


async def test_a_model_asked_directly_fills_in_the_form(data: Path) -> None:
    asked: list[str] = []

    def reply(messages: Sequence[Message]) -> str:
        asked.append("\n".join(one.content for one in messages))
        return "<answer>法条：第264条；罪名：盗窃罪；刑期：七个月</answer>"

    setup = _setup(data, "direct", split="cjo22_test")
    records = await _records(setup, PolicyModel(reply))
    assert [one.values["term_correct"] for one in records] == [0.0, 1.0, 0.0, 0.0]
    assert [one.values["charge_correct"] for one in records] == [1.0] * 4
    assert all("被告人" in one and "法条：第×条" in one for one in asked)


async def test_msr2_is_scored_by_its_term_alone(
    data: Path, sample_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(sample_home))
    setup = _setup(data, "msr2", split="cjo22_test")
    records = await _records(setup, PolicyModel(msr2_offline.policy))
    assert len(records) == 4
    assert {"term_correct", "term11_correct"} <= set(records[0].values)
    assert "article_correct" not in records[0].values
    figures = BENCHMARK.summarise(records).values
    assert figures["charge_correct"] is None
    assert figures["term_correct"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "法条：第264条；罪名：盗窃；刑期：9个月",
            {"term": 1, "term11": 1, "article": 1, "charge": 1, "exact": 0, "error": 1},
        ),
        (
            "法条：第266条；罪名：诈骗；刑期：8个月",
            {"term": 1, "term11": 1, "article": 0, "charge": 0, "exact": 1, "error": 0},
        ),
        (
            "法条：第264条；罪名：盗窃；刑期：六到九个月",
            {"term": 1, "term11": 1, "article": 1, "charge": 1, "exact": None, "error": None},
        ),
        (
            "法条：第264条；罪名：盗窃；刑期：无期徒刑",
            {"term": 0, "term11": 0, "article": 1, "charge": 1, "exact": 0, "error": None},
        ),
        ("", {"term": 0, "term11": 0, "article": 0, "charge": 0, "exact": 0, "error": None}),
    ],
)
def test_what_an_answer_is_worth(text: str, values: dict[str, float | None]) -> None:
    found = _scored(text).values
    assert found == {
        **{f"{name}_correct": values[name] for name in ("term", "term11", "article", "charge")},
        "exact_month": values["exact"],
        "months_error": values["error"],
    }


def test_labels_name_the_classes() -> None:
    assert _scored("刑期：13个月").labels == {
        "term_gold": "六到九个月",
        "term": "一到两年",
        "term11_gold": "8",
        "term11": "6",
        "article_gold": "264",
        "article": "#",
        "charge_gold": "盗窃",
        "charge": "#",
    }


def test_what_the_file_does_not_state_is_not_measured() -> None:
    found = _scored("刑期：8个月", months=None, articles=[])
    assert set(found.values) == {"charge_correct"}


def test_life_and_death_have_no_months_to_be_off_by() -> None:
    found = _scored("无期徒刑", months=0, life_or_death=True)
    assert found.values["term11_correct"] == 1.0
    assert found.labels["term_gold"] == "其他"
    assert "months_error" not in found.values


def test_of_several_articles_the_highest_counts_and_of_charges_the_first() -> None:
    found = _scored("第二百六十六条", articles=[67, 266], charges=["诈骗", "盗窃"])
    assert found.values["article_correct"] == 1.0
    assert found.labels["charge_gold"] == "诈骗"


def test_runs_that_broke_off_are_not_counted() -> None:
    item = _item()
    whole = _record(item, _scored("刑期：8个月"))
    told = (item.id, item.task, item.group, item.question, item.target, "")
    broken = Record(*told, "failed", {}, _scored("刑期：8个月").labels)
    accuracy = BENCHMARK.summarise([whole, broken]).values["term_correct"]
    assert accuracy
    assert (accuracy.value, accuracy.n) == (1.0, 1)


def test_the_target_says_what_was_decided(tmp_path: Path) -> None:
    cases = [case("甲", months=0, life=True), case("乙", months=None), case("丙")]
    path = write(tmp_path / "few.jsonl", [*cases, *many(40)])
    targets = {
        one.id: one.target
        for seed in range(12)
        for one in BENCHMARK.read(_setup(path, filter="none", seed=str(seed)))
    }
    assert targets["甲"] == "法条：第264条；罪名：盗窃；刑期：无期徒刑"
    assert targets["乙"] == "法条：第264条；罪名：盗窃；刑期：#"
    assert targets["丙"] == "法条：第264条；罪名：盗窃；刑期：8个月"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"split": "dev"}, "split cannot be 'dev': what is asked: test"),
        ({"filter": "pljp"}, "filter cannot be 'pljp': .*msr2 .*, ladan, or none"),
        ({"seed": "-1"}, "seed cannot be '-1': .*a whole number"),
        ({"train_limit": "many"}, "train_limit cannot be 'many': most cases"),
    ],
)
def test_an_option_that_is_none_is_refused(
    data: Path, options: dict[str, str], reason: str
) -> None:
    with pytest.raises(UserError, match=reason):
        BENCHMARK.read(_setup(data, **options))


def test_nothing_to_ask_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "few.jsonl", many(30))
    with pytest.raises(InputError, match="no case is left to ask"):
        BENCHMARK.read(_setup(path, split="cjo22_test"))


async def test_nothing_to_learn_from_is_an_error(data: Path, tmp_path: Path) -> None:
    facts = tmp_path / "excluded.jsonl"
    facts.write_bytes(data.read_bytes())
    with pytest.raises(InputError, match="to learn from"):
        await _records(_setup(data, exclude=str(facts)))


def test_a_limit_leaves_the_test_set_alone(data: Path) -> None:
    few, all_ = dataset_of(_setup(data, train_limit="10")), dataset_of(_setup(data))
    assert len(few.sides.train) == 10
    assert few.sides.test == all_.sides.test


def test_precedents_that_hold_the_answers_are_refused_until_they_are_kept_out(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("INFORCE_HOME", str(home))
    asked = dataset_of(_setup(data)).evaluated
    require_unseen(asked)  # no precedents at all
    add_files(home, SourceFiles((data,), "precedent", print), name="precedent")
    with pytest.raises(UserError, match=rf"hold {len(asked)} of the cases") as raised:
        require_unseen(asked)
    kept_out = read_exclusions(Path(str(raised.value).rsplit(" ", 1)[1]))
    assert kept_out == {one.fingerprint for one in asked}
    files = SourceFiles((data,), "precedent", print, exclude=kept_out)
    add_files(home, files, name="precedent", rebuild=True)
    require_unseen(asked)


def test_table_2_has_cjo22_first() -> None:
    table = published_table("msr2", "table2")
    ours = next(row for row in table.rows if row.name == "MSR2-Qwen3-8B")
    assert dict(zip(table.columns, ours.cells, strict=True)) == {
        "CJO22 Accuracy": 0.4429,
        "CJO22 Ma-P": 0.3743,
        "CJO22 Ma-R": 0.3073,
        "CJO22 Ma-F": 0.2807,
        "CAIL2018 Accuracy": 0.4618,
        "CAIL2018 Ma-P": 0.3674,
        "CAIL2018 Ma-R": 0.3170,
        "CAIL2018 Ma-F": 0.2884,
    }


def test_what_the_filter_removed_is_said_with_the_reasons(tmp_path: Path) -> None:
    dead = case("被告人甲杀人。", id="dead", death=True)
    path = write(tmp_path / "more.jsonl", [*many(), dead])
    said = BENCHMARK.about_data(_setup(path))
    assert said.startswith("The filter msr2 removed ") and "death penalty 1" in said
    assert (
        BENCHMARK.about_data(_setup(path, filter="none"))
        == f"All {len(many()) + 1} cases are used."
    )
