"""From one clause of an amending sentence to a `Clause`, by the grammar ``amending.lark``.

>>> clause = read_clause("将第九条第二款改为第十条", ())
>>> clause.verb, [str(part) for part in clause.targets[0].references], clause.numbers[0].steps
('become', ['第九条第二款'], (Step(level='article', number=10, branch=0, name=''),))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, pairwise
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
from inforce.corpus.compile.quotations import SIGN, Quotation, Quoted, index_of
from inforce.corpus.compile.wording import NUMERAL
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


def read_clause(
    text: str, quotations: Sequence[Quotation], names: frozenset[str] = frozenset()
) -> Clause:
    """The clause in a piece of normalised text, which has no comma outside quotations.

    Args:
        text: the piece.
        quotations: those of the point, for which characters stand in the text.
        names: short names of laws the instrument uses without 《》, e.g. ``刑法``.

    Raises:
        UnreadableClause: if the grammar does not know it.
    """
    return _ClauseReader(text, quotations).read(_parsed(_with_names(text, names)))


def _with_names(text: str, names: frozenset[str]) -> str:
    """Bare names of laws put into 《》, so that they are one token."""
    if not names:
        return text
    bare = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(
        rf"((?:^|[将对在把删去除、和]))(?:中华人民共和国)?({bare})(?=第|中|的|序|[\ue000-\uf8ff]|章|题|名)",
        r"\1《\2》",
        text,
    )


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Tree[Token]:
    from lark.exceptions import UnexpectedInput

    try:
        return _parser().parse(text)
    except UnexpectedInput as error:
        position = getattr(error, "pos_in_stream", None) or len(text)
        rest = re.sub(SIGN, "“…”", text[max(position, 0) : position + 12] or text[-12:])
        raise UnreadableClause(f"the grammar stops at {rest!r}") from error


@cache
def _parser() -> Lark:
    from lark import Lark

    source = (files(__package__ or __name__) / "amending.lark").read_text(encoding="utf-8")
    return Lark(source.replace("__N__", NUMERAL), parser="lalr", lexer="basic")


@dataclass(frozen=True, slots=True)
class _ClauseReader:
    """Makes a `Clause` of the tree that the grammar gives."""

    _text: str
    _quotations: Sequence[Quotation]

    def read(self, tree: Tree[Token]) -> Clause:
        runs = [self._targets(part) for part in tree.children if _name(part) == "operands"]
        verb: Any = {"called": "become", "delete_within": "delete"}.get(tree.data, tree.data)
        match tree.data:
            case "delete_within":
                targets = _within(*runs)
            case "into":
                targets = runs[0]
            case _:
                targets = tuple(chain.from_iterable(runs))
        plural, respective = _PLURAL.search(self._text) is not None, "分别" in self._text
        clause = Clause(verb, self._text, targets, plural=plural, respective=respective)
        return _one_wording_each(self._filled(clause, tree.children))

    def _filled(self, clause: Clause, parts: Sequence[Any]) -> Clause:
        """A clause with the new numbers, wording, count and tail that parts of its tree give."""
        for part in parts:
            match _name(part):
                case "new" | "added":
                    clause = self._filled(clause, part.children)
                case "numbers":
                    named = [
                        reference
                        for target in self._targets(part)
                        for reference in target.references
                    ]
                    numbers = tuple(filter(None, map(_without_this, named)))
                    clause = replace(clause, numbers=numbers)
                case "content":
                    clause = replace(clause, content=self._content(part))
                case "QUOTE":  # 章名为“…”
                    clause = replace(clause, content=((self._quotation(part),),))
                case "COUNT":
                    match = re.match(rf"({NUMERAL})个?(.+)", part)
                    assert match is not None
                    clause = replace(clause, count=parse_numeral(match[1]), unit=match[2])
                case "tail":
                    verb, *rest = part.children
                    tail = Clause(_VERBS_OF_TAILS[verb.type], self._text)
                    clause = replace(clause, tail=self._filled(tail, rest))
                case _:
                    pass
        return clause

    def _content(self, tree: Any) -> tuple[Quoted, ...]:
        groups: list[list[Quotation]] = []
        separated = True
        for part in tree.children:
            if _name(part) == "QUOTE":
                if separated:
                    groups.append([])
                groups[-1].append(self._quotation(part))
                separated = False
            elif _name(part) == "LIST":
                separated = True
        return tuple(map(tuple, groups))

    def _quotation(self, token: str) -> Quotation:
        return self._quotations[index_of(token)]

    def _targets(self, tree: Any) -> tuple[Target, ...]:
        run = _OperandReader(self._quotation)
        for token in tree.children:
            run.take(token.type, str(token))
        return run.finish()


_VERBS_OF_TAILS: dict[str, Verb] = {"BECOME": "become", "AS": "number", "MERGE": "merge"}


def _name(part: Any) -> str:
    """The name of a token or a rule."""
    return getattr(part, "type", "") or part.data


def _one_wording_each(clause: Clause) -> Clause:
    """“甲”“乙”修改为“丙”“丁”: side by side without a mark, the new words are one each."""
    count = sum(len(target.words) for target in clause.targets)
    if count < 2 or len(clause.content) != 1 or len(clause.content[0]) != count:
        return clause
    return replace(clause, content=tuple((each,) for each in clause.content[0]))


def _within(outer: Sequence[Target], inner: Sequence[Target]) -> tuple[Target, ...]:
    """第五条第一款删去“…”, 第六条删去第二款: what is named last, in the parts named first."""
    if any(target.words or target.place for target in outer):
        raise UnreadableClause("it is not certain what is deleted beside the words")
    parts = [reference for target in outer for reference in target.references]
    found: list[Target] = []
    for target in inner:
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


def _without_this(reference: Reference) -> Reference | None:
    """A new number without 该条: it is the article referred to anyway.

    Raises:
        UnreadableClause: for 本章第一条, which counts from the beginning of the chapter.
    """
    counted = any(
        step.name[-1:] in ("编", "章", "节") and below.level == "article"
        for step, below in pairwise(reference.steps)
        if step.level == "this"
    )
    if counted:
        raise UnreadableClause(f"{reference} is not a number of the law")
    steps = tuple(step for step in reference.steps if step.level != "this")
    return replace(reference, steps=steps) if steps else None


_PLACES: dict[str, Place] = {
    "AFTER": "after",
    "BEFORE": "before",
    "BETWEEN": "between",
    "AT_END": "end",
    "AT_START": "start",
}


class _OperandReader:
    """Reads the parts and words that a clause works on from left to right."""

    def __init__(self, quotation: Callable[[str], Quotation]) -> None:
        self._quotation = quotation
        self._targets: list[Target] = []
        self._references: list[Reference] = []
        self._words: list[list[Quotation]] = []
        self._place: Place = ""
        self._steps: list[Step] = []
        self._numbering: Numbering = ""
        self._lead: Quotation | None = None
        self._nth = 0
        self._times = 0
        self._anchor: list[list[Quotation]] = []
        self._side: Place = ""
        self._range = False
        self._separated = False
        """Whether a 、 is between the last token and this one."""
        self._before: list[Step] = []
        """The steps of the reference before, which later ones of the list may leave out."""

    def take(self, kind: str, text: str) -> None:
        """Take one token, of a kind that the grammar names."""
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
            if not self._words or self._separated or not self._goes_on():
                self._words.append([])
            self._words[-1].append(self._quotation(text))
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

    def _goes_on(self) -> bool:
        """“甲。”“乙。” are paragraphs of one wording; “甲”“乙” are words side by side."""
        return self._words[-1][-1].text.rstrip().endswith(("。", "；", "："))

    def finish(self) -> tuple[Target, ...]:
        """The targets, after the last token."""
        self._close_target()
        return tuple(self._targets)

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
        if not self._steps and self._before and step.level != "law":
            self._steps = [before for before in self._before if _depth(before) < _depth(step)]
            if step.level == "heading":
                self._steps = [step for step in self._steps if step.level in ("law", "heading")]
            elif step.level in ("article", "title", "preamble"):
                self._steps = [step for step in self._steps if step.level == "law"]
        self._steps.append(step)

    def _start_afresh(self) -> None:
        """What comes after words in quotation marks is another target."""
        if self._words or self._place:
            self._close_target()

    def _close_reference(self) -> None:
        if self._steps:
            steps = tuple(self._steps)
            self._references.append(Reference(steps, numbering=self._numbering, lead=self._lead))
            self._before = list(steps)
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
            self._targets.append(target)
        self._references, self._words, self._place = [], [], ""
        self._nth, self._times, self._anchor, self._side = 0, 0, [], ""


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
