"""Models by their ids, for our agents and for those of pydantic-ai."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from inforce.errors import InputError, MissingExtraError, ModelError
from inforce.llm.chat import Message
from inforce.llm.models import ModelOptions, open_model, pydantic_model
from inforce.llm.settings import Settings
from openai_server import openai_server

pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")

FAST = ModelOptions(settings=Settings())


@pytest.mark.parametrize(
    "model",
    [
        "",
        "nonsense",
        "http://host/v1",
        "http://host/v1#",
        "http://#name",
        "http://host:port/v1#name",
        "http://[::1/v1#name",
        "#name",
        ":",
        "openai:",
        "openai: ",
        "recorded:",
    ],
)
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
    with openai_server(lambda _: "served") as server:
        async with Agent(pydantic_model(server.model)) as agent:
            assert (await agent.run("abc")).output == "served"


async def test_a_recording_serves_pydantic_ai(tmp_path: Path) -> None:
    from pydantic_ai import Agent

    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"question": "who?", "completions": ["nobody"]}), encoding="utf-8")
    assert (await Agent(pydantic_model(f"recorded:{path}")).run("who?")).output == "nobody"


async def test_pydantic_ai_hands_our_models_the_conversation_as_turns() -> None:
    from pydantic_ai import Agent

    seen: list[Sequence[Message]] = []

    def policy(turns: Sequence[Message]) -> str:
        seen.append(turns)
        return "yes"

    agent = Agent(pydantic_model("offline", policy=policy), instructions="be brief")
    first = await agent.run("one")
    await agent.run("two", message_history=first.all_messages())
    assert [(one.role, one.content) for one in seen[-1]] == [
        ("system", "be brief"),
        ("user", "one"),
        ("assistant", "yes"),
        ("user", "two"),
    ]


async def test_what_pydantic_ai_is_told_can_be_kept_too(tmp_path: Path) -> None:
    from pydantic_ai import Agent

    options = ModelOptions(cache=tmp_path / "c.db", settings=Settings())
    with openai_server(lambda _: "served") as server:
        for _ in range(2):
            agent = Agent(pydantic_model(server.model, options=options))
            assert (await agent.run("abc")).output == "served"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "address", ["http://me:pass@host/v1#m", "http://host/v1?key=pass#m", "https://pass@host/v1#m"]
)
def test_an_address_that_holds_a_secret_is_refused_without_showing_it(address: str) -> None:
    with pytest.raises(ModelError, match="leave them out") as failed:
        open_model(address, options=FAST)
    assert "pass@" not in str(failed.value)
    assert "key=" not in str(failed.value)


def test_a_provider_without_its_key_says_which_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        open_model("openai:gpt-4o-mini", options=FAST)


def test_keys_of_the_settings_reach_every_provider_with_a_key() -> None:
    keys = {"DEEPSEEK_API_KEY": "sk-1234567890", "OPENROUTER_API_KEY": "sk-1234567890"}
    options = ModelOptions(settings=Settings(keys))
    for model in ("deepseek:deepseek-chat", "openrouter:qwen/qwen3-8b"):
        assert open_model(model, options=options).name == model
        assert pydantic_model(model, options=options).client.max_retries == 0


def test_a_provider_nobody_knows_is_refused() -> None:
    with pytest.raises(ModelError, match="nosuch"):
        open_model("nosuch:model", options=FAST)


async def test_a_rule_is_not_kept_in_a_cache_since_it_may_change(tmp_path: Path) -> None:
    options = ModelOptions(cache=tmp_path / "c.db")
    for says in ("a", "b"):
        model = open_model("offline", options=options, policy=lambda _, says=says: says)
        assert (await model.reply([Message("user", "?")])).text == says


def test_a_recording_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        open_model(f"recorded:{tmp_path / 'none.jsonl'}")


def test_without_the_extra_rules_and_recordings_work_and_servers_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"question": "who?", "completions": ["nobody"]}), encoding="utf-8")
    for name in [one for one in sys.modules if one.partition(".")[0] == "pydantic_ai"]:
        monkeypatch.setitem(sys.modules, name, None)
    assert open_model("offline", policy=lambda _: "").name == "offline"
    assert open_model(f"recorded:{path}").name == "recorded:run.jsonl"
    for opening in (open_model, pydantic_model):
        with pytest.raises(MissingExtraError, match=r"inforce\[llm\]"):
            opening("http://127.0.0.1:9/v1#m", options=FAST)
    with pytest.raises(MissingExtraError, match=r"inforce\[llm\]"):
        pydantic_model("offline", policy=lambda _: "")


@pytest.mark.parametrize(
    "id", ["a:b\t#m", "a:b\u200b#m", "http://h/\tv1#m", "a:" + "b" * 70_000 + "#m"]
)
def test_an_id_that_no_address_can_hold_names_no_model(id: str) -> None:
    with pytest.raises(ModelError, match="no model is called"):
        open_model(id)
