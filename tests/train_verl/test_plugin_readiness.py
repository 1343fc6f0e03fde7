"""A run that could not work is stopped before anything starts, with a word a person can act on."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from inforce.errors import UserError
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.llm.models import open_model
from inforce.train.verl_plugin import environments
from inforce.train.verl_plugin.environments import check
from inforce.train.verl_plugin.settings import Settings, read_settings


def settings(world: dict[str, str], **changed: Any) -> Settings:
    return read_settings({"world": world, **changed})


def refused(asked: Settings) -> str:
    with pytest.raises(UserError) as raised:
        asyncio.run(check("r1", asked))
    assert type(pickle.loads(pickle.dumps(raised.value))) is UserError  # as Ray hands it on
    return str(raised.value)


def test_a_corpus_there_is_not_is_named(starter_world: dict[str, str]) -> None:
    said = refused(settings({**starter_world, "corpus": "/nowhere/law.db"}))
    assert said.startswith("inforce.world: ")
    assert "/nowhere/law.db" in said


def test_a_source_there_is_not_is_named(starter_world: dict[str, str]) -> None:
    assert "no source is called" in refused(settings({**starter_world, "sources": "statuts"}))


@pytest.mark.parametrize("judge", ["Qwen3-32B", "http://127.0.0.1:9/v1#Qwen/Qwen3-32B"])
def test_a_judge_that_does_not_answer_is_named(starter_world: dict[str, str], judge: str) -> None:
    said = refused(settings(starter_world, judge=judge))
    assert said.startswith("inforce.judge: ")


def test_a_judge_that_answers_is_asked_once_and_shortly(
    starter_world: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sampling] = []

    class Judge:
        async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
            asked.append(sampling)
            return Reply("2")

    def opened(name: str, **given: Any) -> Any:
        return Judge() if name == "openai:judge" else open_model(name, **given)

    monkeypatch.setattr(environments, "open_model", opened)
    asyncio.run(check("r1", settings(starter_world, judge="openai:judge")))
    assert [one.max_tokens for one in asked] == [16]


def test_without_a_judge_nobody_is_asked(
    starter_world: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def noted(name: str, **given: Any) -> Any:
        opened.append(name)
        return open_model(name, **given)

    monkeypatch.setattr(environments, "open_model", noted)
    asyncio.run(check("r1", settings(starter_world)))
    assert opened == ["offline"]  # what tools ask that read pages


def test_an_agent_that_is_none_of_ours_needs_no_world_of_ours() -> None:
    nowhere = {"today": "2020-01-25", "corpus": "/nowhere/law.db"}
    asyncio.run(check(None, settings(nowhere)))
