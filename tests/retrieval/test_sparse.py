"""Words and names as sparse vectors: products are the scores, or never below them."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from engine_documents import WORDS, random_documents
from hypothesis import given
from hypothesis import strategies as st

from inforce.retrieval.engines import Document, EngineQuery
from inforce.retrieval.engines.sparse import (
    MAX_QUERY_TERMS,
    Frequencies,
    KeywordQuestion,
    Kind,
    Sparse,
    bm25_vector,
    dimension,
    document_vector,
    is_word,
)
from inforce.retrieval.tokens import tokenize

DOCUMENTS = random_documents(80)
HAVING = Counter(term for one in DOCUMENTS for term in set(tokenize(one.text)))
FREQUENCIES = Frequencies(len(DOCUMENTS), HAVING)


def vector(one: Document) -> Sparse:
    return document_vector(tokenize(one.text), one.locators, usual_length=8.0)


def product(one: Sparse, other: Sparse) -> float:
    return sum(weight * other.get(which, 0.0) for which, weight in one.items())


@pytest.mark.parametrize("kind", ["word", "bm25", "name"])
@given(text=st.text())
def test_a_dimension_is_one_milvus_takes_and_tells_words_apart(kind: Kind, text: str) -> None:
    which = dimension(kind, text)
    assert 0 <= which <= 2**32 - 2
    assert is_word(which) == (kind == "word")


def test_a_dimension_is_the_same_in_every_process_and_version() -> None:
    kinds: tuple[Kind, ...] = ("word", "bm25", "name")
    assert [dimension(kind, "盗窃") for kind in kinds] == [793908168, 793908169, 793908170]


def test_no_document_is_an_empty_vector() -> None:
    assert document_vector([], (), usual_length=1.0)


def test_rarity_and_bm25_weigh_as_their_formulas_say() -> None:
    frequencies = Frequencies(10, {"盗窃": 4, "缓刑": 1})
    assert frequencies.rarity("盗窃") == math.log(1 + 10 / 4)
    assert frequencies.rarity("未有") == 0.0
    assert frequencies.weigh(["盗窃", "缓刑"]) == math.log(11)
    assert frequencies.weigh(["盗窃", "未有"]) == frequencies.weigh([]) == math.log(21)
    assert frequencies.bm25("盗窃") == pytest.approx(math.log(1 + 6.5 / 4.5))
    two_of_usual_length = document_vector(["盗窃", "盗窃"], (), usual_length=2.0)
    assert two_of_usual_length[dimension("bm25", "盗窃")] == pytest.approx(2 * 2.2 / (2 + 1.2))


def test_a_long_question_is_asked_with_its_rarest_terms() -> None:
    terms = [f"w{number}" for number in range(100)]
    frequencies = Frequencies(1_000, {term: number + 1 for number, term in enumerate(terms)})
    asked = bm25_vector(terms[::-1], frequencies)
    assert [*asked] == [dimension("bm25", term) for term in terms[:MAX_QUERY_TERMS]]


@given(
    keywords=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), max_size=5),
    names=st.dictionaries(st.sampled_from([f"law:{n}" for n in range(7)]), st.floats(0.1, 1e5)),
    seed=st.integers(0, 1_000),
)
def test_the_product_with_a_document_is_never_below_its_score(
    keywords: list[list[str]], names: dict[str, float], seed: int
) -> None:
    words = tuple("".join(parts) for parts in keywords)
    text = " ".join(random.Random(seed).choices(WORDS, k=4))
    asked = EngineQuery(text, keywords=words, locators=tuple(names.items()))
    question = KeywordQuestion.of(asked, FREQUENCIES)
    for one in DOCUMENTS:
        score = question.score(vector(one), one.locators)
        assert score <= product(question.vector(), vector(one)) * (1 + 1e-9)


def test_a_name_that_only_shares_its_dimension_is_not_found() -> None:
    question = KeywordQuestion.of(EngineQuery("", locators=(("law:1", 10.0),)), FREQUENCIES)
    same_dimension = {dimension("name", "law:1"): 1.0}
    assert question.score(same_dimension, ["law:1"]) == 10.0
    assert question.score(same_dimension, ["law:another"]) == 0.0


def test_words_alone_do_not_answer_the_keyword_channel() -> None:
    question = KeywordQuestion.of(EngineQuery("盗窃 缓刑"), FREQUENCIES)
    assert question.vector() == {}
    assert all(question.score(vector(one), one.locators) == 0.0 for one in DOCUMENTS)
