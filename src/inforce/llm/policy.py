"""``offline``: a rule that takes the model's turns, so that agents work without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from inforce.llm.chat import GREEDY, Message, Reply, Sampling, Usage

OFFLINE = "offline"

Policy = Callable[[Sequence[Message]], str]
"""The next turn of a conversation, from the conversation alone; the same for the same."""

FREE = Usage(calls=1, money=Decimal(0))


class PolicyModel:
    """A policy as a model: free, deterministic, and it needs no network."""

    def __init__(self, policy: Policy, *, name: str = OFFLINE) -> None:
        self._policy = policy
        self.name = name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """The policy's turn; how replies are sampled does not concern it."""
        return Reply(self._policy(messages), FREE)
