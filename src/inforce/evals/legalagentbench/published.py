"""The paper's tables on LegalAgentBench (3, 14 and 15), with a row for our runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inforce.evals.benchmark import Record
from inforce.evals.published import published_table
from inforce.evals.summary import grouped, means
from inforce.evals.table import Cell, Row, Table

PAPER = "legalagentbench"

MEASURE_OF = {"table3": "success", "table14": "process", "table15": "bertscore"}

GROUPS = ("1-hop", "2-hop", "3-hop", "4-hop", "5-hop", "writing")
"""The columns of the tables, before those for all tasks."""

ALL_TASKS = 300

_NOTE = (
    "Tokens are those of all tasks together. The paper counts 80, 80, 60, 40, 20 and 20 tasks in "
    "its columns; two of those it counts as 3-hop are typed as 2-hop in the data set, and ours as "
    "well."
)
_PART = "Our row is over {n} tasks, the published ones are over {all}."


def tables(records: Sequence[Record], name: str) -> tuple[Table, ...]:
    """Success, process rate and BERTScore by hops, as published, with our row last."""
    return tuple(_table(table, records, name) for table in MEASURE_OF)


def _table(table: str, records: Sequence[Record], name: str) -> Table:
    theirs = published_table(PAPER, table)
    ours = Row(name, (*_cells(records, MEASURE_OF[table]), _tokens(records)))
    told = [theirs.note, _NOTE, *_of_a_part(records)]
    return replace(theirs, rows=(*theirs.rows, ours), note=" ".join(filter(None, told)))


def _cells(records: Sequence[Record], measure: str) -> list[Cell]:
    by_hops = grouped(records, lambda one: one.task)
    columns = [*(by_hops.get(group, ()) for group in GROUPS), records]
    return [means(column, [measure])[measure] for column in columns]


def _tokens(records: Sequence[Record]) -> str | None:
    """All tokens; a dash where none were counted, as in a replay."""
    tokens = sum(one.usage.tokens for one in records)
    return f"{tokens:,}" if tokens else None


def _of_a_part(records: Sequence[Record]) -> list[str]:
    n = len({one.id for one in records if one.is_scored})
    return [_PART.format(n=n, all=ALL_TASKS)] if 0 < n < ALL_TASKS else []
