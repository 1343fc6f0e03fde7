"""A source searched by words: what is found, of which days, and in which order."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judgments_made import WORDS, ids, judgment, made, opened, random_judgments

from inforce.dates import DateRange
from inforce.errors import SearchIndexError, UserError
from inforce.retrieval.sources.indexed import IndexedSource
from inforce.retrieval.sources.source import SourceDocument
from inforce.retrieval.tokens import tokenize

YEAR_2015 = DateRange(date(2015, 1, 1), date(2016, 1, 1))
DOCUMENTS = list(random_judgments(400, dated=0.8))


@pytest.fixture(scope="module")
def precedents(tmp_path_factory: pytest.TempPathFactory) -> IndexedSource:
    return made(tmp_path_factory.mktemp("precedents"), DOCUMENTS)


def test_a_hit_returns_the_document_as_it_was_put_in(tmp_path: Path) -> None:
    document = SourceDocument(
        "g-1",
        "量刑指导意见",
        "盗窃\n\n罪",
        date=date(2021, 7, 1),
        valid=DateRange(date(2021, 7, 1), None),
        issuer="最高人民法院",
        region="全国",
        section="一、总则",
        url="https://example.org/g",
        details={"partial": "true"},
    )
    source = made(tmp_path, [document], source="guideline")
    (hit,) = source.search("盗窃")
    assert hit.document == document
    assert hit.source == source.name == "guideline"
    assert source.get("g-1") == document
    assert source.get("g-2") is None


def test_the_order_is_that_of_bm25(precedents: IndexedSource) -> None:
    texts = {one.id: tokenize(f"{one.title}\n{one.text}") for one in DOCUMENTS}
    mean = sum(map(len, texts.values())) / len(texts)

    def bm25(document: str, query: list[str]) -> float:
        words, total = Counter(texts[document]), 0.0
        for word in query:
            having = sum(word in one for one in texts.values())
            rarity = math.log1p((len(texts) - having + 0.5) / (having + 0.5))
            length = 1.2 * (1 - 0.75 + 0.75 * len(texts[document]) / mean)
            total += rarity * words[word] * 2.2 / (words[word] + length)
        return total

    query = ["盗窃", "累犯", "缓刑"]
    for hit in precedents.search(" ".join(query), k=20):
        assert hit.score == pytest.approx(bm25(hit.document.id, query), rel=0.02)


@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    first=st.dates(date(2009, 1, 1), date(2020, 12, 1)),
    days=st.integers(1, 2_500),
    k=st.integers(1, 60),
)
@settings(max_examples=80, deadline=None)
def test_a_dated_search_is_the_undated_one_without_the_other_days(
    precedents: IndexedSource, words: list[str], first: date, days: int, k: int
) -> None:
    during = DateRange(first, first + timedelta(days=days))
    everything = precedents.search(" ".join(words), k=len(DOCUMENTS))
    wanted = [hit for hit in everything if hit.document.date is None or hit.document.date in during]
    assert precedents.search(" ".join(words), k=k, during=during) == wanted[:k]


def test_a_document_without_a_day_is_never_left_out_for_it(tmp_path: Path) -> None:
    source = made(
        tmp_path,
        [judgment(1, "盗窃", day=date(2014, 5, 1)), judgment(2, "盗窃案件")],
    )
    assert ids(source, "盗窃", during=YEAR_2015) == ["j-2"]


@pytest.mark.parametrize(
    ("written", "during", "found"),
    [
        ("2015", YEAR_2015, True),
        ("2015-06", YEAR_2015, True),
        ("2015", DateRange.day(date(2015, 12, 31)), True),
        ("2015-06", DateRange.day(date(2015, 12, 31)), False),
        ("2014", YEAR_2015, False),
        ("2016", YEAR_2015, False),
    ],
)
def test_a_precedent_of_a_year_or_month_answers_for_all_its_days(
    tmp_path: Path, written: str, during: DateRange, found: bool
) -> None:
    document = SourceDocument("j-1", "判决", "盗窃", details={"date": written})
    source = made(tmp_path, [document])
    assert bool(source.search("盗窃", during=during)) is found


@pytest.mark.parametrize(
    ("day", "found"),
    [
        (date(2014, 12, 31), False),
        (date(2015, 1, 1), True),
        (date(2015, 7, 1), True),
        (date(2015, 12, 31), True),
        (date(2016, 1, 1), False),
    ],
)
def test_a_guideline_is_found_on_the_days_it_was_in_force(
    tmp_path: Path, day: date, found: bool
) -> None:
    guideline = SourceDocument("g", "意见", "自首", date=date(2013, 1, 1), valid=YEAR_2015)
    source = made(tmp_path, [guideline], source="guideline")
    assert bool(source.search("自首", during=DateRange.day(day))) is found


def test_equal_scores_come_in_the_order_they_were_added(tmp_path: Path) -> None:
    same = [judgment(number, "盗窃电动车") for number in range(150)]
    source = made(tmp_path, same)
    assert ids(source, "盗窃", k=5) == [f"j-{number}" for number in range(5)]
    assert ids(source, "盗窃", k=140) == [f"j-{number}" for number in range(140)]


@pytest.mark.parametrize("query", ["", "，。！", "的了和", "量子纠缠", "zzz " * 500])
def test_a_question_without_a_word_that_is_held_finds_nothing(
    precedents: IndexedSource, query: str
) -> None:
    assert precedents.search(query) == []


def test_no_documents_is_an_answer_and_less_than_one_is_a_mistake(tmp_path: Path) -> None:
    source = made(tmp_path, [])
    assert len(source) == 0
    assert source.search("盗窃", during=YEAR_2015) == []
    with pytest.raises(UserError, match="a whole number of results"):
        source.search("盗窃", k=0)


def test_a_change_is_seen_by_a_reader_that_was_open(tmp_path: Path) -> None:
    reader = made(tmp_path, random_judgments(50))
    writer = opened(tmp_path)
    added = writer.add([judgment("new", "走私文物"), judgment(1, "走私珍稀植物")])
    assert (added.added, added.replaced) == (2, 1)
    assert sorted(ids(reader, "走私")) == ["j-1", "j-new"]
    assert len(reader) == 51
    gone = writer.delete(["j-new", "j-none", "j-new"])
    assert (gone.deleted, gone.unknown) == (("j-new",), ("j-none",))
    assert ids(reader, "走私") == ["j-1"]


def test_a_new_document_is_seen_by_a_reader_in_another_process(tmp_path: Path) -> None:
    writer = made(tmp_path, random_judgments(50))
    code = (
        "import sys, pathlib\n"
        "from inforce.retrieval.sources.indexed import IndexedSource\n"
        "from inforce.store.local import LocalStore\n"
        "source = IndexedSource(LocalStore(pathlib.Path(sys.argv[1])), 'precedent')\n"
        "print(len(source.search('走私')), flush=True)\n"
        "input()\n"
        "print(len(source.search('走私')), flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdin and reader.stdout
        assert reader.stdout.readline() == "0\n"
        writer.add([judgment("new", "走私文物")])
        reader.stdin.write("\n")
        reader.stdin.flush()
        assert reader.stdout.readline() == "1\n"


def test_nothing_is_seen_before_the_commit_and_nothing_stays_without_one(tmp_path: Path) -> None:
    source = made(tmp_path, random_judgments(20))
    with source.writing() as writer:
        writer.add([judgment("new", "走私文物")])
        assert ids(source, "走私") == []
    assert ids(source, "走私") == []
    assert len(source) == 20


def test_adding_that_fails_half_way_adds_nothing(tmp_path: Path) -> None:
    def documents() -> Iterator[SourceDocument]:
        yield judgment("a", "走私文物")
        raise OSError("the disk went away")

    source = made(tmp_path, random_judgments(20))
    with pytest.raises(OSError, match="went away"):
        source.add(documents())
    assert ids(source, "走私") == []
    assert source.add([judgment("b", "走私文物")]).added == 1


def test_a_second_writer_is_told_who_holds_the_source(tmp_path: Path) -> None:
    source = made(tmp_path, random_judgments(5))
    with source.writing():
        with pytest.raises(SearchIndexError, match=r"process \d+ on .* \(since 20\d\d-.*try again"):
            opened(tmp_path).add([judgment("b", "走私")])
        assert len(source) == 5
    assert source.add([judgment("b", "走私")]).added == 1


def test_replacing_a_document_of_passages_leaves_none_of_the_old_ones(tmp_path: Path) -> None:
    def passages(count: int) -> list[SourceDocument]:
        return [SourceDocument(f"g#{one}", "意见", f"自首 {one}") for one in range(1, count + 1)]

    source = made(tmp_path, passages(5), source="guideline")
    assert source.add(passages(2)).replaced == 1
    assert sorted(ids(source, "自首", k=10)) == ["g#1", "g#2"]
    assert source.delete(["g"]).deleted == ("g",)
    assert len(source) == 0


def test_of_two_documents_with_one_id_the_later_counts(tmp_path: Path) -> None:
    source = made(tmp_path, [judgment(1, "盗窃"), judgment(1, "抢劫")])
    assert len(source) == 1
    assert ids(source, "盗窃") == []
    assert ids(source, "抢劫") == ["j-1"]


def test_readers_in_threads_see_whole_states_while_one_writes(tmp_path: Path) -> None:
    source = made(tmp_path, [judgment("x", "走私 0")])
    wrong: list[list[str]] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            found = [hit.document.text for hit in source.search("走私", k=5)]
            if len(found) != 1:
                wrong.append(found)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    with opened(tmp_path).writing() as writer:
        for turn in range(15):
            writer.add([judgment("x", f"走私 {turn}")])
            writer.commit()
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert [hit.document.text for hit in source.search("走私")] == ["走私 14"]


def test_a_source_that_is_removed_says_so(tmp_path: Path) -> None:
    source = made(tmp_path, random_judgments(5))
    (tmp_path / "precedent").rename(tmp_path / "elsewhere")
    with pytest.raises(SearchIndexError, match="no index 'precedent'"):
        source.search("盗窃")
    with pytest.raises(SearchIndexError, match="no index 'precedent'"):
        opened(tmp_path)
