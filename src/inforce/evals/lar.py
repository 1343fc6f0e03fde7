"""Legal article recitation (LAR): say what an article said at a date, word for word.

LegalSearch-R1, section 4.1: the question names a law, an article and a time; the answer is the
full text of the version in force then. The offline reciter needs no model: it reads the question by
rules and quotes the corpus. `evaluate_agent` puts the same questions to an agent, which has to find
the text through its tools.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import fmean
from typing import Any

from inforce.agents.r1.agent import R1
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.run import Agent
from inforce.dates import DateRange, hull
from inforce.errors import InputError
from inforce.evals.rouge import rouge_l, without_headings
from inforce.law.timeline import Lookup, Span
from inforce.library import Library
from inforce.llm.chat import ChatModel
from inforce.retrieval.analysis import Analyser, RuleAnalyser
from inforce.tools.statutes import statute_tools
from inforce.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Item:
    """A question of the benchmark with its gold answer."""

    id: str
    question: str
    answer: str
    instruction: str = ""
    """What stands before the question when an agent is asked, where the file says so."""


@dataclass(frozen=True, slots=True)
class Recitation:
    """What was recited for an item, and how near it is to the gold answer."""

    id: str
    text: str
    """Empty where the corpus has no such text at that time."""
    rouge_l: float
    rouge_l_text: float
    """The same with editorial 【…】 headings removed from both sides."""


@dataclass(frozen=True, slots=True)
class Report:
    """Means over all items; an item without an answer counts as zero and is listed."""

    rouge_l: float
    rouge_l_text: float
    n: int
    misses: tuple[str, ...]


def read_items(path: Path) -> list[Item]:
    """The ``lar`` items of a benchmark file (JSON lines, other tasks are passed over).

    Raises:
        InputError: if a line is not JSON or lacks a field, or no line is a ``lar`` item.
    """
    items: list[Item] = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # U+2028 ends no JSON line
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read ({error})", path=path) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            items.extend(_read_item(line))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(
                f"not an item of the 13-task benchmark ({error!r})", path=path, line=number
            ) from error
    if not items:
        raise InputError("holds no item of type 'lar'", path=path)
    return items


def _read_item(line: str) -> Iterator[Item]:
    """The item of a line, unless it belongs to another task."""
    fields: dict[str, Any] = json.loads(line)
    if fields["type"] == "lar":
        question, answer = fields["question"], fields["answer"]
        instruction = fields.get("deepresearch_task_prompt", "")
        if not all(isinstance(one, str) for one in (question, answer, instruction)):
            raise TypeError("the question and the answer are not both text")
        f"{instruction}{question}".encode()  # half a character (a lone surrogate) is no text either
        yield Item(str(fields["id"]), question, answer, instruction.strip())


def recite(library: Library, question: str, *, analyse: Analyser | None = None) -> str:
    """The text of the article a question asks for, as it stood at the time the question names.

    Empty where the question names no article of a law held, or the law had none then.
    """
    read = analyse or RuleAnalyser(titles=library.corpus.titles(), clock=library.clock)
    analysis = read(question)
    days = analysis.time_info or (DateRange.day(library.clock()),)
    for timeline in library.timelines(analysis.provisions):
        return _text(timeline.versions_in(hull(days)))
    return ""


def evaluate(library: Library, items: Iterable[Item]) -> list[Recitation]:
    """Recite every item offline and score it."""
    analyse = RuleAnalyser(titles=library.corpus.titles(), clock=library.clock)
    return [_score(item, recite(library, item.question, analyse=analyse)) for item in items]


async def evaluate_agent(
    library: Library,
    items: Iterable[Item],
    *,
    model: ChatModel,
    agent: Agent | None = None,
    tools: Toolbox | None = None,
    at_once: int = 8,
    traces: Path | None = None,
) -> list[Recitation]:
    """Put every item to an agent, whole protocol and tools included, and score its answers.

    An item counts as answered if the run ends with an answer; a partial result is no recitation.

    Args:
        library: where the law is, and what day it is.
        items: the questions; each is a run of its own, with its instruction before it.
        model: who speaks for the agent; `inforce.agents.r1.offline.policy` needs no model.
        agent: who is asked; `inforce.agents.r1.agent.R1` unless another is given.
        tools: what the agent may use; the statute tools of the library unless others are given.
        at_once: runs at the same time.
        traces: a folder for one trace a run; a run found there goes on where it ended.
    """
    given = tools or Toolbox(statute_tools(library))
    researcher = Researcher(agent or R1(), model, given, library.clock)
    gate = asyncio.Semaphore(at_once)

    async def ask(item: Item) -> Recitation:
        question = f"{item.instruction}\n{item.question}".strip()
        trace = traces / f"{_file_name(item)}.jsonl" if traces else None
        async with gate:
            answer = await researcher.research(question, trace=trace)
        return _score(item, answer.text if answer.outcome == "answered" else "")

    return list(await asyncio.gather(*map(ask, items)))


def _file_name(item: Item) -> str:
    """A name for the trace of an item: its id, whatever characters that has."""
    return re.sub(r"[^\w-]", "_", item.id)[:80]


def summarise(recitations: Sequence[Recitation]) -> Report:
    """Means over recitations."""
    return Report(
        fmean(one.rouge_l for one in recitations),
        fmean(one.rouge_l_text for one in recitations),
        len(recitations),
        tuple(one.id for one in recitations if not one.text),
    )


def _score(item: Item, text: str) -> Recitation:
    stripped = without_headings(text), without_headings(item.answer)
    return Recitation(item.id, text, rouge_l(text, item.answer), rouge_l(*stripped))


def _text(lookup: Lookup) -> str:
    """The wording in force for most of the days asked; of equals the later."""
    best = max(lookup.found, key=lambda span: _days(span, lookup.as_of), default=None)
    return best.provision.text if best and best.provision else ""


def _days(span: Span, asked: DateRange) -> tuple[int, int]:
    shared = span.window.intersection(asked)
    length = ((shared.end or date.max) - shared.start).days if shared else 0
    return length, span.window.start.toordinal()
