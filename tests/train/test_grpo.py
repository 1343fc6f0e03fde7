from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from toy_policy import said, tiny_model
from transformers import PreTrainedModel

from inforce.errors import UserError
from inforce.train.advantages import Shaping
from inforce.train.embedded.grpo import Batch, Update, grpo_step, score
from inforce.train.embedded.settings import Grpo
from inforce.train.trajectory import Span, Trajectory

pytestmark = pytest.mark.torch

CPU = torch.device("cpu")

# Two questions, four tries each, of several lengths; (digit, answer, reward).
TRIED = [
    (1, "1", 1.0),
    (1, "12", 0.0),
    (1, "123", 0.0),
    (1, "3", 0.5),
    (2, "2222", 1.0),
    (2, "1", 0.0),
    (2, "31", 1.0),
    (2, "1", 0.0),
]


def tried(*, noted: PreTrainedModel | None = None) -> list[Trajectory]:
    return [
        replace(_noted(said(digit, answer), noted), reward=reward)
        for digit, answer, reward in TRIED
    ]


def _noted(trajectory: Trajectory, model: PreTrainedModel | None) -> Trajectory:
    """With the log-probabilities this model gives."""
    if model is None:
        return trajectory
    prompt, written = trajectory.spans
    with torch.no_grad():
        row = score(model, Batch.of([trajectory], CPU)).logprobs[0, len(prompt.tokens) :]
    logprobs = tuple(float(one) for one in row)
    return replace(trajectory, spans=(prompt, Span("generated", written.tokens, logprobs)))


def learned(
    settings: Grpo, trajectories: list[Trajectory] | None = None
) -> tuple[Update, torch.Tensor]:
    """What a step did to a model in the same state every time, and the gradients it left."""
    model = tiny_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=settings.lr)
    learnt = grpo_step(
        model, optimizer, trajectories or tried(), settings, reference=tiny_model(seed=5)
    )
    assert learnt is not None
    gradients = [one.grad for one in model.parameters() if one.grad is not None]
    return learnt, torch.cat([one.flatten() for one in gradients])


@pytest.mark.parametrize("averaging", ["token", "trajectory"])
@pytest.mark.parametrize("beta", [0.0, 0.1])
def test_a_step_computed_in_parts_is_the_step_computed_at_once(averaging: str, beta: float) -> None:
    settings = Grpo(averaging=averaging, beta=beta, shaping=Shaping())  # pyright: ignore[reportArgumentType]
    at_once, gradient = learned(replace(settings, micro_batch=8))
    in_parts, added_up = learned(replace(settings, micro_batch=2))
    assert torch.allclose(gradient, added_up, atol=1e-6)
    assert gradient.abs().max() > 1e-3
    for name in ("loss", "entropy", "shaping", "clipped", "kl", "grad_norm"):
        assert getattr(in_parts, name) == pytest.approx(getattr(at_once, name), abs=1e-5)


def test_shaping_of_no_strength_is_no_shaping() -> None:
    without, plain = learned(Grpo(shaping=None))
    of_none, same = learned(Grpo(shaping=Shaping(alpha=0.0)))
    assert torch.equal(plain, same)
    assert without == of_none
    assert without.shaping == 0.0


def test_shaping_raises_every_token_by_no_more_than_its_advantage_allows() -> None:
    """An untrained model is undecided everywhere: psi is at its bound, |A| / kappa."""
    learnt, _ = learned(Grpo(shaping=Shaping(alpha=10.0, kappa=4.0)))
    assert learnt.shaping == pytest.approx(0.25)


def test_the_loss_of_the_first_pass_is_minus_the_mean_advantage() -> None:
    """All ratios are 1. By token, advantages weigh by length: "1" is two tokens with its end.

    Question 1: rewards 1, 0, 0, 1/2, mean 3/8, variance 11/64; tokens 2, 3, 4, 2.
    Sum of (R - mean) times tokens: 5/8 · 2 - 3/8 · 3 - 3/8 · 4 + 1/8 · 2 = -9/8.
    Question 2: rewards 1, 0, 1, 0, mean 1/2, deviation 1/2; tokens 5, 2, 3, 2.
    Sum: 1/2 · 5 - 1/2 · 2 + 1/2 · 3 - 1/2 · 2 = 2. 23 tokens in all.
    """
    learnt, _ = learned(Grpo(averaging="token", epsilon=0.0))
    by_hand = ((-9 / 8) / (11 / 64) ** 0.5 + 2 / 0.5) / 23
    assert learnt.loss == pytest.approx(-by_hand, abs=1e-5)
    by_trajectory, _ = learned(Grpo(averaging="trajectory"))
    assert by_trajectory.loss == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("shaping", [None, Shaping()])
def test_what_was_rewarded_becomes_likelier_and_what_was_not_less_likely(
    shaping: Shaping | None,
) -> None:
    model = tiny_model()
    batch = Batch.of(tried(), CPU)
    before = score(model, batch).logprobs.detach()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(5):
        grpo_step(model, optimizer, tried(), Grpo(shaping=shaping))
    change = (score(model, batch).logprobs.detach() - before).sum(dim=1)
    assert change[0] > change[1] and change[0] > change[2]
    assert change[6] > change[5]


def test_what_could_not_be_measured_teaches_nothing_and_counts_in_no_mean() -> None:
    unmeasured = [replace(said(1, "99999"), reward=None), replace(said(3, "3"), reward=None)]
    without, plain = learned(Grpo(shaping=Shaping()))
    beside, same = learned(Grpo(shaping=Shaping()), [*tried(), *unmeasured])
    assert torch.equal(plain, same)
    assert without == beside


@pytest.mark.parametrize("nothing", [[], [replace(said(1, "1"), reward=None)]])
def test_without_a_reward_nothing_is_changed(nothing: list[Trajectory]) -> None:
    model = tiny_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.0)
    before = [one.clone() for one in model.parameters()]
    assert grpo_step(model, optimizer, nothing, Grpo()) is None
    assert all(map(torch.equal, before, model.parameters()))


def test_clipping_begins_with_the_second_pass() -> None:
    once, _ = learned(Grpo(lr=1.0, epochs=1, clip=0.01))
    twice, _ = learned(Grpo(lr=1.0, epochs=2, clip=0.01))
    assert once.clipped == 0.0
    assert twice.clipped > 0.1
    assert twice.loss == pytest.approx(once.loss, abs=1e-6)


def test_divergence_is_that_from_the_reference() -> None:
    model = tiny_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    from_itself = grpo_step(model, optimizer, tried(), Grpo(beta=0.1), reference=tiny_model())
    from_another = grpo_step(
        model, optimizer, tried(), Grpo(beta=0.1), reference=tiny_model(seed=5)
    )
    assert from_itself and from_itself.kl == pytest.approx(0.0, abs=1e-6)
    assert from_another and from_another.kl > 0.001


def test_the_distance_from_the_sampler_is_noted() -> None:
    exact, _ = learned(Grpo(), tried(noted=tiny_model()))
    assert exact.logprob_gap is not None and exact.logprob_gap < 1e-5
    far, _ = learned(Grpo(micro_batch=2), tried(noted=tiny_model(seed=5)))
    assert far.logprob_gap is not None and far.logprob_gap > 0.1
    unnoted, _ = learned(Grpo())
    assert unnoted.logprob_gap is None


def test_a_policy_that_falls_apart_stops_training_as_it_was() -> None:
    model = tiny_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    with torch.no_grad():
        next(model.parameters())[0] = float("inf")
    before = [one.clone() for one in model.parameters()]
    with pytest.raises(UserError, match="lower the learning rate"):
        grpo_step(model, optimizer, tried(), Grpo())
    assert all(map(torch.equal, before, model.parameters()))
