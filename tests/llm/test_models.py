"""Models by their ids: what they answer, what they cost, and what goes wrong with them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from inforce import network
from inforce.errors import BudgetError, InputError, ModelError, NetworkForbiddenError, UserError
from inforce.llm.budget import Budget, within
from inforce.llm.cache import CachedModel
from inforce.llm.chat import GREEDY, Message, Reply, Sampling, Usage
from inforce.llm.models import ModelOptions, open_model, pydantic_model
from inforce.llm.policy import PolicyModel
from inforce.llm.served import KEY_VARIABLE, CallOptions
from inforce.llm.settings import Price, Settings, read_settings
from openai_server import Answer, OpenAIServer, openai_server

pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")

HELLO = [Message("system", "be brief"), Message("user", "hello")]
FAST = ModelOptions(CallOptions(timeout=5, attempts=3, first_wait=0.001), settings=Settings())
SECRET = "sk-very-secret-0123456789"


def in_turn(*answers: Answer | str) -> Iterator[Answer | str]:
    yield from answers


def scripted(*answers: Answer | str):
    turns = in_turn(*answers)
    return openai_server(lambda _: next(turns))


async def ask(server: OpenAIServer, options: ModelOptions = FAST) -> Reply:
    return await open_model(server.model, options=options).reply(HELLO)


async def test_a_server_is_asked_in_its_form_and_its_tokens_are_counted() -> None:
    with scripted("hi") as server:
        wanted = Sampling(0.0, 64, ("STOP",), 7)
        reply = await open_model(server.model, options=FAST).reply(HELLO, wanted)
    assert reply == Reply("hi", Usage(1, 10, 5))
    (request,) = server.requests
    assert [(one["role"], one["content"]) for one in request["messages"]] == [
        ("system", "be brief"),
        ("user", "hello"),
    ]
    assert (request["temperature"], request["stop"], request["seed"]) == (0.0, ["STOP"], 7)
    assert 64 in (request.get("max_tokens"), request.get("max_completion_tokens"))


async def test_turns_of_a_conversation_arrive_in_order() -> None:
    turns = [*HELLO, Message("assistant", "hi"), Message("user", "again")]
    with scripted("ok") as server:
        await open_model(server.model, options=FAST).reply(turns)
    assert [one["role"] for one in server.requests[0]["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
async def test_a_failure_that_may_pass_is_tried_again(status: int) -> None:
    with scripted(
        Answer(status=status, body=b"{}"), Answer(status=status, body=b"{}"), "ok"
    ) as server:
        assert (await ask(server)).text == "ok"
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [429, 500])
async def test_attempts_are_limited_and_counted_by_us_alone(status: int) -> None:
    with (
        openai_server(lambda _: Answer(status=status, body=b'{"error": "busy"}')) as server,
        pytest.raises(ModelError, match=str(status)),
    ):
        await ask(server)
    assert len(server.requests) == 3


@pytest.mark.parametrize(("status", "words"), [(400, "400"), (401, KEY_VARIABLE), (404, "no such")])
async def test_a_refusal_is_told_at_once(status: int, words: str) -> None:
    with (
        openai_server(lambda _: Answer(status=status, body=b'{"error": "no"}')) as server,
        pytest.raises(ModelError, match=words),
    ):
        await ask(server)
    assert len(server.requests) == 1


async def test_the_wait_a_server_asks_for_is_kept_unless_it_is_too_long() -> None:
    with scripted(Answer(status=429, body=b"{}", headers={"Retry-After": "0"}), "ok") as server:
        assert (await ask(server)).text == "ok"
    busy = Answer(status=429, body=b"{}", headers={"Retry-After": "3600"})
    with openai_server(lambda _: busy) as server, pytest.raises(ModelError):
        await asyncio.wait_for(ask(server), 5)
    assert len(server.requests) == 1


async def test_a_key_is_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    echo = Answer(status=400, body=f'{{"error": "bad: Bearer {SECRET}"}}'.encode())
    with openai_server(lambda _: echo) as server, pytest.raises(ModelError) as failed:
        await ask(server)
    assert server.keys == [f"Bearer {SECRET}"]
    assert SECRET not in str(failed.value)
    assert SECRET not in repr(Settings({"X": SECRET}))


@pytest.mark.parametrize(
    "body",
    [b"", b"not json", b"[]", b'{"choices": []}', b'{"choices": null}', b"\xff\xfe"],
    ids=repr,
)
async def test_a_server_that_answers_nonsense_is_a_model_error(body: bytes) -> None:
    with openai_server(lambda _: Answer(body=body)) as server, pytest.raises(ModelError):
        await ask(server)


async def test_a_server_that_takes_too_long_is_given_up() -> None:
    options = ModelOptions(CallOptions(timeout=0.1, attempts=1), settings=Settings())
    with (
        openai_server(lambda _: Answer("late", seconds=0.5)) as server,
        pytest.raises(ModelError, match=r"within 0\.1 seconds"),
    ):
        await ask(server, options)


async def test_a_server_that_is_not_there_is_a_model_error() -> None:
    with pytest.raises(ModelError, match="no answer"):
        await open_model("http://127.0.0.1:9/v1#m", options=FAST).reply(HELLO)


async def test_a_text_that_was_cut_off_says_so() -> None:
    with scripted(Answer("half a sent", finish="length")) as server:
        assert (await ask(server)).finish == "length"


async def test_an_empty_text_is_handed_on_for_the_protocol_to_judge() -> None:
    with scripted("") as server:
        assert (await ask(server)).text == ""


async def test_no_more_calls_are_under_way_than_allowed() -> None:
    options = ModelOptions(CallOptions(at_once=3), settings=Settings())
    with openai_server(lambda _: Answer("ok", seconds=0.03)) as server:
        model = open_model(server.model, options=options)
        await asyncio.gather(*(model.reply(HELLO) for _ in range(12)))
    assert server.most_at_once <= 3


async def test_a_switched_off_network_is_named_as_the_reason() -> None:
    with network.restrict("off"), pytest.raises(NetworkForbiddenError):
        open_model("http://127.0.0.1:9/v1#m", options=FAST)
    model = open_model("http://127.0.0.1:9/v1#m", options=FAST)
    with (
        network.restrict("off"),
        pytest.raises((NetworkForbiddenError, ModelError), match="network"),
    ):
        await model.reply(HELLO)


async def test_a_price_of_ones_own_is_charged_and_an_unknown_one_is_not_nothing() -> None:
    prices = {"tiny": Price(Decimal(2), Decimal(10))}
    priced = ModelOptions(FAST.call, settings=Settings(prices=prices))
    with openai_server(lambda _: "ok") as server:
        assert (await ask(server, priced)).usage.money == Decimal("0.00007")
        assert (await ask(server)).usage.money is None


@pytest.mark.parametrize("model", ["", "nonsense", "http://host/v1", "#name", ":", "openai:"])
def test_an_id_that_names_no_model_is_refused_with_the_forms(model: str) -> None:
    with pytest.raises(ModelError, match="offline"):
        open_model(model, options=FAST)


def test_offline_needs_an_agent_with_a_rule() -> None:
    with pytest.raises(ModelError, match="offline works with"):
        open_model("offline")


async def test_every_kind_of_model_serves_pydantic_ai() -> None:
    from pydantic_ai import Agent

    offline = pydantic_model("offline", policy=lambda turns: turns[-1].content[::-1])
    assert (await Agent(offline, instructions="x").run("abc")).output == "cba"
    with scripted("served") as server:
        agent = Agent(pydantic_model(server.model))
        assert (await agent.run("abc")).output == "served"


# budgets


def counting() -> PolicyModel:
    return PolicyModel(lambda _: "ok")


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
    limited = within(counting(), Budget(money=Decimal(1)))
    with pytest.raises(BudgetError, match="price"):
        await limited.reply(HELLO)


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(UserError):
        Budget(tokens=-1)


# cache


async def test_the_same_request_is_paid_for_once(tmp_path: Path) -> None:
    model = Priced(Usage(1, 7, 3))
    replies = [await CachedModel(model, tmp_path / "c.db").reply(HELLO) for _ in range(3)]
    assert model.calls == 1
    assert replies[-1] == Reply("ok", Usage(1, 7, 3), cached=True)


async def test_another_question_or_sampling_is_another_request(tmp_path: Path) -> None:
    model = Priced(Usage(1))
    cached = CachedModel(model, tmp_path / "c.db")
    await cached.reply(HELLO)
    await cached.reply(HELLO[:1])
    await cached.reply(HELLO, Sampling(max_tokens=5))
    assert model.calls == 3


async def test_a_drawn_reply_is_not_kept_unless_it_is_seeded(tmp_path: Path) -> None:
    model = Priced(Usage(1))
    cached = CachedModel(model, tmp_path / "c.db")
    for sampling in (Sampling(1.0), Sampling(1.0), Sampling(1.0, seed=1), Sampling(1.0, seed=1)):
        await cached.reply(HELLO, sampling)
    assert model.calls == 3


async def test_replay_answers_what_was_kept_and_pays_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    with scripted("hi") as server:
        kept = ModelOptions(FAST.call, cache=path, settings=Settings())
        await ask(server, kept)
        model = server.model
    replay = ModelOptions(cache=path, cache_mode="replay", settings=Settings())
    with network.restrict("off"):
        again = open_model(model, options=replay)
        assert (await again.reply(HELLO)).text == "hi"
        with pytest.raises(ModelError, match="not recorded"):
            await again.reply([Message("user", "something else")])


def test_replay_needs_a_recording_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no cache"):
        CachedModel(counting(), tmp_path / "none.db", mode="replay")
    (tmp_path / "bad.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(InputError, match="no usable cache"):
        CachedModel(counting(), tmp_path / "bad.db")


# settings


def write_settings(folder: Path, text: str, mode: int = 0o600) -> None:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def test_the_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_settings(tmp_path, f'[keys]\nA_KEY = "{SECRET}"\nB_KEY = "file"\n')
    monkeypatch.setenv("B_KEY", "environment")
    settings = read_settings(tmp_path)
    assert settings.key("A_KEY") == SECRET
    assert settings.key("B_KEY") == "environment"
    assert settings.key("C_KEY") == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'[keys]\nA = "{SECRET}', "no valid TOML"),
        ("keys = 1", "must be a table"),
        ("[keys]\nA = 1", "must be strings"),
        ('[prices.x]\ninput = "dear"', "needs input and output"),
    ],
)
def test_a_settings_file_that_cannot_be_read_is_told_without_quoting_it(
    tmp_path: Path, text: str, words: str
) -> None:
    write_settings(tmp_path, text)
    with pytest.raises(InputError, match=words) as failed:
        read_settings(tmp_path)
    assert SECRET not in str(failed.value)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_settings_file_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    write_settings(tmp_path, "", mode)
    with pytest.raises(InputError, match="chmod 600"):
        read_settings(tmp_path)
