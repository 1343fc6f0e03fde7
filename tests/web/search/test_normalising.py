"""Results of every service come out in one form, each page once, dated as far as they say."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from inforce.dates import DateRange
from inforce.errors import InternalError
from inforce.web.search.normalising import Found, as_page, clean_text, published
from inforce.web.search.provider import (
    ERROR_MARKERS,
    SearchFailure,
    SearchPage,
    WebResult,
    why_blocked,
)

AT = datetime(2026, 3, 26, 8, 45, tzinfo=UTC)
SNIPPET = "The rule takes effect on February 27 and applies to all petitions."


def page(*found: Found, k: int = 10, during: DateRange | None = None) -> SearchPage:
    return as_page(found, provider="serper", query="q", k=k, during=during, fetched_at=AT)


def found(url: str, title: str = "Title", snippet: str = SNIPPET, day: str = "") -> Found:
    return Found(url, title, snippet, day)


def test_entities_tags_and_spacing_of_the_service_are_resolved() -> None:
    (result,) = page(found("https://x.org/a", "A &amp; B", "six <b>months</b>&nbsp;of\n x")).results
    assert (result.title, result.snippet) == ("A & B", "six months of x")


def test_invisible_characters_are_taken_out() -> None:
    assert clean_text("in\u200bforce\u202e \x07now", longest=99) == "inforce now"


def test_a_text_longer_than_the_cap_is_cut_and_says_so() -> None:
    assert clean_text("a" * 500, longest=10) == "a" * 9 + "…"


def test_a_page_found_twice_is_shown_once_and_ranks_are_counted_after_that() -> None:
    results = page(
        found("https://x.org/a#1"), found("http://www.x.org/a/"), found("https://x.org/b")
    ).results
    assert [(one.url, one.rank) for one in results] == [
        ("https://x.org/a", 1),
        ("https://x.org/b", 2),
    ]


def test_a_page_holds_no_more_than_was_asked_for() -> None:
    assert len(page(*(found(f"https://x.org/{n}") for n in range(9)), k=4).results) == 4


def test_results_without_any_address_are_a_misread_reply_not_an_empty_page() -> None:
    with pytest.raises(SearchFailure) as caught:
        page(found("not an address"))
    assert caught.value.reason == "malformed"
    assert page().results == ()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("2021-03-01T10:00:00Z", "2021-03-01"),
        ("2021-03-01", "2021-03-01"),
        ("Mar 3, 2021", "2021-03-03"),
        ("March 2021", "2021-03"),
        ("2021年3月1日", "2021-03-01"),
        ("Wed, 03 Mar 2021 10:00:00 GMT", "2021-03-03"),
        ("20 hours ago", "2026-03-25"),
        ("3 days ago", "2026-03-23"),
        ("2 weeks ago", "2 weeks ago"),
        ("2021-13-45", "2021-13-45"),
        ("soon", "soon"),
    ],
)
def test_a_date_is_read_where_its_words_state_one_and_kept_as_words_otherwise(
    words: str, said: str
) -> None:
    assert published(words, fetched_at=AT) == said


def test_results_known_to_be_of_other_days_are_left_out_and_undated_ones_kept() -> None:
    during = DateRange.inclusive(date(2021, 3, 1), date(2021, 3, 31))
    results = page(
        found("https://x.org/in", day="Mar 31, 2021"),
        found("https://x.org/month", day="March 2021"),
        found("https://x.org/out", day="2021-04-01"),
        found("https://x.org/undated"),
        found("https://x.org/vague", day="last spring"),
        during=during,
    ).results
    assert [one.url[14:] for one in results] == ["in", "month", "undated", "vague"]


def test_a_pdf_is_named_as_one() -> None:
    kinds = [
        one.kind for one in page(found("https://x.org/a.PDF"), found("https://x.org/a")).results
    ]
    assert kinds == ["pdf", "page"]


@pytest.mark.parametrize("marker", ERROR_MARKERS)
def test_an_error_message_in_place_of_a_text_is_blocked(marker: str) -> None:
    assert why_blocked(f"We are sorry: {marker.upper()} while loading the page you wanted")


@pytest.mark.parametrize("marker", ERROR_MARKERS)
def test_a_long_page_may_speak_of_errors(marker: str) -> None:
    assert not why_blocked(
        f"The filing {marker} at the clerk's office. " + "The court held so. " * 50
    )


def test_thirty_characters_are_content_and_twenty_nine_are_not() -> None:
    assert why_blocked("a" * 29) and not why_blocked("a" * 30)


def test_a_chinese_character_counts_as_two() -> None:
    assert why_blocked("法" * 14) and not why_blocked("法" * 15)


def test_a_blocked_result_is_marked_and_not_usable() -> None:
    made = page(found("https://x.org/a", snippet="403 Client Error: Forbidden for url x"))
    assert made.results[0].blocked and made.usable == ()


def test_an_authority_class_comes_with_each_result() -> None:
    def result(url: str) -> WebResult:
        return WebResult("t", url, SNIPPET)

    assert result("https://www.uscis.gov/a").authority == "primary"
    assert result("https://www.reddit.com/r/a").authority == "user_generated"


@pytest.mark.parametrize("zone", [None, timezone(timedelta(hours=8))])
def test_a_page_is_dated_in_utc(zone: timezone | None) -> None:
    with pytest.raises(InternalError):
        SearchPage((), "serper", "q", datetime(2026, 1, 1, tzinfo=zone))
