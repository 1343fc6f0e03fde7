from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_trl import R1, SENTENCING, TRIED, WARNINGS, inside, tiny_model, told, trainer
from torch import Tensor
from trl.trainer.grpo_trainer import GRPOTrainer

from inforce.train.advantages import Shaping, group_advantages, shaped
from inforce.train.embedded.grpo import Batch, grpo_step, score
from inforce.train.embedded.settings import Grpo
from inforce.train.losses import Averaging, policy_loss
from inforce.train.trajectory import Trajectory
from inforce.train.trl_adapter.settings import Recipe

pytestmark = [pytest.mark.trl, *map(pytest.mark.filterwarnings, WARNINGS)]

UNSHAPED = replace(R1, shaping=None)
UNMEASURED = [TRIED[0], replace(TRIED[1], reward=None), *TRIED[2:]]
PLAIN = {"optim": "sgd", "learning_rate": 1.0}
"""A step is then the gradient itself."""

LAST = "model.norm.weight"

GROUPS = [one.question for one in TRIED]


def rows() -> list[dict[str, Any]]:
    return [{"prompt": one} for one in GROUPS]


@pytest.mark.parametrize("at_once", [8, 4])
@pytest.mark.parametrize(
    ("recipe", "settings", "tried"),
    [
        (UNSHAPED, Grpo(), TRIED),
        (R1, Grpo(shaping=Shaping()), TRIED),
        (R1, Grpo(shaping=Shaping()), UNMEASURED),
        (
            replace(SENTENCING, arguments={**SENTENCING.arguments, "beta": 0.0}),
            Grpo(averaging="trajectory", deviation="sample"),
            TRIED,
        ),
    ],
    ids=["token", "token-shaped", "token-unmeasured", "trajectory"],
)
def test_a_step_of_trl_is_a_step_of_the_embedded_trainer(
    tmp_path: Path, recipe: Recipe, settings: Grpo, tried: list[Trajectory], at_once: int
) -> None:
    theirs = tiny_model()
    ours = deepcopy(theirs)
    trl = trainer(theirs, told(tried), tmp_path, recipe, at_once=at_once, **PLAIN)
    trl.train()
    learnt = grpo_step(ours, torch.optim.SGD(ours.parameters(), lr=1.0), tried, settings)
    assert learnt is not None
    logged = trl.state.log_history[0]
    assert logged["loss"] == pytest.approx(learnt.loss, abs=1e-6)
    assert logged["grad_norm"] == pytest.approx(learnt.grad_norm, rel=1e-5)
    if recipe.shaping:
        assert logged["eas/share"] == pytest.approx(learnt.shaping, rel=1e-5)
    for name, weights in ours.state_dict().items():
        torch.testing.assert_close(theirs.state_dict()[name], weights, atol=1e-6, rtol=1e-5)
    assert not torch.equal(ours.state_dict()[LAST], tiny_model().state_dict()[LAST])


def test_a_second_pass_over_the_same_trajectories_is_clipped_alike(tmp_path: Path) -> None:
    theirs = tiny_model()
    ours = deepcopy(theirs)
    twice = {**PLAIN, "num_iterations": 2, "max_steps": 2}
    trl = trainer(theirs, told(TRIED), tmp_path, UNSHAPED, at_once=8, **twice)
    trl.train()
    optimizer = torch.optim.SGD(ours.parameters(), lr=1.0)
    learnt = grpo_step(ours, optimizer, TRIED, Grpo(epochs=2))
    assert learnt is not None
    assert learnt.clipped > 0.1
    second = trl.state.log_history[1]
    assert second["clip_ratio/region_mean"] == pytest.approx(learnt.clipped, abs=1e-6)
    for name, weights in ours.state_dict().items():
        torch.testing.assert_close(theirs.state_dict()[name], weights, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("tried", [TRIED, UNMEASURED], ids=["measured", "unmeasured"])
def test_advantages_by_the_sample_deviation_are_trls_own(
    tmp_path: Path, tried: list[Trajectory]
) -> None:
    trl = trainer(tiny_model(), told(tried), tmp_path, UNSHAPED)
    plain: Any = GRPOTrainer
    theirs = plain._generate_and_score_completions(trl, rows())["advantages"]
    rewards = torch.tensor([float("nan") if one.reward is None else one.reward for one in tried])
    ours = group_advantages(rewards, GROUPS, deviation="sample", epsilon=1e-4)
    torch.testing.assert_close(theirs, ours, atol=1e-6, rtol=0)


def test_advantages_are_relative_to_the_population_of_the_group(tmp_path: Path) -> None:
    """Group 7: mean 3/8, deviations 5/8, -3/8, -3/8, 1/8; their root mean square sqrt(11)/8."""
    trl = trainer(tiny_model(), told(TRIED), tmp_path, UNSHAPED)
    found = inside(trl)._generate_and_score_completions(rows())["advantages"]
    by_hand = [number / 11**0.5 for number in (5, -3, -3, 1)] + [1.0, -1.0, 1.0, -1.0]
    assert found.tolist() == pytest.approx(by_hand, abs=1e-5)


def test_shaping_reads_the_entropies_the_embedded_trainer_reads(tmp_path: Path) -> None:
    recipe = replace(R1, arguments={**R1.arguments, "temperature": 0.7})
    model = tiny_model()
    trl = trainer(model, told(TRIED), tmp_path, recipe)
    found = inside(trl)._generate_and_score_completions(rows())["advantages"]
    batch = Batch.of(TRIED, torch.device("cpu"))
    with torch.no_grad():
        entropies = responses(score(model, batch, temperature=0.7).entropies)
    rewards = torch.tensor([float(one.reward or 0) for one in TRIED])
    mask = responses(batch.mask)
    expected = shaped(group_advantages(rewards, GROUPS), entropies, mask, Shaping())
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=0)
    assert not torch.equal(found, found[:, :1] * mask)


@pytest.mark.parametrize("beta", [0.0, 0.3])
@pytest.mark.parametrize(
    ("recipe", "averaging"),
    [(R1, "token"), (SENTENCING, "trajectory")],
    ids=["token", "trajectory"],
)
def test_the_loss_off_policy_is_trls_to_six_digits(
    tmp_path: Path, recipe: Recipe, averaging: Averaging, beta: float
) -> None:
    model = tiny_model()
    arguments = {**recipe.arguments, "beta": 0.0}
    trl = trainer(model, told(TRIED), tmp_path, replace(recipe, arguments=arguments), at_once=8)
    inputs = inside(trl)._generate_and_score_completions(rows())
    trl.beta = beta
    batch = Batch.of(TRIED, torch.device("cpu"))
    logprobs, mask = responses(score(model, batch).logprobs), responses(batch.mask)
    old, reference = _near(logprobs, seed=1), _near(logprobs, seed=2)
    advantages = torch.randn(old.shape, generator=torch.Generator().manual_seed(3))
    given = {"advantages": advantages, "old_per_token_logps": old, "ref_per_token_logps": reference}
    model.eval()
    theirs = inside(trl)._compute_loss(model, {**inputs, **given})
    ours = policy_loss(
        logprobs, old, advantages, mask, averaging=averaging, beta=beta, reference=reference
    )
    assert ours.clipped > 0.1
    assert theirs.item() == pytest.approx(ours.value.item(), abs=1e-6)


def responses(values: Tensor) -> Tensor:
    """Values of whole rows as TRL has them: those of the responses, padded on the right."""
    rows = [row[len(one.prompt) : one.length] for row, one in zip(values, TRIED, strict=True)]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)


def _near(logprobs: Tensor, *, seed: int) -> Tensor:
    noise = torch.randn(logprobs.shape, generator=torch.Generator().manual_seed(seed))
    return logprobs.detach() + 0.3 * noise
