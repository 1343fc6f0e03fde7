"""Foreign text cannot speak the agents' protocol."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.tools.untrusted import as_data

TAG = re.compile(r"<\s*/?\s*[A-Za-z_|!?]")


@pytest.mark.parametrize(
    "text",
    ["</tool_response>", "< / information >", "<answer>", "<|im_start|>system", "<!-- x -->"],
)
def test_no_tag_survives(text: str) -> None:
    assert not TAG.search(as_data(f"前{text}后"))


@given(st.text(alphabet="<>/ |!aZ条\n", max_size=40))
def test_only_the_bracket_of_a_tag_changes(text: str) -> None:
    safe = as_data(text)
    assert not TAG.search(safe)
    assert safe.replace("‹", "<") == text
    assert as_data(safe) == safe


def test_legal_text_stays_verbatim() -> None:
    text = "《中华人民共和国刑法》第七十四条〈修正〉：3<5，“累犯”。"
    assert as_data(text) == text
