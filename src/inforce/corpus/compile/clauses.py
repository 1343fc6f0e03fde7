"""What an instrument orders, as values: points, their clauses, and the parts of laws they name.

Everything is as the clause names it. What it leaves out is taken from the context when it is
applied (`inforce.corpus.compile.locating`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from inforce.corpus.compile.instrument import Instrument, Point
from inforce.corpus.compile.lawtree import Refusal
from inforce.corpus.compile.quotations import Quotation, Quoted
from inforce.corpus.compile.wording import NUMERAL
from inforce.law.numerals import ProvisionNumber, format_numeral

ARTICLE_NUMBER = re.compile(f"第{NUMERAL}条(?:之[一二三四五六七八九十]+)?")

Level = Literal[
    "law",
    "title",
    "contents",
    "preamble",
    "body",
    "annex",
    "heading",
    "heading name",
    "article",
    "paragraph",
    "item",
    "subitem",
    "lead",
    "sentence",
    "each",
    "this",
    "crime",
]
"""What a reference can name, outermost first; ``lead`` is the words above the items."""

Numbering = Literal["", "old", "new"]
Place = Literal["", "after", "before", "between", "start", "end"]
Verb = Literal[
    "become",
    "number",
    "add",
    "delete",
    "merge",
    "split",
    "move",
    "into",
    "except",
    "reorder",
    "reorder_list",
    "assertion",
    "content",
    "repeal",
    "name",
]


@dataclass(frozen=True, slots=True)
class Step:
    """One step down: 第三款 is ``Step("paragraph", 3)``."""

    level: Level
    number: int = 0
    """Counted from 1; for sentences from the end where it is negative; 0 where there is none."""
    branch: int = 0
    name: str = ""
    """The unit of a heading (章), the title of a law, the name of an annex, ``但书``."""

    @property
    def provision(self) -> ProvisionNumber:
        """The number of the article it names."""
        return ProvisionNumber.article(self.number, self.branch)

    def __str__(self) -> str:
        unit = {"article": "条", "paragraph": "款", "item": "项", "subitem": "目"}.get(self.level)
        if unit:
            branch = f"之{format_numeral(self.branch)}" if self.branch else ""
            return f"第{format_numeral(self.number)}{unit}{branch}"
        if self.level == "heading" and self.number:
            return f"第{format_numeral(self.number)}{self.name}"
        return self.name or self.level


@dataclass(frozen=True, slots=True)
class Reference:
    """A part of a law as a clause names it; what it leaves out is taken from the context."""

    steps: tuple[Step, ...]
    _: KW_ONLY
    numbering: Numbering = ""
    """Whether it says 原 (the old number) or 修改后 (the new one)."""
    until: Step | None = None
    """The last of a range: 第三条至第五条."""
    lead: Quotation | None = None
    """Words with which the part begins, as it says: 第六十二条“…行使下列职权”中."""

    @property
    def law(self) -> str:
        """The law it names, as printed; empty if it names none."""
        return next((step.name for step in self.steps if step.level == "law"), "")

    @property
    def inner(self) -> tuple[Step, ...]:
        """The steps within the law."""
        return tuple(step for step in self.steps if step.level not in ("law", "each"))

    @property
    def last_steps(self) -> list[Step]:
        """The last step, for a range every one: 第三条至第五条, 第十二条之二至第十二条之四.

        Raises:
            Refusal: for a range from the 之 articles of one article to those of another.
        """
        first, last = self.steps[-1], self.until
        if last is None:
            return [first]
        if not (first.branch or last.branch):
            numbers = range(first.number, last.number + 1)
            return [Step(first.level, number, name=first.name) for number in numbers]
        if first.number != last.number:
            raise Refusal(f"it is not certain which numbers {self} are")
        branches = range(first.branch, last.branch + 1)
        return [Step(first.level, first.number, branch) for branch in branches]

    def __str__(self) -> str:
        until = f"至{self.until}" if self.until else ""
        return "".join(map(str, self.steps)) + until


@dataclass(frozen=True, slots=True)
class Target:
    """What a clause works on: parts of a law, or words in them, or the place beside them."""

    references: tuple[Reference, ...] = ()
    words: tuple[Quoted, ...] = ()
    """The words that are replaced, deleted, or beside which something is put."""
    place: Place = ""
    _: KW_ONLY
    nth: int = 0
    """Which of several occurrences is meant (第二个“…”), counted from the end if negative."""
    times: int = 0
    """How often the words occur, as the clause says (两处“…”)."""
    anchor: tuple[Quoted, ...] = ()
    """Words beside which those meant stand (“甲”后的“乙”), two for “甲”与“乙”之间的“丙”."""
    side: Place = ""
    """On which side of the anchor they stand."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of an amending sentence."""

    verb: Verb
    text: str
    targets: tuple[Target, ...] = ()
    _: KW_ONLY
    numbers: tuple[Reference, ...] = ()
    """New numbers: 改为第三条, 作为第二款."""
    content: tuple[Quoted, ...] = ()
    """The new wording."""
    count: int = 0
    """How many units are added or made (增加二款, 分为两条)."""
    unit: str = ""
    tail: Clause | None = None
    """What the clause goes on to say of the same thing (改为第二款并修改为 …)."""
    plural: bool = False
    """Whether it says that the words occur several times (均, 统一, 所有)."""
    respective: bool = False
    """Whether old and new words are paired in order (分别)."""

    @property
    def references(self) -> list[Reference]:
        """The parts it works on, or in which its words are."""
        return [reference for target in self.targets for reference in target.references]

    @property
    def laws(self) -> list[str]:
        """The laws it names, as printed; not 本法."""
        return [reference.law for reference in self.references if reference.law not in ("", "本")]

    @property
    def is_list(self) -> bool:
        """Whether the parts it is about are listed below it (下列法律中的“…”)."""
        return any(
            step.level == "each" for reference in self.references for step in reference.steps
        )

    @property
    def is_relative(self) -> bool:
        """Whether it refers to parts of what was named before it."""
        levels = {reference.steps[0].level for reference in self.references}
        return levels.isdisjoint(("article", "law", "heading"))

    @property
    def only_numbers(self) -> bool:
        """第五条改为第六条: a new number and nothing else."""
        bare = self.verb in ("become", "number") and not self.content and self.tail is None
        return bare and bool(self.numbers and self.targets) and not self.targets[0].words

    @property
    def may_change_articles(self) -> bool:
        """Whether it could change which articles there are, or their numbers."""
        if (
            any(number.steps[-1].level == "article" for number in self.numbers)
            or self.verb == "into"
        ):
            return True
        if self.verb not in ("merge", "split", "move", "delete"):
            return False
        whole = [target for target in self.targets if not target.words]
        if self.verb == "delete" and not whole:
            return False
        levels = {reference.steps[-1].level for target in whole for reference in target.references}
        return not levels or self.unit == "条" or bool(levels & {"article", "heading", "this"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One clause of a point, or why it cannot be read."""

    text: str
    """As masked in the point, for messages."""
    clause: Clause | None = None
    problem: str = ""
    begins: bool = False
    """Whether a sentence begins with it."""


Kind = Literal["amending", "heading", "commencement", "closing", "lapse", "provision"]
"""``provision``: a rule of its own that changes no text. ``lapse``: something ceases to apply, and
its text stays. ``heading``: names what follows."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One numbered point of an instrument."""

    point: Point
    kind: Kind
    pieces: tuple[Piece, ...] = ()
    _: KW_ONLY
    law: str = ""
    """The law it amends unless it names another, as printed."""
    within: Clause | None = None
    """The part that the point above names for those below it (六、第六条作如下修改：（一）…)."""
    rules: tuple[str, ...] = ()
    """Its sentences that are rules of their own."""

    @property
    def clauses(self) -> list[Clause]:
        """Its clauses that could be read."""
        return [piece.clause for piece in self.pieces if piece.clause is not None]


@dataclass(frozen=True, slots=True)
class Reading:
    """An instrument with its points understood as far as the grammar goes."""

    instrument: Instrument
    instructions: tuple[Instruction, ...]
    laws: tuple[str, ...]
    """Every law it says it amends, as printed, in order."""
    _: KW_ONLY
    aliases: tuple[tuple[str, str], ...] = ()
    """Short names it gives to laws: 《解释》."""
    commencement: tuple[str, ...] = ()
    """Its sentences on commencement."""
    reorders: tuple[str, ...] = ()
    """Its closing sentences that say 条文顺序作相应调整."""

    def full_name(self, name: str) -> str:
        """The name of a law with the instrument's own abbreviations written out."""
        return dict(self.aliases).get(name, name)

    def amends(self, same_law: Callable[[str], bool]) -> bool:
        """Whether it says that it amends a law."""
        return any(same_law(self.full_name(law)) for law in self.laws)
