"""Models behind an API: what they answer, what that costs, and what goes wrong with them."""

from __future__ import annotations

import asyncio
import gzip
import json
import stat
import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as given_settings
from hypothesis import strategies as st

from inforce import network
from inforce.errors import ModelError, NetworkForbiddenError, UserError
from inforce.llm.chat import Message, Reply, Sampling, Usage
from inforce.llm.models import ModelOptions, open_model
from inforce.llm.providers import KEY_VARIABLE
from inforce.llm.served import CallOptions
from inforce.llm.settings import Price, Settings
from openai_server import Answer, OpenAIServer, completion, openai_server

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
    with pytest.raises(ModelError, match=r"no connection to its server \(Connect call failed"):
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


async def test_a_reply_is_what_the_model_wrote_to_the_character() -> None:
    for text in (
        "<plan>p</plan><think> a </think>b<think>c</think>\n",
        "<think>never closed",
        "</think> closed only",
        " \n\t",
    ):
        with scripted(text) as server:
            assert (await ask(server)).text == text


async def test_half_a_character_is_marked_and_never_breaks_a_file_or_a_request() -> None:
    body = completion(Answer("HALF")).replace(b"HALF", rb"a\ud83db")
    with scripted(Answer(body=body), "ok") as server:
        model = open_model(server.model, options=FAST)
        reply = await model.reply(HELLO)
        assert reply.text == "a\N{REPLACEMENT CHARACTER}b"
        assert (await model.reply([Message("user", "\ud83d")])).text == "ok"


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_thinking_reported_apart_is_put_before_the_text(field: str) -> None:
    document = json.loads(completion(Answer("四年")))
    document["choices"][0]["message"][field] = "盗窃"
    with scripted(Answer(body=json.dumps(document).encode())) as server:
        assert (await ask(server)).text == "<think>盗窃</think>\n四年"


def test_a_model_serves_one_event_loop_after_another() -> None:
    async def crowd() -> int:
        return len(await asyncio.gather(*(model.reply(HELLO) for _ in range(20))))

    with openai_server(lambda _: Answer("ok", seconds=0.001)) as server:
        model = open_model(server.model, options=FAST)
        assert [asyncio.run(crowd()) for _ in range(3)] == [20, 20, 20]


async def test_a_wait_until_a_time_of_day_is_kept_too() -> None:
    later = formatdate(time.time() + 3600, usegmt=True)
    busy = Answer(status=429, body=b"{}", headers={"Retry-After": later})
    with openai_server(lambda _: busy) as server, pytest.raises(ModelError, match="429"):
        await asyncio.wait_for(ask(server), 5)
    assert len(server.requests) == 1


async def test_an_account_that_is_empty_is_not_asked_again() -> None:
    empty = {"error": {"message": "you exceeded your quota", "code": "insufficient_quota"}}
    with (
        openai_server(lambda _: Answer(status=429, body=json.dumps(empty).encode())) as server,
        pytest.raises(ModelError, match="quota"),
    ):
        await ask(server)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
@pytest.mark.parametrize("padding", [0, 150, 190, 198])
async def test_no_part_of_a_key_is_shown_wherever_the_message_is_cut(
    status: int, padding: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    echo = json.dumps({"error": "x" * padding + f" Authorization: Bearer {SECRET}"}).encode()
    once = ModelOptions(CallOptions(attempts=1), settings=Settings())
    with (
        openai_server(lambda _: Answer(status=status, body=echo)) as server,
        pytest.raises(ModelError) as failed,
    ):
        await ask(server, once)
    assert SECRET[:6] not in str(failed.value)


async def test_a_key_that_is_not_ours_is_not_shown_either() -> None:
    echo = b'{"error": "Bearer abcdefghij and sk-proj-0123456789 are wrong"}'
    with (
        openai_server(lambda _: Answer(status=400, body=echo)) as server,
        pytest.raises(ModelError) as failed,
    ):
        await ask(server)
    assert "abcdefghij" not in str(failed.value)
    assert "0123456789" not in str(failed.value)


async def test_a_missing_address_says_where_it_was_asked() -> None:
    with scripted(Answer(status=404, body=b"{}")) as server:
        model = open_model(f"{server.url}#tiny", options=FAST)
        with pytest.raises(ModelError, match=f"{server.url}/chat/completions"):
            await model.reply(HELLO)


async def test_ones_own_server_is_asked_for_max_tokens_by_the_name_all_know() -> None:
    with scripted("ok") as server:
        await open_model(server.model, options=FAST).reply(HELLO, Sampling(max_tokens=9))
    assert server.requests[0]["max_tokens"] == 9


async def test_openai_is_asked_for_chat_completions_with_stop_words_and_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with scripted("ok") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        model = open_model("openai:gpt-4o-mini", options=FAST)
        await model.reply(HELLO, Sampling(stop=("</answer>",), seed=3))
    (request,) = server.requests
    assert (request["model"], request["stop"], request["seed"]) == (
        "gpt-4o-mini",
        ["</answer>"],
        3,
    )
    assert server.keys == [f"Bearer {SECRET}"]


async def test_a_list_price_is_charged_where_the_library_knows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    document = json.loads(completion(Answer("ok", tokens=(1_000_000, 0))))
    document["model"] = "gpt-4o-mini"
    with scripted(Answer(body=json.dumps(document).encode())) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        reply = await open_model("openai:gpt-4o-mini", options=FAST).reply(HELLO)
    assert reply.usage.money is not None
    assert Decimal("0.01") < reply.usage.money < Decimal(10)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "usage", "finish_reason", "created"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def whatever() -> Iterator[tuple[OpenAIServer, list[bytes]]]:
    bodies = [b""]
    with openai_server(lambda _: Answer(body=bodies[0])) as server:
        yield server, bodies


@given(replaced=st.dictionaries(st.sampled_from(["choices", "usage", "created", "model"]), JSON))
@given_settings(deadline=None, max_examples=60)
def test_an_answer_of_any_shape_is_a_reply_or_a_model_error(
    whatever: tuple[OpenAIServer, list[bytes]], replaced: dict[str, Any]
) -> None:
    server, bodies = whatever
    bodies[0] = json.dumps({**json.loads(completion(Answer("ok"))), **replaced}).encode()
    try:
        reply = asyncio.run(ask(server))
    except ModelError as error:
        assert "no answer" in str(error)
    else:
        assert isinstance(reply.text, str)


@pytest.mark.parametrize(
    "options", [{"attempts": 0}, {"at_once": 0}, {"timeout": 0}, {"first_wait": -1}], ids=str
)
def test_a_call_that_could_never_be_made_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(UserError, match="zero"):
        CallOptions(**options)


async def test_a_reply_that_is_too_large_is_given_up_and_not_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inforce.llm.providers.MAX_REPLY", 100_000)
    with scripted("x" * 90_000, "x" * 200_000) as server:
        assert len((await ask(server)).text) == 90_000
        with pytest.raises(ModelError, match=r"tiny.*its reply is larger than 100,000 bytes"):
            await ask(server)
    assert len(server.requests) == 2


async def test_a_reply_that_is_packed_is_not_unpacked() -> None:
    body = gzip.compress(completion(Answer("x" * 1_000_000)))
    packed = Answer(body=body, headers={"Content-Encoding": "gzip"})
    refused = pytest.raises(ModelError, match="its reply is packed .'gzip'., which was not asked")
    with scripted(packed) as server, refused:
        await ask(server)
    assert len(server.requests) == 1


async def test_a_key_that_a_reply_repeats_is_in_no_reply_trace_or_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    monkeypatch.setenv("OTHER_API_KEY", "another-secret-key")
    stored = Settings(keys={"THIRD": "third-secret-key"})
    said = f"your key is {SECRET}, and another-secret-key, third-secret-key, but 累犯 stays"
    cache = tmp_path / "replies.db"
    with scripted(said, said) as server:
        options = replace(FAST, settings=stored)
        reply = await ask(server, options)
        await ask(server, replace(options, cache=cache))
    assert reply.text == "your key is …, and …, …, but 累犯 stays"
    assert b"secret" not in cache.read_bytes()
    assert stat.S_IMODE(cache.stat().st_mode) == 0o600
