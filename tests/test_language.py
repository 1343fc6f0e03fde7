"""A sentence ends where a reader of Chinese or English sees it end; none of it is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.language import sentences

TEXTS = st.text(alphabet='甲乙丙故意杀人拘役ab .。；\n！ 12("”', max_size=600)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("甲死亡。乙受伤！丙呢？", ["甲死亡。", "乙受伤！", "丙呢？"]),
        ("甲说：“不。”乙走了；丙留下。", ["甲说：“不。”", "乙走了；", "丙留下。"]),
        ("第一章 总则\n第一条 甲", ["第一章 总则", "第一条 甲"]),
        ("See Sec. 5. It applies. (a) One.", ["See Sec. 5.", "It applies.", "(a) One."]),
        (
            "Roe v. Wade, No. 70 by Mr. J. Doe. Done.",
            ["Roe v. Wade, No. 70 by Mr. J. Doe.", "Done."],
        ),
        ("It costs 5.50 euro. e.g. this", ["It costs 5.50 euro. e.g. this"]),
        ("  ", []),
    ],
)
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert [text[one.start : one.end] for one in sentences(text)] == expected


@given(TEXTS, st.integers(1, 50))
def test_sentences_lose_nothing_but_blanks(text: str, longest: int) -> None:
    for most in (longest, None):
        found = list(sentences(text, longest=most))
        kept = "".join(text[one.start : one.end] for one in found)
        assert "".join(kept.split()) == "".join(text.split())
        assert all(0 < one.end - one.start <= (most or len(text)) for one in found)
        assert all(left.end <= right.start for left, right in zip(found, found[1:], strict=False))
