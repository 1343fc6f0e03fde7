"""Codes of courts in case numbers: 最高法, 京 (a high court), 京01 (intermediate), 京0105 (basic).

Every court has a code since 2016 (法〔2015〕137号). Its first two digits are those of its division
(GB/T 2260); from 71 on they are those of special courts (railways, maritime, intellectual
property, finance) and of counties directly under a province, and new ones are added.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

SINCE = 2016
"""The year from which cases are numbered so."""

SUPREME = "最高法"
PROVINCES = "京津冀晋内辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川黔云藏陕甘青宁新兵军"

_CODE = re.compile(rf"([{PROVINCES}])(?:(\d\d)(\d\d)?)?")
_FIRST_SPECIAL = 71

_INTERMEDIATE: Mapping[str, str] = {
    "京": "1-4", "津": "1-3", "冀": "1-11", "晋": "1-11", "内": "1-9 22 25 29", "辽": "1-14",
    "吉": "1-8 24", "黑": "1-12 27", "沪": "1-3", "苏": "1-13", "浙": "1-11", "皖": "1-8 10-18",
    "闽": "1-9", "赣": "1-11", "鲁": "1-17", "豫": "1-17", "鄂": "1-3 5-13 28", "湘": "1-13 31",
    "粤": "1-9 12-20 51-53", "桂": "1-14", "琼": "1-4", "渝": "1-5", "川": "1 3-11 13-20 32-34",
    "黔": "1-6 22-27", "云": "1 3-9 23-34", "藏": "1-6 21-26", "陕": "1-10", "甘": "1-12 29 30",
    "青": "1 2 21-28", "宁": "1-5", "新": "1-5 21-32 40-43", "兵": "1-14", "军": "1-13",
}  # fmt: skip
"""The first two digits of ordinary courts; where divisions were renumbered (藏, 新, 黔, 青), the
old and the new ones."""


def is_court_code(code: str) -> bool:
    """Whether a court may have this code; of special and basic courts only the form is known.

    >>> [is_court_code(one) for one in ("最高法", "京", "津03", "沪74", "粤0391")]
    [True, True, True, True, True]
    >>> [is_court_code(one) for one in ("最高法01", "京09", "京0100", "某99", "京010")]
    [False, False, False, False, False]
    """
    if code == SUPREME:
        return True
    found = _CODE.fullmatch(code)
    if not found:
        return False
    province, first, last = found.groups()
    if first is None:
        return True
    known = int(first) >= _FIRST_SPECIAL or int(first) in _numbers(_INTERMEDIATE[province])
    return known and last != "00"


def is_basic(code: str) -> bool:
    """Whether a code is that of a court of first instance, which decides no appeals."""
    return bool((found := _CODE.fullmatch(code)) and found[3])


def _numbers(ranges: str) -> frozenset[int]:
    ends = (one.partition("-")[::2] for one in ranges.split())
    return frozenset(
        number for first, last in ends for number in range(int(first), int(last or first) + 1)
    )
