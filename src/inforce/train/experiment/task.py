"""What a small model is to learn, from its first lesson to its examination."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from inforce.llm.chat import Message
from inforce.train.episodes import Environment, Question
from inforce.train.experiment.record import Measures
from inforce.train.trajectory import Trajectory

Conversation = tuple[Message, ...]
"""It ends with the assistant's turn."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything a task has."""

    drills: int
    demonstrations: int
    questions: int
    """To train with."""
    examination: int
    """Questions to be examined with."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is learnt, and what is asked in the end."""

    start: str
    """What the demonstrations show, in a word or two: tasks of one seed that share it share their
    warm start."""
    world: Environment
    training: tuple[Question, ...]
    held_out: tuple[Question, ...]
    drills: tuple[Conversation, ...]
    """Imitated first: what a pretrained model would know already."""
    shown: tuple[Conversation, ...]
    """Demonstrations, imitated next."""
    facts: Callable[[Trajectory, Question], Mapping[str, float]]
    """What else is to be known of an episode, as numbers."""
    measures: Callable[[Mapping[str, float]], Measures]
    """What is reported of several episodes, from the means of their facts."""
    digest: str = field(init=False)
    """Of all questions and lessons: two tasks with the same are the same."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", _digest(self))


def _digest(task: Task) -> str:
    told = hashlib.sha256()
    for text in _texts(task):
        told.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return told.hexdigest()


def _texts(task: Task) -> Iterable[str]:
    for question in (*task.training, *task.held_out):
        yield from (question.text, question.target)
    for conversation in (*task.drills, *task.shown):
        yield from (message.content for message in conversation)
