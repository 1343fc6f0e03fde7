"""Sentencing: its cases, its sources told briefly, its factors, its demonstrations."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest

from inforce.agents.msr2.agent import read_move
from inforce.errors import InputError, UserError
from inforce.library import Library
from inforce.retrieval.sources.source import Source, SourceName
from inforce.scoring.cases import Case
from inforce.scoring.factors import judge_by_rule, likeness, listed, stated
from inforce.scoring.judge import FactorJudge
from inforce.scoring.split import side_of
from inforce.tools.evidence import Evidence
from inforce.train.data.cases import sentencing_questions
from inforce.train.episodes import Question, roll_out
from inforce.train.rewards import MSR2Reward
from inforce.train.scripted import CharacterTokens, ScriptedPolicy
from inforce.train.trajectory import Trajectory
from small_models.sentencing import (
    NOTHING,
    Sides,
    demonstrations,
    drill,
    drills,
    environment,
    facts,
    first_turn,
    last_turn,
    measures,
    open_sources,
    query_for,
    repetition,
    sentencing,
    shortened,
    sides,
)
from small_models.task import Size

TODAY = date(2026, 11, 20)
SIZE = Size(drills=5, demonstrations=20, questions=20, held_out=8)
TOKENS = CharacterTokens()


def case(number: int, *, months: int = 12, charge: str = "故意伤害", words: str = "") -> Case:
    fact = f"2014年{number}月，被告人甲{number}致被害人轻伤二级，后自动投案。{words}"
    return Case(f"c{number}", fact, (234,), (charge,), months)


CASES = tuple(case(number, months=6 + number % 30) for number in range(1, 101))


@pytest.fixture(scope="module")
def parts() -> Sides:
    return sides(CASES)


@pytest.fixture(scope="module")
def sources(
    sample_library: Library, parts: Sides, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[SourceName, Source]:
    return open_sources(sample_library, parts.known, None, tmp_path_factory.mktemp("sources"))


@pytest.mark.parametrize(
    ("fact", "factors"),
    [
        ("致被害人轻伤二级，自动投案，赔偿5000元", ("轻伤二级", "5000元", "自首")),
        ("贩卖甲基苯丙胺0.84克", ("0.84克",)),
        ("血液中乙醇含量为180.20mg／100ml", ("180.20mg／100ml",)),
        ("窃得人民币3万余元，又窃得3万余元", ("3万余元",)),
        ("致一人死亡，负事故主要责任", ("死亡",)),
        ("天气晴朗", ()),
    ],
)
def test_a_case_states_measures_and_circumstances(fact: str, factors: tuple[str, ...]) -> None:
    assert stated(fact) == factors


def test_a_list_is_read_whatever_separates_it() -> None:
    assert listed("自首、轻伤二级\n累犯") == {"自首", "轻伤二级", "累犯"}
    assert listed("无") == listed("") == frozenset()


@pytest.mark.parametrize(
    ("fact", "said", "points"),
    [
        ("致被害人轻伤二级，自动投案", "轻伤二级、自首", 10),
        ("致被害人轻伤二级，自动投案", "自首", 7),
        ("致被害人轻伤二级，自动投案", "自首、轻伤二级、累犯、坦白", 7),
        ("致被害人轻伤二级，自动投案", "累犯", 0),
        ("致被害人轻伤二级，自动投案", "无", 0),
        ("天气晴朗", "无", 10),
        ("天气晴朗", "累犯", 0),
        ("天气晴朗", "", 0),
    ],
)
async def test_the_judge_by_rule_wants_all_factors_and_no_other(
    fact: str, said: str, points: int
) -> None:
    assert (await judge_by_rule(fact, said)).points == points


def test_no_fact_is_on_two_sides(parts: Sides) -> None:
    facts_of = [{one.fingerprint for one in some} for some in (parts.known, parts.training)]
    examined = {one.fingerprint for one in parts.held_out}
    assert not facts_of[0] & facts_of[1]
    assert not examined & (facts_of[0] | facts_of[1])
    assert all(side_of(one) == "test" for one in examined)


def test_what_others_examine_with_is_not_learnt() -> None:
    closed = tuple(
        Case(f"x{n}", case(n).fact, (234,), ("甲",), 6, sources=("lexeval",)) for n in range(1, 101)
    )
    with pytest.raises(UserError, match="too few"):
        sides(closed)


def test_a_copy_of_what_others_examine_with_is_not_learnt_either(parts: Sides) -> None:
    learnt = parts.known[0]
    copy = Case("copy", f" {learnt.fact}", (), (), None, sources=("lexeval",))
    found = sides((*CASES, copy))
    assert learnt.fingerprint not in {one.fingerprint for one in (*found.known, *found.training)}


def test_cases_without_a_fixed_term_and_long_ones_are_left_out() -> None:
    lifer = Case("l", case(200).fact, (232,), ("故意杀人",), 0, life=True)
    long = case(201, words="长" * 400)
    found = sides((*CASES, lifer, long))
    assert lifer not in (*found.known, *found.training, *found.held_out)
    assert long not in (*found.training, *found.held_out)
    assert all(len(one.fact) <= 300 for one in found.lessons)
    assert len(found.lessons) == len(found.known)


def evidence(kind: str, title: str, text: str = "") -> Evidence:
    return Evidence("e", kind, title, text)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        ([evidence("precedent", "6个月"), evidence("precedent", "8个月")], "6个月、8个月"),
        (
            [
                evidence("statute", "第17条", "应当负刑事责任"),
                evidence(
                    "statute",
                    "第234条",
                    "处三年以下有期徒刑、拘役或者管制；致人重伤的，处三年以上十年以下有期徒刑",
                ),
            ],
            "0-36、36-120",
        ),
        ([evidence("statute", "第133条之1", "处拘役，并处罚金")], "0-6"),
        (
            [
                evidence(
                    "guideline",
                    "交通肇事罪",
                    "致人重伤、死亡的，在二年以下有期徒刑、拘役幅度内确定量刑起点；肇事后逃逸的，可以在"
                    "三年至五年有期徒刑幅度内确定量刑起点；因逃逸致人死亡的，在七年至十年有期徒刑幅度内。",
                )
            ],
            "0-24、36-60、84-120",
        ),
        ([evidence("statute", "第17条", "应当负刑事责任")], NOTHING),
        ([], NOTHING),
    ],
)
def test_an_answer_shows_terms_and_ranges_only(found: Sequence[Evidence], shown: str) -> None:
    assert shortened(found) == shown


def test_statutes_are_asked_by_the_year_of_the_facts() -> None:
    one = case(3)
    assert query_for("statute", one, ["自首"]) == "2014年 刑法 故意伤害罪"
    assert query_for("precedent", one, ["自首"]) == "故意伤害罪 自首"
    undated = Case("u", "被告人甲致人轻伤", (234,), ("故意伤害",), 6)
    assert query_for("statute", undated, []) == "刑法 故意伤害罪"


def test_a_drill_names_the_charge_and_what_is_stated() -> None:
    asked, said = drill(case(3))
    assert (asked.role, said.role) == ("user", "assistant")
    assert said.content == "故意伤害罪：轻伤二级、自首"


def test_half_of_the_drills_repeat_a_term_that_no_case_has_a_part_in() -> None:
    lessons = drills(CASES, 10, seed=1)
    assert lessons == drills(CASES, 10, seed=1)
    assert len(lessons) == 20
    repeated = [one for one in lessons if "<information" in one[0].content]
    assert len(repeated) == len({one[0].content for one in repeated}) == 10
    for one in repeated:
        term = re.search("刑期[0-9]+个月", one[0].content)
        assert term and f"<answer>{term[0]}</answer>" in one[1].content


def test_some_terms_are_repeated_after_a_case_and_a_search_as_in_an_episode() -> None:
    contexts = [
        one[0].content.partition("<information")[0]
        for one in drills(CASES, 40, seed=1)
        if "<information" in one[0].content
    ]
    searched = [one for one in contexts if one]
    assert 10 < len(searched) < 30
    facts_of = {case.fact for case in CASES}
    for one in searched:
        fact, turn = one.rstrip("\n").split("\n")
        assert fact in facts_of
        assert [asked.source for asked in read_move(turn).requests] == ["estimate"]


async def test_a_drill_in_repeating_shows_what_the_predictor_would(
    parts: Sides, sources: Mapping[SourceName, Source]
) -> None:
    months = {one.fact: one.months or 0 for one in parts.training}
    world = environment(sources, MSR2Reward(), today=TODAY, months=months)
    shown = await demonstrations(parts.training[:1], world, ("statute",), seed=1, months=months)
    assert shown[0][2:] == repetition(months[shown[0][0].content])


async def test_demonstrations_ask_every_source_and_leave_factors_out(
    parts: Sides, sources: Mapping[SourceName, Source]
) -> None:
    world = environment(sources, MSR2Reward(), today=TODAY)
    shown = await demonstrations(parts.training, world, ("precedent", "statute"), seed=1)
    moves = [read_move(one[1].content) for one in shown]
    asked = [move.requests[0].source for move in moves]
    assert 0.3 < asked.count("precedent") / len(asked) < 0.7
    assert {move.factors for move in moves} == {"轻伤二级、自首", "轻伤二级", "自首", "无"}
    for one, judged in zip(shown, parts.training, strict=True):
        assert one[-1].content.endswith(f"<answer>刑期{judged.months}个月</answer>")
    assert shown == await demonstrations(parts.training, world, ("precedent", "statute"), seed=1)


def played(
    turns: Sequence[str],
    asked: Question,
    sources: Mapping[SourceName, Source],
    judge: FactorJudge | None,
) -> Trajectory:
    def script(told: str) -> str:
        return turns[min(told.count("<|im_start|>assistant\n"), len(turns)) - 1]

    world = environment(sources, MSR2Reward(judge), today=TODAY)
    return asyncio.run(roll_out(ScriptedPolicy(script), TOKENS, [asked], world))[0]


@pytest.mark.parametrize(
    ("factors", "months", "with_judge", "without"),
    [
        (["轻伤二级", "自首"], 12, 1.2, 1.0),
        (["自首"], 10, 1.14, 1.0),
        (["轻伤二级", "自首"], 60, 0.2, 0.0),
        ([], 60, 0.0, 0.0),
    ],
)
def test_the_reward_is_the_outcome_and_a_fifth_of_the_process(
    sources: Mapping[SourceName, Source],
    factors: list[str],
    months: int,
    with_judge: float,
    without: float,
) -> None:
    (asked,) = sentencing_questions([case(3, months=12)])
    query = query_for("precedent", case(3), factors)
    turns = [first_turn("故意伤害", factors, "precedent", query), last_turn(months)]
    assert played(turns, asked, sources, judge_by_rule).reward == pytest.approx(with_judge)
    done = played(turns, asked, sources, None)
    assert done.reward == without
    assert facts(done, asked)["right"] == without
    assert facts(done, asked)["factors"] == pytest.approx(
        likeness(case(3).fact, "、".join(factors))
    )
    assert (facts(done, asked)["searches"], facts(done, asked)["precedents"]) == (1.0, 1.0)


def test_without_searches_there_is_no_share_of_them() -> None:
    means: dict[str, float] = dict.fromkeys(
        ("right", "factors", "searches", "precedents", "estimates"), 0.0
    )
    assert (measures(means)["precedents"], measures(means)["estimates"]) == (None, None)
    assert measures(means | {"searches": 2.0, "precedents": 1.0})["precedents"] == 0.5
    assert measures(means | {"searches": 2.0, "estimates": 0.5})["estimates"] == 0.25


async def test_the_predictor_is_asked_by_its_tag_about_the_case_of_the_run(
    parts: Sides, sources: Mapping[SourceName, Source]
) -> None:
    right = {one.fact: one.months or 0 for one in parts.training[::2]}
    months = {one.fact: 120 for one in parts.training} | right | {parts.held_out[0].fact: 31}
    made = await sentencing(
        parts, sources, today=TODAY, seed=0, judge=None, months=months, size=SIZE
    )
    asked = [read_move(one[1].content).requests[0].source for one in made.demonstrations]
    assert set(asked) == {"estimate", "precedent", "statute"}
    hit = [one[0].content in right for one in made.demonstrations]
    assert [source == "estimate" for source in asked] == hit
    turns = [first_turn("故意伤害", [], "estimate", "故意伤害罪"), last_turn(12)]

    def script(told: str) -> str:
        return turns[min(told.count("<|im_start|>assistant\n"), 2) - 1]

    (one,) = sentencing_questions(parts.held_out[:1])
    done = await roll_out(ScriptedPolicy(script), TOKENS, [one], made.environment)
    assert "31个月" in TOKENS.decode(done[0].spans[2].tokens)
    assert (done[0].facts["outcome"], facts(done[0], one)["estimates"]) == ("answered", 1.0)


async def test_with_the_statutes_only_no_precedent_is_found(
    parts: Sides, sources: Mapping[SourceName, Source]
) -> None:
    made = await sentencing(
        parts, sources, today=TODAY, seed=0, judge=None, has_all=False, size=SIZE
    )
    assert made.variant == "statutes only"
    asked = [read_move(one[1].content).requests[0].source for one in made.demonstrations]
    assert set(asked) == {"statute"}
    turns = [first_turn("故意伤害", [], "precedent", "故意伤害罪"), last_turn(12)]

    def script(told: str) -> str:
        return turns[min(told.count("<|im_start|>assistant\n"), 2) - 1]

    done = await roll_out(ScriptedPolicy(script), TOKENS, made.held_out[:1], made.environment)
    assert NOTHING in TOKENS.decode(done[0].spans[2].tokens)


async def test_the_same_seed_makes_the_same_task(
    parts: Sides, sources: Mapping[SourceName, Source]
) -> None:
    digests = [
        (await sentencing(parts, sources, today=TODAY, seed=seed, judge=None, size=SIZE)).digest
        for seed in (0, 0, 1)
    ]
    assert digests[0] == digests[1] != digests[2]


def test_guidelines_are_a_source_if_they_are_given(sample_library: Library, tmp_path: Path) -> None:
    path = tmp_path / "guidelines.jsonl"
    told = {"title": "量刑指导意见", "text": "故意伤害致一人轻伤的，处二年以下有期徒刑。"}
    path.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    found = open_sources(sample_library, CASES[:3], path, tmp_path / "kept")
    assert sorted(found) == ["guideline", "precedent", "statute"]
    assert found["guideline"].search("故意伤害")[0].document.title == "量刑指导意见"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="guidelines.jsonl"):
        open_sources(sample_library, CASES[:3], path, tmp_path / "kept")


def test_a_source_is_made_once_and_anew_from_other_cases(
    sample_library: Library, tmp_path: Path
) -> None:
    for known in (CASES[:3], CASES[:3], CASES[:4]):
        source = open_sources(sample_library, known, None, tmp_path)["precedent"]
        assert len(source) == len(known)
    assert len(list(tmp_path.glob("precedent-*[0-9a-f]"))) == 2
