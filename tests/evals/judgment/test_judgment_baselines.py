import pytest

from inforce.evals.judgment.predictors import (
    CLASSICAL,
    Prediction,
    most_frequent,
    nearest,
    tfidf_svm,
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
    assert CLASSICAL[name](many(60), 0)(NEW) == JUDGED


@pytest.mark.parametrize("name", list(CLASSICAL))
def test_the_same_seed_predicts_the_same(name: str) -> None:
    first, second = CLASSICAL[name](many(40), 3), CLASSICAL[name](many(40), 3)
    assert first(NEW) == second(NEW)


def test_the_most_frequent_labels_are_those_most_cases_have() -> None:
    train = [*many(3), case("丙", months=7), case("丁", months=9), case("戊", months=100)]
    assert most_frequent(train)(["甲", "乙"]) == [Prediction(264, "盗窃", 8)] * 2


def test_one_label_alone_can_be_learned() -> None:
    predict = tfidf_svm([case("盗窃手机"), case("盗窃现金")])
    assert predict(["抢劫"]) == [Prediction(264, "盗窃", 8)]


def test_neighbours_give_their_majority_and_its_median_term() -> None:
    train = [case(f"盗窃手机{n}", id=str(n), months=m) for n, m in enumerate((7, 9, 9, 60))]
    predict = nearest([*train, case("故意伤害致人轻伤", months=36)], neighbours=4)
    assert predict(["盗窃手机"]) == [Prediction(264, "盗窃", 9)]


def test_of_labels_equally_often_had_the_most_similar_counts() -> None:
    near, far = (
        case("盗窃手机"),
        case("盗窃现金钱包", articles=(266,), charges=("诈骗",), months=40),
    )
    for train in ([near, far], [far, near]):
        assert nearest(train, neighbours=2)(["盗窃手机"]) == [Prediction(264, "盗窃", 8)]


def test_many_facts_are_compared_block_by_block() -> None:
    predict = nearest(many(30), neighbours=3)
    assert predict([NEW[n % 3] for n in range(600)]) == [JUDGED[n % 3] for n in range(600)]
