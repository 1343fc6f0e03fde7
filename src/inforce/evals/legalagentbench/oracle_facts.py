"""Facts that follow from rows whatever the question: amounts, days between dates, counts, sums.

A question asks for one of them; the oracle lists all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import combinations
from typing import Any

Row = Mapping[str, Any]

_AMOUNT = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*([千万亿]?)元?\s*")
_MONEY_IN_TEXT = re.compile(r"(\d+(?:\.\d+)?)(万|亿)?元")
_DAY = re.compile(r"(\d{4})年(\d{2})月(\d{2})日")
_YEAR = re.compile(r"((?:19|20)\d{2})年")
_CASE_YEAR = re.compile(r"[（(](\d{4})[）)]")
_LIMIT = re.compile(r"(超过|大于|高于|小于|低于|不足)(\d+(?:\.\d+)?)(千|万|亿)?|过(亿)")
_SINCE = re.compile(r"自((?:19|20)\d{2})年以来")
_UNITS = {"": 1, "千": 10**3, "万": 10**4, "亿": 10**8}
_COUNTED = "家次个起件条"
_MOST_FILTERS = 6
_MOST_COUNTED = 10_000
_LEVELS = {0: "高级法院", 2: "中级法院", 4: "基层法院"}
"""A court's level by the digits of its code (最高人民法院, 法〔2015〕137号, on case numbers)."""


def amount(cell: Any) -> Fraction | None:
    """The number in a cell; ``None`` if there is none.

    >>> amount("1000万")
    Fraction(10000000, 1)
    """
    if isinstance(cell, bool) or not isinstance(cell, int | float | str):
        return None
    match = _AMOUNT.fullmatch(str(cell))
    return Fraction(match[1]) * _UNITS[match[2]] if match else None


def amounts_in(value: Fraction) -> Iterator[str]:
    """An amount in the units and roundings of questions."""
    for unit, factor in (("元", 1), ("万元", 10**4), ("亿元", 10**8)):
        scaled = float(value / factor)
        yield f"{scaled:.2f}{unit}"
        if unit == "元":
            yield f"人民币{scaled:.2f}元"
        yield f"{scaled:.0f}{unit}"


def facts_of_cell(cell: Any) -> Iterator[str]:
    """The contents of a cell in other words."""
    value = amount(cell)
    if value is not None:
        yield from amounts_in(value)
        if isinstance(cell, int) and cell < _MOST_COUNTED:
            yield counted(cell)
    elif isinstance(cell, str):
        for number, unit in _MONEY_IN_TEXT.findall(cell):
            yield from amounts_in(Fraction(number) * _UNITS[unit])


def facts_of_row(row: Row) -> Iterator[str]:
    """Facts from several cells of a row: the days between its dates, a court's level."""
    digits = sum(map(str.isdigit, str(row.get("法院代字", ""))))
    if row.get("法院代字"):
        yield _LEVELS.get(digits, "")
    days = [day for cell in row.values() for day in _days(cell)]
    for one, other in combinations(days, 2):
        yield f"{abs((other - one).days)}天"


def facts_of_rows(rows: Sequence[Row], question: str) -> Iterator[str]:
    """Counts and sums over rows, and over the rows that meet conditions of the question."""
    conditions = _conditions(question)
    for n in range(len(conditions) + 1):
        for chosen in combinations(conditions, n):
            matching = [row for row in rows if all(_meets(row, one, question) for one in chosen)]
            yield from _counts(matching, question)


def counted(n: int) -> str:
    """A number with measure words, also in the forms of constructed tasks.

    >>> counted(4)
    '4家、4次、4个、4起、4件、4条、共4家、共4件、共4条、共4份、第4名'
    """
    plain = (f"{n}{word}" for word in _COUNTED)
    return "、".join([*plain, *(f"共{n}{word}" for word in "家件条份"), f"第{n}名"])


def _counts(rows: Sequence[Row], question: str) -> Iterator[str]:
    yield counted(len(rows))
    for column in {name: None for row in rows for name in row}:
        cells = [row[column] for row in rows if row.get(column) is not None]
        values = [value for cell in cells if (value := amount(cell)) is not None]
        if values and ("（元）" in column or "金额" in column):
            yield from amounts_in(sum(values, Fraction(0)))
        for cell, times in Counter(map(str, cells)).most_common(1):
            if times > 1:
                yield f"{cell} {counted(times)}"


Condition = tuple[str, Fraction]
"""A condition on a row, and its amount or year; 0 if it has none."""


def _conditions(question: str) -> list[Condition]:
    """The restrictions of a question: years, limits of amounts and words, each with its number."""
    found: list[Condition] = [("since", Fraction(year)) for year in _SINCE.findall(question)]
    years = dict.fromkeys(_YEAR.findall(question))
    found += [("year", Fraction(year)) for year in years if f"自{year}年以来" not in question]
    for word, number, unit, hundred_million in _LIMIT.findall(question):
        limit = Fraction(10**8) if hundred_million else Fraction(number) * _UNITS[unit]
        found.append(("below" if word in ("小于", "低于", "不足") else "above", limit))
    if "全资" in question:
        found.append(("whole", Fraction(100)))
    words = {"labour": "劳动", "plaintiff": "原告", "defendant": "被告", "cause": "纠纷"}
    found += [(what, Fraction(0)) for what, word in words.items() if word in question]
    return found[:_MOST_FILTERS]


def _meets(row: Row, condition: Condition, question: str) -> bool:
    what, number = condition
    company = str(row.get("关联公司", "")) or "\0"
    if what in ("plaintiff", "defendant"):
        return company in str(row.get("原告" if what == "plaintiff" else "被告", ""))
    if what == "cause":
        cause = str(row.get("案由", "")).removesuffix("纠纷")
        return bool(cause) and cause in question
    if what == "year":
        return number in _years(row)
    if what == "since":
        return any(year >= number for year in _years(row))
    if what == "whole":
        return amount(row.get("上市公司参股比例")) == number
    if what == "labour":
        return any(word in str(row.get("案由", "")) for word in ("劳动", "劳务"))
    values = [
        value
        for name, cell in row.items()
        if ("金额" in name or "资本" in name or "（元）" in name)
        and (value := amount(cell)) is not None
    ]
    return any(value > number if what == "above" else value < number for value in values)


def _years(row: Row) -> set[int]:
    years = {day.year for cell in row.values() for day in _days(cell)}
    return years | {int(year) for year in _CASE_YEAR.findall(str(row.get("案号", "")))}


def _days(cell: Any) -> Iterator[date]:
    if isinstance(cell, str) and (match := _DAY.fullmatch(cell.strip())):
        try:
            yield date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            return
