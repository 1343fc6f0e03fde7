"""A run from nothing: a small model, a warm start, GRPO in the real environment, an examination.

A run that was interrupted goes on where it stopped, if it is started again with the same choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import msgspec
import torch

from inforce.library import Library
from inforce.llm.chat import Message
from inforce.train.embedded.metrics import Listener, Step
from inforce.train.embedded.model import load_model, new_model
from inforce.train.embedded.settings import (
    LARGE,
    SMALL,
    Device,
    Grpo,
    Plan,
    Sampling,
    Shape,
    Shaping,
    Training,
    WarmStart,
)
from inforce.train.embedded.tokenizer import ChatMl
from inforce.train.embedded.trainer import Policy, Trainer
from inforce.train.embedded.warm_start import warm_start
from inforce.train.episode_text import spelled
from inforce.train.episodes import Environment, Question, collect
from inforce.train.policy import Sampler
from inforce.train.temporal_search.drill import drills
from inforce.train.temporal_search.questions import dated_articles, draw, split
from inforce.train.temporal_search.record import (
    Choices,
    Examined,
    Progress,
    RunRecord,
    dated_share,
    examined,
    write_record,
)
from inforce.train.temporal_search.traces import Demonstration, demonstrations
from inforce.train.temporal_search.world import environment
from inforce.train.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Scale:
    """How large everything is."""

    shape: Shape
    drill: WarmStart
    warm: WarmStart
    rate: float
    """Of GRPO."""
    drills: int = 8000
    demonstrations: int = 400
    questions: int = 2000
    """To train with."""
    examination: int = 256
    """Questions about held-out articles."""
    batch: int = 16
    """Questions a step."""
    rollouts: int = 8
    vocabulary: int = 512
    micro_batch: int = 32


CPU = Scale(SMALL, WarmStart(steps=300, batch=48), WarmStart(steps=150), rate=1e-4)
CARD = Scale(
    LARGE,
    WarmStart(steps=300, batch=128, rate=5e-4),
    WarmStart(steps=150, batch=64, rate=3e-4),
    rate=2e-5,
    batch=64,
    micro_batch=128,
)

_WARM = "warm"
_BEFORE = "before.json"


@dataclass(frozen=True, slots=True)
class _Task:
    """What is learnt, and what is asked in the end."""

    world: Environment
    training: tuple[Question, ...]
    held_out: tuple[Question, ...]
    shown: tuple[Demonstration, ...]
    drills: tuple[tuple[Message, ...], ...]


async def run(
    library: Library,
    choices: Choices,
    folder: Path,
    *,
    scale: Scale = CPU,
    device: Device = "cpu",
    listeners: Sequence[Listener] = (),
) -> RunRecord:
    """Train a policy and examine it; everything is kept in the folder.

    Args:
        library: the law; its clock says what "today" is.
        choices: what distinguishes this run.
        folder: of this run; one that was interrupted goes on in it.
        scale: how large everything is.
        device: where it is computed.
        listeners: are told of every step.
    """
    torch.manual_seed(choices.seed)
    began = perf_counter()
    task = await _task(library, choices, scale)
    policy = _warmed(task, choices, folder / _WARM, scale)
    torch.nn.Module.to(policy.model, device)
    warm = perf_counter()
    trainer = _trainer(policy, task, choices, folder, scale, listeners)
    before = await _before(trainer, task, folder / _BEFORE)
    steps = await trainer.train()
    after = await _examination(trainer, task, "after")
    record = RunRecord(
        choices,
        sum(one.numel() for one in policy.model.parameters()),
        device,
        before,
        after,
        tuple(map(_progress, steps)),
        {"warm start": warm - began, "training and examinations": perf_counter() - warm},
    )
    write_record(record, folder)
    return record


async def _task(library: Library, choices: Choices, scale: Scale) -> _Task:
    """The articles held out are the same whatever is chosen but the seed."""
    today, seed = library.clock(), choices.seed
    world = environment(library, has_search=choices.has_search)
    articles = split(tuple(dated_articles(library)), seed=seed)
    asked = draw(articles.training, scale.demonstrations, today=today, seed=seed + 1000)
    return _Task(
        world,
        draw(articles.training, scale.questions, today=today, seed=seed + 2000),
        draw(articles.held_out, scale.examination, today=today, seed=seed + 3000),
        await demonstrations(asked, world, seed=seed),
        drills(articles.training, scale.drills, seed=seed),
    )


def _warmed(task: _Task, choices: Choices, folder: Path, scale: Scale) -> Policy:
    """The policy after its warm start, from an earlier part of the run if there was one."""
    if folder.is_dir():
        return Policy(load_model(folder), ChatMl.loaded(folder))
    shown = [one.conversation for one in task.shown]
    tokens = ChatMl.trained(_texts([*task.drills, *shown]), size=scale.vocabulary)
    model = new_model(tokens.size, scale.shape, seed=choices.seed)
    for conversations, settings in ((task.drills, scale.drill), (shown, scale.warm)):
        traces = [spelled("", one, tokens) for one in conversations]
        warm_start(model, traces, replace(settings, seed=choices.seed))
    policy = Policy(model.eval(), tokens)
    draft = folder.with_name(f"{folder.name}.tmp")
    policy.save(draft)
    draft.replace(folder)
    return policy


def _texts(conversations: Iterable[Sequence[Message]]) -> list[str]:
    return [message.content for one in conversations for message in one]


def _trainer(
    policy: Policy,
    task: _Task,
    choices: Choices,
    folder: Path,
    scale: Scale,
    listeners: Sequence[Listener],
) -> Trainer[Question]:
    shaping = Shaping(alpha=choices.alpha) if choices.alpha else None
    plan = Plan(
        Sampling(seed=choices.seed),
        Grpo(rate=scale.rate, shaping=shaping, micro_batch=scale.micro_batch),
        Training(steps=choices.steps, questions=scale.batch, seed=choices.seed),
    )

    async def tried(sampler: Sampler, questions: Sequence[Question]) -> list[Trajectory]:
        return await collect(sampler, policy.tokens, questions, task.world, rollouts=scale.rollouts)

    return Trainer(policy, task.training, tried, folder, plan=plan, listeners=listeners)


async def _before(trainer: Trainer[Question], task: _Task, path: Path) -> Examined:
    """The examination after the warm start; it is taken once."""
    if path.exists():
        return msgspec.json.decode(path.read_bytes(), type=Examined)
    result = await _examination(trainer, task, "before")
    path.write_bytes(msgspec.json.encode(result))
    return result


async def _examination(trainer: Trainer[Question], task: _Task, name: str) -> Examined:
    """Each question about held-out articles once, drawn as in training."""
    trainer.sampler.begin(name)
    tokens = trainer.policy.tokens
    trajectories = await collect(trainer.sampler, tokens, task.held_out, task.world)
    return examined(trajectories, task.held_out)


def _progress(step: Step) -> Progress:
    facts = step.outcome.facts
    calls = facts.get("tool_calls", 0.0)
    return Progress(
        step.step,
        step.outcome.reward,
        calls,
        dated_share(calls, facts.get("dated_queries", 0.0)),
        step.learnt.entropy if step.learnt else None,
    )
