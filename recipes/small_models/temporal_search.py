"""Temporal search, which a small model learns in minutes: which version of an article governed.

A question names a law, an article and the day of the facts; the answer is the citation of the
version in force then. The search is the real one, over a real corpus: a query without the day finds
today's law. So the task can only be learnt by learning to ask about the right time, which is what
LegalSearch-R1 is about. Either single articles are held out, or whole laws, so that what is learnt
has to carry over to names that were never seen.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from random import Random
from typing import cast

from inforce.agents.r1.agent import R1
from inforce.agents.r1.protocol import read_round
from inforce.agents.runtime.run import Run
from inforce.errors import UserError
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library
from inforce.llm.chat import Message
from inforce.tools.statute_text import read_wordings
from inforce.tools.statutes import statute_tools
from inforce.tools.tool import ToolResult
from inforce.tools.toolbox import Toolbox
from inforce.train.embedded.settings import Sft
from inforce.train.episodes import Environment, Limits, Question
from inforce.train.policy import COPYING
from inforce.train.rewards import keeps_format
from inforce.train.trajectory import Trajectory
from small_models.dated_articles import (
    DatedArticle,
    HoldOut,
    article_name,
    citation,
    dated_articles,
    split,
)
from small_models.made_up_law import MadeUpLaw, MadeUpSearch, day
from small_models.report import Column, Curve, Layout
from small_models.task import (
    CPU,
    Conversation,
    Measures,
    Shortened,
    Size,
    Task,
    demonstrate,
)

SIZE = Size(drills=2880, demonstrations=6000, questions=2000, held_out=256)
SCALE = replace(
    CPU,
    shape=COPYING,
    drill=Sft(steps=60, batch=48),
    warm=Sft(steps=300, batch=24),
    vocabulary=1400,
    pieces="signs",
)
"""For two cores of a CPU."""
SEARCH, NO_SEARCH = "search", "no search"

PAST = 0.75
"""Share of the questions under a version that is no longer in force, where there is one."""

DATED = 0.3
"""Share of the demonstrations whose query names the day of the facts."""

TOOL = "rag_retrieve"
NOTHING = "没有当时有效的条文"
GIVES_UP = "无法回答"
MAX_TURNS = 4
LIMITS = Limits(response_tokens=320, turn_tokens=112)

_MOST_CITED = 3
"""Citations shown of one search."""

_FORM = "事实发生在{day}，应适用何时施行的{article}？"
_CITATION = re.compile(r"《[^》\n]+》第[^（\n]+（\d{4}-\d{2}-\d{2}）")


async def temporal_search(
    library: Library,
    *,
    seed: int,
    has_search: bool = True,
    size: Size = SIZE,
    hold_out: HoldOut = "articles",
    dated: float = DATED,
) -> Task:
    """Questions about the articles of a library; a part of these is held out.

    Args:
        library: the law; its clock gives "today".
        seed: of the split, the questions and the demonstrations.
        has_search: otherwise the policy answers from memory.
        size: numbers of lessons and questions.
        hold_out: single articles, or whole laws.
        dated: share of the demonstrations whose query names the day.

    Raises:
        UserError: if the library has too few dated articles.
    """
    today = library.clock()
    world = environment(library, has_search=has_search)
    articles = split(tuple(dated_articles(library)), seed=seed, hold_out=hold_out)
    law = MadeUpLaw(sorted({one.law for one in articles.training}))
    if has_search:
        questions = made_up_questions(law, size.demonstrations, seed=seed + 1000)
        shown = await demonstrations(questions, rehearsal(world, law), seed=seed, dated=dated)
    else:
        questions = draw(articles.training, size.demonstrations, today=today, seed=seed + 1000)
        shown = await demonstrations(questions, world, seed=seed)
    variant = SEARCH if has_search else NO_SEARCH
    variant += ", other laws" if hold_out == "laws" else ""
    variant += f", {100 * dated:g} % dated" if dated != DATED else ""
    return Task(
        variant,
        world,
        draw(articles.training, size.questions, today=today, seed=seed + 2000),
        draw(articles.held_out, size.held_out, today=today, seed=seed + 3000),
        drills(law, size.drills, seed=seed),
        tuple(one.conversation for one in shown),
        facts,
        measures,
    )


# Questions


def draw(
    articles: Sequence[DatedArticle], count: int, *, today: date, seed: int, past: float = PAST
) -> tuple[Question, ...]:
    """Draw different questions about articles.

    Args:
        articles: to ask about.
        count: number of questions.
        today: the day the episodes take place.
        seed: of articles and days.
        past: share of the questions under a version that is no longer in force.

    Raises:
        UserError: if there are not so many.
    """
    chance = Random(seed)
    found: dict[str, Question] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        one = _question(chance.choice(articles), today, past, chance)
        found.setdefault(one.id, one)
    if len(found) < count:
        raise UserError(f"only {len(found)} different questions could be made, not {count}")
    return tuple(found.values())


def _question(article: DatedArticle, today: date, past: float, chance: Random) -> Question:
    earlier = [window for window in article.windows if today not in window]
    current = [window for window in article.windows if today in window]
    wanted = earlier if chance.random() < past else current
    window = chance.choice(wanted or earlier or current)
    last = min(window.last or today, today)
    on = day(chance, window.start, last)
    return Question(
        f"{article.name}@{on}",
        _FORM.format(day=on, article=article.name),
        citation(article.name, window.start),
        {"article": article.name, "day": on.isoformat(), "is_past": today not in window},
    )


def made_up_questions(law: MadeUpLaw, count: int, *, seed: int) -> tuple[Question, ...]:
    """Draw questions in the same words about invented articles."""
    chance = Random(seed)
    drawn = ((law.article(chance), day(chance)) for _ in range(count))
    return tuple(
        Question(
            f"{article}@{on}",
            _FORM.format(day=on, article=article),
            facts={"article": article, "day": on.isoformat()},
        )
        for article, on in drawn
    )


# Environment and reward


class PromptlessR1(R1):
    """R1 without its instructions, for a model that knows the protocol from its warm start.

    The instructions are a thousand tokens, which a model of this size cannot read.
    """

    def opening(self, run: Run) -> list[Message]:
        """Return the question alone."""
        return [Message("user", run.question)]


def environment(
    library: Library, *, has_search: bool = True, limits: Limits = LIMITS
) -> Environment:
    """Make an environment: R1 with the statute search of a library, shown as citations.

    Args:
        library: the law; its clock gives "today".
        has_search: otherwise the policy answers from memory.
        limits: how long an episode may become.
    """
    _ = library.statutes  # make the index now: all episodes search it at the same time
    offered = statute_tools(library, k=3, judged=False)
    tools = [Shortened(one, cited) for one in offered if one.spec.name == TOOL]
    agent = PromptlessR1(max_turns=MAX_TURNS)
    toolbox = Toolbox(tools if has_search else [])
    return Environment(agent, toolbox, library.clock(), reward, limits)


def rehearsal(environment: Environment, law: MadeUpLaw) -> Environment:
    """Replace the search of an environment by one that finds invented law."""
    tools = [MadeUpSearch(one, law) for one in environment.tools]
    return replace(environment, tools=Toolbox(tools))


def cited(result: ToolResult) -> str:
    """Return the versions in a result, one on each line."""
    lines = [
        citation(article_name(one.law, ProvisionNumber.parse(one.article)), one.window.start)
        for one in read_wordings(result.text)[:_MOST_CITED]
    ]
    return "\n".join(lines) or NOTHING


async def reward(trajectory: Trajectory, question: Question) -> float:
    """Return 1.0 if the protocol was kept and the answer is exactly the right citation, else 0.0.

    The format is R1's (LegalSearch-R1, equation 6): each round thinks and then acts, the first one
    plans, the last one answers, and none has tags of the environment.
    """
    return float(keeps_format(trajectory, gate="protocol") and is_right(trajectory, question))


def is_right(trajectory: Trajectory, question: Question) -> bool:
    """Tell whether the agent accepted the answer, and it is right."""
    answered = trajectory.facts.get("outcome") == "answered"
    return answered and trajectory.facts.get("answer") == question.target


def facts(trajectory: Trajectory, question: Question) -> Mapping[str, float]:
    """Count what the queries copied, and report the reward apart for past and present law.

    About the past, a query without the day cannot lead to the right answer.
    """
    queries = list(_queries(trajectory))
    on, article = str(question.facts["day"]), str(question.facts["article"])
    copied = {
        "queries": float(len(queries)),
        "exact_day": float(sum(on in query for query in queries)),
        "exact_article": float(sum(_names(article, query) for query in queries)),
    }
    if trajectory.reward is None:
        return copied
    return {**copied, "past" if question.facts["is_past"] else "present": trajectory.reward}


def _queries(trajectory: Trajectory) -> Iterator[str]:
    for place, turn in enumerate(trajectory.turns):
        for call in read_round(turn, first=place == 0).calls:
            match call.arguments:
                case {"query": [*queries]}:
                    yield from map(str, cast("list[object]", queries))
                case {"query": str(query)}:
                    yield query
                case _:
                    pass


def _names(article: str, query: str) -> bool:
    """Tell whether a query names an article, not one whose number begins alike (第7条之1)."""
    place = query.find(article)
    return place >= 0 and query[place + len(article) : place + len(article) + 1] != "之"


def measures(means: Mapping[str, float]) -> Measures:
    """Compute rewards, tool calls per episode, and shares of the queries.

    ``dated``: with any time; ``exact_day`` and ``exact_article``: with those of the question.
    """
    calls, queries = means.get("tool_calls", 0.0), means.get("queries", 0.0)
    return {
        "past": means.get("past"),
        "present": means.get("present"),
        "tool_calls": calls,
        "dated": means["dated_queries"] / calls if calls else None,
        "exact_day": means["exact_day"] / queries if queries else None,
        "exact_article": means["exact_article"] / queries if queries else None,
    }


# Lessons


def drills(law: MadeUpLaw, count: int, *, seed: int) -> tuple[Conversation, ...]:
    """Make conversations in which the assistant repeats invented days and citations.

    They replace pretraining: an untrained model memorises a few hundred demonstrations, and then
    cannot copy a law, a number or a day it has never seen. So it first learns to copy, without
    protocol or tools, and nothing about which version governs.
    """
    chance = Random(seed)

    def item() -> str:
        on, article = day(chance), law.article(chance)
        return chance.choice((f"{on}", article, f"{on} {article}", citation(article, on)))

    texts = (f"{item()}，{item()}" for _ in range(count))
    return tuple((Message("user", one), Message("assistant", one)) for one in texts)


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A conversation to imitate."""

    question: Question
    conversation: Conversation
    names_day: bool
    """Whether its query names the day."""


async def demonstrations(
    questions: Sequence[Question], environment: Environment, *, seed: int, dated: float = DATED
) -> tuple[Demonstration, ...]:
    """Demonstrate R1's protocol for each question; only some of the queries name the day.

    The demonstrator answers with what the search showed, right or wrong. So the warm start teaches
    to search and to copy; that the day matters has to be learnt from rewards. Without tools, the
    demonstrator recites the right answer.
    """
    chance = Random(seed)
    naming = [chance.random() < dated for _ in questions]

    async def demonstration(question: Question, names_day: bool) -> Demonstration:
        searches = len(environment.tools) > 0
        turn = partial(_next_turn, question=question, names_day=names_day, searches=searches)
        return Demonstration(question, await demonstrate(question, turn, environment), names_day)

    pairs = zip(questions, naming, strict=True)
    return tuple(await asyncio.gather(*(demonstration(*one) for one in pairs)))


def _next_turn(
    messages: Sequence[Message], *, question: Question, names_day: bool, searches: bool
) -> str:
    """Return the demonstrator's next turn."""
    if not searches:
        return f"{plan('凭记忆')}{answer(question.target)}"
    if messages[-1].content == question.text:
        # In the question's own words, which are easier to copy.
        on = f"发生在{question.facts['day']}，" if names_day else ""
        query = f"{on}{question.facts['article']}"
        return f"{plan('检索法条')}{search(query)}"
    shown = _CITATION.search(messages[-1].content)
    return answer(shown[0] if shown else GIVES_UP)


def plan(how: str) -> str:
    """Return the beginning of the first round."""
    return f"<think>先找条文</think><plan>{how}</plan>"


def search(query: str) -> str:
    """Return a round, or the rest of one, that searches."""
    call = {"name": TOOL, "arguments": {"query": [query]}}
    return f"<think>检索</think><tool_call>{json.dumps(call, ensure_ascii=False)}</tool_call>"


def answer(text: str) -> str:
    """Return the last round, or the rest of one."""
    return f"<think>作答</think><answer>{text}</answer>"


REPORT = Layout(
    "Temporal search: learning to ask about the right time",
    "On questions about articles no training question was about; one episode each. *greedy*: "
    "reward at temperature 0; otherwise episodes are drawn as in training. *past*: a "
    "version governs that is no longer in force. *dated*, *exact day*, *exact article*: shares of "
    "queries that name a time, the day of the question, its article.",
    (
        Column("reward before", "reward", "before"),
        Column("reward after", "reward"),
        Column("rise", "reward", "rise"),
        Column("greedy", "reward", "greedy"),
        Column("past", "past"),
        Column("present", "present"),
        Column("dated before", "dated", "before"),
        Column("dated after", "dated"),
        Column("exact day", "exact_day"),
        Column("exact article", "exact_article"),
        Column("tool calls", "tool_calls"),
    ),
    (
        Curve("reward", "Reward of a step's episodes", "reward"),
        Curve("tool-calls", "Tool calls an episode", "tool_calls", is_share=False),
        Curve("dated", "Share of queries that name a time", "dated"),
        Curve("exact-day", "Share of queries that name the day of the question", "exact_day"),
    ),
    {"reward": "reward", "exact_day": "queries that name the day", "exact_article": "the article"},
)
"""LegalSearch-R1, figures 5 and 6."""
