"""BM25 ranks by Robertson's weights, and rankings are measured as TREC measures them."""

from __future__ import annotations

from math import log, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.evals.lecard.benchmark import MEASURES, measured
from inforce.evals.lecard.bm25 import Bm25
from inforce.evals.lecard.files import Candidate

CASES = [
    Candidate("a", "盗窃 手机"),
    Candidate("b", "盗窃 盗窃 盗窃 现金"),
    Candidate("c", "抢劫 现金"),
    Candidate("d", "诈骗"),
]


def test_bm25_prefers_the_rarer_word_and_the_shorter_text() -> None:
    index = Bm25(CASES)
    assert index.rank("抢劫", k=9) == ["c"]
    assert index.rank("抢劫盗窃", k=9) == ["c", "b", "a"]
    assert index.rank("现金", k=9) == ["c", "b"]
    assert index.rank("纵火", k=9) == []


def test_a_word_that_a_query_repeats_counts_as_often() -> None:
    """Both words are as rare, both texts as long: of equal judgments the first is first."""
    index = Bm25([CASES[0], CASES[2]])
    assert index.rank("盗窃 现金", k=2) == ["a", "c"]
    assert index.rank("盗窃 盗窃 现金", k=2) == ["a", "c"]
    assert index.rank("盗窃 现金 现金", k=2) == ["c", "a"]


def test_only_the_chosen_candidates_are_ranked_and_unknown_ids_are_passed_over() -> None:
    index = Bm25(CASES)
    assert index.rank("抢劫盗窃", k=9, among=["b", "d", "zz"]) == ["b"]
    assert index.rank("抢劫盗窃", k=9, among=[]) == []
    assert index.rank("抢劫盗窃", k=1) == ["c"]


LEVELS = {"a": 3, "b": 2, "c": 1, "d": 0}
IDEAL = 3 + 2 / log2(3) + 1 / log2(4)


@pytest.mark.parametrize(
    ("ranking", "wanted"),
    [
        (["a", "b", "c", "d"], {"ndcg@10": 1.0, "p@5": 0.4, "p@10": 0.2, "map": 1.0}),
        (
            ["c", "x", "a", "b"],
            {
                "ndcg@10": (1 + 3 / log2(4) + 2 / log2(5)) / IDEAL,
                "p@5": 0.4,
                "p@10": 0.2,
                "map": (1 / 3 + 2 / 4) / 2,
            },
        ),
        (["d", "b"], {"ndcg@10": 2 / log2(3) / IDEAL, "p@5": 0.2, "p@10": 0.1, "map": 0.25}),
        ([], {"ndcg@10": 0.0, "p@5": 0.0, "p@10": 0.0, "map": 0.0}),
    ],
)
def test_ndcg_takes_levels_as_gains_and_the_others_count_from_level_two(
    ranking: list[str], wanted: dict[str, float]
) -> None:
    values = measured(ranking, LEVELS)
    assert list(values) == list(MEASURES)
    assert values["ndcg@10"] == values["ndcg@20"] == values["ndcg@30"]
    assert {name: values[name] for name in wanted} == pytest.approx(wanted)


def test_from_which_level_on_a_judgment_is_relevant_can_be_chosen() -> None:
    ranking = ["c", "b", "a"]
    assert measured(ranking, LEVELS, relevant=1)["map"] == pytest.approx(1.0)
    assert measured(ranking, LEVELS, relevant=3)["map"] == pytest.approx(1 / 3)


def test_where_nothing_is_relevant_nothing_can_be_measured() -> None:
    values = measured(["c", "d"], {"c": 1, "d": 0})
    assert (values["ndcg@10"], values["p@5"], values["p@10"], values["map"]) == (1.0, *[None] * 3)
    assert set(measured(["d"], {"d": 0}).values()) == {None}


def test_places_beyond_the_cut_off_do_not_count() -> None:
    ranking = [f"x{place}" for place in range(15)] + ["a"]
    values = measured(ranking, {"a": 1})
    assert (values["ndcg@10"], values["ndcg@20"]) == (0.0, pytest.approx(log(2) / log(17)))


@given(st.permutations([*LEVELS, "x", "y"]))
def test_no_order_is_better_than_that_of_the_levels(order: list[str]) -> None:
    best = measured(["a", "b", "c", "d", "x", "y"], LEVELS)
    values = measured(order, LEVELS)
    for name in MEASURES:
        assert 0 <= (values[name] or 0) <= (best[name] or 0) + 1e-12
