"""What runs on LegalAgentBench are measured by, each alone and all together.

Success, progress and BERTScore are means over tasks (sections 4.1.2 and E.2). A replay is also
measured by how many observations are as recorded: shares of steps, resampled task by task. The
paper's tables (3, 14 and 15) are printed with a row for our runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from inforce.agents.legalagentbench.conclusion import final_of, summary_of
from inforce.evals.benchmark import Attempt, Item, Record, Scored, ScoreItem, Summary
from inforce.evals.legalagentbench.replay import match_of
from inforce.evals.legalagentbench.tasks import score, task_of
from inforce.evals.published import published_table
from inforce.evals.summary import grouped, means
from inforce.evals.table import Cell, Row, Table
from inforce.llm.chat import ChatModel
from inforce.scoring.estimate import Estimate, bootstrap

MEASURES = ("success", "process", "solved", "bertscore")
"""``solved`` is the share of tasks whose answer contains every key."""

_Steps = Mapping[str, float | None]
"""Numbers of steps of one run, by kind: those of `replay.Match`."""

_SHARES = {
    "observation_match": ("met", "observed"),
    "format_match": ("read_alike", "observed"),
}
"""Measures of a replay: which steps, out of which."""

Similarity = Callable[[str, str], float]
"""How alike an answer and the reference are."""


def scorer(similarity: Similarity | None = None) -> ScoreItem:
    """Scores attempts by the keys in their answer and summary, and by their wording if told how."""

    async def score_item(item: Item, attempt: Attempt, judge: ChatModel | None) -> Scored:
        final = final_of(attempt.events) or attempt.text
        summary = summary_of(attempt.events) or final
        values = _values(item, final, summary, similarity)
        return Scored({**values, **_steps(attempt)}, final)

    return score_item


def _values(
    item: Item, final: str, summary: str, similarity: Similarity | None
) -> dict[str, float | None]:
    of = score(task_of(item), final, summary)
    return {
        "success": of.success,
        "process": of.process,
        "solved": float(of.is_solved),
        "bertscore": similarity(final, item.target) if similarity else None,
    }


def _steps(attempt: Attempt) -> dict[str, float | None]:
    """How many steps met the recording; nothing where there is none."""
    match = match_of(attempt.events)
    return {} if match is None else {name: float(of) for name, of in asdict(match).items()}


def bertscore(weights: str, *, layer: int | None = None) -> Similarity:
    """BERTScore's F1 by the encoder in a folder (section 4.1.2), by its last layer unless named.

    Raises:
        MissingExtraError: if the extra ``train`` is not installed.
        UserError: if the folder holds no encoder, or the encoder no such layer.
    """
    from inforce.evals.encoders import BertScorer

    scorer = BertScorer(weights, layer=layer)
    return lambda answer, reference: scorer.f1([answer], [reference])[0]


def summarise(records: Sequence[Record]) -> Summary:
    """Means over tasks, also by hops; of a replay the shares of steps as well."""
    by_hops = grouped(records, lambda one: one.task)
    groups = {name: means(of, MEASURES) for name, of in by_hops.items()}
    return Summary({**means(records, MEASURES), **_of_steps(records)}, groups)


def _of_steps(records: Sequence[Record]) -> dict[str, Estimate | None]:
    """How far a replay met its recordings; nothing where there are none."""
    steps = [one.values for one in records if one.values.get("observed")]
    if not steps:
        return {}
    return {name: _ratio(steps, *parts) for name, parts in _SHARES.items()}


def _ratio(runs: Sequence[_Steps], part: str, whole: str) -> Estimate | None:
    """A share of all steps; runs without such steps cannot change it."""
    having = [one for one in runs if one.get(whole)]
    return bootstrap(having, lambda drawn: _total(drawn, part) / _total(drawn, whole))


def _total(runs: Sequence[_Steps], count: str) -> float:
    return sum(one.get(count) or 0 for one in runs)


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
    note = " ".join(filter(None, [theirs.note, _NOTE]))
    own = tuple(_of_a_part(records))
    return replace(theirs, rows=(*theirs.rows, ours), note=note, own_notes=own)


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
