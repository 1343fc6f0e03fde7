"""From one clause of an amending sentence to a `Clause`, by the grammar ``amending.lark``.

>>> clause = read_clause("将第九条第二款改为第十条")
>>> clause.verb, [str(one) for one in clause.targets[0].references], clause.numbers[0].steps
('become', ['第九条第二款'], (Step(level='article', number=10, branch=0, name=''),))
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, Any, get_args

from inforce.corpus.compile.clauses import (
    Clause,
    Level,
    Numbering,
    Place,
    Reference,
    Step,
    Target,
    Verb,
)
from inforce.corpus.compile.normalising import NUMERAL
from inforce.corpus.compile.quotations import index_of
from inforce.law.numerals import parse_numeral

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

_DEPTHS: dict[Level, int] = {
    "law": 0,
    "each": 0,
    "title": 1,
    "contents": 1,
    "preamble": 1,
    "body": 1,
    "annex": 1,
    "crime": 9,
    "heading": 1,
    "heading name": 2,
    "article": 3,
    "paragraph": 4,
    "item": 5,
    "subitem": 6,
    "lead": 7,
    "sentence": 8,
    "this": 2,
}


class UnreadableClause(ValueError):
    """A clause that the grammar does not know; says where reading stopped."""


_PLURAL = re.compile("均|统一|所有|全部|各处|两处|几处|多处|一律|都")


@lru_cache(maxsize=4096)
def read_clause(text: str, names: frozenset[str] = frozenset()) -> Clause:
    """The clause in a piece of normalised text, which has no comma outside quotations.

    Args:
        text: the piece.
        names: short names of laws the instrument uses without 《》, e.g. ``刑法``.

    Raises:
        UnreadableClause: if the grammar does not know it.
    """
    from lark.exceptions import UnexpectedInput

    marked = _with_names(text, names)
    try:
        tree = _parser().parse(marked)
    except UnexpectedInput as error:
        position = getattr(error, "pos_in_stream", None) or len(marked)
        rest = marked[max(position, 0) : position + 12] or marked[-12:]
        raise UnreadableClause(f"the grammar stops at {rest!r}") from error
    return _clause(tree, text)


def _with_names(text: str, names: frozenset[str]) -> str:
    """Bare names of laws put into 《》, so that they are one token."""
    if not names:
        return text
    bare = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    pattern = re.compile(
        rf"《[^》]*》|(?<![\u4e00-\u9fff])(?:中华人民共和国)?(?:{bare})(?![\u4e00-\u9fff]*》)"
    )
    lead = re.compile(
        rf"((?:^|[将对在把删去除、和]))(?:中华人民共和国)?({bare})(?=第|中|的|序|[\ue000-\uf8ff]|章|题|名)"
    )
    return lead.sub(r"\1《\2》", text) if pattern.search(text) or lead.search(text) else text


@cache
def _parser() -> Lark:
    from lark import Lark

    source = (files(__package__ or __name__) / "amending.lark").read_text(encoding="utf-8")
    return Lark(source.replace("__N__", NUMERAL), parser="lalr", lexer="basic")


def _clause(tree: Tree[Token], text: str) -> Clause:
    called = tree.data == "called"  # 章名为“…”
    verb: Any = "become" if called else tree.data
    parts: list[Any] = [*tree.children]
    clause = Clause(
        verb,
        text,
        plural=_PLURAL.search(text) is not None,
        respective="分别" in text,
    )
    runs = [list(part.children) for part in parts if _is(part, "operands")]
    if runs:
        clause = replace(clause, targets=_targets(runs[0]))
    if verb == "into":
        clause = replace(clause, targets=_targets(runs[0]))
    if verb == "delete_within":
        clause = replace(clause, verb="delete", targets=_within(runs[0], runs[1]))
    if verb == "reorder_list":
        clause = replace(clause, targets=(*_targets(runs[0]), *_targets(runs[-1])))
    if verb == "move":
        clause = replace(clause, targets=(*clause.targets, *_targets(runs[-1])))
    if called:
        clause = replace(clause, content=((index_of(str(parts[-1])),),))
    for part in parts:
        if _is(part, "new") or _is(part, "added"):
            clause = _with_new(clause, part)
        elif _is(part, "tail"):
            clause = replace(clause, tail=_tail(part, text))
        elif _is(part, "content"):
            clause = replace(clause, content=_quotes(part))
        elif not hasattr(part, "data") and part.type == "COUNT":
            clause = _with_count(clause, str(part))
    return clause


def _within(outer: Sequence[Any], inner: Sequence[Any]) -> tuple[Target, ...]:
    """第五条第一款删去“…”, 第六条删去第二款: what is named last, in the parts named first."""
    around = _targets(outer)
    if any(one.words or one.place for one in around):
        raise UnreadableClause("it is not certain what is deleted beside the words")
    parts = [reference for one in around for reference in one.references]
    found: list[Target] = []
    for target in _targets(inner):
        references = target.references or (None,)
        joined = tuple(_below(part, below) for part in parts for below in references)
        found.append(replace(target, references=joined))
    return tuple(found)


def _below(part: Reference, below: Reference | None) -> Reference:
    """A reference within the part of another: 第六条 … 第二款."""
    if below is None:
        return part
    deeper = _depth(below.steps[0]) > _depth(part.steps[-1])
    if part.until is not None or part.lead is not None or not deeper:
        raise UnreadableClause(f"{below} is no part of {part}")
    return replace(below, steps=(*part.steps, *below.steps), numbering=part.numbering)


def _is(part: Any, name: str) -> bool:
    return getattr(part, "data", None) == name


def _tail(tree: Any, text: str) -> Clause:
    first = tree.children[0]
    verbs: dict[str, Verb] = {"BECOME": "become", "AS": "number", "MERGE": "merge"}
    verb = verbs[first.type]
    clause = Clause(verb, text)
    for part in tree.children[1:]:
        if _is(part, "new"):
            clause = _with_new(clause, part)
        elif _is(part, "tail"):
            clause = replace(clause, tail=_tail(part, text))
    return clause


def _with_new(clause: Clause, tree: Any) -> Clause:
    for part in tree.children:
        if part is None:
            continue
        if _is(part, "numbers"):
            references = _targets(list(part.children))
            named = (one for target in references for one in target.references)
            numbers = tuple(filter(None, map(_without_this, named)))
            clause = replace(clause, numbers=numbers)
        elif _is(part, "content"):
            clause = replace(clause, content=_quotes(part))
        else:
            clause = _with_count(clause, str(part))
    return clause


def _without_this(reference: Reference) -> Reference | None:
    """A new number without 该条: it is the article referred to anyway.

    Raises:
        UnreadableClause: for 本章第一条, which counts from the beginning of the chapter.
    """
    counted = any(
        one.name[-1:] in ("编", "章", "节") and below.level == "article"
        for one, below in pairwise(reference.steps)
        if one.level == "this"
    )
    if counted:
        raise UnreadableClause(f"{reference} is not a number of the law")
    steps = tuple(step for step in reference.steps if step.level != "this")
    return replace(reference, steps=steps) if steps else None


def _with_count(clause: Clause, text: str) -> Clause:
    match = re.match(rf"({NUMERAL})个?(.+)", text)
    assert match is not None
    return replace(clause, count=parse_numeral(match[1]), unit=match[2])


def _quotes(tree: Any) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = []
    separated = True
    for token in tree.children:
        if getattr(token, "type", "") == "QUOTE":
            if separated:
                groups.append([])
            groups[-1].append(index_of(str(token)))
            separated = False
        elif getattr(token, "type", "") == "LIST":
            separated = True
    return tuple(map(tuple, groups))


_PLACES: dict[str, Place] = {
    "AFTER": "after",
    "BEFORE": "before",
    "BETWEEN": "between",
    "AT_END": "end",
    "AT_START": "start",
}


class _Run:
    """Reads a run of operands from left to right."""

    def __init__(self) -> None:
        self.targets: list[Target] = []
        self._references: list[Reference] = []
        self._words: list[list[int]] = []
        self._place: Place = ""
        self._steps: list[Step] = []
        self._numbering: Numbering = ""
        self._lead: int | None = None
        self._nth = 0
        self._times = 0
        self._anchor: list[list[int]] = []
        self._side: Place = ""
        self._range = False
        self._separated = False
        """Whether a 、 is between the last token and this one."""
        self._lasting: list[Step] = []
        """The steps of the reference before, which later ones of the list may leave out."""

    def read(self, tokens: Sequence[Any]) -> tuple[Target, ...]:
        for token in tokens:
            self._take(token.type, str(token))
        self._close_target()
        return tuple(self.targets)

    def _take(self, kind: str, text: str) -> None:
        if kind == "LIST":
            self._separated = True
            self._close_reference()
            return
        if kind == "TO":
            self._close_reference()
            self._range = True
        elif kind == "FLAG":
            self._start_afresh()
            self._numbering = "old" if text.startswith(("原", "现")) else "new"
        elif kind == "QUOTE":
            self._close_reference()
            if self._words and self._place and not self._separated and not self._anchor:
                self._anchor, self._side = self._words, self._place  # “甲”后的“乙”
                self._words, self._place = [], ""
            elif self._words and self._place:
                self._close_target()
            elif self._place in ("after", "before", "between") and not self._words:
                raise UnreadableClause("it is not said beside which words")
            if not self._words or self._separated:
                self._words.append([])
            self._words[-1].append(index_of(text))
        elif kind in ("NTH", "TIMES"):
            self._close_reference()
            if kind == "NTH":
                self._nth = -1 if text.startswith(("最", "末")) else _ordinal(text)
            else:
                self._times = _ordinal(text)
        elif kind in _PLACES:
            self._close_reference()
            if self._anchor:  # “甲”后“乙”前
                words, self._words = self._words, self._anchor
                place, self._place = self._place, self._side
                self._anchor, self._side = [], ""
                self._close_target()
                self._words, self._place = words, place
            self._place = _PLACES[kind]
        elif kind not in ("MID", "COLON"):
            self._step(_step(kind, text))
        self._separated = False

    def _step(self, step: Step) -> None:
        if self._range and self._references:
            last = self._references[-1]
            self._references[-1] = replace(last, until=step)
            self._range = False
            return
        if self._words and not self._separated and self._references and not self._place:
            deeper = _depth(step) > _depth(self._references[-1].steps[-1])
            if deeper and len(self._words) == 1:  # the quotation only says how the part begins
                last = self._references.pop()
                self._steps = list(last.steps)
                self._numbering, self._lead = last.numbering, self._words.pop()[0]
        self._start_afresh()
        if step.name == "本" and self._steps:
            return  # 本法有关条文, 第三章有关条文: the law, or all of the chapter, said twice
        within = self._steps[-1].level if self._steps else ""
        is_lead = within in ("article", "paragraph") and step.name in ("引言", "前言", "导言")
        if step.level == "preamble" and is_lead:
            step = Step("lead", name=step.name)
        if step.level == "title" and self._steps and self._steps[-1].level == "heading":
            step = Step("heading name", name=step.name)
        if self._steps and _depth(step) <= _depth(self._steps[-1]):
            self._close_reference()
        if not self._steps and self._lasting and step.level != "law":
            self._steps = [one for one in self._lasting if _depth(one) < _depth(step)]
            if step.level == "heading":
                self._steps = [one for one in self._steps if one.level in ("law", "heading")]
            elif step.level in ("article", "title", "preamble"):
                self._steps = [one for one in self._steps if one.level == "law"]
        self._steps.append(step)

    def _start_afresh(self) -> None:
        """What comes after words in quotation marks is another target."""
        if self._words or self._place:
            self._close_target()

    def _close_reference(self) -> None:
        if self._steps:
            steps = tuple(self._steps)
            self._references.append(Reference(steps, numbering=self._numbering, lead=self._lead))
            self._lasting = list(steps)
        self._steps, self._numbering, self._lead = [], "", None

    def _close_target(self) -> None:
        self._close_reference()
        if self._references or self._words or self._place:
            references = tuple(self._references)
            words = tuple(map(tuple, self._words))
            target = Target(
                references,
                words,
                self._place,
                nth=self._nth,
                times=self._times,
                anchor=tuple(map(tuple, self._anchor)),
                side=self._side,
            )
            self.targets.append(target)
        self._references, self._words, self._place = [], [], ""
        self._nth, self._times, self._anchor, self._side = 0, 0, [], ""


def _targets(tokens: Sequence[Any]) -> tuple[Target, ...]:
    return _Run().read(tokens)


def _depth(step: Step) -> float:
    if step.level == "heading":
        return 1 + _UNITS.get(step.name, 0) / 10
    return _DEPTHS[step.level]


_NUMBERED = re.compile(rf"第?（?({NUMERAL})）?(?:条之({NUMERAL}))?")
_LEVELS: dict[str, Level] = {level.upper(): level for level in get_args(Level)}
_UNITS = {"编": 0, "分编": 1, "章": 2, "部分": 2, "节": 3}


def _step(kind: str, text: str) -> Step:
    match kind:
        case "LAW":
            return Step("law", name=text.removeprefix("《").removesuffix("》"))
        case "SELF":
            return Step("law", name="本")
        case "EACH":
            return Step("each", name=text)
        case "ARTICLE" | "PARAGRAPH" | "ITEM" | "SUBITEM":
            return Step(_LEVELS[kind], *_numbers(text))
        case "SEGMENT":
            return Step("paragraph", *_numbers(text), name="段")
        case "HEADING":
            if not text.startswith("第"):
                return Step("heading", name=text)
            return Step(
                "heading",
                *_numbers(text),
                name=text.lstrip("第〇零一二两三四五六七八九十百千0123456789"),
            )
        case "SENTENCE":
            return _sentence(text)
        case "NAMED":
            if text in ("名称", "标题", "题目", "题名", "法名"):
                return Step("title", name=text)
            return Step("contents" if text == "目录" else "heading name", name=text)
        case "PREAMBLE" | "BODY" | "LEAD" | "CRIME" | "ANNEX":
            return Step(_LEVELS[kind], name=text)
        case "ALL":
            return Step("law", name="本")
        case _:
            return Step("this", name=text)


def _numbers(text: str) -> tuple[int, int]:
    match = _NUMBERED.match(text)
    assert match is not None, text
    return parse_numeral(match[1]), parse_numeral(match[2]) if match[2] else 0


def _ordinal(text: str) -> int:
    match = re.search(NUMERAL, text)
    return parse_numeral(match[0]) if match else 1


def _sentence(text: str) -> Step:
    if text.startswith("但书"):
        return Step("sentence", name="但书")
    match = re.search(NUMERAL, text)
    number = parse_numeral(match[0]) if match else 1
    if text.startswith(("后", "最后", "末")):
        return Step("sentence", -(number if "后" in text and match else 1))
    if text.startswith(("前", "首")):
        return Step("sentence", number, name="前" if text.startswith("前") else "")
    return Step("sentence", number)
