from inforce.evals.judgment.dataset import filtered, without_rare
from judged_cases import case, many

CASES = (
    case("一", months=6),
    case("一 ", months=6),
    case("二", articles=()),
    case("三", charges=()),
    case("四", months=None),
    case("五", months=0, death=True),
    case("六", months=0, life=True),
    case("七", months=0),
    case("八", charges=("盗窃", "诈骗"), articles=(264, 266)),
    case("九", articles=(264, 312)),
    case("十二审维持原判"),
)


def test_msr2_keeps_fixed_terms_of_one_charge_and_one_article() -> None:
    kept = filtered(CASES, "msr2")
    assert [one.fact for one in kept.cases] == ["一", "十二审维持原判"]
    assert kept.removed == {
        "the same fact again": 1,
        "article, charge or term not stated": 3,
        "death penalty": 1,
        "life imprisonment": 1,
        "no term": 1,
        "several charges": 1,
        "several articles": 1,
    }


def test_ladan_keeps_death_and_life_but_no_second_instance() -> None:
    kept = filtered(CASES, "ladan")
    assert [one.fact for one in kept.cases] == ["一", "五", "六", "七"]
    assert kept.removed["second instance"] == 1


def test_no_filter_still_keeps_each_fact_once() -> None:
    kept = filtered(CASES, "none")
    assert len(kept.cases) == len(CASES) - 1
    assert kept.removed == {"the same fact again": 1}


def test_nothing_is_lost_without_a_reason() -> None:
    for name in ("msr2", "ladan", "none"):
        kept = filtered(CASES, name)
        assert len(kept.cases) + sum(kept.removed.values()) == len(CASES)


def test_rare_labels_are_counted_where_it_is_learned() -> None:
    train = many(9)
    test = [case("甲"), case("乙", articles=(233,), charges=("过失致人死亡",))]
    kept = without_rare(test, train, least=3)
    assert [one.fact for one in kept.cases] == ["甲"]
    assert kept.removed == {"a rare article": 1, "a rare charge": 0}
    assert not without_rare(test, train, least=4).cases
