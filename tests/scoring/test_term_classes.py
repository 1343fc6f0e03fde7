import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.scoring.term_classes import TEN, eleven, ten, usual_months
from judged_cases import case

BOUNDARIES = [
    (-1, 0, 10),
    (0, 0, 10),
    (1, 1, 9),
    (6, 1, 9),
    (7, 2, 8),
    (9, 2, 8),
    (10, 3, 7),
    (12, 3, 7),
    (13, 4, 6),
    (24, 4, 6),
    (25, 5, 5),
    (36, 5, 5),
    (37, 6, 4),
    (60, 6, 4),
    (61, 7, 3),
    (84, 7, 3),
    (85, 8, 2),
    (120, 8, 2),
    (121, 9, 1),
    (300, 9, 1),
]


@pytest.mark.parametrize(("months", "of_ten", "of_eleven"), BOUNDARIES)
def test_upper_ends_are_inclusive(months: int, of_ten: int, of_eleven: int) -> None:
    assert ten(months) == of_ten
    assert eleven(months) == of_eleven


def test_death_and_life_have_a_class_of_their_own_among_eleven_only() -> None:
    assert eleven(0, life_or_death=True) == 0
    assert ten(0) == 0
    assert 0 not in {eleven(months) for months in range(-3, 400)}


def test_the_names_are_those_of_pljp() -> None:
    assert len(TEN) == 10
    assert (TEN[ten(12)], TEN[ten(13)], TEN[ten(121)], TEN[ten(0)]) == (
        "九个月到一年",
        "一到两年",
        "十年以上",
        "其他",
    )


@given(st.lists(st.integers(0, 400), min_size=1))
def test_the_usual_months_of_a_class_lie_in_it(months: list[int]) -> None:
    usual = usual_months([case(months=one) for one in months])
    assert set(usual) == {ten(one) for one in months}
    assert all(ten(usual[term]) == term for term in usual)


def test_the_usual_months_are_the_lower_median() -> None:
    train = [case(months=one) for one in (1, 2, 6, 6, 13, None)]
    assert usual_months(train) == {1: 2, 4: 13}
