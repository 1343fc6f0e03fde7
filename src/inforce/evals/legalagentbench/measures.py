"""What runs on LegalAgentBench are measured by, each alone and all together.

Success, progress and BERTScore are means over tasks (sections 4.1.2 and E.2). A replay is also
measured by how many observations are as recorded: shares of steps, resampled task by task.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from inforce.agents.legalagentbench.conclusion import final_of, summary_of
from inforce.evals.benchmark import Attempt, Item, Record, Scored, ScoreItem, Summary
from inforce.evals.estimate import Estimate, bootstrap
from inforce.evals.legalagentbench.items import task_of
from inforce.evals.legalagentbench.recorded import match_of
from inforce.evals.legalagentbench.scoring import score
from inforce.evals.summary import grouped, means
from inforce.llm.chat import ChatModel

MEASURES = ("success", "process", "solved", "bertscore")
"""``solved`` is the share of tasks whose answer contains every key."""

_Steps = Mapping[str, float | None]
"""Numbers of steps of one run, by kind: those of `observations.Match`."""

_SHARES = {
    "observation_match": ("met", "comparable"),
    "observation_match_all": ("equal", "observed"),
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
    from inforce.evals.bertscore import BertScorer

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
    shares = {name: _ratio(steps, *parts) for name, parts in _SHARES.items()}
    set_aside = _total(steps, "observed") - _total(steps, "comparable")
    return {**shares, "contradictory": Estimate(set_aside, None, None, len(steps))}


def _ratio(runs: Sequence[_Steps], part: str, whole: str) -> Estimate | None:
    """A share of all steps; runs without such steps cannot change it."""
    having = [one for one in runs if one.get(whole)]
    return bootstrap(having, lambda drawn: _total(drawn, part) / _total(drawn, whole))


def _total(runs: Sequence[_Steps], count: str) -> float:
    return sum(one.get(count) or 0 for one in runs)
