"""The training set: what it is drawn from, what is kept out of it, and how it is stored."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from inforce.cli.construct import training
from inforce.errors import InputError, MissingExtraError, UserError
from inforce.evals.legalsearch.items import read_items
from inforce.retrieval.sources.exclusion import fact_hash
from inforce.scoring.cases import read_cases
from inforce.scoring.split import side_of
from inforce.scoring.tasks import Task
from inforce.train.data.building import LeftOut, Plan, build, fingerprint, read_evaluated, stem
from inforce.train.data.cases import sentencing_questions
from inforce.train.data.examples import Example, with_year, year_in
from inforce.train.data.rows import read_jsonl, row_of, write_jsonl, write_rows
from inforce.train.data.sources import Source, read_source, read_sources

LAWBENCH = {
    "instruction": "答题",
    "question": "下列哪项正确?A:甲;B:乙;C:丙;D:丁。",
    "answer": "正确答案：B。",
}
LEXEVAL = {
    "instruction": "答题",
    "input": "某甲窃车。 \nA: 甲 \nB: 乙 \nC: 丙 \nD: 丁",
    "answer": "A",
}
DISC = (
    "input,output,A,B,C,D,source,multichoice\n哪项正确？,AC,甲,乙,丙,丁,2018 judicial exam,True\n"
)
ITEM = {"id": "1", "type": "kqa", "question": "问题: 下列哪项正确？\n选项:\nA: 甲", "answer": "A"}


def store(path: Path, records: Sequence[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(one, ensure_ascii=False) for one in records]
    whole = f"[{','.join(lines)}]" if path.suffix == ".json" else "\n".join(lines)
    path.write_text(whole, encoding="utf-8")
    return path


def fact_of(side: str) -> str:
    """A fact the judgment benchmark has on this side."""
    facts = (f"2016年5月{n}日，某甲窃车。" for n in range(1, 1_000))
    return next(fact for fact in facts if side_of(fact_hash(fact)) == side)


def case(fact: str, **changed: Any) -> dict[str, Any]:
    term = {"imprisonment": 8, "death_penalty": False, "life_imprisonment": False}
    meta = {"relevant_articles": [264], "accusation": ["盗窃"], "term_of_imprisonment": term}
    return {"fact": fact, "meta": {**meta, **changed.pop("meta", {})}, **changed}


@pytest.mark.parametrize(
    ("name", "record", "task", "question", "answer"),
    [
        ("1-2.json", LAWBENCH, "kqa", "下列哪项正确?\nA:甲\nB:乙\nC:丙\nD:丁。", "B"),
        ("3-6.json", LAWBENCH, "lca", "下列哪项正确?\nA:甲\nB:乙\nC:丙\nD:丁。", "B"),
        (
            "3-3.json",
            {"instruction": "", "question": "事实:某甲窃车。\r\n", "answer": "罪名:盗窃;诈骗"},
            "ccp",
            "事实:某甲窃车。",
            "盗窃;诈骗",
        ),
        (
            "3-4.json",
            {"instruction": "", "question": "事实:某甲窃车。", "answer": "刑期:4个月"},
            "ptp",
            "事实:某甲窃车。",
            "4个月",
        ),
        (
            "3-5.json",
            {
                "instruction": "",
                "question": "事实:某甲窃车。\r\n罪名:盗窃。法条:刑法第264、67条。法条内容：今",
                "answer": "刑期:4个月",
            },
            "ptp",
            "事实:某甲窃车。\n相关法条: 刑法第264条、刑法第67条",
            "4个月",
        ),
        (
            "3-8.json",
            {"instruction": "", "question": "能退房吗？", "answer": "回答:能。法律依据:甲。"},
            "lcs",
            "能退房吗？",
            "回答:能。法律依据:甲。",
        ),
        ("3_2.json", LEXEVAL, "lap", "某甲窃车。\nA: 甲\nB: 乙\nC: 丙\nD: 丁", "A"),
        ("own.jsonl", ITEM, "kqa", "问题: 下列哪项正确？\n选项:\nA: 甲", "A"),
    ],
)
def test_each_form_of_source_is_read(
    tmp_path: Path, name: str, record: dict[str, Any], task: str, question: str, answer: str
) -> None:
    (example,) = read_source(store(tmp_path / name, [record])).examples
    assert (example.task, example.question, example.answer) == (task, question, answer)


def test_json_lines_of_lexeval_are_read_though_the_file_is_called_json(tmp_path: Path) -> None:
    path = tmp_path / "3_2.json"
    path.write_text("\n".join([json.dumps(LEXEVAL)] * 2), encoding="utf-8")
    assert [one.source for one in read_source(path).examples] == ["lexeval", "lexeval"]


def test_an_examination_carries_the_year_it_was_held(tmp_path: Path) -> None:
    path = tmp_path / "mcq_mult_nje.csv"
    path.write_text(DISC, encoding="utf-8")
    (example,) = read_source(path).examples
    assert (example.task, example.answer, example.year) == ("nje", "AC", 2018)
    assert example.question == "在2018年的时间背景下，哪项正确？\n选项:\nA: 甲\nB: 乙\nC: 丙\nD: 丁"


def test_the_released_training_form_is_read_without_its_instruction(tmp_path: Path) -> None:
    told = {
        "type": "kqa",
        "split": "train",
        "question": "请答题。\n问题: 甲",
        "deepresearch_task_prompt": "请答题。\n",
        "answer": "AC",
    }
    records = [
        {"data_source": "kqa", "extra_info": one} for one in (told, told | {"split": "test"})
    ]
    examples = read_source(store(tmp_path / "train.json", records)).examples
    assert [one.question for one in examples] == ["问题: 甲", "问题: 甲"]
    assert [one.held_out for one in examples] == ["", "of a test split"]


def test_the_wordings_of_other_times_stay_with_a_dated_question(tmp_path: Path) -> None:
    dated = {"others": [{"id": "a", "valid_from": "1997-10-01", "valid_to": None, "text": "旧"}]}
    record = {"id": "d", "type": "lar", "question": "2019年？", "answer": "新", "dated": dated}
    source = read_source(store(tmp_path / "dated.jsonl", [record]))
    assert source.name == "dated"
    assert source.examples[0].as_question.facts["others"] == ["旧"]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"answer": "正确答案：全对。"}, "the answer is no choice of letters"),
        ({"question": " "}, "no question or no answer"),
    ],
)
def test_what_is_no_example_is_counted_with_its_reason(
    tmp_path: Path, changed: dict[str, str], why: str
) -> None:
    source = read_source(store(tmp_path / "1-2.json", [LAWBENCH, LAWBENCH | changed]))
    assert len(source.examples) == 1 and source.left_out == {why: 1}


@pytest.mark.parametrize("text", ["{", "[]", '{"other": 1}', '[{"instruction": "a"}]'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "some.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        read_source(path)


def test_of_a_folder_other_files_are_passed_over_only_on_request(tmp_path: Path) -> None:
    store(tmp_path / "a" / "1-2.json", [LAWBENCH])
    (tmp_path / "a" / "notes.json").write_text("{}", encoding="utf-8")
    (found,) = read_sources([tmp_path / "a"], unknown="passed_over")
    assert found.name == "lawbench"
    with pytest.raises(InputError, match="notes"):
        read_evaluated([tmp_path / "a"])


def test_a_case_asks_for_charge_term_and_articles(tmp_path: Path) -> None:
    fact = fact_of("train")
    others = case(fact_of("test"), meta={"relevant_articles": [1, 2, 3, 4, 5]})
    examples = read_source(store(tmp_path / "cases.jsonl", [case(fact), others])).examples
    mine = {one.task: one for one in examples if not one.held_out}
    assert mine["ccp"].answer == "盗窃" and mine["ptp"].answer == "8个月"
    assert mine["ptp"].question == f"案件事实: {fact}\n相关法条: 刑法第264条"
    options = dict(line.split(": ") for line in mine["lap"].question.split("\n")[2:])
    assert sorted(options) == list("ABCD") and len(set(options.values())) == 4
    assert options[mine["lap"].answer] == "中华人民共和国刑法第二百六十四条"


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (case(fact_of("test")), "of the validation or test side of the judgment benchmark"),
        (case(fact_of("train"), split="cjo22_test"), "of a collection others examine with"),
    ],
)
def test_what_judgments_are_evaluated_on_is_not_learnt_from(
    tmp_path: Path, record: dict[str, Any], why: str
) -> None:
    path = store(tmp_path / "cases.jsonl", [record])
    made = build(read_sources([path]))
    assert not made.examples and {(one.source, one.why) for one in made.left_out} == {
        ("cases", why)
    }


def test_a_copy_of_what_others_examine_with_is_not_learnt_from_either(tmp_path: Path) -> None:
    fact = fact_of("train")
    copies = [case(fact), case(f"{fact}\n", split="lexeval")]
    made = build(read_sources([store(tmp_path / "cases.jsonl", copies)]))
    assert not made.examples
    assert {one.why for one in made.left_out} == {"of a collection others examine with"}


def test_death_life_and_no_term_are_no_prediction_of_months(tmp_path: Path) -> None:
    life = {"imprisonment": 0, "death_penalty": False, "life_imprisonment": True}
    records = [case("甲案"), case("乙案", meta={"term_of_imprisonment": life})]
    questions = sentencing_questions(read_cases(store(tmp_path / "cases.jsonl", records)))
    assert [(one.text, one.target, one.facts["fact"]) for one in questions] == [
        ("甲案", "8个月", "甲案")
    ]


@pytest.mark.parametrize(
    ("evaluation", "training"),
    [
        ("问题: 下列 哪项正确？\n选项:\nA: 甲", "下列哪项正确?\nA:乙\nB:丙"),
        ("案件事实: 某甲，窃车。", "事实:某甲,窃车。\n"),
        ("哪项正确？", "在2018年的时间背景下，哪项正确？\n选项:\nA: 甲"),
        (
            "案件事实: 某甲窃车。\n相关法条: 刑法第264条",
            "事实:某甲窃车。\n罪名:盗窃。法条:刑法第264条。",
        ),
        ("指令: 请回答下列问题:\n用户提问: 能退房吗？", "能退房吗？"),
    ],
)
def test_what_is_evaluated_is_recognised_however_it_is_laid_out(
    tmp_path: Path, evaluation: str, training: str
) -> None:
    path = store(tmp_path / "evaluation.jsonl", [ITEM | {"question": evaluation}])
    made = build([of(example("kqa", training))], evaluated=read_evaluated([path]))
    assert made.left_out == (LeftOut("own", "evaluated", 1),)
    other = example("kqa", f"另一问，{training}")
    assert build([of(other)], evaluated=read_evaluated([path])).examples == (other,)


def test_a_wording_that_is_evaluated_is_not_recited_in_training(tmp_path: Path) -> None:
    item = {
        "id": "1",
        "type": "lar",
        "question": "2019年3月第五条？",
        "answer": "【赔偿】应当 赔偿。",
    }
    marks = read_evaluated([store(tmp_path / "evaluation.jsonl", [item])])
    other_day = Example("x", "lar", "2020年1月第五条？", "应当赔偿", "own")
    assert not build([of(other_day)], evaluated=marks).examples


def test_the_benchmark_itself_is_never_trained_on(tmp_path: Path) -> None:
    path = store(tmp_path / "legalsearch_evaluation.jsonl", [ITEM])
    assert build(read_sources([path])).left_out == (
        LeftOut("legalsearch", "of the 13-task benchmark itself", 1),
    )


@given(st.text(alphabet="甲乙a1 ,，。（）\n", max_size=20))
def test_a_fingerprint_knows_words_only(text: str) -> None:
    assert fingerprint(f" {text}。") == fingerprint(text)
    assert fingerprint(f"{text}甲") != fingerprint(text)


@given(st.text(alphabet="甲乙丙？", min_size=1, max_size=20))
def test_a_stem_has_neither_label_nor_year_nor_options(text: str) -> None:
    assert stem(f"问题: 在2018年的时间背景下，{text}\n选项:\nA: 甲") == text


def example(task: Task, question: str, number: str = "") -> Example:
    return Example(number or f"{task}-{question}", task, question, "A", "own")


def of(*examples: Example) -> Source:
    return Source(Path("own.jsonl"), "own", examples)


MANY = of(
    *(example("kqa", f"{year}年第{n}问") for year in (2010, 2015, 2020) for n in range(50)),
    *(example("kqa", f"没有时间的第{n}问") for n in range(500)),
)


def test_examples_are_spread_over_the_years() -> None:
    made = build([MANY], Plan(tasks=("kqa",), per_task=40))
    years = [one.year for one in made.examples]
    assert {year: years.count(year) for year in (2010, 2015, 2020, None)} == {
        2010: 10,
        2015: 10,
        2020: 10,
        None: 10,
    }
    assert (made.tasks[0].taken, made.tasks[0].dated) == (40, 30)
    assert made.left_out == (LeftOut("own", "more than wanted", 610),)


@given(st.permutations(MANY.examples[:60]), st.integers(0, 3))
def test_the_same_examples_and_seed_make_the_same_set_in_any_order(
    examples: list[Example], seed: int
) -> None:
    plan = Plan(tasks=("kqa",), per_task=20, seed=seed)
    assert build([of(*examples)], plan) == build([of(*MANY.examples[:60])], plan)


def test_another_seed_draws_others() -> None:
    plans = [Plan(tasks=("kqa",), per_task=40, seed=seed) for seed in (0, 1)]
    first, second = (build([MANY], plan).examples for plan in plans)
    assert {one.id for one in first} != {one.id for one in second}


def test_what_is_short_twice_or_unwanted_is_told() -> None:
    twice = of(example("kqa", "甲", "1"), example("kqa", "问题: 甲", "2"), example("nje", "乙"))
    made = build([twice], Plan(tasks=("kqa", "lap"), per_task=2))
    assert [(one.task, one.wanted, one.taken, one.sources) for one in made.tasks] == [
        ("kqa", 2, 1, {"own": 1}),
        ("lap", 2, 0, {}),
    ]
    assert {(one.why, one.number) for one in made.left_out} == {
        ("the same question again", 1),
        ("of a task that is not wanted", 1),
    }


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("2015年3月", 2015),
        ("于1998-03-01", 1998),
        ("2014.5.1", 2014),
        ("罚金2000元", None),
        ("证号12015年", None),
        ("", None),
    ],
)
def test_only_a_date_is_a_year(text: str, year: int | None) -> None:
    assert year_in(text) == year


def test_a_question_of_no_known_year_stays_as_it_is() -> None:
    assert with_year("哪项正确？", None) == "哪项正确？"


STORED = Example("kqa_1", "kqa", "2015年，哪项正确？", "AC", "own", facts={"others": ["旧"]})


def test_json_lines_come_back_as_questions_and_are_items_of_the_benchmark(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "training.jsonl"
    write_jsonl(path, [STORED])
    assert read_jsonl(path) == (STORED.as_question,)
    (item,) = read_items(path, today=date(2026, 11, 20))
    assert (item.question, item.target) == (STORED.asked, "AC")
    assert [one.name for one in path.parent.iterdir()] == ["training.jsonl"]


def test_a_line_that_is_no_example_is_named(tmp_path: Path) -> None:
    path = tmp_path / "training.jsonl"
    write_jsonl(path, [STORED])
    path.write_bytes(path.read_bytes() + b"\n{}\n")
    with pytest.raises(InputError, match=r"training\.jsonl:3"):
        read_jsonl(path)


def test_a_row_for_verl_holds_what_the_reward_needs() -> None:
    row = row_of(STORED.as_question, 7, agent="mine")
    assert row["prompt"] == [{"role": "user", "content": STORED.asked}]
    assert row["reward_model"] == {"style": "rule", "ground_truth": "AC"}
    assert (row["data_source"], row["agent_name"]) == ("kqa", "mine")
    info = row["extra_info"]
    assert (info["index"], info["task"], info["others"]) == (7, "kqa", ["旧"])
    assert info["plain_question"] == STORED.question


def test_parquet_without_its_library_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install"):
        write_rows(tmp_path / "training.parquet", [STORED.as_question], agent="inforce_r1")


def test_parquet_holds_the_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "training.parquet"
    write_rows(path, [STORED.as_question], agent="inforce_r1")
    written = [row_of(STORED.as_question, 0, agent="inforce_r1")]
    assert parquet.read_table(path).to_pylist() == written


def test_rows_for_verl_are_drawn_from_and_held_against_like_any_file(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    own, released = tmp_path / "own.parquet", tmp_path / "released.parquet"
    write_rows(own, [STORED.as_question], agent="inforce_r1")
    told = {
        "type": "kqa",
        "split": "train",
        "question": f"请答题。\n{STORED.question}",
        "deepresearch_task_prompt": "请答题。\n",
        "answer": STORED.answer,
        "tools_kwargs": None,
    }
    row = {"data_source": "kqa", "agent_name": "tool_agent", "extra_info": told}
    parquet.write_table(pyarrow.Table.from_pylist([row]), released)
    for path in (own, released):
        (read,) = read_source(path).examples
        assert (read.task, read.question, read.answer) == ("kqa", STORED.question, STORED.answer)
        assert not build([of(STORED)], evaluated=read_evaluated([path])).examples
    run("--source", str(released), "--output", str(tmp_path / "converted.parquet"))
    (converted,) = parquet.read_table(tmp_path / "converted.parquet").to_pylist()
    assert converted["agent_name"] == "inforce_r1"


def test_what_is_no_parquet_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"no Parquet")
    with pytest.raises(InputError, match="not a Parquet file"):
        read_source(broken)


def run(*arguments: str) -> None:
    app = typer.Typer()
    app.command("training")(training)
    command = typer.main.get_command(app)
    with command.make_context("training", list(arguments)) as context:
        command.invoke(context)


def test_the_command_tells_what_is_in_the_set_and_what_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = store(tmp_path / "1-2.json", [LAWBENCH, LAWBENCH | {"question": "甲?A:1;B:2"}])
    evaluation = store(tmp_path / "evaluation.jsonl", [ITEM | {"question": "问题: 甲？"}])
    output = tmp_path / "out.jsonl"
    where = ("--source", str(source), "--evaluation", str(evaluation), "--output", str(output))
    run(*where, "--task", "kqa", "--per-task", "3")
    assert capsys.readouterr().out.splitlines() == [
        f"1 question: {output}",
        "  kqa     1, 0 name a year, 2 missing (1 lawbench)",
        "left out     1 of lawbench: evaluated",
    ]
    run(*where, "--json")
    told = json.loads(capsys.readouterr().out)
    assert [one["taken"] for one in told["tasks"]] == [0, 0, 1, 0, 0, 0, 0]
    assert len(read_jsonl(output)) == 1


def test_the_command_refuses_an_unknown_task_and_an_empty_set(tmp_path: Path) -> None:
    source = str(store(tmp_path / "1-2.json", [LAWBENCH]))
    with pytest.raises(UserError, match="no task is called"):
        run("--source", source, "--task", "law")
    with pytest.raises(UserError, match="no question is left"):
        run("--source", source, "--task", "lap")


@pytest.mark.data
@pytest.mark.slow
def test_real_sources_fill_three_tasks_and_leak_nothing(shared_data: Path) -> None:
    held = shared_data / "legalsearch_r1"
    marks = read_evaluated([held / "legalsearch_evaluation.jsonl"])
    sources = read_sources([shared_data / "ljp", held], unknown="passed_over")
    made = build(sources, evaluated=marks)
    taken = {one.task: one.taken for one in made.tasks}
    assert taken["lap"] == taken["ccp"] == taken["ptp"] == 512
    dated = {one.task: one.dated for one in made.tasks}
    assert all(dated[task] > 450 for task in ("lap", "ccp", "ptp"))  # the paper: 493, 501, 501
    asked = {fingerprint(stem(one.question)) for one in made.examples}
    assert not asked & marks
    told = {one.why: one.number for one in made.left_out if one.source == "legalsearch"}
    assert told["of the 13-task benchmark itself"] == 832
    assert told["of a test split"] == 10
    cases = {one.why: one.number for one in made.left_out if one.source == "cases"}
    assert cases["evaluated"] == 3  # one case, three questions
