"""A policy of some ten thousand weights that is asked to say a digit, for tests of training."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import torch
from transformers import PreTrainedModel

from inforce.train.chatml import ChatMl
from inforce.train.embedded.settings import Sft
from inforce.train.embedded.sft import imitate
from inforce.train.embedded.trainer import Step
from inforce.train.episodes import Request, Sampler
from inforce.train.policy import ModelShape, Policy, new_model
from inforce.train.trajectory import Span, Trajectory

TINY = ModelShape(hidden=64, layers=2, heads=4, kv_heads=2, inner=128, context=64)
ROLLOUTS = 8

TOKENS = ChatMl.trained(["say 0123456789，根据刑法第三十七条"] * 3, size=320)


def tiny_model(*, seed: int = 0) -> PreTrainedModel:
    """It knows nothing."""
    return new_model(TOKENS.size, TINY, seed=seed)


def policy_of(model: PreTrainedModel) -> Policy:
    """A model with the tokens of these tests."""
    return Policy(model, TOKENS)


def asked(digit: int) -> tuple[int, ...]:
    """The question for a digit."""
    return TOKENS.prompt([("user", f"say {digit}")])


def said(digit: int, answer: str) -> Trajectory:
    """A demonstration of an answer."""
    written = (*TOKENS.encode(answer), TOKENS.end)
    return Trajectory(
        str(digit), (Span("prompt", asked(digit)), Span("generated", written)), (answer,)
    )


def guessing_model() -> PreTrainedModel:
    """It answers with a digit, with the right one a little oftener than by chance."""
    any_digit = [said(digit, str(other)) for digit in range(10) for other in range(10)]
    right = [said(digit, str(digit)) for digit in range(10) for _ in range(2)]
    model = tiny_model()
    imitate(model, any_digit + right, Sft(steps=100, batch=30, lr=3e-3))
    return model


def timeless(steps: Sequence[Step]) -> list[Step]:
    return [replace(one, rollout_seconds=0.0, update_seconds=0.0) for one in steps]


def stored(folder: Path) -> list[Step]:
    """The rows of a training."""
    lines = (folder / "metrics.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Step) for line in lines]


async def by_chance(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
    """An environment that draws by chance of its own, from all sources of chance there are."""
    tried = await say_all(sampler, digits)
    drawn = (random.random(), float(np.random.random()), float(torch.rand(())))
    return [replace(one, facts={"drawn": sum(drawn)}) for one in tried]


async def say_all(sampler: Sampler, digits: Sequence[int]) -> list[Trajectory]:
    """Every digit tried as often as a group has members."""
    repeated = [digit for digit in digits for _ in range(ROLLOUTS)]
    completions = sampler.generate([Request(asked(digit), 4) for digit in repeated])
    tries: list[Trajectory] = []
    for digit, completion in zip(repeated, completions, strict=True):
        answer = TOKENS.decode(completion.tokens)
        generated = Span("generated", completion.tokens, completion.logprobs)
        reward, facts = float(answer == str(digit)), {"ended": completion.ended}
        spans = (Span("prompt", asked(digit)), generated)
        tries.append(Trajectory(str(digit), spans, (answer,), reward=reward, facts=facts))
    return tries
