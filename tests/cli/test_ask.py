"""``inforce ask`` and ``search`` as a person reads them."""

from __future__ import annotations

from commands import InProcess

WILLS = (
    "一对夫妻2001年立自书遗嘱，2002年立公证遗嘱，2004年又立录音遗嘱，"
    "二人均于2004年去世，应按哪份遗嘱继承？"
)


def test_an_answer_tells_its_time_its_text_its_rule_and_todays_law(inforce: InProcess) -> None:
    told = inforce("ask", WILLS).out
    lines = told.splitlines()
    assert lines[0].startswith("time: 2001-01-01 to 2002-12-31, 2004-01-01 to 2004-12-31 (read in")
    assert "  自书、代书、录音、口头遗嘱，不得撤销、变更公证遗嘱。" in lines
    assert "in force 1985-10-01 to 2020-12-31 · 1985 · 中华人民共和国继承法" in lines
    assert "why: Disputes from facts before 2021-01-01 follow the law" in told
    assert (
        "today: 中华人民共和国民法典 第一千一百四十二条 (matched by text, 0.56, not stated" in told
    )
    assert lines[-2] == "Extractive answer: provisions are quoted, no conclusion is drawn."


def test_a_difference_with_todays_law_is_indented_throughout(inforce: InProcess) -> None:
    told = inforce("ask", WILLS).out
    assert "\n  立有数份遗嘱，内容相抵触的，以最后的遗嘱为准。[-\n  自书、代书" in told


def test_a_law_that_came_later_is_told_with_its_day(inforce: InProcess) -> None:
    told = inforce("ask", "2009年醉酒驾驶机动车怎么处罚").out
    assert "not quoted: 中华人民共和国刑法 第一百三十三条之一\nnot in force then\n" in told
    assert "later: in force 2011-05-01 to 2015-10-31" in told


def test_a_single_day_is_written_as_one(inforce: InProcess) -> None:
    told = inforce("ask", "累犯能否适用缓刑？", "--as-of", "2015-01-01").out
    assert told.splitlines()[0] == "time: 2015-01-01 (as given)"


def test_a_question_without_a_date_says_that_todays_law_is_meant(inforce: InProcess) -> None:
    told = inforce("ask", "累犯能否适用缓刑？").out
    assert told.startswith(
        "time: 2026-11-20 (today's law: no date of facts was read in the question)"
    )


def test_a_contradiction_of_dates_is_told(inforce: InProcess) -> None:
    told = inforce("ask", "2010年累犯能否适用缓刑？", "--as-of", "2015-01-01").out
    assert "note: the question speaks of 2010-01-01 to 2010-12-31; the date given, 2015-" in told


def test_an_unanswered_question_says_so(inforce: InProcess) -> None:
    told = inforce("ask", "怎么做红烧肉").out
    assert "nothing in this corpus speaks to the question; no answer is given" in told


def test_a_law_that_is_not_held_is_named(inforce: InProcess) -> None:
    told = inforce("ask", "《海商法》第十条2015年怎么规定？").out
    assert "not covered: 中华人民共和国海商法 is not in this corpus" in told


def test_markup_and_emoji_codes_of_a_question_are_only_text(inforce: InProcess) -> None:
    ran = inforce("ask", "[bold]《[red]法》第一条 :smile: [/]2015年怎么规定")
    assert "Traceback" not in ran.err
    assert ran.status in (4, 5)


def test_a_search_shows_why_it_ranked_so(inforce: InProcess) -> None:
    told = inforce("search", "缓刑", "--as-of", "2010", "-k", "1").out
    assert "1. 中华人民共和国刑法 第七十二条" in told
    assert "score " in told
    assert "words 1" in told
    assert "searched 351 wordings of 11 laws" in told


def test_a_search_of_any_date_finds_wordings_of_all_times(inforce: InProcess) -> None:
    ran = inforce("search", "累犯 缓刑", "--any-date", "-k", "10", "--json").json
    windows = {
        hit["provision"]["window"]["from"]
        for hit in ran["hits"]
        if hit["provision"]["number"]["short"] == "74"
    }
    assert windows == {"1997-10-01", "2011-05-01"}
    assert ran["time"] == {
        "during": [],
        "origin": "any",
        "conflict": "",
        "dates": None,
        "ahead": "",
    }
