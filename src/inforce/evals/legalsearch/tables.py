"""The paper's tables 2 and 4 and its figures 2 and 3, with a row of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from inforce.evals.benchmark import Record
from inforce.evals.legalsearch.scoring import FORMAT, IN_FORMAT, REWARD
from inforce.evals.published import published_table
from inforce.evals.summary import by_group, grouped, mean_of
from inforce.evals.table import Cell, Table, one_row
from inforce.scoring.estimate import Estimate, bootstrap
from inforce.scoring.legalsearch import SCORE
from inforce.scoring.tasks import IN_DOMAIN, OUT_OF_DOMAIN, Task

PAPER = "legalsearch_r1"

_RECITATION: Mapping[str, str] = {
    "ROUGE-L": "rouge_l",
    "ROUGE-L of the text": "rouge_l_text",
    "F1": "f1",
    "Jaccard": "jaccard",
    "BLEU-4": "bleu4",
}
_AVERAGED = "Our average is shown where every task of it was measured."


def tables(records: Sequence[Record], name: str) -> list[Table]:
    """Every table for which these records have values."""
    present = {one.task for one in records}
    domains: dict[str, Sequence[Task]] = {"table2": IN_DOMAIN, "table4": OUT_OF_DOMAIN}
    found = [
        domain_table(table, tasks, records, name)
        for table, tasks in domains.items()
        if not present.isdisjoint(tasks)
    ]
    return found + _other_tables(records, name)


def tables_of_task(task: Task, records: Sequence[Record], name: str) -> list[Table]:
    """The same for a single task: its column of the paper's table."""
    whole = published_table(PAPER, "table2" if task in IN_DOMAIN else "table4")
    place = whole.columns.index(task.upper())
    rows = tuple(replace(row, cells=(row.cells[place],)) for row in whole.rows)
    column = replace(whole, columns=(task.upper(),), rows=rows)
    ours = column.with_row(name, [mean_of(_of(records, task), SCORE)])
    return [ours, *_other_tables(records, name)]


def _other_tables(records: Sequence[Record], name: str) -> list[Table]:
    """What the paper does not print: recitations, formats of R1's replies, dated queries."""
    found: list[Table] = []
    if _of(records, "lar"):
        found += [recitation_table(records, name), years_table(records, name)]
    if any(FORMAT in one.values for one in records):  # runs of other agents have none
        found.append(format_table(records, name))
    return [*found, queries_table(records, name)]


def domain_table(table: str, tasks: Sequence[Task], records: Sequence[Record], name: str) -> Table:
    """The tasks in the domain (table 2) or the examinations (table 4), and their mean."""
    cells = (*(mean_of(_of(records, task), SCORE) for task in tasks), average(records, tasks))
    return published_table(PAPER, table).with_row(name, cells, note=_AVERAGED)


def recitation_table(records: Sequence[Record], name: str) -> Table:
    """All measures of recited articles; the paper reports ROUGE-L alone."""
    cells = {head: mean_of(_of(records, "lar"), one) for head, one in _RECITATION.items()}
    note = "ROUGE-L of the text leaves editorial headings in 【】 out on both sides."
    return one_row("Recitation", name, cells, unit="percent", note=note)


def format_table(records: Sequence[Record], name: str) -> Table:
    """The same runs by the rule of the paper's evaluation, and by that of its training."""
    cells = {
        "Score": mean_of(records, SCORE),
        "Format kept": mean_of(records, FORMAT),
        "Score in format": mean_of(records, IN_FORMAT),
        "Reward": mean_of(records, REWARD),
    }
    note = (
        "Score asks for no format, as the paper's evaluation; in format: 0 where the tags of "
        "section 3.2 were not kept; reward: as in training (equations 6 and 7)."
    )
    return one_row("Format of R1's replies", name, cells, note=note)


def years_table(records: Sequence[Record], name: str) -> Table:
    """Figure 2: ROUGE-L of recited articles by the year of the law in the question."""
    by_year = grouped([one for one in _of(records, "lar") if one.group], by_group)
    return one_row(
        "Recitation by the year of the law (LegalSearch-R1, figure 2)",
        name,
        {year: mean_of(of, "rouge_l") for year, of in by_year.items()},
        unit="percent",
        note="ROUGE-L. The paper draws this figure and prints no numbers.",
    )


def queries_table(records: Sequence[Record], name: str) -> Table:
    """Figure 3: queries that mention a time, of all tools together and of each."""
    tools = sorted({tool for one in records for tool in one.dated})
    table = published_table(PAPER, "figure3").with_row(name, _dated_queries(records, tools))
    for tool in tools:
        table = table.with_row(f"{name} · {tool}", _dated_queries(records, [tool]))
    return table


def _dated_queries(records: Sequence[Record], tools: Sequence[str]) -> tuple[Cell, ...]:
    """The number of queries that mention a time in and outside the domain, then the number an item.

    ``None`` for a domain without items.
    """
    counts: list[int | None] = []
    ratios: list[float | None] = []
    for domain in (IN_DOMAIN, OUT_OF_DOMAIN):
        part = [one for one in records if one.task in domain]
        count = sum(one.dated.get(tool, 0) for one in part for tool in tools)
        counts.append(count if part else None)
        ratios.append(count / len(part) if part else None)
    return (*counts, *ratios)


def average(records: Sequence[Record], tasks: Sequence[Task]) -> Estimate | None:
    """The mean of the tasks' means; ``None`` if one of them was not measured."""
    scores = [
        (one.task, value)
        for one in records
        if one.is_scored and one.task in tasks and (value := one.values.get(SCORE)) is not None
    ]
    if {task for task, _ in scores} != set(tasks):
        return None
    return bootstrap(scores, _mean_of_means)


def _mean_of_means(scores: Sequence[tuple[str, float]]) -> float:
    """Over the tasks there are: a resample of very few items may lack one."""
    by_task: dict[str, list[float]] = {}
    for task, value in scores:
        by_task.setdefault(task, []).append(value)
    return fmean(fmean(values) for values in by_task.values())


def _of(records: Sequence[Record], task: Task) -> list[Record]:
    return [one for one in records if one.task == task]
