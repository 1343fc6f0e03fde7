"""The word-level difference: exact, ordered, readable and bounded in time."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.law.diff import Piece, changed_share, diff

LEGAL_TEXT = st.text(st.sampled_from("处三五年以下有期徒刑或者拘役，。；\n 的A1"), max_size=60)


def _marked(pieces: tuple[Piece, ...]) -> str:
    marks = {"equal": "{}", "deleted": "[-{}-]", "inserted": "[+{}+]"}
    return "".join(marks[piece.kind].format(piece.text) for piece in pieces)


@settings(deadline=None)  # the first word loads the dictionary
@given(old=LEGAL_TEXT | st.text(max_size=30), new=LEGAL_TEXT | st.text(max_size=30))
def test_both_wordings_can_be_read_off_the_pieces(old: str, new: str) -> None:
    pieces = diff(old, new)
    assert "".join(p.text for p in pieces if p.kind != "inserted") == old
    assert "".join(p.text for p in pieces if p.kind != "deleted") == new
    assert all(piece.text for piece in pieces)
    for before, after in pairwise(pieces):
        assert (before.kind, after.kind) != ("inserted", "deleted")
        assert before.kind != after.kind


@settings(deadline=None)
@given(text=LEGAL_TEXT)
def test_the_same_wording_has_no_changes(text: str) -> None:
    assert diff(text, text) == ((Piece("equal", text),) if text else ())
    assert changed_share(text, text) == 0


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        (
            "对于累犯，不适用缓刑。",
            "对于累犯和犯罪集团的首要分子，不适用缓刑。",
            "对于累犯[+和犯罪集团的首要分子+]，不适用缓刑。",
        ),
        (
            "处五年以下有期徒刑或者拘役；",
            "处三年以下有期徒刑或者拘役，并处罚金；",
            "处[-五年-][+三年+]以下有期徒刑或者拘役[+，并处罚金+]；",
        ),
        ("", "本条新增。", "[+本条新增。+]"),
        ("本条废止。", "", "[-本条废止。-]"),
    ],
)
def test_a_change_is_shown_in_whole_words(old: str, new: str, marked: str) -> None:
    assert _marked(diff(old, new)) == marked


def test_one_unchanged_character_between_replacements_reads_as_changed() -> None:
    assert _marked(diff("甲的乙", "丙的丁")) == "[-甲的乙-][+丙的丁+]"


def test_one_unchanged_character_between_insertions_stays() -> None:
    assert _marked(diff("、", "甲、乙")) == "[+甲+]、[+乙+]"


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        ("", "", 0.0),
        ("甲", "", 1.0),
        ("甲乙", "丙丁", 1.0),
        ("第一条 甲\n", "第一条甲", 0.0),
        ("对于累犯，不适用缓刑。", "对于累犯和犯罪集团的首要分子，不适用缓刑。", 10 / 32),
    ],
)
def test_the_changed_share_counts_characters_of_both_wordings(
    old: str, new: str, share: float
) -> None:
    assert changed_share(old, new) == pytest.approx(share)


@settings(deadline=None)
@given(old=LEGAL_TEXT, new=LEGAL_TEXT)
def test_the_changed_share_lies_between_nothing_and_everything(old: str, new: str) -> None:
    assert 0 <= changed_share(old, new) <= 1


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("法 " * 1500, "法，" * 1500),
        ("法律" * 20_000, "律师法" * 20_000),
        ("甲\n" * 9000, "乙\n" * 9000),
    ],
    ids=["one word repeated", "one endless line", "many short lines"],
)
def test_hostile_texts_are_compared_in_bounded_time(old: str, new: str) -> None:
    pieces = diff(old, new)
    assert "".join(p.text for p in pieces if p.kind != "inserted") == old


def test_a_long_text_is_compared_by_paragraphs_and_then_by_words() -> None:
    lines = [f"第{n}条 法 的 法 的 法 的 法 的 适用范围。\n" for n in range(400)]
    changed = [*lines[:200], lines[200].replace("适用范围", "适用对象"), *lines[201:]]
    pieces = diff("".join(lines), "".join(changed))
    assert [(p.kind, p.text) for p in pieces if p.kind != "equal"] == [
        ("deleted", "适用范围"),
        ("inserted", "适用对象"),
    ]
