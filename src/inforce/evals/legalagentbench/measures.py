"""Measures of runs on LegalAgentBench, of single tasks and of whole runs.

Success, progress and BERTScore are means over tasks (sections 4.1.2 and E.2). A replay is also
measured by the share of observations that are as recorded: shares of steps, resampled task by task.
The paper's tables (3, 14 and 15) are printed with a row for our runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from inforce.agents.legalagentbench.agent import final_of, summary_of
from inforce.evals.benchmark import Attempt, Item, ItemScore, Record, ScoreItem, Summary
from inforce.evals.legalagentbench.replay import match_of
from inforce.evals.legalagentbench.tasks import WRITING, share
from inforce.evals.published import published_table
from inforce.evals.summary import by_task, grouped, mean_of, means
from inforce.evals.table import Table
from inforce.llm.chat import ChatModel
from inforce.scoring.estimate import Estimate, bootstrap

MEASURES = ("success", "process", "solved", "bertscore")
"""``success``: the share of a task's keys in the answer. ``process``: the share of its keys and
middle keys in the summary of the trajectory. ``solved``: 1 if the answer contains every key."""

Steps = Mapping[str, float | None]
"""Numbers of steps of one run, by kind: those of `inforce.evals.legalagentbench.replay.Match`."""

_SHARES = {
    "observation_match": ("met", "observed"),
    "format_match": ("read_alike", "observed"),
}
"""Measures of a replay: the counted steps, and the steps they are a share of."""

Similarity = Callable[[str, str], float]
"""The similarity of an answer and the reference."""


def scorer(similarity: Similarity | None = None) -> ScoreItem:
    """Scores attempts by the keys in their answer and summary, and by BERTScore if it is given."""

    async def score_item(item: Item, attempt: Attempt, judge: ChatModel | None) -> ItemScore:
        keys, middle = item.facts["key"], item.facts["key_middle"]
        final = final_of(attempt.events) or attempt.text
        summary = summary_of(attempt.events) or final
        success = share(keys, final)
        values: dict[str, float | None] = {
            "success": success,
            "process": share([*keys, *middle], summary),
            "solved": float(success == 1),
            "bertscore": similarity(final, item.target) if similarity else None,
        }
        if match := match_of(attempt.events):
            values |= {name: float(steps) for name, steps in asdict(match).items()}
        return ItemScore(values, final)

    return score_item


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
    """Means over tasks, also by hops; of a replay also the shares of steps."""
    by_hops = grouped(records, by_task)
    groups = {name: means(of, MEASURES) for name, of in by_hops.items()}
    overall = means(records, MEASURES)
    replays = [one.values for one in records if one.values.get("observed")]
    if replays:
        overall |= {name: _ratio(replays, *parts) for name, parts in _SHARES.items()}
    return Summary(overall, groups)


def _ratio(runs: Sequence[Steps], part: str, whole: str) -> Estimate | None:
    """A share of all steps of the runs, resampled run by run."""

    def total(drawn: Sequence[Steps], count: str) -> float:
        return sum(one.get(count) or 0 for one in drawn)

    return bootstrap(runs, lambda drawn: total(drawn, part) / total(drawn, whole))


PAPER = "legalagentbench"

MEASURE_OF = {"table3": "success", "table14": "process", "table15": "bertscore"}

GROUPS = ("1-hop", "2-hop", "3-hop", "4-hop", "5-hop", WRITING)
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
    by_hops = grouped(records, by_task)
    columns = [*(by_hops.get(group, ()) for group in GROUPS), records]
    tokens = sum(one.usage.tokens for one in records)
    n = len({one.id for one in records if one.is_scored})
    own = (_PART.format(n=n, all=ALL_TASKS),) if 0 < n < ALL_TASKS else ()
    found: list[Table] = []
    for table, measure in MEASURE_OF.items():
        cells = (
            *(mean_of(column, measure) for column in columns),
            f"{tokens:,}" if tokens else None,
        )
        ours = published_table(PAPER, table).with_row(name, cells, note=_NOTE)
        found.append(replace(ours, own_notes=own))
    return tuple(found)
