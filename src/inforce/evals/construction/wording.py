"""Questions and answers in words, composed from what a description calls things.

What is asked is nested as the path goes: 甲公司的母公司的登记电话是什么？ Such a question shows the
path; `inforce.evals.construction.rewriting` hides it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inforce.evals.construction.answers import Found, Solution, told
from inforce.evals.construction.description import Description, Table
from inforce.evals.construction.paths import Leaf, SolutionPath
from inforce.evals.construction.planning import Ask, End, Pick, Step

FIRST: dict[End, str] = {
    "highest": "最高",
    "lowest": "最低",
    "earliest": "最早",
    "latest": "最晚",
}
IN_YUAN = "（金额以元为单位，保留两位小数。）"

_OPENING = "请问，"
_BESIDES = "另外，"


@dataclass(frozen=True, slots=True)
class Worded:
    """A question and its answer in words."""

    question: str
    answer: str


def worded(path: SolutionPath, solution: Solution, description: Description) -> Worded:
    """The question a path asks of an entity, and its answer."""
    of = description.kinds[path.kind].named(told(solution.names[0]))
    for step in path.trunk:
        of = _after(step, of, description)
    named = _named(path, of, description)
    asked = [_question(leaf, of, description) for leaf, of in zip(path.leaves, named, strict=True)]
    parts = zip(path.leaves, (of, *named[1:]), solution.found, strict=True)
    said = [_answer(leaf, of, found, description) for leaf, of, found in parts]
    is_money = any(_is_money(leaf, description) for leaf in path.leaves)
    question = _OPENING + _BESIDES.join(asked) + (IN_YUAN if is_money else "")
    return Worded(question, "".join(said))


def _named(path: SolutionPath, of: str, description: Description) -> tuple[str, ...]:
    """What each of the last look-ups is said of: a long description is given once, with a name."""
    if not path.trunk or len(path.leaves) == 1:
        return (of,) * len(path.leaves)
    short = f"该{description.kinds[path.trunk[-1].link.kind].noun}"
    return (f"{of}（下称“{short}”）", *(short,) * (len(path.leaves) - 1))


def _after(step: Step, of: str, description: Description) -> str:
    """What a step leads to, in words."""
    table = description.table_of(step.branch.tool)
    row = _row(table, _phrase(step.branch.tool, of, description), step.pick)
    return f"{row}的{step.link.word}" if step.link.word else row


def _row(table: Table, phrase: str, pick: Pick | None) -> str:
    """The row a question goes on with."""
    if pick is None:
        return phrase
    return f"{phrase}中{table.asks[pick.column]}{FIRST[pick.end]}的那一{table.measure}"


def _phrase(tool: str, of: str, description: Description) -> str:
    return description.tools[tool].spoken(of)


def _question(leaf: Leaf, of: str, description: Description) -> str:
    table = description.table_of(leaf.branch.tool)
    phrase = _phrase(leaf.branch.tool, of, description)
    words = _words(table, leaf.ask)
    match leaf.ask.form:
        case "count":
            return f"{phrase}一共有多少{table.measure}？"
        case "sum":
            return f"{phrase}的{words[0]}合计是多少元？"
        case "mean":
            return f"{phrase}的{words[0]}平均是多少元？"
        case "list":
            return f"{phrase}的{words[0]}分别是什么？请全部列出。"
        case "difference":
            return f"{phrase}的{'与'.join(words)}相差多少元？"
        case "extract":
            return f"{phrase}的{words[0]}都有哪些？"
        case _:
            several = "分别" if len(words) > 1 else ""
            return f"{_row(table, phrase, leaf.ask.pick)}的{'和'.join(words)}{several}是什么？"


def _answer(leaf: Leaf, of: str, found: Found, description: Description) -> str:
    table = description.table_of(leaf.branch.tool)
    phrase = _phrase(leaf.branch.tool, of, description)
    words, keys = _words(table, leaf.ask), found.keys
    match leaf.ask.form:
        case "count":
            return f"{phrase}一共有{keys[0]}。"
        case "sum":
            return f"{phrase}的{words[0]}合计是{keys[0]}。"
        case "mean":
            return f"{phrase}的{words[0]}平均是{keys[0]}。"
        case "difference":
            return f"{phrase}的{'与'.join(words)}相差{keys[0]}。"
        case "list" | "extract":
            return f"{phrase}的{words[0]}有{'、'.join(keys)}。"
        case _:
            said = "，".join(f"{word}是{key}" for word, key in zip(words, keys, strict=True))
            return f"{_row(table, phrase, leaf.ask.pick)}的{said}。"


def _words(table: Table, ask: Ask) -> Sequence[str]:
    if ask.form == "extract":
        return [one.word for one in table.extracts if one.column in ask.columns]
    return [table.asks[column] for column in ask.columns]


def _is_money(leaf: Leaf, description: Description) -> bool:
    amounts = description.table_of(leaf.branch.tool).amounts
    return any(column in amounts for column in leaf.ask.columns)
