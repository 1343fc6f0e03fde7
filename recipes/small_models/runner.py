"""Trains a small model from scratch: warm start, GRPO in the real environment, evaluation.

A run that was interrupted is resumed when it is started again with the same choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Literal

import msgspec
import torch

from inforce.documents.json_records import json_value
from inforce.errors import UserError
from inforce.files import write_file
from inforce.train.advantages import Shaping
from inforce.train.chatml import ChatMl
from inforce.train.embedded.engine import Engine
from inforce.train.embedded.settings import Grpo, Sampling, Settings, Sft
from inforce.train.embedded.sft import imitate
from inforce.train.embedded.trainer import Listener, Step, Trainer
from inforce.train.episodes import Question, Sampler, roll_out, tokenized
from inforce.train.policy import Policy, new_model
from inforce.train.trajectory import RolloutStats, Trajectory
from small_models.record import Choices, Progress, RunRecord, slug, write_record
from small_models.task import CPU, Conversation, Measures, Scale, Task

Device = Literal["cpu", "cuda"]

Say = Callable[[str], None]
"""Prints a line about the progress of the warm start."""

_TASK = "task.sha256"
_SECONDS = "seconds.json"
_BEFORE = "before.json"
_GREEDY = 1e-6
"""A temperature at which the most probable token is as good as certain."""
_EVERY = 50
"""Steps of the warm start between two lines of progress."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Figures of an evaluation, and how long it took."""

    measures: Measures
    seconds: float


def claim(folder: Path, task: Task, device: Device = "cpu") -> None:
    """Reserve a folder for a task and a device (a GPU trains a larger model).

    Raises:
        UserError: if it is reserved for another.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _TASK
    mark = task.digest if device == "cpu" else f"{task.digest} {device}"
    if not path.exists():
        write_file(path, mark)
    elif path.read_text() != mark:
        raise UserError(
            f"{folder} holds a run with other questions or lessons (another corpus, other cases, "
            "or an earlier version), or on another device: choose another folder, or delete it"
        )


async def run(
    task: Task,
    choices: Choices,
    folder: Path,
    *,
    device: Device = "cpu",
    scale: Scale = CPU,
    listeners: Sequence[Listener] = (),
    say: Say = lambda line: None,
) -> RunRecord:
    """Train a policy and evaluate it; everything is stored in the run's folder.

    Args:
        task: what the model learns.
        choices: what distinguishes this run from others.
        folder: of all runs that are compared; this one has its own folder in it.
        device: where to compute.
        scale: size of the model and of its steps.
        listeners: called with every step.
        say: prints the progress of the warm start.

    Raises:
        UserError: if the folder has a run of another task, or there is no GPU.
    """
    if device == "cuda" and not torch.cuda.is_available():
        raise UserError("there is no card torch could compute on: leave out --device cuda")
    own = folder / choices.name
    warm = folder / "warm" / f"{slug(task.variant)}-seed-{choices.seed}"
    claim(own, task, device)
    policy = _warm_started(task, choices, warm, device, scale, say)
    torch.nn.Module.to(policy.model, device)
    trainer = _trainer(policy, task, choices, own, scale, listeners)
    before = await _before(trainer, task, own / _BEFORE)
    steps = await trainer.train()
    after = await _evaluate(trainer, task, "after")
    greedy = await _evaluate(trainer, task, "after", temperature=_GREEDY)
    record = RunRecord(
        choices,
        sum(one.numel() for one in policy.model.parameters()),
        device,
        len(task.held_out),
        before.measures,
        after.measures,
        tuple(_progress(step, task) for step in steps),
        {
            "warm start": json_value(warm / _SECONDS, float, what="seconds"),
            "training": sum(one.rollout_seconds + one.update_seconds for one in steps),
            "evaluations": before.seconds + after.seconds + greedy.seconds,
        },
        greedy.measures,
    )
    write_record(record, own)
    return record


def _warm_started(
    task: Task, choices: Choices, folder: Path, device: Device, scale: Scale, say: Say
) -> Policy:
    """Return the policy after its warm start, loaded from an earlier run if there was one."""
    if folder.is_dir():
        claim(folder, task, device)
        return Policy.load(folder)
    start = perf_counter()
    texts = [message.content for one in (*task.drills, *task.demonstrations) for message in one]
    tokens = ChatMl.trained(texts, size=scale.vocabulary, pieces=scale.pieces)
    model = new_model(tokens.size, scale.shape, seed=choices.seed)
    torch.nn.Module.to(model, device)
    policy = Policy(model, tokens)
    _imitate(policy, "drills", task.drills, replace(scale.drill, seed=choices.seed), say)
    warm = replace(scale.warm, seed=choices.seed)
    _imitate(policy, "demonstrations", task.demonstrations, warm, say)
    model.eval()
    draft = folder.with_name(f"{folder.name}.tmp")
    policy.save(draft)
    write_file(draft / _SECONDS, msgspec.json.encode(perf_counter() - start), private=True)
    claim(draft, task, device)
    draft.replace(folder)
    return policy


def _imitate(
    policy: Policy, name: str, lessons: Sequence[Conversation], settings: Sft, say: Say
) -> None:
    def report(step: int, loss: float) -> None:
        if step % _EVERY == 0 or step == settings.steps:
            say(f"warm start, {name}: step {step} of {settings.steps}, loss {loss:.3f}")

    if lessons:
        shown = [tokenized("", one, policy.tokens) for one in lessons]
        imitate(policy.model, shown, settings, report=report)


def _trainer(
    policy: Policy,
    task: Task,
    choices: Choices,
    folder: Path,
    scale: Scale,
    listeners: Sequence[Listener],
) -> Trainer[Question]:
    settings = Settings(
        Sampling(seed=choices.seed),
        Grpo(
            lr=scale.lr,
            shaping=Shaping(alpha=choices.alpha) if choices.alpha else None,
            micro_batch=scale.micro_batch,
            averaging=scale.averaging,
            beta=scale.beta,
        ),
        steps=choices.steps,
        questions=scale.batch,
        seed=choices.seed,
    )

    async def rollout(sampler: Sampler, questions: Sequence[Question]) -> list[Trajectory]:
        return await _rollout(policy, sampler, task, questions, rollouts=scale.rollouts)

    return Trainer(policy, task.training, rollout, folder, settings=settings, listeners=listeners)


async def _rollout(
    policy: Policy,
    sampler: Sampler,
    task: Task,
    questions: Sequence[Question],
    *,
    rollouts: int = 1,
) -> list[Trajectory]:
    """Run episodes, and add the task's facts to their trajectories."""
    done = await roll_out(sampler, policy.tokens, questions, task.environment, rollouts=rollouts)
    by_id = {one.id: one for one in questions}
    return [
        replace(one, facts={**one.facts, **task.facts(one, by_id[one.question])}) for one in done
    ]


async def _before(trainer: Trainer[Question], task: Task, path: Path) -> Evaluated:
    """Evaluate after the warm start, or load that evaluation if it was done before."""
    if path.exists():
        return json_value(path, Evaluated, what="an evaluation")
    result = await _evaluate(trainer, task, "before")
    write_file(path, msgspec.json.encode(result), private=True)
    return result


async def _evaluate(
    trainer: Trainer[Question], task: Task, name: str, *, temperature: float = 1.0
) -> Evaluated:
    """Run one episode of each held-out question; at temperature 1 they are drawn as in training.

    Raises:
        UserError: if no episode has a reward, so that nothing could be learnt either.
    """
    start = perf_counter()
    sampling = replace(trainer.settings.sampling, temperature=temperature)
    engine = Engine(trainer.policy, sampling)
    engine.start_round(name)
    done = await _rollout(trainer.policy, engine, task, task.held_out)
    stats = RolloutStats.of(done)
    if stats.reward is None:
        raise UserError("no episode could be rewarded: can the judge of the reward be reached?")
    return Evaluated(_measures(stats, task), perf_counter() - start)


def _progress(step: Step, task: Task) -> Progress:
    entropy = {"entropy": step.update.entropy if step.update else None}
    return Progress(step.step, _measures(step.rollout, task) | entropy)


def _measures(stats: RolloutStats, task: Task) -> Measures:
    return {"reward": stats.reward, **task.measures(stats.facts)}
