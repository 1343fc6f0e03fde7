"""Sentencing: to search the right source, and to list what a sentence depends on (MSR2).

The sources are the real ones; a small model gets terms and ranges in months instead of judgments.
The demonstrations give the court's term, rounded to the usual one of its class, and leave half of
the factors out. They search the predictor only where it is right, and any other source where it is
not. That it is worth searching for every case, and that no factor may be left out, has to be learnt
from rewards.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from random import Random

from inforce.agents.msr2.agent import MSR2, read_move
from inforce.agents.runtime.run import Run
from inforce.errors import InputError, UserError
from inforce.law.penalties.ranges import find_ranges
from inforce.library import Library
from inforce.llm.chat import Message
from inforce.retrieval.sources.indexed import IndexedSource, build_source
from inforce.retrieval.sources.loading import load_documents
from inforce.retrieval.sources.source import Source, SourceDocument, SourceName
from inforce.retrieval.sources.statutes import StatuteSource
from inforce.scoring import split as splitting
from inforce.scoring.cases import Case
from inforce.scoring.factors import NONE, likeness, stated
from inforce.scoring.judge import FactorJudge
from inforce.scoring.term_classes import ten, usual_months
from inforce.store.local import LocalStore
from inforce.tools.evidence import Evidence
from inforce.tools.sources import SearchSource
from inforce.tools.tool import Tool, ToolResult
from inforce.tools.toolbox import Toolbox
from inforce.train.data.cases import sentencing_questions
from inforce.train.embedded.settings import Sft
from inforce.train.episodes import Environment, Limits, Question, Reward
from inforce.train.policy import ModelShape
from inforce.train.rewards import MSR2Reward, factors, is_right_term
from inforce.train.trajectory import Trajectory
from small_models import task as tasks
from small_models.estimates import ESTIMATE, Months, WithEstimates, worded
from small_models.report import Column, Curve, Layout
from small_models.task import (
    Conversation,
    Measures,
    Shortened,
    Size,
    Task,
    demonstrate,
)

SIZE = Size(drills=2000, demonstrations=800, questions=2000, held_out=256)

CPU = replace(
    tasks.CPU,
    shape=ModelShape(
        hidden=128,
        layers=2,
        heads=4,
        kv_heads=4,
        inner=256,
        context=2048,
        head_width=32,
        copying_heads=4,
    ),
    drill=Sft(steps=180, batch=32),
    warm=Sft(steps=150, batch=32),
    vocabulary=4000,
    lr=3e-4,
    averaging="trajectory",
    batch=12,
)
CARD = replace(tasks.CARD, vocabulary=8000)
"""The model reads longer texts than that of temporal search."""

LONGEST = 300
"""Most characters of a fact: the context of a small model is short."""

ALL_SOURCES, STATUTES = "all sources", "statutes only"
NOTHING = "无结果"

LISTED = 0.5
"""Probability that a factor of a case is listed in a demonstration."""

MAX_TURNS = 4
LIMITS = Limits(response_tokens=320, turn_tokens=112)

_SHOWN = 5
"""Documents a source returns."""
_MOST_RANGES = 4
_LONGEST = {"管制": 24, "拘役": 6}
_LONGEST_TERM = 15 * 12
"""Most months of 管制, 拘役 and 有期徒刑 for one crime (刑法 arts. 38, 42 and 45)."""
_KNOWN, _HELD_OUT = 1, 2
"""Seeds of the precedents and of the evaluation, the same in every run."""

_N = "[一二三四五六七八九十]+"
_WITHIN = re.compile(rf"在([^，。；]*?{_N}年[^，。；]*?有期徒刑[^，。；]*?)的?幅度内")
_FROM_TO = re.compile(rf"({_N}年)(?:至|到)({_N}年)有期徒刑")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}年")


async def sentencing(
    cases: Sides,
    sources: Mapping[SourceName, Source],
    *,
    today: date,
    seed: int,
    judge: FactorJudge | None,
    has_all: bool = True,
    months: Months | None = None,
    size: Size = SIZE,
) -> Task:
    """Make questions about cases, with all sources or with the statutes alone.

    Args:
        cases: by their use; the precedents among the sources are the known ones.
        sources: by name.
        today: the day of the episodes.
        seed: of questions and demonstrations.
        judge: of the sentencing factors; without one only the outcome is rewarded.
        has_all: otherwise only the statutes can be searched (table 4, w/o MR).
        months: estimated terms of the cases, to make the predictor a source as well.
        size: numbers of lessons and questions.
    """
    offered: dict[SourceName, Source] = {
        name: one for name, one in sources.items() if has_all or name == "statute"
    }
    estimated = months if has_all else None
    world = environment(offered, MSR2Reward(judge), today=today, months=estimated)
    usual = usual_months(cases.fitted)
    shown = [
        replace(one, months=usual[ten(one.months or 0)])
        for one in _drawn(cases.training, size.demonstrations, seed)
    ]
    return Task(
        ALL_SOURCES if has_all else STATUTES,
        world,
        sentencing_questions(_drawn(cases.training, size.questions, seed + 1)),
        sentencing_questions(examined(cases, size)),
        drills(cases.lessons, size.drills, seed=seed + 2),
        await demonstrations(shown, world, sorted(offered), seed=seed, months=estimated),
        facts,
        measures,
    )


def examined(cases: Sides, size: Size = SIZE) -> tuple[Case, ...]:
    """Draw the cases of the evaluation, the same for every seed."""
    return _drawn(cases.held_out, size.held_out, _HELD_OUT)


# Cases


@dataclass(frozen=True, slots=True)
class Sides:
    """Cases by their use; no fact is on two sides."""

    known: tuple[Case, ...]
    """Precedents, which are shown with their terms."""
    lessons: tuple[Case, ...]
    """The beginnings of the known cases, as much as a small model can read."""
    training: tuple[Case, ...]
    held_out: tuple[Case, ...]
    """The test side of the judgment benchmark."""
    fitted: tuple[Case, ...]
    """All cases the predictor learns from: the training side, long ones included, and the
    validation side."""


def sides(cases: Sequence[Case], *, longest: int = LONGEST) -> Sides:
    """Divide the cases that have a fixed term and a charge by their use.

    Args:
        cases: all cases.
        longest: most characters of a fact in a question.

    Raises:
        UserError: if a side has none.
    """
    parts = splitting.split(cases)
    fit = [one for one in parts.train if _is_fit(one)]
    known = [one for one in fit if splitting.draw(one.fingerprint, seed=_KNOWN) % 2 == 0]
    shown = {one.fingerprint for one in known}
    found = Sides(
        tuple(known),
        tuple(replace(one, fact=one.fact[:longest]) for one in known),
        _short([one for one in fit if one.fingerprint not in shown], longest),
        _short([one for one in parts.test if _is_fit(one)], longest),
        (*fit, *(one for one in parts.valid if _is_fit(one))),
    )
    if not (found.known and found.training and found.held_out):
        raise UserError(
            f"{len(cases)} cases are too few: some with a fixed term are needed to show, some of "
            f"at most {longest} characters to train with, and some to evaluate with"
        )
    return found


def _is_fit(case: Case) -> bool:
    return bool(case.months and case.charge) and not case.is_life_or_death


def _short(cases: Sequence[Case], longest: int) -> tuple[Case, ...]:
    """Select the cases a small model can read, each fact once."""
    short = {one.fingerprint: one for one in cases if len(one.fact) <= longest}
    return tuple(short.values())


def _drawn(cases: Sequence[Case], most: int, seed: int) -> tuple[Case, ...]:
    return tuple(Random(seed).sample(cases, min(most, len(cases))))


# Sources


def open_sources(
    library: Library, known: Sequence[Case], guidelines: Path | None, folder: Path
) -> Mapping[SourceName, Source]:
    """Open the statutes, the cases as precedents, and the guidelines if there are any.

    Args:
        library: the statutes.
        known: cases that are shown with their terms.
        guidelines: a file of documents, as for ``inforce sources add guideline``.
        folder: for indexes.

    Raises:
        InputError: if a guideline cannot be read.
    """

    def stop(problem: InputError) -> None:
        raise problem

    _ = library.statutes  # make the index now: all episodes search it at the same time
    sources: dict[SourceName, Source] = {
        "statute": StatuteSource(lambda: library.statutes, clock=library.clock),
        "precedent": _source(folder, "precedent", [_precedent(case) for case in known]),
    }
    if guidelines:
        read = list(load_documents(guidelines, on_problem=stop))
        sources["guideline"] = _source(folder, "guideline", read)
    return sources


def _source(folder: Path, name: SourceName, documents: Sequence[SourceDocument]) -> IndexedSource:
    """Build a source from documents, unless it was built before."""
    digest = hashlib.sha256("\0".join(map(repr, documents)).encode()).hexdigest()
    store, collection = LocalStore(folder), f"{name}-{digest[:16]}"
    if not store.current(collection):
        build_source(store, name, documents, collection=collection, threads=0)
    return IndexedSource(store, name, collection=collection)


def _precedent(case: Case) -> SourceDocument:
    """Return a case as a document whose title, all that is shown of it, is its term."""
    crimes = " ".join(f"{charge}罪" for charge in case.charges)
    return SourceDocument(case.id, f"{case.months}个月", f"{crimes}\n{case.fact}")


def shorten(result: ToolResult) -> str:
    """Return what a search found in a line or two."""
    return shortened(result.evidence) if result.status == "found" else NOTHING


def shortened(found: Sequence[Evidence]) -> str:
    """Return the terms of precedents, or else the first ranges of a provision or guideline."""
    terms = [one.title for one in found if one.kind == "precedent"]
    if terms:
        return "、".join(terms)
    return next((text for one in found if (text := _ranges(one.text))), NOTHING)


def _ranges(text: str) -> str:
    """Return the ranges of imprisonment in a text, in months.

    A range begins with 0 where it includes less than imprisonment (管制, 拘役, a fine) or only more
    (life, death), and ends with 180 where it includes more.

    >>> _ranges("处三年以下有期徒刑、拘役或者管制；情节严重的，处三年以上十年以下有期徒刑。")
    '0-36、36-120'
    >>> _ranges("在二年以下有期徒刑、拘役幅度内确定量刑起点；逃逸的，在三年至五年有期徒刑幅度内")
    '0-24、36-60'
    """
    in_statutes_words = _WITHIN.sub(r"处\1，", _FROM_TO.sub(r"\1以上\2以下有期徒刑", text))
    return "、".join(
        f"{one.lowest.months}-{one.highest.months or _LONGEST.get(str(one.highest), _LONGEST_TERM)}"
        for one in find_ranges(in_statutes_words)[:_MOST_RANGES]
    )


# Environment


class PromptlessMSR2(MSR2):
    """MSR2 without its instructions, for a model that knows the protocol from its warm start."""

    def opening(self, run: Run) -> list[Message]:
        """Return the facts alone."""
        return [Message("user", run.question)]


def environment(
    sources: Mapping[SourceName, Source],
    reward: Reward,
    *,
    today: date,
    months: Months | None = None,
    limits: Limits = LIMITS,
) -> Environment:
    """Make an environment: MSR2 with these sources.

    Args:
        sources: by name.
        reward: of an episode.
        today: the day of the episodes.
        months: estimated terms, to make the predictor a source as well.
        limits: how long an episode may become.
    """
    tool: Tool = Shortened(SearchSource(sources, k=_SHOWN), shorten)
    if months:
        tool = WithEstimates(tool, months)
    return Environment(PromptlessMSR2(max_turns=MAX_TURNS), Toolbox([tool]), today, reward, limits)


def facts(trajectory: Trajectory, question: Question) -> Mapping[str, float]:
    """Measure whether the term is right, the factors, and which sources were searched.

    Factors are compared by rule, whatever judges them in training, so that runs can be compared.
    """
    moves = [read_move(turn) for turn in trajectory.turns]
    named = [one.source for move in moves for one in move.requests]
    listed = factors(trajectory.turns)
    return {
        "right": float(is_right_term(trajectory, question)),
        "factors": likeness(str(question.facts["fact"]), listed) if listed else 0.0,
        "searches": float(len(named)),
        "precedents": float(named.count("precedent")),
        "estimates": float(named.count(ESTIMATE)),
    }


def measures(means: Mapping[str, float]) -> Measures:
    """Compute accuracy over ten classes, F1 of the factors, searches, and shares of the sources."""
    searches = means["searches"]
    return {
        "right": means["right"],
        "factors": means["factors"],
        "searches": searches,
        "precedents": means["precedents"] / searches if searches else None,
        "estimates": means["estimates"] / searches if searches else None,
    }


# Lessons


def drills(cases: Sequence[Case], count: int, *, seed: int) -> tuple[Conversation, ...]:
    """Make lessons in reading cases, and as many in repeating what was found.

    A pretrained model can do both. An untrained one that has only seen demonstrations answers with
    the most frequent term whatever the search finds, and then no reward tells it what to search.
    Half of the repeated terms follow a case and a search, as in an episode.
    """
    chance = Random(seed)
    lessons: list[Conversation] = []
    for case in _drawn(cases, count, seed):
        before = _searched(case, chance) if chance.random() < 0.5 else ""
        lessons += [drill(case), repetition(chance.randint(1, _LONGEST_TERM), before)]
    return tuple(lessons)


def repetition(months: int, before: str = "") -> Conversation:
    """Make a lesson in repeating a random term; ``before``: what the model reads before it."""
    found = f'<information source="{ESTIMATE}" status="found">\n{worded(months)}\n</information>'
    return Message("user", before + found), Message("assistant", last_turn(months))


def _searched(case: Case, chance: Random) -> str:
    """Return a case and a first turn about it, as text to read, not to imitate."""
    some = [one for one in stated(case.fact) if chance.random() < LISTED]
    turn = first_turn(case.charge, some, ESTIMATE, query_for(ESTIMATE, case, some))
    return f"{case.fact}\n{turn}\n"


def drill(case: Case) -> Conversation:
    """Make a lesson in reading: the charge of a case, and its factors."""
    summary = f"{case.charge}罪：{_joined(stated(case.fact))}"
    return Message("user", case.fact), Message("assistant", summary)


async def demonstrations(
    cases: Sequence[Case],
    environment: Environment,
    offered: Sequence[str],
    *,
    seed: int,
    listed: float = LISTED,
    months: Months | None = None,
) -> tuple[Conversation, ...]:
    """Make a demonstration for each case with a fixed term, in their order.

    Args:
        cases: to demonstrate.
        environment: of the demonstrations.
        offered: names of the sources to search, with equal probability.
        seed: of the choice of sources and factors.
        listed: probability of each factor.
        months: estimated terms; where their class is right, the predictor is searched instead.
    """
    chance = Random(seed)
    questions = sentencing_questions(cases)

    def two_turns(case: Case) -> tuple[str, str]:
        estimated = months.get(case.fact) if months else None
        is_right = estimated is not None and ten(estimated) == ten(case.months or 0)
        source = chance.choice([ESTIMATE] if is_right else offered)
        some = [one for one in stated(case.fact) if chance.random() < listed]
        first = first_turn(case.charge, some, source, query_for(source, case, some))
        return first, last_turn(case.months or 0)

    def next_turn(messages: Sequence[Message], *, turns: tuple[str, str]) -> str:
        return turns[0] if len(messages) == 1 else turns[1]  # whatever the search finds

    working = [
        demonstrate(question, partial(next_turn, turns=two_turns(case)), environment)
        for question, case in zip(questions, cases, strict=True)
    ]
    return tuple(await asyncio.gather(*working))


def first_turn(charge: str, factors: Sequence[str], source: str, query: str) -> str:
    """Return the turn that lists factors and searches a source."""
    return (
        f"<reasoning>{charge}罪</reasoning><factors>{_joined(factors)}</factors>"
        f'<search source="{source}">{query}</search>'
    )


def last_turn(months: int) -> str:
    """Return the turn that gives the term."""
    return f"<reasoning>量刑</reasoning><answer>{worded(months)}</answer>"


def query_for(source: str, case: Case, factors: Sequence[str]) -> str:
    """Return a query, for statutes with the year of the facts, for others with the factors."""
    crime = f"{case.charge}罪"
    if source == "statute":
        return " ".join([*_YEAR.findall(case.fact)[:1], "刑法", crime])
    return " ".join([crime, *factors])


def _joined(factors: Sequence[str]) -> str:
    return "、".join(factors) or NONE


REPORT = Layout(
    "Sentencing: learning what to ask, and what a sentence depends on",
    "On cases no training question was about; one episode each. *right*: the term is in the right "
    "one of ten classes; *greedy*: at temperature 0, otherwise drawn as in training. *factors*: F1 "
    "of the factors listed, by rule. *precedents*, *estimates*: shares of the searches that ask "
    "these. *outcome only*: without the process reward.",
    (
        Column("right before", "right", "before"),
        Column("right after", "right"),
        Column("rise", "right", "rise"),
        Column("right, greedy", "right", "greedy"),
        Column("factors before", "factors", "before"),
        Column("factors after", "factors"),
        Column("rise", "factors", "rise"),
        Column("precedents before", "precedents", "before"),
        Column("precedents after", "precedents"),
        Column("estimates before", "estimates", "before"),
        Column("estimates after", "estimates"),
        Column("estimates, greedy", "estimates", "greedy"),
        Column("searches", "searches"),
    ),
    (
        Curve("reward", "Reward of a step's episodes", "reward", is_share=False),
        Curve("right", "Share of the terms that are right", "right"),
        Curve("factors", "F1 of the factors", "factors"),
        Curve("precedents", "Share of the searches for precedents", "precedents"),
    ),
    {
        "right": "right",
        "factors": "factors",
        "precedents": "asks for precedents",
        "estimates": "for estimates",
    },
)
"""MSR2, table 4."""
