"""Which revisions are significant, and which days nobody can quarrel about."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from changing_law import FIRST, LAW, SECOND, SECOND_DAY, THIRD, THIRD_DAY, changing_library
from hypothesis import given
from hypothesis import strategies as st

from inforce.dates import DateRange
from inforce.evals.dated.revisions import (
    Revision,
    length_change,
    model_reads_meaning,
    revisions,
    significance,
    wording_change,
)
from inforce.law.model import Caption, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.testing import ScriptedModel, tiny_law, tiny_library

TODAY = date(2020, 1, 25)
ONE = ProvisionNumber.parse("1")


@pytest.mark.parametrize(
    ("old", "new", "length", "wording"),
    [
        ("一二三四五", "一二三四五", 0.0, 0.0),
        ("一二三四五", "一二三四六", 0.0, 0.2),  # one of five replaced
        ("一二三四五", "一二三四五六", 0.2, 1 / 6),  # one more than five; one of six
        ("一二三四五六", "一二三四五", 1 / 6, 1 / 6),
        ("一二三四五", "六七八九十", 0.0, 1.0),  # rewritten, yet as long
        ("一二三四五", "一 二 三\n四 五", 0.0, 0.0),  # white space is no character
        ("", "一", 1.0, 1.0),
        ("", "", 0.0, 0.0),
    ],
)
def test_change_is_measured_in_characters(
    old: str, new: str, length: float, wording: float
) -> None:
    assert length_change(old, new) == pytest.approx(length)
    assert wording_change(old, new) == pytest.approx(wording)


LONG = "国家机关工作人员滥用职权或者玩忽职守，致使公共财产、国家和人民利益遭受重大损失的"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (FIRST, SECOND, ("number",)),
        (f"{LONG}，处罚。", f"{LONG}的处罚。", ()),  # a comma
        (f"{LONG}，应当处罚。", f"{LONG}，可以处罚。", ("modal",)),
        (f"{LONG}，处罚。", f"{LONG}，情节轻的，处罚。", ("condition",)),
        (f"依照本法第三条，{LONG}。", f"依照本法第五条，{LONG}。", ()),  # only renumbered
        (f"{LONG}，处五百元罚款。", f"{LONG}，处5000元罚款。", ("number",)),
        ("一二三四五六七八九。", "一二三四五六七八九甲乙丙。", ("length", "wording")),
        ("甲乙丙丁戊己庚辛。", "子丑寅卯辰巳午未。", ("wording",)),
        ("一二三四五六七八九十", "一二三四五六七八九十甲乙", ()),  # 20 % is not more than 20 %
        ("甲： 乙丙丁", "甲:乙丙丁", ()),  # width and blanks change no law
    ],
)
def test_a_revision_is_significant_by_size_or_by_meaning(
    old: str, new: str, expected: tuple[str, ...]
) -> None:
    assert significance(old, new) == expected


@given(st.text(alphabet="甲乙丙三五年的，。应当可以", max_size=30))
def test_the_same_text_is_never_a_revision(text: str) -> None:
    assert significance(text, f" {text}\n") == ()


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_share_of_changed_wording_has_no_direction(left: str, right: str) -> None:
    assert wording_change(left, right) == wording_change(right, left)
    assert 0 <= wording_change(left, right) <= 1


def test_every_significant_change_of_a_provision_is_found_in_order(tmp_path: Path) -> None:
    with changing_library(tmp_path) as library:
        found = list(revisions([library.corpus.timeline(LAW, ONE)], until=TODAY))
        stable = ProvisionNumber.parse("2")
        assert not list(revisions([library.corpus.timeline(LAW, stable)], until=TODAY))
    assert [one.first_day for one in found] == [SECOND_DAY, THIRD_DAY]
    assert "number" in found[0].reasons and "condition" in found[1].reasons


@pytest.mark.parametrize(
    ("until", "days"),
    [
        (date(2011, 4, 30), []),
        (date(2011, 5, 1), [SECOND_DAY]),
        (date(2015, 10, 31), [SECOND_DAY]),
        (date(2015, 11, 1), [SECOND_DAY, THIRD_DAY]),
    ],
)
def test_a_change_still_to_come_is_none(tmp_path: Path, until: date, days: list[date]) -> None:
    with changing_library(tmp_path) as library:
        found = revisions([library.corpus.timeline(LAW, ONE)], until=until)
        assert [one.first_day for one in found] == days


COSMETIC = f"{LONG}的处罚。"


@pytest.mark.parametrize(
    ("verdict", "reasons"),
    [("是", [("meaning",)]), ("“否”", []), ("难以判断，是否改变要看案情", []), ("", [])],
)
def test_a_model_is_asked_where_the_rules_find_nothing(
    tmp_path: Path, verdict: str, reasons: list[tuple[str, ...]]
) -> None:
    laws = [
        tiny_law(LAW, {"1": f"{LONG}，处罚。"}, start=date(2000, 1, 1), end=SECOND_DAY),
        tiny_law(LAW, {"1": COSMETIC}, start=SECOND_DAY),
    ]
    model = ScriptedModel(verdict)
    with tiny_library(tmp_path, *laws) as library:
        found = revisions(
            [library.corpus.timeline(LAW, ONE)],
            until=TODAY,
            changes_meaning=model_reads_meaning(model),
        )
        assert [one.reasons for one in found] == reasons
    assert COSMETIC in model.prompts[0]


def test_a_model_is_not_asked_where_the_rules_decide(tmp_path: Path) -> None:
    with changing_library(tmp_path) as library:
        found = revisions(
            [library.corpus.timeline(LAW, ONE)],
            until=TODAY,
            changes_meaning=model_reads_meaning(ScriptedModel()),
        )
        assert len(list(found)) == 2


def _old(**how: object) -> VersionText:
    given = {"start": date(2000, 1, 1), "end": SECOND_DAY, **how}
    return tiny_law(LAW, {"1": FIRST}, **given)  # pyright: ignore[reportArgumentType]


NEW = tiny_law(LAW, {"1": SECOND}, start=SECOND_DAY)
GAP = tiny_law(LAW, {"1": SECOND}, start=date(2011, 6, 1))
OTHERWISE = tiny_law(
    LAW, {"1": THIRD}, start=date(2005, 1, 1), evidence="unstated", source="another source"
)


@pytest.mark.parametrize(
    ("laws", "number"),
    [
        ([_old(), NEW], 1),
        ([_old(status="presumed"), NEW], 0),  # its end is only presumed
        ([_old(evidence="header"), NEW], 0),  # its dates are only in a header
        ([_old(), GAP], 0),  # a month nobody knows lies between
        ([_old(), NEW, OTHERWISE], 0),  # another source has another text for these days
    ],
    ids=["stated", "presumed", "header", "gap", "contradicted"],
)
def test_only_stated_and_uncontradicted_days_make_a_revision(
    tmp_path: Path, laws: list[VersionText], number: int
) -> None:
    with tiny_library(tmp_path, *laws) as library:
        assert len(list(revisions([library.corpus.timeline(LAW, ONE)], until=TODAY))) == number


# --- a rule, and not a number -------------------------------------------------------------------

OLD_LAW = {
    "1": "为了保护试验人员的合法权益，制定本条例。",
    "2": "试验机构应当具备相应的场所和设备，并在开业前向主管部门备案。",
    "3": "违反规定从事试验活动的，处一千元以上三千元以下罚款。",
    "4": "未经备案开展试验的，由主管部门责令改正，没收违法所得。",
    "5": "试验记录应当至少保存三年，由专人负责管理和查阅。",
    "6": "本条例自2000年1月1日起施行。",
}
NEW_LAW = {
    "1": OLD_LAW["1"],
    "2": "国家鼓励公众参与试验成果的推广，任何组织不得阻挠。",
    "3": OLD_LAW["2"],
    "4": "违反规定从事试验活动的，处五千元以上二万元以下罚款。",
    "5": "未经备案开展试验的，由主管部门责令停止试验，没收违法所得和试验器材。",
    "6": OLD_LAW["5"],
    "7": "本条例自2011年5月1日起施行。",
}


def renumbered(tmp_path: Path) -> list[Revision]:
    laws = [
        tiny_law(LAW, OLD_LAW, start=date(2000, 1, 1), end=SECOND_DAY),
        tiny_law(LAW, NEW_LAW, start=SECOND_DAY),
    ]
    with tiny_library(tmp_path, *laws) as library:
        return list(revisions(library.corpus.timelines(LAW), until=TODAY))


def test_in_a_renumbered_law_a_rule_is_paired_with_itself_and_not_with_its_number(
    tmp_path: Path,
) -> None:
    found = {
        (one.before.timeline.number.short, one.after.timeline.number.short): one.change
        for one in renumbered(tmp_path)
    }
    assert found == {
        ("2", "3"): "moved",
        ("3", "4"): "threshold",
        ("4", "5"): "amended",
        ("5", "6"): "moved",
    }  # and not the clause of commencement, which every text has


def test_a_text_that_has_nothing_to_do_with_the_former_one_is_no_amendment(tmp_path: Path) -> None:
    laws = [
        tiny_law(LAW, {one: OLD_LAW[one] for one in "12"}, start=date(2000, 1, 1), end=SECOND_DAY),
        tiny_law(LAW, {one: NEW_LAW[one] for one in "12"}, start=SECOND_DAY),
    ]
    with tiny_library(tmp_path, *laws) as library:
        assert not list(revisions(library.corpus.timelines(LAW), until=TODAY))


def test_a_crime_that_got_another_name_is_a_kind_of_its_own(tmp_path: Path) -> None:
    def named(name: str, days: DateRange) -> Caption:
        return Caption(ONE, name, days, "法释")

    since = date(2011, 8, 1)  # the courts name it some months after the amendment
    names = [
        named("甲罪", DateRange(date(2000, 1, 1), since)),
        named("乙罪", DateRange(since, None)),
    ]
    laws = [
        tiny_law(LAW, {"1": FIRST}, start=date(2000, 1, 1), end=SECOND_DAY),
        tiny_law(LAW, {"1": FIRST.replace("试验", "实验")}, start=SECOND_DAY),
    ]
    with tiny_library(tmp_path, *laws) as library:
        timelines = list(library.corpus.timelines(LAW))
        model = model_reads_meaning(ScriptedModel("是", "是"))
        (renamed,) = revisions(timelines, names=names, until=TODAY, changes_meaning=model)
        (amended,) = revisions(timelines, names=names[:1], until=TODAY, changes_meaning=model)
    assert (renamed.change, amended.change) == ("renamed", "amended")


def test_the_share_that_changed_is_told(tmp_path: Path) -> None:
    shares = {one.after.timeline.number.short: one.changed for one in renumbered(tmp_path)}
    assert shares["3"] == shares["6"] == 0.0
    assert 0.05 < shares["4"] < shares["5"] < 0.6
