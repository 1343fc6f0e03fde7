"""Advantages and losses under verl: its numbers are ours, and shaping is equation 5."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset
from omegaconf import OmegaConf
from tensordict import TensorDict
from torch import Tensor
from verl.protocol import DataProto
from verl.trainer.config import AlgoConfig
from verl.trainer.ppo.core_algos import (
    agg_loss,
    compute_grpo_outcome_advantage,
    compute_policy_loss_vanilla,
    kl_penalty,
)
from verl.trainer.ppo.ray_trainer import compute_advantage
from verl.trainer.ppo.v1 import trainer_base
from verl.trainer.ppo.v1.replay_buffer import ReplayBuffer
from verl.utils.config import omega_conf_to_dataclass
from verl_world import composed

from inforce.errors import UserError
from inforce.train.advantages import group_advantages
from inforce.train.losses import Averaging, policy_loss
from inforce.train.verl_plugin import trainer
from inforce.train.verl_plugin.trainer import (
    ShapedTrainer,
    check_loops,
    of_trajectories,
    shaping_of,
)

pytestmark = pytest.mark.filterwarnings("ignore")

NAN = math.nan
UIDS = ["a", "a", "a", "b", "b", "b"]


def random(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


def masked(rows: int, columns: int) -> Tensor:
    """Right-padded, with a part in the middle the world wrote."""
    mask = torch.ones(rows, columns)
    for row in range(rows):
        mask[row, columns - row :] = 0
        mask[row, 2:4] = 0
    return mask


def test_advantages_divided_by_the_sample_deviation_are_those_of_verl_s_grpo() -> None:
    mask = masked(6, 9)
    rewards = torch.zeros(6, 9)
    rewards[:, 0] = torch.tensor([1.0, 0.0, 0.0, 1.0, 1.0, 0.2])
    expected, _ = compute_grpo_outcome_advantage(rewards, mask, np.array(UIDS))
    ours = group_advantages(rewards.sum(-1), UIDS, deviation="sample")[:, None] * mask
    torch.testing.assert_close(ours, expected, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize(("estimator", "size"), [("sample", 1 / math.sqrt(2)), ("population", 1.0)])
def test_verl_uses_our_estimators(estimator: str, size: float) -> None:
    rewards = torch.zeros(4, 3)
    rewards[:, 2] = torch.tensor([1.0, 0.0, 1.0, NAN])
    mask = torch.tensor([[1, 0, 1], [1, 1, 0], [1, 1, 1], [1, 1, 1]])
    tensors = TensorDict({"token_level_rewards": rewards, "response_mask": mask}, batch_size=4)
    data = DataProto(batch=tensors, non_tensor_batch={"uid": np.array(["a", "a", "b", "b"])})
    named: Any = f"inforce_{estimator}"
    done = compute_advantage(data, adv_estimator=named, config=AlgoConfig(adv_estimator="inforce"))
    # Mean 1/2; the deviation of (1, 0) is 1/2, of a sample sqrt(1/2). Alone in b: no advantage.
    each = torch.tensor([size, -size, 0.0, 0.0])
    torch.testing.assert_close(done.batch["advantages"], each[:, None] * mask, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    ("mode", "averaging"), [("token-mean", "token"), ("seq-mean-token-mean", "trajectory")]
)
def test_the_loss_is_that_of_verl_with_its_penalty(mode: str, averaging: Averaging) -> None:
    mask, old = masked(6, 9), random(6, 9)
    new, reference = old + 0.3 * random(9, 6).T, old + 0.1 * random(6, 9)
    advantages = 0.5 * random(6)[:, None] * mask
    vanilla: Any = compute_policy_loss_vanilla
    actor = omega_conf_to_dataclass(composed("msr2").actor_rollout_ref.actor)
    actor.global_batch_info.update(
        {"dp_size": 1, "batch_num_tokens": int(mask.sum()), "global_batch_size": 6}
    )
    loss, _ = vanilla(old, new, advantages, mask, mode, actor)
    divergence: Any = kl_penalty
    penalty = agg_loss(divergence(new, reference, "low_var_kl"), mask, mode)
    ours = policy_loss(
        new, old, advantages, mask, averaging=averaging, beta=0.001, reference=reference
    )
    torch.testing.assert_close(ours.value, loss + 0.001 * penalty, atol=1e-6, rtol=1e-6)


def test_the_advantage_of_a_trajectory_is_that_of_any_token_it_wrote() -> None:
    mask = torch.tensor([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    advantages = torch.tensor([[0.5], [-2.0], [3.0]]) * mask
    assert of_trajectories(advantages, mask).tolist() == [0.5, -2.0, 0.0]


@dataclass
class Queue:
    """What the trainer reads and writes, without a cluster."""

    fields: dict[str, Tensor]
    tags: list[dict[str, Any]]
    written: list[str] = field(default_factory=list[str])

    def kv_batch_get(self, *, keys: Any, partition_id: str, select_fields: list[str]) -> TensorDict:
        known = {name: self.fields[name] for name in select_fields if name in self.fields}
        return TensorDict(known, batch_size=len(keys))

    def kv_batch_put(self, *, keys: Any, partition_id: str, fields: TensorDict) -> Any:
        self.written += map(str, fields.keys())
        self.fields |= {str(name): value for name, value in fields.items()}
        return Batch(keys, self.tags)


@dataclass
class Batch:
    keys: list[str]
    tags: list[dict[str, Any]]
    partition_id: str = "train"

    def __len__(self) -> int:
        return len(self.keys)


def nested(rows: list[list[float]]) -> Tensor:
    tensors = [torch.tensor(row) for row in rows]
    return torch.nested.as_nested_tensor(tensors, layout=torch.jagged)


def padded(values: Tensor) -> list[list[float]]:
    return [[round(float(one), 4) for one in row] for row in values.unbind()]


def fields(scores: list[float], entropy: float = 2.0) -> dict[str, Tensor]:
    """Two questions of two episodes each, three tokens long; the world wrote the second."""
    return {
        "response_mask": nested([[1.0, 0.0, 1.0]] * 4),
        "rm_scores": nested([[0.0, 0.0, one] for one in scores]),
        "entropy": nested([[entropy] * 3] * 4),
        "old_log_probs": nested([[0.0] * 3] * 4),
    }


def advanced(
    monkeypatch: pytest.MonkeyPatch,
    stored: dict[str, Tensor],
    *overrides: str,
    tags: Mapping[int, dict[str, Any]] | None = None,
) -> tuple[Queue, dict[str, Any]]:
    """What a trainer makes of stored episodes, and what it reports."""
    queue = Queue(stored, [(tags or {}).get(place, {}) for place in range(4)])
    uids = ["a", "a", "b", "b"]
    get = queue.kv_batch_get

    def with_uids(**asked: Any) -> TensorDict:
        data = get(**asked)
        if "uid" in asked["select_fields"]:
            data["uid"] = uids
        return data

    monkeypatch.setattr(queue, "kv_batch_get", with_uids)
    monkeypatch.setattr(trainer_base, "tq", queue)
    monkeypatch.setattr(trainer, "tq", queue)
    working: Any = object.__new__(ShapedTrainer)
    working.config = composed("legalsearch_r1", *overrides)
    working._shaping = shaping_of(working.config)
    batch = Batch([f"{uid}_{place}_0" for place, uid in enumerate(uids)], queue.tags)
    metrics: dict[str, Any] = {}
    working._compute_advantage(batch, metrics)
    return queue, metrics


def test_shaping_adds_to_every_token_the_policy_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, metrics = advanced(monkeypatch, fields([1.0, 0.0, 1.0, 1.0]))
    # A = +-1; psi = min(0.1 * 2, 1 / 2) = 0.2. The second question tells nothing: A = 0, psi = 0.
    assert padded(queue.fields["advantages"]) == [
        [1.2, 0.0, 1.2],
        [-0.8, 0.0, -0.8],
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
    ]
    assert metrics["inforce/psi"] == pytest.approx(0.1, abs=1e-5)
    assert metrics["inforce/psi_share"] == pytest.approx(0.2, abs=1e-5)


def test_shaping_never_takes_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, _ = advanced(monkeypatch, fields([1.0, 0.0, 0.0, 0.0], entropy=50.0))
    assert padded(queue.fields["advantages"])[:2] == [[1.5, 0.0, 1.5], [-0.5, 0.0, -0.5]]


def test_without_alpha_advantages_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = fields([1.0, 0.0, 0.0, 0.0])
    queue, metrics = advanced(monkeypatch, stored, "inforce.shaping.alpha=0")
    assert padded(queue.fields["advantages"])[0] == [1.0, 0.0, 1.0]
    assert "inforce/psi" not in metrics


def test_an_unknown_reward_is_not_learnt_from_and_not_reported_as_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue, metrics = advanced(monkeypatch, fields([1.0, 0.0, NAN, 0.5]), "inforce.shaping.alpha=0")
    assert padded(queue.fields["advantages"])[2:] == [[0.0, 0.0, 0.0]] * 2
    assert [row[2] for row in padded(queue.fields["rm_scores"])] == [1.0, 0.0, 0.5, 0.5]
    assert metrics["inforce/unknown_rewards"] == 0.25


def test_rows_verl_fills_a_batch_with_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = fields([1.0, 1.0, NAN, 0.0])
    queue, metrics = advanced(monkeypatch, stored, tags={3: {"is_padding": True}})
    assert metrics["inforce/unknown_rewards"] == pytest.approx(1 / 3)
    assert padded(queue.fields["rm_scores"])[2][2] == 1.0


def test_rewards_all_unknown_stay_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, metrics = advanced(monkeypatch, fields([NAN] * 4))
    assert padded(queue.fields["advantages"]) == [[0.0] * 3] * 4
    assert metrics["inforce/unknown_rewards"] == 1.0
    assert "rm_scores" not in queue.written


def test_shaping_needs_the_entropies_verl_may_be_told_not_to_compute() -> None:
    bypassing = "algorithm.rollout_correction.bypass_mode=true"
    with pytest.raises(UserError, match="bypass_mode=false"):
        shaping_of(composed("legalsearch_r1", bypassing))
    assert shaping_of(composed("msr2", bypassing)).alpha == 0.0


def test_a_configuration_without_our_node_is_refused_before_anything_starts() -> None:
    with pytest.raises(UserError, match="no node"):
        ShapedTrainer(OmegaConf.create({"algorithm": {"adv_estimator": "inforce_sample"}}))


def starting(world: dict[str, str], *overrides: str) -> ShapedTrainer:
    """A trainer as verl makes one, before it asks for cards."""
    said = [f"inforce.world.{name}='{value}'" for name, value in world.items()]
    return ShapedTrainer(composed("legalsearch_r1", *said, *overrides))


def test_verl_takes_the_trainer_for_a_synchronous_one(starter_world: dict[str, str]) -> None:
    """For one of any other name, it samples while episodes run, and replaces failed ones."""
    working = starting(starter_world)
    assert working.trainer_mode == "sync"
    assert type(working.replay_buffer) is ReplayBuffer


def test_a_run_without_its_corpus_is_stopped_before_it_starts(
    starter_world: dict[str, str],
) -> None:
    with pytest.raises(UserError, match=r"inforce\.world: .*/nowhere/law\.db"):
        starting({**starter_world, "corpus": "/nowhere/law.db"})


def test_a_run_with_a_misspelt_gate_is_stopped_before_it_starts(
    starter_world: dict[str, str],
) -> None:
    gate = "reward.custom_reward_function.reward_kwargs.gate=equatoin"
    with pytest.raises(UserError, match="equation, released, protocol"):
        starting(starter_world, gate)


def test_what_must_be_said_is_asked_for_by_name() -> None:
    with pytest.raises(UserError, match=r"needs a value for inforce\.judge"):
        shaping_of(composed("msr2", "inforce.judge=???"))


def test_rows_for_another_agent_are_refused() -> None:
    rows = Dataset.from_dict({"agent_name": ["inforce_msr2", "inforce_r1"]})
    with pytest.raises(UserError, match=r"data\.train_files: rows are for .*inforce_r1, and"):
        check_loops(rows, "inforce_msr2", "data.train_files")
    check_loops(Dataset.from_dict({"agent_name": ["inforce_r1"]}), "inforce_r1", "data.val_files")
    check_loops(Dataset.from_dict({"prompt": ["问"]}), "inforce_r1", "data.val_files")


def test_an_examination_is_a_mean_of_what_could_be_measured() -> None:
    working: Any = object.__new__(ShapedTrainer)
    infos = {"reward": [1.0, NAN, 0.0, NAN], "is_known": [1.0, 0.0, 1.0, 0.0]}
    sources, uids = ["kqa", "kqa", "kqa", "lcs"], ["1", "2", "3", "4"]
    figures = working._val_metrics_update(sources, uids, infos, [4, 4, 4, 4], None)
    assert figures["val-core/kqa/reward/mean@1"] == 0.5
    assert figures["val-aux/kqa/is_known/mean@1"] == pytest.approx(2 / 3)
    assert "val-core/lcs/reward/mean@1" not in figures
    assert not any(math.isnan(float(one)) for one in figures.values())
