"""Rows the data builder writes, as verl reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl_world import composed, tiny_policy

from inforce.train.data.examples import Example
from inforce.train.data.files import write_parquet
from inforce.train.verl_plugin.rows import question_of

pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_row_of_ours_is_read_by_verl_and_asks_what_it_asked(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    asked = Example(
        "lar-1", "lar", "刑法第七十四条？", "条文", "own", facts={"others": ("旧", "新")}
    )
    write_parquet(path, [asked])
    config = composed("legalsearch_r1", "data.filter_overlong_prompts_workers=null")
    tokenizer: Any = AutoTokenizer.from_pretrained(tiny_policy(tmp_path / "policy"))
    (row,) = RLHFDataset(str(path), tokenizer, config.data)
    question = question_of(row)
    assert (question.id, question.text, question.target) == ("lar-1", asked.asked, "条文")
    assert question.facts["task"] == "lar"
    assert question.facts["others"] == ["旧", "新"]
    assert row["agent_name"] == "inforce_r1"
