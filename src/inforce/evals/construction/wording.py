"""Questions and answers in words, composed from what a description calls things.

Steps on the way are clauses that give what they lead to a name (其执行法院下称“甲法院”), and the
question is asked of the last. It shows the path; `inforce.evals.construction.rewriting` hides it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inforce.evals.construction.answers import Found, Solution, display_name
from inforce.evals.construction.description import Description, Table
from inforce.evals.construction.paths import Leaf, SolutionPath
from inforce.evals.construction.planning import Ask, End, Pick, Step

FIRST: dict[End, str] = {
    "highest": "最高",
    "lowest": "最低",
    "earliest": "最早",
    "latest": "最晚",
}
IN_YUAN = "金额写作“人民币…元”，以元为单位，保留两位小数"
"""How amounts are to be written."""

_OF = "的"
_MOST_OF = 2
"""A question with more of them in a row than 甲公司的母公司的电话 gives what it passes a name."""

_OPENING = "请问，"
_BESIDES = "另外，"
_ORDINALS = "甲乙丙丁戊己"


@dataclass(frozen=True, slots=True)
class Worded:
    """A question and its answer in words."""

    question: str
    answer: str


def worded(path: SolutionPath, solution: Solution, description: Description) -> Worded:
    """The question a path asks of an entity, and its answer.

    One plain step is said in place (甲公司的母公司的电话) where that makes no chain; else every
    step gives what it leads to a name.
    """
    root = description.kinds[path.kind].named(display_name(solution.names[0]))
    known: list[str] = []
    named: tuple[str, ...] = (root,) * len(path.leaves)
    if len(path.trunk) == 1 and path.trunk[0].pick is None:
        named = _named(path, _after(path.trunk[0], root, description), description)
    asked = _questions(path, named, description)
    if len(path.trunk) > 1 or (path.trunk and (path.trunk[0].pick or _is_chain(asked))):
        known, last = _steps(path, root, description)
        named = (last,) * len(path.leaves)
        asked = _questions(path, named, description)
    premise = f"已知：{'；'.join(known)}。" if known else ""
    question = premise + _OPENING + _BESIDES.join(asked) + _hint(path, description)
    return Worded(question, _answers(path, solution, description, None if known else named))


def _steps(path: SolutionPath, root: str, description: Description) -> tuple[list[str], str]:
    """A clause a step that names what it leads to, and the last name."""
    known: list[str] = []
    of = root
    for step in path.trunk:
        if step.pick is None and not step.link.word and known:
            continue  # the same thing under another of its names
        short = f"{_ORDINALS[len(known)]}{description.kinds[step.link.kind].noun}"
        known.append(f"{_leading(step, of, description)}下称“{short}”")
        of = short
    return known, of


def _questions(path: SolutionPath, named: Sequence[str], description: Description) -> list[str]:
    return [_question(leaf, of, description) for leaf, of in zip(path.leaves, named, strict=True)]


def _is_chain(asked: Sequence[str]) -> bool:
    return any(one.count(_OF) > _MOST_OF for one in asked)


def _answers(
    path: SolutionPath,
    solution: Solution,
    description: Description,
    named: tuple[str, ...] | None,
) -> str:
    """The answer; of a named step it says which entity that was."""
    kind = path.trunk[-1].link.kind if path.trunk else path.kind
    last = description.kinds[kind].named(display_name(solution.names[-1]))
    parts = zip(path.leaves, named or (last,) * len(path.leaves), solution.found, strict=True)
    return "".join(_answer(leaf, of, found, description) for leaf, of, found in parts)


def _hint(path: SolutionPath, description: Description) -> str:
    """How numbers are to be written, so that an answer can be recognised."""
    hints: dict[str, None] = {}
    for leaf in path.leaves:
        table = description.table_of(leaf.branch.tool)
        if leaf.ask.form == "count":
            hints[f"数量写作“共几{table.measure}”"] = None
        if leaf.ask.form not in ("count", "extract") and _is_money(leaf, description):
            hints[IN_YUAN] = None
        for column in leaf.ask.columns:
            if frame := table.frames.get(column):
                hints[f"{table.asks[column]}写作“{frame.replace('{}', '…')}”"] = None
    return f"（{'；'.join(hints)}。）" if hints else ""


def _named(path: SolutionPath, of: str, description: Description) -> tuple[str, ...]:
    """What each of the last look-ups is said of: a long description is given once, with a name."""
    if not path.trunk or len(path.leaves) == 1:
        return (of,) * len(path.leaves)
    short = f"该{description.kinds[path.trunk[-1].link.kind].noun}"
    return (f"{of}（下称“{short}”）", *(short,) * (len(path.leaves) - 1))


def _leading(step: Step, of: str, description: Description) -> str:
    """What a step leads to, as the beginning of a clause that names it."""
    table = description.table_of(step.branch.tool)
    row = _row(table, _phrase(step.branch.tool, of, description), step.pick)
    if not step.link.word:
        return f"{row}，"
    return f"{row}，其{step.link.word}" if step.pick else f"{row}的{step.link.word}，"


def _after(step: Step, of: str, description: Description) -> str:
    """What a step leads to, in words."""
    table = description.table_of(step.branch.tool)
    row = _row(table, _phrase(step.branch.tool, of, description), step.pick)
    return f"{row}的{step.link.word}" if step.link.word else row


def _row(table: Table, phrase: str, pick: Pick | None) -> str:
    """The row a question goes on with."""
    if pick is None:
        return phrase
    return f"{phrase}中{table.asks[pick.column]}{FIRST[pick.end]}的一{table.measure}"


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
            return f"{phrase}的{words[0]}分别是{_what(table, leaf.ask.columns[0])}？请全部列出。"
        case "difference":
            return f"{phrase}的{'与'.join(words)}相差多少元？"
        case "extract":
            return f"{phrase}的{words[0]}都有哪些？"
        case _:
            asked = [_what(table, column) for column in leaf.ask.columns]
            row = _row(table, phrase, leaf.ask.pick)
            if len(set(asked)) > 1:
                each = [f"{word}是{what}" for word, what in zip(words, asked, strict=True)]
                return f"{row}的{'，'.join(each)}？"
            several = "分别" if len(words) > 1 else ""
            return f"{row}的{'和'.join(words)}{several}是{asked[0]}？"


def _what(table: Table, column: str) -> str:
    """What a question asks of a column: who, how much, when, or what."""
    if column in table.persons:
        return "谁"
    if column in table.amounts or column in table.frames:
        return "多少"
    return "哪一天" if column in table.dates else "什么"


def _answer(leaf: Leaf, of: str, found: Found, description: Description) -> str:
    table = description.table_of(leaf.branch.tool)
    phrase = _phrase(leaf.branch.tool, of, description)
    words, keys = _words(table, leaf.ask), found.keys
    match leaf.ask.form:
        case "count":
            return f"{phrase}{keys[0]}。"
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
