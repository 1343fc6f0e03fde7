"""A question to train on, and how it is put to the agent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from inforce.scoring.tasks import OUT_OF_DOMAIN, Task
from inforce.train.episodes import Question

_CHOICE = "请从选项中选出所有正确的答案。只写选项字母，多个字母按顺序连写，例如 B 或者 ACD。"

INSTRUCTIONS: Final[Mapping[Task, str]] = {
    "lar": "请按题中写明的法律、条次和时间，写出当时有效的条文全文。只写条文本身。",
    "lcs": "请先以“回答:”写出结论，再以“法律依据:”写出支持结论的条文。",
    "kqa": _CHOICE,
    "lap": f"请判断下列案件应当适用哪些条文。{_CHOICE}",
    "ccp": "请根据案件事实写出罪名，不写“罪”字；有几个罪名的，用分号隔开，例如 盗窃;诈骗。",
    "ptp": "请根据案件事实预测刑期。只写多少个月，例如 12个月。",
    "lca": f"请阅读案例并判断。{_CHOICE}",
    **dict.fromkeys(OUT_OF_DOMAIN, _CHOICE),
}
"""Instructions before a question, in our own words; the forms of the answers are the paper's."""

_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)\s*(?:年|[-./]\s*\d)")


@dataclass(frozen=True, slots=True)
class Example:
    """A question, its answer, and their source."""

    id: str
    task: Task
    question: str
    """Without the instruction."""
    answer: str
    source: str
    """Name of the collection (``lawbench``)."""
    held_out: str = ""
    """Why it must not be trained on, though it may be evaluated; empty where it may be."""
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What else a reward needs: ``others``, the article's wordings of other times."""

    @property
    def year(self) -> int | None:
        """The first year it names; ``None`` where it names none (table 1, #Temp.)."""
        return year_in(self.question)

    @property
    def asked(self) -> str:
        """The question as it is put to the agent, with its instruction."""
        return f"{INSTRUCTIONS[self.task]}\n{self.question}"

    @property
    def as_question(self) -> Question:
        """The question of an episode."""
        facts = {"task": self.task, "plain_question": self.question, "source": self.source}
        return Question(self.id, self.asked, self.answer, {**facts, **self.facts})


def year_in(text: str) -> int | None:
    """Return the first year a text names.

    >>> year_in("被告人于2015年3月1日"), year_in("罚金2000元")
    (2015, None)
    """
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def with_year(question: str, year: int | None) -> str:
    """Put a year before a question, in the words of the benchmark (section 4.2).

    >>> with_year("下列哪项正确？", 2018)
    '在2018年的时间背景下，下列哪项正确？'
    """
    return question if year is None else f"在{year}年的时间背景下，{question}"
