"""The temporal filter against brute force: every hit valid, and nothing valid missing."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from engine_documents import QUESTIONS, BagEncoder, document, keys_found, query, random_documents
from hypothesis import given
from hypothesis import strategies as st

from inforce.dates import ALWAYS, DateRange
from inforce.retrieval.encoders.lsa import Matrix
from inforce.retrieval.engines import Document, EngineQuery, TimeFilter, validity
from inforce.retrieval.engines.local import LocalEngine
from inforce.retrieval.fusion import Channel

DAY = timedelta(days=1)
EVERYTHING = 1_000

dates = st.dates(date(1975, 1, 1), date(2035, 1, 1))


@st.composite
def ranges(draw: st.DrawFn) -> DateRange:
    start = draw(dates)
    length = draw(st.one_of(st.none(), st.integers(1, 4_000)))
    return DateRange(start, None if length is None else start + timedelta(days=length))


filters = st.lists(ranges(), min_size=1, max_size=3).map(tuple)


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    undated = [document(f"undated{n}", "盗窃 合同 遗嘱 缓刑") for n in range(5)]
    return {one.key: one for one in (*random_documents(600, seed=7), *undated)}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory, documents: dict[str, Document]) -> LocalEngine:
    made = LocalEngine.create(tmp_path_factory.mktemp("engine"), BagEncoder())
    made.add(documents.values())
    made.delete([key for key in documents if key.endswith("7")])
    return made


@pytest.fixture(scope="module")
def vectors(documents: dict[str, Document]) -> Matrix:
    return BagEncoder().encode([one.text for one in documents.values()], role="passage")


def in_force(one: Document, during: TimeFilter) -> bool:
    return one.valid is not None and any(one.valid.overlaps(wanted) for wanted in during)


@given(st.lists(st.one_of(st.none(), ranges()), max_size=20), filters)
def test_the_mask_is_the_overlap_of_ranges(
    valid: list[DateRange | None], during: TimeFilter
) -> None:
    allowed = validity.mask(validity.windows(valid), during)
    expected = [one is not None and any(one.overlaps(wanted) for wanted in during) for one in valid]
    assert allowed.tolist() == expected


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
def test_a_row_is_valid_from_its_first_day_up_to_but_without_its_end(
    on: date, expected: bool
) -> None:
    rows = validity.windows([DateRange(date(2011, 5, 1), date(2015, 11, 1))])
    assert validity.mask(rows, [DateRange.day(on)]).tolist() == [expected]


def test_the_ends_of_the_calendar_count() -> None:
    rows = validity.windows([ALWAYS, None, DateRange(date.max, None)])
    assert validity.mask(rows, [DateRange.day(date.min)]).tolist() == [True, False, False]
    assert validity.mask(rows, [DateRange.day(date.max)]).tolist() == [True, False, True]
    assert validity.mask(rows, [ALWAYS]).tolist() == [True, False, True]


@given(during=filters, asked=st.sampled_from(QUESTIONS), k=st.integers(1, 40))
@pytest.mark.parametrize("channel", ["keyword", "bm25"])
def test_words_find_the_best_of_what_was_in_force(
    engine: LocalEngine,
    documents: dict[str, Document],
    channel: Channel,
    during: TimeFilter,
    asked: EngineQuery,
    k: int,
) -> None:
    hits = engine.search(channel, asked, during=during, k=k)
    best = [
        hit.score
        for hit in engine.search(channel, asked, k=EVERYTHING)
        if in_force(documents[engine.payload(hit.row)], during)
    ]
    assert all(in_force(documents[engine.payload(hit.row)], during) for hit in hits)
    assert [hit.score for hit in hits] == pytest.approx(best[:k], rel=1e-4)


@given(during=filters, asked=st.sampled_from(QUESTIONS), k=st.integers(1, 40))
def test_vectors_find_the_best_of_what_was_in_force(
    engine: LocalEngine,
    documents: dict[str, Document],
    vectors: Matrix,
    during: TimeFilter,
    asked: EngineQuery,
    k: int,
) -> None:
    hits = engine.search("dense", asked, during=during, k=k)
    valid = [
        row
        for row, (key, one) in enumerate(documents.items())
        if not key.endswith("7") and in_force(one, during)
    ]
    [wanted] = engine.encoder.encode([asked.text], role="query")
    scores = np.sort(vectors[valid] @ wanted)[::-1]
    assert all(in_force(documents[engine.payload(hit.row)], during) for hit in hits)
    assert [hit.score for hit in hits] == pytest.approx(scores[scores > 0][:k].tolist(), abs=1e-5)


def test_the_dated_query_finds_what_stands_behind_the_first_hundred(tmp_path: Path) -> None:
    engine = LocalEngine.create(tmp_path / "index", BagEncoder())
    old = DateRange(date(2000, 1, 1), date(2001, 1, 1))
    new = DateRange(date(2001, 1, 1), None)
    engine.add(document(f"old{n}", "盗窃 盗窃 缓刑", old) for n in range(300))
    engine.add(document(f"new{n}", "盗窃 合同 违约 赔偿 租赁 工资 保险", new) for n in range(3))
    found = keys_found(engine, query("盗窃 缓刑"), during=(DateRange.day(date(2010, 1, 1)),))
    assert found["keyword"] == found["bm25"] == ["new0", "new1", "new2"]


def test_several_ranges_let_each_of_their_days_pass(tmp_path: Path) -> None:
    engine = LocalEngine.create(tmp_path / "index", BagEncoder())
    for year in range(2000, 2006):
        year_of = DateRange(date(year, 1, 1), date(year + 1, 1, 1))
        engine.add([document(f"{year}", "盗窃", year_of)])
    during = (DateRange.day(date(2001, 6, 1)), DateRange.day(date(2004, 1, 1)))
    found = keys_found(engine, query("盗窃"), during=during)
    assert all(keys == ["2001", "2004"] for keys in found.values())
