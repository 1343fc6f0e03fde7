"""The loop: draw questions, let the policy try, learn, note down, keep; and go on where it stopped.

Where this differs from LegalSearch-R1 and MSR2 as published:

- One process and one model: the policy that samples is the one that learns, so ratios are taken to
  its own log-probabilities, computed again; nothing corrects for the sampler, whose distance is
  noted instead (`Learnt.gap`).
- Steps are of 16 questions by default (the papers: 64 and more); rollouts are the caller's.
- A trajectory without a reward (its judge failed) teaches nothing and counts in no mean.
- Advantages are divided by the population's standard deviation, as LegalSearch-R1's released code
  has it; MSR2's trainer divides by the sample's (``Grpo.deviation``).
- Tokens are averaged over the whole step; the released code of LegalSearch-R1 averages over each
  part of it that is computed together.
- There is no double clipping (verl clips penalties at a ratio of 3 as well); it would not bite
  while trajectories are learnt from once.
- On a processor, training that was interrupted ends at the numbers it would have ended at, to the
  last bit; on a card, where gradients of attention add up in any order, at numbers close to them.
- Optimizer: AdamW without a schedule; its rate suits models of a few million parameters (1e-4), not
  those of the papers (1e-6).
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Generic, TypeVar

import torch
from transformers import PreTrainedModel

from inforce.errors import InputError, UserError
from inforce.scoring.run_folder import alone_in
from inforce.train.embedded.checkpoints import Checkpoints
from inforce.train.embedded.grpo import Learnt, learn
from inforce.train.embedded.metrics import Listener, MetricsFile, Outcome, Seconds, Step
from inforce.train.embedded.model import context_of, save_model
from inforce.train.embedded.sampling import BatchedSampler
from inforce.train.embedded.settings import Plan
from inforce.train.embedded.tokenizer import ChatMl
from inforce.train.policy import Sampler
from inforce.train.trajectory import Trajectory

Q = TypeVar("Q")

Collect = Callable[[Sampler, Sequence[Q]], Awaitable[list[Trajectory]]]
"""Tries questions, each as often as a group has members; gives rewarded trajectories."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What learns: a model and the tokens it reads and writes."""

    model: PreTrainedModel
    tokens: ChatMl

    def save(self, folder: Path) -> None:
        """Keep both in a folder, in the format of Hugging Face."""
        save_model(self.model, folder)
        self.tokens.save(folder)


class Trainer(Generic[Q]):
    """GRPO, step by step.

    In its folder: ``metrics.jsonl``, a row a step; ``checkpoints/``; when it is done, ``policy/``.

    Args:
        policy: changed in place.
        questions: to draw from, every one once before any comes again.
        collect: how a question is tried and rewarded.
        folder: where everything is kept. Training that stopped in it goes on.
        plan: all settings.
        listeners: are told of every step.
    """

    def __init__(
        self,
        policy: Policy,
        questions: Sequence[Q],
        collect: Collect[Q],
        folder: Path,
        *,
        plan: Plan | None = None,
        listeners: Sequence[Listener] = (),
    ) -> None:
        self.policy, self.questions, self.collect = policy, questions, collect
        self.folder = folder
        self.plan = plan or Plan()
        self.listeners = listeners
        self.sampler = BatchedSampler(policy.model, policy.tokens, self.plan.sampling)
        self.metrics = MetricsFile(folder / "metrics.jsonl")
        self.checkpoints = Checkpoints(folder / "checkpoints")
        self._optimizer = torch.optim.AdamW(
            policy.model.parameters(), lr=self.plan.grpo.rate, weight_decay=self.plan.grpo.decay
        )

    async def train(self) -> list[Step]:
        """Train to the last step, from where training in this folder stopped.

        Returns:
            All steps, those of earlier runs among them.

        Raises:
            UserError: if there are too few questions for a step, the folder holds training by
                another plan, another process trains in it, or the policy can write nothing.
            InputError: if what was kept in the folder is damaged.
        """
        if len(self.questions) < self.plan.training.questions:
            raise UserError(
                f"a step needs {self.plan.training.questions} questions; there are "
                f"{len(self.questions)}: give more, or plan fewer a step"
            )
        with alone_in(self.folder):
            steps = self._resumed() if self.checkpoints.steps() else self._begun()
            reference = self._reference()
            for number in range(len(steps) + 1, self.plan.training.steps + 1):
                steps.append(await self._step(number, reference))
                self._noted(steps[-1])
            self.policy.save(self.folder / "policy")
        return steps

    async def tried(self, questions: Sequence[Q], *, name: str) -> list[Trajectory]:
        """Let the policy try questions without learning from them.

        The same name draws the same again.
        """
        self.sampler.begin(name)
        return await self.collect(self.sampler, questions)

    def drawn(self, step: int) -> list[Q]:
        """The questions of a step, from 1; they follow from the seed and the step alone."""
        size = self.plan.training.questions
        a_pass = len(self.questions) // size
        number, place = divmod(step - 1, a_pass)
        order = list(range(len(self.questions)))
        random.Random(f"{self.plan.training.seed}:{number}").shuffle(order)
        return [self.questions[one] for one in order[place * size : (place + 1) * size]]

    async def _step(self, number: int, reference: PreTrainedModel | None) -> Step:
        start = perf_counter()
        self.sampler.begin(number)
        trajectories = await self.collect(self.sampler, self.drawn(number))
        if not any(one.generated for one in trajectories):
            raise UserError(
                f"in step {number} the policy wrote nothing: are questions longer than the "
                f"{context_of(self.policy.model)} tokens it can look at?"
            )
        tried = perf_counter()
        learnt = self._learn(trajectories, reference)
        seconds = Seconds(rollout=tried - start, update=perf_counter() - tried)
        return Step(number, Outcome.of(trajectories), learnt, seconds)

    def _learn(
        self, trajectories: Sequence[Trajectory], reference: PreTrainedModel | None
    ) -> Learnt | None:
        return learn(
            self.policy.model,
            self._optimizer,
            trajectories,
            self.plan.grpo,
            temperature=self.sampler.temperature,
            reference=reference,
        )

    def _noted(self, step: Step) -> None:
        self.metrics.add(step)
        every, last = self.plan.training.checkpoint_every, self.plan.training.steps
        if step.step % every == 0 or step.step == last:
            self._keep(step.step)
            self.checkpoints.forget(keep=self.plan.training.keep)
        for listener in self.listeners:
            listener(step)

    def _begun(self) -> list[Step]:
        if self.metrics.steps():
            raise InputError(
                "has rows of training of which there is no checkpoint: choose another folder, or "
                "delete it",
                path=self.metrics.path,
            )
        self._keep(0)
        return []

    def _resumed(self) -> list[Step]:
        newest = self.checkpoints.steps()[-1]
        kept = self.checkpoints.restore(newest, self.policy.model, self._optimizer)
        differing = sorted(name for name, value in self._fixed().items() if kept.get(name) != value)
        if differing:
            raise UserError(
                f"{self.folder} holds training by another plan ({', '.join(differing)}): "
                "choose another folder, or delete it"
            )
        return self.metrics.cut(newest)

    def _keep(self, step: int) -> None:
        self.checkpoints.save(step, self.policy.model, self._optimizer, self._fixed())

    def _fixed(self) -> dict[str, Any]:
        """What may not change on the way; how long to train may."""
        training = asdict(self.plan.training)
        return {
            **asdict(self.plan.sampling),
            **{f"grpo {name}": value for name, value in asdict(self.plan.grpo).items()},
            **{f"training {name}": training[name] for name in ("questions", "seed")},
            "number of questions": len(self.questions),
        }

    def _reference(self) -> PreTrainedModel | None:
        """The policy training began with, if divergence from it counts."""
        if not self.plan.grpo.beta:
            return None
        reference = deepcopy(self.policy.model).requires_grad_(requires_grad=False)
        self.checkpoints.policy(0, reference)
        return reference
