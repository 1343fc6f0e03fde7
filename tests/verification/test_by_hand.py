"""Documents written by hand, in other manners than the generator's; see ``by_hand.txt``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from brief_scores import MarkedDocument, MarkedScores, read_marked
from inforce.library import Library, open_library

BY_HAND = Path(__file__).with_name("by_hand.txt")
KNOWN_MISSES = (
    "第五十七条“劳务派遣单位应当",  # two scenarios in one sentence: not checked
    "《个人信息侵权责任法》第十二条",  # too few statutes in the starter corpus to tell
    "《民事强制执行保障法》第八条",
    "《治安管理处罚法》第二十六条第（一）项“结伙斗殴的”",
    "《刑法》第十三条“中华人民共和国成立以后",  # what it was before October 1997 is not held
    "经调查难以确定具体侵权人的",  # unmarked, and no term stands for its counterpart
)


@pytest.fixture(scope="module")
def documents() -> tuple[MarkedDocument, ...]:
    return tuple(read_marked(BY_HAND.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def library(package_home: Path) -> Iterator[Library]:
    """The starter corpus that comes with the package; today is 20 November 2026."""
    with open_library(package_home, clock=lambda: date(2026, 11, 20)) as library:
        yield library


def test_there_are_many_of_them_with_rights_and_wrongs(
    documents: tuple[MarkedDocument, ...],
) -> None:
    assert len(documents) == 68
    assert len({one.sort for one in documents}) > 25
    marked = [one for document in documents for one in document.passages]
    assert sum(bool(one.errors) for one in marked) > 40
    assert not any("[[" in one.text or "]]" in one.text for one in documents)


def test_errors_are_found_and_what_is_right_is_not_accused(
    library: Library, documents: tuple[MarkedDocument, ...]
) -> None:
    scores = MarkedScores()
    for one in documents:
        scores.add(one, library.verify(one.text).findings)
    unknown = [one for one in scores.mistakes if not any(miss in one for miss in KNOWN_MISSES)]
    assert unknown == []
    assert scores.accused == scores.elsewhere == 0


def test_what_is_right_in_other_documents_is_not_accused(library: Library) -> None:
    scores = MarkedScores()
    for one in read_marked(BY_HAND.with_name("by_hand_2.txt").read_text(encoding="utf-8")):
        scores.add(one, library.verify(one.text).findings)
    assert (scores.accused, scores.elsewhere, scores.passed) == (0, 0, 0)
    assert scores.found >= 40  # the starter corpus lacks the laws of the others


THEFT = "《最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释》第三条"


@pytest.mark.parametrize(
    ("days", "kind"),
    [
        ("2013年9月盗窃", "right"),
        ("2012年3月盗窃", "not_checked"),
        ("2012年3月盗窃，2013年4月4日开庭审理", "not_checked"),
        ("2012年3月盗窃，2012年9月开庭审理", "not_in_force"),
    ],
)
def test_an_interpretation_may_govern_what_is_tried_after_it_commenced(
    library: Library, days: str, kind: str
) -> None:
    found = library.verify(f"{days}。依照{THEFT}处理。").findings
    assert [one.kind for one in found if one.subject == "citation"] == [kind]


@pytest.mark.parametrize(
    "number", ["（2016）黔刑终593号", "（2019）京民终12号", "（2021）最高法知民终3号"]
)
def test_a_high_court_has_no_digits(library: Library, number: str) -> None:
    [finding] = library.verify(f"见{number}判决。").findings
    assert (finding.kind, finding.reason) == ("not_checked", "no_source_of_cases")
