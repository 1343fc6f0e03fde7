"""Our agents as verl runs them: with a server from a script, and in its own worker with a model."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from omegaconf import DictConfig
from transformers import AutoTokenizer, Qwen2ForCausalLM
from verl.experimental.agent_loop.agent_loop import (
    AgentLoopOutput,
    AgentLoopWorker,
    DictConfigWrap,
)
from verl.protocol import DataProto
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl_world import ModelServer, ScriptedServer, closed_after, composed, tiny_policy

from inforce.errors import UserError
from inforce.train.verl_plugin.agent_loop import MSR2Loop, R1Loop, ResearchLoop, chat_tokens

pytestmark = pytest.mark.filterwarnings("ignore")

PLAN = "<think>先查</think><plan>查2010年的刑法</plan>"
SEARCH = (
    "<think>查</think>"
    '<tool_call>{"name": "rag_retrieve", "arguments": {"query": ["2010年 刑法第七十四条"]}}'
    "</tool_call>"
)
ANSWER = "<think>有了</think><answer>A</answer>"
WEIGH = "<reasoning>盗窃</reasoning><factors>累犯</factors><search source=statute>盗窃</search>"
SENTENCE = "<reasoning>据此</reasoning><answer>36个月</answer>"


@pytest.fixture(scope="session")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    return tiny_policy(tmp_path_factory.mktemp("policy"))


def row(question: str = "刑法第七十四条？", **more: Any) -> dict[str, Any]:
    return {
        "raw_prompt": [{"role": "user", "content": question}],
        "data_source": "kqa",
        "reward_model": {"style": "rule", "ground_truth": "A"},
        "extra_info": {"id": "q-1", "task": "kqa"},
        **more,
    }


def settings(world: dict[str, str], *overrides: str) -> list[str]:
    said = [f"inforce.world.{name}='{value}'" for name, value in world.items()]
    lengths = ["data.max_prompt_length=12000", "data.max_response_length=9000"]
    return [*said, *lengths, "actor_rollout_ref.rollout.max_model_len=null", *overrides]


def loop(kind: Any, server: Any, policy: Path, *overrides: str) -> ResearchLoop:
    """A loop as verl's worker makes one."""
    config = composed("legalsearch_r1", *overrides)
    tokenizer: Any = AutoTokenizer.from_pretrained(policy)
    processor: Any = None
    given = (DictConfigWrap(config), server, tokenizer, processor)
    return kind(*given, RLHFDataset, DictConfigWrap(config.data))


def scripted(policy: Path, *turns: str) -> ScriptedServer:
    tokens = chat_tokens(AutoTokenizer.from_pretrained(policy))
    left = list(turns)
    return ScriptedServer(tokens, lambda text: left.pop(0))


def run(one: ResearchLoop) -> AgentLoopOutput:
    return asyncio.run(closed_after(one.run({"temperature": 1.0, "logprobs": True}, **row())))


def test_r1_searches_the_law_and_its_tokens_are_kept(
    starter_world: dict[str, str], policy: Path
) -> None:
    server = scripted(policy, PLAN, SEARCH, ANSWER)
    output = run(loop(R1Loop, server, policy, *settings(starter_world)))
    tokens = server.tokens
    written = [
        one for one, is_own in zip(output.response_ids, output.response_mask, strict=True) if is_own
    ]
    turns = [[*tokens.encode(turn), tokens.end] for turn in (PLAN, SEARCH, ANSWER)]
    assert written == [one for turn in turns for one in turn]
    assert "累犯" in tokens.decode(output.response_ids)  # article 74, as it was in 2010
    assert "刑法第七十四条？" in tokens.decode(output.prompt_ids)
    assert output.extra_fields["turns"] == [PLAN, SEARCH, ANSWER]
    facts = output.extra_fields["facts"]
    assert (facts["tool_calls"], facts["dated_queries"], facts["answer"]) == (1, 1, "A")
    assert output.num_turns == 6


def test_what_the_world_said_has_no_probability_and_is_not_learnt_from(
    starter_world: dict[str, str], policy: Path
) -> None:
    server = scripted(policy, PLAN, SEARCH, ANSWER)
    output = run(loop(R1Loop, server, policy, *settings(starter_world)))
    assert output.response_logprobs is not None
    assert output.response_logprobs == [-0.5 * one for one in output.response_mask]
    assert 0 < sum(output.response_mask) < len(output.response_mask)


def test_verl_is_told_which_weights_wrote(starter_world: dict[str, str], policy: Path) -> None:
    server = scripted(policy, PLAN, SEARCH, ANSWER)
    told = run(loop(R1Loop, server, policy, *settings(starter_world))).extra_fields
    assert (told["min_global_steps"], told["max_global_steps"]) == (7, 7)


def test_the_turns_of_an_episode_go_to_one_server(
    starter_world: dict[str, str], policy: Path
) -> None:
    server = scripted(policy)
    one = loop(R1Loop, server, policy, *settings(starter_world))

    async def twice() -> None:
        for _ in range(2):
            await one.run({"logprobs": True}, **row())

    server.script = lambda text: ANSWER if "<plan>" in text.rpartition("assistant\n")[0] else PLAN
    asyncio.run(closed_after(twice()))
    episodes = [asked["id"] for asked in server.asked]
    assert len(set(episodes)) == 2
    assert episodes == sorted(episodes, key=episodes.index)


def test_an_episode_is_no_longer_than_verl_has_room(
    starter_world: dict[str, str], policy: Path
) -> None:
    server = scripted(policy, PLAN, SEARCH, ANSWER)
    short = "data.max_response_length=150"
    output = run(loop(R1Loop, server, policy, *settings(starter_world), short))
    assert len(output.response_ids) == len(output.response_mask) <= 150
    assert output.extra_fields["facts"]["cut_off"] is True


def test_a_prompt_verl_has_no_room_for_is_an_error(
    starter_world: dict[str, str], policy: Path
) -> None:
    short = "data.max_prompt_length=20"
    with pytest.raises(UserError, match="max_prompt_length=20"):
        run(loop(R1Loop, scripted(policy), policy, *settings(starter_world), short))


def test_msr2_asks_the_sources_and_sentences(starter_world: dict[str, str], policy: Path) -> None:
    server = scripted(policy, WEIGH, SENTENCE)
    output = run(loop(MSR2Loop, server, policy, *settings(starter_world)))
    assert output.extra_fields["turns"] == [WEIGH, SENTENCE]
    assert output.extra_fields["facts"]["agent"] == "msr2"
    assert "<information" in server.tokens.decode(output.response_ids)


def test_a_world_nobody_has_is_an_error(starter_world: dict[str, str], policy: Path) -> None:
    nowhere = settings({**starter_world, "corpus": "/nowhere/law.db"})
    with pytest.raises(UserError, match="/nowhere"):
        run(loop(R1Loop, scripted(policy), policy, *nowhere))


@pytest.mark.slow
def test_verl_s_own_worker_plays_our_episodes_with_a_model(
    starter_world: dict[str, str], policy: Path
) -> None:
    model = Qwen2ForCausalLM.from_pretrained(policy, dtype=torch.float32).eval()
    config = composed(
        "legalsearch_r1",
        *settings(starter_world, "data.max_response_length=3000"),
        f"actor_rollout_ref.model.path={policy}",
    )
    server = ModelServer(model, most=6)
    done = asyncio.run(closed_after(_generated(config, server)))
    batch = done.batch
    assert batch["responses"].shape == (2, 3000)
    assert list(done.non_tensor_batch["turns"][0]) != []
    for one in range(2):
        mask = batch["response_mask"][one].bool()
        assert 0 < int(mask.sum()) <= 6 * 3  # three useless turns, and R1 gives up
        ids = torch.cat([_unpadded(batch, one, "prompts"), _unpadded(batch, one, "responses")])
        own = batch["attention_mask"][one, -3000:].bool()
        said = server.logprobs(ids.tolist())[-int(own.sum()) - 1 : -1]
        again = said.gather(1, ids[-int(own.sum()) :, None])[:, 0]
        drawn = batch["rollout_log_probs"][one][own]
        torch.testing.assert_close(again[mask[own]], drawn[mask[own]], atol=1e-4, rtol=1e-4)


def _unpadded(batch: Any, one: int, side: str) -> torch.Tensor:
    width = batch["prompts"].shape[1]
    marks = batch["attention_mask"][one]
    return batch[side][one][(marks[:width] if side == "prompts" else marks[width:]).bool()]


async def _generated(config: DictConfig, server: Any) -> DataProto:
    torch.manual_seed(0)
    worker = AgentLoopWorker(config, server)
    rows = [row("甲？", agent_name="inforce_r1"), row("乙？", agent_name="inforce_r1")]
    columns = {name: _column([one[name] for one in rows]) for name in rows[0]}
    return await worker.generate_sequences(DataProto.from_dict({}, columns))


def _column(values: list[Any]) -> np.ndarray:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
