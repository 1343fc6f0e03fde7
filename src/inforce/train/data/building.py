"""So many questions a task, over the years, none of them evaluated; and what was left out."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from inforce.scoring.tasks import IN_DOMAIN, Task
from inforce.train.data.examples import Example
from inforce.train.data.leakage import fingerprint, fingerprints, stem
from inforce.train.data.sources import Source

PER_TASK = 512
"""Training questions a task (table 1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What training set is wanted."""

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
    """Those that name a year (#Temp.)."""
    sources: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Examples of a source that are not in the set, for one reason."""

    source: str
    why: str
    number: int


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """The examples, in the order they are trained on, and how they were chosen."""

    examples: tuple[Example, ...]
    tasks: tuple[TaskCount, ...]
    left_out: tuple[LeftOut, ...]


def build(
    sources: Sequence[Source], plan: Plan = Plan(), *, evaluated: Collection[str] = frozenset()
) -> TrainingSet:
    """Choose the training set; the same sources, plan and evaluations give the same set.

    Args:
        sources: what there is; where two hold the same question, the first one's is taken.
        plan: what is wanted.
        evaluated: fingerprints of what must not be trained on.
    """
    screen = _Screen(plan, evaluated)
    for source in sources:
        screen.read(source)
    chosen = {task: _spread(screen.accepted[task], plan) for task in plan.tasks}
    for task in plan.tasks:
        screen.refuse(screen.accepted[task], "more than wanted", but=chosen[task])
    left_out = tuple(LeftOut(*key, number) for key, number in sorted(screen.left_out.items()))
    counts = tuple(_count(task, plan, chosen[task]) for task in plan.tasks)
    together = [example for examples in chosen.values() for example in examples]
    return TrainingSet(tuple(sorted(together, key=_lots(plan.seed))), counts, left_out)


class _Screen:
    """Keeps what is wanted, once, and remembers why the rest is not."""

    def __init__(self, plan: Plan, evaluated: Collection[str]) -> None:
        self.accepted: dict[Task, list[Example]] = {task: [] for task in plan.tasks}
        self.left_out: Counter[tuple[str, str]] = Counter()
        self._evaluated = frozenset(evaluated)
        self._seen: set[tuple[Task, str]] = set()

    def read(self, source: Source) -> None:
        for why, number in source.left_out.items():
            self.left_out[source.name, why] += number
        for example in source.examples:
            why = self._fault(example)
            if why:
                self.left_out[example.source, why] += 1
            else:
                self.accepted[example.task].append(example)

    def refuse(self, examples: Iterable[Example], why: str, *, but: Iterable[Example]) -> None:
        taken = {one.id for one in but}
        self.left_out.update((one.source, why) for one in examples if one.id not in taken)

    def _fault(self, example: Example) -> str:
        if example.held_out:
            return example.held_out
        if example.task not in self.accepted:
            return "of a task that is not wanted"
        if fingerprints(example) & self._evaluated:
            return "evaluated"
        known = example.task, fingerprint(stem(example.question))
        if known in self._seen:
            return "the same question again"
        self._seen.add(known)
        return ""


def _spread(examples: Sequence[Example], plan: Plan) -> tuple[Example, ...]:
    """So many examples, one of each year in turn, those without a year last of each turn.

    Sampling is balanced across temporal contexts (section 4.1); which example of a year comes first
    is drawn by lot.
    """
    years: dict[int | None, list[Example]] = defaultdict(list)
    for example in sorted(examples, key=_lots(plan.seed)):
        years[example.year].append(example)
    order = sorted(years, key=lambda year: (year is None, year or 0))
    turns = zip_longest(*(years[year] for year in order))
    return tuple(one for turn in turns for one in turn if one is not None)[: plan.per_task]


def _lots(seed: int) -> Callable[[Example], str]:
    """An order of chance that the seed fixes, and that no other example changes."""
    return lambda one: hashlib.sha256(f"{seed} {one.id}".encode()).hexdigest()


def _count(task: Task, plan: Plan, chosen: Sequence[Example]) -> TaskCount:
    sources = Counter(one.source for one in chosen)
    dated = sum(one.year is not None for one in chosen)
    return TaskCount(task, plan.per_task, len(chosen), dated, dict(sorted(sources.items())))
