"""The answer without a model: what governed, why, and what today's law says instead."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.answering.answer import Answer, Quotation
from inforce.corpus.starter import starter_texts
from inforce.dates import DateRange
from inforce.errors import DateError, UserError
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library

CRIMINAL_LAW = "中华人民共和国刑法"
INHERITANCE_LAW = "中华人民共和国继承法"
CIVIL_CODE = "中华人民共和国民法典"

RINGLEADER = "犯罪集团的首要分子能否适用缓刑？"
RECIDIVIST = "累犯能否适用缓刑？"
DRUNK_DRIVER = "醉酒驾驶机动车怎么处罚"
WILLS = (
    "一对夫妻2001年立自书遗嘱，2002年立公证遗嘱，2004年又立录音遗嘱，"
    "二人均于2004年去世，应按哪份遗嘱继承？"
)


def quoted(answer: Answer, work: str, article: str) -> Quotation:
    """The quotation of an article in an answer."""
    number = ProvisionNumber.parse(article)
    [found] = [q for q in answer.quotations if (q.work, q.number) == (work, number)]
    return found


def words(quotation: Quotation) -> str:
    """The one wording quoted."""
    [span] = quotation.wordings
    assert span.provision
    return span.provision.text


@pytest.mark.parametrize(
    ("day", "law"),
    [
        ("2010年", "对于累犯，不适用缓刑。"),
        ("2011年4月29日", "对于累犯，不适用缓刑。"),
        ("2011年4月30日", "对于累犯，不适用缓刑。"),
        ("2011年5月1日", "对于累犯和犯罪集团的首要分子，不适用缓刑。"),
        ("2011年5月2日", "对于累犯和犯罪集团的首要分子，不适用缓刑。"),
        ("2015年", "对于累犯和犯罪集团的首要分子，不适用缓刑。"),
    ],
)
@pytest.mark.parametrize("person", [RINGLEADER, RECIDIVIST])
def test_amendment_viii_excludes_ringleaders_from_2011_05_01_and_recidivists_always_were(
    starter_library: Library, person: str, day: str, law: str
) -> None:
    answer = starter_library.ask(f"{day}，{person}")
    assert words(answer.quotations[0]) == law
    assert answer.quotations[0].number == ProvisionNumber.parse("74")
    assert answer.time.origin == "question"


def test_a_year_inside_which_the_law_changed_is_not_decided_for_one_wording(
    starter_library: Library,
) -> None:
    quotation = quoted(starter_library.ask(f"2011年，{RINGLEADER}"), CRIMINAL_LAW, "74")
    assert quotation.applicability.verdict == "cannot_decide"
    assert [span.window.start for span in quotation.wordings] == [
        *(date(1997, 10, 1), date(2011, 5, 1)),
    ]


def test_today_is_set_beside_a_wording_that_has_changed_since(starter_library: Library) -> None:
    today = quoted(starter_library.ask(f"2010年，{RINGLEADER}"), CRIMINAL_LAW, "74").today
    assert today.since == "amended"
    assert [piece.text for piece in today.pieces if piece.kind == "inserted"] == [
        "和犯罪集团的首要分子"
    ]


def test_wills_of_2001_to_2004_follow_the_inheritance_law(starter_library: Library) -> None:
    answer = starter_library.ask(WILLS)
    quotation = quoted(answer, INHERITANCE_LAW, "20")
    assert (
        words(quotation).splitlines()[2] == "自书、代书、录音、口头遗嘱，不得撤销、变更公证遗嘱。"
    )
    assert "法释〔2020〕15号" in quotation.applicability.rule.source
    assert CIVIL_CODE not in {one.work for one in answer.quotations}


def test_the_civil_code_is_shown_as_todays_law_with_its_score(starter_library: Library) -> None:
    today = quoted(starter_library.ask(WILLS), INHERITANCE_LAW, "20").today
    assert (today.since, today.work) == ("replaced", CIVIL_CODE)
    assert today.number == ProvisionNumber.parse("1142")
    assert 0.5 < today.score < 1


@pytest.mark.parametrize("day", ["2009年", "2011年4月29日", "2011年4月30日"])
def test_drunk_driving_was_no_crime_before_2011_05_01(starter_library: Library, day: str) -> None:
    answer = starter_library.ask(f"{day}{DRUNK_DRIVER}")
    assert answer.quotations == ()
    absence = answer.absences[0]
    assert (absence.lookup.number.short, absence.lookup.answer) == ("133-1", "not_in_force")
    assert absence.later is not None
    assert absence.later.window.start == date(2011, 5, 1)


@pytest.mark.parametrize("day", ["2011年5月1日", "2011年5月2日", "2020年"])
def test_drunk_driving_is_a_crime_from_2011_05_01(starter_library: Library, day: str) -> None:
    answer = starter_library.ask(f"{day}{DRUNK_DRIVER}")
    quotation = quoted(answer, CRIMINAL_LAW, "133-1")
    assert "醉酒驾驶机动车的" in words(quotation)
    assert quotation.captions == ("危险驾驶罪",)


def test_a_provision_whose_own_wording_was_silent_is_not_quoted_beside_a_better_one(
    starter_library: Library,
) -> None:
    # 刑法 277 speaks of driving into officers since 2021 only; of 2009 it has nothing to say.
    answer = starter_library.ask(f"2009年{DRUNK_DRIVER}")
    assert "277" not in {quotation.number.short for quotation in answer.quotations}


def test_without_a_trial_date_a_lenient_later_law_was_not_looked_for(
    starter_library: Library,
) -> None:
    quotation = quoted(starter_library.ask(f"2010年，{RECIDIVIST}"), CRIMINAL_LAW, "74")
    assert any("no trial date is given" in reason for reason in quotation.applicability.reasons)


def test_with_a_trial_date_the_law_at_trial_is_weighed(starter_library: Library) -> None:
    answer = starter_library.ask("2010年5月盗窃罪怎么处罚", trial="2012-01-01")
    ruled = quoted(answer, CRIMINAL_LAW, "264").applicability
    assert ruled.verdict == "cannot_decide"
    assert "法释〔1997〕12号" in ruled.rule.source


def test_procedure_without_a_trial_date_says_which_day_it_assumed(
    starter_library: Library,
) -> None:
    answer = starter_library.ask("刑事诉讼法第五十三条2014年怎么规定？")
    [quotation] = answer.quotations
    assert quotation.named
    assert quotation.assumptions == (
        "2014-01-01 is taken as the day of the procedural step (say --trial if not)",
    )
    assert quotation.today.since == "moved"
    assert quotation.today.number == ProvisionNumber.parse("55")


def test_a_question_without_a_date_is_answered_under_todays_law(starter_library: Library) -> None:
    answer = starter_library.ask(RECIDIVIST)
    assert answer.time.origin == "today"
    assert answer.time.during == (DateRange.day(date(2026, 11, 20)),)
    assert quoted(answer, CRIMINAL_LAW, "74").today.since == "unchanged"


def test_a_given_date_wins_over_the_question_and_the_contradiction_is_reported(
    starter_library: Library,
) -> None:
    answer = starter_library.ask(f"2010年，{RINGLEADER}", as_of="2015-01-01")
    assert "首要分子" in words(answer.quotations[0])
    assert answer.time.origin == "as_of"
    assert answer.time.conflict == (
        "the question speaks of 2010-01-01 to 2010-12-31; the date given, 2015-01-01, was used"
    )


def test_a_given_date_inside_the_days_of_the_question_is_no_contradiction(
    starter_library: Library,
) -> None:
    assert starter_library.ask(f"2010年，{RINGLEADER}", as_of="2010-06").time.conflict == ""


@pytest.mark.parametrize(
    "question",
    [
        "What did Article 74 of the Criminal Law say in June 2010?",
        "Art. 74 Criminal Law, 2010-06-15",
        "《刑法》第七十四条在2010年6月是怎么规定的？",
    ],
)
def test_a_question_may_be_asked_in_english_or_chinese(
    starter_library: Library, question: str
) -> None:
    [quotation] = starter_library.ask(question).quotations
    assert quotation.named
    assert words(quotation) == "对于累犯，不适用缓刑。"


@pytest.mark.parametrize(
    "question", ["怎么做红烧肉", "今天天气怎么样", "How to bake bread in 2015"]
)
def test_an_unrelated_question_is_left_unanswered(starter_library: Library, question: str) -> None:
    answer = starter_library.ask(question)
    assert answer.abstains
    assert answer.absences == ()
    assert answer.coverage.not_held == ()


def test_a_law_not_held_is_not_covered_and_nothing_else_is_quoted_instead(
    starter_library: Library,
) -> None:
    answer = starter_library.ask("《海商法》第十条2015年怎么规定？")
    assert answer.abstains
    assert answer.coverage.not_held == ("中华人民共和国海商法",)


def test_a_named_article_that_is_not_covered_is_told_as_such(starter_library: Library) -> None:
    answer = starter_library.ask("2015年刑法第三条怎么规定？")
    assert answer.abstains
    assert [absence.lookup.answer for absence in answer.absences] == ["not_covered"]


def test_an_answer_says_that_it_is_extractive(starter_library: Library) -> None:
    assert starter_library.ask(RECIDIVIST).method == "extractive"


def test_an_impossible_date_is_never_answered_with_todays_law(starter_library: Library) -> None:
    with pytest.raises(DateError, match="2010-02 has 28 days"):
        starter_library.ask(f"2010年2月30日，{RECIDIVIST}")
    given_day = starter_library.ask(f"2010年2月30日，{RECIDIVIST}", as_of="2010-03-01")
    assert given_day.analysis.notes == (
        "cannot read '2010年2月30日' as a date: 2010-02 has 28 days",
    )


def test_the_day_of_the_trial_must_be_a_day_and_not_before_the_facts(
    starter_library: Library,
) -> None:
    with pytest.raises(DateError, match="the day of the trial is needed"):
        starter_library.ask(f"2010年，{RECIDIVIST}", trial="2012")
    with pytest.raises(DateError, match="cannot come before the facts"):
        starter_library.ask(f"2010年，{RECIDIVIST}", trial="2009-12-31")


@pytest.mark.parametrize("question", ["", " \n", "\ud800"])
def test_a_question_without_words_is_refused(starter_library: Library, question: str) -> None:
    with pytest.raises(UserError, match="the question is"):
        starter_library.ask(question)


def test_a_very_long_question_is_answered_soon(starter_library: Library) -> None:
    answer = starter_library.ask(f"2010年，{RINGLEADER * 2_000}")
    assert words(answer.quotations[0]) == "对于累犯，不适用缓刑。"


PROVISIONS = sorted(
    {(text.version.work, one.number) for text in starter_texts() for one in text.provisions}
)
DAYS = st.dates(date(1979, 1, 1), date(2026, 11, 20))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(provision=st.sampled_from(PROVISIONS), day=DAYS)
def test_what_is_quoted_was_in_force_on_the_day(
    starter_library: Library, provision: tuple[str, ProvisionNumber], day: date
) -> None:
    work, number = provision
    answer = starter_library.ask(f"《{work}》{number.chinese}怎么规定？", as_of=day)
    for quotation in answer.quotations:
        assert all(day in span.window for span in quotation.wordings)
    looked_up = starter_library.at(work, number.short, on=day).lookup
    assert bool(looked_up.found) == bool(answer.quotations)
    if answer.absences:
        assert answer.absences[0].lookup == looked_up


@settings(max_examples=40, deadline=None, derandomize=True)
@given(provision=st.sampled_from(PROVISIONS), day=DAYS, words=st.integers(4, 30))
def test_what_is_found_and_quoted_for_words_of_the_law_was_in_force_on_the_day(
    starter_library: Library, provision: tuple[str, ProvisionNumber], day: date, words: int
) -> None:
    work, number = provision
    spans = starter_library.corpus.timeline(work, number).spans
    text = next(span.provision.text for span in spans if span.provision)
    answer = starter_library.ask(text[:words], as_of=day)
    assert all(day in span.window for one in answer.quotations for span in one.wordings)
    assert all(not absence.lookup.found for absence in answer.absences)
