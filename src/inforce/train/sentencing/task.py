"""Sentencing as a task: to ask the right source, and to list what the sentence depends on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random

from inforce.agents.msr2.agent import read_move
from inforce.errors import UserError
from inforce.evals.judgment.cases import Case
from inforce.evals.judgment.split import draw, split
from inforce.retrieval.sources.source import Source, SourceName
from inforce.train.data.cases import sentencing_questions
from inforce.train.episodes import Question
from inforce.train.experiment.record import Measures
from inforce.train.experiment.task import Size, Task
from inforce.train.process_judge import FactorJudge
from inforce.train.rewards import MSR2Reward, factors, is_right_term
from inforce.train.sentencing.factors import likeness
from inforce.train.sentencing.traces import demonstrations, drill
from inforce.train.sentencing.world import environment
from inforce.train.trajectory import Trajectory

SIZE = Size(drills=2000, demonstrations=800, questions=2000, examination=256)

LONGEST = 300
"""Characters of a fact: a small model has little room."""

ALL_SOURCES, STATUTES = "all sources", "statutes only"
_HALVES = 2
_KNOWN, _EXAMINATION = 1, 2
"""Seeds of what is the same in every run."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Cases by what they are for; no fact is on two sides."""

    known: tuple[Case, ...]
    """Precedents, which may be shown with their terms."""
    lessons: tuple[Case, ...]
    """How they begin: as much as a small model can read."""
    asked: tuple[Case, ...]
    """To train with."""
    held_out: tuple[Case, ...]
    """To be examined with: the test side of the judgment benchmark."""


def sides(cases: Sequence[Case], *, longest: int = LONGEST) -> Sides:
    """Cases with a fixed term and a charge, by what they are for.

    Args:
        cases: all there are.
        longest: characters of a fact that is asked about.

    Raises:
        UserError: if a side has none.
    """
    parted = split(cases)
    learnt = [one for one in parted.train if _is_fit(one)]
    test = [one for one in parted.test if _is_fit(one)]
    known = [one for one in learnt if _is_known(one)]
    asked = [one for one in learnt if not _is_known(one)]
    lessons = [replace(one, fact=one.fact[:longest]) for one in known]
    found = Sides(tuple(known), tuple(lessons), _short(asked, longest), _short(test, longest))
    if not (found.known and found.asked and found.held_out):
        raise UserError(
            f"{len(cases)} cases are too few: some with a fixed term are needed to show, some of "
            f"at most {longest} characters to train with, and some to examine with"
        )
    return found


async def sentencing(
    cases: Sides,
    sources: Mapping[SourceName, Source],
    *,
    today: date,
    seed: int,
    judge: FactorJudge | None,
    has_all: bool = True,
    size: Size = SIZE,
) -> Task:
    """Questions about cases, with these sources or with the statutes alone.

    Args:
        cases: by what they are for; the precedents among the sources are made of those known.
        sources: by the name they are asked by.
        today: the day of the episodes.
        seed: fixes order, demonstrations and what is drawn.
        judge: of the sentencing factors; without one only the outcome is rewarded.
        has_all: without, only the statutes can be asked (table 4, w/o MR).
        size: how much of everything.
    """
    offered: dict[SourceName, Source] = {
        name: one for name, one in sources.items() if has_all or name == "statute"
    }
    world = environment(offered, MSR2Reward(judge), today=today)
    names = tuple(sorted(offered))
    return Task(
        ALL_SOURCES if has_all else STATUTES,
        world,
        sentencing_questions(_drawn(cases.asked, size.questions, seed + 1)),
        sentencing_questions(_drawn(cases.held_out, size.examination, _EXAMINATION)),
        tuple(drill(one) for one in _drawn(cases.lessons, size.drills, seed + 2)),
        await demonstrations(
            _drawn(cases.asked, size.demonstrations, seed), world, names, seed=seed
        ),
        facts,
        measures,
    )


def facts(trajectory: Trajectory, question: Question) -> Mapping[str, float]:
    """Whether the term is right, how complete the factors are, and whom was asked.

    Factors are compared by rule whoever judges them in training, so that runs can be compared.
    """
    moves = [read_move(turn) for turn in trajectory.turns]
    asked = [one.source for move in moves for one in move.requests]
    return {
        "right": float(is_right_term(trajectory, question)),
        "factors": _complete(trajectory, question),
        "searches": float(len(asked)),
        "precedents": float(asked.count("precedent")),
    }


def measures(means: Mapping[str, float]) -> Measures:
    """Accuracy of ten classes, completeness of factors, searches, and the precedents' share."""
    searches = means["searches"]
    return {
        "right": means["right"],
        "factors": means["factors"],
        "searches": searches,
        "precedents": means["precedents"] / searches if searches else None,
    }


def _complete(trajectory: Trajectory, question: Question) -> float:
    said = factors(trajectory.turns)
    return likeness(str(question.facts["fact"]), said) if said else 0.0


def _is_fit(case: Case) -> bool:
    return bool(case.months and case.charge) and not case.is_life_or_death


def _is_known(case: Case) -> bool:
    return draw(case.fingerprint, seed=_KNOWN) % _HALVES == 0


def _short(cases: Sequence[Case], longest: int) -> tuple[Case, ...]:
    """Those a small model can read, each fact once."""
    brief = {one.fingerprint: one for one in cases if len(one.fact) <= longest}
    return tuple(brief.values())


def _drawn(cases: Sequence[Case], most: int, seed: int) -> tuple[Case, ...]:
    """At most so many, in an order of chance."""
    return tuple(Random(seed).sample(cases, min(most, len(cases))))
