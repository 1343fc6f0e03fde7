"""Estimated terms: of no case by a predictor that knew it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inforce.scoring.cases import Case
from small_models.estimates import Months, estimates, plain_estimates, share_right

pytest.importorskip("sklearn")

KINDS = {"窃取手机": 6, "持刀抢劫": 120, "贩卖毒品": 36}
CASES = tuple(
    Case(f"{kind}{number}", f"被告人甲{number}{kind}。", (264,), ("盗窃",), months)
    for number in range(20)
    for kind, months in KINDS.items()
)


ASKED = Case("new", "被告人乙持刀抢劫路人。", (263,), ("抢劫",), 120)


@pytest.fixture(scope="module")
def found() -> Months:
    return estimates(CASES, [ASKED])


def test_like_cases_are_estimated_alike(found: Months) -> None:
    assert set(found) == {one.fact for one in (*CASES, ASKED)}
    assert found[ASKED.fact] == 120
    assert sum(found[one.fact] == one.months for one in CASES) > 0.9 * len(CASES)


def test_a_case_does_not_tell_its_own_term() -> None:
    odd = replace(CASES[0], fact="被告人丙窃取手机，独一无二的情节。", months=120)
    assert estimates([*CASES, odd])[odd.fact] == 6


def test_estimates_are_the_same_every_time_and_read_no_term_of_the_cases_asked_about(
    found: Months,
) -> None:
    assert estimates(CASES, [replace(ASKED, months=6)]) == found


def test_what_is_compared_with_reads_characters_alone() -> None:
    asked = [
        Case("new", "被告人乙持刀抢劫路人。", (263,), ("抢劫",), 120),
        Case("odd", "被告人乙窃取手机两部。", (264,), ("盗窃",), 120),
    ]
    found = plain_estimates(CASES, asked)
    assert found == {asked[0].fact: 120, asked[1].fact: 6}
    assert share_right(found, asked) == 0.5
