"""Chooses a training set: so many questions of each task, spread over the years, none evaluated.

What is evaluated is recognised by fingerprints, however it is laid out: of the whole question, of
its stem without label and options (the facts of a case, which several collections ask about), and
of the wording in which an article is to be recited.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from inforce.scoring.overlap import without_headings
from inforce.scoring.tasks import IN_DOMAIN, Task
from inforce.train.data.examples import Example
from inforce.train.data.sources import Source, read_sources

PER_TASK = 512
"""Training questions of each task (table 1)."""

_LABELS = re.compile(r"^\s*(?:案件事实|事实|问题|题目|指令|用户提问)\s*[:：]\s*")
_OPTIONS = re.compile(r"\n\s*(?:选项\s*[:：]|A\s*[:：、.．])")
_CONSULTATION = re.compile(r"\A.*?用户提问\s*[:：]", re.DOTALL)
_YEAR_FIRST = re.compile(r"^在(?:19|20)\d\d年的时间背景下，")
_HINTS = re.compile(r"\n\s*(?:相关法条|罪名)\s*[:：]")
_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Size and tasks of a training set."""

    tasks: tuple[Task, ...] = IN_DOMAIN
    per_task: int = PER_TASK
    seed: int = 0


@dataclass(frozen=True, slots=True)
class TaskCount:
    """A line of table 1."""

    task: Task
    wanted: int
    taken: int
    dated: int
    """Questions that name a year (#Temp.)."""
    sources: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Number of examples of a source that are left out for one reason."""

    source: str
    why: str
    number: int


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """The examples in the order they are trained on, and how they were chosen."""

    examples: tuple[Example, ...]
    tasks: tuple[TaskCount, ...]
    left_out: tuple[LeftOut, ...]


def build(
    sources: Sequence[Source], plan: Plan = Plan(), *, evaluated: Collection[str] = frozenset()
) -> TrainingSet:
    """Choose a training set; the same sources, plan and evaluations give the same set.

    Args:
        sources: where two have the same question, the first one's is taken.
        plan: size and tasks.
        evaluated: fingerprints of what must not be trained on (`read_evaluated`).
    """
    accepted: dict[Task, list[Example]] = {task: [] for task in plan.tasks}
    left_out: Counter[tuple[str, str]] = Counter()
    seen: set[tuple[Task, str]] = set()
    for source in sources:
        for why, number in source.left_out.items():
            left_out[source.name, why] += number
        for example in source.examples:
            key = example.task, fingerprint(stem(example.question))
            if example.held_out:
                left_out[example.source, example.held_out] += 1
            elif example.task not in accepted:
                left_out[example.source, "of a task that is not wanted"] += 1
            elif not fingerprints(example).isdisjoint(evaluated):
                left_out[example.source, "evaluated"] += 1
            elif key in seen:
                left_out[example.source, "the same question again"] += 1
            else:
                seen.add(key)
                accepted[example.task].append(example)
    chosen = {task: _spread(accepted[task], plan) for task in plan.tasks}
    for task in plan.tasks:
        taken = {one.id for one in chosen[task]}
        rest = (one.source for one in accepted[task] if one.id not in taken)
        left_out.update((source, "more than wanted") for source in rest)
    together = [example for examples in chosen.values() for example in examples]
    return TrainingSet(
        tuple(sorted(together, key=_order_of_chance(plan.seed))),
        tuple(_count(task, plan, chosen[task]) for task in plan.tasks),
        tuple(LeftOut(*key, number) for key, number in sorted(left_out.items())),
    )


def _spread(examples: Sequence[Example], plan: Plan) -> tuple[Example, ...]:
    """Choose examples of one task, one of each year in turn, then one without a year.

    Sampling is balanced across temporal contexts (section 4.1); the order within a year is random.
    """
    years: dict[int | None, list[Example]] = defaultdict(list)
    for example in sorted(examples, key=_order_of_chance(plan.seed)):
        years[example.year].append(example)
    order = sorted(years, key=lambda year: (year is None, year or 0))
    turns = zip_longest(*(years[year] for year in order))
    return tuple(one for turn in turns for one in turn if one is not None)[: plan.per_task]


def _order_of_chance(seed: int) -> Callable[[Example], str]:
    """Return a sort key: a random order that depends on the seed and on no other example."""
    return lambda one: hashlib.sha256(f"{seed} {one.id}".encode()).hexdigest()


def _count(task: Task, plan: Plan, chosen: Sequence[Example]) -> TaskCount:
    sources = Counter(one.source for one in chosen)
    dated = sum(one.year is not None for one in chosen)
    return TaskCount(task, plan.per_task, len(chosen), dated, dict(sorted(sources.items())))


def fingerprints(example: Example) -> frozenset[str]:
    """Return the fingerprints by which an example is recognised."""
    texts = {example.question, stem(example.question)}
    wordings = {without_headings(example.answer)} if example.task == "lar" else set[str]()
    return frozenset(map(fingerprint, texts | wordings))


def stem(question: str) -> str:
    r"""Return a question without its label, the year before it, its options and hints at the law.

    >>> stem("问题: 在2018年的时间背景下，下列哪项正确？\n选项:\nA: 甲\nB: 乙")
    '下列哪项正确？'
    """
    text = _CONSULTATION.sub("", question, count=1)
    text = _HINTS.split(_OPTIONS.split(text, maxsplit=1)[0], maxsplit=1)[0]
    text = _LABELS.sub("", text)
    return _YEAR_FIRST.sub("", text).strip()


def fingerprint(text: str) -> str:
    """Return a hash that is the same for texts that differ in width, case, spaces or punctuation.

    >>> fingerprint("某甲，盗窃 4,000元。") == fingerprint("某甲,盗窃4000元")
    True
    """
    folded = _NO_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())
    return hashlib.sha256(folded.encode("utf-8", errors="replace")).hexdigest()


def read_evaluated(paths: Iterable[Path]) -> frozenset[str]:
    """Return the fingerprints of evaluation files, in any form `read_sources` reads.

    Raises:
        InputError: if one cannot be read: an evaluation passed over would be a leak.
    """
    sources = read_sources(list(paths))
    return frozenset(
        mark for source in sources for example in source.examples for mark in fingerprints(example)
    )
