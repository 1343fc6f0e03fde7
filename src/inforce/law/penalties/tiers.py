"""The offences of an article and their tiers: which range belongs to which circumstances.

An article of 刑法 says of one offence or of several how grave it has to be for which range:
数额较大的，处三年以下; 数额巨大或者有其他严重情节的，处三年以上十年以下. Two wordings of it are
compared tier by tier (法释〔1997〕12号 art. 2), so tiers are read with their conditions and put
into an order of gravity that both wordings share.

>>> text = "盗窃公私财物，数额较大的，处三年以下有期徒刑；数额巨大的，处十年以下有期徒刑。"
>>> [(tier.grade, tier.condition) for tier in read_offences(text)[0].tiers]
[('basic', '盗窃公私财物，数额较大的'), ('serious', '数额巨大的')]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from inforce.law.penalties.ranges import PenaltyRange, find_ranges

Grade = Literal["minor", "basic", "serious", "special", "extreme"]
"""How grave the circumstances are: 情节较轻; the offence itself; 情节严重, 数额巨大; 情节特别严重,
数额特别巨大; and what is punished beyond even that (有下列情形之一的，处…死刑)."""

GRADES: tuple[Grade, ...] = ("minor", "basic", "serious", "special", "extreme")


@dataclass(frozen=True, slots=True)
class Tier:
    """A range of penalties of an offence, with the circumstances it is for."""

    condition: str
    """The words of the statute before the range."""
    grade: Grade
    range: PenaltyRange
    within: str = ""
    """What must be fulfilled too: the amount of an item whose gravest cases this range is for."""
    items: tuple[str, ...] = ()
    """The list that follows, where the condition is 有下列情形之一."""


@dataclass(frozen=True, slots=True)
class Offence:
    """One offence of an article: what it is, by whom, and its tiers in the order of the text."""

    text: str
    """Its paragraphs, items included."""
    elements: str
    """What makes it the offence, without its ranges and what the heavier ones are for."""
    tiers: tuple[Tier, ...]
    unit: bool = False
    """Whether a unit (单位) commits it; its tiers are those of the people responsible."""

    def tier(self, grade: Grade) -> Tier:
        """The tier for circumstances of a grade: that grade's own, else the next below, else above.

        Where the statute has no tier for what is 特别严重, its tier for what is 严重 covers it.
        """
        below = [tier for tier in self.tiers if _order(tier) <= GRADES.index(grade)]
        return max(below, key=_order) if below else min(self.tiers, key=_order)


_PARAGRAPH = re.compile(r"\n(?!\s{0,20}[（(][一二三四五六七八九十]{1,4}[）)])")
_ITEM = re.compile(r"\s*[（(][一二三四五六七八九十]+[）)]")
_CHINESE = "〇一二三四五六七八九"
_NAMED = re.compile("第([一二三四五六七八九])款(?=(?:、第.款)*罪)")
_ADDS = re.compile("犯前[两三四]?款罪|^有前[两三]?款")
_UNIT = re.compile("单位(?:犯|有|为谋)|对单位判处罚金")
_HEAD = 30
"""Characters at the beginning of a paragraph that say what it adds to."""
_SUPPRESSED = re.compile(r"^[（(]?删去[）)]?$")
_PERSONS = re.compile("，?(?:并?对(?:直接|首要|其|单位|犯|积极|多次)[^，。；]{0,40})?，?$")
_SPECIAL = re.compile("特别(?:巨大|严重|恶劣|重大|残忍)")
_SERIOUS = re.compile("巨大|严重|恶劣|重大|数量大|致人|死亡|重伤|杀害")
_MINOR = re.compile("情节较轻|情节轻微")
_LIST = re.compile("(?:下列|所列)[^，。；]{0,10}之一")
_SAME_START = 9
"""Characters two paragraphs have in common at their beginning if they are tiers of one offence."""


def read_offences(text: str) -> tuple[Offence, ...]:
    """The offences of an article that state a range of their own, in its order.

    A paragraph that adds to others (犯前款罪，致人死亡的; 犯第一款、第二款罪，情节特别严重的; a
    second amount of the same drug) belongs to these.
    """
    if _SUPPRESSED.match(text.strip()):
        return ()
    grouped: list[tuple[int, list[str]]] = []
    for at, paragraph in enumerate(map(str.strip, _PARAGRAPH.split(text)), 1):
        if not find_ranges(paragraph):
            continue
        named = {_CHINESE.index(one) for one in _NAMED.findall(paragraph[:_HEAD])}
        heads = [group for number, group in grouped if number in named]
        if not heads and grouped and _belongs(paragraph, grouped[-1][1][0]):
            heads = [grouped[-1][1]]
        for group in heads:
            group.append(paragraph)
        if not heads:
            grouped.append((at, [paragraph]))
    return tuple(_offence(paragraphs) for _, paragraphs in grouped)


def _belongs(paragraph: str, first: str) -> bool:
    if _UNIT.search(paragraph[:_HEAD]) or _UNIT.search(first[:_HEAD]):
        return False
    head = paragraph[:_HEAD]
    if _ADDS.search(head) and not head.startswith("过失"):
        return True
    listed = re.match("(?P<what>[^，]{4,20})，有下列情形之一的，处", paragraph)
    same_start = "毒品" in first and paragraph[:_SAME_START] == first[:_SAME_START]
    return same_start or bool(listed and listed["what"][:2] in first)


def _offence(paragraphs: Sequence[str]) -> Offence:
    tiers: list[Tier] = []
    first_elements = ""
    for paragraph in paragraphs:
        read, elements = _paragraph_tiers(paragraph, first=not tiers)
        first_elements = first_elements or elements
        tiers += read
    text = "\n".join(paragraphs)
    by_unit = _UNIT.search(text[: tiers[0].range.start])
    return Offence(text, first_elements, tuple(_graded(tiers)), bool(by_unit))


def _paragraph_tiers(paragraph: str, *, first: bool) -> tuple[list[Tier], str]:
    """The tiers of a paragraph, ungraded, and what makes the offence."""
    ranges = find_ranges(paragraph)
    starts = [0, *(penalty.end for penalty in ranges)]
    tiers: list[Tier] = []
    base = ""
    for at, (penalty, start) in enumerate(zip(ranges, starts, strict=False)):
        before = paragraph[start : penalty.start]
        condition = _condition(before)
        item = bool(re.search(r"[（(][一二三四五六七八九十]+[）)][^（(]*$", before))
        within = "" if item or at == 0 else base
        base = condition if item else base
        items = _items(paragraph[penalty.end :]) if _LIST.search(condition) else ()
        tiers.append(Tier(condition, "basic", penalty, within, items))
    head = paragraph[: ranges[0].start]
    elements = re.split(r"[：:]\s*[（(]一[）)]", head)[0]
    listed = _items(paragraph[ranges[0].end :]) if _LIST.search(elements) and first else ()
    return tiers, "\n".join((_PERSONS.sub("", elements), *listed))


def _condition(before: str) -> str:
    """The words before a range: the last sentence or item, without what names the person."""
    text = _PERSONS.sub("", before)
    pieces = [piece for piece in re.split(r"[；。\n]", text) if piece.strip("，：: ")]
    last = _ITEM.sub("", pieces[-1]) if pieces else ""
    return last.strip("：:，\n ")


def _items(after: str) -> tuple[str, ...]:
    """The items of the list that follows a range ending in a colon."""
    if not after.lstrip().startswith(("：", ":")):
        return ()
    lines = after.lstrip("：: ").splitlines()
    items = [_ITEM.sub("", line).strip("；。; ") for line in lines if _ITEM.match(line)]
    return tuple(item.removesuffix("的") for item in items)


def _graded(tiers: Sequence[Tier]) -> list[Tier]:
    """The tiers with their grades: by their words, and among equals by how heavy they are."""
    graded = [tiers[0], *(replace(tier, grade=_grade(tier, tiers)) for tier in tiers[1:])]
    special = [tier for tier in graded if tier.grade == "special"]
    return [
        replace(tier, grade="extreme")
        if tier.grade == "serious" and any(s.range.highest < tier.range.highest for s in special)
        else tier
        for tier in graded
    ]


def _grade(tier: Tier, tiers: Sequence[Tier]) -> Grade:
    base = tiers[0].range
    if _MINOR.search(tier.condition) or tier.range.highest < base.highest:
        return "minor"
    lighter = sum(other.range.highest < tier.range.highest for other in tiers)
    if _LIST.search(tier.condition) or ("并" in tier.condition and "损失" in tier.condition):
        return "extreme" if lighter >= 2 and not _MINOR.search(tiers[-1].condition) else "serious"
    if _SPECIAL.search(tier.condition):
        return "special"
    return "serious" if _SERIOUS.search(tier.condition) or lighter else "basic"


def _order(tier: Tier) -> int:
    return GRADES.index(tier.grade)
