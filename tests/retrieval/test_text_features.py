"""Features of texts: how far a provision speaks in the words of a question."""

import math

import numpy as np
import pytest

from inforce.dates import system_clock
from inforce.retrieval.analysis import RuleAnalyser
from inforce.retrieval.query import SearchQuery, search_query
from inforce.retrieval.text_features import OF_TEXT, QuestionText


@pytest.fixture(scope="module")
def query() -> SearchQuery:
    analysis = RuleAnalyser(clock=system_clock)("邻居养狗。饲养动物损害他人承担责任")
    return search_query(analysis)


def features(query: SearchQuery, *texts: str) -> list[dict[str, float]]:
    view = QuestionText.of(query, lambda pairs, _: [1.0] * len(pairs))
    lines = view.features(texts).astype(float).tolist()
    return [dict(zip(OF_TEXT, line, strict=True)) for line in lines]


def test_the_best_clauses_count_by_the_share_of_their_pairs_that_the_question_has(
    query: SearchQuery,
) -> None:
    [found] = features(query, "饲养动物损害他人的，承担责任；遗弃的动物。")
    assert found["clause"] == pytest.approx(7 / (8 + 2))
    assert found["second_clause"] == pytest.approx(3 / (3 + 2))
    assert found["asked_clause"] == pytest.approx(
        7 / len(set(query.pairs) - {"邻居", "居养", "养狗"})
    )


def test_a_clause_of_fewer_than_three_pairs_does_not_count(query: SearchQuery) -> None:
    [found] = features(query, "动物，责任")
    assert found["clause"] == found["asked_text"] == 0


def test_a_listing_comma_ends_a_clause_only_after_a_numeral(query: SearchQuery) -> None:
    after, between = features(query, "一、承担责任", "饲养、承担责任")
    assert after["clause"] == pytest.approx(3 / (3 + 2))
    assert between["clause"] == pytest.approx(4 / (4 + 2))


def test_runs_of_four_are_counted_once_and_not_across_signs(query: SearchQuery) -> None:
    [found] = features(query, "承担责任，承担责任，动物，损害")
    assert found["runs"] == pytest.approx(math.log(2) / 3)
    assert found["runs_text"] == pytest.approx(1 / (1 + 10))


def test_texts_do_not_depend_on_those_beside_them(query: SearchQuery) -> None:
    texts = ["", "饲养动物", "承担责任", "a1", "、", "𠀀饲养动物损害他人", "动物\n损害他人"] * 30
    together = np.asarray([list(one.values()) for one in features(query, *texts)])
    alone = np.asarray([list(features(query, one)[0].values()) for one in texts])
    assert together.shape == (len(texts), len(OF_TEXT))
    assert (together == alone).all()


def test_without_texts_there_are_no_features(query: SearchQuery) -> None:
    assert features(query) == []
