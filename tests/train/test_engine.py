from __future__ import annotations

import asyncio
from collections import Counter

import pytest
import torch
from toy_policy import TINY, TOKENS, asked, guessing_model, policy_of, tiny_model
from transformers import PreTrainedModel

from inforce.train.embedded.engine import Engine, Request, generate
from inforce.train.embedded.grpo import Batch, score
from inforce.train.embedded.settings import Sampling
from inforce.train.episodes import Completion
from inforce.train.trajectory import Span, Trajectory

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def model() -> PreTrainedModel:
    return guessing_model()


async def conversation(sampler: Engine, digit: int, turns: int) -> Trajectory:
    """Several turns, each answered by a text of a length of its own."""
    spans = [Span("prompt", asked(digit))]
    for turn in range(turns):
        context = [token for span in spans for token in span.tokens]
        written = await sampler.generate(context, max_tokens=5)
        spans.append(Span("generated", written.tokens, written.logprobs))
        observed = TOKENS.observation([("tool", "第" * (digit + turn))], ended=written.ended)
        spans.append(Span("observed", observed))
    return Trajectory(str(digit), tuple(spans), ())


@pytest.mark.parametrize("temperature", [1.0, 0.7])
async def test_what_was_noted_when_tokens_were_drawn_is_what_is_computed_again(
    temperature: float,
) -> None:
    """Of an untrained model, so that turns are long and every token is in play."""
    model = tiny_model()
    sampler = Engine(policy_of(model), Sampling(temperature=temperature))
    many = [conversation(sampler, digit, turns=1 + digit % 3) for digit in range(6)]
    trajectories = await asyncio.gather(*many)
    batch = Batch.of(trajectories, torch.device("cpu"))
    again = score(model, batch, temperature=temperature)
    assert batch.mask.sum() > 50
    assert torch.allclose(again.logprobs, batch.rollout_logprobs, atol=1e-4)


async def test_what_a_request_gets_does_not_depend_on_its_company(model: PreTrainedModel) -> None:
    async def written(size: int) -> list[Completion]:
        sampler = Engine(policy_of(model), Sampling(batch=size))
        asks = [sampler.generate(asked(digit % 5), max_tokens=4) for digit in range(20)]
        return await asyncio.gather(*asks)

    together, apart = await written(128), await written(3)
    assert [one.tokens for one in together] == [one.tokens for one in apart]
    assert len({one.tokens for one in together}) > 3


async def test_the_order_in_which_others_ask_does_not_matter(model: PreTrainedModel) -> None:
    first = Engine(policy_of(model))
    second = Engine(policy_of(model))
    alone = await first.generate(asked(1), max_tokens=4)
    for digit in (3, 2):
        await second.generate(asked(digit), max_tokens=4)
    assert (await second.generate(asked(1), max_tokens=4)).tokens == alone.tokens


async def test_a_round_can_be_repeated_and_rounds_differ(model: PreTrainedModel) -> None:
    sampler = Engine(policy_of(model), Sampling(seed=1))
    drawn: dict[str, list[Completion]] = {}
    for time, name in (("first", "a"), ("other", "b"), ("again", "a")):
        sampler.start_round(name)
        drawn[time] = [await sampler.generate(asked(digit), max_tokens=4) for digit in range(10)]
    assert drawn["first"] == drawn["again"]
    assert drawn["first"] != drawn["other"]


async def test_requests_made_at_the_same_time_are_written_together(
    model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def counted(*args: object, **kwargs: object) -> list[Completion]:
        sizes.append(len(args[1]))  # pyright: ignore[reportArgumentType]
        return generate(*args, **kwargs)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr("inforce.train.embedded.engine.generate", counted)
    sampler = Engine(policy_of(model), Sampling(batch=8))
    await asyncio.gather(*(conversation(sampler, digit, turns=2) for digit in range(10)))
    assert sizes == [8, 2, 8, 2]


def test_tokens_are_drawn_as_often_as_they_are_likely(model: PreTrainedModel) -> None:
    """Draws spread evenly over [0, 1) give every token its share."""
    count = 400
    wanted = [Request(asked(4), ((one + 0.5) / count,)) for one in range(count)]
    written = generate(policy_of(model), wanted)
    drawn = Counter(one.tokens[0] for one in written)
    likely = {one.tokens[0]: torch.tensor(one.logprobs[0]).exp().item() for one in written}
    for token, times in drawn.items():
        assert times / count == pytest.approx(likely[token], abs=1.01 / count)


@pytest.mark.parametrize("draw", [0.0, 1 - 2**-53])
def test_the_ends_of_the_range_draw_a_token_there_is(model: PreTrainedModel, draw: float) -> None:
    [written] = generate(policy_of(model), [Request(asked(4), (draw,))])
    assert 0 <= written.tokens[0] < TOKENS.size


async def test_a_turn_ends_with_its_mark_or_is_cut_off(model: PreTrainedModel) -> None:
    sampler = Engine(policy_of(model))
    whole = await sampler.generate(asked(1), max_tokens=8)
    assert whole.ended and whole.tokens[-1] == TOKENS.end
    assert TOKENS.end not in whole.tokens[:-1]
    cut = await sampler.generate(asked(1), max_tokens=1)
    assert not cut.ended and len(cut.tokens) == len(cut.logprobs) == 1


async def test_no_more_is_written_than_the_model_can_look_at() -> None:
    sampler = Engine(policy_of(tiny_model()))
    almost = await sampler.generate([5] * (TINY.context - 2), max_tokens=10)
    assert len(almost.tokens) <= 2
    full = await sampler.generate([5] * TINY.context, max_tokens=10)
    assert full == Completion((), (), ended=False)


async def test_a_failure_reaches_everyone_who_waits_and_the_next_may_ask_again(
    model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> list[Completion]:
        raise RuntimeError("out of memory")

    sampler = Engine(policy_of(model))
    with monkeypatch.context() as patched:
        patched.setattr("inforce.train.embedded.engine.generate", failing)
        asks = [sampler.generate(asked(digit), max_tokens=4) for digit in range(2)]
        failures = await asyncio.gather(*asks, return_exceptions=True)
    assert [str(one) for one in failures] == ["out of memory"] * 2
    assert (await sampler.generate(asked(1), max_tokens=4)).tokens


async def test_an_episode_that_was_given_up_holds_up_nobody(model: PreTrainedModel) -> None:
    sampler = Engine(policy_of(model))
    given_up = asyncio.create_task(sampler.generate(asked(1), max_tokens=4))
    other = asyncio.create_task(sampler.generate(asked(2), max_tokens=4))
    await asyncio.sleep(0)
    given_up.cancel()
    assert (await other).tokens


def test_a_policy_that_would_not_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="temperature"):
        Sampling(temperature=0.0)
