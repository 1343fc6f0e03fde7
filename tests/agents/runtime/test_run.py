"""A run: what went through it is in its trace, and a trace goes on where it was cut."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce import files
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.research import Researcher, streamed
from inforce.agents.runtime.run import Agent, Run
from inforce.agents.runtime.trace import (
    Event,
    Finished,
    Noted,
    Observed,
    PersonAsked,
    Replied,
    Started,
    decode,
    encode,
    read_trace,
    usage_of,
)
from inforce.agents.runtime.trace_view import view
from inforce.errors import BudgetError, InputError, ModelError, StorageError, UserError
from inforce.llm.budget import MeteredModel
from inforce.llm.chat import GREEDY, Message, Reply, Sampling, Usage
from inforce.testing import fixed_clock
from inforce.tools.context import RunContext, SeenResult
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass
class Scripted:
    """A model that counts its calls and may break at one of them."""

    replies: Sequence[str]
    breaks_at: int = -1
    error: type[Exception] = ModelError
    calls: int = 0
    name: str = "scripted"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        place = sum(one.role == "assistant" for one in messages)
        self.calls += 1
        await asyncio.sleep(0)
        if place == self.breaks_at:
            raise self.error("the line is dead")
        return Reply(self.replies[place], Usage(calls=1, input_tokens=7, output_tokens=3))


@dataclass
class Law:
    """A tool that says one provision and remembers a page."""

    spec: ToolSpec = field(
        default_factory=lambda: ToolSpec("law", "says the law", {"n": {"type": "integer"}})
    )
    calls: int = 0

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        self.calls += 1
        text = f"累犯不适用缓刑（第{arguments['n']}次）。"
        context.remember([SeenResult(f"https://example.org/{arguments['n']}", "t", "s", "q")])
        found = Evidence(f"law-{arguments['n']}", "statute", "刑法第七十四条", text)
        return ToolResult(text, "found", (found,))


class TwoSteps:
    """Asks the model, calls the tool, asks again, answers."""

    name = "two-steps"
    settings: dict[str, str] = {}

    async def __call__(self, run: Run) -> Draft:
        turns = [Message("user", run.question)]
        for step in (1, 2):
            turns.append(Message("assistant", (await run.reply(turns)).text))
            result = await run.call("law", {"n": step})
            run.note("step", f"step {step}")
            run.partial = result.text
            turns.append(Message("user", result.text))
        return Draft((await run.reply(turns)).text)


QUESTION = "累犯能否适用缓刑？"


def researcher(model: Any, tool: Law, agent: Agent | None = None) -> Researcher:
    """Two steps of a scripted model over one tool, on a fixed day."""
    tools = Toolbox([tool])
    return Researcher(
        agent or TwoSteps(), model, tools, fixed_clock("2010-06-01"), now=lambda: NOON
    )


REPLIES = ("想一想", "再想", "累犯不适用缓刑。月亮是绿色的。")


async def test_everything_that_went_through_a_run_is_in_its_trace(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    answer = await researcher(Scripted(REPLIES), Law()).research(QUESTION, trace=trace)
    kinds = [type(event) for event in read_trace(trace)]
    assert kinds == [
        Started, Replied, Observed, Noted, Replied, Observed, Noted, Replied, Finished,
    ]  # fmt: skip
    assert answer.outcome == "answered"
    assert answer.usage == Usage(3, 21, 9)
    assert [one.id for one in answer.evidence] == ["law-1", "law-2"]


async def test_a_sentence_nothing_speaks_for_has_no_support() -> None:
    answer = await researcher(Scripted(REPLIES), Law()).research(QUESTION)
    assert [one.text for one in answer.unsupported] == ["月亮是绿色的。"]
    assert answer.sentences[0].support == ("law-1", "law-2")


async def test_a_run_that_goes_on_another_day_keeps_the_day_it_began(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    await researcher(Scripted(REPLIES), Law()).research(QUESTION, trace=whole)
    part.write_bytes(b"".join(whole.read_bytes().splitlines(keepends=True)[:2]))
    seen: list[date] = []

    class Dated(TwoSteps):
        async def __call__(self, run: Run) -> Draft:
            seen.append(run.context.today)
            return await super().__call__(run)

    later = replace(researcher(Scripted(REPLIES), Law(), Dated()), clock=fixed_clock("2011-05-02"))
    await later.research(QUESTION, trace=part)
    assert seen == [date(2010, 6, 1)]


@pytest.mark.parametrize("cut", range(1, 9))
async def test_a_run_cut_anywhere_goes_on_without_asking_again(tmp_path: Path, cut: int) -> None:
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    first = await researcher(Scripted(REPLIES), Law()).research(QUESTION, trace=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:cut]) + lines[cut][: len(lines[cut]) // 2])
    model, tool = Scripted(REPLIES), Law()
    again = await researcher(model, tool).research(QUESTION, trace=part)
    assert again == first
    kept = [type(decode(line)) for line in lines[:cut]]
    assert model.calls == 3 - kept.count(Replied)
    assert tool.calls == 2 - kept.count(Observed)
    assert [type(one) for one in read_trace(part)] == [type(one) for one in read_trace(whole)]


async def test_a_finished_trace_answers_by_itself(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    first = await researcher(Scripted(REPLIES), Law()).research(QUESTION, trace=trace)
    model = Scripted(REPLIES)
    assert await researcher(model, Law()).research(QUESTION, trace=trace) == first
    assert model.calls == 0


async def test_pages_seen_before_a_crash_may_be_opened_after_it(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    await researcher(Scripted(REPLIES, breaks_at=1), Law()).research(QUESTION, trace=trace)
    seen: dict[str, SeenResult] = {}

    class Remembers(TwoSteps):
        async def __call__(self, run: Run) -> Draft:
            draft = await super().__call__(run)
            seen.update(run.context.results)
            return draft

    await researcher(Scripted(REPLIES), Law(), Remembers()).research(QUESTION, trace=trace)
    assert set(seen) == {"https://example.org/1", "https://example.org/2"}


async def test_a_trace_of_another_question_is_refused(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    await researcher(Scripted(REPLIES), Law()).research(QUESTION, trace=trace)
    with pytest.raises(UserError, match="another run"):
        await researcher(Scripted(REPLIES), Law()).research("别的？", trace=trace)


@pytest.mark.parametrize(
    ("error", "outcome"), [(ModelError, "failed"), (BudgetError, "budget")], ids=str
)
async def test_a_run_that_must_stop_ends_with_what_it_has(
    error: type[Exception], outcome: str
) -> None:
    answer = await researcher(Scripted(REPLIES, breaks_at=2, error=error), Law()).research(QUESTION)
    assert answer.outcome == outcome
    assert answer.text == "累犯不适用缓刑（第2次）。"
    assert "the line is dead" in answer.note


async def test_a_run_that_failed_goes_on_when_asked_again(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    await researcher(Scripted(REPLIES, breaks_at=2), Law()).research(QUESTION, trace=trace)
    model = Scripted(REPLIES)
    answer = await researcher(model, Law()).research(QUESTION, trace=trace)
    assert (answer.outcome, model.calls) == ("answered", 1)


def stream(model: Scripted) -> AsyncGenerator[Event]:
    asked = researcher(model, Law())
    return streamed(lambda put: asked.research(QUESTION, listener=put))


async def test_events_are_streamed_as_they_happen() -> None:
    events = [event async for event in stream(Scripted(REPLIES))]
    assert isinstance(events[0], Started)
    assert isinstance(events[-1], Finished)


async def test_evidence_stands_in_the_order_of_the_calls_not_of_the_answers() -> None:
    @dataclass
    class Slow(Law):
        async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
            await asyncio.sleep(0.02 if arguments["n"] == 1 else 0)
            return await Law.__call__(self, arguments, context)

    class Both(TwoSteps):
        async def __call__(self, run: Run) -> Draft:
            await asyncio.gather(run.call("law", {"n": 1}), run.call("law", {"n": 2}))
            return Draft("")

    answer = await researcher(Scripted(()), Slow(), Both()).research(QUESTION)
    assert [one.id for one in answer.evidence] == ["law-1", "law-2"]


async def test_what_a_tool_asks_a_model_is_counted_with_its_answer(tmp_path: Path) -> None:
    reading = MeteredModel(Scripted(("gelesen",)))

    @dataclass
    class Reads(Law):
        async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
            await asyncio.gather(*(reading.reply([Message("user", "read")]) for _ in range(2)))
            return await Law.__call__(self, arguments, context)

    trace = tmp_path / "t.jsonl"
    answer = await researcher(Scripted(REPLIES), Reads()).research(QUESTION, trace=trace)
    assert answer.usage.calls == 3 + 2 * 2
    spent = [event.usage.calls for event in read_trace(trace) if isinstance(event, Observed)]
    assert spent == [2, 2]
    trace.write_bytes(b"".join(trace.read_bytes().splitlines(keepends=True)[:-1]))
    again = await researcher(Scripted(REPLIES), Reads()).research(QUESTION, trace=trace)
    assert again.usage == answer.usage


async def test_half_a_character_of_a_model_does_not_end_the_run(tmp_path: Path) -> None:
    model = Scripted(("\ud800想", "再想", "完\udfff"))
    answer = await researcher(model, Law()).research(QUESTION, trace=tmp_path / "t.jsonl")
    assert answer.text == "完?"
    assert read_trace(tmp_path / "t.jsonl")


async def test_a_stream_that_is_left_stops_its_run() -> None:
    model = Scripted(REPLIES)
    events = stream(model)
    async for _ in events:
        break
    await events.aclose()
    await asyncio.sleep(0.01)
    assert model.calls < 3


class AsksBack:
    """Asks the person one thing."""

    name = "asks-back"
    settings: dict[str, str] = {}

    async def __call__(self, run: Run) -> Draft:
        replies = await run.ask_person(["哪一年？", "哪里？"])
        return Draft("、".join(replies))


async def test_a_person_is_asked_once_however_often_the_run_starts(tmp_path: Path) -> None:
    asked: list[Sequence[str]] = []

    async def person(questions: Sequence[str]) -> Sequence[str]:
        asked.append(questions)
        return ["2010年"]

    trace = tmp_path / "trace.jsonl"
    asking = researcher(Scripted(()), Law(), AsksBack())
    first = await asking.research(QUESTION, trace=trace, person=person)
    events = read_trace(trace)
    trace.write_bytes(b"\n".join(map(encode, events[:-1])) + b"\n")
    again = await asking.research(QUESTION, trace=trace, person=person)
    assert first.text == again.text == "2010年、"
    assert asked == [["哪一年？", "哪里？"]]
    assert sum(isinstance(event, PersonAsked) for event in read_trace(trace)) == 1


def test_a_damaged_line_inside_a_trace_is_told_with_its_place(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    note = encode(Noted("step", "x", NOON))
    trace.write_bytes(note + b"\n{oops\n" + note + b"\n")
    with pytest.raises(InputError, match=r"trace\.jsonl:2"):
        read_trace(trace)


@given(st.text(), st.lists(st.text(), max_size=3))
def test_an_event_survives_its_line(text: str, replies: list[str]) -> None:
    for event in (Noted("k", text, NOON), PersonAsked("k", tuple(replies), NOON)):
        line = encode(event)
        assert b"\n" not in line
        assert decode(line) == event


async def test_an_answer_that_is_withheld_can_still_be_read_in_the_trace(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Withholding:
        name: str = "withholding"

        @property
        def settings(self) -> dict[str, str]:
            return {}

        async def __call__(self, run: Run) -> Draft:
            return Draft("", "abstained", "nothing bears it", withheld="缓刑")

    trace = tmp_path / "t.jsonl"
    answer = await researcher(Scripted([]), Law(), Withholding()).research("问", trace=trace)
    notes = [one for one in read_trace(trace) if isinstance(one, Noted)]
    assert answer.text == "" and answer.outcome == "abstained"
    assert [(one.kind, one.text) for one in notes] == [("draft", "缓刑")]


class Killed(BaseException):
    """The process ends here."""


async def test_what_a_tool_paid_for_counts_though_it_was_killed_before_it_answered(
    tmp_path: Path,
) -> None:
    reading = MeteredModel(Scripted(("gelesen",)))
    pages = 20

    @dataclass
    class Reads(Law):
        killed_at: int = -1

        async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
            for page in range(pages):
                if page == self.killed_at:
                    raise Killed
                await reading.reply([Message("user", f"read {page}")])
            return await Law.__call__(self, arguments, context)

    trace = tmp_path / "t.jsonl"
    for killed_at in (7, 5):
        with pytest.raises(Killed):
            await researcher(Scripted(REPLIES), Reads(killed_at=killed_at)).research(
                QUESTION, trace=trace
            )
    paid = 1 + 7 + 5
    assert usage_of(read_trace(trace)).calls == paid
    assert view(read_trace(trace)).usage.calls == paid
    answer = await researcher(Scripted(REPLIES), Reads()).research(QUESTION, trace=trace)
    assert answer.usage.calls == usage_of(read_trace(trace)).calls == 7 + 5 + 3 + 2 * pages
    trace.write_bytes(b"".join(trace.read_bytes().splitlines(keepends=True)[:-1]))
    again = await researcher(Scripted(REPLIES), Reads()).research(QUESTION, trace=trace)
    assert again.usage == answer.usage


# --- disks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tail", [b"\0" * 4096, b'{"event":"rep\0\0\0', b"\0\0\n\0\0"])
async def test_zeros_at_the_end_of_a_trace_make_it_no_less_usable(
    tail: bytes, tmp_path: Path
) -> None:
    trace = tmp_path / "t.jsonl"
    answer = await researcher(Scripted(REPLIES), Law()).research(QUESTION, trace=trace)
    whole = trace.read_bytes().splitlines(keepends=True)
    trace.write_bytes(b"".join(whole[:-2]) + tail)
    assert len(read_trace(trace)) == len(whole) - 2
    model = Scripted(REPLIES)
    again = await researcher(model, Law()).research(QUESTION, trace=trace)
    assert again.text == answer.text
    assert model.calls <= 1
    assert b"\0" not in trace.read_bytes()
    assert len(read_trace(trace)) == len(whole)


async def test_a_full_disk_stops_a_run_with_what_was_paid_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "t.jsonl"
    model, rooms = Scripted(REPLIES), iter([2**30, 2**30, 2**30, 2**20])

    def room(handle: int) -> int:
        return next(rooms)

    monkeypatch.setattr(files, "_free_bytes", room)
    with pytest.raises(StorageError, match=r"t\.jsonl: the disk is full: what was written before"):
        await researcher(model, Law()).research(QUESTION, trace=trace)
    paid = [event for event in read_trace(trace) if isinstance(event, Replied)]
    assert len(read_trace(trace)) == 4  # the last one found no room after it, and was stored
    assert len(paid) == model.calls > 0
    monkeypatch.undo()
    resumed = Scripted(REPLIES)
    answer = await researcher(resumed, Law()).research(QUESTION, trace=trace)
    assert answer.outcome == "answered"
    assert resumed.calls == len(REPLIES) - model.calls


async def test_a_trace_is_private_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        trace = tmp_path / "runs" / "t.jsonl"
        await researcher(Scripted(REPLIES), Law()).research(QUESTION, trace=trace)
    finally:
        os.umask(before)
    assert stat.S_IMODE(trace.stat().st_mode) == 0o600
    assert stat.S_IMODE(trace.parent.stat().st_mode) == 0o700
