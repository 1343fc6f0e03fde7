"""What the points of an instrument order: clauses, and what each of them is about."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from inforce.corpus.compile.clauses import Clause
from inforce.corpus.compile.instrument import Instrument, Point

Kind = Literal["amending", "heading", "commencement", "closing", "lapse", "provision"]
"""``provision``: a rule of its own that changes no text. ``lapse``: something ceases to apply, and
its text stays. ``heading``: names what follows."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One clause of a point, or why it cannot be read."""

    text: str
    """As masked in the point, for messages."""
    clause: Clause | None = None
    problem: str = ""
    begins: bool = False
    """Whether a sentence begins with it."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One numbered point of an instrument."""

    point: Point
    kind: Kind
    pieces: tuple[Piece, ...] = ()
    _: KW_ONLY
    law: str = ""
    """The law it amends unless it names another, as printed."""
    template: Clause | None = None
    """The clause of the point above that the parts of laws listed here are put into."""
    template_point: Point | None = None
    within: Clause | None = None
    """The part that the point above names for those below it (六、第六条作如下修改：（一）…)."""
    rules: tuple[str, ...] = ()
    """Its sentences that are rules of their own."""


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
