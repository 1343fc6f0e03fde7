"""The training rewards of LegalSearch-R1 (equations 6 and 7): functions of what a run wrote.

A run that breaks the format, or gives no answer, has reward 0; otherwise the answer is right or
wrong. Recitations are right from ROUGE-L 0.95, consultations if the judge finds both the conclusion
and its basis right. Evaluation measures differ: `inforce.evals.legalsearch.evaluation`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from inforce.agents.r1.protocol import RESPONSE, TAGS, text_gate
from inforce.agents.runtime.trace import Event, Observed, Replied
from inforce.evals.legalsearch.answers import read_answer, same_charges
from inforce.evals.legalsearch.judge import Verdict
from inforce.evals.legalsearch.tasks import Task
from inforce.evals.rouge import rouge_l
from inforce.tools.untrusted import as_data

RECITED = 0.95
"""ROUGE-L from which an article counts as recited."""

Gate = Literal["released", "equation"]
"""Which format a run must keep. ``released``, as the published code has it: every tag occurs, is
closed as often as opened, and there are as many thoughts as plans, tool calls and answers.
``equation``, as equation 6 is explained: tags are balanced, and the first round plans."""

_TO_THE_LETTER: frozenset[Task] = frozenset({"kqa", "ptp", "lap", "lca"})


def reward(
    task: Task,
    solution: str,
    target: str,
    *,
    verdict: Verdict | None = None,
    gate: Gate = "released",
) -> float | None:
    """The reward of a run, 0 or 1.

    Args:
        task: whose rules hold.
        solution: everything the model and its environment wrote, tags included.
        target: the gold answer.
        verdict: the judge's, of a consultation; ``None`` where it failed or was not asked, and
            then the reward is ``None`` unless the format alone decides.
        gate: which format must be kept.
    """
    answer = read_answer(solution, without_tag="none")
    if not keeps_format(solution, gate=gate) or not answer:
        return 0.0
    if task == "lcs":
        return None if verdict is None else float(verdict.score == 1)
    return float(is_right(task, answer, target.strip()))


def is_right(task: Task, answer: str, target: str) -> bool:
    """Whether an answer is right by the measure of training, consultations apart."""
    if not target:
        return False
    if task == "lar":
        return rouge_l(answer, target) >= RECITED
    if task == "ccp":
        return same_charges(answer, target)
    if task in _TO_THE_LETTER:
        return answer == target
    return answer.lower() == target.lower()


def keeps_format(solution: str, *, gate: Gate = "released") -> bool:
    """Whether a run keeps the format of the protocol."""
    if gate == "released":
        return text_gate(solution).valid
    return _is_balanced(solution) and "<plan>" in _first_round(solution)


def solution_of(events: Sequence[Event]) -> str:
    """What a run of R1 wrote, as one text: the model's rounds and the answers of its tools."""
    parts: list[str] = []
    for event in events:
        match event:
            case Replied(role="agent"):
                parts.append(event.text)
            case Observed():
                parts.append(f"<{RESPONSE}>\n{as_data(event.text)}\n</{RESPONSE}>")
            case _:
                pass
    return "\n".join(parts)


def _is_balanced(solution: str) -> bool:
    """Whether every tag that is opened is closed before it is opened again."""
    return all(
        re.findall(f"</?{tag}>", solution) == [f"<{tag}>", f"</{tag}>"] * solution.count(f"<{tag}>")
        for tag in (*TAGS, RESPONSE)
    )


def _first_round(solution: str) -> str:
    """What was written before the environment said anything."""
    return solution.partition(f"<{RESPONSE}>")[0]
