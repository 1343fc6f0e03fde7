"""Tag protocols: nothing a model wrote is lost, and nothing it did wrong goes unrecorded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.runtime.tags import Part, read_tags

TAGS = ("think", "plan", "search", "answer")


def parts(text: str) -> list[tuple[str, str]]:
    return [(part.tag, part.text) for part in read_tags(text, TAGS).parts]


def kinds(text: str) -> list[str]:
    return [one.kind for one in read_tags(text, TAGS).validity.violations]


@pytest.mark.parametrize(
    ("text", "expected", "violations"),
    [
        ("<think>甲</think>\n<answer>乙</answer>", [("think", "甲"), ("answer", "乙")], []),
        ("<think>甲<answer>乙", [("think", "甲"), ("answer", "乙")], ["unclosed", "unclosed"]),
        ("甲</think><answer>乙</answer>", [("think", "甲"), ("answer", "乙")], ["unopened"]),
        ("好的。<answer>乙</answer>完", [("answer", "乙")], ["stray_text", "stray_text"]),
        ("<Answer>乙</ANSWER>", [("answer", "乙")], ["spelling", "spelling"]),
        ("<think>甲</plan>乙</think>", [("think", "甲乙")], ["unopened"]),
        ("<answer></answer>", [("answer", "")], []),
        ("没有标签", [], ["stray_text"]),
        ("  \n", [], ["empty"]),
        ("<think>1 < 2 且 <b>粗</b></think>", [("think", "1 < 2 且 <b>粗</b>")], []),
        ("<thinking>甲</thinking>", [], ["stray_text"]),
    ],
)
def test_a_text_is_read_tolerantly_and_recorded_strictly(
    text: str, expected: list[tuple[str, str]], violations: list[str]
) -> None:
    assert (parts(text), kinds(text)) == (expected, violations)


def test_attributes_of_an_opening_tag_are_kept() -> None:
    reading = read_tags('<search source="statute">缓刑</search>', TAGS)
    assert reading.parts == (Part("search", "缓刑", 'source="statute"'),)
    assert reading.validity.valid


def test_what_only_the_environment_may_write_is_cut_off_and_recorded() -> None:
    text = "<think>甲</think><search>乙</search><information>编造</information><answer>丙</answer>"
    reading = read_tags(text, TAGS, environment=("information",))
    assert [part.tag for part in reading.parts] == ["think", "search"]
    assert [one.kind for one in reading.validity.violations] == ["fabricated"]
    assert reading.own_text == "<think>甲</think><search>乙</search>"


PLAIN = st.text(st.characters(blacklist_characters="<>"), min_size=1).map(str.strip).filter(bool)
WRITTEN = st.lists(st.tuples(st.sampled_from(TAGS), PLAIN), min_size=1, max_size=6)


@given(WRITTEN)
def test_what_keeps_the_form_is_read_exactly_and_valid(written: list[tuple[str, str]]) -> None:
    text = "\n".join(f"<{tag}>{words}</{tag}>" for tag, words in written)
    assert parts(text) == written
    assert kinds(text) == []


PIECES = st.sampled_from(
    [*(f"<{t}>" for t in TAGS), *(f"</{t}>" for t in TAGS), "甲", "乙 ", "<", ""]
)


@given(st.lists(PIECES).map("".join))
def test_no_words_inside_or_before_a_tag_are_lost(text: str) -> None:
    reading = read_tags(text, TAGS)
    told = "".join(part.text for part in reading.parts)
    stray = "".join(one.detail for one in reading.validity.violations if one.kind == "stray_text")
    assert len(told) + len(stray) <= len(text)
    for word in "甲乙":
        written = text.count(word)
        assert told.count(word) + stray.count(word) == written or "…" in stray
