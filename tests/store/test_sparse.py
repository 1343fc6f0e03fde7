"""Terms as sparse vectors: products are the scores, or never below them."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from documents_made import WORDS, random_documents
from hypothesis import given
from hypothesis import strategies as st

from inforce.retrieval.tokens import tokenize
from inforce.store import EXACT, Document, inverse_frequency
from inforce.store.milvus._sparse import (
    Kind,
    Sparse,
    bm25_idf,
    counted_dimension,
    dimension,
    document_vector,
    is_counted,
    name_hash,
    query_vector,
    ranking_vector,
    score,
)
from inforce.store.terms import MAX_QUERY_TERMS, TermQuery, rarest_terms

DOCUMENTS = random_documents(80)
DIMENSIONS = [273613245, 273613246, 273613247]
FREQUENCIES = Counter(term for one in DOCUMENTS for term in set(tokenize(one.text)))


def vector(one: Document) -> Sparse:
    return document_vector({"words": tokenize(one.text)}, one.exact, {"words": 8.0})


def product(one: Sparse, other: Sparse) -> float:
    return sum(weight * other.get(which, 0.0) for which, weight in one.items())


def ranked(query: TermQuery) -> Sparse:
    weights = {term: bm25_idf(FREQUENCIES[term], len(DOCUMENTS)) for term in query.ranked}
    return ranking_vector(query, "words", weights)


@pytest.mark.parametrize("kind", ["term", "bm25", "exact"])
@given(text=st.text(), channel=st.text())
def test_a_dimension_is_one_milvus_takes_and_says_its_kind(
    kind: Kind, text: str, channel: str
) -> None:
    which = dimension(kind, channel, text)
    assert 0 <= which <= 2**32 - 2
    assert is_counted(which) == (kind != "bm25")


def test_a_dimension_is_the_same_in_every_process_and_version() -> None:
    kinds: tuple[Kind, ...] = ("term", "bm25", "exact")
    assert [dimension(kind, "words", "盗窃") for kind in kinds] == DIMENSIONS


def test_channels_do_not_share_dimensions() -> None:
    names = ("words", "bigrams", EXACT)
    assert len({counted_dimension(name, "盗窃") for name in names}) == 3


def test_no_document_is_an_empty_vector() -> None:
    assert document_vector({}, (), {})


def test_rarity_and_bm25_weigh_as_their_formulas_say() -> None:
    assert inverse_frequency(4, 10) == math.log(1 + 10 / 4)
    assert inverse_frequency(0, 10) == 0.0
    assert bm25_idf(4, 10) == pytest.approx(math.log(1 + 6.5 / 4.5))
    two_of_usual_length = document_vector({"words": ["盗窃", "盗窃"]}, (), {"words": 2.0})
    weight = two_of_usual_length[dimension("bm25", "words", "盗窃")]
    assert weight == pytest.approx(2 * 2.2 / (2 + 1.2))


def test_a_long_question_is_asked_with_its_rarest_terms() -> None:
    frequencies = {f"w{number:03}": number for number in range(100)}
    wanted = [f"w{number:03}" for number in range(1, MAX_QUERY_TERMS + 1)]
    assert rarest_terms(dict(reversed(frequencies.items())), 1_000) == wanted


@given(
    exact=st.dictionaries(st.sampled_from([f"law:{n}" for n in range(7)]), st.floats(0.1, 1e5)),
    seed=st.integers(0, 1_000),
)
def test_the_product_with_a_document_is_never_below_its_score(
    exact: dict[str, float], seed: int
) -> None:
    ties: dict[str, float] = dict.fromkeys(random.Random(seed).choices(WORDS, k=4), 1.0)
    question = TermQuery(exact, ties)
    if not exact:
        return
    weights = ranked(question)
    asked = query_vector(question, weights)
    for one in DOCUMENTS:
        found = score(question, weights, vector(one), one.exact)
        assert found <= product(asked, vector(one)) * (1 + 1e-9)


def test_a_term_that_only_shares_its_dimension_is_not_found() -> None:
    question = TermQuery({"law:1": 10.0})
    same_dimension = {dimension("exact", EXACT, "law:1"): 1.0}
    assert score(question, {}, same_dimension, ["law:1"]) == 10.0
    assert score(question, {}, same_dimension, ["law:another"]) == 0.0


def test_bm25_alone_decides_where_no_exact_term_is_asked_for() -> None:
    question = TermQuery(ranked={"盗窃": 2.0})
    weight = 2.0 * bm25_idf(FREQUENCIES["盗窃"], len(DOCUMENTS))
    assert ranked(question) == {dimension("bm25", "words", "盗窃"): pytest.approx(weight)}
    assert query_vector(question, ranked(question)) == ranked(question)


@given(st.text())
def test_a_name_is_a_number_that_milvus_takes(name: str) -> None:
    assert -(2**63) <= name_hash(name) < 2**63
