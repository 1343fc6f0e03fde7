"""Which version governs: the paper's own cases, and five days around each change."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_law import day, on, timeline

from inforce.dates import DateRange
from inforce.errors import DateError
from inforce.law import rules
from inforce.law.applicability import Applicability, Conduct, governing
from inforce.law.registry import Branch
from inforce.law.timeline import Timeline

CRIMINAL_LAW = "中华人民共和国刑法"
CIVIL_CODE = "中华人民共和国民法典"
INHERITANCE_LAW = "中华人民共和国继承法"

BRANCHES: tuple[Branch, ...] = (
    "criminal",
    "criminal procedure",
    "civil",
    "civil procedure",
    "administrative",
    "administrative procedure",
    "labour",
    "commercial",
    "constitutional",
    "other",
)


def during(first: str, last: str) -> DateRange:
    return DateRange.inclusive(day(first), day(last))


PROBATION = timeline(
    CRIMINAL_LAW,
    "74",
    ("1997-10-01", "2011-05-01", "对于累犯，不适用缓刑。"),
    ("2011-05-01", None, "对于累犯和犯罪集团的首要分子，不适用缓刑。"),
)
BRIBERY = timeline(
    CRIMINAL_LAW,
    "393",
    ("1997-10-01", "2015-11-01", "单位行贿的，处五年以下有期徒刑或者拘役。"),
    ("2015-11-01", "2024-03-01", "单位行贿的，处五年以下有期徒刑或者拘役，并处罚金。"),
    ("2024-03-01", None, "单位行贿的，处三年以下有期徒刑或者拘役，并处罚金。"),
)
DANGEROUS_DRIVING = timeline(
    CRIMINAL_LAW,
    "133-1",
    ("1997-10-01", "2011-05-01", None),
    ("2011-05-01", None, "在道路上醉酒驾驶机动车的，处拘役，并处罚金。"),
)
TAX_EVASION = timeline(
    CRIMINAL_LAW,
    "201",
    (
        "1997-10-01",
        "2009-02-28",
        "纳税人偷税的，处三年以下有期徒刑或者拘役，并处偷税数额一倍以上五倍以下罚金。",
    ),
    (
        "2009-02-28",
        None,
        "纳税人逃避缴纳税款数额较大的，处三年以下有期徒刑或者拘役，并处罚金。\n"
        "经税务机关依法下达追缴通知后，补缴应纳税款的，不予追究刑事责任。",
    ),
)
NOTARISED_WILL = timeline(
    INHERITANCE_LAW,
    "20",
    ("1985-10-01", "2021-01-01", "自书、代书、录音、口头遗嘱，不得撤销、变更公证遗嘱。"),
    ended="2021-01-01",
)
LAST_WILL = timeline(
    CIVIL_CODE,
    "1142",
    ("2021-01-01", None, "立有数份遗嘱，内容相抵触的，以最后的遗嘱为准。"),
)
EVIDENCE = timeline(
    "中华人民共和国刑事诉讼法",
    "53",
    ("1997-01-01", "2013-01-01", "犯罪嫌疑人有权申请取保候审。"),
    ("2013-01-01", "2018-10-26", "对一切案件的判处都要重证据。"),
    ("2018-10-26", None, "辩护律师可以同在押的犯罪嫌疑人会见。"),
)


def since(result: Applicability) -> str:
    """The first day of the wording that governs."""
    assert result.span is not None
    return result.span.window.start.isoformat()


# Criminal law: the law of the act, unless the law at trial is lighter.


@pytest.mark.parametrize(
    ("facts", "trial", "wording"),
    [
        ("2010-06-01", None, "1997-10-01"),
        ("2010-06-01", "2010-12-01", "1997-10-01"),
        ("2010-06-01", "2012-03-01", "1997-10-01"),
        ("2011-04-30", "2011-04-30", "1997-10-01"),
        ("2011-04-30", "2011-05-01", "1997-10-01"),
        ("2011-05-01", None, "2011-05-01"),
        ("2011-05-01", "2012-03-01", "2011-05-01"),
        ("2020-01-25", "2020-06-01", "2011-05-01"),
    ],
)
def test_probation_of_a_ringleader_is_excluded_for_acts_from_2011_05_01(
    facts: str, trial: str | None, wording: str
) -> None:
    result = governing(PROBATION, "criminal", facts=on(facts), trial=day(trial) if trial else None)
    assert result.verdict == "decided"
    assert result.rule.source.startswith("刑法 art. 12") or result.rule.id == "criminal/same"
    assert result.governing == on(facts)
    assert since(result) == wording


def test_a_heavier_law_at_trial_does_not_govern_and_the_reason_says_why() -> None:
    result = governing(PROBATION, "criminal", facts=on("2010-06-01"), trial=day("2012-03-01"))
    assert result.rule == rules.CRIMINAL_ACT
    assert "犯罪集团的首要分子" in result.reasons[0]


def test_without_a_trial_date_the_lenient_exception_is_a_caveat() -> None:
    before = governing(PROBATION, "criminal", facts=on("2010-06-01"))
    after = governing(PROBATION, "criminal", facts=on("2011-05-01"))
    assert rules.CRIMINAL_LIGHTER in before.caveats
    assert after.caveats == ()


@pytest.mark.parametrize(
    ("facts", "trial", "wording", "rule"),
    [
        ("2014-01-01", "2016-01-01", "1997-10-01", "criminal/act"),
        ("2015-10-31", "2016-01-01", "1997-10-01", "criminal/act"),
        ("2015-11-01", "2016-01-01", "2015-11-01", "criminal/act"),
        ("2016-01-01", "2024-02-29", "2015-11-01", "criminal/act"),
        ("2016-01-01", "2024-03-01", "2024-03-01", "criminal/lighter"),
        ("2024-03-01", "2024-09-01", "2024-03-01", "criminal/act"),
    ],
)
def test_the_lighter_law_at_trial_governs_and_is_looked_up_at_the_trial(
    facts: str, trial: str, wording: str, rule: str
) -> None:
    result = governing(BRIBERY, "criminal", facts=on(facts), trial=day(trial))
    assert (result.verdict, since(result), result.rule.id) == ("decided", wording, rule)
    assert result.governing == on(trial if rule == "criminal/lighter" else facts)


def test_a_wording_between_act_and_trial_is_mentioned() -> None:
    result = governing(BRIBERY, "criminal", facts=on("2014-01-01"), trial=day("2024-06-01"))
    assert any("in between" in reason for reason in result.reasons)


def test_changed_elements_of_a_crime_cannot_be_decided_from_the_text() -> None:
    result = governing(TAX_EVASION, "criminal", facts=on("2008-05-01"), trial=day("2009-06-01"))
    assert result.verdict == "cannot_decide"
    assert (result.governing, result.span) == (None, None)
    assert [span.window.start.isoformat() for span in result.alternatives] == [
        "1997-10-01",
        "2009-02-28",
    ]
    assert "elements of the crime changed" in result.reasons[0]


@pytest.mark.parametrize(
    ("facts", "state"),
    [("2011-04-29", "absent"), ("2011-04-30", "absent"), ("2011-05-01", "in_force")],
)
def test_a_new_crime_does_not_reach_acts_before_it(facts: str, state: str) -> None:
    result = governing(DANGEROUS_DRIVING, "criminal", facts=on(facts), trial=day("2012-01-01"))
    assert result.verdict == "decided"
    assert result.span is not None
    assert result.span.state == state
    assert result.governs == (state == "in_force")


def test_an_act_under_the_law_of_1979_cannot_be_compared_where_that_text_is_not_held() -> None:
    result = governing(BRIBERY, "criminal", facts=on("1997-09-30"), trial=day("1998-01-01"))
    assert result.verdict == "cannot_decide"
    assert [span.state for span in result.alternatives] == ["uncovered", "in_force"]


def test_texts_that_are_not_held_are_never_called_the_same() -> None:
    result = governing(BRIBERY, "criminal", facts=on("1990-01-01"), trial=day("1991-01-01"))
    assert result.verdict == "cannot_decide"


ACROSS = during("2011-04-01", "2011-06-30")


@pytest.mark.parametrize("conduct", ["continuing", "repeated"])
def test_an_offence_that_lasted_across_the_change_follows_the_later_law(conduct: Conduct) -> None:
    result = governing(PROBATION, "criminal", facts=ACROSS, conduct=conduct)
    assert result.rule == rules.CRIMINAL_CONTINUING
    assert result.governing == during("2011-05-01", "2011-06-30")
    assert since(result) == "2011-05-01"


def test_an_act_somewhere_around_the_change_cannot_be_decided() -> None:
    result = governing(PROBATION, "criminal", facts=ACROSS)
    assert result.verdict == "cannot_decide"
    assert len(result.alternatives) == 2
    assert "2011-05-01" in result.reasons[0]


def test_a_range_in_which_nothing_changed_is_decided() -> None:
    assert governing(PROBATION, "criminal", facts=during("2010-01-01", "2010-12-31")).governs


# Judicial interpretations.

THEFT_AMOUNTS = timeline(
    "最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释",
    "1",
    ("2013-04-04", None, "盗窃公私财物价值一千元至三千元以上的，应当认定为数额较大。"),
)


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [("2013-04-03", "cannot_decide"), ("2013-04-04", "decided"), ("2013-04-05", "decided")],
)
def test_an_earlier_criminal_interpretation_has_to_be_looked_for(facts: str, verdict: str) -> None:
    result = governing(THEFT_AMOUNTS, "criminal", facts=on(facts), trial=day("2014-01-01"))
    assert (result.verdict, result.rule) == (verdict, rules.INTERPRETATION)


# Procedure.


@pytest.mark.parametrize(
    ("trial", "wording"),
    [
        ("2012-12-31", "1997-01-01"),
        ("2013-01-01", "2013-01-01"),
        ("2013-01-02", "2013-01-01"),
        ("2018-10-25", "2013-01-01"),
        ("2018-10-26", "2018-10-26"),
    ],
)
def test_procedure_follows_the_law_at_trial_whenever_the_act_was_done(
    trial: str, wording: str
) -> None:
    facts = on("2010-06-01")
    result = governing(EVIDENCE, "criminal procedure", facts=facts, trial=day(trial))
    assert (result.verdict, since(result)) == ("decided", wording)
    assert result.governing == on(trial)


@pytest.mark.parametrize(
    "branch", ["criminal procedure", "civil procedure", "administrative procedure"]
)
def test_procedure_without_a_trial_date_cannot_be_decided(branch: Branch) -> None:
    result = governing(EVIDENCE, branch, facts=on("2012-06-01"))
    assert result.verdict == "cannot_decide"
    assert len(result.alternatives) == 3


# Civil law.


@pytest.mark.parametrize("facts", ["2001-01-01", "2002-06-01", "2004-12-31", "2020-12-31"])
def test_wills_before_2021_follow_the_inheritance_law_not_the_civil_code(facts: str) -> None:
    old = governing(NOTARISED_WILL, "civil", facts=on(facts))
    new = governing(LAST_WILL, "civil", facts=on(facts))
    assert (old.verdict, old.governs, old.rule) == ("decided", True, rules.CIVIL_OLD)
    assert (new.verdict, new.governs, new.rule) == ("decided", False, rules.CIVIL_OLD)
    assert "2021-01-01" in new.reasons[0]


def test_wills_made_in_several_years_are_decided_where_the_law_stayed() -> None:
    facts = during("2001-01-01", "2004-12-31")
    assert governing(NOTARISED_WILL, "civil", facts=facts).governs
    assert not governing(LAST_WILL, "civil", facts=facts).governs


@pytest.mark.parametrize("facts", ["2021-01-01", "2021-01-02", "2024-01-01"])
def test_facts_from_2021_follow_the_civil_code(facts: str) -> None:
    assert not governing(NOTARISED_WILL, "civil", facts=on(facts)).governs
    result = governing(LAST_WILL, "civil", facts=on(facts))
    assert (result.governs, result.rule, result.caveats) == (True, rules.CIVIL_NEW, ())


def test_exceptions_of_the_transitional_rules_are_caveats() -> None:
    old = governing(NOTARISED_WILL, "civil", facts=on("2003-01-01"))
    new = governing(LAST_WILL, "civil", facts=on("2003-01-01"))
    assert {rules.CIVIL_BETTER, rules.SUCCESSION} <= set(old.caveats)
    assert rules.CIVIL_SILENT not in old.caveats
    assert rules.CIVIL_SILENT in new.caveats
    assert any(rule.source.endswith("art. 23") for rule in old.caveats)


def test_a_judgment_before_the_civil_code_knows_no_exception_in_its_favour() -> None:
    result = governing(NOTARISED_WILL, "civil", facts=on("2003-01-01"), trial=day("2020-12-31"))
    assert rules.CIVIL_BETTER not in result.caveats


def test_facts_lasting_beyond_2021_follow_the_civil_code() -> None:
    facts = during("2019-01-01", "2021-06-30")
    result = governing(LAST_WILL, "civil", facts=facts, conduct="continuing")
    assert (result.governs, result.rule) == (True, rules.CIVIL_CONTINUING)
    assert result.governing == during("2021-01-01", "2021-06-30")
    assert not governing(NOTARISED_WILL, "civil", facts=facts, conduct="continuing").governs
    assert governing(LAST_WILL, "civil", facts=facts).verdict == "cannot_decide"


# Administrative and other law.

DUTY = timeline(
    "中华人民共和国某管理法",
    "6",
    ("2010-01-01", "2022-01-01", "经营者应当在十五日内办理登记。"),
    ("2022-01-01", None, "经营者应当在三十日内办理登记。"),
)

FINE = timeline(
    "中华人民共和国某管理法",
    "5",
    ("2010-01-01", "2022-01-01", "违反规定的，处五万元罚款。"),
    ("2022-01-01", None, "违反规定的，处一万元罚款。"),
)


@pytest.mark.parametrize(
    ("trial", "verdict", "rule"),
    [
        (None, "decided", rules.NOT_RETROACTIVE),
        ("2021-12-31", "decided", rules.NOT_RETROACTIVE),
        ("2022-01-01", "decided", rules.ADMINISTRATIVE_LIGHTER),
    ],
)
def test_an_administrative_penalty_decided_under_changed_law_has_to_be_compared(
    trial: str | None, verdict: str, rule: rules.Rule
) -> None:
    decided_on = day(trial) if trial else None
    result = governing(FINE, "administrative", facts=on("2021-01-01"), trial=decided_on)
    assert (result.verdict, result.rule) == (verdict, rule)


@pytest.mark.parametrize(
    ("facts", "wording"),
    [
        ("2021-12-30", "2010-01-01"),
        ("2021-12-31", "2010-01-01"),
        ("2022-01-01", "2022-01-01"),
        ("2022-01-02", "2022-01-01"),
    ],
)
@pytest.mark.parametrize("branch", ["labour", "commercial", "constitutional", "other"])
def test_other_law_does_not_reach_back(branch: Branch, facts: str, wording: str) -> None:
    result = governing(DUTY, branch, facts=on(facts), trial=day("2023-01-01"))
    assert (result.verdict, since(result)) == ("decided", wording)
    assert (rules.MORE_FAVOURABLE in result.caveats) == (wording == "2010-01-01")


# What holds for every branch.


@given(
    branch=st.sampled_from(BRANCHES),
    which=st.sampled_from([PROBATION, BRIBERY, DANGEROUS_DRIVING, NOTARISED_WILL, LAST_WILL, FINE]),
    start=st.dates(day("1990-01-01"), day("2026-01-01")),
    length=st.integers(1, 4000),
    wait=st.none() | st.integers(0, 4000),
    conduct=st.sampled_from(["unknown", "continuing", "repeated"]),
)
def test_every_answer_names_a_rule_and_either_a_wording_or_the_candidates(
    branch: Branch, which: Timeline, start: date, length: int, wait: int | None, conduct: Conduct
) -> None:
    facts = DateRange(start, date.fromordinal(start.toordinal() + length))
    trial = None if wait is None else date.fromordinal(start.toordinal() + wait)
    result = governing(which, branch, facts=facts, trial=trial, conduct=conduct)
    assert result.rule.source
    if result.verdict == "decided":
        assert result.governing is not None
        assert which.versions_in(result.governing).spans == (result.span,)
        assert result.alternatives == ()
    else:
        assert (result.governing, result.span) == (None, None)
        assert result.alternatives
        assert all(result.reasons)


def test_a_trial_before_the_facts_is_an_error_that_names_both() -> None:
    with pytest.raises(DateError, match=r"2009-12-31.*2010-01-01"):
        governing(PROBATION, "criminal", facts=on("2010-01-01"), trial=day("2009-12-31"))
