"""The protocol of LegalSearch-R1 (section 3.2): reading a round, and checking a whole run.

A round is ``<think>`` and then one action: ``<plan>``, ``<tool_call>`` or ``<answer>``. The first
action is a plan. A tool call is JSON, ``{"name": …, "arguments": {…}}``, or a list of such objects.
The environment answers with ``<tool_response>``, which a model never writes itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from inforce.agents.runtime.tags import Part, Validity, Violation, read_tags, tag_counts
from inforce.documents.safe_yaml import YamlError, read_yaml
from inforce.llm.chat import Message

ACTIONS = ("plan", "tool_call", "answer")
TAGS = ("think", *ACTIONS)
RESPONSE = "tool_response"

_LONGEST_CALL = 20_000
"""Characters of a tool call that are read."""

_MOST_REPAIRED = 20_000
"""Characters of all tool calls of a reply that are read although they are not JSON, which takes a
hundred times as long."""

_LEAST_REPAIRED = 500
"""Characters that the shortest of them counts as."""

_FENCE = re.compile(r"^```[a-zA-Z]*\s*|\s*```$")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool, as a model wrote it."""

    name: str
    arguments: Any

    @property
    def key(self) -> str:
        """Equal for equal calls, however they were written."""
        return json.dumps([self.name, self.arguments], ensure_ascii=False, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a model."""

    own_text: str
    """The reply up to where the model began to write the environment's part."""
    think: str
    plan: str
    calls: tuple[ToolCall, ...]
    unreadable: tuple[str, ...]
    """Tool calls whose JSON has no plain meaning: what is wrong with each."""
    answer: str | None
    """``None`` where it gives none."""
    validity: Validity
    is_open: bool = False
    """Whether its last part was begun and not ended."""


def read_round(text: str, *, first: bool = False) -> Round:
    """Read one round: tolerantly, with a strict record of violations; the first must plan."""
    read = read_tags(text, TAGS, environment=(RESPONSE,))
    calls: list[ToolCall] = []
    unreadable: list[str] = []
    broken = list(read.validity.violations)
    repairable = _MOST_REPAIRED
    for written in read.of("tool_call"):
        try:
            found, violation = _read_calls(written, repairable)
            calls += found
        except (ValueError, TypeError, RecursionError) as error:
            violation = Violation("unreadable", str(error))
            unreadable.append(str(error))
        if violation is not None:
            broken.append(violation)
            repairable -= max(len(written), _LEAST_REPAIRED)
    broken += _misplaced(read.parts, first=first)
    answers = [one for one in read.of("answer") if one]
    return Round(
        read.own_text,
        "\n".join(read.of("think")),
        "\n".join(read.of("plan")),
        tuple(calls),
        tuple(unreadable),
        answers[0] if answers else None,
        Validity(tuple(broken)),
        read.is_open,
    )


def format_gate(messages: Sequence[Message]) -> Validity:
    """Check the format of a whole run: the gate of the paper's reward.

    Each of think, plan, tool_call, answer and tool_response occurs, opened as often as closed and
    opened first, and there are as many thoughts as actions. Only what the model wrote is counted
    for the model's tags and only what the environment wrote for its own: a ``<tool_response>`` made
    up by the model breaks the format.
    """
    written = "\n".join(one.content for one in messages if one.role == "assistant")
    observed = "\n".join(one.content for one in messages if one.role == "user")
    broken = [*_unpaired(written, TAGS), *_unpaired(observed, (RESPONSE,))]
    if f"<{RESPONSE}>" in written or f"</{RESPONSE}>" in written:
        broken.append(Violation("fabricated", RESPONSE))
    broken += _uncounted(written)
    return Validity(tuple(broken))


def text_gate(trajectory: str) -> Validity:
    """Check the format of one text in which the model's and the environment's parts are mixed.

    This is the released reward's own reading; it cannot tell who wrote what. Prefer `format_gate`.
    """
    broken = [*_unpaired(trajectory, (*TAGS, RESPONSE)), *_uncounted(trajectory)]
    return Validity(tuple(broken))


def _unpaired(text: str, tags: Sequence[str]) -> list[Violation]:
    broken: list[Violation] = []
    for tag in tags:
        opened, closed = tag_counts(text, tag)
        if opened == 0:
            broken.append(Violation("missing", tag))
        elif opened != closed:
            broken.append(Violation("count", f"{tag}: {opened} opened, {closed} closed"))
        elif text.rfind(f"</{tag}>") < text.rfind(f"<{tag}>"):
            broken.append(Violation("order", f"{tag} is closed before it is opened"))
    return broken


def _uncounted(text: str) -> list[Violation]:
    thoughts = tag_counts(text, "think")[0]
    actions = sum(tag_counts(text, action)[0] for action in ACTIONS)
    if thoughts == actions:
        return []
    return [Violation("count", f"{thoughts} thoughts, {actions} actions")]


def _misplaced(parts: Sequence[Part], *, first: bool) -> list[Violation]:
    """Violations of the order of a round."""
    tags = [part.tag for part in parts]
    actions = [tag for tag in tags if tag in ACTIONS]
    broken: list[Violation] = []
    if not tags or tags[0] != "think":
        broken.append(Violation("order", "a round begins with think"))
    if not actions:
        broken.append(Violation("missing", "plan, tool_call or answer"))
    if len(actions) > 1 and not _pairs(tags):
        broken.append(Violation("several", ", ".join(actions)))
    if first and "plan" not in actions:
        broken.append(Violation("missing", "plan"))
    broken += [Violation("empty", part.tag) for part in parts if not part.text]
    return broken


def _pairs(tags: Sequence[str]) -> bool:
    """Whether each thought is followed by exactly one action."""
    thinks = [tag == "think" for tag in tags]
    return thinks == [True, False] * (len(tags) // 2)


def _read_calls(text: str, repairable: int) -> tuple[list[ToolCall], Violation | None]:
    """The calls of one ``<tool_call>``; a violation where it had to be repaired.

    Raises:
        ValueError, TypeError, RecursionError: if it has no plain meaning.
    """
    value, repaired = _json(text, repairable)
    entries = cast("list[Any]", value) if isinstance(value, list) else [value]
    calls = list(map(_call, entries))
    for call in calls:
        call.key.encode()  # half a character (a lone surrogate) is no text
    return calls, repaired


def _json(text: str, repairable: int) -> tuple[Any, Violation | None]:
    """The JSON of a text; what is YAML, but not JSON, is understood and noted.

    Only up to ``repairable`` characters are read as YAML.

    Raises:
        ValueError: if it is neither.
    """
    if len(text) > _LONGEST_CALL:
        raise ValueError(f"longer than {_LONGEST_CALL} characters")
    try:
        return json.loads(text), None
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at character {error.pos}"
    if len(text) > repairable:
        raise ValueError(reason)
    repaired = Violation("repaired", reason)
    for candidate in _candidates(text):
        try:
            value = read_yaml(candidate)
        except YamlError:
            continue
        if isinstance(value, dict | list):
            return json.loads(json.dumps(value, default=str)), repaired
    raise ValueError(reason)


def _candidates(text: str) -> list[str]:
    """The text without a code fence, without words around it, with its brackets closed."""
    bare = _FENCE.sub("", text.strip())
    bare = bare.replace("“", '"').replace("”", '"').replace("\t", " ") if '"' not in bare else bare
    starts = [place for place in (bare.find("{"), bare.find("[")) if place >= 0]
    inner = bare[min(starts) :] if starts else bare
    end = max(inner.rfind("}"), inner.rfind("]")) + 1
    return [bare, inner[:end] if end else inner, inner + _closers(inner)]


def _closers(text: str) -> str:
    """The brackets, and the quotation mark, that are missing at the end."""
    stack: list[str] = []
    quote, escaped = "", False
    for character in text:
        if escaped:
            escaped = False
        elif quote:
            escaped = character == "\\"
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "{[":
            stack.append("}" if character == "{" else "]")
        elif character in "}]" and stack:
            stack.pop()
    return quote + "".join(reversed(stack))


def _call(entry: Any) -> ToolCall:
    """A call from its JSON.

    Raises:
        ValueError: if it names no tool.
    """
    if not isinstance(entry, dict):
        raise ValueError('a call is an object {"name": …, "arguments": {…}}')
    fields = cast("dict[str, Any]", entry)
    name = fields.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError('the call has no "name"')
    arguments = fields.get("arguments", fields.get("parameters", {}))
    if isinstance(arguments, str):  # some models write them as a string of JSON
        with suppress(ValueError):
            arguments = json.loads(arguments)
    return ToolCall(name.strip(), arguments)
