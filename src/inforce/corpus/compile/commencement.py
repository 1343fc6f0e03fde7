"""From which day an instrument amends: its 施行 clause, for the whole and for parts.

No day is guessed. Where the clause says "on publication" and the day of publication is not stated,
the instrument has no day and is not applied until somebody says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from inforce.corpus.compile.clauses import Instruction, Reading
from inforce.corpus.compile.law_names import LAW, SameLaw, law_names
from inforce.corpus.compile.wording import DAY, day_of
from inforce.errors import IdentifierError
from inforce.law.numerals import parse_numeral

_CLAUSE = re.compile(
    rf"(?P<before>[^自]*)自(?:本(?:决定|修正案|规定|解释))?"
    rf"(?P<when>{DAY}|(?:公布|发布|颁布|通过|印发)之日)起(?:正式|开始)?(?:施行|实施|生效|执行)"
)
_AT_ONCE = re.compile(
    r"自(?:公布|发布|颁布|印发)之日起(?:施行|实施|生效)\s*(?:[)）。]\s*)?$", re.MULTILINE
)
"""What stands below a title: 1993年9月2日公布 自公布之日起施行."""

_NUMBER = "（?([一二三四五六七八九十百]+)）?"
_POINTS = re.compile(
    rf"第{_NUMBER}[条点](?:第{_NUMBER}项)?(?:至第{_NUMBER}[条点])?|第{_NUMBER}项(?:至第{_NUMBER}项)?"
)
_OTHERS = re.compile("其他|其余|其它|本决定|本修正案|本规定|本解释|本意见")
_LABEL = re.compile(r"[（(第]?([一二三四五六七八九十百零]+|[0-9]+)")

Labels = tuple[int, ...]
"""The numbers of a point: ``(2,)`` for 二、, ``(2, 3)`` for its （三）."""


@dataclass(frozen=True, slots=True)
class Commencement:
    """The days on which the parts of an instrument take effect."""

    default: date | None
    parts: tuple[tuple[Labels, date | None], ...] = ()
    """Points with a day of their own, and all below them."""
    laws: tuple[tuple[str, date | None], ...] = ()
    """Laws whose amendments have a day of their own, as printed."""
    reason: str = ""
    """Why the default is not known."""

    def day_of(self, instruction: Instruction) -> date | None:
        """The day on which a point takes effect; ``None`` if it is not known."""
        labels = tuple(map(_number, instruction.point.labels))
        found = [(part, day) for part, day in self.parts if labels[: len(part)] == part]
        return max(found, key=lambda part: len(part[0]), default=((), self.default))[1]

    def for_law(self, same: SameLaw) -> Commencement:
        """The same with the day of one law, if it has one of its own, as the default."""
        for name, day in self.laws:
            if same(name):
                reason = self.reason if day is None else ""
                return replace(self, default=day, reason=reason)
        return self


def _number(label: str) -> int:
    """The number of a point; 0 if it has none."""
    match = _LABEL.match(label)
    try:
        return parse_numeral(match[1]) if match else 0
    except IdentifierError:
        return 0


def commencement(reading: Reading) -> Commencement:
    """When an instrument takes effect, as it says itself; failing that, as its header says."""
    instrument = reading.instrument
    published = instrument.published
    default: date | None = None
    stated = False
    parts: list[tuple[Labels, date | None]] = []
    laws: list[tuple[str, date | None]] = []
    for sentence in reading.commencement:
        for match in _CLAUSE.finditer(sentence):
            before, when = match["before"], match["when"]
            if when.startswith("通过"):
                day = instrument.adopted
            else:
                day = published if when.endswith("之日") else day_of(when)
            points = list(_points(LAW.sub("", before)))
            named = [reading.full_name(name) for name in law_names(before)]
            if points:
                parts.extend((point, day) for point in points)
            elif named:
                laws.extend((name, day) for name in named)
            elif _OTHERS.search(before) or not stated:
                default, stated = day, True
    if not stated:
        # The congress publishes amendments of the constitution, and from then on they are in force.
        of_constitution = "宪法修正案" in instrument.title
        at_once = of_constitution or _AT_ONCE.search(instrument.introduction)
        default = instrument.in_force or (published if at_once else None)
        stated = default is None and bool(at_once)
    reason = ""
    if default is None:
        reason = (
            "it takes effect on publication, and the day of publication is not stated"
            if stated
            else "it does not say from which day it takes effect"
        )
    return Commencement(default, tuple(parts), tuple(laws), reason)


def _points(before: str) -> Iterator[Labels]:
    for match in _POINTS.finditer(before):
        try:
            numbers = [parse_numeral(group) if group else 0 for group in match.groups()]
        except IdentifierError:
            continue
        point, below, last, item, last_item = numbers
        if below:
            yield point, below
        else:
            first, end = point or item, last or last_item
            yield from ((number,) for number in range(first, (end or first) + 1))


def days(
    instructions: Sequence[Instruction], when: Commencement
) -> list[tuple[date, list[Instruction]]]:
    """The days on which a version begins, each with all points in force from then on."""
    known = {day for instruction in instructions if (day := when.day_of(instruction)) is not None}
    return [
        (
            day,
            [
                instruction
                for instruction in instructions
                if (begins := when.day_of(instruction)) and begins <= day
            ],
        )
        for day in sorted(known)
    ]
