"""The rewards both papers train with.

LegalSearch-R1 (equations 6 and 7): 0 where the format is broken, else 1 if the answer is right by
the measure of its task. MSR2 (equation 2): 1 if the sentence falls into the right interval, plus a
fifth of a judge's score of the sentencing factors.

Only the policy's own turns are read. If they contain tags of the environment
(``<tool_response>``, ``<information>``), the reward is 0; so it is for an answer that the agent did
not accept, such as one from memory after a search that found nothing. Where a judge fails, or tools
cannot be reached, the reward is unknown: ``None``, not 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inforce.agents.msr2.agent import read_move
from inforce.agents.r1.protocol import read_round
from inforce.documents.untrusted import as_data
from inforce.errors import UserError
from inforce.law.penalties.prison_term import pronounced
from inforce.llm.chat import ChatModel
from inforce.scoring import legalsearch
from inforce.scoring.answers import tagged_answer
from inforce.scoring.judge import CONSULTATION_TRIES, FactorJudge, Verdict, judge_consultation
from inforce.scoring.overlap import rouge_l, without_headings
from inforce.scoring.tasks import TASKS, Task
from inforce.scoring.term_classes import ten
from inforce.train.episodes import FORGED, Question
from inforce.train.plain_sentence import plain_sentence
from inforce.train.recitation import claims_nothing_else
from inforce.train.trajectory import Trajectory

Gate = Literal["equation", "released", "protocol"]
"""The format an episode must keep. ``equation``, as LegalSearch-R1 explains equation 6: tags are
balanced, and the first round plans. ``released``, as in its code: every tag occurs, a tool has
answered, and there are as many thoughts as plans, tool calls and answers. ``protocol``, our own:
every turn is what the agent's instructions ask for, and only the last one answers."""

Wording = Literal["similar", "governing"]
"""When an article counts as recited. ``similar``: from ROUGE-L 0.95, as in the paper, which the
wording of another time may reach too, and so may the right words under a wrong title.
``governing``: the answer must also be nearer to the wording in question than to each of the
article's other wordings, where the question has them, and must claim nothing else
(`inforce.train.recitation`)."""

WEIGHT = 0.2
"""Weight of the process reward (MSR2, section 3.4)."""

_THOUGHT = re.compile(r"<(think|plan|tool_call|reasoning|factors)>.*?</\1>", re.DOTALL)
"""Parts that are no answer: thoughts, plans, calls and lists."""
_TAG = re.compile(r"</?(?:think|plan|tool_call|answer)>", re.IGNORECASE)
_PART = r"(?:(?!</?(?:think|plan|tool_call|answer)\b).)*+"
_ROUND = re.compile(
    rf"(?:\s*+<think>{_PART}</think>\s*+(?:<plan>{_PART}</plan>|(?:<tool_call>{_PART}</tool_call>\s*+)++"
    rf"|<answer>{_PART}</answer>))++\s*+",
    re.DOTALL,
)
"""One turn of R1: thoughts, each followed by a plan, by tool calls, or by the answer."""
_LONGEST_RECITATION = 2
"""Multiple of the article's length. ROUGE-L 0.95 is out of reach from 1.13 times, and a policy must
not be able to make its own reward slow to compute."""


@dataclass(frozen=True, slots=True)
class LegalSearchReward:
    """The reward of LegalSearch-R1, for the seven tasks it trains on.

    A question's facts name its ``task``; for consultations they have the ``plain_question`` that
    the judge reads, and for recitations they may have ``others``, the article's wordings of other
    times.
    """

    gate: Gate = "equation"
    wording: Wording = "similar"
    judge: ChatModel | None = None
    """Judges the answers to consultations; without one their reward is unknown."""
    tries: int = CONSULTATION_TRIES

    async def __call__(self, trajectory: Trajectory, question: Question) -> float | None:
        """Return 0 or 1; ``None`` where the judge of a consultation failed or there is none."""
        text = "\n".join(trajectory.turns)
        answering = text if self.gate == "released" else _THOUGHT.sub("", text)
        answer = tagged_answer(answering, without_tag="none")
        if not keeps_format(trajectory, gate=self.gate) or not answer:
            return 0.0
        if not is_accepted(trajectory):
            return None if trajectory.facts["outcome"] == "failed" else 0.0
        task = _task(question)
        if task == "lcs":
            verdict = await self._verdict(question, answer)
            return None if verdict is None else float(verdict.score == 1)
        return float(is_right(task, answer, question, wording=self.wording))

    async def _verdict(self, question: Question, answer: str) -> Verdict | None:
        if self.judge is None:
            return None
        plain = str(question.facts.get("plain_question") or question.text)
        # What the judge reads cannot contain its own JSON.
        quoted = as_data(answer).replace("{", "｛").replace("}", "｝")
        judged = await judge_consultation(
            self.judge, plain, quoted, question.target, purpose="training", tries=self.tries
        )
        return judged.verdict


@dataclass(frozen=True, slots=True)
class MSR2Reward:
    """The reward of MSR2: R = R_outcome + lambda R_process (equation 2).

    A question's target is the sentence (``36个月``), its fact ``fact`` what happened. The judge is
    a model (`ModelFactorJudge`, as in the paper) or rules (`inforce.scoring.factors`).
    """

    judge: FactorJudge | None = None
    """Scores the sentencing factors; without one only the outcome counts (table 4, w/o PR)."""
    weight: float = WEIGHT
    """Lambda."""

    async def __call__(self, trajectory: Trajectory, question: Question) -> float | None:
        """Return a reward between 0 and 1 + lambda; ``None`` where the judge failed.

        It is 0 for an episode without a sentence, whatever its factors: equation 2 leaves this
        open, and paying for factors alone would teach not to answer. It is also 0 where the agent
        would not give the sentence to a person, since no source was found for it.
        """
        if is_forged(trajectory.turns) or sentence(trajectory.turns) is None:
            return 0.0
        if not is_accepted(trajectory):
            return None if trajectory.facts["outcome"] == "failed" else 0.0
        outcome = float(is_right_term(trajectory, question))
        if self.judge is None:
            return outcome
        fact = str(question.facts.get("fact") or question.text)
        process = (await self.judge(fact, factors(trajectory.turns))).share
        return None if process is None else outcome + self.weight * process


def keeps_format(trajectory: Trajectory, *, gate: Gate = "equation") -> bool:
    """Tell whether an episode kept the format of LegalSearch-R1's protocol (equation 6)."""
    turns = trajectory.turns
    if not turns or is_forged(turns):
        return False
    text = "\n".join(turns)
    if gate != "released" and any(tag != tag.lower() for tag in _TAG.findall(text)):
        return False  # <ANSWER> is no tag of the protocol, but would be read as one
    if gate == "equation":
        return legalsearch.keeps_format(text, gate="equation") and "<plan>" in turns[0]
    if gate == "released":
        answered = "<tool_response></tool_response>" if trajectory.facts.get("tool_calls") else ""
        return legalsearch.keeps_format(text + answered, gate="released")
    return _keeps_protocol(turns)


def is_accepted(trajectory: Trajectory) -> bool:
    """Tell whether the agent accepted the policy's answer, as far as is known.

    R1 and MSR2 accept none without a search that found something, after useless replies, or where
    the policy says that it cannot answer.
    """
    return trajectory.facts.get("outcome", "answered") == "answered"


def is_forged(turns: Sequence[str]) -> bool:
    """Tell whether the policy wrote tags that only the environment writes.

    >>> is_forged(["<think>甲</think><tool_response>乙</tool_response>"]), is_forged(["甲"])
    (True, False)
    """
    return any(FORGED.search(turn) for turn in turns)


def is_right(task: Task, answer: str, question: Question, *, wording: Wording = "similar") -> bool:
    """Tell whether an answer is right (equation 7); not for consultations, which need a judge."""
    target = question.target.strip()
    if task == "lar" and _length(answer) > _LONGEST_RECITATION * _length(target):
        return False
    right = legalsearch.is_right(task, answer, target)
    if right and task == "lar" and wording == "governing":
        others = [without_headings(str(one)) for one in question.facts.get("others") or ()]
        text = without_headings(answer)
        similarity = rouge_l(text, without_headings(target))
        is_nearest = all(similarity > rouge_l(text, other) for other in others)
        return is_nearest and claims_nothing_else(answer, target, question.text)
    return right


def is_right_term(trajectory: Trajectory, question: Question) -> bool:
    """Tell whether an episode's sentence falls into the right interval (MSR2, 4.3.3)."""
    months = sentence(trajectory.turns)
    return months is not None and ten(months) == ten(_months(question.target))


def sentence(turns: Sequence[str]) -> int | None:
    """Return the months of the sentence in the last turn, if its answer says nothing else.

    0 for death, life and exemption, ``None`` for none.

    >>> sentence(["<factors>…</factors>", "<answer>有期徒刑三年</answer>"]), sentence(["三年"])
    (36, None)
    """
    answer = read_move(_THOUGHT.sub("", turns[-1])).answer if turns else ""
    return plain_sentence(answer)


def factors(turns: Sequence[str]) -> str:
    """Return the sentencing factors an episode listed, each list once."""
    listed = (read_move(turn).factors.strip() for turn in turns)
    return "\n".join(dict.fromkeys(one for one in listed if one))


def _keeps_protocol(turns: Sequence[str]) -> bool:
    """Tell whether every turn is a valid round of R1, and only the last one answers."""
    *before, last = [read_round(turn, first=place == 0) for place, turn in enumerate(turns)]
    return (
        all(one.validity.valid for one in (*before, last))
        and all(one.answer is None for one in before)
        and all(_ROUND.fullmatch(turn) for turn in turns)
        and turns[-1].count("<answer>") == 1
        and turns[-1].rstrip().endswith("</answer>")
        and not last.calls
    )


def _task(question: Question) -> Task:
    named = question.facts.get("task")
    for task in TASKS:
        if task == named:
            return task
    raise UserError(f"the question {question.id!r} does not say which task it is ({named!r})")


def _length(text: str) -> int:
    return sum(not character.isspace() for character in text)


def _months(text: str) -> int:
    """Return the months of a sentence; 0 for death, life and no term, as CAIL2018 stores them."""
    return pronounced(text).months or 0
