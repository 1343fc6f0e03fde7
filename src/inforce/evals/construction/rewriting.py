"""Questions in the words of people with a case, which do not show the path.

A model rewrites (LegalAgentBench, table 10). A rewriting that loses the entity, adds facts or gives
something away is refused; the plain question with an opening takes its place.
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
"""Rewritings by a model before the plain question is used."""

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

Origin = Literal["model", "plain"]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The question of a task in its final words."""

    name: str
    plain: str
    """The question before."""
    model: str
    """The model; empty for none."""
    question: str
    origin: Origin
    refusals: tuple[str, ...] = ()
    """Why earlier words of the model were refused."""


class Rewriter:
    """Rewrites tasks, each once: rewritings are stored in a file.

    Args:
        path: the file.
        description: of the world.
        names: of all entities, none of which may be added.
        model: writes; without one the plain question gets an opening.

    Raises:
        InputError: if the file was not written by this class.
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
        self._names = frozenset(name for name in names if len(name) > 1)
        self._model = model
        self._stored = {(one.name, one.plain, one.model): one for one in _read(path)}

    async def rewrite(
        self,
        tasks: Sequence[MadeTask],
        *,
        progress: Callable[[int], None] = lambda steps: None,
    ) -> tuple[Rewriting, ...]:
        """Rewrite the questions of tasks, in their order.

        Raises:
            ModelError: if the model cannot be reached; earlier rewritings stay in the file.
        """
        rewritten: list[Rewriting] = []
        for task in tasks:
            if self._model is None:
                plain = _with_opening(task)
                rewritten.append(Rewriting(task.name, task.question, "", plain, "plain"))
            else:
                rewritten.append(await self._by_model(task, self._model))
            progress(1)
        return tuple(rewritten)

    async def _by_model(self, task: MadeTask, model: ChatModel) -> Rewriting:
        key = task.name, task.question, model.name
        if key not in self._stored:
            self._stored[key] = await self._asked(task, model)
            with LineFile(self._path) as file:
                file.append(msgspec.json.encode(self._stored[key]))
        return self._stored[key]

    async def _asked(self, task: MadeTask, model: ChatModel) -> Rewriting:
        """A model's words, or the plain question if they are refused."""
        prompt = files("inforce.evals.construction").joinpath("prompts/rewriting.md")
        template = Template(prompt.read_text("utf-8").strip())
        message = template.substitute(entity=task.entity, question=task.question)
        text = _with_opening(task)
        origin: Origin = "plain"
        refusals: list[str] = []
        for attempt in range(ATTEMPTS):
            sampling = Sampling(temperature=0.7, seed=attempt)
            reply = await model.reply([Message("user", message)], sampling)
            words = "".join(reply.text.split("\n")).strip()
            if (hint := _HINT.search(task.question)) and hint[0] not in words:
                words += hint[0]  # the form of numbers is no matter of wording
            reason = "cut off" if reply.is_cut_off else self.refusal(task, words)
            if not reason:
                text, origin = words, "model"
                break
            refusals.append(reason)
        return Rewriting(task.name, task.question, model.name, text, origin, tuple(refusals))

    def refusal(self, task: MadeTask, text: str) -> str:
        """Why a rewritten question is refused; empty if it is not."""
        if task.entity not in text:
            return f"does not name {task.entity}"
        if len(text) > LONGEST_QUESTION:
            return "is too long"
        if key := _first((*task.key, *task.key_middle), text, task.question):
            return f"gives {key} away"
        added = set(_NUMBER.findall(text)) - set(_NUMBER.findall(task.question))
        other = min(added, default="") or _first(sorted(self._names), text, task.question)
        if other:
            return f"brings in {other}"
        lost = self._lost(task, text)
        return f"loses {lost}" if lost else ""

    def _lost(self, task: MadeTask, text: str) -> str:
        """A restriction, or the name of an asked column, that a text does not mention."""
        for words in _ALIKE:
            if words[0] in task.question and not any(word in text for word in words):
                return words[0]
        for leaf in task.path.leaves:
            asks = self._description.table_of(leaf.branch.tool).asks
            for word in (asks[column] for column in leaf.ask.columns if column in asks):
                if not any(one + other in text for one, other in pairwise(word)):
                    return word
        return ""


def _with_opening(task: MadeTask) -> str:
    return OPENINGS[int(task.name, 16) % len(OPENINGS)] + task.question


def _first(words: Iterable[str], text: str, plain: str) -> str:
    """The first word that is in a text and not in the plain question."""
    return next((word for word in words if word in text and word not in plain), "")


def _read(path: Path) -> list[Rewriting]:
    """The rewritings in a file; an unfinished last line of an interrupted run is cut off."""
    if not path.exists():
        return []
    LineFile(path).close()
    return [line.value for line in json_lines(path, Rewriting, what="a rewritten question")]
