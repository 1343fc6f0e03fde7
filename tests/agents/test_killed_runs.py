"""A run killed at any moment has lost nothing it recorded, and goes on to the same answer."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from inforce.agents.runtime.trace import Finished, Replied, read_trace, usage_of
from inforce.files import whole_lines

RUNS = """
import asyncio, sys, time
from pathlib import Path
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.trace import encode
from inforce.llm.chat import Message, Reply, Usage
from inforce.llm.budget import MeteredModel
from inforce.testing import fixed_clock
from inforce.tools.evidence import Evidence
from inforce.tools.tool import ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

class Model:
    name = "scripted"
    async def reply(self, messages, sampling=None):
        await asyncio.sleep(0.001)
        return Reply(f"{len(messages)} " + "x" * 3_000, Usage(1, 7, 3))

inner = MeteredModel(Model())

class Tool:
    spec = ToolSpec("law", "says the law", {"n": {"type": "integer"}})
    async def __call__(self, arguments, context):
        for page in range(3):
            await inner.reply([Message("user", f"{page}")])
        text = f"{arguments['n']}"
        return ToolResult(text, "found", (Evidence(text, "statute", "t", text),))

class Steps:
    name, settings = "steps", {}
    async def __call__(self, run):
        messages = [Message("user", run.question)]
        for n in range(30):
            reply = await run.reply(messages)
            await run.call("law", {"n": n})
            messages.append(Message("assistant", reply.text))
        return Draft("29")

def said(event):
    print(encode(event).hex(), flush=True)

async def main():
    steps = Researcher(Steps(), Model(), Toolbox([Tool()]), fixed_clock("2020-01-25"))
    answer = await steps.research("q", trace=Path(sys.argv[1]), listener=said)
    print("done", answer.outcome, answer.usage.calls, flush=True)

asyncio.run(main())
"""


def run_to_its_end(trace: Path, drawn: random.Random, kills: int) -> str:
    """Kill a run so many times, wherever it is, and let it end; its last line."""
    recorded: list[bytes] = []
    for kill in range(kills + 1):
        line = [sys.executable, "-c", RUNS, str(trace)]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            first = run.stdout.readline()
            if kill < kills and not first.startswith("done"):
                time.sleep(drawn.random() * 0.12)
                run.send_signal(signal.SIGKILL)
            rest = run.stdout.read()
        lines = (first + rest).split("\n")
        recorded += [bytes.fromhex(one) for one in lines[:-1] if not one.startswith("done")]
        there = set(whole_lines(trace.read_bytes()).splitlines())
        assert set(recorded) <= there, "an event was recorded, and is lost"
        assert len(read_trace(trace)) == len(there)
        if lines[-2].startswith("done"):
            return lines[-2]
    raise AssertionError("the run did not end")


def require_nothing_is_lost(folder: Path, runs: int, kills: int) -> None:
    drawn = random.Random(7)
    for number in range(runs):
        trace = folder / f"{number}.jsonl"
        last = run_to_its_end(trace, drawn, kills)
        events = read_trace(trace)
        assert isinstance(events[-1], Finished)
        assert last.split()[1] == "answered"
        assert sum(isinstance(event, Replied) for event in events) == 30  # none was asked for twice
        assert int(last.split()[2]) in (events[-1].answer.usage.calls, usage_of(events).calls)
        assert events[-1].answer.usage.calls == usage_of(events).calls >= 30 * 4


def test_a_run_that_is_killed_twice_goes_on_to_its_answer(tmp_path: Path) -> None:
    require_nothing_is_lost(tmp_path, runs=1, kills=2)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_nor_is_anything_lost_in_300_kills(tmp_path: Path) -> None:
    require_nothing_is_lost(tmp_path, runs=75, kills=4)
