"""Research through the library: one call, its async forms, and dates that stay typed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from datetime import date
from pathlib import Path

import pytest

from inforce import ResearchSettings, as_wire
from inforce.agents.runtime.trace import Started, decode, encode, read_trace
from inforce.dates import DateRange
from inforce.errors import DateError, UserError
from inforce.library import Library
from inforce.llm.chat import GREEDY, Message, Reply, Sampling

UNDATED = "累犯能否适用缓刑？"
THEN = "对于累犯，不适用缓刑。"
LATER = "和犯罪集团的首要分子"


def test_one_call_answers_with_its_sources(sample_library: Library) -> None:
    answer = sample_library.research("2010年累犯能否适用缓刑？", agent="r1")
    assert (answer.outcome, answer.agent, answer.model) == ("answered", "r1", "offline")
    assert THEN in answer.text
    assert answer.sentences[0].support


async def test_inside_a_running_event_loop_it_still_answers(sample_library: Library) -> None:
    assert sample_library.research("2010年累犯能否适用缓刑？").outcome == "answered"


def test_settings_and_options_mean_the_same(sample_library: Library) -> None:
    settings = ResearchSettings(as_of=DateRange.day(date(2010, 6, 1)), sources=("statutes",))
    given = sample_library.research(UNDATED, settings)
    assert given == sample_library.research(UNDATED, as_of="2010-06-01", sources="statutes")


def test_what_cannot_be_researched_is_refused(sample_library: Library) -> None:
    with pytest.raises(UserError, match="the question is empty"):
        sample_library.research(" ")
    with pytest.raises(UserError, match=r"it answers by Library\.ask"):
        sample_library.research(UNDATED, agent="extractive")
    with pytest.raises(UserError, match="inforce sources add precedent"):
        sample_library.research(UNDATED, sources="precedents")
    with pytest.raises(DateError):
        sample_library.research(UNDATED, as_of="2010-02-30")


# --- dates -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("as_of", "is_later"),
    [
        ("2010-06-01", False),
        ("2011-04-29", False),
        ("2011-04-30", False),
        ("2011-05-01", True),
        ("2011-05-02", True),
        ("2015", True),
    ],
)
@pytest.mark.parametrize("agent", ["r1"])
def test_the_given_days_choose_the_law_and_are_not_put_into_the_question(
    sample_library: Library, agent: str, as_of: str, *, is_later: bool, tmp_path: Path
) -> None:
    trace = tmp_path / "t.jsonl"
    answer = sample_library.research(UNDATED, agent=agent, as_of=as_of, trace=trace)
    assert (LATER in answer.text) == is_later
    assert answer.question == UNDATED
    [start] = [one for one in read_trace(trace) if isinstance(one, Started)]
    assert (start.question, start.as_of) == (UNDATED, sample_library.when(as_of))


def test_the_given_days_win_over_those_of_the_question(sample_library: Library) -> None:
    answer = sample_library.research("2015年累犯能否适用缓刑？", as_of="2010-06-01")
    assert LATER not in answer.text


class Listening:
    """A model that searches without a date, and remembers what it was shown."""

    name = "listening"

    def __init__(self) -> None:
        self.seen: list[Message] = []

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        self.seen = list(messages)
        turns = sum(one.role == "assistant" for one in messages)
        call = '{"name": "rag_retrieve", "arguments": {"query": ["累犯 缓刑"]}}'
        return Reply(
            (
                "<think>甲</think><plan>查</plan>",
                f"<think>甲</think><tool_call>{call}</tool_call>",
                f"<think>甲</think><answer>{THEN}</answer>",
            )[turns]
        )


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_model_is_shown_the_dates_and_its_tools_search_under_them(
    sample_library: Library, language: str
) -> None:
    model = Listening()
    settings = ResearchSettings(language="zh" if language == "zh" else "en", sources=("statutes",))
    async with sample_library.researcher(settings, model=model) as researcher:
        await researcher.research(
            UNDATED, as_of=DateRange.day(date(2010, 6, 1)), trial=date(2012, 1, 1)
        )
    system, question, *_, found = model.seen
    assert question.content == UNDATED
    assert "2010-06-01" in system.content and "2012-01-01" in system.content
    assert THEN in found.content and f"\n对于累犯{LATER}" not in found.content
    told = {"zh": "按给定的事实发生时间 2010-06-01", "en": "given days of the facts, 2010-06-01"}
    assert told[language] in found.content


def test_a_run_goes_on_only_under_the_same_dates(sample_library: Library, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    sample_library.research(UNDATED, as_of="2010", trace=trace)
    assert sample_library.research(UNDATED, as_of="2010", trace=trace).outcome == "answered"
    with pytest.raises(UserError, match=r"of another run .*2010-01-01 to 2010-12-31"):
        sample_library.research(UNDATED, as_of="2015", trace=trace)


def older(trace: Path, question: str) -> None:
    """The trace as earlier versions wrote it: without the fields of the dates."""
    start, *rest = trace.read_bytes().splitlines()
    fields = json.loads(start)
    del fields["as_of"], fields["trial"]
    fields["question"] = question
    old = json.dumps(fields, ensure_ascii=False).encode()
    trace.write_bytes(b"\n".join([old, *rest]) + b"\n")


def test_a_trace_of_an_earlier_version_goes_on(sample_library: Library, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    whole = sample_library.research(UNDATED, trace=trace)
    trace.write_bytes(b"".join(trace.read_bytes().splitlines(keepends=True)[:3]))
    older(trace, UNDATED)
    assert sample_library.research(UNDATED, trace=trace) == whole


def test_a_trace_with_its_dates_in_the_question_says_that_it_cannot_go_on(
    sample_library: Library, tmp_path: Path
) -> None:
    trace = tmp_path / "t.jsonl"
    sample_library.research(UNDATED, trace=trace)
    older(trace, f"{UNDATED}\n（事实发生于 2010-01-01 to 2010-12-31）")
    with pytest.raises(UserError, match="put the given dates into the question"):
        sample_library.research(UNDATED, as_of="2010", trace=trace)


def test_the_dates_of_a_run_survive_its_trace() -> None:
    line = b'{"event":"started","agent":"a","model":"m","question":"q","today":"2026-11-20",'
    line += b'"settings":{},"at":"2026-11-20T12:00:00Z","version":"0.1.0"}'
    start = decode(line)
    assert isinstance(start, Started)
    assert (start.as_of, start.trial) == (None, None)
    assert decode(encode(start)) == start


# --- steps -------------------------------------------------------------------------------------


async def test_steps_come_as_they_happen_and_the_last_one_holds_the_answer(
    sample_library: Library,
) -> None:
    question = "2010年累犯能否适用缓刑？"
    steps = [step async for step in sample_library.aresearch_steps(question, sources="statutes")]
    assert [one.number for one in steps] == list(range(1, len(steps) + 1))
    assert [one.kind for one in steps] == ["model", "note", "model", "tool", "model", "answer"]
    assert steps[-1].answer == await sample_library.aresearch(question, sources="statutes")
    assert all(one.answer is None for one in steps[:-1])
    assert str(steps[3]).startswith("4. rag_retrieve (found): ")
    assert json.loads(json.dumps(as_wire(steps)))[3]["status"] == "found"


async def test_a_finished_run_streams_its_answer_again(
    sample_library: Library, tmp_path: Path
) -> None:
    trace = str(tmp_path / "t.jsonl")
    answer = await sample_library.aresearch(UNDATED, trace=trace)
    steps = [one async for one in sample_library.aresearch_steps(UNDATED, trace=trace)]
    assert [one.answer for one in steps] == [answer]


async def test_leaving_the_stream_stops_the_run(sample_library: Library, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    async with aclosing(sample_library.aresearch_steps(UNDATED, trace=trace)) as steps:
        async for _ in steps:
            break
    written = trace.read_bytes()
    await asyncio.sleep(0.2)
    assert trace.read_bytes() == written
