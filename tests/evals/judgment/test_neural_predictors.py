from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from inforce.errors import ModelError
from inforce.evals.encoders import load_pretrained
from inforce.evals.judgment.networks import (
    Convolutions,
    DecisionsInOrder,
    SeparateDecisions,
    Transformer,
)
from inforce.evals.judgment.neural import (
    Examples,
    Training,
    accuracy,
    fit,
    learn,
    predict,
)
from inforce.evals.judgment.predictors import NEURAL, NeuralName, Prediction
from inforce.scoring.cases import Case, read_cases
from inforce.scoring.term_classes import ten
from tiny_encoder import save_tiny_encoder

pytestmark = pytest.mark.torch

THEFT = Prediction(264, "盗窃", 8)
DRIVING = Prediction(133, "危险驾驶", 2)
WORDS = {THEFT: "入户 盗窃 财物 现金 手机", DRIVING: "醉酒 驾驶 机动车 酒精 血液"}


def cases(number: int, *, seed: int = 0) -> list[Case]:
    """Thefts and drunken drives by turns, told in words no two of which the others share."""
    draw = random.Random(seed)
    return [
        case(place, judgment, "被告人" + "".join(draw.choices(WORDS[judgment].split(), k=6)))
        for place, judgment in zip(range(number), [THEFT, DRIVING] * number, strict=False)
    ]


def case(place: int, judgment: Prediction, fact: str) -> Case:
    return Case(f"case-{place}", fact, (judgment.article,), (judgment.charge,), judgment.months)


TEXTS = Examples(
    np.array([[2, 3, 0, 0], [3, 2, 4, 5], [4, 0, 0, 0], [5, 4, 5, 0]]),
    np.array([[0, 0, 0], [0, 1, 1], [1, 2, 0], [1, 2, 1]]),
)


def small_network() -> nn.Sequential:
    """Four texts of up to four words, two articles, three charges, two classes of terms."""
    torch.manual_seed(0)
    encoder = Convolutions(6, dimension=8, filters=4, windows=(1, 2))
    return nn.Sequential(encoder, SeparateDecisions(encoder.size, (2, 3, 2)))


@pytest.mark.parametrize("name", NEURAL)
def test_a_network_learns_to_tell_theft_from_drunken_driving(name: NeuralName) -> None:
    learned = learn(cases(96), cases(16, seed=1), network=name, epochs=6)
    said = learned(["入户盗窃现金手机", "醉酒驾驶机动车", "盗窃财物"])
    assert said == [THEFT, DRIVING, THEFT]


@pytest.mark.parametrize("name", NEURAL)
def test_a_seed_gives_the_same_predictions_whatever_was_drawn_before(name: NeuralName) -> None:
    def trained(seed: int) -> list[Tensor]:
        learned = learn(cases(32), network=name, seed=seed, epochs=1)
        return list(learned.network.state_dict().values())

    first = trained(3)
    torch.rand(7)
    assert all(map(torch.equal, first, trained(3)))
    assert not all(map(torch.equal, first, trained(4)))


def test_training_leaves_the_random_numbers_of_others_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    learn(cases(8), network="textcnn", epochs=1)
    assert torch.equal(torch.rand(3), expected)


def test_a_text_longer_than_the_network_reads_or_without_any_word_is_predicted_too() -> None:
    learned = learn(cases(16), network="transformer", epochs=1)
    assert len(learned(["入户盗窃" * 1000, "", "。"])) == 3
    assert learned([]) == []


def test_progress_is_told_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    learn(cases(8), cases(4), network="textcnn", epochs=2)
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split(",")[0] for line in err.splitlines()] == [
        "textcnn: epoch 1/2",
        "textcnn: epoch 2/2",
    ]


def test_a_pretrained_encoder_is_fine_tuned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = save_tiny_encoder(tmp_path / "tiny")
    learned = learn(cases(16), cases(4), network="transformer", epochs=1, weights=folder)
    assert "transformer:tiny: epoch 1/1" in capsys.readouterr().err
    assert len(learned(["盗窃" * 100, ""])) == 2
    name = "embeddings.word_embeddings.weight"
    before = load_pretrained(folder, purpose="a test").model.state_dict()[name]
    after = learned.network.state_dict()[f"0.model.{name}"]
    assert torch.allclose(before, after, atol=1e-3)
    assert not torch.equal(before, after)


def test_a_folder_without_an_encoder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=tmp_path.name):
        learn(cases(4), network="transformer", weights=tmp_path)


def test_training_ends_when_validation_gets_no_better_and_keeps_the_best_state(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At a rate of nothing, the first epoch is as good as any: three more, and it ends."""
    network = small_network()
    fit(network, TEXTS, TEXTS, Training(20, 0.0, patience=3), name="small", seed=0)
    assert len(capsys.readouterr().err.splitlines()) == 4


def test_the_kept_state_is_the_best_one_seen(capsys: pytest.CaptureFixture[str]) -> None:
    network = small_network()
    training = Training(8, 0.5, patience=8)
    fit(network, TEXTS, TEXTS, training, name="small", seed=0)
    told = [float(line.rsplit(" ", 1)[1]) for line in capsys.readouterr().err.splitlines()]
    assert accuracy(network, TEXTS, training) == pytest.approx(max(told), abs=1e-3)


def test_without_validation_cases_every_epoch_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    none = Examples(TEXTS.texts[:0], TEXTS.decisions[:0])
    fit(small_network(), TEXTS, none, Training(5, 0.0, patience=1), name="small", seed=0)
    assert len(capsys.readouterr().err.splitlines()) == 5


def test_predictions_come_in_the_order_of_the_texts_though_batches_go_by_length() -> None:
    network = small_network()
    texts = TEXTS.texts
    training = Training(1, 0.1, batch=1)
    together = predict(network, texts, training)
    alone = np.concatenate([predict(network, texts[row : row + 1], training) for row in range(4)])
    assert np.array_equal(together, alone)


@pytest.mark.parametrize(
    ("changed", "reached"), [("0 to 1", {1, 2}), ("0 to 2", {2}), ("1 to 2", {2})]
)
def test_in_topjudge_the_charge_depends_on_the_article_and_the_term_on_both(
    changed: str, reached: set[int]
) -> None:
    """What the map from one decision to another is multiplied by, shows in those after it."""
    decider = DecisionsInOrder(4, (2, 3, 5), state=8)
    facts = torch.ones(1, 4)
    before = decider(facts)
    with torch.no_grad():
        for weight in decider.before[changed].parameters():
            weight.mul_(3.0)
    differs = [not torch.equal(one, two) for one, two in zip(before, decider(facts), strict=True)]
    assert differs == [place in reached for place in range(3)]
    assert [one.shape[1] for one in before] == [2, 3, 5]


@pytest.mark.parametrize("encoder", [Convolutions(9), Transformer(9, 12)], ids=["cnn", "former"])
@pytest.mark.parametrize("length", [1, 5])
def test_padding_does_not_change_what_is_read(encoder: nn.Module, length: int) -> None:
    encoder.eval()
    short = torch.arange(2, 2 + length).unsqueeze(0)
    padded = nn.functional.pad(short, (0, 12 - length))
    assert torch.allclose(encoder(short), encoder(padded), atol=1e-5)


@pytest.mark.data
@pytest.mark.slow
def test_textcnn_beats_the_most_frequent_charge_on_real_cases(shared_data: Path) -> None:
    real = [
        one
        for one in read_cases(shared_data / "ljp" / "cases.jsonl.gz")
        if one.is_complete and len(one.articles) == 1 and len(one.charges) == 1 and one.months
    ]
    random.Random(0).shuffle(real)
    test, train = real[:300], real[300:1800]
    said = learn(train, network="textcnn", epochs=3)([one.fact for one in test])
    right = sum(one.charges == (two.charge,) for one, two in zip(test, said, strict=True))
    usual = max(sum(one.charges == two.charges for one in test) for two in train)
    assert right / len(test) > 1.5 * usual / len(test)
    assert all(0 < ten(one.months) < 10 for one in said)
