"""A model that begins with heads that copy: what came after the same words before comes next."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
import torch

from inforce.train.policy import COPYING, ModelShape, load_model, new_model

pytestmark = pytest.mark.torch

LENGTH = 30
VOCABULARY = 1400


def repeated(seed: int) -> torch.Tensor:
    """Two random rows, five other tokens, and the rows again."""
    chance = torch.Generator().manual_seed(seed)
    said = torch.randint(VOCABULARY, (2, LENGTH), generator=chance)
    between = torch.randint(VOCABULARY, (2, 5), generator=chance)
    return torch.cat([said, between, said], dim=1)


def loss_of_the_repetition(shape: ModelShape, seed: int) -> float:
    """In nats a token, once the first three of the repetition are there."""
    tokens = repeated(seed)
    with torch.no_grad():
        scores = new_model(VOCABULARY, shape, seed=seed)(input_ids=tokens).logits.log_softmax(-1)
    start = LENGTH + 5 + 3
    right = scores[:, start - 1 : -1].gather(2, tokens[:, start:, None])
    return float(-right.mean())


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_before_any_lesson_it_expects_what_came_after_the_same_words(seed: int) -> None:
    at_random = replace(COPYING, copying_heads=0)
    assert loss_of_the_repetition(at_random, seed) > 7
    assert loss_of_the_repetition(COPYING, seed) < 2


def test_a_model_that_copies_is_stored_with_its_heads_and_positions(tmp_path: Path) -> None:
    model, tokens = new_model(VOCABULARY, COPYING, seed=0), repeated(0)
    model.save_pretrained(str(tmp_path))
    with torch.no_grad():
        loaded = load_model(tmp_path)(input_ids=tokens).logits
        assert torch.equal(loaded, model(input_ids=tokens).logits)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_looks_one_two_and_three_tokens_back_and_then_where_words_agree(seed: int) -> None:
    model = cast("Any", new_model(VOCABULARY, COPYING, seed=seed))
    model.set_attn_implementation("eager")
    with torch.no_grad():
        first, second = model(input_ids=repeated(seed), output_attentions=True).attentions
    places = torch.arange(LENGTH + 8, 2 * LENGTH + 4)
    for head in range(3):
        assert first[:, head, places, places - head - 1].mean() > 0.9
    for head in range(COPYING.copying_heads):
        assert second[:, head, places, places - LENGTH - 5 + 1].mean() > 0.9
