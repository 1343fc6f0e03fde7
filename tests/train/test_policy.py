from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from toy_policy import TINY, TOKENS, asked, policy_of, tiny_model
from transformers import PreTrainedModel

from inforce.errors import InputError
from inforce.train.embedded.engine import next_logprobs
from inforce.train.policy import LARGE, SMALL, Policy, load_model, new_model

pytestmark = pytest.mark.torch


def hidden(model: PreTrainedModel, rows: list[tuple[int, ...]]) -> torch.Tensor:
    return model.base_model(input_ids=torch.tensor(rows), use_cache=False).last_hidden_state


def scores(model: PreTrainedModel, rows: list[tuple[int, ...]]) -> torch.Tensor:
    with torch.no_grad():
        return next_logprobs(model, hidden(model, rows))


def test_the_same_seed_gives_the_same_model_and_leaves_torchs_own_chance_alone() -> None:
    before = torch.get_rng_state()
    one, same, other = tiny_model(seed=1), tiny_model(seed=1), tiny_model(seed=2)
    assert torch.equal(before, torch.get_rng_state())
    assert torch.equal(scores(one, [asked(1)]), scores(same, [asked(1)]))
    assert not torch.equal(scores(one, [asked(1)]), scores(other, [asked(1)]))


def test_scores_are_those_of_the_whole_model() -> None:
    model = tiny_model()
    with torch.no_grad():
        whole = model(input_ids=torch.tensor([asked(3)])).logits.log_softmax(dim=-1)
    assert torch.allclose(scores(model, [asked(3)]), whole, atol=1e-6)


def test_a_temperature_flattens() -> None:
    model = tiny_model()
    states = hidden(model, [asked(3)])
    cold, hot = (next_logprobs(model, states, temperature=one).exp() for one in (0.5, 2.0))
    assert (cold.amax(dim=-1) > hot.amax(dim=-1)).all()


def test_padding_on_the_right_changes_nothing() -> None:
    model = tiny_model()
    short = asked(3)
    padded = scores(model, [(*short, TOKENS.padding, TOKENS.padding), (*short, 5, 6)])
    for row in padded:
        assert torch.allclose(row[: len(short)], scores(model, [short])[0], atol=1e-5)


def test_a_model_that_was_saved_gives_the_same_scores(tmp_path: Path) -> None:
    model = tiny_model()
    policy_of(model).save(tmp_path)
    loaded = Policy.load(tmp_path)
    assert torch.equal(scores(loaded.model, [asked(3)]), scores(model, [asked(3)]))
    assert loaded.context == TINY.context


@pytest.mark.parametrize("bend", ["final_logit_softcapping", "logit_scale"])
def test_a_model_whose_scores_are_bent_is_refused(tmp_path: Path, bend: str) -> None:
    policy_of(tiny_model()).save(tmp_path)
    path = tmp_path / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**config, bend: 30.0}), encoding="utf-8")
    with pytest.raises(InputError, match=bend):
        load_model(tmp_path)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model"):
        load_model(tmp_path)


def test_the_sizes_offered_have_the_parameters_they_claim() -> None:
    with torch.device("meta"):
        small, large = new_model(600, SMALL), new_model(8000, LARGE)
    assert small.num_parameters() == pytest.approx(1.7e6, rel=0.03)
    assert large.num_parameters() == pytest.approx(82e6, rel=0.03)
