"""The paper's tables 2 and 4 and its figures 2 and 3, with a row of ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from inforce.evals.benchmark import Record
from inforce.evals.legalsearch.scoring import FORMAT, IN_FORMAT, REWARD
from inforce.evals.published import published_table
from inforce.evals.summary import grouped, means, measured
from inforce.evals.table import Cell, Row, Table
from inforce.scoring.estimate import Estimate, bootstrap, mean
from inforce.scoring.legalsearch import RECITATION, SCORE
from inforce.scoring.tasks import IN_DOMAIN, OUT_OF_DOMAIN, Task

PAPER = "legalsearch_r1"

_AVERAGED = "Our average is shown where every task of it was measured."


def tables(records: Sequence[Record], name: str) -> list[Table]:
    """Every table these records have something for."""
    held = {one.task for one in records}
    found: list[Table] = []
    if held & set(IN_DOMAIN):
        found.append(in_domain_table(records, name))
    if held & set(OUT_OF_DOMAIN):
        found.append(out_of_domain_table(records, name))
    found += [*_recitation_tables(records, name), *_format_tables(records, name)]
    return [*found, queries_table(records, name)]


def tables_of_task(task: Task, records: Sequence[Record], name: str) -> list[Table]:
    """The same for a single task: its column of the paper's table."""
    ours = Row(name, (_mean_score(records, task),))
    whole = published_table(PAPER, "table2" if task in IN_DOMAIN else "table4")
    place = whole.columns.index(task.upper())
    rows = tuple(replace(row, cells=(row.cells[place],)) for row in whole.rows)
    column = replace(whole, columns=(task.upper(),), rows=(*rows, ours))
    further = (*_recitation_tables(records, name), *_format_tables(records, name))
    return [column, *further, queries_table(records, name)]


def in_domain_table(records: Sequence[Record], name: str) -> Table:
    """Table 2: the seven tasks in the domain, and their mean."""
    return _with_averages(published_table(PAPER, "table2"), IN_DOMAIN, records, name)


def out_of_domain_table(records: Sequence[Record], name: str) -> Table:
    """Table 4: the six examinations, and their mean."""
    return _with_averages(published_table(PAPER, "table4"), OUT_OF_DOMAIN, records, name)


def recitation_table(records: Sequence[Record], name: str) -> Table:
    """All measures of recited articles; the paper reports ROUGE-L alone."""
    found = means(_of(records, "lar"), RECITATION)
    heads = ("ROUGE-L", "ROUGE-L of the text", "F1", "Jaccard", "BLEU-4")
    note = "ROUGE-L of the text leaves editorial headings in 【】 out on both sides."
    return Table("Recitation", heads, (Row(name, tuple(found.values())),), "percent", note)


def format_table(records: Sequence[Record], name: str) -> Table:
    """The same runs by the rule of the paper's evaluation, and by that of its training."""
    heads = ("Score", "Format kept", "Score in format", "Reward")
    found = means(records, (SCORE, FORMAT, IN_FORMAT, REWARD))
    note = (
        "Score asks for no format, as the paper's evaluation; in format: 0 where the tags of "
        "section 3.2 were not kept; reward: as in training (equations 6 and 7)."
    )
    return Table("Format of R1's replies", heads, (Row(name, tuple(found.values())),), note=note)


def years_table(records: Sequence[Record], name: str) -> Table:
    """Figure 2: ROUGE-L of recited articles by the year whose law is asked for."""
    by_year = grouped([one for one in _of(records, "lar") if one.group], lambda one: one.group)
    cells = tuple(mean(measured(of, "rouge_l")) for of in by_year.values())
    return Table(
        "Recitation by the year of the law (LegalSearch-R1, figure 2)",
        tuple(by_year),
        (Row(name, cells),),
        "percent",
        "ROUGE-L. The paper draws this figure and prints no numbers.",
    )


def queries_table(records: Sequence[Record], name: str) -> Table:
    """Figure 3: queries that name a time, of all tools together and of each."""
    tools = sorted({tool for one in records for tool in one.dated})
    ours = [Row(name, _dated_queries(records, tools))]
    ours += [Row(f"{name} · {tool}", _dated_queries(records, [tool])) for tool in tools]
    published = published_table(PAPER, "figure3")
    return replace(published, rows=(*published.rows, *ours))


def average(records: Sequence[Record], tasks: Sequence[Task]) -> Estimate | None:
    """The mean of the tasks' means; ``None`` where one of them was not measured."""
    scores = [
        (one.task, value)
        for one in records
        if one.is_scored and one.task in tasks and (value := one.values.get(SCORE)) is not None
    ]
    if {task for task, _ in scores} != set(tasks):
        return None
    return bootstrap(scores, _mean_of_means)


def _mean_of_means(scores: Sequence[tuple[str, float]]) -> float:
    """Over the tasks there are: of very few items a resample may lack one."""
    by_task: dict[str, list[float]] = {}
    for task, value in scores:
        by_task.setdefault(task, []).append(value)
    return fmean(fmean(values) for values in by_task.values())


def _with_averages(
    published: Table, tasks: Sequence[Task], records: Sequence[Record], name: str
) -> Table:
    cells = (*(_mean_score(records, task) for task in tasks), average(records, tasks))
    note = f"{published.note} {_AVERAGED}"
    return replace(published, rows=(*published.rows, Row(name, cells)), note=note)


def _format_tables(records: Sequence[Record], name: str) -> list[Table]:
    """Nothing for a run of another agent."""
    return [format_table(records, name)] if any(FORMAT in one.values for one in records) else []


def _recitation_tables(records: Sequence[Record], name: str) -> list[Table]:
    if not _of(records, "lar"):
        return []
    return [recitation_table(records, name), years_table(records, name)]


def _mean_score(records: Sequence[Record], task: Task) -> Estimate | None:
    return mean(measured(_of(records, task), SCORE))


def _of(records: Sequence[Record], task: Task) -> list[Record]:
    return [one for one in records if one.task == task]


def _dated_queries(records: Sequence[Record], tools: Sequence[str]) -> tuple[Cell, ...]:
    """How many name a time in either domain, then how many an item; none where no item was run."""
    parts = [[one for one in records if one.task in of] for of in (IN_DOMAIN, OUT_OF_DOMAIN)]
    counts = [sum(one.dated.get(tool, 0) for one in part for tool in tools) for part in parts]
    counts = [
        (count, count / len(part)) if part else (None, None)
        for count, part in zip(counts, parts, strict=True)
    ]
    return (*(count for count, _ in counts), *(an_item for _, an_item in counts))
