"""Questions in the words of people who have a case, so that they do not show the path.

A model rewrites (LegalAgentBench, table 10); what it writes is checked, and where it has lost the
entity, brought in facts or given something away, the plain question is taken, with an opening.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import Literal

import msgspec

from inforce.documents.json_records import json_lines
from inforce.evals.construction.description import Description
from inforce.evals.construction.tasks import MadeTask
from inforce.files import LineFile
from inforce.llm.chat import ChatModel, Message, Sampling

LONGEST_QUESTION = 600
"""Characters of a rewritten question."""

ATTEMPTS = 2
"""Rewritings a model is asked for before the plain question is taken."""

OPENINGS = (
    "我正在整理一份案件材料，有一处需要核实。",
    "我们在做一项合规审查，需要确认下面的情况。",
    "客户在咨询中提到一件事，我想先查清楚再答复。",
    "我在写一份法律意见书，其中一项信息还没有查到。",
)

_ALIKE = (
    ("最高", "最大", "最多"),
    ("最低", "最小", "最少"),
    ("最早", "最先", "最初", "第一"),
    ("最晚", "最近", "最新", "最后"),
)
_HINT = re.compile(r"（[^（）]*写作[^（）]*。）$")
_NUMBER = re.compile(r"\d+(?:\.\d+)?|[A-Za-z]{2,}")
_FEWEST = 2

Origin = Literal["model", "plain"]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The question of a task as it is asked."""

    name: str
    plain: str
    """What was rewritten."""
    model: str
    """Who rewrote; empty for nobody."""
    question: str
    origin: Origin
    refusals: tuple[str, ...] = ()
    """Why what the model wrote was not taken."""


class Rewriter:
    """Rewrites tasks, each once: what was written is stored in a file.

    Args:
        path: the file.
        description: what things are called.
        names: of all entities, none of which may be brought in.
        model: who writes; without one the plain question is given an opening.

    Raises:
        InputError: if the file is not what this class writes.
    """

    def __init__(
        self,
        path: Path,
        description: Description,
        names: Iterable[str],
        model: ChatModel | None = None,
    ) -> None:
        self._path = path
        self._description = description
        self._names = frozenset(name for name in names if len(name) >= _FEWEST)
        self._model = model
        self._stored = {(one.name, one.plain, one.model): one for one in _read(path)}

    async def rewrite(
        self,
        tasks: Sequence[MadeTask],
        *,
        progress: Callable[[int], None] = lambda steps: None,
    ) -> tuple[Rewriting, ...]:
        """The questions of tasks, in their order.

        Raises:
            ModelError: if the model cannot be reached; what it wrote before stays in the file.
        """
        rewritten: list[Rewriting] = []
        for task in tasks:
            rewritten.append(await self._of(task))
            progress(1)
        return tuple(rewritten)

    async def _of(self, task: MadeTask) -> Rewriting:
        if self._model is None:
            return Rewriting(task.name, task.question, "", _with_opening(task), "plain")
        key = (task.name, task.question, self._model.name)
        if key not in self._stored:
            self._stored[key] = await self._written(task, self._model)
            with LineFile(self._path) as file:
                file.append(msgspec.json.encode(self._stored[key]))
        return self._stored[key]

    async def _written(self, task: MadeTask, model: ChatModel) -> Rewriting:
        refusals: list[str] = []
        for attempt in range(ATTEMPTS):
            said = _prompt().substitute(entity=task.entity, question=task.question)
            sampling = Sampling(temperature=0.7, seed=attempt)
            reply = await model.reply([Message("user", said)], sampling)
            text = "".join(reply.text.split("\n")).strip()
            if (hint := _HINT.search(task.question)) and hint[0] not in text:
                text += hint[0]  # how numbers are written is no matter of wording
            reason = "cut off" if reply.is_cut_off else self.refusal(task, text)
            if not reason:
                return Rewriting(
                    task.name, task.question, model.name, text, "model", tuple(refusals)
                )
            refusals.append(reason)
        return Rewriting(
            task.name, task.question, model.name, _with_opening(task), "plain", tuple(refusals)
        )

    def refusal(self, task: MadeTask, text: str) -> str:
        """Why a rewritten question cannot stand for a task's; empty where it can."""
        if task.entity not in text:
            return f"does not name {task.entity}"
        if len(text) > LONGEST_QUESTION:
            return "is too long"
        given = _first((*task.key, *task.key_middle), text, task.question)
        if given:
            return f"gives {given} away"
        added = set(_NUMBER.findall(text)) - set(_NUMBER.findall(task.question))
        other = min(added, default="") or _first(sorted(self._names), text, task.question)
        if other:
            return f"brings in {other}"
        lost = _lost(task.question, text) or self._unasked(task, text)
        return f"loses {lost}" if lost else ""

    def _unasked(self, task: MadeTask, text: str) -> str:
        """What is asked for and no part of its name is in a text."""
        for leaf in task.path.leaves:
            asks = self._description.table_of(leaf.branch.tool).asks
            for word in (asks[column] for column in leaf.ask.columns if column in asks):
                if not any(one + other in text for one, other in pairwise(word)):
                    return word
        return ""


def _with_opening(task: MadeTask) -> str:
    return OPENINGS[int(task.name, 16) % len(OPENINGS)] + task.question


def _first(words: Iterable[str], text: str, plain: str) -> str:
    """The first word that is in a text and was not in the plain question."""
    return next((word for word in words if word in text and word not in plain), "")


def _lost(plain: str, text: str) -> str:
    """A restriction of the plain question a text has not."""
    for words in _ALIKE:
        if words[0] in plain and not any(word in text for word in words):
            return words[0]
    return ""


def _prompt() -> Template:
    file = files("inforce.evals.construction").joinpath("prompts/rewriting.md")
    return Template(file.read_text("utf-8").strip())


def _read(path: Path) -> list[Rewriting]:
    """What was rewritten before; a last line that a broken-off run left unfinished is cut off."""
    if not path.exists():
        return []
    LineFile(path).close()
    return [line.value for line in json_lines(path, Rewriting, what="a rewritten question")]
