"""Weighted reciprocal rank fusion, against figures computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.retrieval.sources.indexed import FUSION_WEIGHTS, FusedChannel, weighted_rrf

CHANNELS = tuple(FUSION_WEIGHTS)
Rankings = dict[FusedChannel, list[int]]


@pytest.mark.parametrize(
    ("rankings", "expected"),
    [
        ({"keyword": [1]}, [(1, 3 / 61)]),
        ({"dense": [1]}, [(1, 2 / 61)]),
        ({"bm25": [1]}, [(1, 1 / 61)]),
        # Second of the keywords beats first of BM25: 3/62 > 1/61.
        ({"keyword": [1, 2], "bm25": [3]}, [(1, 3 / 61), (2, 3 / 62), (3, 1 / 61)]),
        # First in dense and BM25 together equals first in keyword: 2/61 + 1/61; lower row first.
        ({"keyword": [9], "dense": [4], "bm25": [4]}, [(4, 3 / 61), (9, 3 / 61)]),
        (
            {"keyword": [5, 6], "dense": [6, 7], "bm25": [7, 5]},
            [(6, 3 / 62 + 2 / 61), (5, 3 / 61 + 1 / 62), (7, 2 / 62 + 1 / 61)],
        ),
        ({}, []),
        ({"keyword": [], "dense": [], "bm25": []}, []),
    ],
)
def test_a_document_scores_its_weight_over_sixty_plus_rank_in_each_channel(
    rankings: Rankings, expected: list[tuple[int, float]]
) -> None:
    fused = weighted_rrf(rankings)
    assert [one.row for one in fused] == [row for row, _ in expected]
    assert [one.score for one in fused] == pytest.approx([score for _, score in expected])


rankings = st.fixed_dictionaries(
    {channel: st.lists(st.integers(0, 30), unique=True, max_size=12) for channel in CHANNELS}
)


@given(rankings, st.integers(31, 40))
def test_a_document_first_in_all_channels_is_first(ranked: Rankings, favourite: int) -> None:
    crowned: Rankings = {channel: [favourite, *rows] for channel, rows in ranked.items()}
    assert weighted_rrf(crowned)[0].row == favourite


@given(rankings, st.permutations(CHANNELS))
def test_the_order_of_the_channels_does_not_matter(
    ranked: Rankings, order: list[FusedChannel]
) -> None:
    shuffled: Rankings = {channel: ranked[channel] for channel in order}
    straight, other = weighted_rrf(ranked), weighted_rrf(shuffled)
    assert [one.row for one in straight] == [one.row for one in other]
    assert {one.row for one in straight} == {row for rows in ranked.values() for row in rows}
