"""What an amending clause says, as values: parts of a law, words, places, new numbers, new wording.

Everything is as the clause names it. What it leaves out is taken from the context when it is
applied (`inforce.corpus.compile.locating`).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from inforce.law.numerals import format_numeral

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
    lead: int | None = None
    """A quotation that says how the part begins: 第六十二条“…行使下列职权”中."""

    @property
    def law(self) -> str:
        """The law it names, as printed; empty if it names none."""
        return next((step.name for step in self.steps if step.level == "law"), "")

    @property
    def inner(self) -> tuple[Step, ...]:
        """The steps within the law."""
        return tuple(step for step in self.steps if step.level not in ("law", "each"))

    def __str__(self) -> str:
        until = f"至{self.until}" if self.until else ""
        return "".join(map(str, self.steps)) + until


@dataclass(frozen=True, slots=True)
class Target:
    """What a clause works on: parts of a law, or words in them, or the place beside them."""

    references: tuple[Reference, ...] = ()
    words: tuple[tuple[int, ...], ...] = ()
    """The words that are replaced, deleted, or beside which something is put: quotations, several
    together where they are the paragraphs of one text."""
    place: Place = ""
    _: KW_ONLY
    nth: int = 0
    """Which of several occurrences is meant (第二个“…”), counted from the end if negative."""
    times: int = 0
    """How often the words occur, as the clause says (两处“…”)."""
    anchor: tuple[tuple[int, ...], ...] = ()
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
    content: tuple[tuple[int, ...], ...] = ()
    """The new wording, as `Target.words`."""
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
    def laws(self) -> list[str]:
        """The laws it names, as printed."""
        named = (one.law for target in self.targets for one in target.references)
        return [law for law in named if law]

    @property
    def is_list(self) -> bool:
        """Whether the parts it is about are listed below it (下列法律中的“…”)."""
        references = (one for target in self.targets for one in target.references)
        return any(step.level == "each" for one in references for step in one.steps)

    @property
    def is_relative(self) -> bool:
        """Whether it refers to parts of what was named before it."""
        steps = [one.steps[0].level for target in self.targets for one in target.references]
        return all(level not in ("article", "law", "heading") for level in steps)

    @property
    def only_numbers(self) -> bool:
        """第五条改为第六条: a new number and nothing else."""
        bare = self.verb in ("become", "number") and not self.content and self.tail is None
        return bare and bool(self.numbers and self.targets) and not self.targets[0].words
