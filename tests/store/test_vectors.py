"""Nearest vectors under a filter: exact scans and the graph, and which is taken when."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from documents_made import document, keys_found, query, random_documents, schema
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.store import DENSE, Collection, Matrix
from inforce.store._days import Mask
from inforce.store.local import LocalStore
from inforce.store.local import _vectors as vectors_module
from inforce.store.local import _writer as writer_module
from inforce.store.local._vectors import SCAN_SHARE, VectorIndex, grow_graph

ROWS, DIMENSION, QUERIES, K = 4_000, 48, 30, 10


def unit(rng: np.random.Generator, count: int) -> Matrix:
    vectors = rng.standard_normal((count, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


@pytest.fixture(scope="module")
def vectors(rng: np.random.Generator) -> Matrix:
    return unit(rng, ROWS)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory, vectors: Matrix) -> Path:
    path = tmp_path_factory.mktemp("graph") / "graph.faiss"
    grow_graph(vectors, path)
    return path


def exact(vectors: Matrix, query: Matrix, allowed: Mask | None) -> NDArray[np.intp]:
    scores = vectors @ query
    if allowed is not None:
        scores[~allowed] = -2.0
    best = np.argsort(-scores, kind="stable")[:K]
    return best[scores[best] > 0]


def recall(index: VectorIndex, vectors: Matrix, queries: Matrix, allowed: Mask | None) -> float:
    """Share of the true nearest rows that are found, on average."""
    shares = [
        len({hit.row for hit in index.search(query, allowed=allowed, k=K)} & set(truth))
        / len(truth)
        for query in queries
        for truth in [exact(vectors, query, allowed).tolist()]
    ]
    return sum(shares) / len(shares)


@pytest.mark.parametrize("share", [None, 0.9, 0.5, 0.2, 0.01])
def test_without_a_graph_the_search_is_exact(
    vectors: Matrix, rng: np.random.Generator, share: float | None
) -> None:
    allowed = None if share is None else rng.random(ROWS) < share
    assert recall(VectorIndex(vectors), vectors, unit(rng, QUERIES), allowed) == 1.0


@pytest.mark.parametrize("share", [None, 0.9, 0.5, 0.2, 0.1])
def test_the_graph_finds_nine_of_ten_under_a_wide_filter(
    vectors: Matrix, graph: Path, rng: np.random.Generator, share: float | None
) -> None:
    allowed = None if share is None else rng.random(ROWS) < share
    index = VectorIndex(vectors, graph, graph_rows=ROWS)
    assert recall(index, vectors, unit(rng, QUERIES), allowed) >= 0.9


@pytest.mark.parametrize("share", [SCAN_SHARE, 0.01, 0.003])
def test_under_a_narrow_filter_the_graph_gives_way_to_an_exact_scan(
    vectors: Matrix, graph: Path, rng: np.random.Generator, share: float
) -> None:
    allowed = np.zeros(ROWS, dtype=np.bool_)
    allowed[rng.choice(ROWS, size=int(share * ROWS), replace=False)] = True
    index = VectorIndex(vectors, graph, graph_rows=ROWS)
    assert recall(index, vectors, unit(rng, QUERIES), allowed) == 1.0


@pytest.mark.parametrize("with_graph", [False, True])
def test_rows_come_best_first_and_only_similar_ones(
    vectors: Matrix, graph: Path, with_graph: bool
) -> None:
    index = VectorIndex(vectors, graph if with_graph else None, graph_rows=ROWS)
    hits = index.search(vectors[5], allowed=None, k=K)
    assert hits[0].row == 5
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    opposite = np.zeros(ROWS, dtype=np.bool_)
    opposite[5] = True
    assert index.search(-vectors[5], allowed=opposite, k=K) == []


def test_a_query_of_no_known_word_finds_nothing(vectors: Matrix) -> None:
    nothing = np.zeros(DIMENSION, dtype=np.float32)
    assert VectorIndex(vectors).search(nothing, allowed=None, k=K) == []
    assert VectorIndex(vectors[:0]).search(vectors[0], allowed=None, k=K) == []
    none = np.zeros(ROWS, dtype=np.bool_)
    assert VectorIndex(vectors).search(vectors[0], allowed=none, k=K) == []


def test_equal_vectors_come_in_the_order_of_rows(vectors: Matrix) -> None:
    same = np.repeat(vectors[:1], 20, axis=0)
    assert [hit.row for hit in VectorIndex(same).search(same[0], allowed=None, k=20)] == [
        *range(20)
    ]


@pytest.mark.parametrize("added", [1, 300, 3_000])
def test_rows_added_since_are_found_beside_what_is_indexed(
    vectors: Matrix, graph: Path, rng: np.random.Generator, added: int
) -> None:
    everything = np.concatenate([vectors, unit(rng, added)])
    wide = rng.random(len(everything)) < 0.5
    earlier = VectorIndex(vectors)
    earlier.search(vectors[0], allowed=None, k=1)
    exact_one = VectorIndex(everything, earlier=earlier)
    for allowed in (None, wide):
        assert recall(exact_one, everything, unit(rng, 10), allowed) == 1.0
        with_graph = VectorIndex(everything, graph, graph_rows=ROWS)
        assert recall(with_graph, everything, unit(rng, 10), allowed) >= 0.9
    newest = exact_one.search(everything[-1], allowed=None, k=3)
    assert newest[0].row == len(everything) - 1


def test_what_is_indexed_is_used_until_too_many_rows_were_added(
    vectors: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_module, "TAIL", 10)
    first = VectorIndex(vectors[:100])
    bases = [
        VectorIndex(vectors[:rows], earlier=first)._base.rows  # pyright: ignore[reportPrivateUsage]
        for rows in (100, 110, 111)
    ]
    assert bases == [100, 100, 111]


def made(root: Path, *commits: int) -> Collection:
    """A collection of random documents, committed in parts."""
    store = LocalStore(root)
    documents = random_documents(sum(commits))
    with store.replace("made", schema()) as writer:
        writer.add(documents[: commits[0]])
    collection, done = store.open("made", schema()), commits[0]
    for count in commits[1:]:
        collection.add(documents[done : done + count])
        done += count
    return collection


def test_beyond_the_flat_limit_a_collection_keeps_a_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flat = made(tmp_path / "flat", 300)
    monkeypatch.setattr(writer_module, "FLAT_LIMIT", 100)
    monkeypatch.setattr(writer_module, "TAIL", 20)
    monkeypatch.setattr(vectors_module, "TAIL", 20)
    collection = made(tmp_path / "graph", 250, 15, 35)
    for one in (flat, collection):
        one.delete(["d00000"])
    build = tmp_path / "graph" / "made" / "0001"
    graphs = sorted(path.name for path in build.glob("*.faiss"))
    assert graphs == ["graph-300.faiss"]  # the one before went with the commit after
    reader = LocalStore(tmp_path / "graph").open("made", schema())
    wide = (DateRange(date(1985, 1, 1), date(2005, 1, 1)),)
    for asked in (query("盗窃 缓刑 抢劫"), query("合同 违约 工资")):
        for during in ((), wide):
            truth = keys_found(flat, asked, during=during)[DENSE]
            for one in (collection, reader):
                found = keys_found(one, asked, during=during)[DENSE]
                assert len({*truth} & {*found}) >= 9


def test_a_damaged_graph_names_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "FLAT_LIMIT", 1)
    store = LocalStore(tmp_path)
    with store.replace("made", schema()) as writer:
        writer.add([document("a", "盗窃"), document("b", "抢劫")])
    [graph] = tmp_path.rglob("*.faiss")
    whole = graph.read_bytes()
    for spoilt in (b"", b"\xff" * 100, whole[:50], None):
        graph.write_bytes(spoilt) if spoilt is not None else graph.unlink()
        with pytest.raises(SearchIndexError, match="damaged.*make it anew"):
            store.open("made", schema()).snapshot().search(DENSE, "盗窃")


def test_a_graph_that_grew_in_steps_finds_what_one_made_at_once_finds(
    tmp_path: Path, rng: np.random.Generator, vectors: Matrix
) -> None:
    first, second = tmp_path / "first.faiss", tmp_path / "second.faiss"
    grow_graph(vectors[: ROWS // 2], first)
    grow_graph(vectors, second, known=first)
    index = VectorIndex(vectors, second, graph_rows=ROWS)
    assert recall(index, vectors, unit(rng, 20), None) >= 0.9
