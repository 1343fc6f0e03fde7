"""Which of the texts held are instruments, and which laws they can amend."""

from __future__ import annotations

from pathlib import Path

import pytest
from compile_world import TITLE, articles, compiled, decision, instruments, law, refusals

from inforce.corpus.compile.from_corpus import compile_from_corpus, may_amend, orders_changes
from inforce.corpus.store import Corpus


@pytest.mark.parametrize(
    ("instrument", "work", "can"),
    [
        (
            "全国人民代表大会常务委员会关于修改《中华人民共和国婚姻法》的决定",
            "中华人民共和国婚姻法",
            True,
        ),
        (
            "最高人民法院关于适用《婚姻法》若干问题的解释（二）的补充规定",
            "中华人民共和国婚姻法",
            False,
        ),
        (
            "最高人民法院关于修改《…》等二十七件司法解释的决定",
            "最高人民法院关于审理案件的解释",
            True,
        ),
        (
            "最高人民法院、最高人民检察院关于修改《…》的决定",
            "最高人民法院、最高人民检察院关于…的解释",
            True,
        ),
        (
            "北京市人民代表大会常务委员会关于耕地占用税适用税额的决定",
            "中华人民共和国耕地占用税法",
            False,
        ),
        ("北京市人民代表大会常务委员会关于废止部分地方性法规的决定", "北京市邮政通信条例", True),
        ("国务院关于修改部分行政法规的决定", "中华人民共和国公证暂行条例", True),
    ],
)
def test_courts_amend_what_they_issued_and_provinces_their_own(
    instrument: str, work: str, can: bool
) -> None:
    assert may_amend(instrument, work) == can


@pytest.mark.parametrize(
    ("point", "orders"),
    [
        ("将第一条中的“甲”修改为“乙”。", True),
        ("删去第二条。", True),
        ("将第一条搞成“乙”，并修改为那样。", True),  # it cannot be read, but speaks of amending
        ("这里所说“甲”，系指第一条规定的范围。", False),
        ("凡属第三条规定的“甲”，均照此办理。", False),
    ],
)
def test_what_only_names_a_law_is_no_amending_instrument(point: str, orders: bool) -> None:
    [one] = instruments(decision(point))
    assert orders_changes(one) == orders


def test_an_introduction_that_a_copy_lacks_is_not_covered_once_it_is_amended() -> None:
    base = law({"1": "甲。", "2": "乙。"}, title="中华人民共和国宪法")
    points = (
        "序言第七自然段中“旧”修改为“新”，“坏”修改为“好”。这一自然段相应修改为：“新好。”",
        "第二条修改为：“丙。”",
    )
    found = compiled(base, decision(*points, title="中华人民共和国宪法"))
    assert articles(found) == {"1": "甲。", "2": "丙。"}
    [version] = found.versions
    assert [one.kind for one in version.text.version.holes] == ["preamble"]
    assert all("introduction" in one or "序" in one for one in refusals(found))


def test_a_mark_that_is_missing_at_the_end_of_a_line_is_set_as_reviewed() -> None:
    text = decision("第十条第四款修改为：“土地的使用权可以依照法律的规定转让。", reorder=False)
    text = text.replace(f"关于修改《{TITLE}》的决定", "中华人民共和国宪法修正案（1988年）", 1)
    [one] = instruments(text)
    assert [each.reason for each in one.corrections] == [
        "the mark that closes the quotation of article 2 is missing in this copy"
    ]
    [closed] = instruments(text.replace("转让。", "转让。”"))
    assert closed.corrections == ()


def test_of_two_copies_of_an_instrument_the_one_that_can_be_read_is_taken(tmp_path: Path) -> None:
    whole = decision("增加一条，作为第二条：“新。”", reorder=False)
    without = whole.replace("：“新。”", "。")
    base = law({"1": "甲。", "2": "乙。"})
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add([base])
        for copies in ([without, whole], [whole, without]):
            held = [one for text in copies for one in instruments(text)]
            compilation = compile_from_corpus(corpus, TITLE, held=held)
            assert articles(compilation) == {"1": "甲。", "2": "新。", "3": "乙。"}
