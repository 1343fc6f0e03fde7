"""Until when a text was in force: to the next change, never beyond one that is not known."""

from __future__ import annotations

from datetime import date

import pytest
from compile_world import compiled, decision, instruments, law

from inforce.corpus.compile.compiling import compile_law
from inforce.law.model import VersionText

BASE = law({"1": "甲一。", "2": "乙二。", "3": "丙三。"})
IN_2020 = decision("将第一条修改为：“子。”", reorder=False)
IN_2021 = decision("将第二条修改为：“丑。”", reorder=False).replace("2020", "2021")
UNCERTAIN_2021 = decision("删去第九条。").replace("2020", "2021")
UNDATED = IN_2021.replace("自2021年7月1日起施行", "自公布之日起施行").replace(
    "全国人民代表大会常务委员会", "海州市人民政府"
)


def window(text: VersionText) -> tuple[date | None, date | None, str]:
    validity = text.version.validity
    return validity.start, validity.end, validity.status


START, FIRST, SECOND = date(2000, 1, 1), date(2020, 7, 1), date(2021, 7, 1)


def test_each_version_ends_where_the_next_begins_and_the_last_is_open() -> None:
    found = compiled(BASE, IN_2020, IN_2021)
    assert window(found.base) == (START, FIRST, "exact")
    assert [window(one.text) for one in found.versions] == [
        (FIRST, SECOND, "exact"),
        (SECOND, None, "open"),
    ]


def test_an_instrument_that_could_not_be_applied_ends_what_was_in_force_before() -> None:
    found = compiled(BASE, IN_2020, UNCERTAIN_2021)
    assert [window(one.text) for one in found.versions] == [(FIRST, SECOND, "exact")]
    alone = compiled(BASE, UNCERTAIN_2021)
    assert alone.versions == ()
    assert window(alone.base) == (START, SECOND, "exact")


def test_a_change_on_a_day_nobody_states_leaves_the_end_unknown() -> None:
    found = compiled(BASE, IN_2020, UNDATED)
    assert [window(one.text) for one in found.versions] == [(FIRST, None, "unknown")]


def test_a_change_that_was_left_out_on_request_still_ends_the_text() -> None:
    found = compile_law(BASE, instruments(IN_2020 + IN_2021), until=date(2020, 12, 31))
    assert [window(one.text) for one in found.versions] == [(FIRST, SECOND, "exact")]


def test_a_repeal_ends_the_last_version() -> None:
    repeal = (
        "全国人民代表大会常务委员会关于废止《中华人民共和国灯塔管理法》的决定\n"
        "（2022年1月1日第十三届全国人民代表大会常务委员会第三十次会议通过）\n"
        "会议决定：废止《中华人民共和国灯塔管理法》。\n本决定自公布之日起施行。\n"
    )
    found = compiled(BASE, IN_2020, repeal)
    assert [window(one.text) for one in found.versions] == [(FIRST, date(2022, 1, 1), "exact")]


def test_a_later_text_that_is_held_ends_the_last_version_presumably() -> None:
    later = law({"1": "寅。"}, start=date(2024, 1, 1))
    found = compiled(BASE, IN_2020, republished=(later,))
    assert [window(one.text) for one in found.versions] == [
        (FIRST, date(2024, 1, 1), "presumed"),
    ]


@pytest.mark.parametrize("order", [IN_2020 + IN_2021, IN_2021 + IN_2020])
def test_instruments_are_applied_in_the_order_of_their_days(order: str) -> None:
    assert [one.day for one in compiled(BASE, order).versions] == [FIRST, SECOND]


def test_a_rule_that_changes_no_wording_ends_nothing() -> None:
    lapse = decision("第三条规定的标准不再适用。").replace("2020", "2021")
    found = compiled(BASE, IN_2020, lapse)
    assert [window(one.text) for one in found.versions] == [(FIRST, None, "open")]
