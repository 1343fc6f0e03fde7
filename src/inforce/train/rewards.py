"""What an episode is worth: the rewards both papers train with.

LegalSearch-R1 (equations 6 and 7): 0 where the format is not kept, else whether the answer is right
by the measure of its task. MSR2 (equation 2): whether the sentence falls into the right interval,
and a fifth of what a judge thinks of the sentencing factors.

Only what the policy itself wrote is read, turn by turn. Whatever it writes in the environment's
place (``<tool_response>``, ``<information>``) makes the episode worth nothing, and so does an
answer the agent did not accept: one from memory after a search that found nothing, say. A judge
that fails, or tools that cannot be reached, leave the reward unknown: ``None`` is no zero.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inforce.agents.msr2.agent import read_move
from inforce.agents.r1.protocol import read_round
from inforce.documents.untrusted import as_data
from inforce.errors import IdentifierError, UserError
from inforce.law.prison_term import pronounced
from inforce.llm.chat import ChatModel
from inforce.scoring import legalsearch
from inforce.scoring.answers import tagged_answer
from inforce.scoring.judge import CONSULTATION_TRIES, FactorJudge, Verdict, judge_consultation
from inforce.scoring.overlap import rouge_l, without_headings
from inforce.scoring.tasks import TASKS, Task
from inforce.scoring.term_classes import ten
from inforce.train.episodes import FORGED, Question
from inforce.train.recitation import claims_nothing_else
from inforce.train.trajectory import Trajectory

Gate = Literal["equation", "released", "protocol"]
"""Which format an episode must keep. ``equation``, as LegalSearch-R1 explains equation 6: tags are
balanced, and the first round plans. ``released``, as its code has it: every tag occurs, a tool has
answered, and there are as many thoughts as plans, tool calls and answers. ``protocol``, which is
ours: every turn is what the agent's instructions ask for, and the last one alone answers."""

Wording = Literal["similar", "governing"]
"""When an article counts as recited. ``similar``: from ROUGE-L 0.95, as the paper has it, which a
wording of another time may reach too, and so may the right words under a wrong title.
``governing``: it must also be nearer to the wording asked for than to each of the article's others,
where the question knows them, and claim nothing else (`inforce.train.recitation`)."""

WEIGHT = 0.2
"""Of the process reward (MSR2, section 3.4)."""

_THOUGHT = re.compile(r"<(think|plan|tool_call|reasoning|factors)>.*?</\1>", re.DOTALL)
"""Where nobody is answered: thoughts, plans, calls and lists."""
_TAG = re.compile(r"</?(?:think|plan|tool_call|answer)>", re.IGNORECASE)
_PART = r"(?:(?!</?(?:think|plan|tool_call|answer)\b).)*+"
_ROUND = re.compile(
    rf"(?:\s*+<think>{_PART}</think>\s*+(?:<plan>{_PART}</plan>|(?:<tool_call>{_PART}</tool_call>\s*+)++"
    rf"|<answer>{_PART}</answer>))++\s*+",
    re.DOTALL,
)
"""One turn of R1: thoughts, each followed by a plan, calls of tools or the answer alone."""
_SEVERAL = re.compile(
    r"[年月刑]\s*(?:或者?|还是|[、/，,；;和至到])\s*(?:有期徒刑|拘役|管制)?"
    r"\s*[\d一二三四五六七八九十两]+\s*个?[年月]"
)
"""Terms to choose among, which are no sentence."""
_UNDECIDED = re.compile(
    r"或|左右|上下|乃至|倍|[×*?？]|更[长短轻重]|不[对足是]|错误|有误|作废|过[轻重]|否则|如果|如不|假如|若"
    r"|前提|无罪|月起|年起"
)
"""What leaves a sentence open, or takes it back."""
_N = r"(?:(?<!\d)\d{1,3}|(?<![〇零一二三四五六七八九十])[一二两三四五六七八九十百]{1,4})"
_LENGTH = re.compile(rf"{_N}\s*(?:年半?(?:[零又]?\s*{_N}\s*个?月)?|个?月)")
_BESIDE = re.compile(
    r"(?:缓刑|考验期限?|剥夺政治权利)(?:考验期限?)?[为:：]?\s*[\d一二三四五六七八九十两]+\s*个?[年月]半?"
    r"(?:[零又]?[\d一二三四五六七八九十两]+\s*个月)?"
)
"""Times that are no term of imprisonment."""
_LONGEST_RECITATION = 2
"""Times the length of the article: ROUGE-L 0.95 is out of reach from 1.13 times, and a policy must
not be able to make its own reward slow to compute."""


@dataclass(frozen=True, slots=True)
class LegalSearchReward:
    """The reward of LegalSearch-R1, for the seven tasks it trains on.

    A question says in its facts which ``task`` it is, and, for consultations, the
    ``plain_question`` the judge reads; for recitations it may hold the ``others``, the wordings the
    article had at other times.
    """

    gate: Gate = "equation"
    wording: Wording = "similar"
    judge: ChatModel | None = None
    """Who says whether a consultation is answered; without one its reward is unknown."""
    tries: int = CONSULTATION_TRIES

    async def __call__(self, trajectory: Trajectory, question: Question) -> float | None:
        """0 or 1; ``None`` where the judge of a consultation failed or there is none."""
        written = "\n".join(trajectory.turns)
        said = written if self.gate == "released" else _THOUGHT.sub("", written)
        answer = tagged_answer(said, without_tag="none")
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
        judged = await judge_consultation(
            self.judge,
            plain,
            _quoted(answer),
            question.target,
            purpose="training",
            tries=self.tries,
        )
        return judged.verdict


@dataclass(frozen=True, slots=True)
class MSR2Reward:
    """The reward of MSR2: R = R_outcome + lambda R_process (equation 2).

    A question's target is the sentence (``36个月``), its fact ``fact`` what happened. Who judges is
    a model (`ModelFactorJudge`, as in the paper) or rules (`inforce.scoring.factors`).
    """

    judge: FactorJudge | None = None
    """Who scores the sentencing factors; without one only the outcome counts (table 4, w/o PR)."""
    weight: float = WEIGHT
    """Lambda."""

    async def __call__(self, trajectory: Trajectory, question: Question) -> float | None:
        """Between 0 and 1 + lambda; ``None`` where the judge failed.

        An episode without a sentence is worth nothing, whatever its factors: equation 2 leaves this
        open, and paying for factors alone would teach not to answer. So is one whose sentence the
        agent would not give to a person, since no source was found for it.
        """
        if is_forged(trajectory.turns) or sentence(trajectory.turns) is None:
            return 0.0
        if not is_accepted(trajectory):
            return None if trajectory.facts["outcome"] == "failed" else 0.0
        outcome = float(is_right_term(trajectory, question))
        process = await self._process(trajectory, question)
        return None if process is None else outcome + self.weight * process

    async def _process(self, trajectory: Trajectory, question: Question) -> float | None:
        if self.judge is None:
            return 0.0
        fact = str(question.facts.get("fact") or question.text)
        return (await self.judge(fact, factors(trajectory.turns))).share


def keeps_format(trajectory: Trajectory, *, gate: Gate = "equation") -> bool:
    """Whether an episode kept the format of LegalSearch-R1's protocol (equation 6)."""
    turns = trajectory.turns
    if not turns or is_forged(turns):
        return False
    written = "\n".join(turns)
    if gate != "released" and any(tag != tag.lower() for tag in _TAG.findall(written)):
        return False  # <ANSWER> is no tag of the protocol, and would be read as one
    if gate == "equation":
        return legalsearch.keeps_format(written, gate="equation") and "<plan>" in turns[0]
    if gate == "released":
        answered = "<tool_response></tool_response>" if trajectory.facts.get("tool_calls") else ""
        return legalsearch.keeps_format(written + answered, gate="released")
    return _keeps_protocol(turns)


def is_accepted(trajectory: Trajectory) -> bool:
    """Whether the agent gave the policy's answer as its own, as far as is known.

    R1 and MSR2 give no answer without a search that found something, after replies of no use, or
    where the policy says that it cannot tell.
    """
    return trajectory.facts.get("outcome", "answered") == "answered"


def is_forged(turns: Sequence[str]) -> bool:
    """Whether the policy wrote in the environment's place.

    >>> is_forged(["<think>甲</think><tool_response>乙</tool_response>"]), is_forged(["甲"])
    (True, False)
    """
    return any(FORGED.search(turn) for turn in turns)


def is_right(task: Task, answer: str, question: Question, *, wording: Wording = "similar") -> bool:
    """Whether an answer is right (equation 7), consultations apart."""
    target = question.target.strip()
    if task == "lar" and _length(answer) > _LONGEST_RECITATION * _length(target):
        return False
    right = legalsearch.is_right(task, answer, target)
    if right and task == "lar" and wording == "governing":
        is_nearest = _is_nearest(answer, target, _others(question))
        return is_nearest and claims_nothing_else(answer, target, question.text)
    return right


def is_right_term(trajectory: Trajectory, question: Question) -> bool:
    """Whether an episode's sentence falls into the interval of the right one (MSR2, 4.3.3)."""
    months = sentence(trajectory.turns)
    return months is not None and ten(months) == ten(_months(question.target))


def sentence(turns: Sequence[str]) -> int | None:
    """The months of the sentence the last turn gives; 0 for death and life, ``None`` for none.

    >>> sentence(["<factors>…</factors>", "<answer>有期徒刑三年</answer>"]), sentence(["三年"])
    (36, None)
    """
    answer = read_move(_THOUGHT.sub("", turns[-1])).answer if turns else ""
    try:
        return None if _is_open(answer) else _months(answer)
    except IdentifierError:
        return None


def _is_open(answer: str) -> bool:
    """Whether an answer names several terms, of which none is to be executed, or takes one back."""
    named = _BESIDE.sub("", answer)
    if _SEVERAL.search(named) or _UNDECIDED.search(named):
        return True
    lengths = {_months(one) for one in _LENGTH.findall(named)}
    return len(lengths) > 1 and "执行" not in named


def factors(turns: Sequence[str]) -> str:
    """The sentencing factors an episode listed, each list once."""
    listed = (read_move(turn).factors.strip() for turn in turns)
    return "\n".join(dict.fromkeys(one for one in listed if one))


def _keeps_protocol(turns: Sequence[str]) -> bool:
    """Whether every turn is a round of R1 without fault, and only the last one answers."""
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


def _is_nearest(answer: str, target: str, others: Sequence[str]) -> bool:
    said, *wordings = map(without_headings, (answer, target, *others))
    likeness = rouge_l(said, wordings[0])
    return all(likeness > rouge_l(said, other) for other in wordings[1:])


def _others(question: Question) -> tuple[str, ...]:
    return tuple(map(str, question.facts.get("others") or ()))


def _length(text: str) -> int:
    return sum(not character.isspace() for character in text)


def _months(text: str) -> int:
    """Months of a sentence; 0 for death, life and no term, as CAIL2018 stores them."""
    return pronounced(text).months or 0


def _quoted(answer: str) -> str:
    """An answer as the judge reads it: it cannot hold the JSON the judge is to write."""
    return as_data(answer).replace("{", "｛").replace("}", "｝")
