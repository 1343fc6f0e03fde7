"""The loss of GRPO against values computed by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from inforce.train.losses import MOST_KL, Averaging, averaged, kl, policy_loss

pytestmark = pytest.mark.torch

VALUES = torch.tensor([[1.0, 2.0, 3.0], [10.0, 99.0, 99.0]])
MASK = torch.tensor([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("ratio", "advantage", "expected", "clipped"),
    [
        (1.0, 1.0, -1.0, 0.0),
        (1.5, 1.0, -1.2, 1.0),  # min(1.5, 1.2): what is praised is not praised further
        (1.5, -1.0, 1.5, 0.0),  # min(-1.5, -1.2): what is blamed stays blamed in full
        (0.5, 1.0, -0.5, 0.0),  # min(.5, .8)
        (0.5, -1.0, 0.8, 1.0),  # min(-.5, -.8)
        (1.1, 2.0, -2.2, 0.0),
        (0.9, -2.0, 1.8, 0.0),
        (1.5, 0.0, 0.0, 0.0),
    ],
)
def test_the_ratio_is_clipped_on_the_side_of_the_advantage(
    ratio: float, advantage: float, expected: float, clipped: float
) -> None:
    new, old = torch.tensor([[math.log(ratio)]]), torch.zeros(1, 1)
    loss = policy_loss(new, old, torch.tensor([[advantage]]), torch.ones(1, 1))
    assert float(loss.value) == pytest.approx(expected, abs=1e-6)
    assert (loss.clipped, loss.kl) == (clipped, 0.0)


def test_clip_is_a_parameter() -> None:
    new = torch.tensor([[math.log(1.5)]])
    loss = policy_loss(new, torch.zeros(1, 1), torch.ones(1, 1), torch.ones(1, 1), clip=0.3)
    assert float(loss.value) == pytest.approx(-1.3)


@pytest.mark.parametrize(
    ("averaging", "whole", "expected"),
    [
        ("token", None, 4.0),  # (1 + 2 + 3 + 10) / 4
        ("trajectory", None, 6.0),  # (2 + 10) / 2
        ("token", 8.0, 2.0),
        ("trajectory", 4.0, 3.0),
    ],
)
def test_means_over_tokens_and_over_trajectories(
    averaging: Averaging, whole: float | None, expected: float
) -> None:
    assert float(averaged(VALUES, MASK, averaging=averaging, whole=whole)) == expected


@pytest.mark.parametrize("averaging", ["token", "trajectory"])
def test_nothing_written_is_worth_nothing(averaging: Averaging) -> None:
    assert float(averaged(VALUES, torch.zeros(2, 3), averaging=averaging)) == 0.0


def test_a_trajectory_that_wrote_nothing_counts_as_one() -> None:
    mask = torch.tensor([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    assert float(averaged(VALUES, mask, averaging="trajectory")) == 1.0  # (2 + 0) / 2
    assert float(averaged(VALUES, mask, averaging="token")) == 2.0  # 6 / 3


@pytest.mark.parametrize(("averaging", "whole"), [("token", 4.0), ("trajectory", 2.0)])
def test_the_parts_of_a_step_add_up_to_the_step(averaging: Averaging, whole: float) -> None:
    new, old, advantages = torch.randn(3, 2, 3, generator=torch.Generator().manual_seed(0))
    together = policy_loss(new, old, advantages, MASK, averaging=averaging)
    parts = [
        policy_loss(
            new[[row]],
            old[[row]],
            advantages[[row]],
            MASK[[row]],
            averaging=averaging,
            whole=whole,
        ).value
        for row in (0, 1)
    ]
    assert float(sum(parts)) == pytest.approx(float(together.value), abs=1e-6)


@pytest.mark.parametrize(
    ("logprob", "reference", "expected"),
    [
        (-1.0, -1.0, 0.0),
        (-1.0, -1.5, 0.1065307),  # e^-.5 + .5 - 1
        (-1.0, -0.5, 0.1487213),  # e^.5 - .5 - 1
        (-1.0, -2.0, 0.3678794),  # e^-1 + 1 - 1
    ],
)
def test_the_divergence_is_k3(logprob: float, reference: float, expected: float) -> None:
    told = kl(torch.tensor(logprob), torch.tensor(reference))
    assert float(told) == pytest.approx(expected, abs=1e-6)


@given(st.floats(-5, 0, width=32), st.floats(-5, 0, width=32))
def test_the_divergence_is_never_negative(logprob: float, reference: float) -> None:
    assert float(kl(torch.tensor(logprob), torch.tensor(reference))) >= -1e-6


@pytest.mark.parametrize("difference", [-1000.0, -100.0, -20.0, 20.0, 100.0, 1000.0])
def test_a_log_ratio_beyond_all_bounds_is_clamped(difference: float) -> None:
    """exp(100) would make the loss, and every weight, infinite."""
    new = torch.tensor([[difference]], requires_grad=True)
    zero, one = torch.zeros(1, 1), torch.ones(1, 1)
    loss = policy_loss(new, zero, -one, one, beta=0.1, reference=zero)
    assert math.isfinite(float(loss.value.detach())) and 0 <= loss.kl <= MOST_KL
    loss.value.backward()
    assert new.grad is not None and bool(new.grad.isfinite().all())


def test_what_the_policy_did_not_write_is_clamped_too() -> None:
    """An infinity outside the mask would make the whole loss no number."""
    new, mask = torch.tensor([[0.0, 1000.0]]), torch.tensor([[1.0, 0.0]])
    loss = policy_loss(new, torch.zeros(1, 2), torch.ones(1, 2), mask)
    assert float(loss.value) == -1.0


def test_the_divergence_is_subtracted_with_its_weight_and_told() -> None:
    new = torch.tensor([[-1.0, -1.0, -1.0]])
    reference = torch.tensor([[-1.5, -0.5, 7.0]])
    mask = torch.tensor([[1.0, 1.0, 0.0]])
    loss = policy_loss(new, new, torch.ones(1, 3), mask, beta=0.1, reference=reference)
    mean = (0.1065307 + 0.1487213) / 2
    assert loss.kl == pytest.approx(mean, abs=1e-6)
    assert float(loss.value) == pytest.approx(-(1 - 0.1 * mean), abs=1e-6)


def test_a_divergence_needs_a_reference() -> None:
    one = torch.ones(1, 1)
    with pytest.raises(ValueError, match="reference"):
        policy_loss(one, one, one, one, beta=0.1)


def test_the_share_of_clipped_tokens_is_of_what_the_policy_wrote() -> None:
    new = torch.tensor([[math.log(2.0), 0.0, math.log(2.0), math.log(2.0)]])
    mask = torch.tensor([[1.0, 1.0, 0.0, 0.0]])
    loss = policy_loss(new, torch.zeros(1, 4), torch.ones(1, 4), mask)
    assert loss.clipped == 0.5


def test_only_what_the_policy_wrote_and_is_not_clipped_is_learnt_from() -> None:
    new = torch.tensor([[0.0, 0.0, math.log(2.0), 0.0]], requires_grad=True)
    advantages = torch.tensor([[2.0, -1.0, 1.0, 5.0]])
    mask = torch.tensor([[1.0, 1.0, 1.0, 0.0]])
    policy_loss(new, new.detach().clamp(max=0.0), advantages, mask).value.backward()
    assert new.grad is not None
    # -A / 3 where the ratio is 1; the third is clipped, the fourth observed
    assert new.grad.tolist()[0] == pytest.approx([-2 / 3, 1 / 3, 0.0, 0.0], abs=1e-6)


@pytest.mark.parametrize(
    ("averaging", "mode"), [("token", "token-mean"), ("trajectory", "seq-mean-token-mean")]
)
def test_means_are_those_of_verl(averaging: Averaging, mode: str) -> None:
    algorithms: Any = pytest.importorskip("verl.trainer.ppo.core_algos")
    theirs = float(algorithms.agg_loss(VALUES, MASK, mode))
    assert float(averaged(VALUES, MASK, averaging=averaging)) == pytest.approx(theirs, abs=1e-6)


def test_the_divergence_is_that_of_verl() -> None:
    algorithms: Any = pytest.importorskip("verl.trainer.ppo.core_algos")
    new = torch.tensor([[-1.0, -2.0, -90.0, -0.5]])
    reference = torch.tensor([[-1.5, -0.25, -0.5, -90.0]])
    theirs: Any = algorithms.kl_penalty_forward(new, reference, "low_var_kl")
    assert kl(new, reference).tolist()[0] == pytest.approx(theirs.tolist()[0], abs=1e-6)
