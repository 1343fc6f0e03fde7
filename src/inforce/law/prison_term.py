"""Sentences as a judgment pronounces them: 有期徒刑三年六个月 is 42 months.

>>> pronounced("判处有期徒刑三年六个月，并处罚金二千元").months
42
>>> pronounced("36个月").months, pronounced("无期徒刑").kind
(36, 'life')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from inforce.errors import IdentifierError
from inforce.law.numerals import parse_numeral

TermKind = Literal["none", "control", "detention", "imprisonment", "life", "death"]
"""Main penalties of 刑法 art. 33, lightest first; ``none``: exempt from punishment, or a fine."""

_N = r"(?:(?<!\d)\d{1,6}(?:\.\d{1,6})?|[〇零一二两三四五六七八九十百]+)"
_MOST_DIGITS = 6
"""Digits a number of years or months may have; what has more is no sentence."""

_TERM = re.compile(rf"(?:(?P<years>{_N})\s*年(?P<half>半)?)?\s*零?(?:(?P<months>{_N})\s*个?月)?")
_KINDS: tuple[tuple[str, TermKind], ...] = (
    ("死刑", "death"),
    ("无期徒刑", "life"),
    ("有期徒刑", "imprisonment"),
    ("拘役", "detention"),
    ("管制", "control"),
    ("免予刑事处罚", "none"),
    ("免除处罚", "none"),
    ("death", "death"),
    ("life imprisonment", "life"),
)
_WITHOUT_TERM: tuple[TermKind, ...] = ("death", "life", "none")
_TIMED = tuple(pair for pair in _KINDS if pair[1] not in _WITHOUT_TERM)
_ENGLISH = re.compile(
    r"(?:(?<!\d)(?P<years>\d{1,6}(?:\.\d{1,6})?)\s*years?)?[\s,]*(?:and\s*)?"
    r"(?:(?<!\d)(?P<months>\d{1,6})\s*months?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PrisonTerm:
    """A sentence: its kind, and its length where the kind has one."""

    kind: TermKind
    months: int | None = None
    """``None`` for death, life and no term at all."""

    def __str__(self) -> str:
        names = {kind: name for name, kind in reversed(_KINDS)}
        return names[self.kind] if self.months is None else f"{names[self.kind]}{self.months}个月"


def pronounced(text: str) -> PrisonTerm:
    """The sentence a text pronounces: the first term in it, with the penalty named before it.

    A bare term (``12个月``, ``3 years 6 months``, ``42``) is taken as imprisonment.

    Raises:
        IdentifierError: if there is none.
    """
    if text.strip().isdecimal() and len(text.strip()) <= _MOST_DIGITS:
        return PrisonTerm("imprisonment", int(text))
    named = _first_named(text)
    for match in (*_TERM.finditer(text), *_ENGLISH.finditer(text)):
        months = _months(match)
        if months is None:
            continue
        if named and named.kind in _WITHOUT_TERM and named.place < match.start():
            break  # the two years of 死刑缓期二年执行 are no term of imprisonment
        return PrisonTerm(_kind_before(text[: match.start()]), months)
    if named and named.kind in _WITHOUT_TERM:
        return PrisonTerm(named.kind)
    raise IdentifierError(text[:80], "no sentence in it: write for example 36个月")


class _Named(NamedTuple):
    place: int
    kind: TermKind


def _first_named(text: str) -> _Named | None:
    """The first penalty a text names, and where."""
    return min(
        (_Named(text.find(name), kind) for name, kind in _KINDS if name in text), default=None
    )


def terms(text: str) -> tuple[PrisonTerm, ...]:
    """Every term a text names after the words 有期徒刑, 拘役 or 管制, in order."""
    found: list[PrisonTerm] = []
    for place in re.finditer("有期徒刑|拘役|管制", text):
        match = _TERM.match(text, place.end())
        months = _months(match) if match else None
        if months is not None:
            found.append(PrisonTerm(dict(_KINDS)[place.group()], months))
    return tuple(found)


def _months(match: re.Match[str]) -> int | None:
    years, months = match["years"], match["months"]
    if years is None and months is None:
        return None
    half = 6 if match.groupdict().get("half") else 0
    return round(12 * _number(years) + _number(months)) + half


def _number(text: str | None) -> float:
    if not text:
        return 0.0
    return float(text) if text[0].isdigit() else float(parse_numeral(text.replace("两", "二")))


def _kind_before(text: str) -> TermKind:
    """The kind of the last penalty named before a term; imprisonment where none is."""
    named = [_Named(text.rfind(name), kind) for name, kind in _TIMED if name in text]
    return max(named).kind if named else "imprisonment"
