"""The store keeps every record as it came, answers for every day, and changes all or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trial_law import FIRST, LAW, SECOND, THIRD, stated

from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.errors import CorpusError, InputError, InternalError, UnknownWorkError
from inforce.law.model import (
    Caption,
    Provision,
    Source,
    Validity,
    Version,
    VersionText,
    provisions_hash,
)
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Answer
from inforce.testing import tiny_law

number = ProvisionNumber.parse

THEFT = Caption(number("2"), "盗窃罪", DateRange(date(1997, 12, 16), None), "法释〔1997〕9号")


# -- what goes in comes out ------------------------------------------------------------------------

texts = st.text(st.characters(codec="utf-8"), max_size=20)
days = st.dates(date(1949, 10, 1), date(2100, 1, 1))
numbers = st.one_of(
    st.builds(ProvisionNumber.article, st.integers(1, 9999), st.integers(0, 5)),
    st.builds(ProvisionNumber, st.just("point"), st.integers(1, 99)),
    st.sampled_from([ProvisionNumber("whole"), ProvisionNumber("preamble")]),
)
validities = st.one_of(
    st.builds(Validity, st.none() | days, st.none(), st.sampled_from(["open", "unknown"])),
    st.builds(
        Validity,
        st.none() | st.dates(date(1949, 10, 1), date(2000, 1, 1)),
        st.dates(date(2000, 1, 2), date(2100, 1, 1)),
        st.sampled_from(["exact", "presumed"]),
        st.sampled_from(["instrument", "register", "clause", "header", "unstated"]),
    ),
)
provision_lists = st.lists(
    st.builds(Provision, numbers, texts, texts), max_size=6, unique_by=lambda one: one.number
).map(tuple)
caption_lists = st.lists(
    st.builds(Caption, numbers, texts, st.builds(DateRange, days, st.none()), texts), max_size=3
).map(lambda found: tuple(dict.fromkeys(found)))


@st.composite
def records(draw: st.DrawFn) -> VersionText:
    provisions = draw(provision_lists)
    version = Version(
        draw(st.sampled_from(["甲法", "乙法"])),
        draw(texts),
        draw(validities),
        promulgated=draw(st.none() | days),
        instrument=draw(texts),
        scope=draw(st.none() | st.frozensets(numbers, max_size=3)),
        holes=draw(st.frozensets(numbers, max_size=3)),
        source=draw(st.builds(Source, texts, path=texts, revision=texts, licence=texts)),
        category=draw(texts),
        note=draw(texts),
        text_hash=provisions_hash(provisions),
    )
    return VersionText(version, provisions, draw(caption_lists))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(record=records())
def test_a_record_is_read_back_exactly_as_it_was_added(
    tmp_path_factory: pytest.TempPathFactory, record: VersionText
) -> None:
    path = tmp_path_factory.mktemp("round") / "corpus.db"
    with Corpus.open(path, mode="write") as corpus:
        corpus.add([record])
    with Corpus.open(path) as corpus:
        (version,) = corpus.versions(record.version.work)
        assert stated(corpus, version.work) == [record.version]
        assert corpus.provisions(version) == record.provisions
        assert [*corpus.texts(version.work)] == [replace(record, captions=())]
        assert set(corpus.captions(version.work)) == set(record.captions)
        assert corpus.numbers(version.work) == tuple(sorted(p.number for p in record.provisions))
        assert corpus.damage() == ()


def test_equal_texts_are_stored_once(corpus: Corpus) -> None:
    corpus.add(LAW)
    stats = corpus.stats()
    assert (stats.works, stats.witnesses, stats.provisions) == (1, 3, 7)
    assert stats.texts == 5  # 甲, 乙, 乙二, 丙 and one heading


# -- what the law was on a day ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("article", "day", "answer", "text"),
    [
        ("2", "1997-09-30", "not_covered", None),
        ("2", "1997-10-01", "found", "乙"),
        ("2", "2011-04-29", "found", "乙"),
        ("2", "2011-04-30", "found", "乙"),
        ("2", "2011-05-01", "found", "乙二"),
        ("2", "2011-05-02", "found", "乙二"),
        ("2", "2015-10-31", "found", "乙二"),
        ("2", "2015-11-01", "found", "乙二"),
        ("3", "2011-04-29", "not_in_force", None),
        ("3", "2011-04-30", "not_in_force", None),
        ("3", "2011-05-01", "found", "丙"),
        ("3", "2011-05-02", "found", "丙"),
        ("1", "2015-10-30", "found", "甲"),
        ("1", "2015-10-31", "found", "甲"),
        ("1", "2015-11-01", "not_in_force", None),
        ("1", "2015-11-02", "not_in_force", None),
        ("9", "2012-01-01", "not_found", None),
    ],
)
def test_a_provision_reads_as_it_did_on_the_day(
    corpus: Corpus, article: str, day: str, answer: Answer, text: str | None
) -> None:
    corpus.add(LAW)
    lookup = corpus.timeline("试验法", number(article)).version_at(date.fromisoformat(day))
    assert lookup.answer == answer
    assert [span.provision.text for span in lookup.found if span.provision] == [text] * bool(text)


def test_the_amending_instrument_comes_with_the_changed_text(corpus: Corpus) -> None:
    corpus.add(LAW)
    (span,) = corpus.timeline("试验法", number("2")).version_at(date(2020, 1, 25)).found
    assert span.version and span.version.key == SECOND.version.key
    assert span.window == DateRange(date(2011, 5, 1), None)
    assert [one.key for one in span.witnesses] == [SECOND.version.key, THIRD.version.key]


def test_all_timelines_of_a_law_are_those_asked_for_one_by_one(corpus: Corpus) -> None:
    corpus.add([*LAW, tiny_law("别法", {"1": "别"}, start=date(2000, 1, 1))])
    assert tuple(corpus.timelines("试验法")) == tuple(
        corpus.timeline("试验法", one) for one in corpus.numbers("试验法")
    )


def test_an_extract_makes_no_other_article_absent(corpus: Corpus) -> None:
    extract = tiny_law("试验法", {"74": "缓刑"}, start=date(2011, 5, 1), scope=["74"])
    corpus.add([extract])
    at = date(2012, 1, 1)
    assert corpus.timeline("试验法", number("74")).version_at(at).answer == "found"
    assert corpus.timeline("试验法", number("75")).version_at(at).answer == "not_covered"


def test_an_extract_that_names_an_article_without_text_says_it_was_absent(corpus: Corpus) -> None:
    before = tiny_law("试验法", {}, start=date(2000, 1, 1), end=date(2011, 5, 1), scope=["17-1"])
    after = tiny_law("试验法", {"17-1": "新"}, start=date(2011, 5, 1), scope=["17-1"])
    corpus.add([before, after])
    timeline = corpus.timeline("试验法", number("17-1"))
    assert timeline.version_at(date(2011, 4, 30)).answer == "not_in_force"
    assert timeline.version_at(date(2011, 5, 1)).answer == "found"


def test_a_hole_is_not_an_absence(corpus: Corpus) -> None:
    corpus.add([tiny_law("试验法", {"1": "甲", "3": "丙"}, start=date(2000, 1, 1), holes=["2"])])
    assert corpus.timeline("试验法", number("2")).version_at(date(2001, 1, 1)).answer == (
        "not_covered"
    )


def test_a_text_numbered_by_points_says_nothing_of_articles(corpus: Corpus) -> None:
    points = tiny_law("试验决定", {"一、": "甲"}, start=date(2000, 1, 1), end=date(2010, 1, 1))
    articles = tiny_law("试验决定", {"1": "甲"}, start=date(2010, 1, 1))
    corpus.add([points, articles])
    timeline = corpus.timeline("试验决定", number("1"))
    assert timeline.version_at(date(2005, 1, 1)).answer == "not_covered"


@pytest.mark.parametrize(
    ("day", "answer"),
    [
        ("1985-09-30", "not_in_force"),
        ("1985-10-01", "found"),
        ("2003-06-01", "found"),
        ("2020-12-31", "found"),
        ("2021-01-01", "not_in_force"),
    ],
)
def test_the_inheritance_law_was_in_force_from_1985_10_01_until_the_civil_code(
    corpus: Corpus, day: str, answer: Answer
) -> None:
    law = tiny_law(
        "中华人民共和国继承法", {"20": "遗嘱"}, start=date(1985, 10, 1), end=date(2021, 1, 1)
    )
    corpus.add([law])
    lookup = corpus.timeline("中华人民共和国继承法", number("20")).version_at(
        date.fromisoformat(day)
    )
    assert lookup.answer == answer


def test_the_last_version_held_does_not_end_a_law_nobody_says_was_repealed(corpus: Corpus) -> None:
    corpus.add([FIRST])
    lookup = corpus.timeline("试验法", number("2")).version_at(date(2011, 5, 1))
    assert lookup.answer == "not_covered"


# -- adding ----------------------------------------------------------------------------------------


def test_adding_the_same_records_again_changes_nothing(corpus: Corpus, path: Path) -> None:
    texts = [replace(FIRST, captions=(THEFT,)), SECOND, THIRD]
    first = corpus.add(texts)
    snapshot, stats = corpus.snapshot(), corpus.stats()
    assert (first.works, first.versions_added, first.provisions, first.captions) == (1, 3, 7, 1)
    again = corpus.add(reversed(texts))
    assert (again.works, again.versions_added, again.versions_known) == (0, 0, 3)
    assert (again.versions_replaced, again.provisions, again.captions) == (0, 0, 0)
    assert (corpus.snapshot(), corpus.stats()) == (snapshot, stats)


def test_the_snapshot_does_not_depend_on_the_order_of_adding(tmp_path: Path) -> None:
    texts = [replace(FIRST, captions=(THEFT,)), SECOND, tiny_law("别法", {"1": "别"})]
    snapshots: set[str] = set()
    for name, order in (("a", texts), ("b", texts[::-1])):
        with Corpus.open(tmp_path / name, mode="write") as corpus:
            for text in order:
                corpus.add([text])
            snapshots.add(corpus.snapshot())
    assert len(snapshots) == 1


def test_every_addition_changes_the_snapshot(corpus: Corpus) -> None:
    seen = {corpus.snapshot()}
    for text in (FIRST, SECOND, replace(SECOND, captions=(THEFT,))):
        corpus.add([text])
        seen.add(corpus.snapshot())
    assert len(seen) == 4


def test_a_closed_window_replaces_the_open_one_from_the_same_place(corpus: Corpus) -> None:
    still_open = tiny_law("试验法", {"1": "甲", "2": "乙"}, start=date(1997, 10, 1))
    corpus.add([still_open])
    report = corpus.add([FIRST, SECOND])
    assert (report.versions_added, report.versions_replaced) == (2, 1)
    assert stated(corpus, "试验法") == [FIRST.version, SECOND.version]


def test_a_corrected_instrument_replaces_the_record(corpus: Corpus) -> None:
    corpus.add([SECOND])
    corrected = replace(SECOND, version=replace(SECOND.version, instrument="试验法修正案（一）"))
    report = corpus.add([corrected])
    assert (report.versions_added, report.versions_replaced) == (1, 1)
    assert stated(corpus, "试验法") == [corrected.version]
    assert corpus.damage() == ()


def test_two_records_of_one_place_in_one_batch_are_both_kept(corpus: Corpus) -> None:
    twins = [tiny_law("试验法", {"1": text}, label="") for text in ("甲", "乙")]
    corpus.add(twins)
    assert corpus.add(twins).versions_known == 2
    assert len(corpus.versions("试验法")) == 2


def test_the_same_text_from_two_sources_is_one_version_with_two_witnesses(corpus: Corpus) -> None:
    elsewhere = tiny_law(
        "试验法", {"1": "甲", "2": "乙"}, label="1997年", evidence="header", source="elsewhere"
    )
    report = corpus.add([FIRST, SECOND, elsewhere])
    assert (report.versions_added, report.witnesses) == (3, 1)
    (summary,) = corpus.works()
    assert (summary.versions, summary.witnesses) == (2, 3)
    assert (summary.provisions, summary.first) == (3, date(1997, 10, 1))
    assert {version.source.name for version in corpus.versions("试验法")} == {
        "tiny laws",
        "elsewhere",
    }


def test_a_text_that_came_back_is_a_version_of_its_own(corpus: Corpus) -> None:
    back = tiny_law("试验法", {"1": "甲", "2": "乙"}, start=date(2015, 11, 1))
    assert corpus.add([FIRST, SECOND, back]).witnesses == 0
    (summary,) = corpus.works()
    assert summary.versions == 3


def test_progress_is_told_of_each_record(corpus: Corpus) -> None:
    told: list[VersionText] = []
    corpus.add(iter(LAW), progress=told.append)
    assert told == list(LAW)


def test_a_failing_source_leaves_the_corpus_as_it_was(corpus: Corpus) -> None:
    corpus.add([FIRST])
    before = corpus.snapshot(), corpus.stats()

    def failing() -> Iterator[VersionText]:
        yield SECOND
        raise InputError("cut off", path="laws.jsonl", line=2)

    with pytest.raises(InputError, match=r"laws\.jsonl:2: cut off"):
        corpus.add(failing())
    assert (corpus.snapshot(), corpus.stats()) == before


def test_a_record_that_holds_one_number_twice_is_refused_whole(corpus: Corpus) -> None:
    twice = replace(FIRST, provisions=(*FIRST.provisions, Provision(number("2"), "丙")))
    with pytest.raises(InputError, match="第二条 twice"):
        corpus.add([SECOND, twice])
    assert corpus.titles() == ()


def test_a_record_with_the_hash_of_another_text_is_refused(corpus: Corpus) -> None:
    with pytest.raises(InternalError, match="hash of another text"):
        corpus.add([replace(FIRST, provisions=SECOND.provisions)])


def test_a_missing_text_hash_is_filled_in(corpus: Corpus) -> None:
    corpus.add([replace(FIRST, version=replace(FIRST.version, text_hash=""))])
    assert stated(corpus, "试验法") == [FIRST.version]


# -- captions --------------------------------------------------------------------------------------


def test_a_caption_is_found_by_number(corpus: Corpus) -> None:
    corpus.add([replace(FIRST, captions=(THEFT,))])
    assert corpus.captions("试验法", number("2")) == (THEFT,)
    assert corpus.captions("试验法", number("1")) == ()


def test_a_caption_given_a_last_day_replaces_the_open_one(corpus: Corpus) -> None:
    closed = replace(THEFT, window=DateRange(THEFT.window.start, date(2021, 3, 1)))
    corpus.add([replace(FIRST, captions=(THEFT,))])
    assert corpus.add([replace(FIRST, captions=(closed,))]).captions == 1
    assert corpus.captions("试验法") == (closed,)


# -- naming a law ----------------------------------------------------------------------------------

HELD = (
    "中华人民共和国刑法",
    "中华人民共和国海洋环境保护法",
    "中华人民共和国食品安全法实施条例",
    "最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释",
    "快递暂行条例",
    "甲省物业管理条例",
    "乙省物业管理条例",
)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("中华人民共和国刑法", HELD[0]),
        ("刑法", HELD[0]),
        ("《刑法》", HELD[0]),
        ("Criminal Law", HELD[0]),
        ("海洋环境保护法", HELD[1]),
        ("盗窃刑事案件适用法律", HELD[3]),
        ("关于办理盗窃刑事案件适用法律若干问题的解释", HELD[3]),
        ("《快递暂行条例》", HELD[4]),
        ("甲省物业", HELD[5]),
    ],
)
def test_a_law_is_known_by_its_names(corpus: Corpus, name: str, title: str) -> None:
    corpus.add(tiny_law(held, {"1": held}) for held in HELD)
    assert corpus.resolve(name) == title


def test_a_title_held_in_two_spellings_is_known_by_either(corpus: Corpus) -> None:
    spellings = ("甲院、乙院关于丙的解释", "甲院 乙院关于丙的解释")
    corpus.add([tiny_law(spellings[0], {"1": "甲"})])
    assert [corpus.resolve(name) for name in spellings] == [spellings[0]] * 2
    corpus.add([tiny_law(spellings[1], {"1": "甲"})])
    assert [corpus.resolve(f"《{name}》") for name in spellings] == list(spellings)


@pytest.mark.parametrize(
    "name",
    [
        "环境保护法",  # another law than 海洋环境保护法
        "食品安全法",  # another text than its 实施条例
        "民法典",  # known, and not held
        "物业管理条例",  # two provinces have one
        "物业管理",
        "法",
        "",
        "Merchant Shipping Act",
    ],
)
def test_a_name_that_is_not_certain_is_refused(corpus: Corpus, name: str) -> None:
    corpus.add(tiny_law(held, {"1": held}) for held in HELD)
    with pytest.raises(UnknownWorkError):
        corpus.resolve(name)


def test_a_misspelt_name_is_refused_with_suggestions(corpus: Corpus) -> None:
    corpus.add(tiny_law(held, {"1": held}) for held in HELD)
    with pytest.raises(UnknownWorkError) as caught:
        corpus.resolve("海洋环境保护发")
    assert caught.value.suggestions[0] == "中华人民共和国海洋环境保护法"
    assert len(caught.value.suggestions) <= 3


def test_a_part_of_several_titles_is_refused_with_those_titles(corpus: Corpus) -> None:
    corpus.add(tiny_law(held, {"1": held}) for held in HELD)
    with pytest.raises(UnknownWorkError, match="乙省物业管理条例、甲省物业管理条例"):
        corpus.resolve("物业")


def ask_for_all_timelines(corpus: Corpus, work: str) -> object:
    return list(corpus.timelines(work))


def ask_for_one_timeline(corpus: Corpus, work: str) -> object:
    return corpus.timeline(work, number("1"))


@pytest.mark.parametrize(
    "ask",
    [
        Corpus.versions,
        Corpus.numbers,
        Corpus.captions,
        ask_for_one_timeline,
        ask_for_all_timelines,
    ],
)
def test_a_law_not_held_is_an_error_and_never_an_empty_answer(
    corpus: Corpus, ask: Callable[[Corpus, str], object]
) -> None:
    corpus.add([FIRST])
    with pytest.raises(UnknownWorkError, match="无此法"):
        ask(corpus, "无此法")


def test_a_version_not_held_is_an_error_and_never_an_empty_answer(corpus: Corpus) -> None:
    corpus.add([FIRST])
    with pytest.raises(CorpusError, match="does not hold 试验法"):
        corpus.provisions(SECOND.version)
