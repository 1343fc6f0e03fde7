"""A run from nothing: a small model, a warm start, GRPO in the real environment, an examination.

A run that was interrupted goes on where it stopped, if it is started again with the same choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import msgspec
import torch

from inforce.errors import UserError
from inforce.train.embedded.metrics import Listener, Outcome, Step
from inforce.train.embedded.model import load_model, new_model
from inforce.train.embedded.settings import (
    Device,
    Grpo,
    Plan,
    Sampling,
    Shaping,
    Stepping,
    Training,
    WarmStart,
)
from inforce.train.embedded.tokenizer import ChatMl
from inforce.train.embedded.trainer import Policy, Trainer
from inforce.train.embedded.warm_start import warm_start
from inforce.train.episode_text import spelled
from inforce.train.episodes import Question, collect
from inforce.train.experiment.record import (
    Choices,
    Measures,
    Progress,
    RunRecord,
    slug,
    write_record,
)
from inforce.train.experiment.scale import CPU, Scale
from inforce.train.experiment.task import Conversation, Task
from inforce.train.policy import Sampler
from inforce.train.trajectory import Trajectory

_TASK = "task.sha256"
_BEFORE = "before.json"
_EVERY = 50
"""Steps of the warm start between two reports."""

Say = Callable[[str], None]
"""Is told how the warm start goes, a line at a time."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run is kept and computed."""

    folder: Path
    """Of all runs that are compared."""
    device: Device = "cpu"
    """On a card, the next token is a replayed CUDA graph."""

    @property
    def stepping(self) -> Stepping:
        """How the next token is computed there."""
        return "graph" if self.device == "cuda" else "eager"

    def of_run(self, choices: Choices) -> Path:
        """The folder of a run."""
        return self.folder / choices.name

    def of_start(self, task: Task, choices: Choices) -> Path:
        """The folder of a warm start."""
        return self.folder / "warm" / f"{slug(task.start)}-seed-{choices.seed}"


def claim(folder: Path, task: Task, device: Device = "cpu") -> None:
    """Make a folder this task's, on this device: a card trains a larger model.

    Raises:
        UserError: if it is another's.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _TASK
    mark = task.digest if device == "cpu" else f"{task.digest} {device}"
    if not path.exists():
        path.write_text(mark)
    elif path.read_text() != mark:
        raise UserError(
            f"{folder} holds a run with other questions or lessons (another corpus, other cases, "
            "or an earlier version), or on another device: choose another folder, or delete it"
        )


async def run(
    task: Task,
    choices: Choices,
    place: Place,
    *,
    scale: Scale = CPU,
    listeners: Sequence[Listener] = (),
    say: Say = lambda line: None,
) -> RunRecord:
    """Train a policy and examine it; everything is kept in the run's folder.

    Args:
        task: what is learnt.
        choices: what distinguishes this run.
        place: where; a run that was interrupted goes on in its folder.
        scale: how large everything is.
        listeners: are told of every step.
        say: is told how the warm start goes.

    Raises:
        UserError: if the folder holds a run of another task, or there is no card.
    """
    if place.device == "cuda" and not torch.cuda.is_available():
        raise UserError("there is no card torch could compute on: leave out --device cuda")
    began = perf_counter()
    folder = place.of_run(choices)
    claim(folder, task, place.device)
    policy = _warmed(task, choices, place, scale, say)
    torch.nn.Module.to(policy.model, place.device)
    warm = perf_counter()
    trainer = _trainer(policy, task, choices, place, scale, listeners)
    before = await _before(trainer, task, folder / _BEFORE)
    steps = await trainer.train()
    after = await _examination(trainer, task, "after")
    record = RunRecord(
        choices,
        sum(one.numel() for one in policy.model.parameters()),
        place.device,
        len(task.held_out),
        before,
        after,
        tuple(_progress(step, task) for step in steps),
        {"warm start": warm - began, "training and examinations": perf_counter() - warm},
    )
    write_record(record, folder)
    return record


def _warmed(task: Task, choices: Choices, place: Place, scale: Scale, say: Say) -> Policy:
    """The policy after its warm start, from an earlier run of the same task if there was one."""
    folder = place.of_start(task, choices)
    if folder.is_dir():
        claim(folder, task, place.device)
        return Policy(load_model(folder), ChatMl.loaded(folder))
    tokens = ChatMl.trained(_texts([*task.drills, *task.shown]), size=scale.vocabulary)
    model = new_model(tokens.size, scale.shape, seed=choices.seed)
    torch.nn.Module.to(model, place.device)
    policy = Policy(model, tokens)
    for name, lessons, settings in (
        ("drills", task.drills, scale.drill),
        ("demonstrations", task.shown, scale.warm),
    ):
        _imitate(
            policy, lessons, replace(settings, seed=choices.seed), _telling(name, settings, say)
        )
    model.eval()
    draft = folder.with_name(f"{folder.name}.tmp")
    policy.save(draft)
    claim(draft, task, place.device)
    draft.replace(folder)
    return policy


def _imitate(
    policy: Policy,
    lessons: Sequence[Conversation],
    settings: WarmStart,
    report: Callable[[int, float], None],
) -> None:
    traces = [spelled("", one, policy.tokens) for one in lessons]
    if traces:
        warm_start(policy.model, traces, settings, report=report)


def _telling(name: str, settings: WarmStart, say: Say) -> Callable[[int, float], None]:
    def report(step: int, loss: float) -> None:
        if step % _EVERY == 0 or step == settings.steps:
            say(f"warm start, {name}: step {step} of {settings.steps}, loss {loss:.3f}")

    return report


def _texts(conversations: Sequence[Conversation]) -> list[str]:
    return [message.content for one in conversations for message in one]


def _trainer(
    policy: Policy,
    task: Task,
    choices: Choices,
    place: Place,
    scale: Scale,
    listeners: Sequence[Listener],
) -> Trainer[Question]:
    shaping = Shaping(alpha=choices.alpha) if choices.alpha else None
    plan = Plan(
        Sampling(seed=choices.seed, stepping=place.stepping),
        Grpo(rate=scale.rate, shaping=shaping, micro_batch=scale.micro_batch),
        Training(steps=choices.steps, questions=scale.batch, seed=choices.seed),
    )

    async def tried(sampler: Sampler, questions: Sequence[Question]) -> list[Trajectory]:
        return await _tried(policy, sampler, task, questions, rollouts=scale.rollouts)

    folder = place.of_run(choices)
    return Trainer(policy, task.training, tried, folder, plan=plan, listeners=listeners)


async def _tried(
    policy: Policy,
    sampler: Sampler,
    task: Task,
    questions: Sequence[Question],
    *,
    rollouts: int = 1,
) -> list[Trajectory]:
    """Rewarded episodes, with the task's facts."""
    done = await collect(sampler, policy.tokens, questions, task.world, rollouts=rollouts)
    asked = {one.id: one for one in questions}
    return [
        replace(one, facts={**one.facts, **task.facts(one, asked[one.question])}) for one in done
    ]


async def _before(trainer: Trainer[Question], task: Task, path: Path) -> Measures:
    """The examination after the warm start; it is taken once."""
    if path.exists():
        return msgspec.json.decode(path.read_bytes(), type=Measures)
    result = await _examination(trainer, task, "before")
    draft = path.with_suffix(".tmp")
    draft.write_bytes(msgspec.json.encode(result))
    draft.replace(path)
    return result


async def _examination(trainer: Trainer[Question], task: Task, name: str) -> Measures:
    """Each question of the examination once, drawn as in training.

    Raises:
        UserError: if no episode has a reward: nothing could be learnt either.
    """
    trainer.sampler.begin(name)
    done = await _tried(trainer.policy, trainer.sampler, task, task.held_out)
    outcome = Outcome.of(done)
    if outcome.reward is None:
        raise UserError("no episode could be rewarded: is the judge of the reward at hand?")
    return _measures(outcome, task)


def _progress(step: Step, task: Task) -> Progress:
    entropy = {"entropy": step.learnt.entropy if step.learnt else None}
    return Progress(step.step, _measures(step.outcome, task) | entropy)


def _measures(outcome: Outcome, task: Task) -> Measures:
    return {"reward": outcome.reward, **task.measures(outcome.facts)}
