"""Advantages against values computed by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from inforce.train.advantages import EPSILON, Deviation, Shaping, group_advantages, shaped

pytestmark = pytest.mark.torch

NAN = math.nan
ONE = ["q"] * 8


def relative(rewards: list[float], groups: list[str], deviation: Deviation) -> list[float]:
    measured = torch.tensor(rewards, dtype=torch.float32)
    told = group_advantages(measured, groups, deviation=deviation, epsilon=0.0)
    return [float(one) for one in told]


@pytest.mark.parametrize(
    ("deviation", "right", "wrong"),
    [
        # mean 3/8; population variance 3/8 * 5/8, standard deviation .4841229
        ("population", 1.2909944, -0.7745967),
        # sample variance 15/56, standard deviation .5175492
        ("sample", 1.2076147, -0.7245688),
        ("none", 0.625, -0.375),
    ],
)
def test_three_of_eight_are_right(deviation: Deviation, right: float, wrong: float) -> None:
    told = relative([1, 0, 1, 0, 0, 1, 0, 0], ONE, deviation)
    assert told == pytest.approx([right, wrong] * 2 + [wrong, right, wrong, wrong], abs=1e-6)


def test_sample_and_population_differ_by_the_root_of_8_7ths() -> None:
    rewards = [1.0, 0, 1, 0, 0, 1, 0, 0]
    by = [relative(rewards, ONE, deviation)[0] for deviation in ("population", "sample")]
    assert by[0] / by[1] == pytest.approx(math.sqrt(8 / 7), rel=1e-6)


def test_epsilon_is_added_to_the_deviation() -> None:
    told = group_advantages(torch.tensor([1.0, 0.0]), ["q", "q"], epsilon=0.5)
    assert told.tolist() == pytest.approx([0.5, -0.5])  # .5 / (.5 + .5)
    assert (EPSILON, Shaping()) == (1e-6, Shaping(alpha=0.1, kappa=2.0))


def test_each_question_has_a_mean_of_its_own_wherever_its_episodes_stand() -> None:
    told = relative([1, 10, 0, 20], ["a", "b", "a", "b"], "none")
    assert told == pytest.approx([0.5, -5, -0.5, 5])


def test_what_could_not_be_measured_has_no_advantage_and_counts_in_no_mean() -> None:
    assert relative([1, NAN, 0], ["q"] * 3, "population") == pytest.approx([1, 0, -1])
    assert relative([1, NAN, NAN], ["q"] * 3, "population") == [0, 0, 0]
    assert relative([NAN, NAN], ["q"] * 2, "sample") == [0, 0]


@pytest.mark.parametrize("deviation", ["population", "sample", "none"])
@pytest.mark.parametrize("reward", [0.0, 1.0, 0.25])
def test_a_group_without_differences_teaches_nothing(deviation: Deviation, reward: float) -> None:
    told = group_advantages(torch.full((8,), reward), ONE, deviation=deviation)
    assert told.tolist() == [0.0] * 8


@pytest.mark.parametrize("deviation", ["population", "sample"])
@pytest.mark.parametrize("reward", [0.06, 0.1, 0.18, 0.3])
def test_equal_rewards_are_no_difference_however_they_round(
    deviation: Deviation, reward: float
) -> None:
    for size in (5, 7, 8):
        told = group_advantages(torch.full((size,), reward), ["q"] * size, deviation=deviation)
        assert told.tolist() == [0.0] * size


@pytest.mark.parametrize("deviation", ["population", "sample", "none"])
def test_a_group_of_one_teaches_nothing(deviation: Deviation) -> None:
    assert group_advantages(torch.tensor([1.0]), ["q"], deviation=deviation).tolist() == [0.0]


@given(st.lists(st.sampled_from([0.0, 0.2, 1.0, 1.14]), min_size=2, max_size=8))
def test_advantages_of_a_group_add_up_to_nothing(rewards: list[float]) -> None:
    told = group_advantages(torch.tensor(rewards, dtype=torch.float64), ["q"] * len(rewards))
    assert float(told.sum()) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("advantage", "entropy", "expected"),
    [
        (0.866, 2.0, 1.066),  # psi = .1 * 2
        (-0.866, 2.0, -0.666),
        (0.866, 10.0, 1.299),  # psi is bounded by .866 / 2
        (-0.866, 10.0, -0.433),
        (0.866, 0.0, 0.866),
        (0.0, 10.0, 0.0),
    ],
)
def test_equation_5(advantage: float, entropy: float, expected: float) -> None:
    told = shaped(torch.tensor([advantage]), torch.tensor([[entropy]]), torch.ones(1, 1), Shaping())
    assert float(told) == pytest.approx(expected, abs=1e-6)


def test_without_alpha_the_advantage_of_each_token_is_that_of_its_trajectory() -> None:
    mask = torch.tensor([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    told = shaped(torch.tensor([0.5, -1.0]), torch.rand(2, 3), mask, Shaping(alpha=0.0))
    assert told.tolist() == [[0.5, 0.5, 0.0], [-1.0, 0.0, 0.0]]


def test_what_the_policy_did_not_write_has_no_advantage() -> None:
    mask = torch.tensor([[1.0, 0.0, 1.0]])
    told = shaped(torch.tensor([1.0]), torch.full((1, 3), 2.0), mask, Shaping())
    assert told.tolist()[0] == pytest.approx([1.2, 0.0, 1.2])


def test_entropy_is_detached() -> None:
    entropies = torch.tensor([[2.0]], requires_grad=True)
    assert not shaped(torch.tensor([1.0]), entropies, torch.ones(1, 1), Shaping()).requires_grad


@pytest.mark.parametrize("kappa", [1.0, 0.5, -2.0])
def test_a_bound_that_could_turn_a_penalty_is_refused(kappa: float) -> None:
    with pytest.raises(ValueError, match="kappa"):
        Shaping(kappa=kappa)


@given(
    st.floats(-3, 3, width=32),
    st.floats(0, 12, width=32),
    st.floats(0, 2, width=32),
    st.sampled_from([1.25, 2.0, 4.0]),
)
def test_shaping_never_turns_an_advantage_nor_adds_more_than_its_share(
    advantage: float, entropy: float, alpha: float, kappa: float
) -> None:
    told = _shaped(advantage, entropy, alpha=alpha, kappa=kappa)
    assert advantage - 1e-5 <= told <= advantage + abs(advantage) / kappa + 1e-5
    assert told * advantage >= 0


def _shaped(advantage: float, entropy: float, **how: float) -> float:
    one: Tensor = torch.tensor([advantage])
    return float(shaped(one, torch.tensor([[entropy]]), torch.ones(1, 1), Shaping(**how)))


def test_advantages_are_those_of_verl() -> None:
    algorithms: Any = pytest.importorskip("verl.trainer.ppo.core_algos")
    numpy: Any = pytest.importorskip("numpy")
    rewards = torch.tensor([1.0, 0.0, 0.2, 1.14, 0.0, 1.0])
    groups = ["a", "a", "a", "b", "b", "b"]
    tokens = torch.zeros(6, 4)
    tokens[:, -1] = rewards
    theirs, _ = algorithms.compute_grpo_outcome_advantage(
        tokens, torch.ones(6, 4), numpy.array(groups, dtype=object)
    )
    ours = group_advantages(rewards, groups, deviation="sample")
    difference = (theirs[:, 0] - ours).abs().max()
    assert float(difference) < 1e-6
