"""A timeline covers the calendar: every day in force, absent, or declared not covered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.dates import DateRange
from inforce.law.caveats import caveats, days_in_force
from inforce.law.model import DateEvidence, DateStatus, Provision, Validity, Version, same_wording
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Answer, Claim, Timeline, Unheld
from inforce.law.timeline_builder import TimelineBuilder

WORK = "中华人民共和国刑法"
ARTICLE = ProvisionNumber.article(74)
OLD, NEW = "对于累犯，不适用缓刑。", "对于累犯和犯罪集团的首要分子，不适用缓刑。"
CHANGE = date(2011, 5, 1)
GRADES: list[DateEvidence] = ["instrument", "register", "clause", "header", "unstated"]


def claim(
    text: str | None,
    start: date | None,
    end: date | None = None,
    *,
    status: DateStatus = "open",
    evidence: DateEvidence = "instrument",
    promulgated: date | None = None,
    label: str = "",
) -> Claim:
    validity = Validity(start, end, status, evidence)
    version = Version(WORK, label or f"{start}", validity, promulgated=promulgated)
    return Claim(version, None if text is None else Provision(ARTICLE, text))


def built(
    claims: Iterable[Claim],
    *,
    commenced: date | None = None,
    ended: date | None = None,
    unheld: Sequence[Unheld] = (),
) -> Timeline:
    builder = TimelineBuilder(WORK, commenced=commenced, ended=ended, unheld=unheld)
    return builder.build(ARTICLE, claims)


def probation() -> Timeline:
    """刑法 art. 74: the text of 1997 until Amendment VIII came into force on 2011-05-01."""
    claims = [
        claim(OLD, date(1997, 10, 1), CHANGE, status="exact"),
        claim(NEW, CHANGE),
    ]
    return built(claims, commenced=date(1980, 1, 1))


@pytest.mark.parametrize(
    ("day", "answer", "text"),
    [
        (date(1979, 12, 31), "not_in_force", None),
        (date(1980, 1, 1), "not_covered", None),
        (date(1997, 9, 30), "not_covered", None),
        (date(1997, 10, 1), "found", OLD),
        (date(2011, 4, 29), "found", OLD),
        (date(2011, 4, 30), "found", OLD),
        (date(2011, 5, 1), "found", NEW),
        (date(2011, 5, 2), "found", NEW),
        (date(2026, 11, 20), "found", NEW),
    ],
)
def test_the_wording_changes_on_the_day_the_amendment_comes_into_force(
    day: date, answer: Answer, text: str | None
) -> None:
    lookup = probation().version_at(day)
    assert lookup.answer == answer
    assert [span.provision.text for span in lookup.found if span.provision] == (
        [text] if text else []
    )


def test_a_month_in_which_the_law_changed_gives_both_wordings_and_the_day() -> None:
    month = DateRange(date(2011, 4, 15), date(2011, 5, 15))
    lookup = probation().versions_in(month)
    assert [span.provision.text for span in lookup.found if span.provision] == [OLD, NEW]
    assert lookup.changes == (CHANGE,)


def test_a_provision_no_version_has_is_not_found_rather_than_not_in_force() -> None:
    timeline = built([claim(None, date(1997, 10, 1))])
    assert timeline.version_at(date(2010, 1, 1)).answer == "not_found"


def test_a_provision_added_later_is_not_in_force_before() -> None:
    claims = [
        claim(None, date(1997, 10, 1), CHANGE, status="exact"),
        claim("在道路上醉酒驾驶机动车的，处拘役。", CHANGE),
    ]
    timeline = built(claims)
    assert timeline.version_at(date(2011, 4, 30)).answer == "not_in_force"
    assert timeline.version_at(CHANGE).answer == "found"


def test_a_repealed_law_is_not_in_force_from_the_day_of_its_repeal() -> None:
    repeal = date(2021, 1, 1)
    claims = [claim(OLD, date(1985, 10, 1), repeal, status="exact")]
    timeline = built(claims, ended=repeal)
    assert timeline.version_at(date(2020, 12, 31)).answer == "found"
    assert timeline.version_at(repeal).answer == "not_in_force"


def test_a_closed_text_without_a_known_repeal_leaves_what_follows_uncovered() -> None:
    claims = [claim(OLD, date(2000, 1, 1), date(2010, 1, 1), status="exact")]
    timeline = built(claims)
    assert timeline.version_at(date(2010, 1, 1)).answer == "not_covered"


def test_a_version_whose_end_is_unknown_never_answers_but_is_shown_as_a_candidate() -> None:
    timeline = built([claim(OLD, date(2004, 3, 14), status="unknown")])
    lookup = timeline.version_at(date(2005, 1, 1))
    assert lookup.answer == "not_covered"
    assert [candidate.text for candidate in lookup.candidates] == [OLD]
    assert [aside.reason for aside in timeline.set_aside] == ["end unknown"]


def test_a_text_in_force_whose_commencement_nobody_states_counts_from_promulgation() -> None:
    timeline = built([claim(OLD, None, promulgated=date(2014, 1, 1))])
    assert timeline.version_at(date(2013, 12, 31)).answer == "not_covered"
    found = timeline.version_at(date(2014, 1, 1)).found
    assert [span.date_status for span in found] == ["presumed"]


@pytest.mark.parametrize(
    ("better", "worse"),
    [("instrument", "register"), ("register", "clause"), ("header", "unstated")],
)
def test_the_better_dated_of_two_contradicting_texts_wins_and_the_other_is_set_aside(
    better: DateEvidence, worse: DateEvidence
) -> None:
    claims = [
        claim(NEW, date(2010, 1, 1), evidence=worse, label="worse"),
        claim(OLD, date(2010, 1, 1), evidence=better, label="better"),
    ]
    timeline = built(claims)
    assert [span.version.label for span in timeline.spans if span.version] == ["better"]
    (aside,) = timeline.set_aside
    assert aside.claim.version.label == "worse"
    assert aside.winner and aside.winner.version.label == "better"


def test_of_two_equally_well_dated_texts_the_closed_one_wins_its_days() -> None:
    claims = [
        claim(NEW, date(2000, 1, 1), label="stale"),
        claim(OLD, date(2000, 1, 1), date(2010, 1, 1), status="exact", label="closed"),
    ]
    spans = built(claims).spans
    assert [span.version.label for span in spans if span.version] == ["closed", "stale"]
    assert spans[-1].date_status == "presumed"


def test_the_same_text_from_two_sources_is_one_span_with_two_witnesses() -> None:
    claims = [
        claim(OLD, date(2000, 1, 1), label="register", evidence="register"),
        claim(OLD, date(2000, 1, 1), label="gazette"),
    ]
    (_, span) = built(claims).spans
    assert [witness.label for witness in span.witnesses] == ["gazette", "register"]


def test_an_amendment_that_left_the_wording_alone_does_not_begin_a_new_span() -> None:
    claims = [
        claim(OLD, date(2000, 1, 1), date(2005, 1, 1), status="exact", label="first"),
        claim(OLD, date(2005, 1, 1), label="second"),
    ]
    (_, span) = built(claims).spans
    assert span.window == DateRange(date(2000, 1, 1), None)
    assert span.version and span.version.label == "first"


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("处罚：\n（一）", "处罚:(一)", True),
        ("同时符合 下列条件", "同时符合下列条件", True),
        ("三年以下", "三年以上", False),
        ("帐户", "账户", False),
    ],
)
def test_line_breaks_and_the_width_of_stops_are_no_change_of_the_law(
    left: str, right: str, same: bool
) -> None:
    assert same_wording(left, right) is same


def test_of_two_copies_of_one_wording_the_one_in_official_print_is_quoted() -> None:
    proper, slipped = "有下列情形之一的：\n（一）", "有下列情形之一的:(一)"
    for first, second in ((proper, slipped), (slipped, proper)):
        claims = [
            claim(first, date(2000, 1, 1), date(2005, 1, 1), status="exact"),
            claim(second, date(2005, 1, 1)),
        ]
        (found,) = built(claims).version_at(date(2010, 1, 1)).found
        assert found.provision and found.provision.text == proper


FIRST = date(1990, 1, 1)
days = st.integers(0, 200).map(lambda offset: FIRST + timedelta(days=offset))
texts = st.sampled_from([None, "甲", "乙", "丙"])


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    start, end = sorted((draw(days), draw(days)))
    status: DateStatus = draw(st.sampled_from(["exact", "open", "presumed", "unknown"]))
    closed = status in ("exact", "presumed")
    return claim(
        draw(texts),
        start,
        end + timedelta(days=1) if closed else None,
        status=status,
        evidence=draw(st.sampled_from(GRADES)),
        label=str(draw(st.integers(0, 9))),
    )


@given(st.lists(claims(), max_size=7), st.none() | days, st.none() | days)
def test_spans_cover_the_calendar_without_overlap_and_without_gap(
    made: list[Claim], commenced: date | None, ended: date | None
) -> None:
    spans = built(made, commenced=commenced, ended=ended).spans
    assert spans[0].window.start == date.min
    assert spans[-1].window.end is None
    for earlier, later in zip(spans, spans[1:], strict=False):
        assert earlier.window.end == later.window.start


@given(claims(), st.lists(texts, min_size=1, max_size=4), st.none() | days, st.none() | days)
def test_provisions_of_one_version_alone_have_the_timelines_each_would_have_by_itself(
    made: Claim, words: list[str | None], commenced: date | None, ended: date | None
) -> None:
    builder = TimelineBuilder(WORK, commenced=commenced, ended=ended)
    for place, text in enumerate(words, 1):
        number = ProvisionNumber.article(place)
        own = [Claim(made.version, None if text is None else Provision(number, text))]
        alone = TimelineBuilder(WORK, commenced=commenced, ended=ended).build(number, own)
        assert builder.build(number, own) == alone


def last_day_claimed(one: Claim, others: list[Claim]) -> date:
    """The first day a claim no longer speaks for: an open end lasts until something begins."""
    validity = one.version.validity
    assert validity.start is not None
    if validity.end is not None:
        return validity.end
    starts = [other.version.validity.start for other in others]
    return min((day for day in starts if day and day > validity.start), default=date.max)


def speaks(one: Claim, day: date, others: list[Claim]) -> bool:
    validity = one.version.validity
    if validity.start is None or validity.status == "unknown":
        return False
    return validity.start <= day < last_day_claimed(one, others)


@given(st.lists(claims(), max_size=7), days)
def test_every_day_shows_the_text_of_the_best_dated_claim_that_speaks_of_it(
    made: list[Claim], day: date
) -> None:
    (span,) = built(made).version_at(day).spans
    speaking = [one for one in made if speaks(one, day, made)]
    if span.state == "uncovered":
        assert speaking == []
    elif not speaking:  # the words before and after these days are the same
        assert any(day in window for window in span.bridged)
    else:
        assert (span.provision.text if span.provision else None) in {one.text for one in speaking}
        graded = {GRADES.index(one.version.validity.evidence) for one in speaking}
        if len(graded) == len(speaking) and all(
            one.version.validity.status in ("exact", "open") for one in speaking
        ):
            best = min(speaking, key=lambda one: GRADES.index(one.version.validity.evidence))
            assert (span.provision.text if span.provision else None) == best.text


@given(st.lists(claims(), max_size=7))
def test_no_open_text_is_shown_once_a_later_one_has_begun(made: list[Claim]) -> None:
    numbered = [
        Claim(
            one.version,
            None if one.provision is None else Provision(ARTICLE, f"{one.text}{place}"),
        )
        for place, one in enumerate(made)
    ]
    for span in built(numbered).spans:
        for one in numbered:
            validity = one.version.validity
            shown = span.provision is not None and span.provision == one.provision
            if shown and validity.status == "open":
                assert span.window.end is None or span.window.end <= last_day_claimed(one, numbered)
                later = last_day_claimed(one, numbered)
                assert later == date.max or span.window.end is not None


@pytest.mark.parametrize("old", GRADES)
@pytest.mark.parametrize("new", GRADES)
def test_a_later_text_ends_an_open_one_whatever_the_evidence_for_either(
    old: DateEvidence, new: DateEvidence
) -> None:
    claims = [
        claim(OLD, date(2007, 1, 1), evidence=old),
        claim(NEW, date(2025, 7, 1), evidence=new),
    ]
    timeline = built(claims)
    for day, text in (
        (date(2025, 6, 29), OLD),
        (date(2025, 6, 30), OLD),
        (date(2025, 7, 1), NEW),
        (date(2025, 7, 2), NEW),
        (date(2026, 1, 1), NEW),
    ):
        assert [one.provision and one.provision.text for one in timeline.version_at(day).found] == [
            text
        ]


def test_two_texts_of_the_same_days_are_decided_by_evidence_and_the_other_is_named() -> None:
    claims = [
        claim(NEW, date(2007, 1, 1), evidence="header", label="worse"),
        claim(OLD, date(2007, 1, 1), evidence="register", label="better"),
    ]
    lookup = built(claims).version_at(date(2010, 1, 1))
    assert [span.version.label for span in lookup.found if span.version] == ["better"]
    assert [aside.claim.version.label for aside in lookup.contradicted] == ["worse"]


@pytest.mark.parametrize("known", [("as_of", date(2020, 1, 1)), ("promulgated", date(2006, 1, 1))])
def test_of_two_equally_well_dated_texts_the_one_known_later_is_shown_and_both_are_named(
    known: tuple[str, date],
) -> None:
    (what, day), shown = known, set[str]()
    for label in "甲乙丙丁戊己":  # whatever their keys
        first = claim(OLD, date(2007, 1, 1), label=f"{label}1")
        later = claim(NEW, date(2007, 1, 1), label=f"{label}2")
        version = later.version
        if what == "as_of":
            version = replace(version, source=replace(version.source, as_of=day))
        else:
            version = replace(version, promulgated=day)
        lookup = built([first, replace(later, version=version)]).version_at(date(2010, 1, 1))
        shown |= {span.provision.text for span in lookup.found if span.provision}
        [aside] = lookup.contradicted
        assert aside.is_as_well_dated
    assert shown == {NEW}


def test_the_same_words_before_and_after_a_missing_text_are_joined_and_the_days_named() -> None:
    claims = [
        claim(OLD, date(2000, 1, 1), date(2005, 1, 1), status="exact"),
        claim(OLD, date(2010, 1, 1)),
    ]
    (found,) = built(claims).version_at(date(2007, 1, 1)).found
    assert found.window == DateRange(date(2000, 1, 1), None)
    assert found.bridged == (DateRange(date(2005, 1, 1), date(2010, 1, 1)),)
    claims[1] = claim(NEW, date(2010, 1, 1))
    assert built(claims).version_at(date(2007, 1, 1)).found == ()


def test_what_begins_where_held_texts_begin_is_not_taken_for_a_commencement() -> None:
    claims = [claim(OLD, date(2014, 3, 15))]
    commenced = date(1994, 1, 1)
    timeline = built(claims, commenced=commenced)
    (held,) = timeline.version_at(date(2015, 1, 1)).found
    assert (held.begins, held.law_since) == ("held", commenced)
    assert days_in_force(held) == "since at least 2014-03-15"
    (first,) = (
        built([claim(OLD, commenced)], commenced=commenced).version_at(date(2015, 1, 1)).found
    )
    assert first.begins == "commenced"
    assert days_in_force(first) == "since 1994-01-01"


def test_uncovered_days_name_the_act_whose_text_is_missing() -> None:
    missing = Unheld(DateRange(date(2010, 1, 1), None), "the text as amended in 2010 is not held")
    claims = [claim(OLD, date(2000, 1, 1), date(2010, 1, 1), status="at_least")]
    lookup = built(claims, unheld=[missing]).version_at(date(2012, 1, 1))
    assert (lookup.answer, lookup.reason) == ("not_covered", missing.why)


def test_days_after_the_newest_source_are_answered_as_far_as_known() -> None:
    validity = Validity(date(2000, 1, 1), None, "open", as_of=date(2025, 4, 5))
    one = Claim(Version(WORK, "2000", validity), Provision(ARTICLE, OLD))
    timeline = built([one])
    assert timeline.version_at(date(2025, 4, 5)).as_far_as_known is None
    later = timeline.version_at(date(2025, 4, 6))
    assert (later.answer, later.as_far_as_known) == ("found", date(2025, 4, 5))
    (known,) = caveats(later)[-1:]
    assert known == "in force as far as known on 2025-04-05: what came later is not known here"
    assert (
        caveats(later, today=date(2025, 4, 5))[-1] == "2025-04-06 lies ahead: today is 2025-04-05"
    )


@given(st.lists(claims(), max_size=6, unique_by=lambda one: one.version.key))
def test_the_order_in_which_claims_arrive_does_not_matter(made: list[Claim]) -> None:
    shuffled = sorted(made, key=lambda one: (one.version.key, one.text or ""), reverse=True)
    windows = [
        [(span.window, span.state, span.provision) for span in built(order).spans]
        for order in (made, shuffled)
    ]
    assert windows[0] == windows[1]
