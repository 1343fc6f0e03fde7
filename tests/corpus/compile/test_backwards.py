"""The text before an instrument, from the one after it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from compile_world import TITLE, decision, instruments, law

from inforce.corpus.compile.backwards import text_before
from inforce.corpus.compile.from_corpus import compile_from_corpus
from inforce.corpus.compile.law_names import same_law_as
from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.law.model import Act, VersionText
from inforce.law.numerals import ProvisionNumber

DAY = date(2020, 7, 1)
DAYS_BEFORE = date(2010, 1, 1)
UNHELD = DateRange(date(2000, 1, 1), DAY)
COMMENCES = "本法自2001年3月1日起施行。"
ORDERS = (
    "删除第二条。",
    "将第三条修改为：“灯塔应当点亮。”",
    "增加一条，作为第五条：“灯塔应当登记。”",
)
AFTER = {
    "1": "灯塔归国家所有。",
    "2": "灯塔应当点亮。",
    "3": "守夜人应当记录。",
    "4": "损毁灯塔的，依照刑法第四条处罚。",
    "5": "灯塔应当登记。",
    "6": "依照第三条办理。",
    "7": "违反本法第三条的，责令改正。",
    "8": COMMENCES,
}


def before(after: dict[str, str], *orders: str) -> VersionText | None:
    [instrument] = instruments(decision(*orders))
    later = law(after, start=DAY)
    return text_before(later, instrument, UNHELD, same_law=same_law_as(TITLE))


def test_what_the_instrument_left_alone_reads_as_after_it_under_the_numbers_of_then() -> None:
    text = before(AFTER, *ORDERS)
    assert text is not None
    assert {one.number.short: one.text for one in text.provisions} == {
        "1": "灯塔归国家所有。",
        "4": "守夜人应当记录。",
        "5": "损毁灯塔的，依照刑法第四条处罚。",
        "8": COMMENCES,
    }
    assert text.version.validity.window == DateRange(date(2001, 3, 1), DAY)


def test_what_it_changed_or_deleted_and_what_refers_to_moved_articles_is_not_known() -> None:
    text = before(AFTER, *ORDERS)
    assert text is not None
    assert {one.short for one in text.version.holes} == {"2", "3", "6", "7"}


@pytest.mark.parametrize(
    ("changed", "orders"),
    [
        ({"2": "别的措辞。"}, ORDERS),  # the later text has not what the instrument states
        ({}, (*ORDERS, "将第一条中的“甲”修改为“乙”。")),  # nobody knows whether it could be done
        ({"8": "本法由国务院解释。"}, ORDERS),  # nothing says when the earlier text commenced
        ({"8": "本法自1995年1月1日起施行。"}, ORDERS),  # that was a text before the one not held
    ],
)
def test_a_text_that_is_not_certain_is_not_made(
    changed: dict[str, str], orders: tuple[str, ...]
) -> None:
    assert before(AFTER | changed, *orders) is None


def test_a_corpus_without_the_earlier_text_is_compiled_from_what_was_left_alone(
    tmp_path: Path,
) -> None:
    held = law(AFTER, start=DAY)
    history = (Act(date(2001, 1, 1), "passed"), Act(date(2020, 6, 1), "amended"))
    made = replace(held.version, promulgated=date(2020, 6, 1), history=history)
    held = replace(held, version=made)
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add([held])
        for _ in range(2):  # the second time the text made is held
            found = compile_from_corpus(corpus, TITLE, held=instruments(decision(*ORDERS)))
            assert found.base.version.holes
            assert [beside.unexplained for beside in found.versions[0].comparisons] == [()]
            corpus.add([found.base])
        assert corpus.timeline(TITLE, ProvisionNumber.parse("4")).version_at(DAYS_BEFORE).found
