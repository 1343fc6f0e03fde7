"""The date filter against brute force: every hit answers for the days, and none is missing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from documents_made import (
    QUESTIONS,
    BagEncoder,
    asked_of,
    document,
    keys_found,
    query,
    random_documents,
    schema,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.dates import ALWAYS, DateRange
from inforce.store import DENSE, Collection, Document, ExactTerms, Matrix, Undated
from inforce.store._days import UNDATED, ordinals, overlapping
from inforce.store.local import LocalStore
from inforce.store.local import _snapshot as snapshot_module

EVERYTHING = 1_000

dates = st.dates(date(1975, 1, 1), date(2035, 1, 1))


@st.composite
def ranges(draw: st.DrawFn) -> DateRange:
    start = draw(dates)
    length = draw(st.one_of(st.none(), st.integers(1, 4_000)))
    return DateRange(start, None if length is None else start + timedelta(days=length))


filters = st.lists(ranges(), min_size=1, max_size=3).map(tuple)
undated_or_not = st.sampled_from(("excluded", "included"))


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    undated = [document(f"undated{n}", "盗窃 合同 遗嘱 缓刑", None, "law:2") for n in range(5)]
    return {one.key: one for one in (*random_documents(600, seed=7), *undated)}


@pytest.fixture(scope="module")
def collection(
    tmp_path_factory: pytest.TempPathFactory, documents: dict[str, Document]
) -> Collection:
    store = LocalStore(tmp_path_factory.mktemp("store"))
    with store.replace("made", schema()) as writer:
        writer.add(documents.values())
        writer.delete([key for key in documents if key.endswith("7")])
    return store.open("made", schema())


@pytest.fixture(scope="module")
def vectors(documents: dict[str, Document]) -> Matrix:
    return BagEncoder().encode([one.text for one in documents.values()], role="passage")


def answers_for(one: Document, during: Sequence[DateRange], undated: Undated) -> bool:
    if one.days is None:
        return undated == "included"
    return any(one.days.overlaps(wanted) for wanted in during)


def mask(days: Sequence[DateRange | None], during: Sequence[DateRange], undated: Undated) -> object:
    pairs = np.asarray([ordinals(one) for one in days], dtype=np.int32).reshape(-1, 2)
    return overlapping(pairs[:, 0], pairs[:, 1], during, undated=undated).tolist()


@given(st.lists(st.one_of(st.none(), ranges()), max_size=20), filters, undated_or_not)
def test_the_mask_is_the_overlap_of_ranges(
    days: list[DateRange | None], during: tuple[DateRange, ...], undated: Undated
) -> None:
    made = [document("", "", one) for one in days]
    assert mask(days, during, undated) == [answers_for(one, during, undated) for one in made]


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        (date(2011, 4, 30), False),
        (date(2011, 5, 1), True),
        (date(2013, 1, 1), True),
        (date(2015, 10, 31), True),
        (date(2015, 11, 1), False),
    ],
)
def test_a_row_answers_from_its_first_day_up_to_but_without_its_end(
    on: date, expected: bool
) -> None:
    days = [DateRange(date(2011, 5, 1), date(2015, 11, 1))]
    assert mask(days, [DateRange.day(on)], "excluded") == [expected]


def test_the_ends_of_the_calendar_count() -> None:
    days = [ALWAYS, None, DateRange(date.max, None)]
    assert mask(days, [DateRange.day(date.min)], "excluded") == [True, False, False]
    assert mask(days, [DateRange.day(date.max)], "excluded") == [True, False, True]
    assert mask(days, [ALWAYS], "excluded") == [True, False, True]
    assert mask(days, [DateRange.day(date.min)], "included") == [True, True, False]
    assert mask(days, [], "excluded") == [True, True, True]
    assert ordinals(None) == UNDATED != ordinals(ALWAYS)


@settings(deadline=None)
@given(
    during=filters, asked=st.sampled_from(QUESTIONS), k=st.integers(1, 40), undated=undated_or_not
)
@pytest.mark.parametrize("name", ["exact, then words", "words", "bigrams", "exact"])
def test_terms_find_the_best_of_those_days(
    collection: Collection,
    documents: dict[str, Document],
    name: str,
    during: tuple[DateRange, ...],
    asked: ExactTerms,
    k: int,
    undated: Undated,
) -> None:
    snapshot = collection.snapshot()
    channel, question = asked_of(asked)[name]
    hits = snapshot.search(channel, question, during=during, undated=undated, k=k)
    everything = snapshot.search(channel, question, k=EVERYTHING)
    found = snapshot.payloads([hit.row for hit in everything])
    wanted = [
        hit
        for hit, key in zip(everything, found, strict=True)
        if answers_for(documents[key], during, undated)
    ]
    assert hits == wanted[:k]


@settings(deadline=None)
@given(
    during=filters, asked=st.sampled_from(QUESTIONS), k=st.integers(1, 40), undated=undated_or_not
)
def test_vectors_find_the_best_of_those_days(
    collection: Collection,
    documents: dict[str, Document],
    vectors: Matrix,
    during: tuple[DateRange, ...],
    asked: ExactTerms,
    k: int,
    undated: Undated,
) -> None:
    hits = collection.snapshot().search(DENSE, asked.text, during=during, undated=undated, k=k)
    valid = [
        row
        for row, (key, one) in enumerate(documents.items())
        if not key.endswith("7") and answers_for(one, during, undated)
    ]
    [wanted] = BagEncoder().encode([asked.text], role="query")
    scores = np.sort(vectors[valid] @ wanted)[::-1]
    assert {hit.row for hit in hits} <= set(valid)
    assert [hit.score for hit in hits] == pytest.approx(scores[scores > 0][:k].tolist(), abs=1e-5)


@pytest.mark.parametrize("deepest", [0, 10, 10**6])
def test_both_plans_give_the_same_answer(
    collection: Collection, deepest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    year = (DateRange(date(2000, 1, 1), date(2001, 1, 1)),)
    expected = [keys_found(collection, asked, during=year, k=7) for asked in QUESTIONS]
    monkeypatch.setattr(snapshot_module, "DEEPEST_LOOK", deepest)
    assert [keys_found(collection, asked, during=year, k=7) for asked in QUESTIONS] == expected


def test_several_ranges_let_each_of_their_days_pass(tmp_path: Path) -> None:
    store = LocalStore(tmp_path)
    years = [DateRange(date(year, 1, 1), date(year + 1, 1, 1)) for year in range(2000, 2006)]
    with store.replace("made", schema()) as writer:
        writer.add(document(f"{one.start.year}", "盗窃", one) for one in years)
    during = (DateRange.day(date(2001, 6, 1)), DateRange.day(date(2004, 1, 1)))
    found = keys_found(store.open("made", schema()), query("盗窃"), during=during)
    assert found["words"] == found[DENSE] == ["2001", "2004"]
