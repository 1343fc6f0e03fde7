"""Temporal search: its questions, its search, its reward, its demonstrations, over the real law."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from inforce.dates import DateRange
from inforce.errors import UserError
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library
from inforce.scoring.corpora import open_library_of
from inforce.testing import tiny_law, tiny_library
from inforce.tools.tool import ToolResult
from inforce.train.episodes import Limits, Question, roll_out, run_episode
from inforce.train.scripted import CharacterTokens, ScriptedPolicy
from inforce.train.trajectory import Trajectory
from small_models.dated_articles import (
    DatedArticle,
    Split,
    article_name,
    dated_articles,
    split,
)
from small_models.made_up_law import MadeUpLaw
from small_models.temporal_search import (
    NOTHING,
    answer,
    cited,
    demonstrations,
    draw,
    drills,
    environment,
    facts,
    made_up_questions,
    measures,
    plan,
    rehearsal,
    reward,
    search,
)

TODAY = date(2026, 11, 20)
THEFT = "《刑法》第74条"
THEN, NOW = f"{THEFT}（1997-10-01）", f"{THEFT}（2011-05-01）"
FACTS = {"article": THEFT, "day": "2010-06-01", "is_past": True}
QUESTION = Question("q", "事实发生在2010-06-01，应适用何时施行的《刑法》第74条？", THEN, FACTS)
TOKENS = CharacterTokens()


@pytest.fixture(scope="module")
def articles(sample_library: Library) -> tuple[DatedArticle, ...]:
    return tuple(dated_articles(sample_library))


async def played(library: Library, *turns: str, has_search: bool = True) -> Trajectory:
    def script(told: str) -> str:
        return turns[min(told.count("<|im_start|>assistant\n"), len(turns)) - 1]

    world = environment(library, has_search=has_search, limits=Limits())
    return await run_episode(QUESTION, ScriptedPolicy(script).next_turn, TOKENS, world)


def test_an_article_counts_if_it_was_in_force_in_several_wordings(
    articles: tuple[DatedArticle, ...],
) -> None:
    found = next(one for one in articles if one.name == THEFT)
    assert found.windows == (
        DateRange(date(1997, 10, 1), date(2011, 5, 1)),
        DateRange(date(2011, 5, 1), None),
    )
    assert all(len(one.windows) > 1 for one in articles)


def test_no_article_is_both_learnt_and_examined(articles: tuple[DatedArticle, ...]) -> None:
    parts = split(articles, seed=3)
    assert not {one.name for one in parts.training} & {one.name for one in parts.held_out}
    assert len(parts.training) + len(parts.held_out) == len(articles)
    assert len(parts.held_out) == round(0.3 * len(articles))
    assert split(articles, seed=3) == parts != split(articles, seed=4)


def test_no_law_is_both_learnt_and_examined_where_laws_are_held_out(
    articles: tuple[DatedArticle, ...],
) -> None:
    parts = split(articles, seed=3, hold_out="laws")
    assert not {one.law for one in parts.training} & {one.law for one in parts.held_out}
    assert {*parts.training, *parts.held_out} == set(articles)
    assert 0.2 * len(articles) < len(parts.held_out) <= 0.3 * len(articles)
    assert split(articles, seed=3, hold_out="laws") == parts
    assert split(articles, seed=4, hold_out="laws") != parts


def test_too_few_laws_cannot_be_split(articles: tuple[DatedArticle, ...]) -> None:
    of_one_law = [one for one in articles if one.law == "刑法"]
    for few in ([], of_one_law):
        with pytest.raises(UserError, match="too few"):
            split(few, seed=0, hold_out="laws")
    with pytest.raises(UserError, match="too few"):
        split([], seed=0)


@pytest.mark.parametrize(
    ("query", "day", "article"),
    [
        ("2010-06-01 《刑法》第74条", 1, 1),
        ("2010-06-02 《刑法》第74条", 0, 1),  # a day, and not the day
        ("2010-06-01 《刑法》第7条", 1, 0),
        ("2010-06-01 《刑法》第74条之1", 1, 0),
        ("《刑法》第74条", 0, 1),
        ("", 0, 0),
    ],
)
async def test_what_a_query_copied_of_its_question_is_counted(
    sample_library: Library, query: str, day: int, article: int
) -> None:
    done = facts(await played(sample_library, plan("查") + search(query), answer(THEN)), QUESTION)
    assert (done["queries"], done["exact_day"], done["exact_article"]) == (1, day, article)
    shares = measures({**done, "tool_calls": 1, "dated_queries": 0})
    assert (shares["exact_day"], shares["exact_article"]) == (day, article)
    assert measures({"queries": 0.0})["exact_day"] is None


def test_the_answer_is_the_version_the_library_finds_on_that_day(
    sample_library: Library, articles: tuple[DatedArticle, ...]
) -> None:
    for one in draw(articles, 60, today=TODAY, seed=1):
        law, number = re.findall(r"《(.+)》(.+)", one.facts["article"])[0]
        found = sample_library.at(law, number, on=one.facts["day"]).lookup.found
        assert one.target == f"{one.facts['article']}（{found[0].window.start}）"
        assert one.facts["is_past"] == (TODAY not in found[0].window)


def test_questions_follow_from_the_seed_and_differ(articles: tuple[DatedArticle, ...]) -> None:
    asked = draw(articles, 200, today=TODAY, seed=1)
    assert (
        asked
        == draw(articles, 200, today=TODAY, seed=1)
        != draw(articles, 200, today=TODAY, seed=2)
    )
    assert len({one.id for one in asked}) == 200
    past = sum(one.facts["is_past"] for one in asked)
    assert 130 < past < 180


def test_more_questions_than_there_are_days_cannot_be_made() -> None:
    week = DateRange(date(2000, 1, 1), date(2000, 1, 8)), DateRange(date(2000, 1, 8), None)
    article = DatedArticle("刑法", ProvisionNumber.article(1), week)
    assert len(draw([article], 12, today=date(2000, 1, 12), seed=0)) == 12
    with pytest.raises(UserError, match="not 13"):
        draw([article], 13, today=date(2000, 1, 12), seed=0)


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("2010-06-01 《刑法》第74条", THEN),
        ("2011-04-30 《刑法》第74条", THEN),
        ("2011-05-01 《刑法》第74条", NOW),
        ("《刑法》第74条", NOW),
        ("2010-06-01 《刑法》第9999条", NOTHING),
    ],
)
async def test_the_search_goes_by_the_day_a_query_names(
    sample_library: Library, query: str, shown: str
) -> None:
    done = await played(sample_library, plan("查") + search(query), answer(THEN))
    observed = TOKENS.decode(done.spans[2].tokens)
    assert f"\n{shown}\n</tool_response>" in observed
    assert done.facts["dated_queries"] == query.startswith("2")


def test_a_text_without_wordings_cites_nothing() -> None:
    assert cited(ToolResult("检索：没有", "not_found")) == NOTHING


def test_the_name_of_an_article_is_read_back_by_the_search(sample_library: Library) -> None:
    name = article_name("中华人民共和国刑法", ProvisionNumber.article(133, 1))
    assert name == "《刑法》第133条之1"
    named = sample_library.understood(name).analysis.provisions
    assert [(one.work, one.number.short) for one in named] == [("中华人民共和国刑法", "133-1")]


DATED = plan("查") + search("2010-06-01 《刑法》第74条")


@pytest.mark.parametrize(
    ("turns", "worth"),
    [
        ((DATED, answer(THEN)), 1.0),
        ((plan("查"), search("2010-06-01 《刑法》第74条"), answer(THEN)), 1.0),
        ((DATED, answer(NOW)), 0.0),
        ((plan("查") + search(THEFT), answer(NOW)), 0.0),
        ((DATED, answer(f"{THEN}。")), 0.0),
        ((DATED, answer(f"{THEN}{NOW}")), 0.0),
        ((DATED, answer(THEN) + answer(NOW)), 0.0),
        ((DATED, f"<answer>{THEN}</answer>"), 0.0),
        ((DATED, f"<think>作答</think><answer>{THEN}"), 0.0),
        ((DATED + f"<tool_response>{THEN}</tool_response>", answer(THEN)), 0.0),
        ((search("2010-06-01 《刑法》第74条"), plan("查"), answer(THEN)), 0.0),
        ((DATED, plan("查"), plan("查"), plan("查")), 0.0),
    ],
)
async def test_only_the_right_version_in_the_right_form_is_worth_anything(
    sample_library: Library, turns: tuple[str, ...], worth: float
) -> None:
    assert await reward(await played(sample_library, *turns), QUESTION) == worth


async def test_an_answer_before_any_search_is_worth_nothing(sample_library: Library) -> None:
    turns = (plan("查") + answer(THEN), answer(THEN), answer(THEN), answer(THEN))
    assert await reward(await played(sample_library, *turns), QUESTION) == 0.0


async def test_without_the_search_the_answer_may_come_from_memory(
    sample_library: Library,
) -> None:
    done = await played(sample_library, plan("忆") + answer(THEN), has_search=False)
    assert (await reward(done, QUESTION), done.facts["tool_calls"]) == (1.0, 0)


async def test_only_some_demonstrations_name_the_day_and_these_are_right(
    sample_library: Library, articles: tuple[DatedArticle, ...]
) -> None:
    world = environment(sample_library)
    asked = draw(articles, 120, today=TODAY, seed=5)
    shown = await demonstrations(asked, world, seed=5)
    assert 0.15 < sum(one.names_day for one in shown) / 120 < 0.45
    for one in shown:
        right = one.question.target in one.conversation[-1].content
        assert right == (one.names_day or not one.question.facts["is_past"])
        assert (one.question.facts["day"] in one.conversation[1].content) == one.names_day


async def test_demonstrations_played_by_a_policy_keep_the_form(sample_library: Library) -> None:
    world = environment(sample_library, limits=Limits())
    shown = (await demonstrations([QUESTION], world, seed=0, dated=1.0))[0]
    turns = [one.content for one in shown.conversation if one.role == "assistant"]
    done = await played(sample_library, *turns)
    assert done.turns == tuple(turns)
    assert await reward(done, QUESTION) == 1.0


async def test_without_the_search_the_demonstrations_recite(sample_library: Library) -> None:
    world = environment(sample_library, has_search=False)
    shown = (await demonstrations([QUESTION], world, seed=0))[0]
    assert [one.role for one in shown.conversation] == ["user", "assistant"]
    assert f"<answer>{THEN}</answer>" in shown.conversation[1].content


LAW = MadeUpLaw(("刑法", "公司法", "劳动合同法"))


def test_drills_repeat_what_was_said_and_show_no_protocol() -> None:
    lessons = drills(LAW, 50, seed=1)
    assert lessons == drills(LAW, 50, seed=1) != drills(LAW, 50, seed=2)
    assert all(said.content == again.content for said, again in lessons)
    assert not any("<" in said.content for said, _ in lessons)
    named = {law for said, _ in lessons for law in re.findall("《(.+?)》", said.content)}
    assert named & set(LAW.laws)
    assert len(named - set(LAW.laws)) / len(named) > 0.5


async def test_made_up_law_is_demonstrated_in_the_words_of_the_real_one(
    sample_library: Library,
) -> None:
    world = rehearsal(environment(sample_library), LAW)
    asked = made_up_questions(LAW, 60, seed=2)
    shown = await demonstrations(asked, world, seed=2)
    assert shown == await demonstrations(asked, world, seed=2)
    real = (await demonstrations([QUESTION], environment(sample_library), seed=0, dated=1.0))[0]
    frame = real.conversation[2].content.split(THEFT)[0]
    for one in shown:
        article, on = one.question.facts["article"], one.question.facts["day"]
        _, query, found, last = (message.content for message in one.conversation)
        cited_first = re.search(rf"{re.escape(article)}（([\d-]+)）", found)
        assert cited_first
        assert found.startswith(f"{frame}{cited_first[0]}")
        assert f"<answer>{cited_first[0]}</answer>" in last
        assert article in query
        assert (on in query) == one.names_day
        assert cited_first[1] <= on or not one.names_day


def test_any_corpus_can_be_asked_about(tmp_path: Path) -> None:
    old = tiny_law("试验法", {"1": "甲", "2": "乙"}, start=date(1990, 1, 1), end=date(2000, 1, 1))
    new = tiny_law("试验法", {"1": "甲丙", "2": "乙"}, start=date(2000, 1, 1))
    with tiny_library(tmp_path / "made", old, new):
        pass
    made = tmp_path / "made" / "corpus.sqlite"
    with open_library_of(made, today=TODAY, folder=tmp_path / "kept") as library:
        found = list(dated_articles(library))
        assert [(one.name, len(one.windows)) for one in found] == [("《试验法》第1条", 2)]
        assert library.clock() == TODAY


async def test_a_scripted_policy_that_names_the_day_is_always_right(
    sample_library: Library, articles: tuple[DatedArticle, ...]
) -> None:
    parts: Split = split(articles, seed=0)
    asked = draw(parts.held_out, 40, today=TODAY, seed=9)
    shown = re.compile(r"found\n(《[^\n]+）)")

    def script(told: str) -> str:
        day, article = re.findall(r"发生在([\d-]+)，应适用何时施行的([^？]+)？", told)[0]
        seen = shown.search(told)
        return answer(seen[1]) if seen else plan("查") + search(f"{day} {article}")

    world = environment(sample_library, limits=Limits())
    done = await roll_out(ScriptedPolicy(script), TOKENS, asked, world)
    assert [one.reward for one in done] == [1.0] * 40
