"""Long documents in passages: verbatim, in order, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.retrieval.sources.loading import load_documents
from inforce.retrieval.sources.passages import PASSAGE, passages
from inforce.retrieval.sources.source import SourceDocument


def document(text: str) -> SourceDocument:
    return SourceDocument("g", "意见", text, details={"status": "现行有效"})


def squeezed(text: str) -> str:
    return "".join(text.split())


@given(
    st.lists(
        st.sampled_from(
            ["# 标题\n", "## 第一章 总则\n", "自首可以从轻。", "\n\n", "一、原则\n", "无" * 70]
        ),
        max_size=60,
    ),
    st.integers(10, 120),
)
def test_passages_are_pieces_of_the_text_in_order_and_nothing_is_lost(
    parts: list[str], size: int
) -> None:
    text = "".join(parts)
    found = passages(document(text), size=size)
    assert squeezed("".join(one.text for one in found)) == squeezed(text)
    assert all(one.text in text for one in found)
    assert all(len(one.text) <= 3 * size for one in found)


def test_a_short_document_stays_as_it_is() -> None:
    assert passages(document("自首。")) == [document("自首。")]


def test_a_passage_knows_its_document_and_its_headings() -> None:
    text = "# 意见\n## 第一章 总则\n甲。\n## 第二章 分则\n### 盗窃\n乙。\n## 附则\n丙。"
    found = passages(document(text), size=20)
    assert [(one.id, one.section) for one in found] == [
        ("g#1", "意见"),
        ("g#2", "意见 / 第一章 总则"),
        ("g#3", "意见 / 第二章 分则"),
        ("g#4", "意见 / 第二章 分则 / 盗窃"),
        ("g#5", "意见 / 附则"),
    ]
    assert [one.details["passage"] for one in found] == [f"{n} of 5" for n in range(1, 6)]
    assert {one.details["status"] for one in found} == {"现行有效"}


def test_sentences_are_kept_whole_while_they_can_be() -> None:
    found = passages(document("盗窃数额较大的，从重。" * 20), size=50)
    assert all(one.text.endswith("从重。") for one in found)


@pytest.mark.data
def test_no_real_guideline_or_interpretation_loses_a_character(shared_data: Path) -> None:
    for name in ("guidelines.jsonl", "interpretations.jsonl"):
        for whole in load_documents(shared_data / "sources" / name, on_problem=print):
            found = passages(whole)
            assert squeezed("".join(one.text for one in found)) == squeezed(whole.text)
            assert all(len(one.text) <= 3 * PASSAGE for one in found)
