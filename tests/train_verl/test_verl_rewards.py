"""Our rewards where verl computes them, and what of an episode verl stores."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import numpy as np
import pytest
import torch
from tensordict import TensorDict
from verl.experimental.agent_loop.agent_loop import AgentLoopMetrics, AgentLoopOutput
from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager
from verl.protocol import DataProto
from verl.trainer.ppo.reward import get_custom_reward_fn
from verl.utils.tensordict_utils import list_of_dict_to_tensordict
from verl_world import composed

pytestmark = pytest.mark.filterwarnings("ignore")

PLAN = "<think>甲</think><plan>乙</plan>"
ANSWER = "<think>丁</think><answer>A</answer>"
FACTORS = "<reasoning>甲</reasoning><factors>累犯</factors>"
SENTENCE = "<reasoning>乙</reasoning><answer>36个月</answer>"


class Whole:
    """A tokenizer whose text nobody is to read."""

    def decode(self, ids: object, skip_special_tokens: bool = True) -> str:
        return "<answer>B</answer>"


def scored(name: str, turns: tuple[str, ...], task: str, truth: str) -> dict[str, Any]:
    """What verl's own reward manager makes of an episode under one of our configurations."""
    config = composed(name)
    tokenizer: Any = Whole()
    ids = torch.ones(1, 4, dtype=torch.long)
    kept = {"turns": list(turns), "facts": {"tool_calls": 3, "dated_queries": 2}, "asked": "问"}
    others = {
        "data_source": [task],
        "reward_model": [{"ground_truth": truth}],
        "extra_info": [{"id": "q", "task": task}],
        "tool_extra_fields": [kept],
    }
    columns = {key: np.array(value, dtype=object) for key, value in others.items()}
    tensors = TensorDict({"responses": ids, "attention_mask": ids}, batch_size=1)

    async def manage() -> dict[str, Any]:
        manager = NaiveRewardManager(config, tokenizer, get_custom_reward_fn(config))
        return await manager.run_single(DataProto(batch=tensors, non_tensor_batch=columns))

    return asyncio.run(manage())


def test_verl_rewards_what_the_policy_wrote_turn_by_turn() -> None:
    result = scored("legalsearch_r1", (PLAN, ANSWER), "kqa", "A")
    assert result["reward_score"] == 1.0
    assert result["reward_extra_info"]["tool_calls"] == 3.0
    assert scored("legalsearch_r1", (PLAN, ANSWER), "kqa", "B")["reward_score"] == 0.0


def test_verl_rewards_a_sentence() -> None:
    assert scored("msr2", (FACTORS, SENTENCE), "cail", "30个月")["reward_score"] == 1.0


def test_a_reward_nobody_could_measure_reaches_verl_as_nan() -> None:
    result = scored("legalsearch_r1", (PLAN, ANSWER), "lcs", "结论")
    assert math.isnan(result["reward_score"])
    assert result["reward_extra_info"]["is_known"] == 0.0


def stored(score: float, turns: tuple[str, ...]) -> dict[str, Any]:
    output = AgentLoopOutput(
        prompt_ids=[1, 2],
        response_ids=[3, 4, 5],
        response_mask=[1, 0, 1],
        response_logprobs=[-0.5, 0.0, -0.5],
        reward_score=score,
        num_turns=4,
        metrics=AgentLoopMetrics(),
        extra_fields={"turns": list(turns), "facts": {"calls": {"rag_retrieve": 1}}},
    )
    return output.as_dict()


def test_verl_can_store_what_an_episode_keeps() -> None:
    rows: Any = list_of_dict_to_tensordict(
        [stored(1.0, (PLAN, ANSWER)), stored(math.nan, (ANSWER,))]
    )
    scores = [row.tolist() for row in rows["rm_scores"].unbind()]
    assert scores[0] == [0.0, 0.0, 1.0]
    assert scores[1][:2] == [0.0, 0.0]
    assert math.isnan(scores[1][2])
    assert [row["extra_fields"]["turns"] for row in rows] == [[PLAN, ANSWER], [ANSWER]]
