"""Questions and answers in words, composed from the names of a description.

The steps of a path are clauses that give the entity they lead to a name (其执行法院下称“甲法院”);
the question is about the last. It shows the path, which `inforce.evals.construction.rewriting`
hides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inforce.evals.construction.description import Description, Table
from inforce.evals.construction.paths import Ask, AskForm, End, Leaf, Pick, SolutionPath, Step
from inforce.evals.construction.solving import LeafAnswer, Solution, display_name

FIRST: dict[End, str] = {
    "highest": "最高",
    "lowest": "最低",
    "earliest": "最早",
    "latest": "最晚",
}
IN_YUAN = "金额写作“人民币…元”，以元为单位，保留两位小数"
"""The instruction for the form of amounts."""

_OF = "的"
_MOST_OF = 2
"""A question with more of them in a row than 甲公司的母公司的电话 names the entities on its way."""

_OPENING = "请问，"
_BESIDES = "另外，"
_ORDINALS = "甲乙丙丁戊己"


class Words(NamedTuple):
    """A question and its answer in words."""

    question: str
    answer: str


_FORMS: dict[AskForm, Words] = {
    "count": Words("{of}一共有多少{measure}？", "{of}{keys}。"),
    "sum": Words("{of}的{words}合计是多少元？", "{of}的{words}合计是{keys}。"),
    "mean": Words("{of}的{words}平均是多少元？", "{of}的{words}平均是{keys}。"),
    "difference": Words("{of}的{words}相差多少元？", "{of}的{words}相差{keys}。"),
    "list": Words("{of}的{words}分别是{what}？请全部列出。", "{of}的{words}有{keys}。"),
    "extract": Words("{of}的{words}都有哪些？", "{of}的{words}有{keys}。"),
}
"""The forms of questions and answers; those about cells of a row depend on the cells."""


def write_words(path: SolutionPath, solution: Solution, description: Description) -> Words:
    """Write the question of a path about an entity, and its answer.

    One plain step is written in place (甲公司的母公司的电话) if that makes no long chain of 的;
    else every step gives the entity it leads to a name.
    """
    start = description.kinds[path.kind].named(display_name(solution.names[0]))
    subjects = (start,) * len(path.leaves)
    is_plain = len(path.trunk) == 1 and path.trunk[0].pick is None
    if is_plain:
        row, word = _row_of(path.trunk[0], start, description), path.trunk[0].link.word
        subjects = _subjects(path, f"{row}的{word}" if word else row, description)
    questions = _questions(path, subjects, description)
    is_chain = any(question.count(_OF) > _MOST_OF for question in questions)
    premise, answered = "", subjects
    if path.trunk and (not is_plain or is_chain):
        clauses, last = _clauses(path, start, description)
        questions = _questions(path, (last,) * len(path.leaves), description)
        premise = f"已知：{'；'.join(clauses)}。"
        kind = description.kinds[path.trunk[-1].link.kind]
        answered = (kind.named(display_name(solution.names[-1])),) * len(path.leaves)
    question = premise + _OPENING + _BESIDES.join(questions) + _hint(path, description)
    parts = zip(path.leaves, answered, solution.answers, strict=True)
    return Words(question, "".join(_answer(*part, description) for part in parts))


def _subjects(path: SolutionPath, of: str, description: Description) -> tuple[str, ...]:
    """The subject of each of the last look-ups; a long one is written once, with a name."""
    if len(path.leaves) == 1:
        return (of,)
    short = f"该{description.kinds[path.trunk[-1].link.kind].noun}"
    return (f"{of}（下称“{short}”）", *(short,) * (len(path.leaves) - 1))


def _clauses(path: SolutionPath, start: str, description: Description) -> tuple[list[str], str]:
    """A clause for each step, which names the entity it leads to, and the last name."""
    clauses: list[str] = []
    of = start
    for step in path.trunk:
        word = step.link.word
        if step.pick is None and not word and clauses:
            continue  # the same entity under another of its names
        row = _row_of(step, of, description)
        leading = f"{row}，其{word}" if step.pick else f"{row}的{word}，"
        of = f"{_ORDINALS[len(clauses)]}{description.kinds[step.link.kind].noun}"
        clauses.append(f"{leading if word else f'{row}，'}下称“{of}”")
    return clauses, of


def _row_of(step: Step, of: str, description: Description) -> str:
    """The row that a step goes on with."""
    tool = step.branch.tool
    phrase = description.tools[tool].spoken(of)
    return _row(description.table_of(tool), phrase, step.pick)


def _row(table: Table, phrase: str, pick: Pick | None) -> str:
    if pick is None:
        return phrase
    return f"{phrase}中{table.asks[pick.column]}{FIRST[pick.end]}的一{table.measure}"


def _questions(path: SolutionPath, subjects: Sequence[str], description: Description) -> list[str]:
    return [
        _question(leaf, subject, description)
        for leaf, subject in zip(path.leaves, subjects, strict=True)
    ]


def _question(leaf: Leaf, of: str, description: Description) -> str:
    table, ask = description.table_of(leaf.branch.tool), leaf.ask
    phrase = description.tools[leaf.branch.tool].spoken(of)
    words = _words(table, ask)
    asked = [_what(table, column) for column in ask.columns]
    if ask.form in _FORMS:
        return _FORMS[ask.form].question.format(
            of=phrase, words="与".join(words), measure=table.measure, what="".join(asked[:1])
        )
    row = _row(table, phrase, ask.pick)
    if len(set(asked)) > 1:
        each = [f"{word}是{what}" for word, what in zip(words, asked, strict=True)]
        return f"{row}的{'，'.join(each)}？"
    several = "分别" if len(words) > 1 else ""
    return f"{row}的{'和'.join(words)}{several}是{asked[0]}？"


def _what(table: Table, column: str) -> str:
    """The question word for a column: who, how much, when, or what."""
    if column in table.persons:
        return "谁"
    if column in table.amounts or column in table.frames:
        return "多少"
    return "哪一天" if column in table.dates else "什么"


def _answer(leaf: Leaf, of: str, answer: LeafAnswer, description: Description) -> str:
    table, ask = description.table_of(leaf.branch.tool), leaf.ask
    phrase = description.tools[leaf.branch.tool].spoken(of)
    words, keys = _words(table, ask), answer.keys
    if ask.form in _FORMS:
        form = _FORMS[ask.form].answer
        return form.format(of=phrase, words="与".join(words), keys="、".join(keys))
    said = "，".join(f"{word}是{key}" for word, key in zip(words, keys, strict=True))
    return f"{_row(table, phrase, ask.pick)}的{said}。"


def _words(table: Table, ask: Ask) -> list[str]:
    if ask.form == "extract":
        return [table.extracts[column].word for column in ask.columns]
    return [table.asks[column] for column in ask.columns]


def _hint(path: SolutionPath, description: Description) -> str:
    """The form in which numbers are to be written, so that an answer can be recognised."""
    hints: dict[str, None] = {}
    for leaf in path.leaves:
        table, ask = description.table_of(leaf.branch.tool), leaf.ask
        if ask.form == "count":
            hints[f"数量写作“共几{table.measure}”"] = None
        elif ask.form != "extract" and any(column in table.amounts for column in ask.columns):
            hints[IN_YUAN] = None
        for column in ask.columns:
            if frame := table.frames.get(column):
                hints[f"{table.asks[column]}写作“{frame.replace('{}', '…')}”"] = None
    return f"（{'；'.join(hints)}。）" if hints else ""
