"""From which day an instrument amends: its 施行 clause, for the whole and for parts.

No day is guessed. Where the clause says "on publication" and the day of publication is not stated,
the instrument has no day and is not applied until somebody says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from inforce.corpus.compile.instructions import Instruction, Reading
from inforce.corpus.compile.wording import DAY, day_of
from inforce.errors import IdentifierError
from inforce.law.numerals import parse_numeral

_CLAUSE = re.compile(
    rf"(?P<before>[^自]*)自(?P<when>{DAY}|(?:公布|发布|颁布|通过|印发)之日)起(?:正式|开始)?(?:施行|实施|生效|执行)"
)
_POINTS = re.compile(
    r"第（?([一二三四五六七八九十百]+)）?[条项点](?:至第（?([一二三四五六七八九十百]+)）?[条项点])?"
)
_OTHERS = re.compile("其他|其余|其它|本决定|本修正案|本规定|本解释|本意见")
_LABEL = re.compile(r"[（(第]?([一二三四五六七八九十百零]+|[0-9]+)")


@dataclass(frozen=True, slots=True)
class Commencement:
    """The days on which the parts of an instrument take effect."""

    default: date | None
    parts: tuple[tuple[int, date | None], ...] = ()
    """Points of the first level with a day of their own."""
    reason: str = ""
    """Why the default is not known."""

    def day_of(self, instruction: Instruction) -> date | None:
        """The day on which a point takes effect; ``None`` if it is not known."""
        label = instruction.point.labels[0] if instruction.point.labels else ""
        number = _number(label)
        return next((day for point, day in self.parts if point == number), self.default)


def _number(label: str) -> int | None:
    """The number of a point, as far as it is one."""
    match = _LABEL.match(label)
    try:
        return parse_numeral(match[1]) if match else None
    except IdentifierError:
        return None


def commencement(reading: Reading) -> Commencement:
    """When an instrument takes effect, as it says itself; failing that, as its header says."""
    instrument = reading.instrument
    published = instrument.published
    default: date | None = None
    stated = False
    parts: list[tuple[int, date | None]] = []
    for sentence in reading.commencement:
        for before, when in _clauses(sentence):
            day = _day(when, published=published, adopted=instrument.adopted)
            points = list(_points(before))
            if points:
                parts.extend((point, day) for point in points)
            elif _OTHERS.search(before) or not stated:
                default, stated = day, True
    if not stated:
        default = instrument.in_force or (published if _on_publication(reading) else None)
    reason = ""
    if default is None:
        reason = (
            "it takes effect on publication, and the day of publication is not stated"
            if stated
            else "it does not say from which day it takes effect"
        )
    return Commencement(default, tuple(parts), reason)


def _clauses(sentence: str) -> Iterator[tuple[str, str]]:
    for match in _CLAUSE.finditer(sentence):
        yield match["before"], match["when"]


def _day(when: str, *, published: date | None, adopted: date | None) -> date | None:
    if when.startswith("通过"):
        return adopted
    return published if when.endswith("之日") else day_of(when)


def _points(before: str) -> Iterator[int]:
    for match in _POINTS.finditer(before):
        try:
            first = parse_numeral(match[1])
            last = parse_numeral(match[2]) if match[2] else first
        except IdentifierError:
            continue
        yield from range(first, last + 1)


def _on_publication(reading: Reading) -> bool:
    """Amendments of the constitution take effect when the congress publishes them."""
    return "宪法修正案" in reading.instrument.title


def days(
    instructions: Sequence[Instruction], when: Commencement
) -> list[tuple[date, list[Instruction]]]:
    """The days on which a version begins, each with all points in force from then on."""
    known = {day for one in instructions if (day := when.day_of(one)) is not None}
    return [
        (day, [one for one in instructions if (begins := when.day_of(one)) and begins <= day])
        for day in sorted(known)
    ]
