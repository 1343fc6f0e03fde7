"""What a run may spend is never overshot, and never silently unlimited."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from inforce.errors import BudgetError, ModelError, UserError
from inforce.llm.budget import Budget, within
from inforce.llm.chat import GREEDY, Message, PolicyModel, Reply, Sampling, Usage
from inforce.llm.models import ModelOptions, open_model
from inforce.llm.served import ServedModel
from inforce.llm.settings import Price, Settings

pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")

HELLO = [Message("system", "be brief"), Message("user", "hello")]


class Priced:
    """A model that costs what it is told to."""

    name = "priced"

    def __init__(self, usage: Usage, seconds: float = 0.0) -> None:
        self.usage = usage
        self.seconds = seconds
        self.calls = 0

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        self.calls += 1
        await asyncio.sleep(self.seconds)
        return Reply("ok", self.usage)


@pytest.mark.parametrize(
    ("budget", "allowed"),
    [
        (Budget(), 6),
        (Budget(calls=0), 0),
        (Budget(calls=4), 4),
        (Budget(tokens=25), 3),
        (Budget(money=Decimal("0.02")), 2),
        (Budget(calls=5, tokens=10), 1),
    ],
    ids=str,
)
async def test_a_budget_ends_before_the_call_that_would_go_beyond(
    budget: Budget, allowed: int
) -> None:
    model = Priced(Usage(1, 7, 3, Decimal("0.01")))
    limited = within(model, budget)
    for _ in range(6):
        try:
            await limited.reply(HELLO)
        except BudgetError:
            break
    assert model.calls == allowed


async def test_sixty_four_calls_at_once_do_not_overshoot() -> None:
    model = Priced(Usage(1), seconds=0.01)
    limited = within(model, Budget(calls=10))
    results = await asyncio.gather(
        *(limited.reply(HELLO) for _ in range(64)), return_exceptions=True
    )
    assert model.calls == 10
    assert sum(isinstance(one, BudgetError) for one in results) == 54


async def test_seconds_cut_a_call_that_runs_past_them() -> None:
    limited = within(Priced(Usage(1), seconds=5), Budget(seconds=0.05))
    with pytest.raises(BudgetError, match=r"0\.05 seconds"):
        await asyncio.wait_for(limited.reply(HELLO), 2)


async def test_what_an_earlier_part_of_the_run_spent_counts() -> None:
    limited = within(Priced(Usage(1)), Budget(calls=3), spent=Usage(calls=3))
    with pytest.raises(BudgetError):
        await limited.reply(HELLO)


async def test_money_cannot_be_limited_where_the_price_is_not_known() -> None:
    limited = within(Priced(Usage(1, 7, 3)), Budget(money=Decimal(1)))
    with pytest.raises(BudgetError, match="price"):
        await limited.reply(HELLO)


def test_a_server_of_ones_own_without_a_price_is_told_before_anything_is_spent() -> None:
    unpriced = open_model("http://127.0.0.1:9/v1#m", options=ModelOptions(settings=Settings()))
    with pytest.raises(UserError, match="price"):
        within(unpriced, Budget(money=Decimal(1)))
    prices = {"m": Price(Decimal(1), Decimal(1))}
    priced = open_model(
        "http://127.0.0.1:9/v1#m", options=ModelOptions(settings=Settings({}, prices))
    )
    assert within(priced, Budget(money=Decimal(1))).name == priced.name


def test_a_list_price_lets_money_be_limited() -> None:
    settings = Settings({"OPENAI_API_KEY": "sk-1234567890"})
    for name, known in (("gpt-4o-mini", True), ("no-such-model-at-all", False)):
        model = open_model(f"openai:{name}", options=ModelOptions(settings=settings))
        assert isinstance(model, ServedModel)
        assert model.is_priced is known


async def test_tokens_cannot_be_limited_where_nobody_counts_them() -> None:
    limited = within(Priced(Usage(1)), Budget(tokens=100))
    with pytest.raises(BudgetError, match="does not say how many tokens"):
        await limited.reply(HELLO)


async def test_a_rule_costs_nothing_under_any_limit_but_calls_and_seconds() -> None:
    limited = within(PolicyModel(lambda _: "ok"), Budget(tokens=1, calls=2, money=Decimal("0.01")))
    for _ in range(2):
        assert (await limited.reply(HELLO)).text == "ok"
    with pytest.raises(BudgetError, match="2 calls"):
        await limited.reply(HELLO)


def test_calls_of_several_threads_do_not_overshoot() -> None:
    model = Priced(Usage(1))
    limited = within(model, Budget(calls=50))

    def spend() -> int:
        async def one() -> bool:
            try:
                await limited.reply(HELLO)
            except BudgetError:
                return False
            return True

        return sum(asyncio.run(one()) for _ in range(10))

    with ThreadPoolExecutor(8) as threads:
        made = sum(one.result() for one in [threads.submit(spend) for _ in range(8)])
    assert made == 50


async def test_a_call_that_fails_costs_no_call_of_the_budget() -> None:
    class Failing(Priced):
        async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
            if self.calls == 0:
                self.calls += 1
                raise ModelError("no answer")
            return await super().reply(messages, sampling)

    limited = within(Failing(Usage(1)), Budget(calls=1))
    with pytest.raises(ModelError):
        await limited.reply(HELLO)
    assert (await limited.reply(HELLO)).text == "ok"


async def test_a_time_out_of_the_model_is_not_taken_for_that_of_the_budget() -> None:
    class Late(Priced):
        async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
            raise TimeoutError("its own")

    for budget in (Budget(), Budget(seconds=60)):
        with pytest.raises(TimeoutError, match="its own"):
            await within(Late(Usage(1)), budget).reply(HELLO)


async def test_seconds_begin_with_the_first_call_and_end_all_further_ones() -> None:
    now = iter([100.0, 109.0, 110.0])
    limited = within(Priced(Usage(1)), Budget(seconds=10), clock=lambda: next(now))
    await limited.reply(HELLO)
    await limited.reply(HELLO)
    with pytest.raises(BudgetError, match="10 seconds"):
        await limited.reply(HELLO)


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(UserError):
        Budget(tokens=-1)
