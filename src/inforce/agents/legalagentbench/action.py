"""Reading a model's next action: a JSON block with ``action`` and ``action_input``.

The form is LegalAgentBench's (tables 11 and 13). Models write it more or less well, so there are
two readings of it. ``lenient`` takes what can be understood. ``benchmark`` takes and refuses what
the benchmark's harness takes and refuses, so that runs can be compared with published ones: line
breaks are dropped, single quotes count as double ones, half-width brackets as full-width ones, more
than five columns as all of them, and whatever stands before a call as the name of its tool.
Whether a reply keeps the form to the letter is said in either case (`ActionReply.problems`). Only
the first block counts: what follows it was written without having seen the observation.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, cast

from inforce.tools.tool import ToolSpec

FINAL_ANSWER = "Final Answer"
"""The action that ends a run; its input is the answer."""

_FINISHING = {"final answer", "final_answer", "finalanswer", "finish"}

ReadingRule = Literal["lenient", "benchmark"]

LONGEST_REPLY = 200_000
"""Characters of a reply that are read; what a model writes beyond them is no action."""

MOST_COLUMNS = 5
"""Columns a call may name in the benchmark; with more it is given all there are."""

_ARITHMETIC = {"get_rank", "get_sum", "get_subtraction", "get_multiplication", "get_division"}
_RETRIEVER = "_retriever"
_JSON_BLOCK = re.compile(r"```json(.*?)```", re.DOTALL)
_FENCE = "```"
_LABEL = re.compile(r"^json\s*", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\s*$")
_CALL = re.compile(r"python\s*tool_call\s*[(（](.*)[)）]\s*", re.DOTALL)
_HARNESS_CALL = re.compile(r"pythontool_call[(（](.*)[)）]", re.DOTALL)
_LONGEST_LITERAL = 20_000
"""Characters that are read as Python notation, which takes a stack to parse."""
_FULL_WIDTH = str.maketrans({"'": '"', "(": "（", ")": "）"})


@dataclass(frozen=True, slots=True)
class Action:
    """An action."""

    tool: str
    input: Any
    """As it was written: usually an object, sometimes a bare value (see `arguments`)."""

    @property
    def is_final(self) -> bool:
        """Whether it ends the run with an answer."""
        return self.tool == FINAL_ANSWER

    @property
    def answer(self) -> str:
        """The answer of an action that ends the run."""
        return (
            self.input
            if isinstance(self.input, str)
            else json.dumps(self.input, ensure_ascii=False)
        )

    @property
    def spellings(self) -> tuple[str, ...]:
        """The action as text: in both orders of its parts, and in GLM's notation."""
        given = json.dumps(self.input, ensure_ascii=False)
        return (
            f"action {self.tool} action_input {given}",
            f"action_input {given} action {self.tool}",
            f"{self.tool} pythontool_call {given}",
        )


@dataclass(frozen=True, slots=True)
class ActionReply:
    """The action read from a reply."""

    action: Action | None
    """``None`` where no action could be read."""
    problems: tuple[str, ...] = ()
    """How the reply breaks the form; empty where it keeps it to the letter."""


def read_action(text: str, rule: ReadingRule = "lenient") -> ActionReply:
    """The action of a reply; never raises, whatever the reply is.

    >>> read_action('```json{"action": "get_sum", "action_input": [1, 2]}```').action
    Action(tool='get_sum', input=[1, 2])
    >>> read_action("没有行动").problems
    ('no JSON block',)
    """
    text = text[:LONGEST_REPLY]
    read = _benchmark if rule == "benchmark" else _lenient
    try:
        action = read(text)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        action = None
    problems = _problems(text)
    if action is None and not problems:
        problems = ("not accepted by the benchmark's reading",)
    return ActionReply(action, problems)


def arguments(action: Action, spec: ToolSpec | None) -> Any:
    """The arguments of a call; a bare value is taken for the tool's first parameter.

    >>> spec = ToolSpec("get_sum", "", {"identifier": {}})
    >>> arguments(Action("get_sum", [1, 2]), spec)
    {'identifier': [1, 2]}
    """
    is_bare = not isinstance(action.input, dict)
    if is_bare and spec is not None and spec.parameters:
        return {next(iter(spec.parameters)): action.input}
    return action.input


def _problems(text: str) -> tuple[str, ...]:
    """How a reply breaks the form of the prompt, taken to the letter."""
    blocks = list(_JSON_BLOCK.finditer(text))
    if not blocks:
        return ("no JSON block",)
    found = [f"{len(blocks)} JSON blocks instead of one"] if len(blocks) > 1 else []
    if text[blocks[0].end() :].strip():
        found.append("text after the JSON block")
    try:
        value: Any = json.loads(blocks[0][1])
    except (ValueError, RecursionError) as error:
        return (*found, f"no JSON: {error}")
    if not isinstance(value, dict) or set(cast(dict[str, Any], value)) != {
        "action",
        "action_input",
    }:
        found.append("not an object of action and action_input")
    elif not isinstance(value["action"], str):
        found.append("action is no name")
    return tuple(found)


def _lenient(text: str) -> Action | None:
    """The first block, in whatever notation; else a call in GLM's own notation."""
    block = _JSON_BLOCK.search(text)
    written = block[1] if block else _object(text)
    action = _action(_decoded(written, _json, _literal, _swapped)) if written else _call(text)
    return _finishing(action) if action and action.tool.lower() in _FINISHING else action


def _finishing(action: Action) -> Action:
    """An answer under one of the other names models use for it."""
    given: Any = action.input
    if isinstance(given, dict) and len(cast(dict[str, Any], given)) == 1:
        given = next(iter(cast(dict[str, Any], given).values()))
    return Action(FINAL_ANSWER, given)


def _object(text: str) -> str:
    """An object in a block of another kind, in one that is not closed, or all by itself."""
    parts = [part.strip() for part in text.split(_FENCE)]
    blocks = [_LABEL.sub("", part) for part in parts[1::2]] or parts
    return next((one for one in blocks if one.startswith("{")), "")


def _benchmark(text: str) -> Action | None:
    """As the benchmark's harness reads: quotes swapped, brackets widened, then plain JSON."""
    text = text.replace("\n", "")
    block = _JSON_BLOCK.search(text)
    if not block:
        call = _literal_call(text)
        return _with_columns_only(call) if call else None
    read = json.loads(block[1].translate(_FULL_WIDTH))
    if not isinstance(read, dict) or not {"action", "action_input"} <= set(cast(Any, read)):
        return None
    fields = cast(dict[str, Any], read)
    name = fields["action"]
    return None if name == "" else _with_columns(Action(str(name), fields["action_input"]))


def _action(value: Any) -> Action | None:
    if not isinstance(value, dict) or "action_input" not in value:
        return None
    fields = cast(dict[str, Any], value)
    name = fields.get("action")
    return Action(name.strip(), fields["action_input"]) if isinstance(name, str) and name else None


def _with_columns(action: Action) -> Action:
    """More than five columns, or none named, mean all of them."""
    if not isinstance(action.input, dict) or action.tool in _ARITHMETIC:
        return action
    given = cast(dict[str, Any], action.input)
    if "columns" in given and len(given["columns"]) > MOST_COLUMNS:
        return Action(action.tool, {**given, "columns": []})
    return action


def _with_columns_only(call: Action) -> Action:
    """A call in GLM's notation is refused where it names no columns; in JSON it means all."""
    has_columns = call.tool not in _ARITHMETIC and not call.tool.endswith(_RETRIEVER)
    named = isinstance(call.input, dict) and "columns" in call.input
    return Action(call.tool, None) if has_columns and not named else call


def _call(text: str) -> Action | None:
    """``name```pythontool_call(identifier='…', columns=[…])```, as GLM writes it."""
    parts = text.split(_FENCE)
    name = _NAME.search(parts[0][-80:])
    call = _CALL.fullmatch(parts[1].strip()) if len(parts) == 3 else None
    if not name or not call:
        return None
    written = _expression(f"f({call[1]})")
    if not isinstance(written, ast.Call) or written.args:
        return None
    given = {one.arg: ast.literal_eval(one.value) for one in written.keywords if one.arg}
    return Action(name[0].strip(), given)


def _literal_call(text: str) -> Action | None:
    """The text before the only block is the tool, the block has its arguments.

    They are written as in a call of ``dict``, or in GLM's notation. The harness evaluates them;
    here only literals are read.
    """
    parts = text.split(_FENCE)
    if len(parts) != 3 or not parts[0]:
        return None
    call = _HARNESS_CALL.fullmatch(parts[1])
    written = _expression(f"dict({call[1] if call else parts[1]})")
    if not isinstance(written, ast.Call) or not isinstance(written.func, ast.Name):
        return None
    given: dict[str, Any] = dict(*map(ast.literal_eval, written.args))
    named = {one.arg: ast.literal_eval(one.value) for one in written.keywords if one.arg}
    return Action(parts[0], given | named)


def _decoded(text: str, *ways: Callable[[str], Any]) -> Any:
    """The value of a text in the first notation that fits."""
    for way in ways:
        try:
            return way(text.strip())
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    raise ValueError("in no notation")


def _json(text: str) -> Any:
    return json.loads(text, strict=False)


def _literal(text: str) -> Any:
    return ast.literal_eval(_expression(text))


def _swapped(text: str) -> Any:
    return json.loads(text.replace("'", '"'), strict=False)


def _expression(text: str) -> ast.expr:
    if len(text) > _LONGEST_LITERAL:
        raise ValueError("too long for Python notation")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        return ast.parse(text, mode="eval").body
