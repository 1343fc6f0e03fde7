"""Which paths become tasks: the ones that cover most, layers in proportion."""

from __future__ import annotations

import pytest
from firm_tables import leaf, step
from hypothesis import given
from hypothesis import strategies as st

from inforce.evals.construction.paths import (
    MOST_HOPS,
    SHARES,
    Ask,
    Branch,
    Coverage,
    PlanningTree,
    Route,
    SolutionPath,
    parallel,
    quotas,
)
from inforce.evals.construction.worlds import TaskWorld

COMPANY = Branch("company", "company")
CASES = Branch("cases_of_company", "company")
SUBSIDIARIES = Branch("subsidiaries", "company")


def route(*branches: Branch, starts: str = "甲") -> Route:
    return Route((), branches, tuple(((start,),) for start in starts))


def test_a_path_covers_its_tools_its_start_and_its_passages(firm: TaskWorld) -> None:
    to_parent = step(firm.description, "company", "company", "母公司")
    longer = Route((to_parent,), (SUBSIDIARIES, CASES), ())
    assert longer.edges == {
        ("company",),
        ("subsidiaries",),
        ("cases_of_company",),
        ("", "company", "company"),
        ("company", "subsidiaries"),
        ("company", "cases_of_company"),
    }


def test_the_next_path_is_the_one_that_covers_most_anew(firm: TaskWorld) -> None:
    coverage = Coverage()
    one, both = route(COMPANY), route(COMPANY, CASES)
    assert coverage.best([one, both]) == both
    coverage.add(both, [])
    assert coverage.best([one, route(SUBSIDIARIES), both]) == route(SUBSIDIARIES)


def test_of_paths_that_cover_nothing_new_the_least_repeated_is_next() -> None:
    coverage = Coverage()
    often, seldom = route(COMPANY), route(CASES)
    coverage.add(often, [])
    coverage.add(often, [])
    coverage.add(seldom, [])
    assert coverage.best([often, seldom]) == seldom
    assert coverage.best([]) is None


def test_what_was_asked_least_is_asked_next_and_nothing_is_tried_twice(firm: TaskWorld) -> None:
    coverage, tree = Coverage(), PlanningTree(firm.description)
    first = coverage.leaf(CASES, tree)
    assert first == leaf("cases_of_company", "company", Ask("count"))
    coverage.add(route(CASES), [leaf("cases_of_company", "company", Ask("count"))])
    second = coverage.leaf(CASES, tree)
    assert second is not None and second.ask.form == "sum"
    assert coverage.leaf(CASES, tree, tree.asks(CASES)) is None


def test_two_look_ups_of_the_same_entity_make_a_parallel_path() -> None:
    routes = [
        route(COMPANY, starts="甲乙"),
        route(CASES, starts="乙丙"),
        route(Branch("company", "other"), starts="乙"),
        route(SUBSIDIARIES, starts="丙"),
    ]
    made = list(parallel(routes))
    assert [(one.branches, one.walks) for one in made] == [
        ((COMPANY, CASES), ((("乙",),),)),
        ((CASES, SUBSIDIARIES), ((("丙",),),)),
    ]


def test_hops_count_look_ups_in_a_row_and_tools_all_of_them(firm: TaskWorld) -> None:
    to_parent = step(firm.description, "company", "company", "母公司")
    leaves = (
        leaf("subsidiaries", "company", Ask("count")),
        leaf("cases_of_company", "company", Ask("count")),
    )
    path = SolutionPath((to_parent,), leaves)
    assert (path.hops, path.kind) == (2, "company")
    assert path.tools == ("company", "subsidiaries", "cases_of_company")


@pytest.mark.parametrize(
    ("count", "hops", "wanted"),
    [
        (280, (1, 2, 3, 4, 5), {1: 80, 2: 80, 3: 60, 4: 40, 5: 20}),
        (240, (1, 2, 3, 4, 5), {1: 69, 2: 69, 3: 51, 4: 34, 5: 17}),
        (3, (4, 5), {4: 2, 5: 1}),
        (1, (1, 2, 3), {1: 1, 2: 0, 3: 0}),
    ],
)
def test_layers_are_as_large_as_in_the_benchmark(
    count: int, hops: tuple[int, ...], wanted: dict[int, int]
) -> None:
    assert quotas(count, hops) == wanted


@given(
    st.integers(0, 100_000),
    st.sets(st.integers(1, MOST_HOPS), min_size=1).map(lambda hops: tuple(sorted(hops))),
)
def test_no_task_is_lost_between_layers(count: int, hops: tuple[int, ...]) -> None:
    wanted = quotas(count, hops)
    assert sum(wanted.values()) == count and set(wanted) == set(hops) <= set(SHARES)
