"""A toolbox answers every call: what is wrong with it is said in words a model can use."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest

from inforce.errors import DateError, ModelError, NetworkForbiddenError, UserError
from inforce.tools.context import RunContext
from inforce.tools.tool import Arguments, Language, ToolFailure, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

QUERY = {"query": {"type": "array", "items": {"type": "string"}, "minItems": 1}}


@dataclass
class Saying:
    """A tool that does what its test wants."""

    does: Callable[[], Awaitable[ToolResult]]
    name: str = "search"

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, "searches", QUERY)

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        return await self.does()


async def fine() -> ToolResult:
    return ToolResult("好")


async def slow() -> ToolResult:
    await asyncio.sleep(30)
    return ToolResult("too late")


def raising(error: Exception) -> Callable[[], Awaitable[ToolResult]]:
    async def fail() -> ToolResult:
        raise error

    return fail


async def call(
    does: Callable[[], Awaitable[ToolResult]],
    arguments: Any,
    *,
    name: str = "search",
    language: Language = "zh",
) -> ToolResult:
    toolbox = Toolbox([Saying(does)], language=language, timeout=0.05)
    return await toolbox.call(name, arguments, RunContext("?", date(2020, 1, 1)))


async def test_a_good_call_is_answered() -> None:
    assert await call(fine, {"query": ["甲"]}) == ToolResult("好")


@pytest.mark.parametrize(
    "arguments",
    [{}, {"query": "甲"}, {"query": []}, {"query": [1]}, {"query": ["甲"], "n": 1}, None, "甲", []],
    ids=str,
)
async def test_wrong_arguments_are_explained_not_tried(arguments: Any) -> None:
    result = await call(raising(AssertionError("called")), arguments)
    assert result.status == "invalid"
    assert "search" in result.text


@pytest.mark.parametrize(("language", "word"), [("zh", "没有名为"), ("en", "There is no tool")])
async def test_a_tool_that_does_not_exist_is_answered_with_those_that_do(
    language: Language, word: str
) -> None:
    result = await call(fine, {}, name="serach", language=language)
    assert result.status == "invalid"
    assert word in result.text
    assert "search" in result.text


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ToolFailure("服务器不可用"), "failed"),
        (ModelError("no answer"), "failed"),
        (DateError("2月30日", "no such day"), "invalid"),
        (NetworkForbiddenError("switched off"), "not_checked"),
        (RuntimeError("secret-key-123"), "failed"),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_a_tool_that_raises_still_answers(
    error: Exception, status: str, language: Language
) -> None:
    result = await call(raising(error), {"query": ["甲"]}, language=language)
    assert result.status == status
    assert "secret-key-123" not in result.text


async def test_a_tool_that_takes_too_long_has_failed() -> None:
    assert (await call(slow, {"query": ["甲"]})).status == "failed"


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(UserError, match="two tools"):
        Toolbox([Saying(fine), Saying(fine)])


def test_a_users_description_replaces_ours_and_nothing_else() -> None:
    told = Toolbox([Saying(fine), Saying(fine, "other")]).described(
        [ToolSpec("search", "查", QUERY), ToolSpec("unheard of", "x")]
    )
    assert [(spec.name, spec.description) for spec in told] == [
        ("search", "查"),
        ("other", "searches"),
    ]
    assert [spec.description for spec in told.only(["search"])] == ["查"]
