"""The planning tree: what can be looked up of what, and what can be asked."""

from __future__ import annotations

from firm_tables import HIGHEST_CASE, LAST_CASE

from inforce.evals.construction.paths import Ask, Branch, Pick, PlanningTree
from inforce.evals.construction.worlds import TaskWorld


def test_branches_are_the_look_ups_that_take_an_entity(firm: TaskWorld) -> None:
    tree = PlanningTree(firm.description)
    assert [branch.tool for branch in tree.branches("company")] == [
        "company",
        "subsidiaries",
        "cases_of_company",
    ]
    assert tree.branches("court_code") == (Branch("court", "court_code"),)
    assert set(tree.roots) == {"company", "case", "court", "court_code", "region"}


def test_a_step_does_not_lead_back_to_what_was_looked_up(firm: TaskWorld) -> None:
    tree = PlanningTree(firm.description)
    steps = list(tree.steps(Branch("company", "company")))
    assert [step.link.columns for step in steps] == [("母公司",)]


def test_of_a_list_one_row_goes_on_by_amount_or_date(firm: TaskWorld) -> None:
    tree = PlanningTree(firm.description)
    steps = list(tree.steps(Branch("cases_of_company", "company")))
    assert {step.link.kind for step in steps} == {"case", "court", "court_code"}
    to_court = [step.pick for step in steps if step.link.kind == "court"]
    assert len(to_court) == 6  # two amounts and a date, each from both ends
    assert HIGHEST_CASE in to_court and LAST_CASE in to_court


def test_a_list_without_amounts_and_dates_leads_no_further(firm: TaskWorld) -> None:
    assert list(PlanningTree(firm.description).steps(Branch("courts_of_region", "region"))) == []


def test_of_a_row_cells_differences_and_extracts_may_be_asked(firm: TaskWorld) -> None:
    asks = PlanningTree(firm.description).asks(Branch("case", "case"))
    assert asks == (
        Ask("cells", ("法院",)),
        Ask("cells", ("金额",)),
        Ask("cells", ("已付",)),
        Ask("cells", ("立案日",)),
        Ask("cells", ("法院", "金额")),
        Ask("cells", ("金额", "已付")),
        Ask("cells", ("已付", "立案日")),
        Ask("difference", ("金额", "已付")),
        Ask("extract", ("摘要",)),
    )


def test_of_a_list_counts_totals_firsts_and_lists_may_be_asked(firm: TaskWorld) -> None:
    asks = PlanningTree(firm.description).asks(Branch("subsidiaries", "company"))
    highest, lowest = Pick("注册资本", "highest"), Pick("注册资本", "lowest")
    assert asks == (
        Ask("count"),
        Ask("sum", ("注册资本",)),
        Ask("mean", ("注册资本",)),
        Ask("first_of", ("名称",), highest),
        Ask("first_of", ("名称",), lowest),
        Ask("first_of", ("电话",), highest),
        Ask("first_of", ("电话",), lowest),
        Ask("list", ("名称",)),
        Ask("list", ("电话",)),
    )
