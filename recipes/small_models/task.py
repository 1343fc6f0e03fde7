"""What a small model learns, from its first lesson to its evaluation."""

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
from inforce.train.losses import Averaging
from inforce.train.policy import LARGE, SMALL, ModelShape
from inforce.train.trajectory import Trajectory

if TYPE_CHECKING:
    from inforce.train.chatml import Pieces

Conversation = tuple[Message, ...]
"""Messages of which the assistant's is the last."""

Measures = dict[str, float | None]
"""Figures by name; ``None``, which is not 0, where there was nothing to measure."""


@dataclass(frozen=True, slots=True)
class Size:
    """Numbers of lessons and questions of a task."""

    drills: int
    demonstrations: int
    questions: int
    held_out: int


@dataclass(frozen=True, slots=True)
class Scale:
    """Size of the model and of its training steps."""

    shape: ModelShape
    drill: Sft
    warm: Sft
    lr: float
    """Learning rate of GRPO."""
    batch: int = 16
    """Questions per step."""
    rollouts: int = 8
    vocabulary: int = 512
    pieces: Pieces = "words"
    """The largest unit that is one token (`inforce.train.chatml`)."""
    micro_batch: int = 32
    averaging: Averaging = "token"
    """Of the loss of GRPO."""
    beta: float = 0.0
    """Weight of the divergence from the policy after its warm start."""


CPU = Scale(SMALL, Sft(steps=300, batch=48), Sft(steps=150), lr=1e-4)
"""For two cores of a CPU."""

CARD = Scale(
    LARGE,
    Sft(steps=300, batch=128, lr=5e-4),
    Sft(steps=150, batch=64, lr=3e-4),
    lr=2e-5,
    batch=64,
    micro_batch=128,
)
"""For one large GPU."""


@dataclass(frozen=True, slots=True)
class Task:
    """Questions, lessons and environment of a small model."""

    variant: str
    """Name of the demonstrations; tasks of one seed with the same variant share their warm
    start."""
    environment: Environment
    training: tuple[Question, ...]
    held_out: tuple[Question, ...]
    drills: tuple[Conversation, ...]
    """Imitated first: what a pretrained model would already know."""
    demonstrations: tuple[Conversation, ...]
    """Imitated next."""
    facts: Callable[[Trajectory, Question], Mapping[str, float]]
    """Further numbers about an episode."""
    measures: Callable[[Mapping[str, float]], Measures]
    """Computes the reported figures from the means of the episodes' facts."""
    digest: str = field(init=False)
    """Hash of all questions and lessons, by which a folder knows its task."""

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
    """A tool whose results are shown in a line or two, which is all that a small model can read.

    Status and evidence are the tool's own.
    """

    tool: Tool
    shorten: Callable[[ToolResult], str]
    """Returns the text the model gets of a result."""

    @property
    def spec(self) -> ToolSpec:
        """That of the tool."""
        return self.tool.spec

    @property
    def reach(self) -> Reach:
        """That of the tool."""
        return reach_of(self.tool)

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Call the tool and shorten its result."""
        result = await self.tool(arguments, context)
        return replace(result, text=self.shorten(result))


async def demonstrate(
    question: Question, next_turn: Callable[[Sequence[Message]], str], environment: Environment
) -> Conversation:
    """Return the conversation of an agent, in its real environment, with a rule as its model."""
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
