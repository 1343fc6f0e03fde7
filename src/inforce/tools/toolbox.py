"""The toolbox of a run: calls are checked and answered, and never raise."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any

from jsonschema import Draft202012Validator

from inforce.errors import (
    DateError,
    IdentifierError,
    InforceError,
    NetworkForbiddenError,
    UnknownWorkError,
    UserError,
)
from inforce.tools.context import RunContext
from inforce.tools.disclosure import Why
from inforce.tools.tool import (
    Language,
    Tool,
    ToolFailure,
    ToolResult,
    ToolSpec,
    ToolStatus,
    reach_of,
)

DEFAULT_TIMEOUT = 120.0
"""Seconds a tool may take."""

_LONGEST_WORD = 1_000
"""Characters of a name or a problem that a message repeats."""

_CORRECTABLE = (DateError, IdentifierError, UnknownWorkError)
"""Mistakes in the arguments that only the tool itself can see."""

_LOG = logging.getLogger(__name__)

_MESSAGES: dict[Language, dict[str, str]] = {
    "zh": {
        "unknown": "没有名为“{name}”的工具。可用的工具：{names}。请改用其中之一。",
        "invalid": "工具 {name} 的参数有误：{problem}。请更正后重新调用。",
        "timeout": "工具 {name} 超过 {seconds:g} 秒未返回，本次没有结果；可换用其他查询或工具。",
        "failed": "工具 {name} 未能完成：{problem}。这不表示不存在相关内容。",
        "broken": "工具 {name} 发生内部错误，本次没有结果。这不表示不存在相关内容。",
        "private": (
            "工具 {name} 未执行：这次调用会把 {sources} 读到的非公开内容发往外部。"
            "请用提问人自己的话和一般法律用语重新检索，不要写入文件中的姓名、数额或原句。"
        ),
    },
    "en": {
        "unknown": "There is no tool named {name!r}. Tools: {names}. Use one of these.",
        "invalid": "Wrong arguments for {name}: {problem}. Correct them and call again.",
        "timeout": (
            "{name} did not answer within {seconds:g} seconds; there is no result. "
            "Try another query or tool."
        ),
        "failed": "{name} failed: {problem}. This does not mean that nothing exists.",
        "broken": "{name} broke; there is no result. This does not mean that nothing exists.",
        "private": (
            "{name} was not called: the call would send out private text that {sources} read. "
            "Search again in the person's own words and general legal terms, without names, "
            "amounts or sentences of the files."
        ),
    },
}

_WHY: dict[Why, str] = {
    "shared": "it shares a passage with private text",
    "pieces": "with earlier calls it puts private text together piece by piece",
    "code": "it holds a word nobody but the model wrote",
    "volume": "it has more new words than a run with private text may send",
    "too_much": "more private text was read than can be compared with",
}
"""Why a call would disclose private text, in the words of the trace."""


class Toolbox:
    """The tools an agent may use, by name.

    Args:
        tools: the tools; names must differ.
        language: in which mistakes are explained to the model.
        timeout: seconds one call may take.
        allow_outward: whether private text may be sent out; see `inforce.tools.disclosure`.
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        *,
        language: Language = "zh",
        timeout: float = DEFAULT_TIMEOUT,
        allow_outward: bool = False,
    ) -> None:
        self.language: Language = language
        self._timeout = timeout
        self._allow_outward = allow_outward
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.spec.name in self._tools:
                raise UserError(f"two tools are named {tool.spec.name!r}")
            self._tools[tool.spec.name] = tool
        self._specs = {name: tool.spec for name, tool in self._tools.items()}
        self._validators: dict[str, Draft202012Validator] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[ToolSpec]:
        return iter(self._specs.values())

    def __len__(self) -> int:
        return len(self._tools)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tools, in the order they were given."""
        return tuple(self._tools)

    def only(self, names: Iterable[str]) -> Toolbox:
        """A toolbox with some of the tools; names it does not have are left out."""
        chosen = copy(self)
        known = [name for name in dict.fromkeys(names) if name in self._tools]
        chosen._tools = {name: self._tools[name] for name in known}
        chosen._specs = {name: self._specs[name] for name in known}
        return chosen

    def described(self, specs: Iterable[ToolSpec]) -> Toolbox:
        """The same tools with other descriptions: a user's own, or in another language."""
        described = copy(self)
        others = {spec.name: spec for spec in specs}
        described._specs = {name: others.get(name, spec) for name, spec in self._specs.items()}
        return described

    async def call(self, name: str, arguments: Any, context: RunContext) -> ToolResult:
        """Call a tool; whatever happens, there is a result the model can act on."""
        tool = self._tools.get(name)
        if tool is None:
            return self._refused("unknown", name=name, names="、".join(self._tools) or "-")
        if problem := self._problem(tool.spec, arguments):
            return self._refused("invalid", name=name, problem=problem)
        if reach_of(tool) == "outward" and (refused := self._disclosure(name, arguments, context)):
            return refused
        result = await self._answer(tool, name, arguments, context)
        self._observe(tool, arguments, result, context)
        return result

    def replayed(self, name: str, arguments: Any, result: ToolResult, context: RunContext) -> None:
        """Take note of an answer from an earlier part of the run."""
        tool = self._tools.get(name)
        if tool is not None and result.status != "invalid":
            if reach_of(tool) == "outward":
                context.guard.send(arguments)
            self._observe(tool, arguments, result, context)

    def _observe(self, tool: Tool, arguments: Any, result: ToolResult, context: RunContext) -> None:
        read = [result.text]
        for one in result.evidence:
            read += [one.title, one.text, one.url]
        context.guard.tool_returned(tool.spec.name, reach_of(tool), "\n".join(read), arguments)

    def _disclosure(self, name: str, arguments: Any, context: RunContext) -> ToolResult | None:
        """The refusal of a call that would send private text out, unless the person allows it."""
        found = context.guard.disclosure(arguments)
        if found is not None:
            action = "sent (allowed with --allow-outward)" if self._allow_outward else "refused"
            context.guard.note(  # does not repeat the private text
                f"{name} {action}: {_WHY[found.why]} ({found.characters} characters; private text "
                f"was read by {', '.join(found.sources)})"
            )
            if not self._allow_outward:
                return self._refused("private", name=name, sources=", ".join(found.sources))
        context.guard.send(arguments)
        return None

    async def _answer(
        self, tool: Tool, name: str, arguments: Any, context: RunContext
    ) -> ToolResult:
        try:
            async with asyncio.timeout(self._timeout):
                return await tool(arguments, context)
        except TimeoutError:
            return self._refused("timeout", status="failed", name=name, seconds=self._timeout)
        except _CORRECTABLE as error:
            return self._refused("invalid", name=name, problem=error)
        except NetworkForbiddenError as error:
            return self._refused("failed", status="not_checked", name=name, problem=error)
        except (ToolFailure, InforceError) as error:
            return self._refused("failed", status="failed", name=name, problem=error)
        except Exception:
            _LOG.exception("the tool %s broke", name)
            return self._refused("broken", status="failed", name=name)

    def _problem(self, spec: ToolSpec, arguments: Any) -> str:
        """Describe the first mistake in the arguments; empty if there is none."""
        if spec.name not in self._validators:  # making one takes longer than a search
            self._validators[spec.name] = Draft202012Validator(spec.schema)
        found = self._validators[spec.name].iter_errors(arguments)
        errors = sorted(found, key=lambda error: list(map(str, error.path)))
        if not errors:
            return ""
        where = ".".join(map(str, errors[0].path))
        return f"{where}: {errors[0].message}" if where else errors[0].message

    def _refused(self, key: str, *, status: ToolStatus = "invalid", **words: object) -> ToolResult:
        """An answer that says why there is none; words of the model are repeated, but cut."""
        shown: dict[str, object] = {}
        for name, word in words.items():
            text = str(word)
            shown[name] = word if len(text) <= _LONGEST_WORD else f"{text[:_LONGEST_WORD]}…"
        return ToolResult(_MESSAGES[self.language][key].format(**shown), status)
