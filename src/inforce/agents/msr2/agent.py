"""MSR2: predicting a sentence with routable retrieval from many sources (MSR2, section 3.2).

The model reads the facts and reasons, lists the sentencing factors, and asks for what it lacks.
Each request names the source it is meant for (action-space routing, section 3.3), and what that
source returns is put into the conversation (algorithm 1). It ends with a sentence in months. The
order of thought is the Supreme People's Court's: starting point, baseline, adjustments (see
`inforce.law.penalties.sentencing`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.prompts import prompt, with_given_dates
from inforce.agents.runtime.run import Run
from inforce.agents.runtime.tags import Part, Validity, read_tags
from inforce.documents.untrusted import as_data
from inforce.errors import IdentifierError
from inforce.law.penalties.prison_term import pronounced
from inforce.llm.chat import Message
from inforce.tools.tool import Language

MAX_TURNS = 8
"""Dialogue turns (section 4.3.1)."""

MOST_CORRECTIONS = 2
"""Replies in a row that may break the protocol before the run ends."""

MOST_SEARCHES = 8
"""Searches of one turn that are made."""

SEARCH_TOOL = "search_source"

_TAGS = ("reasoning", "factors", "search", "answer")
_ENVIRONMENT = ("information",)
_SOURCE = re.compile(r"source\s*=\s*[\"'“”]?\s*([^\"'“”>\s]+)", re.IGNORECASE)
_INNER = re.compile(r"^\s*<(?P<source>\w+)>(?P<query>.*?)(?:</(?P=source)>)?\s*$", re.DOTALL)
_CANNOT_TELL = re.compile("无法判断|cannot tell", re.IGNORECASE)

_SOURCES: dict[Language, str] = {
    "zh": (
        "statute（法律条文） guideline（量刑指导意见及实施细则） precedent（类案判决） "
        "interpretation（司法解释） book（法律书籍与知识）"
    ),
    "en": (
        "statute (articles of law), guideline (sentencing guidelines), precedent (similar "
        "judgments), interpretation (judicial interpretations), book (books and legal knowledge)"
    ),
}
_TEXTS: dict[Language, dict[str, str]] = {
    "zh": {
        "first": "格式有误：第一轮必须有 <reasoning> 和 <factors>。请重新作答。",
        "none": "格式有误：本轮没有 <search>，也没有 <answer>。请检索，或者给出刑期。",
        "term": "无法从 <answer> 中读出刑期：{problem}。请写作“36个月”，或“无期徒刑”“死刑”。",
        "last": "这是最后一轮：请根据已有资料给出 <answer>。",
        "cut_off": "上一轮回复过长，写到一半被截断，没有采用。请写得更短，并把标签写完整。",
        "unsearched": "尚未检索任何资料，不能给出刑期。请先用 <search> 检索。",
    },
    "en": {
        "first": "The first turn must have <reasoning> and <factors>. Please reply again.",
        "none": "There is neither <search> nor <answer>. Search, or give the sentence.",
        "term": "No sentence can be read from <answer>: {problem}. Write for example 36 months.",
        "last": "This is the last turn: give your <answer> from the material you have.",
        "cut_off": "Your reply was cut off and not used. Write less, and close every tag.",
        "unsearched": "Nothing was searched for yet: <search> before you give a sentence.",
    },
}


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """A search that the model requests."""

    query: str
    source: str = ""
    """As the model wrote it; empty: it named none, and the router decides."""


@dataclass(frozen=True, slots=True)
class Move:
    """One turn of a model."""

    reasoning: str
    factors: str
    requests: tuple[SourceRequest, ...]
    answer: str
    own_text: str
    """The reply up to where the model began to make up results."""
    validity: Validity
    is_open: bool = False
    """Whether its last part was begun and not ended."""


class MSR2:
    """The sentencing agent."""

    name = "msr2"

    def __init__(self, language: Language = "zh", *, max_turns: int = MAX_TURNS) -> None:
        self._language: Language = language
        self._max_turns = max_turns

    @property
    def settings(self) -> dict[str, str]:
        """Language and turns."""
        return {"language": self._language, "max_turns": str(self._max_turns)}

    def opening(self, run: Run) -> list[Message]:
        """The conversation before the first turn: instructions and sources, then the facts."""
        gaps = {"sources": _SOURCES[self._language], "turns": str(self._max_turns)}
        system = prompt("msr2", self._language).substitute(gaps)
        system = with_given_dates(system, run.context, self._language)
        return [Message("system", system), Message("user", run.question)]

    async def __call__(self, run: Run) -> Draft:
        """Work on the facts: think, search, read, until there is a sentence."""
        turns = self.opening(run)
        mistakes, searched, words = 0, False, ""
        for turn in range(1, self._max_turns + 1):
            reply = await run.reply(turns)
            move = read_move(reply.text)
            words = move.answer or move.own_text.strip()
            if not move.validity.valid:
                run.note("protocol", f"turn {turn}: {move.validity}")
            try:
                is_cut_off = reply.is_cut_off and move.is_open
                draft = _draft(move) if move.answer and not is_cut_off else None
                if draft and (searched or draft.outcome == "abstained"):
                    return draft if run.evidence else _withheld(draft)
                problem = self._say("unsearched") if draft else self._problem(move, turn)
                problem = self._say("cut_off") if is_cut_off else problem
            except IdentifierError as error:
                problem = self._say("term").format(problem=error)
            mistakes = mistakes + 1 if problem else 0
            if mistakes > MOST_CORRECTIONS:
                return Draft(run.partial, "invalid", problem, withheld=words)
            if problem:
                run.note("invalid_reply", problem)
            searched = searched or not problem
            response = problem or await self._information(run, move.requests)
            run.partial = move.reasoning or run.partial
            last = f"\n{self._say('last')}" if turn == self._max_turns - 1 else ""
            turns += [Message("assistant", move.own_text), Message("user", response + last)]
        why = f"no sentence within {self._max_turns} turns"
        return Draft(run.partial, "turn_limit", why, withheld=words)

    def _problem(self, move: Move, turn: int) -> str:
        """The message for a turn the model must correct; empty if there is nothing to correct."""
        if turn == 1 and not (move.reasoning and move.factors):
            return self._say("first")
        return "" if move.requests else self._say("none")

    async def _information(self, run: Run, requests: Sequence[SourceRequest]) -> str:
        """The results of the searches, each marked with its source."""
        calls = [run.call(SEARCH_TOOL, _arguments(one)) for one in requests]
        results = await asyncio.gather(*calls)
        return "\n".join(
            f'<information source="{as_data(one.source) or "auto"}" status="{result.status}">\n'
            f"{as_data(result.text)}\n</information>"
            for one, result in zip(requests, results, strict=True)
        )

    def _say(self, what: str) -> str:
        return _TEXTS[self._language][what]


def read_move(text: str) -> Move:
    """Read a turn tolerantly; results the model made up itself are cut off."""
    read = read_tags(text, _TAGS, environment=_ENVIRONMENT)
    asked = [_request(part) for part in read.parts if part.tag == "search"]
    requests = tuple(one for one in dict.fromkeys(asked) if one.query)
    answers = read.of("answer")
    return Move(
        "\n".join(read.of("reasoning")),
        "\n".join(read.of("factors")),
        requests[:MOST_SEARCHES],
        answers[-1] if answers else "",
        read.own_text,
        read.validity,
        read.is_open,
    )


def _request(part: Part) -> SourceRequest:
    """A search: the source is named in the tag, or by a tag of its own around the query."""
    named, inner = _SOURCE.search(part.attributes), _INNER.match(part.text)
    if inner:
        return SourceRequest(inner["query"].strip(), inner["source"])
    return SourceRequest(part.text, named[1] if named else "")


def _arguments(request: SourceRequest) -> dict[str, str]:
    named = {"source": request.source} if request.source else {}
    return {**named, "query": request.query}


def _withheld(draft: Draft) -> Draft:
    """Withhold a sentence for which no source was found."""
    if draft.outcome == "abstained":
        return draft
    said = " ".join(draft.text.split())
    why = f"no source was found; the model answered all the same: {said}"
    return Draft("", "abstained", why, withheld=draft.text)


def _draft(move: Move) -> Draft:
    """The sentence, then the factors and the reasoning it rests on; or the admission of none."""
    if _CANNOT_TELL.search(move.answer):
        return Draft("", "abstained", move.reasoning)
    term = str(pronounced(move.answer))
    return Draft("\n".join(part for part in (term, move.factors, move.reasoning) if part))
