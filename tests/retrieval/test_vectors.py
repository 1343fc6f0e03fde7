"""Nearest vectors under a filter: exact scans and the graph, and which is taken when."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from engine_documents import BagEncoder, document, keys_found, query, random_documents
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.retrieval.encoders.lsa import Matrix
from inforce.retrieval.engines import local, segments
from inforce.retrieval.engines.local import LocalEngine
from inforce.retrieval.engines.validity import Mask
from inforce.retrieval.engines.vectors import SCAN_SHARE, VectorIndex, grow_graph

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
    index = VectorIndex(vectors, graph)
    assert recall(index, vectors, unit(rng, QUERIES), allowed) >= 0.9


@pytest.mark.parametrize("share", [SCAN_SHARE, 0.01, 0.003])
def test_under_a_narrow_filter_the_graph_gives_way_to_an_exact_scan(
    vectors: Matrix, graph: Path, rng: np.random.Generator, share: float
) -> None:
    allowed = np.zeros(ROWS, dtype=np.bool_)
    allowed[rng.choice(ROWS, size=int(share * ROWS), replace=False)] = True
    index = VectorIndex(vectors, graph)
    assert recall(index, vectors, unit(rng, QUERIES), allowed) == 1.0


@pytest.mark.parametrize("with_graph", [False, True])
def test_rows_come_best_first_and_only_similar_ones(
    vectors: Matrix, graph: Path, with_graph: bool
) -> None:
    index = VectorIndex(vectors, graph if with_graph else None)
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


def test_beyond_the_flat_limit_the_engine_keeps_a_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = random_documents(300)
    flat = LocalEngine.create(tmp_path / "flat", BagEncoder())
    flat.add(documents)
    monkeypatch.setattr(local, "FLAT_LIMIT", 100)
    engine = LocalEngine.create(tmp_path / "graph", BagEncoder())
    engine.add(documents[:250])
    engine.add(documents[250:])
    engine.delete([documents[0].key])
    flat.delete([documents[0].key])
    manifest = segments.read_manifest(engine.folder)
    assert manifest and [path.name for path in engine.folder.glob("*.faiss")] == [manifest.graph]
    reader = LocalEngine(engine.folder, encoder=BagEncoder())
    wide = (DateRange(date(1985, 1, 1), date(2005, 1, 1)),)
    for asked in (query("盗窃 缓刑 抢劫"), query("合同 违约 工资")):
        for during in ((), wide):
            truth = keys_found(flat, asked, during=during)["dense"]
            found = keys_found(reader, asked, during=during)["dense"]
            assert len({*truth} & {*found}) >= 9


def test_a_damaged_graph_says_how_to_rebuild(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "FLAT_LIMIT", 1)
    engine = LocalEngine.create(tmp_path / "index", BagEncoder())
    engine.add([document("a", "盗窃"), document("b", "抢劫")])
    [graph] = engine.folder.glob("*.faiss")
    for spoilt in (b"", b"\xff" * 100, graph.read_bytes()[:50]):
        graph.write_bytes(spoilt)
        with pytest.raises(SearchIndexError, match="inforce corpus index --rebuild"):
            LocalEngine(engine.folder, encoder=BagEncoder()).search("dense", query("盗窃"))


def test_a_graph_that_grew_in_steps_finds_what_one_made_at_once_finds(
    tmp_path: Path, rng: np.random.Generator, vectors: Matrix
) -> None:
    first, second = tmp_path / "first.faiss", tmp_path / "second.faiss"
    grow_graph(vectors[: ROWS // 2], first)
    grow_graph(vectors, second, known=first)
    assert recall(VectorIndex(vectors, second), vectors, unit(rng, 20), None) >= 0.9
