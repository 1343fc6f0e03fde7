"""How the benchmark scores an answer, by task (section 6.2): the score that enters the averages.

Recitation: ROUGE-L. Charges: all of them, in any order. Consultation: the mean of a judge's two
verdicts (`inforce.evals.legalsearch.judge`). All others: the answer is the target, to the letter.
"""

from __future__ import annotations

from inforce.evals.legalsearch.answers import same_charges
from inforce.evals.legalsearch.judge import Verdict
from inforce.evals.legalsearch.tasks import Task
from inforce.evals.overlap import bleu4, character_f1, jaccard
from inforce.evals.rouge import rouge_l, without_headings

SCORE = "score"
"""The measure every task has."""

RECITATION = ("rouge_l", "rouge_l_text", "f1", "jaccard", "bleu4")
"""What is also measured of a recited article; ``rouge_l_text`` leaves 【…】 headings out."""

CONSULTATION = ("answer_correct", "basis_correct")
"""What a judge says of a consultation."""


def evaluate(
    task: Task, answer: str, target: str, *, verdict: Verdict | None = None
) -> dict[str, float | None]:
    """The measures of an answer, ``score`` first.

    Args:
        task: whose rules hold.
        answer: as `inforce.evals.legalsearch.answers.read_answer` has it.
        target: the gold answer.
        verdict: the judge's, of a consultation; without it nothing is measured there.
    """
    match task:
        case "lar":
            return _recitation(answer, target)
        case "lcs":
            return _consultation(verdict)
        case "ccp":
            return {SCORE: float(same_charges(answer, target))}
        case _:
            return {SCORE: float(answer == target.strip())}


def _recitation(answer: str, target: str) -> dict[str, float | None]:
    whole = rouge_l(answer, target)
    return {
        SCORE: whole,
        "rouge_l": whole,
        "rouge_l_text": rouge_l(without_headings(answer), without_headings(target)),
        "f1": character_f1(answer, target),
        "jaccard": jaccard(answer, target),
        "bleu4": bleu4(answer, target),
    }


def _consultation(verdict: Verdict | None) -> dict[str, float | None]:
    if verdict is None:
        return dict.fromkeys((SCORE, *CONSULTATION))
    return {
        SCORE: verdict.score,
        "answer_correct": float(verdict.answer_correct),
        "basis_correct": float(verdict.basis_correct),
    }
