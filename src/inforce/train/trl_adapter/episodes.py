"""Episodes of the real agents for TRL: the policy is the model that TRL is training."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from transformers import PreTrainedModel

from inforce.train.embedded.sampling import BatchedSampler
from inforce.train.embedded.settings import Sampling
from inforce.train.embedded.tokenizer import ChatMl
from inforce.train.episodes import Environment, Question, collect
from inforce.train.trajectory import Trajectory
from inforce.train.trl_adapter.rollouts import Collect, Step, repeated


@contextmanager
def collecting(
    questions: Sequence[Question],
    environment: Environment,
    tokens: ChatMl,
    *,
    sampling: Sampling | None = None,
) -> Generator[Collect]:
    """Runs episodes of these questions whenever TRL wants some.

    Args:
        questions: all that may be asked, for training and for evaluation; ids must differ.
        environment: agent, tools and reward.
        tokens: how turns become tokens.
        sampling: how the policy draws; the temperature is TRL's.
    """
    known = {one.id: one for one in questions}
    with asyncio.Runner() as runner:

        def run(prompts: Sequence[str], trainer: Step) -> list[Trajectory]:
            asked, name = [known[one] for one in dict.fromkeys(prompts)], _round(trainer)
            drawing = replace(sampling or Sampling(), temperature=trainer.temperature)
            with writing(trainer) as model:
                sampler = BatchedSampler(model, tokens, drawing)
                sampler.begin(name)
                rollouts = repeated(prompts)
                return runner.run(collect(sampler, tokens, asked, environment, rollouts=rollouts))

        yield run


@contextmanager
def writing(trainer: Step) -> Generator[PreTrainedModel]:
    """The model TRL is training, while it writes: adapters in place, nothing dropped out."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    if hasattr(model, "peft_config"):
        model = model.get_base_model()
    learns = model.training
    model.eval()
    try:
        yield model
    finally:
        model.train(learns)


def _round(trainer: Step) -> str:
    """The same step draws the same again, also after an interruption."""
    purpose = "learn" if trainer.model.training else "examine"
    return f"{purpose}:{trainer.state.global_step}"
