from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import torch
from toy_policy import TINY, TOKENS, asked, guessing_model, tiny_model
from transformers import PreTrainedModel

from inforce.train.embedded.batches import Batch, scores
from inforce.train.embedded.decoding import Marks, Wanted, write_all
from inforce.train.embedded.replay import Replay
from inforce.train.embedded.sampling import BatchedSampler
from inforce.train.embedded.settings import Sampling
from inforce.train.policy import Written
from inforce.train.trajectory import Span, Trajectory

pytestmark = pytest.mark.torch

MARKS = Marks(end=TOKENS.end, padding=TOKENS.padding)


@pytest.fixture(scope="module")
def model() -> PreTrainedModel:
    return guessing_model()


async def conversation(sampler: BatchedSampler, digit: int, turns: int) -> Trajectory:
    """Several turns, each answered by a text of a length of its own."""
    spans = [Span("given", asked(digit))]
    for turn in range(turns):
        context = [token for span in spans for token in span.tokens]
        written = await sampler.write(context, max_tokens=5)
        spans.append(Span("generated", written.tokens, written.logprobs))
        observed = TOKENS.reply([("tool", "第" * (digit + turn))], ended=written.ended)
        spans.append(Span("observed", observed))
    return Trajectory(str(digit), tuple(spans), ())


@pytest.mark.parametrize("temperature", [1.0, 0.7])
async def test_what_was_noted_when_tokens_were_drawn_is_what_is_computed_again(
    temperature: float,
) -> None:
    """Of an untrained model, so that turns are long and every token is in play."""
    model = tiny_model()
    sampler = BatchedSampler(model, TOKENS, Sampling(temperature=temperature))
    many = [conversation(sampler, digit, turns=1 + digit % 3) for digit in range(6)]
    trajectories = await asyncio.gather(*many)
    batch = Batch.of(trajectories, torch.device("cpu"))
    again = scores(model, batch, temperature=temperature)
    assert batch.mask.sum() > 50
    assert torch.allclose(again.logprobs, batch.rollout, atol=1e-4)


async def test_what_a_request_gets_does_not_depend_on_its_company(model: PreTrainedModel) -> None:
    async def written(size: int) -> list[Written]:
        sampler = BatchedSampler(model, TOKENS, Sampling(batch=size))
        asks = [sampler.write(asked(digit % 5), max_tokens=4) for digit in range(20)]
        return await asyncio.gather(*asks)

    together, apart = await written(128), await written(3)
    assert [one.tokens for one in together] == [one.tokens for one in apart]
    assert len({one.tokens for one in together}) > 3


@pytest.mark.parametrize("count", [1, 5, 8])
def test_replayed_steps_write_what_single_operations_write(
    model: PreTrainedModel, count: int
) -> None:
    """Traced as for a card, but run as they are; what was compiled once serves the next batch."""
    compiled: list[torch.fx.GraphModule] = []

    def as_they_are(graph: torch.fx.GraphModule, _: object) -> Callable[..., Any]:
        compiled.append(graph)
        return graph.forward

    replay = Replay(model, compile_step=lambda step: torch.compile(step, backend=as_they_are))
    for first in (0, 3):
        draws = [tuple((one * 7 + place) % 10 / 10 for place in range(6)) for one in range(count)]
        wanted = [Wanted(asked((first + one) % 7), row) for one, row in enumerate(draws)]
        replayed = write_all(model, wanted, MARKS, replay=replay)
        plain = write_all(model, wanted, MARKS)
        assert [one.tokens for one in replayed] == [one.tokens for one in plain]
        for one, other in zip(replayed, plain, strict=True):
            assert one.logprobs == pytest.approx(other.logprobs, abs=1e-4)
    assert len(compiled) == 1


async def test_the_order_in_which_others_ask_does_not_matter(model: PreTrainedModel) -> None:
    first = BatchedSampler(model, TOKENS)
    second = BatchedSampler(model, TOKENS)
    alone = await first.write(asked(1), max_tokens=4)
    for digit in (3, 2):
        await second.write(asked(digit), max_tokens=4)
    assert (await second.write(asked(1), max_tokens=4)).tokens == alone.tokens


async def test_a_round_can_be_repeated_and_rounds_differ(model: PreTrainedModel) -> None:
    sampler = BatchedSampler(model, TOKENS, Sampling(seed=1))
    drawn: dict[str, list[Written]] = {}
    for time, name in (("first", "a"), ("other", "b"), ("again", "a")):
        sampler.begin(name)
        drawn[time] = [await sampler.write(asked(digit), max_tokens=4) for digit in range(10)]
    assert drawn["first"] == drawn["again"]
    assert drawn["first"] != drawn["other"]


async def test_requests_made_at_the_same_time_are_written_together(
    model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def counted(*args: object, **kwargs: object) -> list[Written]:
        sizes.append(len(args[1]))  # pyright: ignore[reportArgumentType]
        return write_all(*args, **kwargs)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr("inforce.train.embedded.sampling.write_all", counted)
    sampler = BatchedSampler(model, TOKENS, Sampling(batch=8))
    await asyncio.gather(*(conversation(sampler, digit, turns=2) for digit in range(10)))
    assert sizes == [8, 2, 8, 2]


def test_tokens_are_drawn_as_often_as_they_are_likely(model: PreTrainedModel) -> None:
    """Draws spread evenly over [0, 1) give every token its share."""
    count = 400
    wanted = [Wanted(asked(4), ((one + 0.5) / count,)) for one in range(count)]
    written = write_all(model, wanted, MARKS)
    drawn = Counter(one.tokens[0] for one in written)
    likely = {one.tokens[0]: torch.tensor(one.logprobs[0]).exp().item() for one in written}
    for token, times in drawn.items():
        assert times / count == pytest.approx(likely[token], abs=1.01 / count)


@pytest.mark.parametrize("draw", [0.0, 1 - 2**-53])
def test_the_ends_of_the_range_draw_a_token_there_is(model: PreTrainedModel, draw: float) -> None:
    [written] = write_all(model, [Wanted(asked(4), (draw,))], MARKS)
    assert 0 <= written.tokens[0] < TOKENS.size


async def test_a_turn_ends_with_its_mark_or_is_cut_off(model: PreTrainedModel) -> None:
    sampler = BatchedSampler(model, TOKENS)
    whole = await sampler.write(asked(1), max_tokens=8)
    assert whole.ended and whole.tokens[-1] == TOKENS.end
    assert TOKENS.end not in whole.tokens[:-1]
    cut = await sampler.write(asked(1), max_tokens=1)
    assert not cut.ended and len(cut.tokens) == len(cut.logprobs) == 1


async def test_no_more_is_written_than_the_model_can_look_at() -> None:
    sampler = BatchedSampler(tiny_model(), TOKENS)
    almost = await sampler.write([5] * (TINY.context - 2), max_tokens=10)
    assert len(almost.tokens) <= 2
    full = await sampler.write([5] * TINY.context, max_tokens=10)
    assert full == Written((), (), ended=False)


async def test_a_failure_reaches_everyone_who_waits_and_the_next_may_ask_again(
    model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> list[Written]:
        raise RuntimeError("out of memory")

    sampler = BatchedSampler(model, TOKENS)
    with monkeypatch.context() as patched:
        patched.setattr("inforce.train.embedded.sampling.write_all", failing)
        asks = [sampler.write(asked(digit), max_tokens=4) for digit in range(2)]
        failures = await asyncio.gather(*asks, return_exceptions=True)
    assert [str(one) for one in failures] == ["out of memory"] * 2
    assert (await sampler.write(asked(1), max_tokens=4)).tokens


async def test_an_episode_that_was_given_up_holds_up_nobody(model: PreTrainedModel) -> None:
    sampler = BatchedSampler(model, TOKENS)
    given_up = asyncio.create_task(sampler.write(asked(1), max_tokens=4))
    other = asyncio.create_task(sampler.write(asked(2), max_tokens=4))
    await asyncio.sleep(0)
    given_up.cancel()
    assert (await other).tokens


def test_a_policy_that_would_not_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="temperature"):
        Sampling(temperature=0.0)
