"""What every implementation of the store promises, asked of each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from documents_made import (
    ALL,
    FRAUD,
    QUESTIONS,
    THEFT,
    BagEncoder,
    annotate,
    document,
    keys,
    keys_found,
    query,
    random_documents,
)
from stores_made import Make

from inforce.dates import ALWAYS, DateRange
from inforce.retrieval.tokens import tokenize
from inforce.store import (
    DENSE,
    EXACT,
    Channel,
    Collection,
    Document,
    Schema,
    inverse_frequency,
    keyword_weight,
)
from inforce.store import terms as terms_module

# The libraries below warn of their own future; that is not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")

# --- adding, finding, deleting ----------------------------------------------------------------


def test_what_was_added_is_found_in_every_channel(collection: Collection) -> None:
    written = collection.add(ALL)
    assert (written.added, written.replaced, len(collection.snapshot())) == (3, 0, 3)
    assert list(collection.snapshot().keys()) == ["theft", "fraud", "lease"]
    found = keys_found(collection, query("盗窃", "caption:盗窃罪"))
    assert {channel: keys[0] for channel, keys in found.items()} == dict.fromkeys(found, "theft")


def test_an_empty_collection_finds_nothing(collection: Collection) -> None:
    found = keys_found(collection, query("盗窃", "law:1"))
    assert found == {channel: [] for channel in found}
    assert (len(collection.snapshot()), keys(collection)) == (0, set())


@pytest.mark.parametrize("text", ["", "，。！", "从未出现的词语xyzzy"])
def test_a_question_without_a_known_term_finds_nothing(collection: Collection, text: str) -> None:
    collection.add(ALL)
    found = keys_found(collection, query(text))
    assert found["exact, then words"] == found["words"] == found["bigrams"] == found[EXACT] == []


def test_exact_terms_decide_and_words_order_what_ties(collection: Collection) -> None:
    collection.add([*ALL, document("more", "诈骗", None, "caption:诈骗罪", "law:1")])
    one = query("公私财物 数额较大 盗窃", "caption:诈骗罪")
    assert keys_found(collection, one)["exact, then words"] == ["fraud", "more"]
    two = query("公私财物 数额较大 盗窃", "caption:诈骗罪", "law:1")
    assert keys_found(collection, two)["exact, then words"] == ["more", "fraud"]


def test_exact_terms_add_up_and_nothing_else_counts(collection: Collection) -> None:
    one, two = (document(key, "盗窃", None, *exact) for key, exact in (("1", "a"), ("2", "ab")))
    collection.add([one, two, document("3", "a b")])
    snapshot = collection.snapshot()
    found = snapshot.search(EXACT, {"a": 1.5, "b": 2.0, "c": 9.0})
    assert [(hit.row, hit.score) for hit in found] == [(1, 3.5), (0, 1.5)]


def test_channels_have_analysers_of_their_own(make: Make) -> None:
    form = Schema((Channel("words", tokenize), Channel("signs", list)))
    collection = make(form)
    collection.add([Document("a", "a", "盗窃"), Document("b", "b", "盗走")])
    snapshot = collection.snapshot()
    assert [hit.row for hit in snapshot.search("words", "盗窃")] == [0]
    assert [hit.row for hit in snapshot.search("signs", "盗窃")] == [0, 1]
    assert snapshot.document_frequency("signs", ["盗", "盗窃"]) == [2, 0]
    with pytest.raises(ValueError, match="no channel 'dense'"):
        snapshot.search(DENSE, "盗窃")
    with pytest.raises(ValueError, match="no channel 'dense'"):
        snapshot.similarities("盗窃", [0])
    with pytest.raises(ValueError, match="it has words, signs, exact"):
        snapshot.search("text", "盗窃")


def test_terms_may_be_given_with_weights(collection: Collection) -> None:
    collection.add([document("a", "盗窃 合同"), document("b", "抢劫 合同")])
    snapshot = collection.snapshot()
    plain = snapshot.search("words", {"盗窃": 1.0, "抢劫": 1.0})
    assert plain[0].score == plain[1].score
    weighted = snapshot.search("words", {"盗窃": 0.4, "抢劫": 1.0})
    assert [hit.row for hit in weighted] == [1, 0]
    assert weighted[1].score == pytest.approx(0.4 * weighted[0].score, rel=1e-3)


def test_adding_replaces_the_document_of_the_same_key(collection: Collection) -> None:
    collection.add(ALL)
    written = collection.add([replace(THEFT, text="偷盗"), document("new", "新的")])
    assert (written.added, written.replaced) == (2, 1)
    assert sorted(keys(collection)) == ["fraud", "lease", "new", "theft"]
    found = keys_found(collection, query("盗窃", "caption:盗窃罪"))
    assert found["words"] == []
    assert found[EXACT] == ["theft"]
    assert "theft" in keys_found(collection, query("偷盗"))[DENSE]


def test_of_two_documents_with_one_key_in_one_call_the_later_counts(collection: Collection) -> None:
    written = collection.add([THEFT, FRAUD, replace(THEFT, text="抢劫")])
    assert (written.added, written.replaced) == (3, 1)
    assert len(collection.snapshot()) == 2
    assert keys_found(collection, query("盗窃"))["words"] == []
    assert keys_found(collection, query("抢劫"))[DENSE][0] == "theft"


def test_what_was_deleted_is_found_in_no_channel_and_may_come_back(collection: Collection) -> None:
    collection.add(ALL)
    assert collection.delete(["theft", "never known", "theft"]) == ("theft",)
    assert collection.delete(["theft"]) == ()
    assert keys(collection) == {"fraud", "lease"}
    found = keys_found(collection, query("盗窃 公私财物", "caption:盗窃罪"))
    assert all("theft" not in keys for keys in found.values())
    collection.add([THEFT])
    found = keys_found(collection, query("盗窃", "caption:盗窃罪"))
    assert all("theft" in keys for keys in found.values())


def passages(count: int, parent: str = "g") -> list[Document]:
    return [
        Document(f"{parent}#{one}", f"{parent}#{one}", f"自首 {one}", parent=parent)
        for one in range(1, count + 1)
    ]


def test_passages_are_replaced_and_deleted_with_their_document(collection: Collection) -> None:
    collection.add([*passages(5), *passages(2, "h")])
    assert collection.snapshot().rows_of("g") == [0, 1, 2, 3, 4]
    written = collection.add(passages(2))
    assert (written.added, written.replaced) == (2, 1)
    assert keys(collection) == {"g#1", "g#2", "h#1", "h#2"}
    assert collection.delete(["g#1"]) == ("g#1",)
    assert collection.delete(["g"]) == ("g",)
    assert keys(collection) == {"h#1", "h#2"}
    assert sorted(keys_found(collection, query("自首"))[DENSE]) == ["h#1", "h#2"]


def test_a_commit_between_the_passages_of_a_document_parts_nothing(collection: Collection) -> None:
    with collection.writing() as writer:
        writer.add([document("a", "甲"), *passages(1_300)], threads=0, commit_every=500)
        assert writer.rows == 1_301
        assert len(writer) == 1_024  # whole batches
        writer.commit()
    assert len(collection.snapshot()) == 1_301
    assert collection.add(passages(1)).replaced == 1
    assert keys(collection) == {"a", "g#1"}


def test_a_failing_stream_of_documents_adds_nothing(collection: Collection) -> None:
    def stream() -> Iterator[Document]:
        yield from random_documents(700)
        raise InterruptedError("the corpus went away")

    with pytest.raises(InterruptedError):
        collection.add(stream())
    assert (len(collection.snapshot()), keys(collection)) == (0, set())
    assert all(not found for found in keys_found(collection, query("盗窃 缓刑")).values())
    assert collection.add(ALL).added == 3
    assert keys(collection) == {"theft", "fraud", "lease"}


def test_nothing_is_seen_before_the_commit(collection: Collection) -> None:
    before = collection.snapshot().generation
    with collection.writing() as writer:
        writer.add([THEFT])
        writer.annotate("not yet")
        assert (len(collection.snapshot()), collection.snapshot().note) == (0, "")
        writer.commit()
        assert (len(collection.snapshot()), collection.snapshot().note) == (1, "not yet")
        writer.add([FRAUD])
    assert keys(collection) == {"theft"}
    assert collection.snapshot().generation > before


def test_progress_counts_every_document_once(collection: Collection) -> None:
    counted: list[int] = []
    collection.add(random_documents(600), progress=counted.append)
    assert sum(counted) == 600
    assert len(counted) > 1


def test_a_note_stays_until_another_is_written(collection: Collection) -> None:
    assert collection.snapshot().note == ""
    annotate(collection, "snapshot 1")
    collection.add(ALL)
    assert collection.snapshot().note == "snapshot 1"


@pytest.mark.parametrize("payload", ["", '{"text": "盗窃\\n\\u0000", "x": "𠮷"}', "𠮷法" * 40_000])
def test_payloads_come_back_untouched(collection: Collection, payload: str) -> None:
    collection.add([document("a", "盗窃", payload="other"), document("b", "抢劫", payload=payload)])
    snapshot = collection.snapshot()
    [hit] = snapshot.search("words", "抢劫")
    assert snapshot.payloads([hit.row, 0]) == [payload, "other"]
    assert snapshot.payloads([]) == []


# --- order and weights ------------------------------------------------------------------------


def test_equal_scores_come_in_the_order_of_addition(collection: Collection) -> None:
    for start in (0, 150):  # in two commits
        collection.add(
            document(f"d{number:03}", "盗窃 缓刑", None, "law:1")
            for number in range(start, start + 150)
        )
    for k in (3, 290):
        found = keys_found(collection, query("盗窃", "law:1"), k=k)
        wanted = [f"d{number:03}" for number in range(k)]
        assert found == dict.fromkeys(found, wanted)


def test_similarities_of_given_rows_are_the_scores_of_the_search(collection: Collection) -> None:
    collection.add(random_documents(120))
    collection.delete(["d00003"])
    snapshot = collection.snapshot()
    rows = [*range(119, -1, -1)]
    for asked in QUESTIONS:
        found = {hit.row: hit.score for hit in snapshot.search(DENSE, asked.text, k=200)}
        scores = snapshot.similarities(asked.text, rows)
        assert scores.shape == (120,)
        expected = [found.get(row, 0.0) for row in rows]
        assert np.maximum(scores, 0) == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert snapshot.similarities("盗窃", []).shape == (0,)


def test_a_vector_may_be_asked_for_as_well_as_a_text(collection: Collection) -> None:
    collection.add(ALL)
    snapshot = collection.snapshot()
    [vector] = BagEncoder().encode(["盗窃"], role="query")
    assert snapshot.search(DENSE, vector) == snapshot.search(DENSE, "盗窃")
    with pytest.raises(TypeError, match="a text or a vector"):
        snapshot.search(DENSE, {"盗窃": 1.0})


def test_frequencies_give_the_weights_of_keywords(collection: Collection) -> None:
    collection.add(ALL)
    snapshot = collection.snapshot()
    assert snapshot.document_frequency("words", ["财物", "盗窃", "未有"]) == [2, 1, 0]
    assert snapshot.document_frequency(EXACT, ["caption:盗窃罪", "x"]) == [1, 0]
    assert keyword_weight(snapshot, "words", ["财物"]) == inverse_frequency(2, 3)
    assert keyword_weight(snapshot, "words", ["财物", "盗窃"]) == inverse_frequency(1, 3)
    for unknown in (["未有"], ["盗窃", "未有"], []):
        assert keyword_weight(snapshot, "words", unknown) == pytest.approx(np.log1p(6))
    collection.add([document("d", "财物")])
    assert collection.snapshot().document_frequency("words", ["财物"]) == [3]


def test_common_words_are_not_searched_for_in_a_large_collection(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = Schema((Channel("words", tokenize, max_share=0.5),))
    collection = make(form)
    collection.add(
        document(f"{n}", "被告人盗窃" if n % 5 == 0 else "被告人抢劫") for n in range(20)
    )
    assert len(collection.snapshot().search("words", "被告人 盗窃", k=20)) == 20
    assert terms_module.COMMON_FROM > 20
    monkeypatch.setattr(terms_module, "COMMON_FROM", 20)
    assert len(collection.snapshot().search("words", "被告人 盗窃", k=20)) == 4
    assert len(collection.snapshot().search("words", "被告人", k=20)) == 20


# --- days -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        (date(2011, 4, 30), ["old"]),
        (date(2011, 5, 1), ["new"]),
        (date(2013, 1, 1), ["new"]),
        (date(2015, 10, 31), ["new"]),
        (date(2015, 11, 1), ["now"]),
    ],
)
def test_each_channel_finds_the_wording_in_force(
    collection: Collection, on: date, expected: list[str]
) -> None:
    collection.add(
        [
            document("old", "盗窃", DateRange(date(1997, 10, 1), date(2011, 5, 1)), "a"),
            document("new", "盗窃", DateRange(date(2011, 5, 1), date(2015, 11, 1)), "a"),
            document("now", "盗窃", DateRange(date(2015, 11, 1), None), "a"),
            document("undated", "盗窃", None, "a"),
        ]
    )
    found = keys_found(collection, query("盗窃", "a"), during=(DateRange.day(on),))
    assert found == dict.fromkeys(found, expected)


def test_documents_without_days_are_found_under_dates_only_where_asked_for(
    collection: Collection,
) -> None:
    year = DateRange(date(2015, 1, 1), date(2016, 1, 1))
    before = DateRange.day(date(2014, 12, 31))
    collection.add(
        [document("in", "盗窃", year), document("before", "盗窃", before), document("?", "盗窃")]
    )
    snapshot = collection.snapshot()
    for channel in ("words", DENSE):
        found = [
            [hit.row for hit in snapshot.search(channel, "盗窃", during=(days,), undated=undated)]
            for days in (year, before, DateRange.day(date(2020, 1, 1)))
            for undated in ("excluded", "included")
        ]
        assert found == [[0], [0, 2], [1], [1, 2], [], [2]]
        assert len(snapshot.search(channel, "盗窃")) == 3


def test_documents_of_one_day_each_are_found_by_it(collection: Collection) -> None:
    days = [date(2015, 1, 1), date(2015, 1, 2), date(2015, 1, 3)]
    collection.add(document(f"{day}", "盗窃", DateRange.day(day)) for day in days)
    snapshot = collection.snapshot()
    for undated in ("excluded", "included"):
        for row, day in enumerate(days):
            on = (DateRange.day(day),)
            assert [
                hit.row for hit in snapshot.search("words", "盗窃", during=on, undated=undated)
            ] == [row]
        both = (DateRange.inclusive(days[0], days[1]),)
        assert len(snapshot.search("words", "盗窃", during=both, undated=undated)) == 2


def test_several_ranges_and_the_ends_of_the_calendar_count(collection: Collection) -> None:
    years = [DateRange(date(year, 1, 1), date(year + 1, 1, 1)) for year in (2000, 2001, 2002)]
    collection.add([document(f"{valid.start.year}", "盗窃", valid) for valid in years])
    collection.add([document("ever", "盗窃", ALWAYS), document("never", "盗窃")])
    for during, expected in (
        ((DateRange.day(date(2000, 6, 1)), years[2]), {"2000", "2002", "ever"}),
        ((DateRange.day(date.min),), {"ever"}),
        ((DateRange.day(date.max),), {"ever"}),
        ((), {"2000", "2001", "2002", "ever", "never"}),
    ):
        found = keys_found(collection, query("盗窃"), during=during)
        assert [set(found[name]) for name in ("words", DENSE)] == [expected] * 2


def test_what_ranks_behind_many_of_other_days_is_found(collection: Collection) -> None:
    old, new = (DateRange(date(year, 1, 1), date(year + 9, 1, 1)) for year in (2000, 2009))
    collection.add(document(f"old{n}", "盗窃 盗窃 缓刑", old) for n in range(300))
    collection.add(document(f"new{n}", "盗窃 合同 违约 赔偿 租赁 工资", new) for n in range(3))
    found = keys_found(collection, query("盗窃 缓刑"), during=(DateRange.day(date(2010, 1, 1)),))
    assert found["words"] == ["new0", "new1", "new2"]
