"""Statutory penalty ranges, and which of two wordings punishes more lightly.

Article 12 of 刑法 keeps the law of the time of the act unless the law at trial is more lenient.
What "punished more lightly" means is fixed by 法释〔1997〕12号: the maximum of the statutory main
penalty decides, then the minimum; of several tiers, those of the tier that fits the facts.

>>> ranges = find_ranges("故意伤害他人身体的，处三年以下有期徒刑、拘役或者管制。")
>>> [(str(r.lowest), str(r.highest)) for r in ranges]
[('管制', '有期徒刑3年')]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from inforce.law.diff import diff
from inforce.law.model import Provision
from inforce.law.numerals import parse_numeral

MainPenalty = Literal["管制", "拘役", "有期徒刑", "无期徒刑", "死刑"]
"""The main penalties of 刑法 art. 33, lightest first."""

Comparison = Literal["lighter", "heavier", "same", "cannot decide"]
"""How the later wording punishes, seen from the earlier one."""

_SCALE: tuple[MainPenalty, ...] = ("管制", "拘役", "有期徒刑", "无期徒刑", "死刑")
_SHORTEST_TERM = 6
_LONGEST_TERM = 15 * 12
"""Months of fixed-term imprisonment for one crime: six months to fifteen years, 刑法 art. 45."""

_N = "[一二三四五六七八九十]+"
_TERM = re.compile(rf"(?:({_N})年以上)?(?:({_N})年以下)?(?:({_N})年)?有期徒刑")
_OTHERS = "无期徒刑|死刑|拘役|管制|罚金|剥夺政治权利|没收财产"
_ANY = rf"(?:{_OTHERS}|(?:{_N}年以上)?(?:{_N}年以下)?(?:{_N}年)?有期徒刑)"
_RANGE = re.compile(
    rf"""
    (?<![判并单])处(?P<main>{_ANY}(?:(?:、|或者){_ANY})*)
    (?P<besides>(?:，(?:可以)?并处[^，。；：]*)*)
    (?=[，。；：\s]|$)
    """,
    re.VERBOSE,
)
_BARS_LENIENCY = re.compile("不适用缓刑|不得假释|不得减刑")
_SENTENCE = re.compile(r"[^。；\n]+")
_LENGTHENS_A_LIST = re.compile("^(?:和|、|或者|以及|及)")


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


@dataclass(frozen=True, slots=True)
class PenaltyRange:
    """One tier (法定刑幅度): the lightest and the heaviest main penalty the court may choose."""

    text: str
    """The words of the statute, 处 included."""
    lowest: Penalty
    highest: Penalty
    besides: str
    """Supplementary penalties in the statute's words, e.g. ``并处罚金``; empty if none."""


@dataclass(frozen=True, slots=True)
class TierComparison:
    """One tier of the earlier wording beside the tier at the same place of the later one."""

    old: PenaltyRange
    new: PenaltyRange
    result: Comparison


@dataclass(frozen=True, slots=True)
class Severity:
    """Whether the later wording is lighter, heavier or the same, and why."""

    result: Comparison
    reason: str
    tiers: tuple[TierComparison, ...] = ()


def find_ranges(text: str) -> tuple[PenaltyRange, ...]:
    """The penalty ranges a provision states, in its order; references (依照前款) are not followed.

    A range without an upper or lower end takes the general one: 有期徒刑 is six months to fifteen
    years (刑法 art. 45).
    """
    return tuple(_range(match) for match in _RANGE.finditer(text))


def compare_severity(old: Provision, new: Provision) -> Severity:
    """Whether the later wording punishes more lightly, tier by tier (法释〔1997〕12号 arts. 1-3).

    Tiers are paired in order, and only where the rest of the wording is unchanged is anything
    decided: with other elements of the crime, the conduct may fall under another tier, or under
    none. A later wording that is heavier in some tiers and lighter in none counts as heavier.
    """
    if _without_spaces(old.text) == _without_spaces(new.text):
        return Severity("same", "the wording is the same")
    before, after = find_ranges(old.text), find_ranges(new.text)
    if not before and not after:
        return _compare_bars(old.text, new.text)
    if len(before) != len(after):
        return Severity("cannot decide", _unequal(len(before), len(after)))
    tiers = tuple(
        TierComparison(earlier, later, _compare_ranges(earlier, later))
        for earlier, later in zip(before, after, strict=True)
    )
    if _elements(old.text) != _elements(new.text):
        return Severity(
            "cannot decide", f"the elements of the crime changed too; {_each(tiers)}", tiers
        )
    return _overall(tiers)


def _range(match: re.Match[str]) -> PenaltyRange:
    ends = [end for name in re.split("、|或者", match["main"]) for end in _ends(name)]
    return PenaltyRange(match[0], min(ends), max(ends), match["besides"].removeprefix("，"))


def _ends(name: str) -> tuple[Penalty, ...]:
    """The lightest and the heaviest penalty that one alternative of a range allows."""
    term = _TERM.fullmatch(name)
    if term:
        rank = _SCALE.index("有期徒刑") + 1
        low, high, exact = (parse_numeral(years) * 12 if years else 0 for years in term.groups())
        return Penalty(rank, exact or low or _SHORTEST_TERM), Penalty(
            rank, exact or high or _LONGEST_TERM
        )
    ranks = {kind: rank for rank, kind in enumerate(_SCALE, 1)}
    return (Penalty(ranks.get(name, 0)),)


def _compare_ranges(old: PenaltyRange, new: PenaltyRange) -> Comparison:
    """法释〔1997〕12号 art. 1: the maximum first, then the minimum.

    The interpretation speaks of main penalties. Where these are equal, a supplementary penalty that
    was added makes the later law heavier, one that was dropped lighter.
    """
    for before, after in ((old.highest, new.highest), (old.lowest, new.lowest)):
        if before != after:
            return "lighter" if after < before else "heavier"
    if old.besides == new.besides:
        return "same"
    if old.besides and new.besides:
        return "cannot decide"
    return "heavier" if new.besides else "lighter"


def _overall(tiers: tuple[TierComparison, ...]) -> Severity:
    results = {tier.result for tier in tiers}
    if len(results) == 1:
        return Severity(tiers[0].result, _each(tiers), tiers)
    if results == {"heavier", "same"}:
        return Severity("heavier", f"lighter in no tier: {_each(tiers)}", tiers)
    reason = "the tier that fits the facts decides (法释〔1997〕12号 art. 2): "
    return Severity("cannot decide", reason + _each(tiers), tiers)


def _each(tiers: tuple[TierComparison, ...]) -> str:
    return "; ".join(f"{tier.old.text} → {tier.new.text}: {tier.result}" for tier in tiers)


def _unequal(before: int, after: int) -> str:
    return (
        f"the earlier wording has {before} penalty ranges and the later one {after}; "
        "the tier that fits the facts has to be chosen in each (法释〔1997〕12号 art. 2)"
    )


def _compare_bars(old: str, new: str) -> Severity:
    """Wordings without a penalty range: decided only if a bar to leniency was made wider.

    That is a sentence that rules out 缓刑, 假释 or 减刑 and now names further cases.
    """
    before, after = _SENTENCE.findall(old), _SENTENCE.findall(new)
    dropped = [sentence for sentence in before if sentence not in after]
    added = [sentence for sentence in after if sentence not in before]
    if len(dropped) == len(added) == 1 and _widens_a_bar(dropped[0], added[0]):
        return Severity("heavier", f"a measure of leniency is ruled out in more cases: {added[0]}")
    return Severity("cannot decide", "the provision states no penalty range that could be compared")


def _widens_a_bar(old: str, new: str) -> bool:
    if not (_BARS_LENIENCY.search(old) and _BARS_LENIENCY.search(new)):
        return False
    changes = [piece for piece in diff(old, new) if piece.kind != "equal"]
    return all(
        piece.kind == "inserted" and _LENGTHENS_A_LIST.match(piece.text) for piece in changes
    )


def _elements(text: str) -> str:
    """The wording without its penalty ranges."""
    return _without_spaces(_RANGE.sub("处", text))


def _without_spaces(text: str) -> str:
    return "".join(text.split())
