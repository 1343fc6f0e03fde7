"""Rows the data builder writes, as verl reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl_world import composed, tiny_policy

from inforce.errors import InputError
from inforce.scoring.cases import read_cases
from inforce.scoring.split import side_of
from inforce.train.data.examples import Example
from inforce.train.data.rows import question_of, write_rows
from inforce.train.verl_plugin import sentencing

pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_row_of_ours_is_read_by_verl_and_asks_what_it_asked(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    asked = Example(
        "lar-1", "lar", "刑法第七十四条？", "条文", "own", facts={"others": ("旧", "新")}
    )
    write_rows(path, [asked.as_question], agent="inforce_r1")
    config = composed("legalsearch_r1", "data.filter_overlong_prompts_workers=null")
    tokenizer: Any = AutoTokenizer.from_pretrained(tiny_policy(tmp_path / "policy"))
    (row,) = RLHFDataset(str(path), tokenizer, config.data)
    question = question_of(row)
    assert (question.id, question.text, question.target) == ("lar-1", asked.asked, "条文")
    assert question.facts["task"] == "lar"
    assert question.facts["others"] == ["旧", "新"]
    assert row["agent_name"] == "inforce_r1"


def cases(path: Path) -> Path:
    """So many that every side has some; half are of a collection others examine with."""
    term = {"imprisonment": 8, "death_penalty": False, "life_imprisonment": False}
    meta = {"relevant_articles": [264], "accusation": ["盗窃"], "term_of_imprisonment": term}
    lines: list[dict[str, Any]] = [
        {"fact": f"{number}日，某甲窃车。", "meta": meta} for number in range(60)
    ]
    for one in lines[::2]:
        one["splits"] = ["lexeval"]
    path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in lines), "utf-8")
    return path


def read(path: Path, policy: Path) -> list[Any]:
    tokenizer: Any = AutoTokenizer.from_pretrained(policy)
    config = composed("msr2", "data.filter_overlong_prompts_workers=null")
    rows = RLHFDataset(str(path), tokenizer, config.data)
    return [rows[place] for place in range(len(rows))]


def test_cases_become_data_for_msr2_on_the_sides_of_the_judgment_benchmark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = cases(tmp_path / "cases.jsonl")
    assert sentencing.main([str(source), str(tmp_path)]) == 0
    policy = tiny_policy(tmp_path / "policy")
    said = capsys.readouterr().out
    known = {one.id: one for one in read_cases(source)}
    assert sum("lexeval" in one.sources for one in known.values()) == 30
    for side, name in (("train", "train.parquet"), ("valid", "val.parquet")):
        rows = read(tmp_path / name, policy)
        asked = [question_of(row) for row in rows]
        assert f"{name}: {len(rows)}\n" in said
        assert {row["agent_name"] for row in rows} == {"inforce_msr2"}
        assert {side_of(known[one.id].fingerprint) for one in asked} == {side}
        assert all(one.facts["fact"] == known[one.id].fact == one.text for one in asked)
        assert all("lexeval" not in known[one.id].sources for one in asked)


def test_cases_that_cannot_be_read_are_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "nowhere.jsonl"
    assert sentencing.main([str(nowhere), str(tmp_path)]) == InputError.exit_status
    assert str(nowhere) in capsys.readouterr().err
    assert not (tmp_path / "train.parquet").exists()
