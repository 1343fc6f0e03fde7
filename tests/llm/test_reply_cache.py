"""A kept reply is given again, to everyone alike, and a replay pays for nothing."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from inforce import network
from inforce.errors import InputError, ModelError, StorageError
from inforce.llm.budget import Budget, within
from inforce.llm.cache import CachedModel, request_key
from inforce.llm.chat import GREEDY, Message, Reply, Sampling, Usage
from inforce.llm.models import ModelOptions, open_model
from inforce.llm.providers import KEY_VARIABLE
from inforce.llm.settings import Settings
from openai_server import openai_server

pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")

HELLO = [Message("system", "be brief"), Message("user", "hello")]


class Counted:
    """A model that says how often it was asked."""

    name = "counted"

    def __init__(self, usage: Usage) -> None:
        self.usage = usage
        self.calls = 0

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        self.calls += 1
        said = f"ok {self.calls}"
        await asyncio.sleep(0.001)
        return Reply(said, self.usage)


async def test_the_same_request_is_paid_for_once(tmp_path: Path) -> None:
    model = Counted(Usage(1, 7, 3))
    replies = [await CachedModel(model, tmp_path / "c.db").reply(HELLO) for _ in range(3)]
    assert model.calls == 1
    assert replies[-1] == Reply("ok 1", Usage(1, 7, 3), cached=True)


async def test_another_question_or_sampling_is_another_request(tmp_path: Path) -> None:
    model = Counted(Usage(1))
    cached = CachedModel(model, tmp_path / "c.db")
    await cached.reply(HELLO)
    await cached.reply(HELLO[:1])
    await cached.reply(HELLO, Sampling(max_tokens=5))
    assert model.calls == 3


async def test_a_drawn_reply_is_not_kept_unless_it_is_seeded(tmp_path: Path) -> None:
    model = Counted(Usage(1))
    cached = CachedModel(model, tmp_path / "c.db")
    for sampling in (Sampling(1.0), Sampling(1.0), Sampling(1.0, seed=1), Sampling(1.0, seed=1)):
        await cached.reply(HELLO, sampling)
    assert model.calls == 3


async def test_replay_answers_what_was_kept_and_pays_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    with openai_server(lambda _: "hi") as server:
        kept = ModelOptions(cache=path, settings=Settings())
        model = server.model
        await open_model(model, options=kept).reply(HELLO)
    replay = ModelOptions(cache=path, cache_mode="replay", settings=Settings())
    with network.restrict("off"):
        again = open_model(model, options=replay)
        assert (await again.reply(HELLO)).text == "hi"
        with pytest.raises(ModelError, match="not recorded"):
            await again.reply([Message("user", "something else")])


def test_replay_needs_a_recording_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no cache"):
        CachedModel(Counted(Usage(1)), tmp_path / "none.db", mode="replay")
    (tmp_path / "bad.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(InputError, match="no usable cache"):
        CachedModel(Counted(Usage(1)), tmp_path / "bad.db")


async def test_the_same_asked_at_the_same_time_is_asked_once(tmp_path: Path) -> None:
    model = Counted(Usage(1))
    cached = CachedModel(model, tmp_path / "c.db")
    replies = await asyncio.gather(*(cached.reply(HELLO) for _ in range(20)))
    assert model.calls == 1
    assert {one.text for one in replies} == {"ok 1"}
    assert sum(not one.cached for one in replies) == 1


async def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    class Failing(Counted):
        async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
            reply = await super().reply(messages, sampling)
            if self.calls == 1:
                raise ModelError("no answer")
            return reply

    cached = CachedModel(Failing(Usage(1)), tmp_path / "c.db")
    with pytest.raises(ModelError):
        await cached.reply(HELLO)
    assert (await cached.reply(HELLO)).text == "ok 2"


async def test_money_is_kept_to_the_last_digit(tmp_path: Path) -> None:
    cost = Decimal("0.0000123")
    model = CachedModel(Counted(Usage(1, 7, 3, cost)), tmp_path / "c.db")
    await model.reply(HELLO)
    reply = await model.reply(HELLO)
    assert (reply.cached, reply.usage.money) == (True, cost)


async def test_no_key_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "sk-very-secret")
    path = tmp_path / "c.db"
    with openai_server(lambda _: "hi") as server:
        options = ModelOptions(cache=path, settings=Settings())
        await open_model(server.model, options=options).reply(HELLO)
    assert server.keys == ["Bearer sk-very-secret"]
    assert b"sk-very-secret" not in path.read_bytes()


async def test_a_damaged_entry_is_told(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    cached = CachedModel(Counted(Usage(1)), path)
    await cached.reply(HELLO)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE replies SET reply = ?", (b"{torn",))
    with pytest.raises(InputError, match="kept reply"):
        await cached.reply(HELLO)


def test_a_key_tells_requests_apart_and_is_the_same_in_every_process() -> None:
    keys = {
        request_key("m", HELLO, GREEDY),
        request_key("n", HELLO, GREEDY),
        request_key("m", HELLO[::-1], GREEDY),
        request_key("m", HELLO, Sampling(seed=1)),
    }
    assert len(keys) == 4
    assert request_key("m", [Message("user", "\ud83d")], GREEDY)
    code = (
        "from inforce.llm.cache import request_key as key;"
        "from inforce.llm.chat import GREEDY, Message as M;"
        "print(key('m', [M('system', 'be brief'), M('user', 'hello')], GREEDY))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == request_key("m", HELLO, GREEDY)


def test_a_replay_needs_no_price_for_a_limit_in_dollars(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    CachedModel(Counted(Usage(1)), path)
    options = ModelOptions(cache=path, cache_mode="replay", settings=Settings())
    replayed = open_model("http://127.0.0.1:9/v1#m", options=options)
    assert within(replayed, Budget(money=Decimal(1))).name == "http://127.0.0.1:9/v1#m"


WRITER = """
import asyncio, sys
from pathlib import Path
from inforce.llm.cache import CachedModel
from inforce.llm.chat import Message
from inforce.llm.chat import PolicyModel

async def write():
    cached = CachedModel(PolicyModel(lambda turns: turns[0].content), Path(sys.argv[1]))
    for number in range(40):
        assert (await cached.reply([Message("user", str(number))])).text == str(number)

asyncio.run(write())
"""


def test_processes_share_a_cache(tmp_path: Path) -> None:
    path = str(tmp_path / "c.db")
    command = [sys.executable, "-c", WRITER, path]
    writers = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    assert [writer.communicate()[1] for writer in writers] == [b"", b"", b""]
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM replies").fetchone() == (40,)


async def test_a_full_disk_loses_no_reply_and_pays_for_no_further_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Counted(Usage(1))
    cached = CachedModel(model, tmp_path / "c.db")
    await cached.reply(HELLO)
    size = (tmp_path / "c.db").stat().st_size
    opened = sqlite3.connect

    def small(path: Path, timeout: float) -> sqlite3.Connection:
        database = opened(path, timeout=timeout)
        database.execute(f"PRAGMA max_page_count = {size // 4096}")
        return database

    monkeypatch.setattr(sqlite3, "connect", small)
    long = [Message("user", "x")]

    async def long_reply(*_: object) -> Reply:
        return Reply("long " * 10_000, Usage(1))

    monkeypatch.setattr(model, "reply", long_reply)
    assert (await cached.reply(long)).text.startswith("long")
    with pytest.raises(StorageError, match="is full"):
        await cached.reply([Message("user", "y")])
    assert (await cached.reply(HELLO)).text == "ok 1"
