"""One instrument being applied to one law: the tree, what became of every clause, what is open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from inforce.corpus.compile.instructions import Reading
from inforce.corpus.compile.lawtree import Article, LawTree
from inforce.corpus.compile.locating import SameLaw
from inforce.law.numerals import ProvisionNumber

Status = Literal["applied", "confirmed", "refused", "failed", "noted"]
"""``confirmed``: an assertion of the instrument (…相应修改为) that the result agrees with.
``failed``: one that it does not agree with. ``noted``: no article changes (an annex, a name of a
crime, a repeal)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one clause."""

    instruction: str
    """The number of the point, e.g. ``十三（二）``."""
    text: str
    """The clause as printed, long quotations cut short."""
    status: Status
    reason: str = ""
    articles: tuple[str, ...] = ()
    """The articles it was applied to, or that are uncertain because it was refused."""
    unknown_text: bool = False
    """Whether it was refused only because the base text lacks the article."""


@dataclass(slots=True)
class Session:
    """One instrument being applied to one law."""

    tree: LawTree
    reading: Reading
    same_law: SameLaw
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    reorders: bool = False
    """Whether it says that the numbering is adjusted."""
    uncertain: bool = False
    """Whether a refusal leaves it uncertain which articles there are."""
    repealed: bool = False
    has_evidence: bool = False
    """Whether the text as republished is known, by which words that occur several times can be
    judged."""
    restated: int = 0
    """How many parts were given new wording,"""
    already: int = 0
    """and how many of them had it before."""
    provisional: list[tuple[Article, int]] = field(default_factory=list[tuple[Article, int]])
    """Articles in which words were replaced wherever they occur although the clause does not say
    so, and the outcome that depends on the republished text."""
    absorbed: list[tuple[ProvisionNumber, int, Article]] = field(
        default_factory=list[tuple[ProvisionNumber, int, Article]]
    )
    """Articles that become a paragraph of the article that will have a number."""
