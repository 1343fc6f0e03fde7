"""A policy behind the agents' own seam: they hold a conversation, and its tokens are kept.

An agent speaks with any `ChatModel`. This one maps the conversation to tokens as it grows and never
tokenises twice what the policy wrote, whatever the agent makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inforce.errors import BudgetError, UserError
from inforce.llm.chat import GREEDY, Message, Reply, Sampling, Usage
from inforce.train.policy import ChatTokens, Sampler
from inforce.train.trajectory import Span


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an episode may become."""

    response_tokens: int = 4096
    """Everything after the prompt, the world's answers among it."""
    turn_tokens: int = 1024
    """What the policy may write in one turn."""


class TokenModel:
    """The policy as a `ChatModel`, for one episode.

    Temperature and stop words are the sampler's affair: what an agent asks for in these is not
    heeded, since log-probabilities must be those of the policy itself.

    Args:
        sampler: who writes.
        tokens: how turns become tokens.
        limits: how long the episode may become.
    """

    name = "policy"

    def __init__(self, sampler: Sampler, tokens: ChatTokens, limits: Limits) -> None:
        self.spans: list[Span] = []
        self.turns: list[str] = []
        """What the policy wrote, as text."""
        self.is_rewritten = False
        """Whether the agent kept something else of a turn than the policy wrote."""
        self.is_cut_off = False
        """Whether a turn did not fit."""
        self._sampler = sampler
        self._tokens = tokens
        self._limits = limits
        self._heard: tuple[Message, ...] = ()
        self._context: list[int] = []
        self._ended = True

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """The policy's next turn.

        Raises:
            BudgetError: if there is no room for another turn.
            UserError: if the agent does not go on with the conversation it began.
        """
        told = self._told(messages)
        room = self._room(told)
        if room <= 0:
            self.is_cut_off = True
            raise BudgetError("the episode is as long as it may become")
        context = (*self._context, *told.tokens)
        written = await self._sampler.write(context, max_tokens=room)
        self._keep(told, Span("generated", written.tokens, written.logprobs))
        self._heard, self._ended = tuple(messages), written.ended
        self.is_cut_off = self.is_cut_off or not written.ended
        self.turns.append(self._tokens.text(written.tokens))
        usage = Usage(1, len(context), len(written.tokens))
        return Reply(self.turns[-1], usage, "stop" if written.ended else "length")

    def _told(self, messages: Sequence[Message]) -> Span:
        """What was said since the policy's last turn."""
        if not self.turns:
            return Span("given", self._tokens.opening(_turns(messages)))
        known = len(self._heard)
        before, own, since = messages[:known], messages[known : known + 1], messages[known + 1 :]
        goes_on = tuple(before) == self._heard and [one.role for one in own] == ["assistant"]
        if not goes_on or any(one.role == "assistant" for one in since):
            raise UserError(
                "the agent does not go on with its conversation, so its tokens cannot be learnt "
                "from: train an agent that only adds turns, such as r1 or msr2"
            )
        self.is_rewritten = self.is_rewritten or own[0].content != self.turns[-1]
        return Span("observed", self._tokens.reply(_turns(since), ended=self._ended))

    def _room(self, told: Span) -> int:
        """How many tokens the next turn may have."""
        begun = sum(len(span.tokens) for span in self.spans[1:])
        added = len(told.tokens) if self.spans else 0
        return min(self._limits.response_tokens - begun - added, self._limits.turn_tokens)

    def _keep(self, *spans: Span) -> None:
        for span in spans:
            self.spans.append(span)
            self._context.extend(span.tokens)


def _turns(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in messages]
