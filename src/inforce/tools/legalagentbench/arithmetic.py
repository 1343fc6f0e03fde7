"""The five arithmetic tools: sum, difference, product, quotient and ranking of amounts and dates.

Numbers may be written as tables have them, with 千, 万 or 亿 after them; the ranking also takes
dates such as 2014年05月12日. Amounts are added exactly and rounded once, at the end; the result is
printed as a whole number where all operands were, else as a decimal fraction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from operator import add, mul, sub
from typing import Any, cast

from inforce.tools.evidence import Evidence
from inforce.tools.legalagentbench.texts import WRONG_PARAMETERS
from inforce.tools.tool import Arguments, FunctionTool, Language, Tool, ToolResult, ToolSpec

MOST_NUMBERS = 10_000
"""Operands of a call."""

LONGEST_NUMBER = 40
"""Characters of an operand."""

_UNITS = {"千": 10**3, "万": 10**4, "亿": 10**8}
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?)([千万亿]*)元?")
_DATE_SIGNS = re.compile("[年月日-]")
_NO_DIVISOR = "除法时发生错误，除数不能为零！"


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number as it was given and as it counts."""

    value: Fraction
    is_whole: bool
    """Whether it was written without a fraction or a unit."""


@dataclass(frozen=True, slots=True)
class _Operation:
    """The operation of a tool."""

    name: str
    word: str
    zh: str
    en: str
    of: Callable[[Fraction, Fraction], Fraction] | None = None


def _divide(one: Fraction, other: Fraction) -> Fraction:
    return one / other


OPERATIONS = (
    _Operation("get_sum", "求和", "求一组数之和", "the sum of some numbers", add),
    _Operation("get_subtraction", "减法", "求被减数与减数之差", "a difference", sub),
    _Operation("get_multiplication", "乘法", "求一组数之积", "the product of some numbers", mul),
    _Operation("get_division", "除法", "求被除数与除数之商", "a quotient", _divide),
    _Operation("get_rank", "排序", "将一组数或日期排序", "numbers or dates in order"),
)

_PARAMETERS: dict[Language, tuple[str, str, str]] = {
    "zh": (
        "数的列表，可带千、万、亿",
        "被减数与减数、被除数与除数依次列出",
        "字符串：“True”为降序，否则升序",
    ),
    "en": (
        "list of numbers; 千, 万, 亿 may follow them",
        "minuend and subtrahend, dividend and divisor in this order",
        'string: "True" for descending order, else ascending',
    ),
}


def arithmetic_tools(*, language: Language = "zh") -> Iterator[Tool]:
    """The five tools: a list of numbers under ``identifier``, for the ranking also its order."""
    numbers, order, descending = _PARAMETERS[language]
    for operation in OPERATIONS:
        is_ordered = operation.name in ("get_subtraction", "get_division")
        about = f"{numbers}；{order}" if is_ordered else numbers
        parameters: dict[str, Any] = {"identifier": {"description": about}}
        if operation.of is None:
            parameters["is_desc"] = {"description": descending}
        said = operation.zh if language == "zh" else operation.en
        spec = ToolSpec(operation.name, said, parameters, required=())
        yield FunctionTool(spec, "local", partial(_answer, operation))


async def _answer(operation: _Operation, arguments: Arguments) -> ToolResult:
    if "identifier" not in arguments:
        return ToolResult(WRONG_PARAMETERS, "invalid")
    given = arguments["identifier"]
    try:
        amounts = _amounts(given, with_dates=operation.of is None)
        value = _calculated(operation, amounts, arguments)
    except ZeroDivisionError:
        return ToolResult(_NO_DIVISOR, "invalid")
    except (ValueError, OverflowError):
        return ToolResult(f"{operation.word}时发生错误，请检查参数格式！", "invalid")
    statement = f"{operation.name}({given}) = {value}"
    evidence = Evidence(statement, "calculation", operation.zh, statement, origin="legalagentbench")
    return ToolResult(str(value), "found", (evidence,), value)


def _calculated(
    operation: _Operation, amounts: Sequence[_Amount], arguments: Arguments
) -> int | float | list[int | float]:
    if operation.of is None:
        is_descending = str(arguments.get("is_desc", "")).strip().lower() == "true"
        ranked = sorted(amounts, key=lambda one: one.value, reverse=is_descending)
        return [_shown(one.value, is_whole=one.is_whole) for one in ranked]
    is_whole = operation.of is not _divide and all(one.is_whole for one in amounts)
    return _shown(reduce(operation.of, (one.value for one in amounts)), is_whole=is_whole)


def amount_of(text: str) -> Fraction:
    """A number as tables write it.

    >>> amount_of("8158.63万")
    Fraction(81586300, 1)

    Raises:
        ValueError: if it is none.
    """
    return _amount(text, with_dates=False).value


def _amounts(given: Any, *, with_dates: bool) -> list[_Amount]:
    if not isinstance(given, list) or not 0 < len(cast(list[Any], given)) <= MOST_NUMBERS:
        raise ValueError("no list of numbers")
    return [_amount(one, with_dates=with_dates) for one in cast(list[Any], given)]


def _amount(given: Any, *, with_dates: bool) -> _Amount:
    text = str(given).strip() if isinstance(given, str | int | float) else ""
    if with_dates:
        text = _DATE_SIGNS.sub("", text)
    match = _NUMBER.fullmatch(text.replace(",", "")) if len(text) <= LONGEST_NUMBER else None
    if not match:
        raise ValueError("no number")
    number, units = match.groups()
    factor = reduce(mul, (_UNITS[unit] for unit in units), 1)
    is_whole = not units and number.lstrip("+-").isdecimal()
    return _Amount(Fraction(number) * factor, is_whole)


def _shown(value: Fraction, *, is_whole: bool) -> int | float:
    return int(value) if is_whole else float(value)
