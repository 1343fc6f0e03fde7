from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from toy_policy import TINY, TOKENS, asked, guessing_model, policy_of, tiny_model
from transformers import PreTrainedModel

from inforce.train.embedded.engine import Engine, generate
from inforce.train.embedded.grpo import Batch, score
from inforce.train.embedded.settings import Sampling
from inforce.train.episodes import Completion, Request
from inforce.train.trajectory import Span, Trajectory

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def model() -> PreTrainedModel:
    return guessing_model()


def one_turn(sampler: Engine, digits: Sequence[int], max_tokens: int = 4) -> list[Completion]:
    return sampler.generate([Request(asked(digit), max_tokens) for digit in digits])


def conversations(sampler: Engine, digits: Sequence[int], turns: int) -> list[Trajectory]:
    """Several turns each, answered by texts of different lengths."""
    spans = [[Span("prompt", asked(digit))] for digit in digits]
    for turn in range(turns):
        contexts = [tuple(token for span in one for token in span.tokens) for one in spans]
        generated = sampler.generate([Request(context, 5) for context in contexts])
        for digit, own, completion in zip(digits, spans, generated, strict=True):
            own.append(Span("generated", completion.tokens, completion.logprobs))
            text = "第" * (digit + turn)
            observed = TOKENS.observation([("tool", text)], ended=completion.ended)
            own.append(Span("observed", observed))
    pairs = zip(digits, spans, strict=True)
    return [Trajectory(str(digit), tuple(own), ()) for digit, own in pairs]


@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_recorded_log_probabilities_are_those_that_are_computed_again(temperature: float) -> None:
    """Of an untrained model, so that turns are long and every token is in play."""
    model = tiny_model()
    sampler = Engine(policy_of(model), Sampling(temperature=temperature))
    trajectories = conversations(sampler, range(6), turns=2)
    batch = Batch.of(trajectories, torch.device("cpu"))
    again = score(model, batch, temperature=temperature)
    assert batch.mask.sum() > 50
    assert torch.allclose(again.logprobs, batch.rollout_logprobs, atol=1e-4)


def test_what_a_request_gets_does_not_depend_on_its_batch(model: PreTrainedModel) -> None:
    digits = [digit % 5 for digit in range(20)]
    together, apart = (
        one_turn(Engine(policy_of(model), Sampling(batch=size)), digits) for size in (128, 3)
    )
    assert [one.tokens for one in together] == [one.tokens for one in apart]
    assert len({one.tokens for one in together}) > 3


def test_earlier_requests_with_other_contexts_do_not_matter(model: PreTrainedModel) -> None:
    first, second = Engine(policy_of(model)), Engine(policy_of(model))
    [alone] = one_turn(first, [1])
    one_turn(second, [3, 2])
    [later] = one_turn(second, [1])
    assert later.tokens == alone.tokens


def test_a_round_can_be_repeated_and_rounds_differ(model: PreTrainedModel) -> None:
    sampler = Engine(policy_of(model), Sampling(seed=1))
    drawn: dict[str, list[Completion]] = {}
    for time, name in (("first", "a"), ("other", "b"), ("again", "a")):
        sampler.start_round(name)
        drawn[time] = one_turn(sampler, range(10))
    assert drawn["first"] == drawn["again"]
    assert drawn["first"] != drawn["other"]


def test_batches_are_no_larger_than_the_settings_allow(
    model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def counted(*args: Any, **kwargs: Any) -> list[Completion]:
        sizes.append(len(args[1]))
        return generate(*args, **kwargs)

    monkeypatch.setattr("inforce.train.embedded.engine.generate", counted)
    conversations(Engine(policy_of(model), Sampling(batch=8)), range(10), turns=2)
    assert sizes == [8, 2, 8, 2]


def test_tokens_are_drawn_as_often_as_they_are_likely(model: PreTrainedModel) -> None:
    """Draws spread evenly over [0, 1) give every token its share."""
    count = 400
    draws = [((one + 0.5) / count,) for one in range(count)]
    written = generate(policy_of(model), [asked(4)] * count, draws)
    drawn = Counter(one.tokens[0] for one in written)
    likely = {one.tokens[0]: torch.tensor(one.logprobs[0]).exp().item() for one in written}
    for token, times in drawn.items():
        assert times / count == pytest.approx(likely[token], abs=1.01 / count)


@pytest.mark.parametrize("draw", [0.0, 1 - 2**-53])
def test_the_ends_of_the_range_draw_a_token_there_is(model: PreTrainedModel, draw: float) -> None:
    [written] = generate(policy_of(model), [asked(4)], [(draw,)])
    assert 0 <= written.tokens[0] < TOKENS.size


def test_at_the_lowest_temperature_only_the_most_probable_tokens_are_drawn() -> None:
    policy = policy_of(tiny_model())
    drawn = [
        [one.tokens for one in one_turn(Engine(policy, Sampling(1e-6, seed=seed)), range(5))]
        for seed in range(3)
    ]
    assert drawn[0] == drawn[1] == drawn[2]


def test_a_turn_ends_with_its_mark_or_is_cut_off(model: PreTrainedModel) -> None:
    sampler = Engine(policy_of(model))
    [whole] = one_turn(sampler, [1], max_tokens=8)
    assert whole.ended and whole.tokens[-1] == TOKENS.end
    assert TOKENS.end not in whole.tokens[:-1]
    [cut] = one_turn(sampler, [1], max_tokens=1)
    assert not cut.ended and len(cut.tokens) == len(cut.logprobs) == 1


def test_no_more_is_generated_than_the_model_can_attend_to() -> None:
    sampler = Engine(policy_of(tiny_model()))
    lengths = (TINY.context - 2, TINY.context)
    almost, full = sampler.generate([Request((5,) * length, 10) for length in lengths])
    assert len(almost.tokens) <= 2
    assert full == Completion((), (), ended=False)


def test_a_policy_that_would_not_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="temperature"):
        Sampling(temperature=0.0)
