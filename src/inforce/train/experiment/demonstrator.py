"""Who walks an agent's protocol in the real environment, to be imitated."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inforce.agents.runtime.run import Run
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.tools.context import RunContext
from inforce.train.episodes import Environment, Question
from inforce.train.experiment.task import Conversation

Turns = Callable[[Sequence[Message]], str]
"""The next turn of a conversation."""


async def demonstrated(question: Question, turns: Turns, environment: Environment) -> Conversation:
    """The conversation an agent has with somebody who acts by rule.

    Args:
        question: that is put to the agent.
        turns: what is done in its model's place.
        environment: where.
    """
    model = _Demonstrator(turns)
    context = RunContext(question.text, environment.today)
    await environment.agent(Run(model, environment.tools, context))
    return model.conversation


class _Demonstrator:
    """A model by rule that remembers the conversation."""

    name = "demonstrator"

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self.conversation: Conversation = ()

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """The next turn."""
        text = self._turns(messages)
        self.conversation = (*messages, Message("assistant", text))
        return Reply(text)
