from __future__ import annotations

import math
from typing import cast

import pytest
import torch
from toy_policy import TOKENS, asked, said, tiny_model

from inforce.errors import UserError
from inforce.train.embedded.grpo import Batch, by_length, imitation_loss, score
from inforce.train.embedded.settings import Sft
from inforce.train.embedded.sft import imitate, lr_share
from inforce.train.trajectory import Span, Trajectory

pytestmark = pytest.mark.torch

CPU = torch.device("cpu")


def test_only_what_the_policy_wrote_is_in_the_mask_at_its_own_place() -> None:
    """Responses of 2 + 1 + 1 and of 1 tokens after prompts of 2 and 1."""
    long = Trajectory(
        "a",
        (
            Span("prompt", (7, 8)),
            Span("generated", (10, 11), (-0.5, -1.0)),
            Span("observed", (12,)),
            Span("generated", (13,)),
        ),
        (),
    )
    short = Trajectory("b", (Span("prompt", (9,)), Span("generated", (14,), (-2.0,))), ())
    batch = Batch.of([long, short], CPU)
    assert batch.tokens.tolist() == [[7, 8, 10, 11, 12, 13], [9, 14, 0, 0, 0, 0]]
    assert batch.mask.tolist() == [[0, 0, 1, 1, 0, 1], [0, 1, 0, 0, 0, 0]]
    logprobs = batch.rollout_logprobs.nan_to_num(nan=9)
    assert cast("list[list[float]]", logprobs.tolist()) == [
        [0, 0, -0.5, -1, 0, 9],
        [0, -2, 0, 0, 0, 0],
    ]


def test_log_probabilities_and_entropies_are_those_of_the_whole_model() -> None:
    model = tiny_model()
    shown = [said(3, "3"), said(4, "444")]
    batch = Batch.of(shown, CPU)
    computed = score(model, batch, temperature=0.5)
    for row, one in enumerate(shown):
        tokens = [*one.prompt, *one.response]
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([tokens])).logits[0] / 0.5
        every = logits.log_softmax(dim=-1)[len(one.prompt) - 1 : -1]
        right = every.gather(1, torch.tensor(one.response)[:, None])[:, 0]
        start, end = len(one.prompt), one.length
        assert torch.allclose(computed.logprobs[row, start:end], right, atol=1e-5)
        entropy = torch.distributions.Categorical(logits=every).entropy()
        assert torch.allclose(computed.entropies[row, start:end], entropy, atol=1e-5)
        for values in (computed.logprobs[row], computed.entropies[row]):
            assert not values[:start].any() and not values[end:].any()
    assert computed.logprobs.requires_grad and not computed.entropies.requires_grad


def test_the_loss_of_imitation_is_the_mean_over_all_tokens_the_policy_wrote() -> None:
    model = tiny_model()
    batch = Batch.of([said(3, "3"), said(4, "444")], CPU)
    whole = -score(model, batch).logprobs.sum() / batch.mask.sum()
    assert torch.allclose(imitation_loss(model, batch), whole, atol=1e-6)


def test_texts_of_about_the_same_length_are_computed_together() -> None:
    texts = [Trajectory("", (Span("prompt", (1,) * n),), ()) for n in (3, 9, 5, 9, 1)]
    assert list(by_length(texts, 2)) == [[1, 3], [2, 0], [4]]


@pytest.mark.parametrize(
    ("step", "share"),
    [
        (0, 0.25),
        (3, 1.0),
        (4, 1.0),
        # A quarter, half, and all but one step of the way down: (1 + cos(pi done)) / 2.
        (6, (1 + math.sqrt(0.5)) / 2),
        (8, 0.5),
        (11, (1 + math.cos(math.pi * 7 / 8)) / 2),
    ],
)
def test_the_rate_rises_in_a_line_and_falls_along_a_cosine(step: int, share: float) -> None:
    assert lr_share(step, Sft(steps=12, warm_up=4)) == pytest.approx(share)


def test_demonstrations_are_imitated() -> None:
    model = tiny_model()
    told: list[tuple[int, float]] = []
    losses = imitate(
        model,
        [said(digit, str(9 - digit)) for digit in range(10)],
        Sft(steps=80, batch=10, lr=3e-3, warm_up=5),
        report=lambda step, loss: told.append((step, loss)),
    )
    assert losses[0] > 5 and losses[-1] < 0.3
    assert told == list(enumerate(losses, 1))


def test_the_world_is_not_imitated() -> None:
    """A loss that took in what the world wrote would depend on it."""
    first = Sft(steps=1, batch=1)
    prompt, written = Span("prompt", asked(3)), Span("generated", (TOKENS.end,))
    losses = {
        tuple(imitate(tiny_model(), [Trajectory("3", spans, ())], first))
        for observed in ((5, 6, 7), (8, 9, 10))
        for spans in [(prompt, written, Span("observed", observed))]
    }
    assert len(losses) == 1


def test_the_same_seed_gives_the_same_losses() -> None:
    shown = [said(digit, str(digit) * (1 + digit % 3)) for digit in range(10)]
    plans = [Sft(steps=8, batch=4, seed=seed) for seed in (1, 1, 2)]
    one, same, other = (imitate(tiny_model(), shown, plan) for plan in plans)
    assert one == same != other


def test_without_demonstrations_there_is_nothing_to_imitate() -> None:
    with pytest.raises(UserError, match="no demonstrations"):
        imitate(tiny_model(), [Trajectory("3", (Span("prompt", asked(3)),), ())])
