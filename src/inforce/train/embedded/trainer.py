"""The training loop: draw questions, roll out, learn, record, store; resume where it stopped.

How this differs from the papers: design/training.md. On a CPU, training that was interrupted gives
the same numbers to the last bit; on a GPU, where sums have no fixed order, nearly the same.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Generic, TypeVar

import msgspec
import torch
from transformers import PreTrainedModel

from inforce.errors import InputError, UserError
from inforce.files import write_file
from inforce.scoring.run_folder import locked
from inforce.train.embedded.checkpoints import Checkpoints
from inforce.train.embedded.engine import Engine
from inforce.train.embedded.grpo import Update, grpo_step
from inforce.train.embedded.settings import Settings
from inforce.train.episodes import Sampler
from inforce.train.policy import Policy
from inforce.train.trajectory import RolloutStats, Trajectory

Q = TypeVar("Q")

Rollout = Callable[[Sampler, Sequence[Q]], Awaitable[list[Trajectory]]]
"""Runs episodes of questions, a group for each; returns trajectories with rewards."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of training, counted from 1; no update if there was nothing to learn from."""

    step: int
    rollout: RolloutStats
    update: Update | None
    rollout_seconds: float
    update_seconds: float


Listener = Callable[[Step], None]


class Trainer(Generic[Q]):
    """GRPO, step by step; training that stopped in a folder is resumed there.

    The folder gets ``metrics.jsonl``, a row for each step; ``checkpoints/``; in the end
    ``policy/``. The policy is changed in place; every question is drawn once before any is drawn
    again.
    """

    def __init__(
        self,
        policy: Policy,
        questions: Sequence[Q],
        rollout: Rollout[Q],
        folder: Path,
        *,
        settings: Settings | None = None,
        listeners: Sequence[Listener] = (),
    ) -> None:
        self.policy, self.questions, self.rollout = policy, questions, rollout
        self.folder, self.settings, self.listeners = folder, settings or Settings(), listeners
        self.engine = Engine(policy, self.settings.sampling)
        self.metrics = folder / "metrics.jsonl"
        self.checkpoints = Checkpoints(folder / "checkpoints")
        grpo = self.settings.grpo
        self._optimizer = torch.optim.AdamW(
            policy.model.parameters(), lr=grpo.lr, weight_decay=grpo.weight_decay
        )

    async def train(self) -> list[Step]:
        """Train to the last step; returns all steps, also those before an interruption.

        Raises:
            UserError: if there are too few questions for a step, the folder holds training by
                other settings, another process trains in it, or the policy can write nothing.
            InputError: if what is stored in the folder is damaged.
        """
        if len(self.questions) < self.settings.questions:
            raise UserError(
                f"a step needs {self.settings.questions} questions; there are "
                f"{len(self.questions)}: give more, or ask for fewer a step"
            )
        with locked(self.folder):
            steps = self._resumed()
            reference = self._reference()
            for number in range(len(steps) + 1, self.settings.steps + 1):
                steps.append(await self._step(number, reference))
                self._record(steps)
            self.policy.save(self.folder / "policy")
        return steps

    def questions_of(self, step: int) -> list[Q]:
        """Return the questions of a step, counted from 1; they depend on seed and step alone."""
        size = self.settings.questions
        number, place = divmod(step - 1, len(self.questions) // size)
        shuffled = list(self.questions)
        random.Random(f"{self.settings.seed}:{number}").shuffle(shuffled)
        return shuffled[place * size : (place + 1) * size]

    async def _step(self, number: int, reference: PreTrainedModel | None) -> Step:
        start = perf_counter()
        self.engine.start_round(number)
        trajectories = await self.rollout(self.engine, self.questions_of(number))
        if not any(one.generated for one in trajectories):
            raise UserError(
                f"in step {number} the policy wrote nothing: are questions longer than the "
                f"{self.policy.context} tokens it can attend to?"
            )
        rolled_out = perf_counter()
        update = grpo_step(
            self.policy.model,
            self._optimizer,
            trajectories,
            self.settings.grpo,
            temperature=self.settings.sampling.temperature,
            reference=reference,
        )
        stats, updated = RolloutStats.of(trajectories), perf_counter()
        return Step(number, stats, update, rolled_out - start, updated - rolled_out)

    def _record(self, steps: Sequence[Step]) -> None:
        """Write the row of the last step, and a checkpoint if one is due."""
        last = steps[-1]
        self._add_row(last)
        if last.step % self.settings.checkpoint_every == 0 or last.step == self.settings.steps:
            self._save(steps)
            self.checkpoints.prune(keep=self.settings.keep)
        for listener in self.listeners:
            listener(last)

    def _add_row(self, step: Step) -> None:
        with self.metrics.open("ab") as rows:
            rows.write(msgspec.json.encode(step) + b"\n")

    def _resumed(self) -> list[Step]:
        """Restore the newest checkpoint; steps after it are computed again."""
        if not self.checkpoints.steps():
            if self.metrics.exists() and self.metrics.stat().st_size:
                reason = "has rows of which there is no checkpoint: choose another folder"
                raise InputError(f"{reason}, or delete it", path=self.metrics)
            self._save([])
        newest = self.checkpoints.steps()[-1]
        notes = self.checkpoints.restore(newest, self.policy.model, self._optimizer)
        fixed = self._fixed()
        differing = sorted(one for one in fixed if notes["settings"].get(one) != fixed[one])
        if differing:
            raise UserError(
                f"{self.folder} holds training by other settings ({', '.join(differing)}): "
                "choose another folder, or delete it"
            )
        steps = msgspec.json.decode(notes["steps"], type=list[Step])
        write_file(
            self.metrics, b"".join(msgspec.json.encode(one) + b"\n" for one in steps), private=True
        )
        return steps

    def _save(self, steps: Sequence[Step]) -> None:
        notes = {"settings": self._fixed(), "steps": msgspec.json.encode(steps).decode()}
        self.checkpoints.save(len(steps), self.policy.model, self._optimizer, notes)

    def _fixed(self) -> dict[str, Any]:
        """Return the settings that may not change when training resumes."""
        settings = {**asdict(self.settings), "number of questions": len(self.questions)}
        longer = ("steps", "checkpoint_every", "keep")
        return {name: value for name, value in settings.items() if name not in longer}

    def _reference(self) -> PreTrainedModel | None:
        """Return the policy training began with, if divergence from it counts."""
        if not self.settings.grpo.beta:
            return None
        reference = deepcopy(self.policy.model).requires_grad_(requires_grad=False)
        self.checkpoints.load_weights(0, reference)
        return reference
