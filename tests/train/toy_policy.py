"""A policy of some ten thousand weights that is asked to say a digit, for tests of training."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from transformers import PreTrainedModel

from inforce.train.embedded.model import new_model
from inforce.train.embedded.settings import Shape, WarmStart
from inforce.train.embedded.tokenizer import ChatMl
from inforce.train.embedded.warm_start import warm_start
from inforce.train.policy import Sampler
from inforce.train.trajectory import Span, Trajectory

TINY = Shape(hidden=64, layers=2, heads=4, kv_heads=2, inner=128, context=64)
ROLLOUTS = 8

TOKENS = ChatMl.trained(["say 0123456789，根据刑法第三十七条"] * 3, size=320)


def tiny_model(*, seed: int = 0) -> PreTrainedModel:
    """It knows nothing."""
    return new_model(TOKENS.size, TINY, seed=seed)


def asked(digit: int) -> tuple[int, ...]:
    """The question for a digit."""
    return TOKENS.opening([("user", f"say {digit}")])


def said(digit: int, answer: str) -> Trajectory:
    """A demonstration of an answer."""
    written = (*TOKENS.encoded(answer), TOKENS.end)
    return Trajectory(
        str(digit), (Span("given", asked(digit)), Span("generated", written)), (answer,)
    )


def guessing_model() -> PreTrainedModel:
    """It answers with a digit, with the right one a little oftener than by chance."""
    any_digit = [said(digit, str(other)) for digit in range(10) for other in range(10)]
    right = [said(digit, str(digit)) for digit in range(10) for _ in range(2)]
    model = tiny_model()
    warm_start(model, any_digit + right, WarmStart(steps=100, batch=30, rate=3e-3))
    return model


async def say(sampler: Sampler, digit: int) -> Trajectory:
    """One try."""
    written = await sampler.write(asked(digit), max_tokens=4)
    answer = TOKENS.text(written.tokens)
    return Trajectory(
        str(digit),
        (Span("given", asked(digit)), Span("generated", written.tokens, written.logprobs)),
        (answer,),
        reward=float(answer == str(digit)),
        facts={"ended": written.ended},
    )


async def say_all(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
    """Every digit tried as often as a group has members."""
    tries = [say(sampler, digit) for digit in digits for _ in range(ROLLOUTS)]
    return list(await asyncio.gather(*tries))
