"""Time of a step of GRPO: the embedded trainer and TRL's, in turn, in one process.

``python benchmarks/train_step.py [--steps 12] [--questions 16] [--seed 0] [--shaped] [--json]``

Needs the extra ``trl``. Both trainers begin with the same weights and learn from the same invented
trajectories: one turn before and one after a tool's answer, of many lengths. TRL requests them at
the beginning of its step; the embedded trainer takes its own step then, and that time is subtracted
from TRL's. One thread. Prints a table and, as the last line, one JSON object. See README.md beside
it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import torch
from datasets import Dataset
from transformers import PreTrainedModel, TrainerCallback
from trl.trainer.grpo_config import GRPOConfig

from inforce.train.advantages import Shaping
from inforce.train.chatml import ChatMl
from inforce.train.embedded.grpo import grpo_step
from inforce.train.embedded.settings import Grpo
from inforce.train.policy import new_model
from inforce.train.trajectory import Span, Trajectory
from inforce.train.trl_adapter.rollouts import Collect, Step, measured, rollout_function
from inforce.train.trl_adapter.settings import LEGALSEARCH_R1, Recipe, arguments
from inforce.train.trl_adapter.trainer import EASGRPOTrainer, vocabulary

BAR = 1.15
"""Longest step of the embedded trainer, relative to TRL's."""

AT_ONCE = 32
RATE = 1e-4
WARM_UP = 2
"""Number of first steps that are not counted."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """Seconds of the clock and of the CPU."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Seconds:
        """Read both clocks."""
        return cls(time.perf_counter(), time.process_time())

    def __sub__(self, other: Seconds) -> Seconds:
        return Seconds(self.wall - other.wall, self.cpu - other.cpu)


@dataclass(frozen=True, slots=True)
class Compared:
    """Medians over the steps."""

    steps: int
    trajectories: int
    shaped: bool
    embedded_s: float
    trl_s: float
    embedded_cpu_s: float
    trl_cpu_s: float
    ratio: float
    """Median of the ratios of single steps, by the clock."""
    cpu_ratio: float
    bar: float = BAR


class TrlSteps(TrainerCallback):
    """Times TRL's steps, without the time of the embedded trainer within them."""

    def __init__(self, within: Sequence[Seconds]) -> None:
        self.taken: list[Seconds] = []
        self._within = within
        self._begun = Seconds.now()

    def on_step_begin(self, *_: Any, **__: Any) -> None:
        """Start the clock before trajectories are requested."""
        self._begun = Seconds.now()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        """Stop the clock after the weights are updated."""
        self.taken.append(Seconds.now() - self._begun - self._within[-1])


def main() -> None:
    """Run the benchmark."""
    options = command_line()
    torch.set_num_threads(1)
    shaping = Shaping() if options.shaped else None
    recipe = replace(LEGALSEARCH_R1, questions=options.questions, shaping=shaping)
    found = compared(recipe, steps=options.steps, seed=options.seed)
    if not options.json:
        print(table(found))
    print(json.dumps(asdict(found)))


def command_line() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--questions", type=int, default=16, help="with 8 trajectories each")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shaped", action="store_true", help="with entropy-based shaping")
    parser.add_argument("--json", action="store_true", help="the JSON object alone")
    return parser.parse_args()


def compared(recipe: Recipe, *, steps: int, seed: int) -> Compared:
    """Run both trainers from the same weights on the same trajectories."""
    tokens = ChatMl.trained([])
    model = new_model(tokens.size, seed=seed)
    own = embedded_step(deepcopy(model), recipe)
    chance, embedded = Random(seed), list[Seconds]()

    def collect(prompts: Sequence[str], _: Step) -> list[Trajectory]:
        trajectories = [invented(one, chance, tokens.size) for one in prompts]
        before = Seconds.now()
        own(trajectories)
        embedded.append(Seconds.now() - before)
        return trajectories

    callback = TrlSteps(embedded)
    train_with_trl(model, tokens, recipe, collect, callback, steps=steps + WARM_UP)
    return summary(embedded[WARM_UP:], callback.taken[WARM_UP:], recipe)


def invented(question: str, chance: Random, vocabulary: int) -> Trajectory:
    """Make a random episode of two turns, with a tool's answer between them, and its reward."""

    def some(least: int, most: int) -> tuple[int, ...]:
        return tuple(chance.randrange(3, vocabulary) for _ in range(chance.randint(least, most)))

    prompt, first, observed, second = some(25, 40), some(15, 40), some(20, 120), some(8, 30)
    spans = (
        Span("prompt", prompt),
        Span("generated", first, (-6.0,) * len(first)),
        Span("observed", observed),
        Span("generated", second, (-6.0,) * len(second)),
    )
    return Trajectory(question, spans, ("", ""), reward=float(chance.random() < 0.5))


def embedded_step(
    model: PreTrainedModel, recipe: Recipe
) -> Callable[[Sequence[Trajectory]], object]:
    """Return a function that makes a step of the embedded trainer."""
    settings = Grpo(lr=RATE, shaping=recipe.shaping, micro_batch=AT_ONCE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.0)
    return lambda trajectories: grpo_step(model, optimizer, trajectories, settings)


def train_with_trl(
    model: PreTrainedModel,
    tokens: ChatMl,
    recipe: Recipe,
    collect: Collect,
    callback: TrainerCallback,
    *,
    steps: int,
) -> None:
    """Make some steps with TRL."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokens.save(folder)
        given: dict[str, Any] = {
            "learning_rate": RATE,
            "max_steps": steps,
            "use_cpu": True,
            "bf16": False,
            "gradient_checkpointing": False,
            "logging_steps": steps,
            "save_strategy": "no",
            "disable_tqdm": True,
        }
        trainer = EASGRPOTrainer(
            model=model,
            reward_funcs=measured,
            args=GRPOConfig(**arguments(recipe, folder, at_once=AT_ONCE, **given)),
            train_dataset=Dataset.from_list([{"prompt": str(n)} for n in range(recipe.questions)]),
            processing_class=vocabulary(folder),
            callbacks=[callback],
            rollout_func=rollout_function(collect),
            shaping=recipe.shaping,
            deviation=recipe.deviation,
        )
        trainer.train()


def summary(embedded: Sequence[Seconds], trl: Sequence[Seconds], recipe: Recipe) -> Compared:
    """Return medians of both, and of the ratios of corresponding steps."""
    pairs = list(zip(embedded, trl, strict=True))
    return Compared(
        steps=len(pairs),
        trajectories=recipe.questions * recipe.rollouts,
        shaped=recipe.shaping is not None,
        embedded_s=round(median(one.wall for one in embedded), 3),
        trl_s=round(median(one.wall for one in trl), 3),
        embedded_cpu_s=round(median(one.cpu for one in embedded), 3),
        trl_cpu_s=round(median(one.cpu for one in trl), 3),
        ratio=round(median(own.wall / trl_step.wall for own, trl_step in pairs), 3),
        cpu_ratio=round(median(own.cpu / trl_step.cpu for own, trl_step in pairs), 3),
    )


def table(found: Compared) -> str:
    """Return the figures as a table."""
    return "\n".join(
        [
            f"{found.steps} steps of {found.trajectories} trajectories, "
            f"{'with' if found.shaped else 'without'} shaping; medians",
            f"{'':<12}{'seconds':>9}{'of the processor':>18}",
            f"{'embedded':<12}{found.embedded_s:>9.2f}{found.embedded_cpu_s:>18.2f}",
            f"{'TRL':<12}{found.trl_s:>9.2f}{found.trl_cpu_s:>18.2f}",
            f"{'ratio':<12}{found.ratio:>9.2f}{found.cpu_ratio:>18.2f}   (at most {found.bar})",
        ]
    )


if __name__ == "__main__":
    main()
