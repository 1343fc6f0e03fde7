from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.errors import ModelError, UserError
from inforce.evals.encoders import BertScorer, Tokens, f1_of
from tiny_encoder import LENGTH, SIGNS, save_tiny_encoder

pytestmark = pytest.mark.torch

PUBLISHED = {2: [0.680814, 0.785527, 0.612065], 1: [0.680791, 0.784998, 0.611359]}
"""What the authors' program (bert-score 0.3.13) gives for the pairs below, by layer of `folder`."""

FITTING = LENGTH - 2
"""Signs of a text that fit between [CLS] and [SEP]."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def scorer(folder: Path) -> BertScorer:
    return BertScorer(str(folder))


texts = st.text(SIGNS + "，x", min_size=1, max_size=FITTING)


@given(text=texts)
@settings(max_examples=25, deadline=None)
def test_a_text_matches_itself_wholly(scorer: BertScorer, text: str) -> None:
    assert scorer.f1([text], [text]) == pytest.approx([1.0], abs=1e-5)


@given(one=texts, other=texts)
@settings(max_examples=25, deadline=None)
def test_candidate_and_reference_may_change_places(
    scorer: BertScorer, one: str, other: str
) -> None:
    there, back = scorer.f1([one, other], [other, one])
    assert there == pytest.approx(back, abs=1e-5)
    assert 0.0 <= there <= 1.0


@given(pairs=st.lists(st.tuples(texts, texts), min_size=2, max_size=20))
@settings(max_examples=15, deadline=None)
def test_a_pair_scores_the_same_alone_and_among_others(
    scorer: BertScorer, pairs: list[tuple[str, str]]
) -> None:
    together = scorer.f1([one for one, _ in pairs], [other for _, other in pairs])
    alone = [scorer.f1([one], [other])[0] for one, other in pairs]
    assert together == pytest.approx(alone, abs=1e-4)


@pytest.mark.parametrize("layer", PUBLISHED)
def test_scores_are_those_of_the_authors_program(folder: Path, layer: int) -> None:
    candidates = ["被告人盗窃", "罚金一二三有期", "人"]
    references = ["判处有期徒刑缓", "罚金", "被告人盗窃财物"]
    scores = BertScorer(str(folder), layer=layer).f1(candidates, references)
    assert scores == pytest.approx(PUBLISHED[layer], abs=1e-5)


A, B = (1.0, 0.0), (0.0, 1.0)
NEAR_B, NEAR_A = (0.6, 0.8), (0.8, 0.6)


@pytest.mark.parametrize(
    ("candidate", "reference", "f1"),
    [
        ([A], [NEAR_B], 0.6),
        # P = 1; R = (1 + 0) / 2; F1 = 2 · 1 · 0.5 / 1.5
        ([A], [A, B], 2 / 3),
        # P = (0.8 + 1) / 2; R = (0.8 + 1) / 2
        ([A, B], [NEAR_A, B], 0.9),
        ([A], [B], 0.0),
        ([A], [(-1.0, 0.0)], 0.0),
    ],
)
def test_f1_by_hand(
    candidate: list[tuple[float, float]], reference: list[tuple[float, float]], f1: float
) -> None:
    assert f1_of(tokens(candidate), tokens(reference)) == pytest.approx(f1)


def test_special_tokens_may_be_matched_with_but_count_for_nothing() -> None:
    """P: A is nearest to [CLS], 0.8. R: NEAR_B and B are nearest to [CLS], (0.8 + 1) / 2."""
    candidate = tokens([B, A], special=1)
    reference = tokens([NEAR_A, NEAR_B, B], special=1)
    assert f1_of(candidate, reference) == pytest.approx(2 * 0.8 * 0.9 / 1.7)


def tokens(vectors: list[tuple[float, float]], *, special: int = 0) -> Tokens:
    """Tokens of these vectors, the first few of them special."""
    counts = [place >= special for place in range(len(vectors))]
    return Tokens(torch.tensor(vectors), torch.tensor(counts))


@pytest.mark.parametrize(
    ("candidate", "reference"), [("", "罚金"), ("罚金", ""), ("", ""), (" ", "罚")]
)
def test_a_text_without_tokens_matches_nothing(
    scorer: BertScorer, candidate: str, reference: str
) -> None:
    assert scorer.f1([candidate], [reference]) == [0.0]


def test_what_exceeds_the_length_of_the_encoder_is_cut_off(scorer: BertScorer) -> None:
    long = "盗窃" * FITTING
    assert scorer.f1([long], [long[:FITTING]]) == pytest.approx([1.0], abs=1e-5)


def test_no_pairs_have_no_scores(scorer: BertScorer) -> None:
    assert scorer.f1([], []) == []


def test_every_candidate_needs_a_reference(scorer: BertScorer) -> None:
    with pytest.raises(ValueError, match="zip"):
        scorer.f1(["罚金"], [])


def test_layers_differ_and_the_last_is_taken_unless_told(folder: Path, scorer: BertScorer) -> None:
    by_layer = [
        BertScorer(str(folder), layer=layer).f1(["被告人盗窃"], ["判处罚金"])[0]
        for layer in (0, 1, 2)
    ]
    assert len(set(by_layer)) == 3
    assert scorer.f1(["被告人盗窃"], ["判处罚金"]) == pytest.approx(by_layer[2:])


@pytest.mark.parametrize("layer", [-1, 3])
def test_a_layer_that_is_not_there_is_refused(folder: Path, layer: int) -> None:
    with pytest.raises(UserError, match="from 0 to 2"):
        BertScorer(str(folder), layer=layer)


def test_a_folder_without_an_encoder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=tmp_path.name):
        BertScorer(str(tmp_path))
