from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from inforce.errors import MissingExtraError, UserError
from inforce.evals.judgment.dataset import Options
from inforce.evals.judgment.predictors import NEURAL, Prediction, learner
from inforce.evals.judgment.vocabulary import (
    UNSEEN,
    Vocabulary,
    learn_labels,
    learn_vocabulary,
)
from inforce.scoring.cases import Case


def case(article: int, charge: str, months: int) -> Case:
    return Case(f"{article}-{months}", "某甲", (article,), (charge,), months)


TRAIN = [
    case(264, "盗窃", 8),
    case(264, "盗窃", 9),
    case(264, "盗窃", 7),
    case(133, "危险驾驶", 2),
    case(234, "故意伤害", 130),
]


def test_words_are_numbered_by_frequency_and_then_by_themselves() -> None:
    texts = ["盗窃 手机", "盗窃 现金", "盗窃 手机 现金", "抢劫"]
    assert learn_vocabulary(texts, at_least=2).words == ("盗窃", "手机", "现金")
    assert learn_vocabulary(texts, at_least=2, at_most=1).words == ("盗窃",)


def test_a_text_is_padded_or_cut_and_unknown_words_are_one() -> None:
    vocabulary = Vocabulary(("盗窃", "手机"), length=3)
    rows = vocabulary.encode(["盗窃 手机", "手机 抢劫 盗窃 盗窃"])
    assert rows.tolist() == [[2, 3, 0], [3, 1, 2]]
    assert vocabulary.size == 4


@pytest.mark.parametrize("text", ["", "。", "的"])
def test_a_text_without_words_is_one_unknown_word(text: str) -> None:
    assert Vocabulary(("盗窃",), length=3).encode([text]).tolist() == [[1, 0, 0]]


def test_no_texts_are_no_rows() -> None:
    assert Vocabulary(("盗窃",), length=3).encode([]).shape == (0, 3)


def test_labels_are_those_that_occur_and_a_class_means_its_median_term() -> None:
    labels = learn_labels(TRAIN)
    assert labels.articles == (133, 234, 264)
    assert labels.charges == tuple(sorted(["盗窃", "危险驾驶", "故意伤害"]))
    assert labels.terms == (1, 2, 9)
    assert labels.months == (2, 8, 130)
    assert labels.sizes == (3, 3, 3)


def test_decisions_survive_being_numbers() -> None:
    labels = learn_labels(TRAIN)
    decoded = labels.decode(labels.encode(TRAIN))
    assert decoded == [
        Prediction(264, "盗窃", 8),
        Prediction(264, "盗窃", 8),
        Prediction(264, "盗窃", 8),
        Prediction(133, "危险驾驶", 2),
        Prediction(234, "故意伤害", 130),
    ]


def test_a_decision_no_training_case_has_is_unseen_and_so_never_right() -> None:
    rows = learn_labels(TRAIN).encode([case(266, "诈骗", 40), case(264, "盗窃", 20)])
    assert rows[0].tolist() == [UNSEEN] * 3
    assert rows[1].tolist() == [2, learn_labels(TRAIN).charges.index("盗窃"), UNSEEN]
    assert learn_labels(TRAIN).encode([]).shape == (0, 3)
    assert rows.dtype == np.int64


@pytest.mark.parametrize("name", NEURAL)
def test_without_torch_the_missing_part_is_named(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'inforce\[train\]'"):
        learner(name, Options())


def test_bertscore_without_torch_names_the_missing_part(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from inforce.evals.encoders import BertScorer

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'inforce\[train\]'"):
        BertScorer(str(tmp_path))


@pytest.mark.parametrize("name", ["textcnn", "topjudge"])
def test_only_the_transformer_starts_from_weights(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=name):
        learner(name, Options(weights=str(tmp_path)))
