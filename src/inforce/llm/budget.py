"""A limit on what a run may spend: it is told before the call that would go beyond, and stops."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from inforce.errors import BudgetError, UserError
from inforce.llm.chat import GREEDY, ChatModel, Message, Reply, Sampling, Usage

NOTHING = Usage()

Monotonic = Callable[[], float]
"""Seconds that only go forward."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may spend; ``None`` is no limit.

    Tokens and money are known after a reply only: the reply that crosses the line is kept, and no
    further one is asked for.
    """

    tokens: int | None = None
    calls: int | None = None
    money: Decimal | None = None
    """US dollars."""
    seconds: float | None = None
    """From the first call on."""

    def __post_init__(self) -> None:
        limits = (self.tokens, self.calls, self.money, self.seconds)
        if any(limit is not None and limit < 0 for limit in limits):
            raise UserError("a budget cannot be negative")


def within(
    model: ChatModel, budget: Budget, *, spent: Usage = NOTHING, clock: Monotonic = time.monotonic
) -> ChatModel:
    """The model, as long as the budget lasts.

    Args:
        model: who answers.
        budget: of one run; calls of any number of tasks share it.
        spent: what an earlier part of the run has spent.
        clock: seconds.

    Raises:
        UserError: from the first reply whose price is not known, if money is limited.
    """
    return _Within(model, budget, spent, clock)


class _Within:
    def __init__(self, model: ChatModel, budget: Budget, spent: Usage, clock: Monotonic) -> None:
        self._model = model
        self._budget = budget
        self._spent = spent
        self._clock = clock
        self._began: float | None = None
        self._under_way = 0

    @property
    def name(self) -> str:
        return self._model.name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        seconds_left = self._require_left()
        self._under_way += 1
        try:
            async with asyncio.timeout(seconds_left):
                reply = await self._model.reply(messages, sampling)
        except TimeoutError as error:
            raise _spent(f"{self._budget.seconds:g} seconds") from error
        finally:
            self._under_way -= 1
        self._spent += reply.usage
        self._require_price(reply)
        return reply

    def _require_left(self) -> float | None:
        """Seconds left for a call; calls under way count as made, so that none overshoots."""
        budget, spent = self._budget, self._spent
        if budget.calls is not None and spent.calls + self._under_way >= budget.calls:
            raise _spent(f"{budget.calls} calls")
        if budget.tokens is not None and spent.tokens >= budget.tokens:
            raise _spent(f"{budget.tokens} tokens")
        if budget.money is not None and (spent.money or Decimal(0)) >= budget.money:
            raise _spent(f"{budget.money} dollars")
        return self._seconds_left()

    def _seconds_left(self) -> float | None:
        limit, now = self._budget.seconds, self._clock()
        if limit is None:
            return None
        self._began = now if self._began is None else self._began
        left = limit - (now - self._began)
        if left <= 0:
            raise _spent(f"{limit:g} seconds")
        return left

    def _require_price(self, reply: Reply) -> None:
        if self._budget.money is not None and reply.usage.money is None and not reply.cached:
            raise BudgetError(
                f"the price of {self.name} is not known, so a limit in dollars cannot be kept: "
                "set it in settings.toml, or limit tokens"
            )


def _spent(what: str) -> BudgetError:
    return BudgetError(f"the budget of {what} is spent")
