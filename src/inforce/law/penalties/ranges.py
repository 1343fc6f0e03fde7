"""Statutory penalty ranges (法定刑幅度), and which of two is the lighter.

What "punished more lightly" means is fixed by 法释〔1997〕12号: the maximum of the statutory main
penalty decides, then the minimum. Which tier of an article fits the facts is a question of
`inforce.law.penalties.tier_selection`; which of two wordings is lighter, of
`inforce.law.penalties.severity`.

>>> ranges = find_ranges("故意伤害他人身体的，处三年以下有期徒刑、拘役或者管制。")
>>> [(str(r.lowest), str(r.highest)) for r in ranges]
[('管制', '有期徒刑3年')]
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, NamedTuple, TypeVar

from inforce.law.numerals import parse_numeral

MainPenalty = Literal["管制", "拘役", "有期徒刑", "无期徒刑", "死刑"]
"""The main penalties of 刑法 art. 33, lightest first."""

Comparison = Literal["lighter", "heavier", "same", "cannot decide"]
"""How the later wording punishes, seen from the earlier one."""

SHORTEST_TERM = 6
LONGEST_TERM = 15 * 12
"""Months of fixed-term imprisonment for one crime: six months to fifteen years, 刑法 art. 45."""

_SCALE: tuple[MainPenalty, ...] = ("管制", "拘役", "有期徒刑", "无期徒刑", "死刑")
FIXED_TERM, LIFE, DEATH = 3, 4, 5
"""Ranks of 有期徒刑, 无期徒刑 and 死刑 on the scale; 0 is a supplementary penalty alone."""

_N = "[一二三四五六七八九十]+"
_TERM = re.compile(rf"(?:({_N})年以上)?(?:({_N})年以下)?(?:({_N})年)?有期徒刑")
_OTHERS = "无期徒刑|死刑|拘役|管制|罚金|剥夺政治权利|没收财产"
_ANY = rf"(?:{_OTHERS}|(?:{_N}年以上)?(?:{_N}年以下)?(?:{_N}年)?有期徒刑)"
_RANGE = re.compile(
    rf"""
    (?<![判并单])处(?P<main>{_ANY}(?:(?:、|或者){_ANY})*)
    (?P<besides>(?:，(?:可以)?并处[^，。；：:\n]*)*)
    (?=[，。；：:\s]|$)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True, order=True)
class Penalty:
    """A point on the scale of main penalties; greater is heavier.

    ``rank`` counts from 0 (only a supplementary penalty, such as a fine alone) to 5 (死刑);
    ``months`` is the term for 有期徒刑 and 0 for all others.
    """

    rank: int
    months: int = 0

    def __str__(self) -> str:
        if self.rank == 0:
            return "附加刑"
        years = f"{self.months / 12:g}年" if self.months else ""
        return f"{_SCALE[self.rank - 1]}{years}"


P = TypeVar("P", Penalty, Decimal)


@dataclass(frozen=True, slots=True)
class PenaltyRange:
    """One tier (法定刑幅度): the lightest and the heaviest main penalty the court may choose."""

    text: str
    """The words of the statute, 处 included."""
    lowest: Penalty
    highest: Penalty
    besides: str
    """Supplementary penalties in the statute's words, e.g. ``并处罚金``; empty if none."""
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    """Where it is in the text it was read from."""


def find_ranges(text: str) -> tuple[PenaltyRange, ...]:
    """The penalty ranges a provision states, in its order; references (依照前款) are not followed.

    A range without an upper or lower end takes the general one: 有期徒刑 is six months to fifteen
    years (刑法 art. 45).
    """
    found: list[PenaltyRange] = []
    for match in _RANGE.finditer(text):
        ends = [end for name in re.split("、|或者", match["main"]) for end in _ends(name)]
        besides = match["besides"].removeprefix("，")
        found.append(PenaltyRange(match[0], min(ends), max(ends), besides, *match.span()))
    return tuple(found)


def compare_ranges(old: PenaltyRange, new: PenaltyRange) -> Comparison:
    """法释〔1997〕12号 art. 1: the maximum first, then the minimum.

    The interpretation refers to main penalties. Where these are equal the supplementary ones are
    compared in the same manner: what was added, became compulsory or lost its upper limit makes the
    later law heavier, the contrary lighter.
    """
    main = compare_extents((old.lowest, old.highest), (new.lowest, new.highest))
    if main != "same" or "".join(old.besides.split()) == "".join(new.besides.split()):
        return main
    return _compare_besides(old.besides, new.besides)


def compare_extents(old: tuple[P, P], new: tuple[P, P]) -> Literal["lighter", "heavier", "same"]:
    """Compare two ranges from a minimum to a maximum: the maximum decides, then the minimum."""
    for before, after in ((old[1], new[1]), (old[0], new[0])):
        if before != after:
            return "lighter" if after < before else "heavier"
    return "same"


def _ends(name: str) -> tuple[Penalty, ...]:
    """The lightest and the heaviest penalty that one alternative of a range allows."""
    term = _TERM.fullmatch(name)
    if term:
        low, high, exact = (parse_numeral(years) * 12 if years else 0 for years in term.groups())
        return (
            Penalty(FIXED_TERM, exact or low or SHORTEST_TERM),
            Penalty(FIXED_TERM, exact or high or LONGEST_TERM),
        )
    ranks = {kind: rank for rank, kind in enumerate(_SCALE, 1)}
    return (Penalty(ranks.get(name, 0)),)


class _Besides(NamedTuple):
    """Supplementary penalties on a scale: what the court may add at most, and must at least."""

    kind: int
    """0 nothing, 1 a fine, 2 confiscation too."""
    cap: tuple[str, float]
    """What the fine may not exceed, with what it is counted in; unlimited is infinite."""
    least: int
    """0 nothing need be added, 1 the fine may be alone (单处), 2 it must be added, 3 all goes.
    """


_CAP = re.compile(rf"(?:(?P<count>{_N})倍|百分之(?P<percent>{_N})|(?P<money>{_N})万元)以下罚金")
_BASE = re.compile("(?:可以)?并处(?:或者单处)?(?P<base>[^一二三四五六七八九十百]*)")


def _compare_besides(old: str, new: str) -> Comparison:
    before, after = _besides(old), _besides(new)
    if before.kind != after.kind:
        return "heavier" if after.kind > before.kind else "lighter"
    if before.cap != after.cap:
        if before.cap[0] != after.cap[0] and float("inf") not in (before.cap[1], after.cap[1]):
            return "cannot decide"
        return "heavier" if after.cap[1] > before.cap[1] else "lighter"
    if before.least != after.least:
        return "heavier" if after.least > before.least else "lighter"
    return "same" if before.kind == 2 else "cannot decide"


def _besides(text: str) -> _Besides:
    if not text:
        return _Besides(0, ("", 0.0), 0)
    least = 0 if text.startswith("可以") else 1 if "单处" in text else 2
    if "没收财产" in text:
        return _Besides(2, ("", float("inf")), least + (least == 2 and "罚金" not in text))
    cap = _CAP.search(text)
    if cap is None:
        return _Besides(1, ("", float("inf")), least)
    base = _BASE.match(text)
    counted = f"{base['base'] if base else ''}{'元' if cap['money'] else '倍'}"
    value = float(parse_numeral(cap["count"] or cap["percent"] or cap["money"]))
    return _Besides(1, (counted, value / 100 if cap["percent"] else value), least)
