"""Administrative penalties: whether a provision states one, and which of two is the lighter.

行政处罚法 art. 37 (of 2021) applies 从旧兼从轻 to every administrative penalty, in whatever law it
stands. Fines are compared as criminal penalties are: the maximum first, then the minimum.

>>> old, new = "处五万元以上五十万元以下的罚款。", "处一万元以上十万元以下的罚款。"
>>> compare_fines(old, new).result
'lighter'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from inforce.errors import IdentifierError
from inforce.law.numerals import parse_numeral
from inforce.law.penalties.amounts import find_money
from inforce.law.penalties.elements import change_of
from inforce.law.penalties.ranges import compare_extents
from inforce.law.penalties.severity import Severity
from inforce.law.timeline import Timeline

_PENALTY = re.compile(
    "罚款|没收违法所得|没收非法财物|责令停产停业|吊销|暂扣|行政拘留|处[^，。；]{0,12}拘留|通报批评|予以警告|给予警告"
)
_NUMBER = "[0-9〇零一二两三四五六七八九十百千万亿.]{1,10}"
_FINE = re.compile(
    rf"(?:(?P<low>{_NUMBER})(?P<low_unit>元|倍|日)以上)?(?:(?P<high>{_NUMBER})(?P<high_unit>元|倍|日)以下)"
    "(?:的)?(?P<kind>罚款|拘留)"
    rf"|(?P<fixed>{_NUMBER})(?P<fixed_unit>元|倍|日)的?(?P<fixed_kind>罚款|拘留)"
)


@dataclass(frozen=True, slots=True)
class _Fine:
    text: str
    kind: str
    unit: str
    low: Decimal
    high: Decimal


def states_a_penalty(timeline: Timeline) -> bool:
    """Whether a provision states an administrative penalty, in any of its wordings."""
    return any(_states(span.provision.text) for span in timeline.spans if span.provision)


@cache
def _states(text: str) -> bool:
    return bool(_PENALTY.search(text))


def compare_fines(old: str, new: str) -> Severity:
    """Whether the later wording of a penalty is lighter, seen from the earlier one."""
    before, after = _fines(old), _fines(new)
    if not before or len(before) != len(after):
        return _undecided("the wordings do not state the same number of fines")
    pairs = list(zip(before, after, strict=True))
    if any(a.kind != b.kind or a.unit != b.unit for a, b in pairs):
        return _undecided("the fines are counted differently")
    results = {compare_extents((a.low, a.high), (b.low, b.high)) for a, b in pairs}
    each = "; ".join(f"{a.text} → {b.text}" for a, b in pairs)
    change = change_of(_without(old, before), _without(new, after))
    if results <= {"same", "heavier"} and change in ("same", "widened"):
        return Severity("heavier" if "heavier" in results else "same", each)
    if results == {"lighter"} and change in ("same", "narrowed"):
        return Severity("lighter", each)
    return _undecided(f"the wording beside the fine changed too: {each}")


def _undecided(reason: str) -> Severity:
    establish = ("which penalty each wording provides for this violation",)
    return Severity("cannot decide", reason, establish)


def _fines(text: str) -> Sequence[_Fine]:
    found: list[_Fine] = []
    for match in _FINE.finditer(text):
        kind, unit = match["kind"] or match["fixed_kind"], match["high_unit"] or match["fixed_unit"]
        high = _value(match["high"] or match["fixed"], unit)
        least = match["low"] or match["fixed"]
        low = _value(least, match["low_unit"] or unit) if least else Decimal(0)
        if high is not None and low is not None:
            found.append(_Fine(match[0], kind, unit, low, high))
    return found


def _value(number: str, unit: str) -> Decimal | None:
    if unit == "元":
        money = find_money(f"{number}元")
        return money[0].low if money else None
    try:
        return Decimal(parse_numeral(number.replace("两", "二")))
    except IdentifierError:
        return None


def _without(text: str, fines: Sequence[_Fine]) -> str:
    for fine in fines:
        text = text.replace(fine.text, fine.kind)
    return text
