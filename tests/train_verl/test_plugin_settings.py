"""What a configuration of verl says of the world, and what a row of its data asks."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inforce.errors import MissingExtraError, UserError
from inforce.train.data.rows import question_of, row_of, write_rows
from inforce.train.episodes import Question
from inforce.train.verl_plugin.settings import Shaping, World, read_settings

NODE: dict[str, Any] = {"world": {"today": "2025-12-09"}}


def test_what_is_not_said_is_as_the_agent_usually_has_it() -> None:
    settings = read_settings(NODE)
    assert settings.world == World(today=date(2025, 12, 9))
    assert (settings.shaping, settings.turn_tokens, settings.judge) == (Shaping(), None, "")
    assert settings.world.corpus_path is None
    research = settings.world.research("r1")
    assert (research.agent, research.sources, research.network) == ("r1", None, False)


def test_shaping_is_off_unless_it_is_asked_for() -> None:
    assert read_settings(NODE).shaping.alpha == 0.0


def test_a_world_may_have_a_corpus_and_documents_of_its_own() -> None:
    world = World(today=date(2020, 1, 25), corpus="law.db", documents="mine", sources="statutes")
    settings = world.research("r1")
    assert (world.corpus_path, settings.documents) == (Path("law.db"), Path("mine"))
    assert settings.sources == ("statutes",)


@pytest.mark.parametrize(
    ("node", "said"),
    [
        (None, "no node 'inforce'"),
        ({}, "world"),
        ({"world": {}}, "today"),
        ({"world": {"today": "2025-13-09"}}, "date"),
        ({**NODE, "shaping": {"alpha": "much"}}, "alpha"),
        ({**NODE, "alpha": 0.1}, "alpha"),
        ({"world": {"today": "2025-12-09", "language": "fr"}}, "fr"),
    ],
)
def test_a_configuration_says_what_is_wrong_with_it(node: Any, said: str) -> None:
    with pytest.raises(UserError, match=said):
        read_settings(node)


def test_a_row_of_ours_is_a_question_with_all_a_reward_needs() -> None:
    row = {
        "raw_prompt": np.array([{"role": "user", "content": "第几条？"}], dtype=object),
        "data_source": "lar",
        "reward_model": {"style": "rule", "ground_truth": "条文"},
        "extra_info": {"id": "lar-1", "task": "lar", "others": np.array(["旧", "新"])},
    }
    question = question_of(row)
    assert (question.id, question.text, question.target) == ("lar-1", "第几条？", "条文")
    assert question.facts["task"] == "lar"
    assert question.facts["others"] == ["旧", "新"]


def test_a_row_of_the_released_data_is_a_question_too() -> None:
    prompt = [{"role": "system", "content": "规则"}, {"role": "user", "content": "罪名？"}]
    row = {
        "raw_prompt": prompt,
        "data_source": "ccp",
        "reward_model": {"ground_truth": "盗窃"},
        "extra_info": {"index": "ccp_4416", "type": "ccp"},
    }
    question = question_of(row)
    assert (question.id, question.text, question.target) == ("ccp_4416", "罪名？", "盗窃")
    assert question.facts["task"] == "ccp"


def test_a_question_as_a_row_is_the_same_question_again() -> None:
    asked = Question("c1", "某甲窃车。", "36个月", {"task": "sentencing", "fact": "某甲窃车。"})
    row = row_of(asked, 3, agent="inforce_msr2")
    again = question_of({**row, "raw_prompt": row["prompt"]})
    assert (again.id, again.text, again.target) == (asked.id, asked.text, asked.target)
    assert asked.facts.items() <= again.facts.items()
    assert (row["agent_name"], row["extra_info"]["index"]) == ("inforce_msr2", 3)


def test_rows_need_what_verl_brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"inforce\[verl\]"):
        write_rows(tmp_path / "train.parquet", [], agent="inforce_r1")


def test_a_row_nobody_asks_anything_in_is_a_mistake() -> None:
    with pytest.raises(UserError, match="turn of the user"):
        question_of({"raw_prompt": [{"role": "system", "content": "规则"}]})
