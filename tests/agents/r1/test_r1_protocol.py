"""One round of R1's protocol, and the format gate of a whole run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.r1.protocol import ToolCall, format_gate, read_round, text_gate
from inforce.llm.chat import Message

CALL = '{"name": "rag_retrieve", "arguments": {"query": ["2004年 遗嘱"]}}'
EXPECTED = ToolCall("rag_retrieve", {"query": ["2004年 遗嘱"]})


@pytest.mark.parametrize(
    "written",
    [
        CALL,
        f"[{CALL}]",
        f"```json\n{CALL}\n```",
        f"调用：{CALL} 请稍候",
        CALL.replace('"', "'"),
        CALL.replace("]}}", "],},}"),
        CALL.removesuffix("}}"),
        CALL.replace('"]}}', ""),
        CALL.replace("arguments", "parameters"),
        '{name: rag_retrieve, arguments: {query: ["2004年 遗嘱"]}}',
        "{“name”: “rag_retrieve”, “arguments”: {“query”: [“2004年 遗嘱”]}}",
        '{"name": "rag_retrieve", "arguments": "{\\"query\\": [\\"2004年 遗嘱\\"]}"}',
    ],
)
def test_a_call_is_understood_however_it_is_written(written: str) -> None:
    assert read_round(f"<think>甲</think><tool_call>{written}</tool_call>").calls == (EXPECTED,)


def test_only_a_call_in_json_is_valid() -> None:
    right = read_round(f"<think>甲</think><tool_call>{CALL}</tool_call>")
    mended = read_round(f"<think>甲</think><tool_call>{CALL.removesuffix('}')}</tool_call>")
    assert right.validity.valid
    assert [one.kind for one in mended.validity.violations] == ["repaired"]


@pytest.mark.parametrize(
    "written",
    [
        "",
        "甲乙丙",
        "{}",
        "[1, 2]",
        '{"arguments": {}}',
        '{"name": 7}',
        "[" * 30_000,
        "[" * 5_000,
        '{"name": "law_at", "arguments": {"law": "\\ud800"}}',
        "{'name': &a [x], 'arguments': *a}",
    ],
)
def test_a_call_without_plain_meaning_is_unreadable_and_says_why(written: str) -> None:
    found = read_round(f"<think>甲</think><tool_call>{written}</tool_call>")
    assert found.calls == ()
    assert found.unreadable
    assert all(found.unreadable)
    assert "unreadable" in [one.kind for one in found.validity.violations]


@pytest.mark.parametrize(
    ("text", "first", "kinds"),
    [
        ("<think>甲</think><plan>乙</plan>", True, []),
        ("<think>甲</think><answer>乙</answer>", False, []),
        (
            f"<think>甲</think><plan>乙</plan><think>丙</think><tool_call>{CALL}</tool_call>",
            True,
            [],
        ),
        (f"<think>甲</think><plan>乙</plan><tool_call>{CALL}</tool_call>", True, ["several"]),
        ("<think>甲</think><answer>乙</answer>", True, ["missing"]),
        ("<plan>乙</plan>", True, ["order"]),
        ("<think>甲</think>", False, ["missing"]),
        ("<think>甲</think><answer> </answer>", False, ["empty"]),
        ("<think>甲</think><answer>A</answer><answer>B</answer>", False, ["several"]),
    ],
)
def test_a_round_is_one_thought_and_one_action(text: str, first: bool, kinds: list[str]) -> None:
    assert [one.kind for one in read_round(text, first=first).validity.violations] == kinds


def test_two_calls_are_the_same_however_they_are_written() -> None:
    one = ToolCall("law_at", {"law": "刑法", "date": "2010"})
    assert one.key == ToolCall("law_at", {"date": "2010", "law": "刑法"}).key
    assert one.key != ToolCall("law_at", {"date": "2011", "law": "刑法"}).key


# --- the gate ---------------------------------------------------------------------------------


def conversation(*turns: str) -> list[Message]:
    roles: list[Any] = ["assistant", "user"]
    said = [Message(roles[place % 2], text) for place, text in enumerate(turns)]
    return [Message("system", "<tool_response> 是工具的话"), Message("user", "问"), *said]


PLAN = "<think>甲</think><plan>乙</plan>"
SEARCH = f"<think>甲</think><tool_call>{CALL}</tool_call>"
FOUND = "<tool_response>\n丙\n</tool_response>"
ANSWER = "<think>甲</think><answer>C</answer>"
WHOLE = (PLAN, "继续", SEARCH, FOUND, ANSWER)


@pytest.mark.parametrize(
    ("turns", "valid"),
    [
        (WHOLE, True),
        ((PLAN, "继续", SEARCH, FOUND, SEARCH, FOUND, ANSWER), True),
        ((SEARCH, FOUND, ANSWER), False),  # no plan
        ((PLAN, "继续", ANSWER), False),  # no search
        ((PLAN, "继续", SEARCH, FOUND), False),  # no answer
        ((PLAN, "继续", SEARCH, FOUND, "<answer>C</answer>"), False),  # an action without thought
        ((PLAN, "继续", SEARCH, FOUND, "<think>甲</think><answer>C"), False),  # not closed
        ((PLAN, "继续", SEARCH, FOUND, "<think>甲</think></answer>C<answer>"), False),
        ((PLAN, "继续", f"{SEARCH}{FOUND}", FOUND, ANSWER), False),  # made up its own response
    ],
)
def test_the_gate_passes_runs_in_the_form_and_no_others(
    turns: tuple[str, ...], valid: bool
) -> None:
    assert format_gate(conversation(*turns)).valid is valid


def test_over_one_text_the_gate_cannot_tell_who_wrote_a_response() -> None:
    fake = [PLAN, "继续", f"{SEARCH}{FOUND}", ANSWER]
    assert text_gate("\n".join(fake)).valid
    assert not format_gate(conversation(PLAN, "继续", f"{SEARCH}{FOUND}", "", ANSWER)).valid


@given(st.text(max_size=300))
def test_any_reply_can_be_read(text: str) -> None:
    plain = read_round(text, first=True)
    assert text.startswith(plain.own_text)
    assert not plain.validity.valid  # a first round has to think and plan; random text does not
    called = read_round(f"<think>x</think><tool_call>{text}</tool_call>")
    assert len(called.calls) <= 1 or not called.validity.valid
