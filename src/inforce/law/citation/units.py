"""Articles, paragraphs and items in a row: 第一百一十四条、第一百一十五条第一款.

What is joined by 、 or 和 is a list, by 至 a range; a 款 belongs to the 条 before it, a 项 to the
款 or 条 before it. In English the paragraph may also be first ("paragraph 2 of Article 133").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from inforce.errors import IdentifierError
from inforce.law.citation.tokens import NUMERAL, Token, TokenKind
from inforce.law.ids import Portion
from inforce.law.numerals import ProvisionNumber, parse_numeral

ARTICLES: tuple[TokenKind, ...] = ("article", "english_article")
PARAGRAPHS: tuple[TokenKind, ...] = ("paragraph", "english_paragraph")
UNITS: tuple[TokenKind, ...] = (*ARTICLES, *PARAGRAPHS, "item", "english_item")

_LONGEST_RANGE = 100
"""A longer range is stored as its two ends."""
_MOST_PORTIONS = 200
"""Once a row has this many, its ranges are stored as their ends."""
_MOST_WAITING = 2
"""An English item and paragraph before their article."""
_LONGEST_GAP = 24

_RANGE = re.compile(r"\s?(?:[至到\-－—–~～]|to|through)\s?", re.IGNORECASE)
JOINT = re.compile(
    rf"[\s,]{{0,2}}(?:[、，,;；]|以及|或者|[和及与或]|and|or|&|of)?\s{{0,2}}|{_RANGE.pattern}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Row:
    """The portions read, where they end in the text, and the token to be read next."""

    portions: tuple[Portion, ...]
    end: int
    following: int


def read_row(
    text: str,
    tokens: Sequence[Token],
    at: int,
    *,
    after: int,
    gap: re.Pattern[str] = JOINT,
    base: tuple[Portion, ...] = (),
) -> Row:
    """Read the 条, 款 and 项 from token ``at`` on that follow position ``after`` closely.

    Args:
        text: the text of the tokens.
        tokens: all its tokens.
        at: the first token to read.
        after: where what comes before ends.
        gap: what may be between that and the first unit.
        base: what a leading 款 or 项 is a part of.
    """
    portions, waiting, end = list(base), list[Token](), after
    while at < len(tokens) and tokens[at].kind in UNITS:
        token = tokens[at]
        if token.start - end > _LONGEST_GAP or not gap.fullmatch(text, end, token.start):
            break
        if portions or token.kind in ARTICLES:
            is_range = _RANGE.fullmatch(text, end, token.start) is not None
            _add(portions, token, ranged=is_range and len(portions) < _MOST_PORTIONS)
            while waiting:
                _add(portions, waiting.pop(), ranged=False)
        elif token.kind.startswith("english") and len(waiting) < _MOST_WAITING:
            waiting.append(token)
        else:
            break
        gap, end, at = JOINT, token.end, at + 1
    return Row(tuple(portions), end, at)


def _add(portions: list[Portion], token: Token, *, ranged: bool) -> None:
    """Add what a token says, as a part of the last portion where it is one."""
    last = portions[-1] if portions else None
    match token.kind:
        case "article":
            found: Iterable[Portion] = map(Portion, article_numbers(token.text))
        case "english_article":
            found = english_portions(token.text)
        case _:
            assert last is not None
            _refine(portions, last, token, ranged=ranged)
            return
    for portion in found:
        if ranged and last is not None:
            portions.extend(map(Portion, fill(last.number, portion.number)[:-1]))
            ranged = False
        portions.append(portion)


def _refine(portions: list[Portion], last: Portion, token: Token, *, ranged: bool) -> None:
    numbers = ordinals(token.text)
    is_paragraph = token.kind in PARAGRAPHS
    sibling = last.paragraph if is_paragraph else last.item
    if is_paragraph:
        whole, first_part = replace(last, item=None), sibling is None and last.item is None
        made = [replace(whole, paragraph=number) for number in _ranged(sibling, numbers, ranged)]
    else:
        first_part = sibling is None
        made = [replace(last, item=number) for number in _ranged(sibling, numbers, ranged)]
    if first_part:
        portions.pop()
    portions.extend(made)


def _ranged(sibling: int | None, numbers: tuple[int, ...], ranged: bool) -> tuple[int, ...]:
    if not ranged or sibling is None:
        return numbers
    between = fill(ProvisionNumber.article(sibling), ProvisionNumber.article(numbers[0]))
    return (*(number.main for number in between[:-1]), *numbers)


_NUMBER = re.compile(rf"{NUMERAL}(?:之{NUMERAL})?")
_RANGE_SIGN = re.compile(r"[至到\-－—–~～]")
_BRANCH = re.compile(rf"条\s?之\s?({NUMERAL})$")


def ordinals(text: str) -> tuple[int, ...]:
    """The numbers of a 款 or 项 token, ranges filled: ``第（一）、（二）项`` is 1, 2.

    Raises:
        IdentifierError: if a numeral in it is malformed.
    """
    return tuple(number.main for number in _numbers(text))


def article_numbers(text: str) -> tuple[ProvisionNumber, ...]:
    """The numbers of a 条 token, ranges filled: ``第十至十二条`` is 10, 11, 12.

    Raises:
        IdentifierError: if a numeral in it is malformed.
    """
    branch = _BRANCH.search(text)
    if branch is None:
        return tuple(_numbers(text))
    *others, last = _numbers(text[: branch.start()])
    return (*others, ProvisionNumber.article(last.main, parse_numeral(branch[1])))


def fill(first: ProvisionNumber, last: ProvisionNumber) -> tuple[ProvisionNumber, ...]:
    """The numbers after ``first`` up to ``last``; only ``last`` where that is no sensible range."""
    if not 0 < last.main - first.main <= _LONGEST_RANGE:
        return (last,)
    between = (ProvisionNumber.article(main) for main in range(first.main + 1, last.main))
    return (*between, last)


def is_well_formed(token: Token) -> bool:
    """Whether the numerals of a unit token are numbers (第十十条 and 第零条 are none)."""
    try:
        return all(ordinals(token.text))
    except IdentifierError:
        return False


def _numbers(text: str) -> Iterator[ProvisionNumber]:
    previous: ProvisionNumber | None = None
    end = 0
    for match in _NUMBER.finditer(text):
        main, _, branch = match[0].partition("之")
        number = ProvisionNumber.article(
            parse_numeral(main), parse_numeral(branch) if branch else 0
        )
        if previous is not None and _RANGE_SIGN.search(text, end, match.start()):
            yield from fill(previous, number)
        else:
            yield number
        previous, end = number, match.end()


_ENGLISH_NUMBER = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?(?:\s?\((\d{1,2})\))?")
_ENGLISH_RANGE = re.compile(r"(?:to|through)\s|[–—]", re.IGNORECASE)


def english_portions(text: str) -> Iterator[Portion]:
    """The articles of an English token, each with the item in brackets behind it.

    ``133-1`` is a branch, ``52-54`` a range: a branch number is smaller than its article's.
    """
    previous: ProvisionNumber | None = None
    end = 0
    for match in _ENGLISH_NUMBER.finditer(text):
        low, high = int(match[1]), int(match[2] or 0)
        first = ProvisionNumber.article(low, high if high <= low else 0)
        last = ProvisionNumber.article(high) if high > low else first
        if previous is not None and _ENGLISH_RANGE.search(text, end, match.start()):
            yield from map(Portion, fill(previous, first)[:-1])
        if last is not first:
            yield from map(Portion, (first, *fill(first, last)[:-1]))
        yield Portion(last, item=int(match[3]) if match[3] else None)
        previous, end = last, match.end()
