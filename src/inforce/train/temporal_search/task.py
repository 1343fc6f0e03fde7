"""Temporal search as a task: to ask about the law of the right day."""

from __future__ import annotations

from collections.abc import Mapping

from inforce.library import Library
from inforce.train.episodes import Question
from inforce.train.experiment.record import Measures
from inforce.train.experiment.task import Size, Task
from inforce.train.temporal_search.drill import drills
from inforce.train.temporal_search.questions import dated_articles, draw, split
from inforce.train.temporal_search.traces import demonstrations
from inforce.train.temporal_search.world import environment
from inforce.train.trajectory import Trajectory

SIZE = Size(drills=8000, demonstrations=400, questions=2000, examination=256)

SEARCH, NO_SEARCH = "search", "no search"


async def temporal_search(
    library: Library, *, seed: int, has_search: bool = True, size: Size = SIZE
) -> Task:
    """Questions about the articles of a library; a part of these is held out.

    Args:
        library: the law; its clock says what "today" is.
        seed: fixes what is held out, asked and shown.
        has_search: without it, the policy answers from memory.
        size: how much of everything.

    Raises:
        UserError: if the library has too few dated articles.
    """
    today = library.clock()
    world = environment(library, has_search=has_search)
    articles = split(tuple(dated_articles(library)), seed=seed)
    asked = draw(articles.training, size.demonstrations, today=today, seed=seed + 1000)
    shown = await demonstrations(asked, world, seed=seed)
    return Task(
        SEARCH if has_search else NO_SEARCH,
        world,
        draw(articles.training, size.questions, today=today, seed=seed + 2000),
        draw(articles.held_out, size.examination, today=today, seed=seed + 3000),
        drills(articles.training, size.drills, seed=seed),
        tuple(one.conversation for one in shown),
        facts,
        measures,
    )


def facts(trajectory: Trajectory, question: Question) -> Mapping[str, float]:
    """The reward, by whether a version governs that is no longer in force.

    Who leaves the day out of the query cannot be right about the past.
    """
    if trajectory.reward is None:
        return {}
    return {"past" if question.facts["is_past"] else "present": trajectory.reward}


def measures(means: Mapping[str, float]) -> Measures:
    """Rewards, tool calls an episode, and the share of queries that name a time."""
    calls = means.get("tool_calls", 0.0)
    return {
        "past": means.get("past"),
        "present": means.get("present"),
        "tool_calls": calls,
        "dated": means["dated_queries"] / calls if calls else None,
    }
