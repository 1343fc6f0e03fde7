"""What a small model is to learn, from its first lesson to its evaluation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from inforce.agents.runtime.run import Run
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.tools.context import RunContext
from inforce.tools.tool import Arguments, Reach, Tool, ToolResult, ToolSpec, reach_of
from inforce.train.embedded.settings import Sft
from inforce.train.episodes import Environment, Question
from inforce.train.policy import LARGE, SMALL, ModelShape
from inforce.train.trajectory import Trajectory

if TYPE_CHECKING:
    from inforce.train.chatml import Pieces

Conversation = tuple[Message, ...]
"""It ends with the assistant's turn."""

Measures = dict[str, float | None]
"""Figures by name; ``None``: there was nothing to measure, which is no zero."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything a task has."""

    drills: int
    demonstrations: int
    questions: int
    held_out: int


@dataclass(frozen=True, slots=True)
class Scale:
    """How large the model and its steps are."""

    shape: ModelShape
    drill: Sft
    warm: Sft
    lr: float
    """Of GRPO."""
    batch: int = 16
    """Questions a step."""
    rollouts: int = 8
    vocabulary: int = 512
    pieces: Pieces = "words"
    """What a token of the vocabulary is at most."""
    micro_batch: int = 32


CPU = Scale(SMALL, Sft(steps=300, batch=48), Sft(steps=150), lr=1e-4)
"""For two cores of a processor."""

CARD = Scale(
    LARGE,
    Sft(steps=300, batch=128, lr=5e-4),
    Sft(steps=150, batch=64, lr=3e-4),
    lr=2e-5,
    batch=64,
    micro_batch=128,
)
"""For one large card."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is learnt, and what is asked in the end."""

    variant: str
    """What the demonstrations show, in a word or two: tasks of one seed that share it share their
    warm start."""
    environment: Environment
    training: tuple[Question, ...]
    held_out: tuple[Question, ...]
    drills: tuple[Conversation, ...]
    """Imitated first: what a pretrained model would know already."""
    demonstrations: tuple[Conversation, ...]
    """Imitated next."""
    facts: Callable[[Trajectory, Question], Mapping[str, float]]
    """What else is to be known of an episode, as numbers."""
    measures: Callable[[Mapping[str, float]], Measures]
    """What is reported of several episodes, from the means of their facts."""
    digest: str = field(init=False)
    """Of all questions and lessons: two tasks with the same are the same."""

    def __post_init__(self) -> None:
        hashed = hashlib.sha256()
        for question in (*self.training, *self.held_out):
            for text in (question.text, question.target):
                hashed.update(text.encode("utf-8", "surrogatepass") + b"\0")
        for conversation in (*self.drills, *self.demonstrations):
            for message in conversation:
                hashed.update(message.content.encode("utf-8", "surrogatepass") + b"\0")
        object.__setattr__(self, "digest", hashed.hexdigest())


@dataclass(frozen=True, slots=True)
class Shortened:
    """A tool whose answers are shown shorter: a small model reads a line or two, not provisions.

    It searches, fails and refuses as the tool does, and has its status and its evidence.
    """

    tool: Tool
    shorten: Callable[[ToolResult], str]
    """What a model is shown of a result."""

    @property
    def spec(self) -> ToolSpec:
        """The tool's own."""
        return self.tool.spec

    @property
    def reach(self) -> Reach:
        """The tool's own."""
        return reach_of(self.tool)

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """What the tool found, in short."""
        result = await self.tool(arguments, context)
        return replace(result, text=self.shorten(result))


async def demonstrate(
    question: Question, next_turn: Callable[[Sequence[Message]], str], environment: Environment
) -> Conversation:
    """The conversation an agent has in a real environment with a model that acts by rule."""
    model = _Demonstrator(next_turn)
    context = RunContext(question.text, environment.today)
    await environment.agent(Run(model, environment.tools, context))
    return model.conversation


class _Demonstrator:
    name = "demonstrator"

    def __init__(self, next_turn: Callable[[Sequence[Message]], str]) -> None:
        self._next_turn = next_turn
        self.conversation: Conversation = ()

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        text = self._next_turn(messages)
        self.conversation = (*messages, Message("assistant", text))
        return Reply(text)
