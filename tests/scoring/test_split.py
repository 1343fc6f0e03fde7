from hypothesis import given
from hypothesis import strategies as st

from inforce.scoring.cases import Case
from inforce.scoring.split import Split, limited, side_of, split
from judged_cases import case, many

FACTS = st.lists(st.text("甲乙丙丁 \n\t", min_size=1, max_size=6).filter(str.strip), max_size=40)


def _sides(parts: Split) -> list[set[str]]:
    sides = (parts.train, parts.valid, parts.test, parts.cjo22)
    return [{one.fingerprint for one in side} for side in sides]


@given(FACTS, st.integers(0, 5), st.sets(st.integers(0, 39)))
def test_no_fact_is_on_two_sides(facts: list[str], seed: int, apart: set[int]) -> None:
    cases = [
        case(fact, id=str(place), sources=("cjo22_test",) if place in apart else ())
        for place, fact in enumerate(facts)
    ]
    parts = split(cases, seed=seed)
    sides = _sides(parts)
    assert sum(map(len, sides)) == len(set[str]().union(*sides))
    put = len(parts.train) + len(parts.valid) + len(parts.test) + len(parts.cjo22)
    assert put + parts.held_back == len(cases)


@given(st.integers(0, 2**32), st.sets(st.integers(0, 59)))
def test_nothing_excluded_is_learned_from(seed: int, barred: set[int]) -> None:
    cases = many(60)
    excluded = {cases[place].fingerprint for place in barred}
    parts = split(cases, seed=seed, excluded=excluded)
    assert excluded.isdisjoint(one.fingerprint for one in (*parts.train, *parts.valid))
    assert parts.test == split(cases, seed=seed).test


def test_a_case_stays_on_its_side_whatever_else_is_there() -> None:
    cases = many(200)
    few, all_ = split(cases[:50]), split(cases)
    assert set(few.train) == set(all_.train) & set(cases[:50])
    assert set(few.test) == set(all_.test) & set(cases[:50])


def test_the_order_of_the_file_does_not_matter() -> None:
    cases = many(80)
    assert _sides(split(cases)) == _sides(split(cases[::-1]))
    assert _sides(split(cases)) != _sides(split(cases, seed=1))


def test_the_sides_are_eight_to_one_to_one() -> None:
    drawn = [side_of(one.fingerprint) for one in many(3_000)]
    assert abs(drawn.count("train") / 3_000 - 0.8) < 0.03
    assert abs(drawn.count("valid") / 3_000 - 0.1) < 0.02
    assert abs(drawn.count("test") / 3_000 - 0.1) < 0.02


def test_cases_others_are_examined_with_are_not_learned_from() -> None:
    plain = many(100)
    marked = [
        Case(one.id, one.fact, one.articles, one.charges, one.months, sources=("lexeval",))
        for one in plain
    ]
    parts = split(marked)
    assert not parts.train
    assert not parts.valid
    assert [one.id for one in parts.test] == [one.id for one in split(plain).test]
    assert parts.held_back == 100 - len(parts.test)


def test_one_copy_marked_holds_every_copy_back() -> None:
    train = split(many(60)).train[0]
    copy = case(f" {train.fact}\n", id="copy", sources=("legalsearch_r1",))
    parts = split([train, copy])
    assert not parts.train
    assert parts.held_back == 2


def test_cjo22_is_a_test_set_of_its_own() -> None:
    parts = split([case(sources=("cail2018_data_train", "cjo22_test"))])
    assert len(parts.cjo22) == 1
    assert not (parts.train or parts.valid or parts.test)


def test_a_smaller_limit_draws_from_the_larger() -> None:
    train = many(50)
    small, large = limited(train, 5), limited(train, 20)
    assert (len(small), len(large)) == (5, 20)
    assert set(small) < set(large)
    assert limited(train, 80) == tuple(train)
