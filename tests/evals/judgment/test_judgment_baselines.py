import pytest

from inforce.evals.judgment.predictors import (
    CLASSICAL,
    MostFrequent,
    NearestNeighbours,
    Prediction,
    TfidfSvm,
)
from judged_cases import case, many

NEW = (
    "被告人赵某在车站秘密窃取他人手机。",
    "被告人钱某虚构投资项目，骗取被害人钱款。",
    "被告人孙某持木棍殴打被害人，致其轻伤。",
)
JUDGED = [Prediction(264, "盗窃", 8), Prediction(266, "诈骗", 40), Prediction(234, "故意伤害", 12)]


@pytest.mark.parametrize("name", ["tfidf-svm", "nearest"])
def test_a_predictor_knows_the_kinds_of_cases_it_learned(name: str) -> None:
    predictor = CLASSICAL[name](0)
    predictor.fit(many(60))
    assert predictor.name == name
    assert predictor.predict(NEW) == JUDGED


@pytest.mark.parametrize("name", list(CLASSICAL))
def test_the_same_seed_predicts_the_same(name: str) -> None:
    first, second = CLASSICAL[name](3), CLASSICAL[name](3)
    first.fit(many(40))
    second.fit(many(40))
    assert first.predict(NEW) == second.predict(NEW)


def test_the_most_frequent_labels_are_those_most_cases_have() -> None:
    train = [*many(3), case("丙", months=7), case("丁", months=9), case("戊", months=100)]
    predictor = MostFrequent()
    predictor.fit(train)
    assert predictor.predict(["甲", "乙"]) == [Prediction(264, "盗窃", 8)] * 2


def test_one_label_alone_can_be_learned() -> None:
    predictor = TfidfSvm()
    predictor.fit([case("盗窃手机"), case("盗窃现金")])
    assert predictor.predict(["抢劫"]) == [Prediction(264, "盗窃", 8)]


def test_neighbours_give_their_majority_and_its_median_term() -> None:
    predictor = NearestNeighbours(neighbours=4)
    train = [case(f"盗窃手机{n}", id=str(n), months=m) for n, m in enumerate((7, 9, 9, 60))]
    predictor.fit([*train, case("故意伤害致人轻伤", months=36)])
    assert predictor.predict(["盗窃手机"]) == [Prediction(264, "盗窃", 9)]


def test_of_labels_equally_often_had_the_most_similar_counts() -> None:
    near, far = (
        case("盗窃手机"),
        case("盗窃现金钱包", articles=(266,), charges=("诈骗",), months=40),
    )
    predictor = NearestNeighbours(neighbours=2)
    for train in ([near, far], [far, near]):
        predictor.fit(train)
        assert predictor.predict(["盗窃手机"]) == [Prediction(264, "盗窃", 8)]


def test_many_facts_are_compared_block_by_block() -> None:
    predictor = NearestNeighbours(neighbours=3)
    predictor.fit(many(30))
    assert predictor.predict([NEW[n % 3] for n in range(600)]) == [
        JUDGED[n % 3] for n in range(600)
    ]
