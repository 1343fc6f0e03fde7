"""Budgets of runs, and metering of models that tools use.

A budget stops a run before the call that would go beyond it. A reading agent or a route agent is a
model inside a tool: its replies are part of the tool's work, so the run counts them with the tool's
answer. Calls made at the same time are counted apart.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal

from inforce.errors import BudgetError, UserError
from inforce.llm.chat import GREEDY, ChatModel, Message, Reply, Sampling, Usage

NOTHING = Usage()

_UNPRICED = (
    "the price of {} is not known, so a limit in dollars cannot be kept: set it in settings.toml, "
    "or limit tokens"
)

Monotonic = Callable[[], float]
"""Seconds that only go forward."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a run; ``None`` is no limit.

    Tokens and money are known after a reply only: the reply that crosses the line counts, and no
    further one is asked for. Calls under way at the same moment may each cross it. Replies from a
    cache or a recording count as they did when they were paid for, so that a replay ends where the
    run ended.
    """

    tokens: int | None = None
    calls: int | None = None
    money: Decimal | None = None
    """US dollars."""
    seconds: float | None = None
    """From the first call on; a call that runs past them is cut."""

    def __post_init__(self) -> None:
        limits = (self.tokens, self.calls, self.money, self.seconds)
        if any(limit is not None and limit < 0 for limit in limits):
            raise UserError("a budget cannot be negative")


def within(
    model: ChatModel, budget: Budget, *, spent: Usage = NOTHING, clock: Monotonic = time.monotonic
) -> ChatModel:
    """Return the model, which answers as long as the budget lasts.

    Args:
        model: who answers.
        budget: of one run; calls of any number of tasks share it.
        spent: what an earlier part of the run has spent.
        clock: seconds.

    Raises:
        UserError: if money is limited, and the model already says that its price is not known.
    """
    if budget.money is not None and not getattr(model, "is_priced", True):
        raise UserError(_UNPRICED.format(model.name))
    return _Within(model, budget, spent, clock)


class _Within:
    def __init__(self, model: ChatModel, budget: Budget, spent: Usage, clock: Monotonic) -> None:
        self._model = model
        self._budget = budget
        self._spent = spent
        self._clock = clock
        self._began: float | None = None
        self._under_way = 0
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._model.name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        with self._lock:
            seconds_left = self._require_left()
            self._under_way += 1
        spent = NOTHING
        limit = asyncio.timeout(seconds_left)
        try:
            async with limit:
                reply = await self._model.reply(messages, sampling)
            spent = reply.usage
        except TimeoutError as error:
            if limit.expired():
                raise _spent(f"{self._budget.seconds:g} seconds") from error
            raise
        finally:
            with self._lock:
                self._under_way -= 1
                self._spent += spent
        self._require_measured(reply)
        return reply

    def _require_left(self) -> float | None:
        """Return the seconds left for a call; calls under way count as made."""
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

    def _require_measured(self, reply: Reply) -> None:
        """Refuse a reply without the usage that a limit needs: it would be no limit."""
        usage = reply.usage
        if reply.cached or usage.money == 0:
            return
        if self._budget.money is not None and usage.money is None:
            raise BudgetError(_UNPRICED.format(self.name))
        if self._budget.tokens is not None and usage.tokens == 0:
            raise BudgetError(
                f"the server of {self.name} does not say how many tokens a reply took, so a limit "
                "in tokens cannot be kept: limit calls or seconds"
            )


def _spent(what: str) -> BudgetError:
    return BudgetError(f"the budget of {what} is spent")


@dataclass(slots=True)
class Spending:
    """The usage of metered models so far within a block."""

    usage: Usage = Usage()
    report: Callable[[Usage], None] | None = None
    """Called with what each reply cost, as soon as it is paid for."""

    def add(self, usage: Usage) -> None:
        """Add the usage of a reply."""
        self.usage += usage
        if self.report:
            self.report(usage)


_SPENDING: ContextVar[Spending | None] = ContextVar("spending", default=None)


@contextmanager
def spending(report: Callable[[Usage], None] | None = None) -> Generator[Spending]:
    """Count the usage of metered models within the block, in tasks and threads it starts too."""
    spent = Spending(report=report)
    token = _SPENDING.set(spent)
    try:
        yield spent
    finally:
        _SPENDING.reset(token)


class MeteredModel:
    """A model whose replies are counted for whoever asks for them."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's own."""
        return self._model.name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """Return the model's turn."""
        reply = await self._model.reply(messages, sampling)
        spent = _SPENDING.get()
        if spent is not None:
            spent.add(reply.usage)
        return reply
